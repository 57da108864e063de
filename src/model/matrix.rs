//! The answer to "where is the fleet stuck": `dacapo.matrix/1`, documented in `docs/matrix.md`.

use super::trace::HopName;
use crate::schema::Time;
use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.matrix/1";

/// Hops of requests, by consumer, pod or source.
#[derive(Debug, Serialize)]
pub struct Matrix {
    pub format: &'static str,
    /// The bundle, as it was named.
    pub bundle: String,
    /// The bundle's "now".
    pub collected_at: Option<Time>,
    pub by: Side,
    /// What people want to see of each group; programs get everything.
    #[serde(skip)]
    pub show: Figure,
    /// All requests that were asked for.
    pub all: Group,
    /// How many groups there are, also where a limit leaves some of them out.
    pub total: usize,
    /// What needs somebody first.
    pub groups: Vec<Group>,
    /// What was asked for and is in no work, in words for people.
    #[serde(skip)]
    pub not_there: Vec<String>,
}

/// What requests are put together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    #[default]
    Consumer,
    /// Where a hop happened.
    Pod,
    Source,
}

/// What a field of the picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figure {
    #[default]
    Counts,
    P50,
    P95,
    Max,
}

/// The requests of one consumer or source, or those that came by a pod.
#[derive(Debug, Serialize)]
pub struct Group {
    /// None where it is not known, and for all requests.
    pub name: Option<String>,
    pub works: i64,
    pub requests: Requests,
    /// Works whose newest request was stopped or refused.
    pub stuck: i64,
    /// Works of whose newest request the material cannot tell what became of it.
    pub untold: i64,
    pub outcomes: Outcomes,
    /// From the first to the last hop of completed requests, in microseconds.
    pub latency_us: Option<Latency>,
    /// All nine.
    pub hops: Vec<Cell>,
}

#[derive(Debug, Default, Serialize)]
pub struct Requests {
    pub create: i64,
    pub update: i64,
    pub delete: i64,
}

/// How many requests came to which end.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcomes {
    pub completed: i64,
    pub stopped: i64,
    pub refused: i64,
    pub superseded: i64,
    pub in_progress: i64,
    pub unknown: i64,
}

/// What became of the requests at one hop. Each is counted once; `stuck` are some of `stopped` and `refused`, and `skipped`
/// counts lines.
#[derive(Debug, Serialize)]
pub struct Cell {
    pub hop: u8,
    pub name: HopName,
    /// What users of hcpctl call it.
    pub layer: &'static str,
    pub passed: i64,
    /// They stop here.
    pub stopped: i64,
    /// The server said no.
    pub refused: i64,
    /// Those that stopped or were refused here and are the newest of their works.
    pub stuck: i64,
    /// Not yet passed, and the wait is ordinary.
    pub waiting: i64,
    /// Not passed because of a hop before it.
    pub not_reached: i64,
    /// Not needed any more: a newer request took over.
    pub superseded: i64,
    /// The hop does not exist for the request.
    pub not_applicable: i64,
    /// The material cannot tell.
    pub unknown: i64,
    /// Lines by which a replica leaves something to another, or alone because it is not needed any more.
    pub skipped: i64,
    /// Since the hop before it, in microseconds.
    pub latency_us: Option<Latency>,
    /// When the first request passed.
    pub first: Option<Time>,
    /// When the last request passed.
    pub last: Option<Time>,
}

/// Of so many measurements; each figure is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    pub measured: i64,
    pub p50: i64,
    pub p95: i64,
    pub max: i64,
}

impl Side {
    /// As JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consumer => "consumer",
            Self::Pod => "pod",
            Self::Source => "source",
        }
    }
}

impl Requests {
    pub const fn all(&self) -> i64 {
        self.create + self.update + self.delete
    }
}

impl Default for Group {
    fn default() -> Self {
        Self {
            name: None,
            works: 0,
            requests: Requests::default(),
            stuck: 0,
            untold: 0,
            outcomes: Outcomes::default(),
            latency_us: None,
            hops: HopName::ALL.map(Cell::empty).into(),
        }
    }
}

impl Cell {
    /// Nobody was there.
    pub const fn empty(hop: HopName) -> Self {
        Self {
            hop: hop.number(),
            name: hop,
            layer: hop.layer(),
            passed: 0,
            stopped: 0,
            refused: 0,
            stuck: 0,
            waiting: 0,
            not_reached: 0,
            superseded: 0,
            not_applicable: 0,
            unknown: 0,
            skipped: 0,
            latency_us: None,
            first: None,
            last: None,
        }
    }
}

impl Matrix {
    /// Nothing is stuck, and everything can be told.
    pub const fn is_well(&self) -> bool {
        self.all.stuck == 0 && self.all.untold == 0
    }
}

impl HopName {
    /// The layer of hcpctl that it belongs to: there are seven of them.
    pub const fn layer(self) -> &'static str {
        match self {
            Self::Received => "client→server",
            Self::Published => "server→broker",
            Self::Delivered => "broker→agent",
            Self::Applied => "agent acted",
            Self::Reported => "agent→broker",
            Self::StatusReceived | Self::StatusHandled => "server got status",
            Self::Broadcast | Self::Sent => "server→subscribers",
        }
    }
}
