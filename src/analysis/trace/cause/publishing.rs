//! Why a server did not publish.

use super::{Inquiry, cause, clock, times};
use crate::analysis::trace::processes::Outage;
use crate::analysis::trace::requests::Fate;
use crate::analysis::trace::verdict::refusal;
use crate::model::{Cause, HopName};
use crate::query::trace::Fact;

/// The server said no. Its own words are in the client's log, for it does not write them into its own.
pub fn refused(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, asked, .. } = inquiry;
    let own_words = scene
        .facts
        .iter()
        .find(|fact| fact.hop == 2 && fact.step == "refused" && fact.op_id.is_some() && fact.op_id == asked.op_id);
    let text = match own_words.and_then(|fact| fact.about.as_deref()) {
        Some(words) => format!("{}; the client was told: {words}", refusal(scene, asked)),
        None => refusal(scene, asked),
    };
    let evidence = own_words.map(|fact| fact.evidence.clone()).into_iter().chain(asked.received.iter().cloned());
    (asked.fate == Fate::Refused).then(|| cause(text, evidence))
}

/// The broker does not take it. Servers that have lost their connection say so in lines that name no work.
pub fn fails(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let failures: Vec<&Fact> = inquiry.facts.with_sign(HopName::Published.number(), "failed").collect();
    let last = failures.last()?;
    let own = failures.iter().rev().find(|fact| fact.step == "publishing").unwrap_or(last);
    let words = own.about.as_deref().unwrap_or("no reason is given");
    let pods: Vec<&str> = failures.iter().filter_map(|fact| fact.place.as_deref()).collect();
    let outage = last.at.and_then(|at| pods.iter().find_map(|pod| inquiry.processes.without_broker("server", pod, at)));
    let tries = failures.iter().filter(|fact| fact.step == own.step).count();
    let fails = format!("every publish of its event fails ({}, last at {}): {words}", times(tries), clock(last.at));
    let text = match &outage {
        Some(outage) => {
            let at = clock(outage.lost.at);
            format!("the server cannot reach the message broker, it lost the connection at {at}; {fails}")
        }
        None => fails,
    };
    let lost = outage.map(|outage| outage.lost.evidence.clone());
    Some(cause(text, lost.into_iter().chain([own.evidence.clone()])))
}

/// With the gRPC broker a replica leaves an event alone unless the agent's stream ends at it.
pub fn agent_not_connected(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, processes, facts, .. } = inquiry;
    let left_alone: Vec<&Fact> =
        facts.at_hop(HopName::Published.number()).filter(|fact| fact.step == "not mine").collect();
    let picked_up = facts.at_hop(HopName::Published.number()).any(|fact| fact.step == "picked up");
    let last = left_alone.last()?;
    let mode = processes.grpc_broker().filter(|_| !picked_up)?;
    let replicas = scene.replicas_at(last.at);
    let one_of = |pod: &String| left_alone.iter().rev().find(|fact| fact.place.as_ref() == Some(pod));
    let each: Vec<&&Fact> = replicas.iter().filter_map(one_of).collect();
    let all = !replicas.is_empty() && each.len() == replicas.len();
    let consumer = inquiry.consumer();
    let gone = match scene.agent_down() {
        Some((_, at)) => format!(": it shut down at {}", at.clock()),
        None => String::new(),
    };
    let text = format!(
        "with the gRPC broker a replica publishes only to an agent that is connected to it; the agent of {consumer} is \
         not connected to any{gone}"
    );
    let evidence = each.into_iter().map(|fact| fact.evidence.clone()).chain([mode.evidence.clone()]);
    all.then(|| cause(text, evidence))
}

/// The event was stored while no replica heard the database: its notification is lost, and nobody asks for it
/// again for hours.
pub fn nobody_listened(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, processes, facts, .. } = inquiry;
    let own = || facts.at_hop(HopName::Published.number());
    let stored = own().find(|fact| fact.step == "stored")?;
    let at = stored.at.filter(|_| own().all(|fact| fact.step == "stored"))?;
    let replicas = scene.replicas_at(Some(at));
    let outages: Vec<_> = replicas.iter().filter_map(|pod| processes.deaf(pod, at)).collect();
    let first = outages.first().filter(|_| outages.len() == replicas.len())?;
    let back = outages.iter().filter_map(|outage| outage.back?.at).min();
    let until = back.map_or_else(|| "not back since".to_owned(), |at| format!("back at {}", at.clock()));
    let text = format!(
        "its event was stored at {} while no replica listened to the database (connection lost at {}, {until}): the \
         notification was lost and nobody picked the event up; the next sweep comes within 12.5 hours, or with a restart",
        at.clock(),
        clock(first.lost.at),
    );
    let lines: Vec<String> = outages.iter().flat_map(Outage::evidence).collect();
    Some(cause(text, lines.into_iter().chain([stored.evidence.clone()])))
}
