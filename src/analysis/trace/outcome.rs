//! From nine verdicts to one outcome.

use super::ownership::Facts;
use super::requests::{Asked, Fate};
use super::scene::Scene;
use crate::model::{Hop, HopName, Outcome, Verdict};
use crate::schema::Time;

/// A wait up to this long is ordinary, whatever the neighbours took.
pub const ORDINARY_WAIT: i64 = 2_000_000;

pub struct End {
    pub outcome: Outcome,
    pub stops_at: Option<HopName>,
    pub why: Option<String>,
    pub hops: Vec<Hop>,
}

/// `patience` is how long a wait for the next hop may be, in microseconds.
pub fn decide(scene: &Scene, asked: &Asked, facts: &Facts<'_>, mut hops: Vec<Hop>, newer: bool, patience: i64) -> End {
    let end = |outcome, stops_at, why, hops| End { outcome, stops_at, why, hops };
    match asked.fate {
        Fate::Refused => {
            not_applicable(&mut hops, HopName::Published.number() + 1);
            return end(Outcome::Refused, Some(HopName::Published), None, hops);
        }
        Fate::NeverReceived => {
            let gap = hops.first().filter(|hop| hop.verdict == Verdict::Unknown).and_then(|hop| hop.why.clone());
            if gap.is_some() {
                hops.iter_mut().for_each(|hop| hop.verdict = Verdict::Unknown);
                return end(Outcome::Unknown, None, gap, hops);
            }
            not_applicable(&mut hops, HopName::Received.number() + 1);
            return end(Outcome::Stopped, Some(HopName::Received), None, hops);
        }
        Fate::Unstored => {
            let why = hops.iter().find(|hop| hop.name == HopName::Published).and_then(|hop| hop.why.clone());
            return end(Outcome::Unknown, None, why, hops);
        }
        Fate::Accepted => {}
    }
    let open = hops.iter().find(|hop| hop.verdict != Verdict::Passed).cloned();
    let Some(open) = open else { return end(Outcome::Completed, None, None, hops) };
    // Until its status is handled a newer spec takes over; what is said to clients afterwards it cannot change.
    let went_on = hops.iter().any(|hop| hop.hop > open.hop && hop.verdict == Verdict::Passed);
    let overtaken = newer && !went_on && open.verdict == Verdict::Missing && open.name <= HopName::StatusHandled;
    if overtaken || open.verdict == Verdict::NotApplicable {
        not_applicable(&mut hops, open.hop);
        return end(Outcome::Superseded, None, Some("a newer request took over".to_owned()), hops);
    }
    match open.verdict {
        Verdict::Unknown if open.name == HopName::Sent => end(Outcome::Completed, None, open.why, hops),
        Verdict::Unknown => end(Outcome::Unknown, None, open.why, hops),
        Verdict::Missing if waited(scene, asked, facts, &hops, open.name) <= patience => {
            let why = Some(format!("waiting for hop {} ({})", open.hop, open.name.label()));
            end(Outcome::InProgress, None, why, hops)
        }
        _ => end(Outcome::Stopped, Some(open.name), None, hops),
    }
}

fn not_applicable(hops: &mut [Hop], from: u8) {
    for hop in hops.iter_mut().filter(|hop| hop.hop >= from) {
        hop.verdict = Verdict::NotApplicable;
    }
}

/// How long the request has waited for this hop. Slow is not stopped, unless the one whose turn it is has failed, or
/// said that it goes down: that wait has no end.
pub fn waited(scene: &Scene, asked: &Asked, facts: &Facts<'_>, hops: &[Hop], next: HopName) -> i64 {
    let failed = facts.with_sign(next.number(), "failed").next().is_some();
    // A replica sends to its subscribers as it broadcasts: there is nothing to wait for.
    if failed || next == HopName::Sent || actor_is_down(scene, next) {
        return i64::MAX;
    }
    reached_before(hops, next).or(asked.at).map_or(i64::MAX, |last| scene.now.since(last))
}

/// How long a hop took, where both its ends are known.
pub fn took(hops: &[Hop], next: HopName) -> Option<i64> {
    let at = hops.iter().find(|hop| hop.name == next)?.at?;
    reached_before(hops, next).map(|before| at.since(before))
}

fn reached_before(hops: &[Hop], next: HopName) -> Option<Time> {
    hops.iter().filter(|hop| hop.hop < next.number()).filter_map(|hop| hop.at).max()
}

fn actor_is_down(scene: &Scene, next: HopName) -> bool {
    let on_agent = matches!(next, HopName::Delivered | HopName::Applied | HopName::Reported);
    on_agent && scene.agent_down().is_some()
}
