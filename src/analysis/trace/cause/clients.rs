//! Why a request did not leave its client, or a status did not reach it.

use super::{Inquiry, cause, clock};
use crate::analysis::trace::outcome::ORDINARY_WAIT;
use crate::model::{Cause, HopName};

/// The client's own log tells.
pub fn could_not_send(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let failure = inquiry.facts.with_sign(HopName::Received.number(), "failed").last()?;
    let words = failure.about.as_deref()?;
    let outage = failure.at.and_then(|at| inquiry.processes.without_broker("client", failure.place.as_deref()?, at));
    let lost =
        outage.as_ref().map(|outage| format!("the client lost its gRPC connection at {}; ", clock(outage.lost.at)));
    let text =
        format!("{}the publish failed in the client and never reached a server: {words}", lost.unwrap_or_default());
    let lines = outage.map(|outage| outage.lost.evidence.clone()).into_iter().chain([failure.evidence.clone()]);
    Some(cause(text, lines))
}

/// The replica that the client was subscribed to is gone, and the client has not found another.
pub fn ended_with_replica(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, processes, .. } = inquiry;
    let source = scene.identity.source.as_deref()?;
    let broadcast = inquiry.reached(HopName::Broadcast)?;
    let servers = scene.logs.iter().filter(|log| log.component == "server" && log.blind.is_none() && !log.previous);
    let served = servers.filter_map(|log| {
        let (line, subscribed) = processes.subscriber(&log.pod, source, broadcast)?;
        subscribed.then_some((log, line))
    });
    let served: Vec<_> = served.collect();
    let ended =
        |last: crate::schema::Time| last.since(broadcast) < ORDINARY_WAIT && scene.now.since(last) > ORDINARY_WAIT;
    let (log, line) = served.iter().max_by_key(|(_, line)| line.at)?;
    let last = log.last_at.filter(|last| served.len() == 1 && ended(*last))?;
    let text = format!(
        "the client was connected to replica {}, whose log ends at {}; no living replica has a subscriber of source {source}",
        log.pod,
        last.clock()
    );
    Some(cause(text, [line.evidence.clone(), log.evidence.clone()]))
}

/// On no replica was a client of this source when the status came.
pub fn gone(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, processes, .. } = inquiry;
    let source = scene.identity.source.as_deref()?;
    let broadcast = inquiry.reached(HopName::Broadcast)?;
    let told: Vec<_> = scene
        .replicas_at(Some(broadcast))
        .into_iter()
        .filter_map(|pod| processes.subscriber(&pod, source, broadcast).map(|(line, is)| (line.clone(), is)))
        .collect();
    if told.iter().any(|(_, subscribed)| *subscribed) {
        return None;
    }
    let (line, _) = told.iter().max_by_key(|(line, _)| line.at)?;
    let text = format!(
        "no client of source {source} was connected when the status came at {}: the last one left {} at {}",
        broadcast.clock(),
        line.pod,
        clock(line.at)
    );
    Some(cause(text, [line.evidence.clone()]))
}
