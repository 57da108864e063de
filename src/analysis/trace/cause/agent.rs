//! Why an agent did not receive, apply or report.

use super::{Inquiry, cause, clock};
use crate::analysis::near;
use crate::analysis::trace::outcome::ORDINARY_WAIT;
use crate::model::{Cause, HopName, RequestKind, Verdict};
use crate::query::trace::Log;
use crate::schema::Time;
use std::collections::BTreeSet;

/// An agent that is at work on something writes its next line well within this time.
pub const AT_WORK: i64 = 60_000_000;

/// Of agents that serve others, so many are named.
const NAMED: usize = 4;

const NOT_BACK: &str = "and had not come back when the evidence was taken";

pub fn shut_down(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let (log, at) = inquiry.scene.agent_down().filter(|(_, at)| inquiry.is_in_time(*at))?;
    if let Some(successor) = successor(inquiry, log, at) {
        return Some(successor);
    }
    let line = inquiry.processes.shutdown(log, at).map(|line| line.evidence.clone());
    let text = format!("the agent of {} shut down at {} {NOT_BACK}", inquiry.consumer(), at.clock());
    Some(cause(text, line.into_iter().chain([log.evidence.clone()])))
}

/// The agent came back under another name.
fn successor(inquiry: &Inquiry<'_>, log: &Log, down: Time) -> Option<Cause> {
    let same_place = |other: &&Log| other.pod == log.pod || other.cluster.is_some() && other.cluster == log.cluster;
    let agents = inquiry.scene.logs.iter().filter(|other| other.component == "agent" && !other.previous);
    let mut later = agents.filter(same_place).filter(|other| other.consumer.is_some() && other.first_at >= Some(down));
    let other = later.find(|other| other.consumer != log.consumer)?;
    let text = format!(
        "no agent serves consumer {}: the agent in its cluster runs as {} since {}",
        inquiry.consumer(),
        other.consumer.as_deref().unwrap_or_default(),
        clock(other.first_at)
    );
    Some(cause(text, [other.evidence.clone(), log.evidence.clone()]))
}

/// It was without broker when the request was on its way.
pub fn cut_off(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let moment = inquiry.reached(HopName::Delivered)?;
    let logs = inquiry.scene.agent_logs();
    // The connection may break while the request is on its way.
    let moments = [moment, moment.plus_micros(ORDINARY_WAIT)];
    let outages = moments
        .iter()
        .flat_map(|at| logs.iter().filter_map(|log| inquiry.processes.without_broker("agent", &log.pod, *at)));
    let outage = outages.into_iter().next()?;
    let end = match outage.back {
        None => NOT_BACK.to_owned(),
        Some(back) => format!("and was back at {}; the resync after that did not bring it", clock(back.at)),
    };
    let text =
        format!("the agent of {} lost its broker connection at {} {end}", inquiry.consumer(), clock(outage.lost.at));
    Some(cause(text, outage.evidence()))
}

/// Agents are there, but none under this name. Of many, those are named first that serve nobody who is registered, and then
/// those whose names are nearest to it.
pub fn none_serves(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let scene = inquiry.scene;
    let consumer = scene.identity.consumer.as_ref()?;
    let mut agents: Vec<(&String, &Log)> = scene
        .logs
        .iter()
        .filter(|log| log.component == "agent")
        .filter_map(|log| Some((log.consumer.as_ref()?, log)))
        .collect();
    if agents.is_empty() || !scene.agent_logs().is_empty() {
        return None;
    }
    let near = near(consumer, agents.iter().map(|(served, _)| *served));
    let registered: BTreeSet<&String> = scene.consumers.iter().map(|known| &known.name).collect();
    agents.sort_by_key(|(served, _)| (registered.contains(served), !near.contains(served), *served));
    let mut served: Vec<&str> = agents.iter().map(|(served, _)| served.as_str()).collect();
    served.dedup();
    let more = served.len().saturating_sub(NAMED);
    served.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} others") } else { String::new() };
    let text = format!("no agent in the material serves {consumer}; those there serve {}{more}", served.join(", "));
    Some(cause(text, agents.iter().map(|(_, log)| log.evidence.clone()).take(NAMED)))
}

/// It reported nothing because its publishes fail.
pub fn cannot_send(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let failures: Vec<_> = inquiry.facts.with_sign(HopName::Reported.number(), "failed").collect();
    let last = failures.last()?;
    let words = last.about.as_deref().unwrap_or("no reason is given");
    let outage = inquiry.processes.without_broker("agent", last.place.as_deref()?, last.at?);
    let lost = outage.as_ref().map(|outage| {
        format!(
            "the agent of {} cannot reach the broker, it lost the connection at {}; ",
            inquiry.consumer(),
            clock(outage.lost.at)
        )
    });
    let text = format!("{}it cannot send the status: {words}", lost.unwrap_or_default());
    let evidence = outage.map(|outage| outage.lost.evidence.clone()).into_iter().chain([last.evidence.clone()]);
    Some(cause(text, evidence))
}

/// The AppliedManifestWork waits for objects that are not gone.
pub fn still_deleting(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let waiting = inquiry.facts.at_hop(HopName::Applied.number()).find(|fact| fact.step == "deleting")?;
    let text = waiting.about.clone().filter(|_| inquiry.asked.kind == RequestKind::Delete)?;
    Some(cause(text, [waiting.evidence.clone()]))
}

/// Its log breaks off while it is at work on this request, without a word of shutdown.
pub fn fell_silent(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let scene = inquiry.scene;
    let delivered = inquiry.reached(HopName::Applied)?;
    let logs = scene.agent_logs();
    let log = logs.iter().filter(|log| !log.previous).max_by_key(|log| log.last_at)?;
    let last = log.last_at.filter(|_| log.shutdown_at.is_none() && log.blind.is_none() && log.until.is_none())?;
    // One that has reported since goes on.
    let reported = inquiry.hops.iter().any(|hop| hop.hop > inquiry.stop.number() && hop.verdict == Verdict::Passed);
    let at_work =
        !reported && last >= delivered && last.since(delivered) < AT_WORK && scene.now.since(last) > ORDINARY_WAIT;
    let done = inquiry.hops.iter().rfind(|hop| hop.hop <= HopName::Applied.number() && hop.at.is_some());
    let did = match done.map(|hop| hop.name) {
        Some(HopName::Applied) => "after it had applied the manifests and before it sent a status",
        _ => "after it had received the request",
    };
    let text = format!(
        "the log of the agent of {} ends at {}, {did}, without a word of shutdown: the agent died or hangs",
        inquiry.consumer(),
        last.clock()
    );
    let evidence = done.into_iter().flat_map(|hop| hop.evidence.iter().take(1).cloned()).chain([log.evidence.clone()]);
    at_work.then(|| cause(text, evidence))
}
