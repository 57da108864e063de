//! What passes between a question and the process that answers it: one line of JSON each.

use crate::bundle::Limits;
use crate::model::{Cut, QueriedColumn};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A statement, and what it may use.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    pub sql: String,
    /// Values of its parameters, by name.
    pub parameters: BTreeMap<String, String>,
    pub memory: u64,
    pub cpu_seconds: u64,
    pub rows: u64,
    pub bytes: u64,
    pub limits: Limits,
    /// The bundle was decrypted, and is the file in the place of standard error.
    pub decrypted: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// So many works are judged, of so many.
    Judged(usize, usize),
    Columns(Vec<QueriedColumn>),
    Row(Vec<Value>),
    /// All rows were sent, or as many as may be.
    End(Option<Cut>),
    Trouble(Trouble),
}

/// What the database says, and what may be meant.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Refusal {
    /// What is wrong in the first line, where in the others.
    pub message: String,
    /// Columns like the one that is not there, each with the tables that have it.
    pub near: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// It would do more than read.
    NotReading,
    /// More than one statement.
    Several(usize),
    /// The database says no.
    Engine(Refusal),
    /// The step that went wrong, and its causes.
    Other(Vec<String>),
}
