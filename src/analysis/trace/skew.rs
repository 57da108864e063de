//! Clocks that do not agree.
//!
//! An agent receives what a server sent, and a server what an agent sent. So the agent's clock is ahead of the
//! servers' by at most what a spec seemed to travel, and by at least what a status seemed to travel back in time.
//! Servers stand for the true time: the rows of the database carry their clock.

use super::super::error::Result;
use super::load::Loader;
use super::scene::Scene;
use crate::query::trace::Fact;
use crate::schema::Time;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A difference below this changes no verdict and is not worth a word.
const NOTICEABLE: i64 = 250_000;

/// Steps of one request are a few microseconds to milliseconds apart, on pods whose clocks and a database whose clock need
/// not agree better than this.
pub const SKEW: i64 = 5_000;

/// A clock that differs from the servers'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    pub pod: String,
    /// Microseconds by which it is ahead.
    pub ahead: i64,
}

impl Clock {
    pub fn describe(&self) -> String {
        let (seconds, side) = (self.ahead.abs() as f64 / 1e6, if self.ahead > 0 { "ahead of" } else { "behind" });
        format!("the clock of {} is about {seconds:.1} s {side} the servers'; its times are given by theirs", self.pod)
    }
}

/// Between which limits a clock is ahead of the servers', in microseconds.
#[derive(Clone, Copy, Default)]
struct Limits {
    least: Option<i64>,
    most: Option<i64>,
}

impl Scene {
    /// Puts the times of agents whose clocks differ onto the servers' clock.
    pub fn correct_clocks(&mut self, loader: &mut Loader<'_>) -> Result<()> {
        let pods: BTreeSet<String> = sent_by_agents(&self.facts).chain(got_by_agents(&self.facts)).map(place).collect();
        self.clocks = pods.iter().filter_map(|pod| Limits::of(&self.facts, pod).clock(pod)).collect();
        // What the agent told in its status is by its clock too; with several agents it is not known whose.
        self.told_ahead = self.clocks.first().filter(|_| pods.len() == 1).map_or(0, |clock| clock.ahead);
        for pod in self.agents_beyond_servers().difference(&pods) {
            self.clocks.extend(by_other_works(loader, pod)?);
        }
        let mut facts = std::mem::take(&mut self.facts);
        facts.iter_mut().for_each(|fact| self.correct(fact));
        self.facts = facts;
        let logs = if self.clocks.is_empty() { &mut Vec::new() } else { Arc::make_mut(&mut self.logs) };
        for log in logs {
            let Some(clock) = self.clocks.iter().find(|clock| clock.pod == log.pod) else { continue };
            // The evidence may end with a line of the clock that is off.
            if log.last_at == Some(self.now) {
                self.now = self.now.plus_micros(-clock.ahead);
            }
            for at in [&mut log.first_at, &mut log.last_at, &mut log.until, &mut log.shutdown_at] {
                *at = at.map(|at| at.plus_micros(-clock.ahead));
            }
        }
        self.now = self.logs.iter().filter_map(|log| log.last_at).fold(self.now, Time::max);
        Ok(())
    }

    /// The agents whose logs go on after those of all servers: "now" may be by the clock of one of them.
    fn agents_beyond_servers(&self) -> BTreeSet<String> {
        let ends = |component: &'static str| {
            let logs = self.logs.iter().filter(move |log| log.component == component);
            logs.filter_map(|log| Some((log.last_at?, &log.pod)))
        };
        let Some(last) = ends("server").map(|(at, _)| at).max() else { return BTreeSet::new() };
        ends("agent").filter(|(at, _)| at.since(last) >= NOTICEABLE).map(|(_, pod)| pod.clone()).collect()
    }

    pub fn correct(&self, fact: &mut Fact) {
        let told = if matches!(fact.step.as_str(), "condition" | "row") { self.told_ahead } else { 0 };
        let ahead = fact.place.as_deref().map_or(0, |pod| ahead(&self.clocks, pod));
        fact.at = fact.at.map(|at| at.plus_micros(-(ahead + told)));
    }
}

/// By how much a pod's clock is ahead.
pub fn ahead(clocks: &[Clock], pod: &str) -> i64 {
    clocks.iter().find(|clock| clock.pod == pod).map_or(0, |clock| clock.ahead)
}

/// A clock by which the work itself was never dated, measured by the works that its log ends with.
fn by_other_works(loader: &mut Loader<'_>, pod: &str) -> Result<Option<Clock>> {
    if let Some(known) = loader.learnt.clocks.get(pod) {
        return Ok(known.clone());
    }
    let works = loader.last_works_of(pod)?;
    loader.bring_works(&works)?;
    let limits = works.iter().map(|work| Limits::of(&loader.told(work).facts, pod));
    let clock = limits.fold(Limits::default(), Limits::and).clock(pod);
    loader.learnt.clocks.insert(pod.to_owned(), clock.clone());
    Ok(clock)
}

impl Limits {
    /// What the facts of one work tell about a pod's clock.
    fn of(facts: &[Fact], pod: &str) -> Self {
        let own = |fact: &&Fact| place(fact) == pod;
        let at_most = got_by_agents(facts).filter(own).filter_map(|got| {
            let same = |sent: &&Fact| is_same_spec(sent, got);
            let sent = facts.iter().filter(|fact| fact.hop == 2 && fact.step == "sending").filter(same);
            Some(got.at?.since(sent.filter_map(|fact| fact.at).min()?))
        });
        let at_least = sent_by_agents(facts).filter(own).filter_map(|sent| {
            let same = |got: &&Fact| sent.cloud_event_id.is_some() && got.cloud_event_id == sent.cloud_event_id;
            let got = facts.iter().filter(|fact| fact.hop == 6).filter(same);
            Some(sent.at?.since(got.filter_map(|fact| fact.at).min()?))
        });
        Self { least: at_least.max(), most: at_most.min() }
    }

    /// Both hold.
    fn and(self, other: Self) -> Self {
        let most = [self.most, other.most].into_iter().flatten().min();
        Self { least: self.least.max(other.least), most }
    }

    /// The clock, if it is noticeably off.
    fn clock(self, pod: &str) -> Option<Clock> {
        let ahead = match (self.least, self.most) {
            (Some(least), Some(most)) if least <= most && (least > 0 || most < 0) => i64::midpoint(least, most),
            (Some(least), None) if least > 0 => least,
            (None, Some(most)) if most < 0 => most,
            _ => 0,
        };
        (ahead.abs() >= NOTICEABLE).then(|| Clock { pod: pod.to_owned(), ahead })
    }
}

/// Of the same operation, for a work that is made again starts again at the same version.
fn is_same_spec(sent: &Fact, got: &Fact) -> bool {
    let deletes = |fact: &Fact| fact.request.as_deref() == Some("delete");
    got.op_id.is_some() && sent.op_id == got.op_id && sent.version == got.version && deletes(sent) == deletes(got)
}

fn got_by_agents(facts: &[Fact]) -> impl Iterator<Item = &Fact> {
    let asked_for = |fact: &Fact| fact.about.as_deref() == Some("spec.resync_response");
    facts.iter().filter(move |fact| fact.hop == 3 && fact.step == "received" && !asked_for(fact))
}

fn sent_by_agents(facts: &[Fact]) -> impl Iterator<Item = &Fact> {
    facts.iter().filter(|fact| fact.hop == 5 && fact.step == "sending")
}

fn place(fact: &Fact) -> String {
    fact.place.clone().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(hop: i64, step: &str, place: &str, millis: i64) -> Fact {
        Fact {
            resource_id: "496595f0".into(),
            hop,
            step: step.into(),
            sign: "passed".into(),
            request: None,
            version: Some(1),
            event_id: None,
            cloud_event_id: Some("2011736416307908608".into()),
            op_id: Some("2dd9d768".into()),
            at: Some(Time::from_micros(millis * 1000)),
            place: Some(place.into()),
            evidence: "log_lines:1".into(),
            about: None,
        }
    }

    /// Sent at 1 s, 20 ms each way, 300 ms of work in between.
    fn round_trip(ahead: i64) -> Vec<Fact> {
        vec![
            fact(2, "sending", "server", 1000),
            fact(3, "received", "agent", 1020 + ahead),
            fact(5, "sending", "agent", 1320 + ahead),
            fact(6, "received", "server", 1340),
        ]
    }

    fn estimate(facts: &[Fact], pod: &str) -> Option<Clock> {
        Limits::of(facts, pod).clock(pod)
    }

    #[test]
    fn a_clock_that_is_ahead_or_behind_is_noticed() {
        for ahead in [3000, -3000, 60_000] {
            let clock = estimate(&round_trip(ahead), "agent").unwrap();
            assert!((clock.ahead - ahead * 1000).abs() < 200_000, "{ahead}: {clock:?}");
        }
    }

    #[test]
    fn clocks_that_agree_are_left_alone() {
        assert_eq!(estimate(&round_trip(0), "agent"), None);
        assert_eq!(estimate(&round_trip(15), "agent"), None);
        // What waited for a resync has travelled long, and says nothing about a clock.
        let late = vec![fact(2, "sending", "server", 1000), fact(3, "received", "agent", 61_000)];
        assert_eq!(estimate(&late, "agent"), None);
    }

    #[test]
    fn one_way_is_enough_where_time_runs_backwards() {
        let spec = vec![fact(2, "sending", "server", 5000), fact(3, "received", "agent", 1000)];
        assert_eq!(estimate(&spec, "agent").map(|clock| clock.ahead), Some(-4_000_000));
        let status = vec![fact(5, "sending", "agent", 9000), fact(6, "received", "server", 1000)];
        assert_eq!(estimate(&status, "agent").map(|clock| clock.ahead), Some(8_000_000));
    }

    #[test]
    fn another_life_with_the_same_version_is_no_measure() {
        let mut lives = vec![fact(5, "sending", "agent", 90_000), fact(6, "received", "server", 1000)];
        lives[1].cloud_event_id = Some("2011736416307900000".into());
        assert_eq!(estimate(&lives, "agent"), None);
    }
}
