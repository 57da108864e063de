//! What a collection from running systems would ask for, what it may not, and what it was told.

use crate::schema::{Step, Time};
use serde::Serialize;

/// The names of the JSON contracts.
pub const REQUESTS_FORMAT: &str = "dacapo.requests/1";
pub const RIGHTS_FORMAT: &str = "dacapo.rights/1";

/// Every request and statement of a collection; none was sent.
#[derive(Debug, Serialize)]
pub struct Requests {
    pub format: &'static str,
    pub sources: Vec<Asked>,
}

#[derive(Debug, Serialize)]
pub struct Asked {
    pub source: String,
    pub requests: Vec<String>,
}

/// The rights that a collection needs.
#[derive(Debug, Serialize)]
pub struct Rights {
    pub format: &'static str,
    pub sources: Vec<Needed>,
}

#[derive(Debug, Serialize)]
pub struct Needed {
    pub source: String,
    pub rights: Vec<Right>,
    /// What an administrator applies to give just these rights.
    pub grants: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Right {
    /// `list pods in maestro`, `read events (SELECT)`.
    pub what: String,
    /// Not there where that could not be found out.
    pub granted: Option<bool>,
    /// What the system says about it.
    pub why: Option<String>,
}

impl Needed {
    pub fn lacks_any(&self) -> bool {
        self.rights.iter().any(|right| right.granted != Some(true))
    }

    /// What is not known of a system that does not answer cannot be granted.
    pub fn is_known(&self) -> bool {
        self.rights.iter().any(|right| right.granted.is_some())
    }
}

impl Rights {
    pub fn are_granted(&self) -> bool {
        !self.sources.iter().any(Needed::lacks_any)
    }
}

/// One step of reading a running system.
#[derive(Clone, Debug, Serialize)]
pub struct LiveStep {
    pub source: String,
    pub target: String,
    pub outcome: String,
    pub started_at: Option<Time>,
    pub duration_ms: i64,
    pub rows: i64,
    pub bytes: i64,
    pub error: Option<String>,
}

impl LiveStep {
    /// A step of a collection, if it was one of reading a running system.
    pub fn of(step: &Step<'_>) -> Option<Self> {
        Some(Self {
            source: step.source.clone().into_owned(),
            target: step.target.clone().into_owned(),
            outcome: step.outcome.clone().into_owned(),
            started_at: Some(step.started_at?),
            duration_ms: step.duration_ms.unwrap_or_default(),
            rows: step.rows,
            bytes: step.bytes,
            error: step.error.clone().map(Into::into),
        })
    }

    /// In the order of time.
    pub fn in_order(steps: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut steps: Vec<Self> = steps.collect();
        steps.sort_by(|one, other| (one.started_at, &one.target).cmp(&(other.started_at, &other.target)));
        steps
    }
}
