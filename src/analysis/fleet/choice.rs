//! Which works are asked for, and in which order.

use super::super::error::Result;
use super::super::trace::Identity;
use super::super::{near, resolve};
use crate::bundle::Reader;
use crate::model::{ListedWork, Outcome};
use crate::schema::{Moment, Time};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What to list. What is empty or absent leaves nothing out.
#[derive(Debug, Default)]
pub struct WorksAsk {
    pub outcomes: Vec<Outcome>,
    pub consumers: Vec<String>,
    pub sources: Vec<String>,
    /// Keys and values; a work has to have all of them.
    pub labels: Vec<(String, String)>,
    /// The last hop that was reached.
    pub hop: Option<u8>,
    pub since: Option<Moment>,
    pub until: Option<Moment>,
    pub order: Order,
    pub limit: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// What needs somebody first, then by name.
    #[default]
    Outcome,
    Name,
    /// The longest wait first.
    Since,
    Hop,
    Consumer,
}

impl Order {
    pub fn sort(self, works: &mut [ListedWork]) {
        let needs = |work: &ListedWork| Outcome::ALL.iter().position(|outcome| *outcome == work.outcome);
        let (hop, consumer) = (|work: &ListedWork| work.hop_reached, |work: &ListedWork| work.consumer.clone());
        works.sort_by_cached_key(|work| {
            (Reverse(work.work_name.is_some()), work.work_name.clone(), consumer(work), work.resource_id.clone())
        });
        match self {
            Self::Outcome => works.sort_by_key(needs),
            Self::Name => {}
            Self::Since => works.sort_by_key(|work| (work.since.is_none(), work.since)),
            Self::Hop => works.sort_by_key(hop),
            Self::Consumer => works.sort_by_cached_key(|work| (work.consumer.is_none(), consumer(work))),
        }
    }
}

/// The same, looked up in a bundle.
pub struct Choice<'a> {
    ask: &'a WorksAsk,
    labelled: Option<BTreeSet<String>>,
    since: Option<Time>,
    until: Option<Time>,
}

impl<'a> Choice<'a> {
    pub fn of(reader: &Reader, ask: &'a WorksAsk) -> Result<Self> {
        let mut labelled: Option<BTreeSet<String>> = None;
        for (key, value) in &ask.labels {
            let mut having = resolve::labelled(reader, key, value)?;
            having.retain(|id| labelled.as_ref().is_none_or(|before| before.contains(id)));
            labelled = Some(having);
        }
        let now = reader.manifest().collected_at.unwrap_or(Time::from_micros(0));
        let time = |moment: Option<Moment>| moment.map(|moment| moment.resolve(now));
        Ok(Self { ask, labelled, since: time(ask.since), until: time(ask.until) })
    }

    /// What was asked for and is nowhere: a typing error would otherwise read like a good night.
    pub fn not_there(&self, names: &Names) -> Vec<String> {
        let ask = self.ask;
        if self.labelled.as_ref().is_some_and(BTreeSet::is_empty) {
            let labels: Vec<String> = ask.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            return vec![format!("no work has the label {}", labels.join(" and "))];
        }
        let absent = |what: &str, asked: &[String], known: &BTreeSet<String>| -> Vec<String> {
            let asked = asked.iter().filter(|name| !known.contains(*name));
            let told = asked.map(|name| {
                let near = near(name, known.iter());
                let near = if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) };
                format!("no work is {what} {name}{near}")
            });
            told.collect()
        };
        [absent("for consumer", &ask.consumers, &names.consumers), absent("from source", &ask.sources, &names.sources)]
            .concat()
    }

    /// As far as the id alone tells.
    pub fn may_hold(&self, id: &str) -> bool {
        self.labelled.as_ref().is_none_or(|labelled| labelled.contains(id))
    }

    pub fn holds(&self, work: &ListedWork) -> bool {
        let ask = self.ask;
        let among =
            |names: &[String], name: Option<&String>| names.is_empty() || name.is_some_and(|name| names.contains(name));
        (ask.outcomes.is_empty() || ask.outcomes.contains(&work.outcome))
            && among(&ask.consumers, work.consumer.as_ref())
            && among(&ask.sources, work.source.as_ref())
            && ask.hop.is_none_or(|hop| hop == work.hop_reached)
            && self.since.is_none_or(|since| work.since >= Some(since))
            && self.until.is_none_or(|until| work.since.is_some_and(|at| at <= until))
    }
}

/// Consumers and sources of the works that there are.
#[derive(Debug, Default)]
pub struct Names {
    consumers: BTreeSet<String>,
    sources: BTreeSet<String>,
}

impl Names {
    pub fn add(&mut self, work: &Identity) {
        for (names, name) in [(&mut self.consumers, &work.consumer), (&mut self.sources, &work.source)] {
            if let Some(name) = name.as_ref().filter(|name| !names.contains(*name)) {
                names.insert(name.clone());
            }
        }
    }
}
