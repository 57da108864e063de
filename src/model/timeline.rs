//! Every row and line about a work, in one order.

use crate::schema::Time;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Timeline {
    #[serde(rename = "timeline")]
    pub happenings: Vec<Happening>,
    /// What a reader should know of it.
    #[serde(rename = "timeline_notes")]
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Happening {
    pub at: Option<Time>,
    /// Microseconds since the one before it; none where one of the two times is in whole seconds.
    pub delta_us: Option<i64>,
    pub source: Source,
    pub cluster: Option<String>,
    /// Pod, database or cluster.
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub what: String,
    /// How it is known to be about the work: `id`, `name`, `event`, `operation`, `object` or `cause`.
    pub matched_by: String,
    pub evidence: String,
    /// The log line, word for word, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Who tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Server,
    Agent,
    Client,
    Database,
    Cluster,
    Other,
}

impl Source {
    pub const ALL: [Self; 6] = [Self::Server, Self::Agent, Self::Client, Self::Database, Self::Cluster, Self::Other];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Agent => "agent",
            Self::Client => "client",
            Self::Database => "database",
            Self::Cluster => "cluster",
            Self::Other => "other",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}

impl Happening {
    /// Kubernetes gives whole seconds, rounded down.
    pub fn is_rough(&self) -> bool {
        self.source == Source::Cluster && self.at.is_some_and(|at| at.micros() % 1_000_000 == 0)
    }
}
