//! Judges each hop of a request.
//!
//! 1. Evidence of its own: passed, or failed if nothing good came after the last failure.
//! 2. Later evidence proves earlier hops; a line that is not there is then not in the material, never a failure.
//! 3. Silence: missing where the material would have shown it, else unknown, with the reason.

use super::coverage::pod_of;
use super::ownership::{Facts, is_rough};
use super::requests::{Asked, Fate};
use super::scene::Scene;
use crate::model::{Hop, HopName, RequestKind, Verdict};
use crate::query::trace::Fact;
use crate::schema::Time;

/// Pieces of evidence that are named for one hop; there may be thousands.
const SHOWN: usize = 4;

pub fn judge(scene: &Scene, asked: &Asked, facts: &Facts<'_>) -> Vec<Hop> {
    let own: Vec<Option<Hop>> = HopName::ALL.iter().map(|hop| on_its_own(scene, asked, facts, *hop)).collect();
    let mut hops: Vec<Hop> = Vec::new();
    for (hop, verdict) in HopName::ALL.into_iter().zip(&own) {
        // A hop that failed was reached, so it proves the earlier ones as well.
        let reached = |later: &&Hop| matches!(later.verdict, Verdict::Passed | Verdict::Failed);
        let later = own.iter().flatten().filter(|later| later.hop > hop.number()).find(reached);
        let judged = match (verdict, later) {
            (Some(own), _) => own.clone(),
            (None, Some(later)) if is_implied(scene, asked, facts, hop) => implied(hop, later),
            (None, Some(later)) if may_be_untold(asked, hop) => untold(hop, later),
            _ => silent(scene, asked, facts, hop, &hops),
        };
        hops.push(judged);
    }
    hops
}

/// Does a later hop prove this one? A status travels after a failed apply too. The failure has a line of its own in the
/// agent's log, if that is there, except for server-side apply: there hop 4 needs a sign that the agent got through, as it makes itself an owner of
/// what it applied. Of a deletion only its report tells.
fn is_implied(scene: &Scene, asked: &Asked, facts: &Facts<'_>, hop: HopName) -> bool {
    let owner_set = || facts.at_hop(4).any(|fact| fact.step == "owner set");
    let would_say = || !scene.may_fail_silently() && scene.agent_would_show(asked.at, 0).is_ok();
    let applied = || asked.kind != RequestKind::Delete && (would_say() || owner_set());
    asked.fate == Fate::Accepted && (hop != HopName::Applied || applied())
}

/// What the hop's own evidence says, if it says anything.
fn on_its_own(scene: &Scene, asked: &Asked, facts: &Facts<'_>, hop: HopName) -> Option<Hop> {
    match hop {
        HopName::Received => received(scene, asked, facts),
        HopName::Published => published(scene, facts),
        HopName::Broadcast => broadcast(scene, facts),
        _ => passed_or_failed(facts, hop),
    }
}

/// What was stored was received.
fn received(scene: &Scene, asked: &Asked, facts: &Facts<'_>) -> Option<Hop> {
    let hop = HopName::Received;
    let row = scene.identity.row.as_ref().map(|row| row.evidence.clone());
    let stored = || facts.at_hop(2).next().map(|fact| fact.evidence.clone()).or(row);
    match asked.fate {
        Fate::NeverReceived => None,
        Fate::Refused | Fate::Unstored => passed(hop, facts.with_sign(1, "passed").collect()),
        Fate::Accepted => passed(hop, facts.with_sign(1, "passed").collect()).or_else(|| {
            let why = Some("no received line in the material; it is stored".to_owned());
            let evidence = vec![stored()?];
            Some(Hop { verdict: Verdict::Passed, evidence, why, ..found(hop, &[]) })
        }),
    }
}

/// A row that is not reconciled outweighs a line that says "Sending"; without the row the line must do, if no
/// error follows it.
fn published(scene: &Scene, facts: &Facts<'_>) -> Option<Hop> {
    let hop = HopName::Published;
    let n = hop.number();
    if let Some(skipped) = facts.with_sign(n, "skipped").find(|fact| fact.step == "skipped") {
        return Some(Hop { verdict: Verdict::NotApplicable, why: skipped.about.clone(), ..found(hop, &[skipped]) });
    }
    if let Some(failure) = retired(facts) {
        let why =
            failure.about.as_ref().map(|about| format!("{about}; its event was retired without a further attempt"));
        let failed = Hop { verdict: Verdict::Failed, why, ..found(hop, &[failure]) };
        return scene.servers_would_show(failure.at).is_ok().then_some(failed);
    }
    if let Some(judged) = passed_or_failed(facts, hop) {
        return Some(judged);
    }
    let unreconciled = facts.at_hop(n).any(|fact| fact.step == "stored") && !is_reconciled_late(facts);
    let sending: Vec<&Fact> = facts.at_hop(n).filter(|fact| fact.step == "sending").collect();
    let why = if scene.has("events") { "its event row does not tell" } else { "reconciled_date cannot be checked" };
    passed(hop, sending)
        .filter(|_| !unreconciled)
        .map(|judged| Hop { why: Some(format!("sent without an error line; {why}")), ..judged })
}

/// The last failure of a delete whose event was reconciled without another attempt: nobody published it, a sweep put it
/// away. Replicas race for an event, so each pod is asked for its own last word.
fn retired<'a>(facts: &Facts<'a>) -> Option<&'a Fact> {
    let n = HopName::Published.number();
    let failed = |fact: &&Fact| fact.step == "publishing";
    let failure = facts.with_sign(n, "failed").rfind(failed).filter(|_| is_delete(facts))?;
    let reconciled = facts.with_sign(n, "passed").any(|fact| fact.at >= failure.at);
    let last_failure =
        |pod: &Option<String>| facts.with_sign(n, "failed").filter(failed).rfind(|fact| fact.place == *pod);
    let is_attempt = |fact: &Fact| fact.step == "picked up" || fact.step == "sending";
    let unanswered = |fact: &Fact| last_failure(&fact.place).is_none_or(|failure| fact.at > failure.at);
    let tried_again = facts.at_hop(n).any(|fact| is_attempt(fact) && unanswered(fact));
    let went_on = (n + 1..=9).any(|later| facts.with_sign(later, "passed").next().is_some());
    (reconciled && !tried_again && !went_on).then_some(failure)
}

fn is_delete(facts: &Facts<'_>) -> bool {
    facts.at_hop(HopName::Published.number()).any(|fact| fact.request.as_deref() == Some("delete"))
}

/// Its event was reconciled when the work was to be deleted already: it may have been skipped.
fn is_reconciled_late(facts: &Facts<'_>) -> bool {
    facts.at_hop(HopName::Published.number()).any(|fact| fact.step == "reconciled late")
}

/// Passed if some proof came after the last failure. The agent's report decides hop 4: a failure that was
/// reported stands until a better report of the same or a newer version.
fn passed_or_failed(facts: &Facts<'_>, hop: HopName) -> Option<Hop> {
    let n = hop.number();
    let proofs: Vec<&Fact> = facts.with_sign(n, "passed").collect();
    let failures: Vec<&Fact> = facts.with_sign(n, "failed").collect();
    // A reconcile that ended without an error after the failure leaves the question open.
    let retried = |failure: &Fact| {
        failure.step == "sync" && facts.at_hop(n).any(|fact| fact.step == "reconciled" && fact.at > failure.at)
    };
    let Some(failure) = failures.last().filter(|failure| !retried(failure)) else { return passed(hop, proofs) };
    let better = |fact: &Fact| fact.at >= failure.at;
    let healed =
        proofs.iter().any(|proof| better(proof)) || hop != HopName::Applied && later_success(facts, n, failure);
    if healed {
        // With no proof of its own after the failure, the later hop that succeeded is the proof.
        return passed(hop, proofs.into_iter().filter(|proof| better(proof)).collect());
    }
    let why = match failures.len() {
        1 => failure.about.clone(),
        count => failure.about.as_ref().map(|about| format!("{about} ({count} times)")),
    };
    Some(Hop { verdict: Verdict::Failed, why, ..found(hop, &failures) })
}

fn later_success(facts: &Facts<'_>, hop: u8, failure: &Fact) -> bool {
    (hop + 1..=9).any(|later| facts.with_sign(later, "passed").any(|fact| fact.at >= failure.at))
}

/// Passed when one status event was broadcast by every replica that was there.
fn broadcast(scene: &Scene, facts: &Facts<'_>) -> Option<Hop> {
    let hop = HopName::Broadcast;
    let shown: Vec<&Fact> = facts.with_sign(hop.number(), "passed").collect();
    // Builds before December 2025 do not say which event a line is about; all such lines are one.
    let mut event_ids: Vec<Option<&String>> = Vec::new();
    for fact in &shown {
        if !event_ids.contains(&fact.event_id.as_ref()) {
            event_ids.push(fact.event_id.as_ref());
        }
    }
    let mut last = None;
    for event_id in event_ids {
        let own: Vec<&Fact> = shown.iter().filter(|fact| fact.event_id.as_ref() == event_id).copied().collect();
        let absent = lacking_of(&own, scene.replicas_at(own.iter().filter_map(|fact| fact.at).min()));
        if absent.is_empty() {
            return passed(hop, own);
        }
        last = Some((event_id, own, absent));
    }
    let (event_id, own, absent) = last?;
    let at = own.iter().filter_map(|fact| fact.at).min();
    let row_is_there = event_id.is_some() && facts.at_hop(7).any(|fact| fact.event_id.as_ref() == event_id);
    let shown = row_is_there && scene.has("event_instances") || scene.servers_would_show(at).is_ok();
    let names = absent.join(", ");
    let (verdict, why) = if shown && absent.iter().all(|pod| scene.surely_alive(pod, at)) {
        (Verdict::Missing, format!("{names} did not broadcast it"))
    } else {
        (Verdict::Unknown, format!("nothing tells whether {names} broadcast it"))
    };
    Some(Hop { verdict, why: Some(why), ..found(hop, &own) })
}

/// The replicas that were there at that time and broadcast no status of this request.
pub fn not_broadcast_by(scene: &Scene, facts: &Facts<'_>, at: Time) -> Vec<String> {
    let shown: Vec<&Fact> = facts.with_sign(HopName::Broadcast.number(), "passed").collect();
    lacking_of(&shown, scene.replicas_at(Some(at)))
}

fn lacking_of(shown: &[&Fact], mut replicas: Vec<String>) -> Vec<String> {
    replicas.retain(|pod| !shown.iter().any(|fact| fact.place.as_deref().is_some_and(|place| pod_of(place) == pod)));
    replicas
}

fn implied(hop: HopName, later: &Hop) -> Hop {
    let name = HopName::ALL.get(usize::from(later.hop) - 1).map_or("a later hop", |name| name.label());
    Hop {
        hop: hop.number(),
        name: hop,
        verdict: Verdict::Passed,
        at: None,
        place: None,
        evidence: later.evidence.clone(),
        why: Some(format!("no line or row of its own in the material; shown by hop {} ({name})", later.hop)),
        steps: None,
    }
}

fn may_be_untold(asked: &Asked, hop: HopName) -> bool {
    hop == HopName::Applied && asked.fate == Fate::Accepted && asked.kind != RequestKind::Delete
}

/// The agent reported, and what it reported is not in the material.
fn untold(hop: HopName, later: &Hop) -> Hop {
    let why = format!("hop {} shows a status, but not what it says: an apply can fail without a line", later.hop);
    Hop { verdict: Verdict::Unknown, evidence: later.evidence.clone(), why: Some(why), ..found(hop, &[]) }
}

/// No evidence of its own and none later.
fn silent(scene: &Scene, asked: &Asked, facts: &Facts<'_>, hop: HopName, before: &[Hop]) -> Hop {
    if asked.fate == Fate::Refused && hop == HopName::Published {
        let why = refusal(scene, asked);
        return Hop { verdict: Verdict::Failed, evidence: asked.received.clone(), why: Some(why), ..found(hop, &[]) };
    }
    if asked.fate == Fate::Unstored {
        let why = "the database, which would tell whether it was stored or refused, is not there".to_owned();
        return Hop { verdict: Verdict::Unknown, why: Some(why), ..found(hop, &[]) };
    }
    if let Some(last) = before.last() {
        let blocked = last.verdict == Verdict::Missing || last.verdict == Verdict::Failed && hop != HopName::Reported;
        if blocked {
            return Hop { verdict: Verdict::Missing, why: Some("not reached".to_owned()), ..found(hop, &[]) };
        }
    }
    let since = before.iter().filter_map(|hop| hop.at).max().or(asked.at);
    match would_show(scene, asked, facts, hop, since) {
        Ok(shown_by) => Hop { verdict: Verdict::Missing, why: Some(shown_by), ..found(hop, &[]) },
        Err(gap) => Hop { verdict: Verdict::Unknown, why: Some(gap), ..found(hop, &[]) },
    }
}

/// What in the material would have shown the hop, or why nothing would.
fn would_show(
    scene: &Scene,
    asked: &Asked,
    facts: &Facts<'_>,
    hop: HopName,
    since: Option<Time>,
) -> Result<String, String> {
    let nothing = |whose: &str| format!("{whose} covers the time and has nothing of it");
    let agent = |verbosity| scene.agent_would_show(since, verbosity).map(|()| nothing("the agent's log"));
    let servers = || scene.servers_would_show(since).map(|()| nothing("every replica's log"));
    match hop {
        HopName::Received => servers(),
        HopName::Published if is_reconciled_late(facts) => {
            Err("its event was put away after a delete was asked for, and no line tells whether it was sent".to_owned())
        }
        HopName::Published if retired(facts).is_some() => servers(),
        HopName::Published => match facts.at_hop(2).find(|fact| fact.step == "stored") {
            Some(_) => Ok("its event row is not reconciled".to_owned()),
            None if scene.has("events") && asked.event_id.is_none() => {
                Err("its event row is purged, and no line tells of it".to_owned())
            }
            None => servers(),
        },
        HopName::Delivered => match scene.agent_down().filter(|(_, down)| Some(*down) <= since) {
            Some((_, down)) => Ok(format!("the agent had shut down at {}", down.clock())),
            None => agent(2).or_else(|gap| no_applied_work(scene, asked).ok_or(gap)),
        },
        // A success leaves no line with an id, only objects and a status.
        HopName::Applied if !(scene.looked_into_its_cluster() && scene.has("kube_objects")) => {
            Err("the objects of its cluster, which would show it, are not there".to_owned())
        }
        HopName::Applied if scene.identity.server_side.is_none() => {
            Err("its manifests are not known, so their objects cannot be looked for".to_owned())
        }
        HopName::Applied | HopName::Reported => agent(2),
        HopName::StatusReceived => servers(),
        HopName::StatusHandled => servers().or_else(|gap| no_status(scene, asked).ok_or(gap)),
        HopName::Broadcast | HopName::Sent => servers(),
    }
}

/// The object and the row that delivery of a new work leaves are both absent from tables that were collected.
fn no_applied_work(scene: &Scene, asked: &Asked) -> Option<String> {
    let new = asked.kind == RequestKind::Create
        && scene.identity.row.as_ref().is_some_and(|row| row.has_status_column && row.status_version.is_none());
    (new && scene.looked_into_its_cluster())
        .then(|| "its cluster has no AppliedManifestWork of it, and the database no status".to_owned())
}

fn no_status(scene: &Scene, asked: &Asked) -> Option<String> {
    let row = scene.identity.row.as_ref().filter(|row| row.has_status_column)?;
    let behind = row.status_version.is_none_or(|version| version < asked.version);
    behind.then(|| match row.status_version {
        None => "the database has no status".to_owned(),
        Some(version) => format!("the database has the status of version {version}"),
    })
}

pub fn refusal(scene: &Scene, asked: &Asked) -> String {
    let stored = scene.identity.row.as_ref().and_then(|row| row.version);
    let consumer = scene.identity.consumer.as_deref().unwrap_or_default();
    let known = scene.consumers.iter().any(|known| known.name == consumer);
    match (asked.kind, stored) {
        (RequestKind::Create, None) if scene.has("consumers") && !known => {
            format!("the consumer {consumer} is not in the consumers table; the database refuses such a row")
        }
        (RequestKind::Create, Some(_)) => "a work of this name is stored already, from another request".to_owned(),
        (RequestKind::Update, Some(stored)) => {
            format!("it named version {} and did not become the stored spec; version {stored} is stored", asked.version)
        }
        _ => "it left no row in the database".to_owned(),
    }
}

fn passed(hop: HopName, proofs: Vec<&Fact>) -> Option<Hop> {
    (!proofs.is_empty()).then(|| Hop { verdict: Verdict::Passed, ..found(hop, &proofs) })
}

/// A hop with its first evidence in front, because that is when it happened.
fn found(hop: HopName, facts: &[&Fact]) -> Hop {
    let mut facts = facts.to_vec();
    facts.sort_by_key(|fact| (fact.at.is_none(), fact.at));
    // A line is written when it happens; a row's time may be that of another clock, an object's is rounded.
    let exact = facts.iter().min_by_key(|fact| (!fact.evidence.starts_with("log_lines:"), is_rough(fact)));
    Hop {
        hop: hop.number(),
        name: hop,
        verdict: Verdict::Unknown,
        at: exact.and_then(|fact| fact.at),
        place: exact.and_then(|fact| fact.place.as_deref()).map(|place| pod_of(place).to_owned()),
        evidence: facts.iter().map(|fact| fact.evidence.clone()).take(SHOWN).collect(),
        why: None,
        steps: None,
    }
}
