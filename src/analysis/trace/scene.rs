//! All that a trace of one work looks at.

use super::super::error::Result;
use super::coverage::is_of;
use super::load::Loader;
use super::skew::Clock;
use super::told::Told;
use crate::query::trace::{CollectedTable, Fact, Instance, KnownConsumer, Log, WorkRow};
use crate::schema::Time;
use std::sync::Arc;

pub struct Scene {
    /// The bundle's "now".
    pub now: Time,
    pub identity: Identity,
    pub facts: Vec<Fact>,
    /// Clocks that differ from the servers'; the times of facts and logs are corrected.
    pub clocks: Vec<Clock>,
    /// Microseconds by which what the agent told in its status is ahead.
    pub told_ahead: i64,
    pub logs: Arc<Vec<Log>>,
    pub instances: Vec<Instance>,
    pub consumers: Arc<Vec<KnownConsumer>>,
    pub collected: Arc<Vec<CollectedTable>>,
}

/// Who the work is.
pub struct Identity {
    pub resource_id: String,
    pub work_name: Option<String>,
    pub consumer: Option<String>,
    pub source: Option<String>,
    /// Some manifest of it is applied server side, as far as its payload tells.
    pub server_side: Option<bool>,
    /// The row in `resources`, where there still is one.
    pub row: Option<WorkRow>,
}

impl Scene {
    pub fn look(loader: &mut Loader<'_>, resource_id: &str) -> Result<Self> {
        let told = loader.told(resource_id);
        Self::of(loader, resource_id, told)
    }

    /// Of what was told about a work.
    pub fn of(loader: &mut Loader<'_>, resource_id: &str, told: Told) -> Result<Self> {
        let Told { facts, rows, instances } = told;
        let around = &loader.surroundings;
        let latest = facts.iter().filter_map(|fact| fact.at).max();
        let mut scene = Self {
            now: loader.collected_at().or(latest).unwrap_or(Time::from_micros(0)),
            identity: Identity::of(resource_id, rows),
            facts,
            clocks: Vec::new(),
            told_ahead: 0,
            logs: around.logs.clone(),
            instances,
            consumers: around.consumers.clone(),
            collected: around.collected.clone(),
        };
        scene.leave_out_other_installations();
        scene.correct_clocks(loader)?;
        sort(&mut scene.facts);
        Ok(scene)
    }

    /// Replicas of another installation, and their logs, say nothing about this work.
    fn leave_out_other_installations(&mut self) {
        let (others, own) =
            std::mem::take(&mut self.instances).into_iter().partition(|instance| instance.elsewhere == Some(true));
        self.instances = own;
        let is_others = |log: &Log| others.iter().any(|instance: &Instance| is_of(log, &instance.id));
        if self.logs.iter().any(is_others) {
            Arc::make_mut(&mut self.logs).retain(|log| !is_others(log));
        }
    }

    /// A row of the database or a line of a server names the work.
    pub fn servers_know_it(&self) -> bool {
        let is_of_server = |hop| matches!(hop, 1 | 2 | 6 | 7 | 8);
        self.identity.row.is_some() || self.facts.iter().any(|fact| is_of_server(fact.hop))
    }

    /// Facts that came later, each in its place.
    pub fn add_facts(&mut self, mut facts: Vec<Fact>) {
        facts.iter_mut().for_each(|fact| self.correct(fact));
        self.facts.extend(facts);
        sort(&mut self.facts);
    }

    /// The table was collected, be it empty.
    pub fn has(&self, table: &str) -> bool {
        self.collected.iter().any(|collected| collected.table_name == table)
    }
}

fn sort(facts: &mut [Fact]) {
    facts.sort_by_key(|fact| (fact.hop, fact.at, row_number(&fact.evidence)));
}

/// `log_lines:9` comes before `log_lines:10`.
pub fn row_number(evidence: &str) -> Option<i64> {
    evidence.split_once(':').and_then(|(_, row)| row.parse().ok())
}

impl Identity {
    /// Each part from the best source that tells it.
    fn of(resource_id: &str, rows: Vec<WorkRow>) -> Self {
        let first = |part: fn(&WorkRow) -> Option<&String>| rows.iter().find_map(part).cloned();
        Self {
            resource_id: resource_id.to_owned(),
            work_name: first(|row| row.work_name.as_ref()),
            consumer: first(|row| row.consumer.as_ref()),
            source: first(|row| row.source.as_ref()),
            server_side: rows.iter().find_map(|row| row.server_side),
            row: rows.into_iter().find(|row| row.rank == 1),
        }
    }

    pub fn name_or_id(&self) -> &str {
        self.work_name.as_deref().unwrap_or(&self.resource_id)
    }
}
