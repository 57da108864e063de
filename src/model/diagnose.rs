//! The answer to "what is wrong, and is it one cause": `dacapo.diagnose/1`, documented in `docs/diagnose.md`.

use crate::schema::Time;
use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.diagnose/1";

/// The name of the JSON contract of `explain`.
pub const RULES_FORMAT: &str = "dacapo.rules/1";

/// What every rule says of a bundle.
#[derive(Debug, Serialize)]
pub struct Diagnosis {
    pub format: &'static str,
    /// The bundle, as it was named.
    pub bundle: String,
    /// The bundle's "now".
    pub collected_at: Option<Time>,
    /// How many works were looked at.
    pub works: usize,
    /// From which severity on a finding fails; none does without it.
    pub fail_on: Option<Severity>,
    /// What needs somebody first. What follows from a finding stands in its `cause_of` only.
    pub findings: Vec<Found>,
    /// Rules that looked and found nothing.
    pub clear: Vec<Clear>,
    /// Rules that could not look.
    pub unknown: Vec<Untold>,
}

/// How much a finding matters, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing: an incident that healed, a gap in the evidence.
    Info,
    /// Something is not as it should be.
    Warning,
    /// Works are stuck.
    Error,
}

/// What a rule found, as far as it has one reason.
#[derive(Debug, Serialize)]
pub struct Found {
    pub rule: String,
    /// That of the worst thing that follows from it.
    pub severity: Severity,
    pub title: String,
    /// What was found, in one sentence.
    pub text: String,
    /// When it was first so.
    pub since: Option<Time>,
    pub works: Vec<FoundWork>,
    pub consumers: Vec<String>,
    /// Pods, clusters and other places.
    pub places: Vec<String>,
    pub evidence: Vec<String>,
    /// What to look at.
    pub check: Vec<String>,
    /// Findings that follow from this one.
    pub cause_of: Vec<Found>,
    /// Each thing that was found.
    pub details: Vec<Detail>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundWork {
    pub resource_id: String,
    pub work_name: Option<String>,
    pub consumer: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Detail {
    pub work: Option<String>,
    pub consumer: Option<String>,
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub at: Option<Time>,
    pub text: String,
    pub evidence: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Clear {
    pub rule: String,
    /// How many things were looked at and are well.
    pub checked: usize,
    /// How many of them cannot be told.
    pub untold: usize,
}

#[derive(Debug, Serialize)]
pub struct Untold {
    pub rule: String,
    pub because: String,
}

/// Rules, explained.
#[derive(Debug, Serialize)]
pub struct Explanation {
    pub format: &'static str,
    pub rules: Vec<Explained>,
}

#[derive(Debug, Serialize)]
pub struct Explained {
    pub rule: String,
    pub title: String,
    pub severity: Severity,
    /// What a finding means.
    pub means: String,
    pub comes_about: String,
    /// What to look at.
    pub check: Vec<String>,
    /// Where to go next.
    pub next: Vec<String>,
    /// Tables without which it can tell nothing.
    pub needs: Vec<String>,
    /// Those of them that must be there whole.
    pub needs_whole: Vec<String>,
    /// Rules whose findings it can be the reason of.
    pub explains: Vec<String>,
    /// Rules that tell the same of a work, and better.
    pub follows: Vec<String>,
}

impl Severity {
    /// The worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

impl Diagnosis {
    /// The worst that was found.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// Something was found that is as bad as was asked about.
    pub fn fails(&self) -> bool {
        self.worst().is_some_and(|worst| self.counts(worst))
    }

    /// A finding of this severity is as bad as was asked about.
    pub fn counts(&self, severity: Severity) -> bool {
        self.fail_on.is_some_and(|least| severity >= least)
    }
}
