//! The answer to "what is in this bundle": `dacapo.inspect/1`.

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
    pub labels: BTreeMap<String, String>,
    pub notes: Vec<String>,
    /// What is missing or was read in part: shown first.
    pub problems: Vec<Problem>,
    pub tables: Vec<TableSummary>,
    pub logs: Vec<LogCoverage>,
    /// Files that were not taken, by reason.
    pub left_out: Vec<Problem>,
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
    pub cluster: Option<String>,
    pub pod: Option<String>,
    pub entries: i64,
    pub from: Option<Time>,
    pub to: Option<Time>,
    pub verbosity: i64,
    pub consumer: Option<String>,
    pub previous: bool,
    pub shutdown_at: Option<Time>,
}
