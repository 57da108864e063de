//! Why the servers did not receive, handle or broadcast a status.

use super::{Inquiry, cause, clock};
use crate::analysis::trace::coverage::pod_of;
use crate::analysis::trace::processes::Outage;
use crate::analysis::trace::verdict::not_broadcast_by;
use crate::model::{Cause, HopName};
use crate::query::trace::Fact;
use crate::schema::Time;

/// Nobody was there when the agent sent it. In shared mode it is not asked for again either: the resync names
/// consumers by their database id, and agents listen to their names.
pub fn cut_off(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let Inquiry { scene, processes, .. } = inquiry;
    let sent = inquiry.reached(HopName::Reported)?;
    let replicas = scene.replicas_at(Some(sent));
    let outages: Vec<Outage<'_>> =
        replicas.iter().filter_map(|pod| processes.without_broker("server", pod, sent)).collect();
    if outages.is_empty() || outages.len() < replicas.len() {
        return None;
    }
    let back = outages.iter().filter_map(|outage| outage.back).filter_map(|line| line.at).min();
    let by_id =
        |consumer: &String| scene.consumers.iter().any(|known| known.id == *consumer && known.name != *consumer);
    let resync =
        back.and_then(|back| processes.resyncs(Some(back)).find(|line| line.consumer.as_ref().is_some_and(by_id)));
    let mut text = format!(
        "every server replica had lost its broker connection when the agent sent the status at {}, so it was delivered \
         to nobody",
        sent.clock()
    );
    text.push_str(&match (back, resync) {
        (None, _) => "; none had come back when the evidence was taken".to_owned(),
        (Some(back), None) => format!("; the first was back at {}", back.clock()),
        (Some(back), Some(_)) => format!(
            "; after they reconnected at {} the status resync named consumers by their database id, which no agent \
             listens to, so it was not asked for again",
            back.clock()
        ),
    });
    let lines = outages.iter().map(|outage| outage.lost).chain(resync).map(|line| line.evidence.clone());
    Some(cause(text, lines.collect::<Vec<_>>()))
}

/// Every replica hangs over the status of some work, and the others wait behind it.
pub fn busy(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let sent = inquiry.reached(HopName::Reported)?;
    let replicas = inquiry.scene.replicas_at(Some(sent));
    let hangs = |pod: &String| inquiry.busy.iter().find(|busy| busy.pod == *pod && busy.since <= Some(sent));
    let hanging: Vec<_> = replicas.iter().filter_map(hangs).collect();
    let first = hanging.iter().min_by_key(|busy| busy.since).filter(|_| hanging.len() == replicas.len())?;
    let text = format!(
        "a replica handles one status after another, and every one hangs: {} over the status of {} since {}, as if it \
         waited for a locked row of the database",
        first.pod,
        first.resource_id,
        clock(first.since)
    );
    Some(cause(text, hanging.iter().map(|busy| busy.evidence.clone())))
}

/// In broadcast mode a replica handles the consumers it owns. One that died keeps them until its heartbeat is too old.
pub fn nobody_owns(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let skips: Vec<&Fact> =
        inquiry.facts.at_hop(HopName::StatusHandled.number()).filter(|fact| fact.step == "not owned").collect();
    let taken = inquiry.facts.at_hop(HopName::StatusReceived.number()).any(|fact| fact.step == "mine");
    let last = skips.last().filter(|_| !taken)?;
    let living: Vec<&str> = skips.iter().filter_map(|fact| fact.place.as_deref()).collect();
    let dead = inquiry.scene.instances.iter().filter(|instance| !living.contains(&pod_of(&instance.id)));
    // One whose heart still beats after that is not gone.
    let gone = dead.filter(|instance| instance.created_at < last.at && instance.last_heartbeat <= last.at);
    let owner = gone.max_by_key(|instance| instance.last_heartbeat);
    let mut text = "every living replica skipped the status as not owned".to_owned();
    let mut evidence: Vec<String> = vec![last.evidence.clone()];
    if let Some(owner) = owner {
        let pod = pod_of(&owner.id);
        let log = inquiry.scene.logs.iter().filter(|log| log.component == "server" && log.pod == pod);
        let end = log.max_by_key(|log| log.last_at);
        let ended = end.map(|log| format!("its log ends at {}, ", clock(log.last_at))).unwrap_or_default();
        text.push_str(&format!(
            "; the replica that owns the consumer, {pod}, is gone ({ended}its last heartbeat is of {}) and keeps its \
             consumers until it counts as dead",
            clock(owner.last_heartbeat)
        ));
        evidence.extend(end.map(|log| log.evidence.clone()));
    }
    Some(cause(text, evidence))
}

/// A replica began, and that is its last word about it.
pub fn never_finished(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let begun = inquiry.facts.at_hop(HopName::StatusReceived.number()).rfind(|fact| fact.step == "mine")?;
    let pod = begun.place.as_deref().unwrap_or("a replica");
    let text = format!(
        "{pod} began to handle the status at {} and never finished: it waits for the database, or died",
        clock(begun.at)
    );
    Some(cause(text, [begun.evidence.clone()]))
}

/// A replica could not hear the notification of the status event.
pub fn deaf(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let (absent, at) = without(inquiry)?;
    let outages: Vec<(&String, Outage<'_>)> =
        absent.iter().filter_map(|pod| Some((pod, inquiry.processes.deaf(pod, at)?))).collect();
    let (pod, first) = outages.first().filter(|_| outages.len() == absent.len())?;
    let text = format!(
        "{pod} did not listen to the database when the status event was stored at {} (connection lost at {}): the \
         notification was lost, and missed ones are not sent again",
        at.clock(),
        clock(first.lost.at)
    );
    Some(cause(text, outages.iter().flat_map(|(_, outage)| outage.evidence()).collect::<Vec<_>>()))
}

/// A replica that counts as ready has not said anything since.
pub fn silent(inquiry: &Inquiry<'_>) -> Option<Cause> {
    let (absent, at) = without(inquiry)?;
    let scene = inquiry.scene;
    let last_word = |pod: &String| {
        let logs = scene.logs.iter().filter(|log| log.component == "server" && log.pod == *pod);
        let log = logs.max_by_key(|log| log.last_at)?;
        log.last_at.filter(|last| *last < at).map(|last| (log, last))
    };
    let beat = |pod: &String| {
        let instance = scene.instances.iter().find(|instance| pod_of(&instance.id) == pod);
        instance.and_then(|instance| instance.last_heartbeat)
    };
    let still = |pod: &&String| beat(pod).is_none_or(|beat| beat <= at);
    let (pod, (log, last)) = absent.iter().filter(still).find_map(|pod| Some((pod, last_word(pod)?)))?;
    let heart = beat(pod).map(|beat| format!(", its last heartbeat is of {}", beat.clock())).unwrap_or_default();
    let source = scene.identity.source.as_deref().unwrap_or_default();
    let client = inquiry.processes.subscriber(pod, source, at).filter(|(_, subscribed)| *subscribed);
    let lost = client.map(|_| format!("; the client of source {source} was subscribed to it")).unwrap_or_default();
    let text = format!(
        "replica {pod} hangs or is dead: its log ends at {}{heart}; it never broadcast the status event of {}{lost}",
        last.clock(),
        at.clock()
    );
    Some(cause(text, std::iter::once(log.evidence.clone()).chain(client.map(|(line, _)| line.evidence.clone()))))
}

/// The replicas that did not broadcast, and when the status event was there to be broadcast.
fn without(inquiry: &Inquiry<'_>) -> Option<(Vec<String>, Time)> {
    let stored = inquiry.facts.at_hop(HopName::StatusHandled.number()).filter(|fact| fact.step == "status event");
    let at = stored.filter_map(|fact| fact.at).min().or(inquiry.reached(HopName::StatusHandled))?;
    let absent = not_broadcast_by(inquiry.scene, inquiry.facts, at);
    (!absent.is_empty()).then_some((absent, at))
}
