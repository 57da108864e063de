//! The answer to "what happened to this work": `dacapo.trace/1`, documented in `docs/trace.md`.

use super::detail::Step;
use super::manifest::{Manifest, ManifestSource};
use super::reference::is_object;
use super::timeline::Timeline;
use super::{Candidate, Meaning};
use crate::schema::Time;
use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.trace/1";

#[derive(Debug, Serialize)]
pub struct Trace {
    pub format: &'static str,
    /// The bundle, as it was named.
    pub bundle: String,
    /// What was asked for.
    pub query: String,
    /// What it was taken for.
    pub taken_for: String,
    /// Everything that it can be; the first is what it was taken for.
    pub meanings: Vec<Meaning>,
    /// The bundle's "now".
    pub collected_at: Option<Time>,
    /// What the reader should know about the way from the argument to the works.
    pub notes: Vec<Note>,
    pub works: Vec<Work>,
    /// The argument is but a part of what works are called, so none was traced.
    pub is_part: bool,
    /// Works that may be meant, where nothing was traced because that is not clear; the first of many.
    pub candidates: Vec<Candidate>,
}

#[derive(Debug, Serialize)]
pub struct Work {
    pub work_name: Option<String>,
    pub resource_id: String,
    pub consumer: Option<String>,
    pub source: Option<String>,
    pub applied_works: Vec<String>,
    pub deleted_at: Option<Time>,
    /// Set where the last accepted request is a delete.
    pub deletion: Option<Deletion>,
    /// The row in `resources`, where there still is one.
    pub database: Option<DatabaseRow>,
    /// Where the manifests are known from.
    pub manifests_from: Option<ManifestSource>,
    pub manifests: Vec<Manifest>,
    /// What is odd about the work as a whole.
    pub notes: Vec<Note>,
    /// Newest first.
    pub requests: Vec<Request>,
    /// Requests of this work that were not asked for.
    pub others: Vec<OtherRequest>,
    /// Every row and line about it, where that was asked for.
    #[serde(flatten)]
    pub timeline: Option<Timeline>,
}

/// Who asked for a deletion, and how far it is.
#[derive(Debug, Serialize)]
pub struct Deletion {
    pub asked_at: Option<Time>,
    /// The source id of the client.
    pub by: Option<String>,
    /// `gRPC` or `REST`.
    pub over: Option<&'static str>,
    pub op_id: Option<String>,
    /// When the server was told that the manifests are gone, and removed the row.
    pub gone_at: Option<Time>,
    pub evidence: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct DatabaseRow {
    pub version: Option<i64>,
    pub status_version: Option<i64>,
    pub created_at: Option<Time>,
    pub updated_at: Option<Time>,
    pub deleted_at: Option<Time>,
    pub evidence: String,
}

#[derive(Debug, Serialize)]
pub struct OtherRequest {
    pub request: RequestKind,
    pub version: i64,
    pub life: i64,
    pub at: Option<Time>,
}

#[derive(Debug, Serialize)]
pub struct Request {
    pub request: RequestKind,
    pub version: i64,
    pub life: i64,
    pub op_id: Option<String>,
    pub at: Option<Time>,
    pub outcome: Outcome,
    pub stops_at: Option<u8>,
    pub sentence: Option<&'static str>,
    /// Why the outcome is unknown, or what waits.
    pub why: Option<String>,
    pub cause: Option<Cause>,
    /// What to look at next, where it stopped.
    pub checks: Vec<&'static str>,
    /// Incidents that healed, and what else is worth a word.
    pub notes: Vec<Note>,
    pub hops: Vec<Hop>,
}

/// A remark that stops nothing, with what shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Note {
    pub text: String,
    pub evidence: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestKind {
    Create,
    Update,
    Delete,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Completed,
    Stopped,
    Refused,
    Superseded,
    InProgress,
    Unknown,
}

/// The best-supported reason for a stop, and what shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    pub text: String,
    pub evidence: Vec<String>,
    /// The log lines among the evidence, word for word.
    pub quotes: Vec<Quote>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Quote {
    pub evidence: String,
    pub at: Option<Time>,
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Hop {
    pub hop: u8,
    pub name: HopName,
    pub verdict: Verdict,
    pub at: Option<Time>,
    /// Pod, database or cluster.
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub evidence: Vec<String>,
    /// Why it is not plainly passed.
    pub why: Option<String>,
    /// What it consists of, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Evidence shows that it happened.
    Passed,
    /// Evidence shows that it went wrong.
    Failed,
    /// Evidence that would show it is there, and does not.
    Missing,
    /// The material cannot tell.
    Unknown,
    /// It could not happen, or does not exist for this request.
    #[serde(rename = "n/a")]
    NotApplicable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HopName {
    Received,
    Published,
    Delivered,
    Applied,
    Reported,
    StatusReceived,
    StatusHandled,
    Broadcast,
    Sent,
}

impl Hop {
    /// Its time is that of a Kubernetes object.
    pub fn is_rough(&self) -> bool {
        self.at.is_some_and(|at| at.micros() % 1_000_000 == 0) && self.evidence.iter().any(|found| is_object(found))
    }
}

impl HopName {
    pub const ALL: [Self; 9] = [
        Self::Received,
        Self::Published,
        Self::Delivered,
        Self::Applied,
        Self::Reported,
        Self::StatusReceived,
        Self::StatusHandled,
        Self::Broadcast,
        Self::Sent,
    ];

    /// From 1 to 9.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|hop| hop.number() == number)
    }

    /// What Maestro's people say when a request stops here.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Received => "Maestro server does not receive the spec request",
            Self::Published => "Maestro server does not publish the spec request",
            Self::Delivered => "Maestro agent does not receive the spec request",
            Self::Applied => "Maestro agent does not handle the spec request",
            Self::Reported => "Maestro agent does not publish the status update request",
            Self::StatusReceived => "Maestro server does not receive the status update request",
            Self::StatusHandled => "Maestro server does not handle the status update request",
            Self::Broadcast => "Maestro server does not broadcast the status update request",
            Self::Sent => "Maestro server does not publish the status update request",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Published => "published",
            Self::Delivered => "delivered",
            Self::Applied => "applied",
            Self::Reported => "reported",
            Self::StatusReceived => "status received",
            Self::StatusHandled => "status handled",
            Self::Broadcast => "broadcast",
            Self::Sent => "sent to client",
        }
    }
}

impl RequestKind {
    pub const ALL: [Self; 3] = [Self::Create, Self::Update, Self::Delete];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Outcome {
    /// What needs somebody comes first.
    pub const ALL: [Self; 6] =
        [Self::Stopped, Self::Refused, Self::Unknown, Self::InProgress, Self::Superseded, Self::Completed];

    /// As JSON has it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::InProgress => "in-progress",
            other => other.name(),
        }
    }

    /// It came through, is on its way or is not needed any more.
    pub const fn is_well(self) -> bool {
        matches!(self, Self::Completed | Self::InProgress | Self::Superseded)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Stopped => "stopped",
            Self::Refused => "refused",
            Self::Superseded => "superseded",
            Self::InProgress => "in progress",
            Self::Unknown => "unknown",
        }
    }
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Missing => "missing",
            Self::Unknown => "unknown",
            Self::NotApplicable => "n/a",
        }
    }
}
