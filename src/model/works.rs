//! The answer to "what else is broken": `dacapo.works/1`, documented in `docs/works.md`.

use super::trace::{Outcome, RequestKind};
use crate::schema::Time;
use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.works/1";

/// Every work of a bundle, or those that were asked for.
#[derive(Debug, Serialize)]
pub struct Works {
    pub format: &'static str,
    /// The bundle, as it was named.
    pub bundle: String,
    /// The bundle's "now".
    pub collected_at: Option<Time>,
    /// All works of the bundle or, where labels were asked for, those that have them.
    pub total: usize,
    /// Those that were asked for, also where a limit leaves some of them out.
    pub matched: usize,
    /// How many of those came to which end.
    pub outcomes: Vec<OutcomeCount>,
    /// Ids that the evidence mentions without telling of any request; they are not counted as works.
    pub mentioned: usize,
    pub works: Vec<ListedWork>,
    /// What was asked for and is in no work, in words for people.
    #[serde(skip)]
    pub not_there: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct OutcomeCount {
    pub outcome: Outcome,
    pub works: usize,
}

/// A work and how far its newest request came.
#[derive(Debug, Serialize)]
pub struct ListedWork {
    pub work_name: Option<String>,
    pub resource_id: String,
    pub consumer: Option<String>,
    pub source: Option<String>,
    pub request: RequestKind,
    pub life: i64,
    /// The version that the request is about.
    pub version_wanted: i64,
    /// The version that the last stored status is about.
    pub version_observed: Option<i64>,
    pub outcome: Outcome,
    /// The last hop up to which all passed, or 0.
    pub hop_reached: u8,
    pub stops_at: Option<u8>,
    pub sentence: Option<&'static str>,
    /// Why the outcome is unknown, or what waits.
    pub why: Option<String>,
    /// When the hop was reached or, where that is not known, when the request was made.
    pub since: Option<Time>,
    pub deleted_at: Option<Time>,
}

impl Works {
    /// Nothing was stopped or refused, and everything can be told.
    pub fn are_well(&self) -> bool {
        self.outcomes.iter().all(|count| count.outcome.is_well())
    }
}
