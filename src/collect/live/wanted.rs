//! What to read from which running systems, and how far to go for it.

use crate::schema::Time;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What the user wants of running systems. Times and environment are values here: they were taken at the door.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// When the collection began, by the clock of this machine.
    pub began: Time,
    pub database: Database,
    pub clusters: Vec<Cluster>,
    /// Namespaces of Maestro; where none is named they are found by label.
    pub namespaces: Vec<String>,
    pub window: Window,
    pub limits: Limits,
    /// The user has said yes to every question beforehand.
    pub yes: bool,
    /// A breakglass deployment that is not running may be started.
    pub scale_breakglass: bool,
    /// Variables that say where things are: `PG…`, `HOME`, `KUBECONFIG`.
    pub environment: BTreeMap<String, String>,
}

/// Where Maestro's database is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Database {
    /// In a pod of the service cluster, if there is one.
    #[default]
    ThroughPods,
    /// At this address; what it does not say the environment does.
    At(String),
    /// It is not wanted.
    No,
}

/// A cluster to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    pub role: Role,
    pub context: Option<String>,
    pub kubeconfig: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Service,
    Management,
    /// Server and agents run in the same cluster.
    Both,
}

impl Role {
    /// A cluster that is named for one role and for another.
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

/// Which part of what grows without end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Log lines from here on.
    pub since: Option<Time>,
    /// Log lines up to here.
    pub until: Option<Time>,
    /// At most so many bytes of each log.
    pub max_bytes: Option<u64>,
    /// Rows of `events` and `status_events` that were created from here on.
    pub events_since: Option<Time>,
}

/// How long to wait, and how much to ask at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Without any answer to a request or statement.
    pub request: Duration,
    /// For all of it.
    pub total: Duration,
    /// Requests to one cluster at the same time.
    pub parallel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { request: Duration::from_secs(60), total: Duration::from_secs(30 * 60), parallel: 4 }
    }
}
