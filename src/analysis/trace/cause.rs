//! Why a request stopped: the best-supported reason, with what shows it. No cause is better than a wrong one.

use super::ownership::Facts;
use super::requests::{Asked, Fate};
use super::scene::Scene;
use super::verdict::refusal;
use crate::model::{Cause, HopName};
use crate::query::trace::{GlobalLine, Log};
use crate::schema::Time;

const DISCONNECTED: &str = "the cloudevents client is disconnected";

/// How a process tells the state of its broker connection.
pub const CONNECTION: &[&str] =
    &[DISCONNECTED, "the cloudevents client is reconnected", "mqtt is connected", "grpc is connected"];

pub fn find(scene: &Scene, asked: &Asked, facts: &Facts<'_>, hop: HopName) -> Option<Cause> {
    if asked.fate == Fate::Refused {
        return Some(cause(refusal(scene, asked), asked.received.clone()));
    }
    said_by_failure(facts, hop).or_else(|| match hop {
        HopName::Delivered | HopName::Applied | HopName::Reported => agent_away(scene, asked),
        _ => None,
    })
}

/// The hop's own evidence says what went wrong.
fn said_by_failure(facts: &Facts<'_>, hop: HopName) -> Option<Cause> {
    // The reported condition names every refused manifest; log lines name one.
    let failures: Vec<_> = facts.with_sign(hop.number(), "failed").collect();
    let best = failures.iter().find(|fact| fact.step == "condition").or(failures.last())?;
    let others = failures.iter().filter(|fact| fact.evidence != best.evidence).map(|fact| fact.evidence.clone());
    let text = best.about.clone()?;
    Some(cause(text, std::iter::once(best.evidence.clone()).chain(others.take(2)).collect()))
}

fn agent_away(scene: &Scene, asked: &Asked) -> Option<Cause> {
    let consumer = scene.identity.consumer.as_deref()?;
    let logs = scene.agent_logs();
    if logs.is_empty() {
        return other_consumers(scene, consumer);
    }
    let current = logs.iter().filter(|log| !log.previous);
    shut_down(scene, consumer)
        .or_else(|| current.into_iter().find_map(|log| disconnected(scene, log, consumer, asked.at)))
}

fn shut_down(scene: &Scene, consumer: &str) -> Option<Cause> {
    let (log, at) = scene.agent_down()?;
    let line = scene.lines.iter().find(|line| of_pod(line, log) && line.at == Some(at));
    let evidence = line.map(|line| line.evidence.clone()).into_iter().chain([log.evidence.clone()]).collect();
    let text = format!(
        "the agent of {consumer} shut down at {} and had not come back when the evidence was taken",
        at.clock()
    );
    Some(cause(text, evidence))
}

/// The connection's last word was that it is lost.
fn disconnected(scene: &Scene, log: &Log, consumer: &str, asked_at: Option<Time>) -> Option<Cause> {
    let connection = |line: &&GlobalLine| of_pod(line, log) && CONNECTION.contains(&line.message.as_str());
    let last = scene.lines.iter().filter(connection).max_by_key(|line| line.at)?;
    let lost = last.message == DISCONNECTED;
    let before = asked_at.is_none_or(|asked| last.at.is_none_or(|at| at.since(asked) < 60_000_000));
    let at = last.at.map(Time::clock).unwrap_or_default();
    let text = format!(
        "the agent of {consumer} lost its broker connection at {at} and had not come back when the evidence was taken"
    );
    (lost && before).then(|| cause(text, vec![last.evidence.clone()]))
}

/// Agents are there, but none under this name.
fn other_consumers(scene: &Scene, consumer: &str) -> Option<Cause> {
    let agents: Vec<&Log> =
        scene.logs.iter().filter(|log| log.component == "agent" && log.consumer.is_some()).collect();
    let mut served: Vec<&str> = agents.iter().filter_map(|log| log.consumer.as_deref()).collect();
    served.sort_unstable();
    served.dedup();
    let text = format!("no agent in the material serves {consumer}; those there serve {}", served.join(", "));
    (!served.is_empty()).then(|| cause(text, agents.iter().map(|log| log.evidence.clone()).take(4).collect()))
}

fn cause(text: String, evidence: Vec<String>) -> Cause {
    Cause { text, evidence, quotes: Vec::new() }
}

fn of_pod(line: &GlobalLine, log: &Log) -> bool {
    line.component == log.component && line.pod == log.pod
}
