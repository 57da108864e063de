//! A fleet of any size of which it is known what is broken: rows, objects and logs as Maestro makes them.
//!
//! Three replicas, an agent for each consumer, works that are created and updated, and one in a hundred of them broken in
//! one of the ways of [`Way`]. Most come one after the other; those that something global breaks come at the end, when
//! it happens. The same size gives the same bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a fleet that cannot be made is a failed test or benchmark"
)]

mod logs;
mod rows;
mod text;
mod ways;
mod work;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::random::Random;
use logs::Logs;
use rows::row_time;
use text::{By, Line, Lines, Values};
pub use ways::Way;
use ways::{Kind, Phase};
use work::{Made, Place, Work, source_of};

const SERVERS: [&str; 3] = ["maestro-7d9f8c6b5-2k6g5", "maestro-7d9f8c6b5-jlr4c", "maestro-7d9f8c6b5-xtcvt"];

/// The replica whose listener is lost alone.
const DEAF: usize = 1;

/// 2026-11-16T00:00:00Z.
const START: i64 = 1_794_787_200_000_000;
const SECOND: i64 = 1_000_000;

/// Between two works, in microseconds.
const GAP: i64 = 100_000;

/// So long after the last request the evidence is taken: whatever has not happened by then will not.
const AFTERWARDS: i64 = 900 * SECOND;

/// One work in so many is broken.
const BROKEN_OF: usize = 100;

/// How much of it there is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub works: usize,
    /// The last is served by an agent that goes away, the one before it by one that runs under another name.
    pub consumers: usize,
}

/// A work that is broken.
#[derive(Clone, Debug)]
pub struct Broken {
    pub id: String,
    pub way: Way,
}

/// What was made.
#[derive(Debug)]
pub struct Fleet {
    pub lines: u64,
    pub bytes: u64,
    pub works: usize,
    pub broken: Vec<Broken>,
}

/// Writes `logs/`, `db/` and `kube/` below `target`.
pub fn make(target: &Path, size: Size) -> io::Result<Fleet> {
    let mut maker = Maker::create(target, size)?;
    let broken = (size.works / BROKEN_OF).max(Way::ALL.len());
    let ways: Vec<Way> = Way::ALL.into_iter().cycle().take(broken).collect();
    let of = |phase| -> Vec<Way> { ways.iter().copied().filter(|way| way.phase() == phase).collect() };
    maker.start();
    let mut at = maker.main_phase(START + 60 * SECOND, of(Phase::Main), size.works - broken)?;
    for phase in [Phase::OneReplicaDeaf, Phase::AllReplicasDeaf, Phase::WithoutBroker] {
        at = maker.trouble(at + 10 * SECOND, phase, of(phase))?;
    }
    maker.finish(at + AFTERWARDS)
}

struct Maker {
    size: Size,
    lines: Lines,
    logs: Logs,
    tables: Vec<BufWriter<File>>,
    clusters: Vec<[List; 2]>,
    hubs: Vec<String>,
    random: Random,
    fleet: Fleet,
    buffer: Vec<u8>,
}

/// The tables that are written row by row.
const TABLES: [&str; 6] = ["resources", "events", "status_events", "event_instances", "consumers", "server_instances"];

impl Maker {
    fn create(target: &Path, size: Size) -> io::Result<Self> {
        let servers = SERVERS.iter().map(|pod| format!("logs/svc/maestro/{pod}/service.log"));
        let agents = (0..size.consumers)
            .map(|agent| format!("logs/{}/maestro/{}/maestro-agent.log", cluster(agent), pod_of(agent)));
        let paths: Vec<String> = servers.chain(agents).collect();
        fs::create_dir_all(target.join("db"))?;
        let table = |name: &&str| Ok(BufWriter::new(File::create(target.join(format!("db/{name}.jsonl")))?));
        let list = |agent: usize| {
            let folder = target.join("kube").join(cluster(agent));
            fs::create_dir_all(&folder)?;
            Ok([List::create(&folder.join("appliedmanifestworks.json"))?, List::create(&folder.join("objects.json"))?])
        };
        Ok(Self {
            size,
            lines: Lines::read(),
            logs: Logs::create(target, &paths)?,
            tables: TABLES.iter().map(table).collect::<io::Result<_>>()?,
            clusters: (0..size.consumers).map(list).collect::<io::Result<_>>()?,
            hubs: vec![],
            random: Random(0x000f_1ee7),
            fleet: Fleet { lines: 0, bytes: 0, works: size.works, broken: Vec::new() },
            buffer: Vec::new(),
        })
    }

    /// Every pod says how it starts.
    fn start(&mut self) {
        for replica in 0..SERVERS.len() {
            let mut values = self.lines.no_values();
            self.lines.set(&mut values, "client", self.random.uuid());
            self.lines.set(&mut values, "source", source_of(replica));
            self.tell_of_itself("server starts", replica, START, &values);
        }
        for agent in 0..self.size.consumers {
            self.hubs.push(format!("{}{}", self.random.hex(), self.random.hex()));
            let mut values = self.lines.no_values();
            let old = if agent == self.size.consumers - 2 { "-old" } else { "" };
            self.lines.set(&mut values, "serves", format!("{}{old}", consumer(agent)));
            self.tell_of_itself("agent starts", SERVERS.len() + agent, START + SECOND, &values);
        }
    }

    /// Healthy works, and between them those that are broken each for itself.
    fn main_phase(&mut self, start: i64, ways: Vec<Way>, healthy: usize) -> io::Result<i64> {
        let total = healthy + ways.len();
        // The agent goes before the first work that it misses; what it has to do is done by then.
        let (mut early, late): (Vec<Way>, Vec<Way>) = ways.into_iter().partition(|way| *way != Way::AgentAway);
        early.extend(late);
        let apart = total / (early.len() + 1);
        let missed = early.iter().position(|way| *way == Way::AgentAway).unwrap_or(early.len());
        let time = |number: usize| start + i64::try_from(number).expect("a count") * GAP;
        let gone = time((missed + 1) * apart) - 10 * SECOND;
        self.tell_of_itself("agent goes", SERVERS.len() + self.size.consumers - 1, gone, &self.lines.no_values());
        let mut waiting = early.into_iter();
        for number in 0..total {
            let at = time(number);
            let way = if number > 0 && number % apart == 0 { waiting.next() } else { None };
            let agent = match way {
                Some(Way::AgentAway) => self.size.consumers - 1,
                Some(Way::ConsumerMismatch) => self.size.consumers - 2,
                None if at < gone - 20 * SECOND => number % (self.size.consumers - 1),
                _ => number % (self.size.consumers - 2),
            };
            // Nothing is for the consumer whose agent runs under another name but what it misses.
            let agent = if way.is_none() && agent == self.size.consumers - 2 { self.size.consumers - 1 } else { agent };
            self.work(way, at, agent, number % SERVERS.len())?;
        }
        Ok(time(total) + 10 * SECOND)
    }

    /// Works that come while something is wrong for all.
    fn trouble(&mut self, start: i64, phase: Phase, ways: Vec<Way>) -> io::Result<i64> {
        let concerned: &[usize] = if phase == Phase::OneReplicaDeaf { &[DEAF] } else { &[0, 1, 2] };
        let (lost, back) = match phase {
            Phase::WithoutBroker => ("broker lost", None),
            _ => ("listener lost", Some("listener back")),
        };
        let values = self.lines.no_values();
        for replica in concerned {
            self.tell_of_itself(lost, *replica, start, &values);
        }
        let mut at = start + SECOND / 10;
        for way in ways {
            let number = self.fleet.broken.len();
            let front = if phase == Phase::OneReplicaDeaf { DEAF } else { number % SERVERS.len() };
            self.work(Some(way), at, number % (self.size.consumers - 2), front)?;
            at += GAP;
        }
        at += SECOND;
        for replica in concerned {
            back.into_iter().for_each(|back| self.tell_of_itself(back, *replica, at, &values));
        }
        Ok(at + SECOND)
    }

    fn work(&mut self, way: Option<Way>, at: i64, agent: usize, front: usize) -> io::Result<()> {
        let consumer = if way == Some(Way::Refused) { "cluster-unknown".to_owned() } else { consumer(agent) };
        let place = Place { consumer, agent, front, replicas: SERVERS.len() };
        let number = usize::try_from((at - START) / GAP).expect("after the start");
        let mut work = Work::make(number, way, at, place, &mut self.random);
        if way == Some(Way::NotBroadcast) {
            // A replica that hears nothing publishes nothing either.
            work.requests.iter_mut().for_each(|request| request.publisher = 0);
        }
        self.logs.write_before(at)?;
        self.tell(&work);
        self.write_rows(&work)?;
        self.fleet.broken.extend(way.map(|way| Broken { id: work.id.clone(), way }));
        Ok(())
    }

    /// The lines of all pods about a work.
    fn tell(&mut self, work: &Work) {
        let mut values = self.lines.no_values();
        let hub = self.hubs[work.agent].clone();
        let fixed = [
            ("id", &work.id),
            ("name", &work.name),
            ("consumer", &work.consumer),
            ("source", &work.source),
            ("namespace", &work.namespace),
            ("applied", &work.applied),
            ("object", &work.object),
            ("second", &work.second),
            ("hub", &hub),
        ];
        for (hole, value) in fixed {
            self.lines.set(&mut values, hole, value.as_str());
        }
        self.lines.set(&mut values, "made", rows::whole_time(work.at));
        for request in &work.requests {
            self.set_request(&mut values, request);
            for step in request.steps {
                let times = if *step == "not published" { 6 } else { 1 };
                (0..times)
                    .for_each(|again| self.tell_step(step, work, request, 0, request.at + again * 250_000, &values));
            }
            for status in &request.statuses {
                let told = [
                    ("sequence", &status.sequence),
                    ("hash", &status.hash),
                    ("report", &status.report),
                    ("told", &status.told),
                ];
                for (hole, value) in told {
                    self.lines.set(&mut values, hole, value.as_str());
                }
                for step in status.steps {
                    // Steps of a status count from when the agent sends the first one.
                    self.tell_step(step, work, request, status.handler, status.at - 92_000, &values);
                }
            }
        }
    }

    fn set_request(&self, values: &mut Values, request: &Made) {
        let deletion = |open: &str, name: &str, at: String| format!("{open}\"{name}{open}\":{open}\"{at}{open}\",");
        let (change, publishing) = request.kind.change();
        let before = if request.kind == Kind::Delete { request.version } else { request.version - 1 };
        let whole = request.deleted_at.map(|at| deletion("\\", "deletionTimestamp", rows::whole_time(at)));
        let exact = request.deleted_at.map(|at| deletion("", "deletiontimestamp", rows::event_time(at)));
        let own = [
            ("op", request.op.clone()),
            ("trace", request.trace.clone()),
            ("event", request.event.clone()),
            ("cloud", request.cloud.clone()),
            ("kind", request.kind.word().to_owned()),
            ("Kind", request.kind.event_type().to_owned()),
            ("change", change.to_owned()),
            ("publishing", publishing.to_owned()),
            ("version", request.version.to_string()),
            ("before", before.to_string()),
            ("deletion", whole.unwrap_or_default()),
            ("deletiontimestamp", exact.unwrap_or_default()),
        ];
        for (hole, value) in own {
            self.lines.set(values, hole, value);
        }
    }

    fn tell_step(&mut self, step: &str, work: &Work, request: &Made, handler: usize, at: i64, values: &Values) {
        let deaf = (work.way == Some(Way::NotBroadcast)).then_some(DEAF);
        let mut values = values.clone();
        for line in self.lines.step(step) {
            let replicas = 0..SERVERS.len();
            let pods: Vec<usize> = match line.by {
                By::Front => vec![work.front],
                By::Publisher => vec![request.publisher],
                By::Handler => vec![handler],
                By::Agent => vec![SERVERS.len() + work.agent],
                By::Others => {
                    replicas.filter(|replica| *replica != request.publisher && Some(*replica) != deaf).collect()
                }
                By::Each => replicas.filter(|replica| Some(*replica) != deaf).collect(),
                By::Server => panic!("no work makes a server tell of itself"),
            };
            for (place, pod) in pods.into_iter().enumerate() {
                if line.by == By::Each {
                    self.lines.set(&mut values, "pod", SERVERS[pod]);
                }
                let after = line.after + i64::try_from(place).expect("few") * 2_100;
                tell(&mut self.logs, &mut self.buffer, pod, at + after, line, &values);
            }
        }
    }

    fn tell_of_itself(&mut self, step: &str, pod: usize, at: i64, values: &Values) {
        for line in self.lines.step(step) {
            tell(&mut self.logs, &mut self.buffer, pod, at + line.after, line, values);
        }
    }

    fn write_rows(&mut self, work: &Work) -> io::Result<()> {
        if let Some(row) = rows::resource(work) {
            self.row("resources", &row)?;
            for request in &work.requests {
                let waits = matches!(work.way, Some(Way::ListenerLost | Way::BrokerLost));
                let reconciled = (!waits).then(|| row_time(request.at + 17_000));
                let row = json!({
                    "id": request.event, "created_at": row_time(request.at + 11_000), "updated_at": row_time(request.at + 17_000),
                    "deleted_at": null, "source": "Resources", "source_id": work.id,
                    "event_type": request.kind.event_type(), "reconciled_date": reconciled,
                });
                self.row("events", &row)?;
            }
        }
        for status in work.statuses().filter(|status| status.is_stored()) {
            let at = row_time(status.at + 41_000);
            let row = json!({
                "id": status.told, "created_at": at, "updated_at": at, "deleted_at": null, "resource_id": work.id,
                "resource_source": "", "resource_type": "", "payload": null, "status": null,
                "status_event_type": "StatusUpdate", "reconciled_date": null,
            });
            self.row("status_events", &row)?;
            for (replica, pod) in SERVERS.iter().enumerate() {
                if work.way != Some(Way::NotBroadcast) || replica != DEAF {
                    let instance = format!("maestro-{pod}");
                    let row = json!({"event_id": status.told, "instance_id": instance, "spec_event_id": null});
                    self.row("event_instances", &row)?;
                }
            }
        }
        let hub = &self.hubs[work.agent];
        let [applied, objects] = &mut self.clusters[work.agent];
        rows::applied_work(work, hub).iter().try_for_each(|item| applied.add(item))?;
        rows::objects(work, hub).iter().try_for_each(|item| objects.add(item))
    }

    fn row(&mut self, table: &str, row: &Value) -> io::Result<()> {
        let place = TABLES.iter().position(|name| *name == table).expect("a table of ours");
        writeln!(self.tables[place], "{row}")
    }

    /// Writes what is there once, and what is still to be written.
    fn finish(mut self, end: i64) -> io::Result<Fleet> {
        for pod in SERVERS {
            let row = json!({
                "id": format!("maestro-{pod}"), "created_at": row_time(START), "updated_at": row_time(end),
                "deleted_at": null, "last_heartbeat": row_time(end), "ready": true,
            });
            self.row("server_instances", &row)?;
        }
        for agent in 0..self.size.consumers {
            let row = json!({
                "id": self.random.uuid(), "created_at": row_time(START), "updated_at": row_time(START), "deleted_at": null,
                "name": consumer(agent), "labels": null,
            });
            self.row("consumers", &row)?;
        }
        self.logs.finish()?;
        self.tables.iter_mut().try_for_each(Write::flush)?;
        self.clusters.into_iter().flatten().try_for_each(List::finish)?;
        (self.fleet.lines, self.fleet.bytes) = (self.logs.lines(), self.logs.bytes);
        Ok(self.fleet)
    }
}

fn tell(logs: &mut Logs, buffer: &mut Vec<u8>, pod: usize, at: i64, line: &Line, values: &Values) {
    buffer.clear();
    line.render(values, buffer);
    logs.tell(pod, at, line.severity, buffer);
}

/// A list of objects as `kubectl get -o json` prints it, written item by item.
struct List {
    file: BufWriter<File>,
    any: bool,
}

impl List {
    fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(
            b"{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"},\"items\":[",
        )?;
        Ok(Self { file, any: false })
    }

    fn add(&mut self, item: &Value) -> io::Result<()> {
        let before = if std::mem::replace(&mut self.any, true) { ",\n" } else { "\n" };
        write!(self.file, "{before}{item}")
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(b"\n]}\n")?;
        self.file.flush()
    }
}

fn consumer(agent: usize) -> String {
    format!("cluster-{agent:03}")
}

fn cluster(agent: usize) -> String {
    format!("mgmt-{agent:03}")
}

fn pod_of(agent: usize) -> String {
    format!("maestro-agent-6c8d9f7b4-{agent:05}")
}
