//! A manifest of a work: what was asked, what the agent lists, what the cluster holds and what the agent reports.

use crate::schema::Time;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Default, Serialize)]
pub struct Manifest {
    pub group: Option<String>,
    pub version: Option<String>,
    /// The plural that the API has for the kind.
    pub resource: Option<String>,
    pub kind: Option<String>,
    pub namespace: Option<String>,
    pub name: String,
    /// `payload`, `applied_work`, `object`, `agent_log`.
    #[serde(rename = "in")]
    pub seen_in: Vec<String>,
    /// What shows it, in the order of `in`.
    pub evidence: Vec<String>,
    /// `Update`, `ServerSideApply`, `CreateOnly` or `ReadOnly`; none where the payload is not known.
    pub update_strategy: Option<String>,
    /// What a delete of the work does to it, if that is not the usual: `Orphan`.
    pub delete_option: Option<String>,
    /// Whether the work's AppliedManifestWorks list it; none where there are none in the material.
    pub applied: Option<Applied>,
    /// What the cluster holds; none where the material does not tell.
    pub actual: Option<Actual>,
    pub conditions: Vec<Condition>,
    pub feedback: Vec<Feedback>,
    /// Fields that the payload asks for and the object has otherwise.
    pub differs: Vec<Differs>,
    /// Fields that differ and are not listed.
    pub more_differ: usize,
    /// Why a difference is as it should be.
    pub by_design: Option<String>,
    pub findings: Vec<Finding>,
    /// The manifest is a work itself; this is what is in it.
    pub inner: Option<InnerWork>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    Listed,
    NotListed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Actual {
    /// It has every field that was asked for.
    AsAsked,
    Differs,
    /// It is there, and there is nothing to compare it with.
    There,
    /// It is there, and its deletion was asked for.
    Deleting,
    /// It would be in the material if it were there.
    Absent,
}

#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    #[serde(rename = "type")]
    pub kind: String,
    pub status: String,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub observed_generation: Option<i64>,
    pub at: Option<Time>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Feedback {
    pub name: String,
    /// `Integer`, `String`, `Boolean` or `JsonRaw`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The value; JSON is decoded. One that is too long is its beginning, as text.
    pub value: Value,
    pub cut: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Differs {
    pub path: String,
    pub desired: Value,
    /// Null where it is not there.
    pub actual: Value,
}

/// One thing worth a person's attention.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Its name, which does not change.
    pub finding: &'static str,
    pub text: String,
    pub evidence: Vec<String>,
}

/// A ManifestWork that is a manifest of another, and handled by an agent of its own.
#[derive(Debug, Serialize)]
pub struct InnerWork {
    pub applied_works: Vec<String>,
    pub conditions: Vec<Condition>,
    pub manifests: Vec<Manifest>,
}

/// Where the manifests of a work are known from.
#[derive(Clone, Debug, Serialize)]
pub struct ManifestSource {
    pub source: Source,
    pub evidence: String,
}

/// The best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The work's row in the database.
    Row,
    /// The status event that a delete leaves.
    StatusDelete,
    /// A log line that prints the CloudEvent whole.
    LogLine,
    /// Only the names, as an AppliedManifestWork lists them.
    AppliedWork,
    /// Only the names, as objects in the cluster have them.
    Object,
    /// Only the names, as the agent's log has them.
    AgentLog,
}

impl Source {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "the work's row in the database",
            Self::StatusDelete => "the status event that its delete left",
            Self::LogLine => "a log line that prints the request whole",
            Self::AppliedWork => "the list of its AppliedManifestWork, which has names only",
            Self::Object => "the objects in its cluster, by their owner",
            Self::AgentLog => "the agent's log, which has names only",
        }
    }
}
