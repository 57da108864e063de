//! What is worth a word about a request that went through, or about its work: incidents that healed, and oddities that
//! stop nothing.

use super::ownership::Facts;
use super::requests::{Asked, Fate};
use super::scene::Scene;
use crate::model::{Hop, HopName, Note, RequestKind, Verdict};
use crate::query::trace::{AppliedList, Fact};
use crate::schema::Time;

/// Notes about one request.
pub fn of_request(scene: &Scene, facts: &Facts<'_>, hops: &[Hop]) -> Vec<Note> {
    let passed = |name: HopName| hops.iter().any(|hop| hop.name == name && hop.verdict == Verdict::Passed);
    let healed = HopName::ALL.into_iter().filter(|hop| passed(*hop)).filter_map(|hop| healed(facts, hop));
    let resynced = passed(HopName::Delivered).then(|| by_resync(scene, facts, hops)).flatten();
    healed.chain(resynced).chain(disregarded(facts)).collect()
}

/// It failed, more than once perhaps, and then it went through.
fn healed(facts: &Facts<'_>, hop: HopName) -> Option<Note> {
    let all: Vec<&Fact> = facts.with_sign(hop.number(), "failed").collect();
    // A failed publish is written down twice: by what publishes, and by what called it.
    let step = all.iter().find(|fact| fact.step == "publishing").or(all.first())?.step.as_str();
    let failures: Vec<&Fact> = all.iter().copied().filter(|fact| fact.step == step).collect();
    let (first, last) = (failures.first()?, failures.last()?);
    let words = last.about.as_deref().unwrap_or("no reason is given");
    let what = match hop {
        HopName::Published => "publishing",
        HopName::Applied => "applying",
        HopName::Reported => "sending the status",
        HopName::StatusHandled => "handling the status",
        _ => hop.label(),
    };
    let when = match failures.len() {
        1 => format!("failed at {}", Time::clock_or_unknown(first.at)),
        count => format!(
            "failed {count} times from {} to {}",
            Time::clock_or_unknown(first.at),
            Time::clock_or_unknown(last.at)
        ),
    };
    let text = format!("an incident that healed: {what} {when} ({words}), then it went through");
    Some(note(text, [*first, *last]))
}

/// The agent asked for it, for it was not there when it was published.
fn by_resync(scene: &Scene, facts: &Facts<'_>, hops: &[Hop]) -> Option<Note> {
    let received = facts.with_sign(HopName::Delivered.number(), "passed").filter(|fact| fact.step == "received");
    let first = received.min_by_key(|fact| fact.at)?;
    let published = hops.iter().find(|hop| hop.name == HopName::Published)?.at?;
    let later = first.at?.since(published);
    // A log that begins later may lack the line of the delivery itself.
    let shown = later >= 0 && scene.agent_would_show(Some(published), 2).is_ok();
    let text = format!(
        "an incident that healed: it reached the agent by resync at {}, {} s after it was published; the agent was not \
         connected before",
        Time::clock_or_unknown(first.at),
        later / 1_000_000
    );
    (shown && first.about.as_deref() == Some("spec.resync_response")).then(|| note(text, [first]))
}

/// A status came that was about an older version than the one stored by then.
fn disregarded(facts: &Facts<'_>) -> Option<Note> {
    let stale = facts.at_hop(HopName::StatusHandled.number()).filter(|fact| fact.step == "stale");
    let fact = stale.rev().find(|fact| fact.about.is_some())?;
    Some(note(fact.about.clone()?, [fact]))
}

/// Notes about the work as a whole.
pub fn of_work(scene: &Scene, requests: &[Asked], applied: &[AppliedList]) -> Vec<Note> {
    let skewed = scene.clocks.iter().map(|clock| Note { text: clock.describe(), evidence: Vec::new() });
    let skewed = skewed.chain(unsent(scene));
    skewed.chain(forgotten(scene, requests, applied)).chain(two_hubs(applied)).collect()
}

/// A client could not send, and its log does not tell what it wanted.
fn unsent(scene: &Scene) -> Option<Note> {
    let fact = scene.facts.iter().find(|fact| fact.hop == 1 && fact.sign == "failed" && fact.request.is_none())?;
    let words = fact.about.as_deref().unwrap_or("no reason is given");
    let text = format!("a client could not send a request at {}: {words}", Time::clock_or_unknown(fact.at));
    Some(note(text, [fact]))
}

/// The agent still has what the database does not know any more.
fn forgotten(scene: &Scene, requests: &[Asked], applied: &[AppliedList]) -> Option<Note> {
    let deleted = requests.iter().any(|asked| asked.kind == RequestKind::Delete && asked.fate == Fate::Accepted);
    let work = applied.first().filter(|_| scene.has("resources") && scene.identity.row.is_none() && !deleted)?;
    let end = match applied.iter().find_map(|work| work.eviction_started_at) {
        Some(at) => {
            format!("; the agent does not know it either since {} and evicts it after a grace period", at.clock())
        }
        None => String::new(),
    };
    let text = format!(
        "an AppliedManifestWork is there for an id that the database does not know, and nothing in the material asks for its \
         deletion{end}"
    );
    Some(Note { text, evidence: vec![work.evidence.clone()] })
}

/// The agent knows its own works by the address of its broker.
fn two_hubs(applied: &[AppliedList]) -> Option<Note> {
    let (first, last) = (applied.first()?, applied.last()?);
    let text = format!(
        "{} AppliedManifestWorks for one work: the agent was given another broker address (hub hash); it ignores those \
         of the old one, and they stay",
        applied.len()
    );
    let evidence = applied.iter().map(|work| work.evidence.clone()).collect();
    (first.hub_hash != last.hub_hash).then_some(Note { text, evidence })
}

fn note<'a>(text: String, facts: impl IntoIterator<Item = &'a Fact>) -> Note {
    let mut evidence: Vec<String> = facts.into_iter().map(|fact| fact.evidence.clone()).collect();
    evidence.dedup();
    Note { text, evidence }
}
