//! The answer to "what is this identifier, and which ids follow from names": `dacapo.resolve/1`, documented in
//! `docs/resolve.md`.

use super::{Candidate, Meaning};
use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.resolve/1";

#[derive(Debug, Serialize)]
pub struct Resolution {
    pub format: &'static str,
    /// The bundle, as it was named.
    pub bundle: Option<String>,
    /// The identifier that was looked up.
    pub identifier: Option<Identified>,
    pub resource_ids: Vec<ComputedId>,
    pub applied_works: Vec<ComputedAppliedWork>,
    pub kinds: Vec<NamedKind>,
    /// What the reader should know besides.
    pub notes: Vec<String>,
}

/// What an identifier was taken for, and the works that it names.
#[derive(Debug, Serialize)]
pub struct Identified {
    pub query: String,
    pub taken_for: Option<String>,
    /// Everything that it can be; the first is what it was taken for.
    pub meanings: Vec<Meaning>,
    /// It is but a part of what these works are called.
    pub is_part: bool,
    /// The works in the order of their names; the first of many.
    pub works: Vec<Candidate>,
    /// Why there are none.
    pub absent: Option<Absent>,
}

/// Nothing is called so.
#[derive(Debug, Serialize)]
pub struct Absent {
    pub sentence: String,
    pub because: Vec<String>,
    pub near: Vec<String>,
}

/// A resource id that was computed.
#[derive(Debug, Serialize)]
pub struct ComputedId {
    pub resource_id: String,
    pub source: String,
    pub consumer: String,
    pub work_name: String,
    /// The text whose UUIDv5 it is.
    pub hashed: String,
    /// Whether the bundle knows it, if there is one.
    pub in_bundle: Option<bool>,
    pub evidence: Vec<String>,
}

/// The name of an AppliedManifestWork that was computed, or the beginning of all names.
#[derive(Debug, Serialize)]
pub struct ComputedAppliedWork {
    pub name: Option<String>,
    pub hub_hash: String,
    pub broker: String,
    /// What the agent calls the work: its resource id or, before 2026-01-14, its name.
    pub work: Option<String>,
    pub before_2026: bool,
    pub in_bundle: Option<bool>,
    pub evidence: Vec<String>,
}

/// A kind by a label that names it.
#[derive(Debug, Serialize)]
pub struct NamedKind {
    pub label: String,
    pub kind: String,
    pub plural: String,
    /// Empty in the core group; none where it is not known.
    pub group: Option<String>,
    pub version: Option<String>,
    pub short_names: Vec<String>,
    pub known_from: KnownFrom,
    /// `spec` or `status`, where the label is the type of a CloudEvent.
    pub sub_resource: Option<String>,
    /// `create_request` and so on.
    pub action: Option<String>,
    /// Whether a manifest or object of the bundle is of this kind, if there is a bundle.
    pub in_bundle: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownFrom {
    /// Every cluster has it, or Open Cluster Management or HyperShift bring it.
    BuiltIn,
    /// A CustomResourceDefinition of the bundle.
    Bundle,
    /// The rules of English.
    Guess,
}

impl Resolution {
    /// Everything that was asked for is there: the identifier, an id for each name, a work for some broker, each kind.
    pub fn is_found(&self) -> bool {
        let identified = self.identifier.as_ref().is_none_or(|found| found.absent.is_none() && !found.is_part);
        let is_there = |id: &ComputedId| id.in_bundle != Some(false);
        let named = |name: &str| self.resource_ids.iter().any(|id| id.work_name == name && is_there(id));
        let applied = self.applied_works.iter().any(|work| work.in_bundle != Some(false));
        identified
            && self.resource_ids.iter().all(|id| named(&id.work_name))
            && (self.applied_works.is_empty() || applied)
            && self.kinds.iter().all(|kind| kind.known_from != KnownFrom::Guess && kind.in_bundle != Some(false))
    }
}
