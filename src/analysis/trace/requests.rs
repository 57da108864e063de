//! Tells the requests of a work apart: create, update and delete, by version, in several lives.
//!
//! Every accepted request has a row in `events`, or had one: the lines that publish it name the row, so that it
//! is known after the purge too. The row of the resource tells the rest. A received line without such a row
//! was refused.

use super::ownership::is_rough;
use super::scene::Scene;
use super::skew::SKEW;
use crate::model::RequestKind;
use crate::query::trace::Fact;
use crate::schema::Time;
use std::cmp::Reverse;

/// A client's clock may be further off.
const CLIENT_SKEW: i64 = 5_000_000;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub kind: RequestKind,
    pub version: i64,
    pub life: i64,
    /// When it was received, or stored.
    pub at: Option<Time>,
    pub op_id: Option<String>,
    /// Its row in `events`.
    pub event_id: Option<String>,
    /// Evidence of its receipt, or of the attempt to send it.
    pub received: Vec<String>,
    pub fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was stored.
    Accepted,
    /// A server received it and did not store it.
    Refused,
    /// A server received it, and nothing tells whether it was stored.
    Unstored,
    /// A client sent it and no server has a line of it.
    NeverReceived,
}

impl Asked {
    pub fn describe(&self) -> String {
        format!("{} v{} (life {})", self.kind.name(), self.version, self.life)
    }

    /// It took over from the other before that one could finish.
    pub fn supersedes(&self, other: &Self) -> bool {
        self.fate == Fate::Accepted && self.life == other.life && self.order() > other.order()
    }

    fn order(&self) -> (i64, bool) {
        (self.version, self.kind == RequestKind::Delete)
    }
}

/// All requests, newest first.
pub fn tell_apart(scene: &Scene) -> Vec<Asked> {
    let mut changes = changes(scene);
    add_from_row(scene, &mut changes);
    add_from_ends(scene, &mut changes);
    changes.sort_by_key(|change| (change.at, change.kind));
    number(scene, &mut changes);
    let mut requests: Vec<Asked> = changes.into_iter().map(Change::asked).collect();
    add_received(scene, &mut requests);
    add_never_received(scene, &mut requests);
    requests.sort_by_key(|asked| Reverse((asked.life, asked.at, asked.kind)));
    requests
}

/// A stored spec change.
#[derive(Debug)]
struct Change {
    kind: RequestKind,
    at: Option<Time>,
    version: Option<i64>,
    life: i64,
    event_id: Option<String>,
    op_id: Option<String>,
}

impl Change {
    fn new(kind: RequestKind, at: Option<Time>, version: Option<i64>) -> Self {
        Self { kind, at, version, life: 1, event_id: None, op_id: None }
    }

    fn asked(self) -> Asked {
        Asked {
            kind: self.kind,
            version: self.version.unwrap_or(1),
            life: self.life,
            at: self.at,
            // A delete is published with the operation id of the spec before it.
            op_id: self.op_id.filter(|_| self.kind != RequestKind::Delete),
            event_id: self.event_id,
            received: Vec::new(),
            fate: Fate::Accepted,
        }
    }
}

/// One for each row of `events` that is there or that lines name.
fn changes(scene: &Scene) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for fact in scene.facts.iter().filter(|fact| fact.hop == 2) {
        let (Some(event_id), Some(kind)) = (&fact.event_id, kind(fact)) else { continue };
        let known = changes.iter_mut().find(|change| change.event_id.as_ref() == Some(event_id));
        let change = match known {
            Some(change) => change,
            None => {
                changes.push(Change { event_id: Some(event_id.clone()), ..Change::new(kind, fact.at, None) });
                let Some(change) = changes.last_mut() else { continue };
                change
            }
        };
        change.at = change.at.into_iter().chain(fact.at).min();
        change.version = change.version.or(fact.version);
        change.op_id = change.op_id.take().or_else(|| fact.op_id.clone());
    }
    changes
}

fn kind(fact: &Fact) -> Option<RequestKind> {
    fact.request.as_deref().and_then(RequestKind::parse)
}

/// Events are purged; the resource's row still tells its creation, its last version and a pending delete.
fn add_from_row(scene: &Scene, changes: &mut Vec<Change>) {
    let Some(row) = &scene.identity.row else { return };
    let later = |change: &Change, at: Option<Time>, skew: i64| change.at >= at.map(|at| at.plus_micros(-skew));
    let has = |changes: &[Change], kind, at, skew| {
        changes.iter().any(|change: &Change| change.kind == kind && later(change, at, skew))
    };
    if !has(changes, RequestKind::Create, row.created_at, SKEW) {
        changes.push(Change::new(RequestKind::Create, row.created_at, Some(1)));
    }
    let reached = changes.iter().any(|change| change.version.is_some() && change.version >= row.version);
    if row.version > Some(1) && !reached && !has(changes, RequestKind::Update, row.spec_at, CLIENT_SKEW) {
        let op_id = row.op_id.clone();
        changes.push(Change { op_id, ..Change::new(RequestKind::Update, row.spec_at, row.version) });
    }
    if row.deleted_at.is_some() && !has(changes, RequestKind::Delete, row.deleted_at, SKEW) {
        changes.push(Change::new(RequestKind::Delete, row.deleted_at, row.version));
    }
}

/// A work that only its end, its agent or its cluster still tells of.
fn add_from_ends(scene: &Scene, changes: &mut Vec<Change>) {
    let deleted = scene.facts.iter().filter(|fact| fact.hop > 2 && fact.request.as_deref() == Some("delete"));
    // An object that goes away by somebody else's hand is not a request.
    let deleted = deleted.filter(|fact| !fact.evidence.starts_with("kube_objects:")).filter_map(|fact| fact.at).min();
    if deleted.is_some() && !changes.iter().any(|change| change.kind == RequestKind::Delete) {
        changes.push(Change::new(RequestKind::Delete, deleted, None));
    }
    let known = || scene.facts.iter().filter(|fact| fact.hop > 2 && fact.request.is_none());
    let exact = known().filter(|fact| !is_rough(fact)).filter_map(|fact| fact.at).min();
    let first = exact.or(known().filter_map(|fact| fact.at).min());
    if first.is_some() && !changes.iter().any(|change| change.kind != RequestKind::Delete) {
        changes.push(Change::new(RequestKind::Create, first, Some(1)));
    }
}

/// A create begins a life at version 1, an update adds one, a delete adds none.
fn number(scene: &Scene, changes: &mut [Change]) {
    let (mut life, mut version) = (0, 0);
    let purged_creates = changes.first().is_some_and(|change| change.kind != RequestKind::Create);
    if purged_creates {
        life = 1;
        version = changes.iter().find_map(|change| change.version).unwrap_or(1);
    }
    for change in changes.iter_mut() {
        match change.kind {
            RequestKind::Create => (life, version) = (life + 1, 1),
            RequestKind::Update => version = change.version.unwrap_or(version.saturating_add(1)),
            RequestKind::Delete => version = change.version.unwrap_or(version),
        }
        (change.life, change.version) = (life, Some(version));
    }
    // Counting from purged beginnings may fall short of what the row says now.
    let last = changes.iter_mut().rev().find(|change| change.kind != RequestKind::Delete);
    if let (Some(last), Some(row)) = (last, &scene.identity.row) {
        last.version = last.version.max(row.version);
    }
}

/// Joins received lines to the requests they began; those that began none were refused.
fn add_received(scene: &Scene, requests: &mut Vec<Asked>) {
    let mut received: Vec<&Fact> = scene.facts.iter().filter(|fact| fact.hop == 1 && fact.sign == "passed").collect();
    received.sort_by_key(|fact| Reverse(fact.at));
    requests.sort_by_key(|asked| Reverse(asked.at));
    let last_life = requests.iter().map(|asked| asked.life).max().unwrap_or(1);
    for asked in requests.iter_mut() {
        // The latest line before the change is the one that made it: refused ones came earlier.
        let limit = asked.at.map(|at| at.plus_micros(SKEW));
        let fits =
            |fact: &&&Fact| kind(fact) == Some(asked.kind) && fact.at <= limit && is_of(scene, fact, asked, last_life);
        // The operation id tells them apart where both have one.
        let same_operation = |fact: &&&Fact| fact.op_id.is_some() && fact.op_id == asked.op_id;
        let own = received.iter().filter(fits).find(same_operation).or_else(|| received.iter().find(fits));
        if let Some(fact) = own.copied() {
            asked.received.push(fact.evidence.clone());
            asked.op_id = fact.op_id.clone().or_else(|| asked.op_id.take());
            asked.at = fact.at.or(asked.at);
            received.retain(|other| other.evidence != fact.evidence);
        }
    }
    for fact in received {
        let Some(kind) = kind(fact) else { continue };
        if let Some(asked) = requests.iter_mut().find(|asked| is_copy(scene, fact, asked)) {
            asked.received.push(fact.evidence.clone());
            continue;
        }
        let repeated = kind == RequestKind::Delete && requests.iter().any(|asked| asked.kind == kind);
        if !repeated {
            let fate = if scene.has("resources") { Fate::Refused } else { Fate::Unstored };
            requests.push(stray(fact, kind, requests, fate));
        }
    }
}

/// The same line from another file: a pod's log and an export of it.
fn is_copy(scene: &Scene, fact: &Fact, asked: &Asked) -> bool {
    let same = |other: &&Fact| {
        other.cloud_event_id.is_some()
            && other.cloud_event_id == fact.cloud_event_id
            && other.op_id == fact.op_id
            && other.request == fact.request
    };
    let own = scene.facts.iter().filter(|other| other.hop == 1 && asked.received.contains(&other.evidence));
    asked.received.first() != Some(&fact.evidence) && own.filter(same).any(|other| other.evidence != fact.evidence)
}

/// The row names the CloudEvent of its last accepted spec, so another CloudEvent was not that spec.
fn is_of(scene: &Scene, fact: &Fact, asked: &Asked, last_life: i64) -> bool {
    let Some(row) = scene.identity.row.as_ref().filter(|_| asked.life == last_life) else { return true };
    let (Some(accepted), Some(found)) = (&row.spec_event_id, &fact.cloud_event_id) else { return true };
    kind(fact) == Some(RequestKind::Delete) || (accepted == found) == (row.version == Some(asked.version))
}

/// A client's own log can tell of a request that no server has seen.
fn add_never_received(scene: &Scene, requests: &mut Vec<Asked>) {
    for fact in scene.facts.iter().filter(|fact| fact.hop == 1 && fact.sign != "passed") {
        let Some(kind) = kind(fact) else { continue };
        let near =
            |asked: &Asked| asked.at.zip(fact.at).is_some_and(|(one, other)| one.since(other).abs() < 10_000_000);
        let same = |asked: &Asked| {
            asked.kind == kind
                && if fact.op_id.is_some() && asked.op_id.is_some() { asked.op_id == fact.op_id } else { near(asked) }
        };
        if !requests.iter().any(same) {
            requests.push(stray(fact, kind, requests, Fate::NeverReceived));
        }
    }
}

/// Its version is the one it named, 0 for a create; its life the one it fell into.
fn stray(fact: &Fact, kind: RequestKind, requests: &[Asked], fate: Fate) -> Asked {
    let life = requests.iter().filter(|asked| asked.at <= fact.at).map(|asked| asked.life).max().unwrap_or(1);
    Asked {
        kind,
        version: if kind == RequestKind::Create { 0 } else { fact.version.unwrap_or(0) },
        life,
        at: fact.at,
        op_id: fact.op_id.clone(),
        event_id: None,
        received: vec![fact.evidence.clone()],
        fate,
    }
}
