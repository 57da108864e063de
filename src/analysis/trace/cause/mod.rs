//! Why a request stopped: the best-supported reason, with what shows it. No cause is better than a wrong one.
//!
//! Each hop has its list of rules, the surest first. A rule looks for one reason and returns nothing where the
//! material does not show it.

mod agent;
mod checks;
mod clients;
mod publishing;
mod servers;

use super::busy::Busy;
use super::outcome::ORDINARY_WAIT;
use super::ownership::Facts;
use super::processes::Processes;
use super::requests::Asked;
use super::scene::Scene;
use crate::model::{Cause, Hop, HopName, Request};
use crate::schema::Time;

/// All that a reason is looked for in.
pub struct Inquiry<'a> {
    pub scene: &'a Scene,
    pub processes: &'a Processes,
    /// Replicas that hang over a status.
    pub busy: &'a [Busy],
    pub asked: &'a Asked,
    pub facts: &'a Facts<'a>,
    pub hops: &'a [Hop],
    /// Where it stopped.
    pub stop: HopName,
}

type Rule = fn(&Inquiry<'_>) -> Option<Cause>;

const fn rules(hop: HopName) -> &'static [Rule] {
    match hop {
        HopName::Received => &[clients::could_not_send],
        HopName::Published => {
            &[publishing::refused, publishing::fails, publishing::agent_not_connected, publishing::nobody_listened]
        }
        HopName::Delivered => &[agent::shut_down, agent::cut_off, agent::none_serves],
        HopName::Applied => &[failed_applying, agent::still_deleting, agent::shut_down, agent::fell_silent],
        HopName::Reported => &[agent::cannot_send, agent::shut_down, agent::cut_off, agent::fell_silent],
        HopName::StatusReceived => &[servers::cut_off, servers::busy],
        HopName::StatusHandled => &[failed_handling, servers::nobody_owns, servers::never_finished],
        HopName::Broadcast => &[servers::deaf, servers::silent],
        HopName::Sent => &[clients::ended_with_replica, clients::gone],
    }
}

/// The cause of a stop, and what to look at next whether there is one or not.
pub fn explain(inquiry: &Inquiry<'_>, request: &mut Request) {
    request.cause = rules(inquiry.stop).iter().find_map(|rule| rule(inquiry));
    request.checks = checks::of(inquiry.stop, inquiry.asked);
}

/// It stopped where a replica that hangs over another status can be the reason.
pub fn asks_servers(stop: HopName) -> bool {
    stop == HopName::StatusReceived
}

fn failed_applying(inquiry: &Inquiry<'_>) -> Option<Cause> {
    said_by_failure(inquiry, HopName::Applied)
}

fn failed_handling(inquiry: &Inquiry<'_>) -> Option<Cause> {
    said_by_failure(inquiry, HopName::StatusHandled)
}

/// The hop's own evidence says what went wrong.
fn said_by_failure(inquiry: &Inquiry<'_>, hop: HopName) -> Option<Cause> {
    // The reported condition names every refused manifest; log lines name one.
    let failures: Vec<_> = inquiry.facts.with_sign(hop.number(), "failed").collect();
    let best = failures.iter().find(|fact| fact.step == "condition").or(failures.last())?;
    let others = failures.iter().filter(|fact| fact.evidence != best.evidence).map(|fact| fact.evidence.clone());
    let text = best.about.clone()?;
    Some(cause(text, std::iter::once(best.evidence.clone()).chain(others.take(2))))
}

fn cause(text: String, evidence: impl IntoIterator<Item = String>) -> Cause {
    Cause { text, evidence: evidence.into_iter().collect(), quotes: Vec::new() }
}

impl Inquiry<'_> {
    fn consumer(&self) -> &str {
        self.scene.identity.consumer.as_deref().unwrap_or("its consumer")
    }

    /// It happened soon enough to have kept an agent from the hop where the request stopped: a request is on its way for
    /// moments, and worked on for a minute.
    fn is_in_time(&self, at: Time) -> bool {
        let wait = if self.stop == HopName::Delivered { ORDINARY_WAIT } else { agent::AT_WORK };
        self.reached(self.stop).is_none_or(|reached| at.since(reached) <= wait)
    }

    /// When a hop was passed, or the last one before it.
    fn reached(&self, hop: HopName) -> Option<Time> {
        let before = self.hops.iter().filter(|other| other.hop <= hop.number());
        before.filter_map(|hop| hop.at).max().or(self.asked.at)
    }
}

fn clock(at: Option<Time>) -> String {
    Time::clock_or_unknown(at)
}

/// `once`, `twice`, `18 times`.
fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
