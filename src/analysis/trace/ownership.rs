//! Which fact belongs to which request.

use super::requests::{Asked, Fate};
use super::scene::Scene;
use super::skew::SKEW;
use crate::model::{RequestKind, is_object};
use crate::query::trace::Fact;
use crate::schema::Time;

/// Kubernetes gives times in whole seconds, rounded down.
const WHOLE_SECOND: i64 = 1_000_000;

/// The facts of one request.
pub struct Facts<'a> {
    facts: Vec<&'a Fact>,
}

impl<'a> Facts<'a> {
    pub fn at_hop(&self, hop: u8) -> impl DoubleEndedIterator<Item = &'a Fact> {
        self.facts.iter().copied().filter(move |fact| fact.hop == i64::from(hop))
    }

    pub fn with_sign(&self, hop: u8, sign: &'static str) -> impl DoubleEndedIterator<Item = &'a Fact> {
        self.at_hop(hop).filter(move |fact| fact.sign == sign)
    }
}

pub fn facts_of<'a>(scene: &'a Scene, all: &[Asked], asked: &Asked) -> Facts<'a> {
    if asked.fate != Fate::Accepted {
        let own = scene.facts.iter().filter(|fact| fact.hop == 1 && asked.received.contains(&fact.evidence));
        return Facts { facts: own.collect() };
    }
    let life = life_of(all, asked.life);
    let in_life: Vec<&Fact> = scene.facts.iter().filter(|fact| is_within(fact, life)).collect();
    let delivered = delivered_at(&in_life, asked);
    let next = all.iter().filter(|other| other.supersedes(asked));
    let next_delivered = next.filter_map(|other| delivered_at(&in_life, other)).min();
    let belongs = |fact: &&Fact| match fact.hop {
        1 => asked.received.contains(&fact.evidence),
        2 => fact.event_id.is_some() && fact.event_id == asked.event_id,
        _ => is_about(fact, asked, delivered, next_delivered),
    };
    let mut facts: Vec<&Fact> = in_life.into_iter().filter(belongs).collect();
    prefer_own_version(&mut facts, asked.version);
    Facts { facts }
}

/// A hop's time is that of the version asked for. Newer versions stand in only where it left nothing itself.
fn prefer_own_version(facts: &mut Vec<&Fact>, version: i64) {
    let has_own: Vec<i64> = facts
        .iter()
        .filter(|fact| fact.sign == "passed" && fact.version == Some(version))
        .map(|fact| fact.hop)
        .collect();
    facts.retain(|fact| fact.version.is_none_or(|found| found == version) || !has_own.contains(&fact.hop));
}

/// From the create of a life to the create of the next.
type Life = (Option<Time>, Option<Time>);

fn life_of(all: &[Asked], life: i64) -> Life {
    let start = |life: i64| all.iter().filter(|asked| asked.life == life).filter_map(|asked| asked.at).min();
    (if life > 1 { start(life) } else { None }, start(life + 1))
}

fn is_within(fact: &Fact, (from, to): Life) -> bool {
    let Some(at) = fact.at else { return to.is_none() };
    let rough = if is_rough(fact) { WHOLE_SECOND } else { SKEW };
    let surely_before = |to: Time| if is_rough(fact) { at.plus_micros(rough) < to } else { at < to };
    from.is_none_or(|from| at.plus_micros(rough) >= from) && to.is_none_or(surely_before)
}

/// Its time comes from a Kubernetes object.
pub fn is_rough(fact: &Fact) -> bool {
    is_object(&fact.evidence)
}

fn is_about(fact: &Fact, asked: &Asked, delivered: Option<Time>, next_delivered: Option<Time>) -> bool {
    let of_delete = fact.request.as_deref() == Some("delete");
    let failed = fact.sign == "failed";
    let after =
        |start: Option<Time>| start.is_some_and(|start| fact.at.is_some_and(|at| at.plus_micros(SKEW) >= start));
    if asked.kind == RequestKind::Delete {
        // Any status that was sent after the delete arrived speaks about it, whatever it says.
        return of_delete || (fact.hop > 4 || failed) && after(delivered);
    }
    if of_delete {
        return false;
    }
    match fact.version {
        // A newer version that arrived proves that the way is open; one that failed says nothing about this one.
        Some(version) if failed => version == asked.version,
        Some(version) => version >= asked.version,
        // Lines without a version belong to the spec the agent had at that time. A failure shows by itself that it
        // had one.
        None => {
            let start = if failed { delivered.or(asked.at) } else { delivered };
            after(start) && next_delivered.is_none_or(|next| fact.at.is_none_or(|at| at < next))
        }
    }
}

/// When the agent had the request. The applied work is made later, and its time is rounded down.
fn delivered_at(in_life: &[&Fact], asked: &Asked) -> Option<Time> {
    let own = in_life.iter().filter(|fact| match asked.kind {
        RequestKind::Delete => fact.request.as_deref() == Some("delete"),
        RequestKind::Create | RequestKind::Update => {
            fact.request.is_none() && fact.version.is_some_and(|version| version >= asked.version)
        }
    });
    let shown = own.filter(|fact| (3..=9).contains(&fact.hop) && !fact.evidence.starts_with("applied_manifest_works:"));
    shown.filter_map(|fact| fact.at).min()
}
