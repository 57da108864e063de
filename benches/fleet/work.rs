//! One work, and everything about it that is made up.

use super::Random;
use super::ways::{Kind, Way, story};
use uuid::Uuid;

/// The status sequence is a snowflake: milliseconds since this time in the upper bits.
const SNOWFLAKE_EPOCH: i64 = 1_288_834_974_657;

pub struct Work {
    pub way: Option<Way>,
    pub name: String,
    pub id: String,
    pub consumer: String,
    /// Which cluster's agent applies it.
    pub agent: usize,
    /// The replica that its client is connected to.
    pub front: usize,
    pub source: String,
    pub namespace: String,
    /// When the first request comes in.
    pub at: i64,
    pub applied: String,
    pub object: String,
    pub second: String,
    pub requests: Vec<Made>,
}

/// One request, as it was made.
pub struct Made {
    pub kind: Kind,
    pub at: i64,
    pub version: i64,
    pub op: String,
    /// The operation that lines of the pipeline name: that of the stored spec.
    pub trace: String,
    pub event: String,
    pub cloud: String,
    pub publisher: usize,
    pub deleted_at: Option<i64>,
    pub steps: &'static [&'static str],
    pub statuses: Vec<Status>,
}

/// One status that an agent sent.
pub struct Status {
    pub at: i64,
    pub version: i64,
    pub trace: String,
    pub report: String,
    pub told: String,
    pub sequence: String,
    pub hash: String,
    pub handler: usize,
    pub deleting: Option<i64>,
    pub steps: &'static [&'static str],
}

impl Status {
    pub fn is_stored(&self) -> bool {
        self.steps.contains(&"stored")
    }
}

/// Who a work is for, and from whom.
pub struct Place {
    pub consumer: String,
    pub agent: usize,
    pub front: usize,
    pub replicas: usize,
}

impl Work {
    pub fn make(number: usize, way: Option<Way>, at: i64, place: Place, random: &mut Random) -> Self {
        let Place { consumer, agent, front, replicas } = place;
        let (name, source) = (format!("orders-{number:06}"), source_of(front));
        let text = format!("{source}-manifestworks.work.open-cluster-management.io-{consumer}-{name}");
        let mut requests: Vec<Made> = Vec::new();
        for (place, request) in story(way).into_iter().enumerate() {
            let (at, op) = (at + request.after, random.uuid());
            let before = requests.last().map_or(0, |before| before.version);
            let deletes = request.kind == Kind::Delete;
            let trace = requests.last().filter(|_| deletes).map_or(&op, |before| &before.trace).clone();
            let version = before + i64::from(!deletes);
            let deleting = deletes.then_some(at + 9_000);
            // The second status follows the first, as objects become available.
            let mut status = |(count, steps): (usize, &&'static [&'static str])| Status {
                at: at + 92_000 + i64::try_from(count).expect("few") * 60_000,
                version,
                trace: trace.clone(),
                report: random.uuid(),
                told: random.uuid(),
                sequence: String::new(),
                hash: format!("{}{}", random.hex(), random.hex()),
                handler: (number + place + count) % replicas,
                deleting,
                steps,
            };
            let mut statuses: Vec<Status> = request.statuses.iter().enumerate().map(&mut status).collect();
            for status in &mut statuses {
                status.sequence = (((status.at / 1000 - SNOWFLAKE_EPOCH) << 22) + random.below(4096)).to_string();
            }
            let (event, cloud) = (random.uuid(), random.uuid());
            let publisher = (number + place) % replicas;
            requests.push(Made {
                kind: request.kind,
                at,
                version,
                op,
                trace,
                event,
                cloud,
                publisher,
                deleted_at: deleting,
                steps: request.steps,
                statuses,
            });
        }
        Self {
            way,
            id: Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()).to_string(),
            namespace: format!("team-{:02}", number % 40),
            applied: random.uuid(),
            object: random.uuid(),
            second: random.uuid(),
            name,
            consumer,
            agent,
            front,
            source,
            at,
            requests,
        }
    }

    pub fn version(&self) -> i64 {
        self.requests.last().map_or(0, |request| request.version)
    }

    pub fn second_name(&self) -> String {
        format!("{}-b", self.name)
    }

    pub fn deleted_at(&self) -> Option<i64> {
        self.requests.last().and_then(|request| request.deleted_at)
    }

    pub fn statuses(&self) -> impl DoubleEndedIterator<Item = &Status> {
        self.requests.iter().flat_map(|request| &request.statuses)
    }

    pub fn stored_status(&self) -> Option<&Status> {
        self.statuses().rfind(|status| status.is_stored())
    }
}

/// The client that is connected to a replica.
pub fn source_of(front: usize) -> String {
    format!("clusters-service-{front}")
}
