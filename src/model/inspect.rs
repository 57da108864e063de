//! The answer to "what is in this bundle": `dacapo.inspect/1`.

use super::{LiveStep, Seal};
use crate::schema::Time;
use serde::Serialize;
use std::collections::BTreeMap;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.inspect/1";

#[derive(Debug, Serialize)]
pub struct Inspection {
    pub format: &'static str,
    pub bundle: String,
    pub bytes: u64,
    pub bundle_format: String,
    pub tool: String,
    pub collected_at: Option<Time>,
    pub collected_at_from: String,
    pub from: Option<Time>,
    pub to: Option<Time>,
    pub redacted: bool,
    /// What pseudonyms stand for in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pseudonyms: Vec<String>,
    /// The signature, where there is one; nobody has compared its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
    pub labels: BTreeMap<String, String>,
    pub notes: Vec<String>,
    /// What is not there and would tell something: shown first.
    pub lacks: Vec<String>,
    /// What could not be read, or only in part.
    pub problems: Vec<Problem>,
    /// What was read of running systems, in the order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub live: Vec<LiveStep>,
    pub tables: Vec<TableSummary>,
    pub logs: Vec<LogCoverage>,
    /// Files that were not taken, by reason.
    pub left_out: Vec<Problem>,
    /// Files that are evidence; what is left out is told by the folders that have none of them.
    #[serde(skip)]
    pub taken: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Problem {
    pub target: String,
    pub outcome: String,
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct TableSummary {
    pub table: String,
    pub rows: u64,
    pub bytes: u64,
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// This version of dacapo does not know it.
    pub unknown: bool,
}

#[derive(Debug, Serialize)]
pub struct LogCoverage {
    pub file: String,
    pub component: String,
    /// How its lines are wrapped.
    pub wrapping: String,
    pub cluster: Option<String>,
    /// What the cluster is for: `service` or `management`.
    pub role: Option<String>,
    pub pod: Option<String>,
    pub container: Option<String>,
    /// How the component is known: `said`, `deployment`, `name` or `content`; none where it is a guess.
    pub known_from: Option<String>,
    pub entries: i64,
    pub lines: i64,
    /// Entries of no known format.
    pub plain: i64,
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// It is complete only up to then.
    pub until: Option<Time>,
    /// Why silence in it means nothing.
    pub blind: Option<String>,
    /// The longest time without an entry.
    pub silent_from: Option<Time>,
    pub silent_to: Option<Time>,
    /// The highest verbosity that some entry proves, and the one that its process was told.
    pub verbosity: i64,
    pub configured_verbosity: Option<i64>,
    pub subscription: Option<String>,
    pub client_id: Option<String>,
    pub consumer: Option<String>,
    pub previous: bool,
    pub shutdown_at: Option<Time>,
}
