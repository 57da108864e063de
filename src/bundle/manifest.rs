//! `manifest.json`: what the bundle holds, and the sums that everything else is checked against.

use super::error::Damage;
use crate::schema::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The newest format this version writes and reads. A newer minor change adds members, columns or manifest
/// fields and keeps this number.
pub const FORMAT_MAJOR: u32 = 1;
const FORMAT_NAME: &str = "dacapo.bundle/";

/// The tables' member that leads from a key to its rows.
pub const INDEX: &str = "index/keys.parquet";
pub const MANIFEST: &str = "manifest.json";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    /// Program and version that wrote it.
    pub tool: String,
    /// The bundle's "now": every age and wait is counted from here.
    pub collected_at: Option<Time>,
    /// Where `collected_at` comes from: `evidence` (the latest time found), `user` or `clock`.
    pub collected_at_from: String,
    /// From the earliest to the latest time in the evidence.
    pub window: Window,
    /// Secrets were taken out. False says that they may be in it.
    #[serde(default)]
    pub redacted: bool,
    /// What pseudonyms stand for: `ids`, `names`, `hosts`, `ips`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pseudonyms: Vec<String>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    #[serde(default)]
    pub notes: Vec<String>,
    pub sources: Vec<Source>,
    pub members: Vec<Member>,
    /// What a newer version says besides.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    pub from: Option<Time>,
    pub to: Option<Time>,
}

impl Window {
    pub fn widen(&mut self, at: Time) {
        self.from = Some(self.from.map_or(at, |from| from.min(at)));
        self.to = Some(self.to.map_or(at, |to| to.max(at)));
    }

    pub fn join(&mut self, other: Self) {
        for at in [other.from, other.to].into_iter().flatten() {
            self.widen(at);
        }
    }
}

/// One place that evidence came from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    pub name: String,
    /// `files`.
    pub kind: String,
    /// `ok` or `partial`.
    pub outcome: String,
    pub taken: u64,
    pub left_out: u64,
    pub bytes: u64,
}

/// One member of the archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Member {
    pub name: String,
    pub rows: u64,
    pub bytes: u64,
    pub sha256: String,
    /// Every block of this many bytes has a sum of its own, the last may be shorter.
    pub block_bytes: u64,
    pub blocks: Vec<String>,
    /// Earliest and latest value of the table's first time column.
    pub window: Window,
}

impl Member {
    /// `tables/events.parquet` is the table `events`.
    pub fn table(&self) -> Option<&str> {
        self.name.strip_prefix("tables/")?.strip_suffix(".parquet")
    }
}

impl Manifest {
    pub fn format_of_today() -> String {
        format!("{FORMAT_NAME}{FORMAT_MAJOR}")
    }

    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The member that holds a table.
    pub fn table(&self, table: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.table() == Some(table))
    }

    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        // The format decides whether the rest can be understood, so it is looked at alone and first.
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let damaged = |error: serde_json::Error| Damage::Manifest(error.to_string());
        let head: Head = serde_json::from_slice(bytes).map_err(damaged)?;
        let major = head.format.strip_prefix(FORMAT_NAME).and_then(|major| major.parse::<u32>().ok());
        match major {
            None => Err(Damage::NotABundle(format!("its format is {:?}", head.format))),
            Some(major) if major > FORMAT_MAJOR => Err(Damage::NewerFormat { found: head.format, known: FORMAT_MAJOR }),
            Some(_) => serde_json::from_slice(bytes).map_err(damaged),
        }
    }
}
