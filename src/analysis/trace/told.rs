//! What the evidence says about works, asked for many of them at once: to plan a statement costs more than to answer it.

use super::super::error::Result;
use crate::query::trace::{
    APPLIED_LISTS, Fact, INSTANCES, Instance, MANIFEST_STATUS, OF_AGENTS, OF_SERVERS, SPEC, WORK, WorkRow,
};
use crate::query::{self, Query};
use crate::store::Store;
use std::collections::BTreeMap;
use std::panic::resume_unwind;

/// What is said about one work.
#[derive(Clone, Default)]
pub struct Told {
    pub facts: Vec<Fact>,
    /// Who it is, the best source first.
    pub rows: Vec<WorkRow>,
    pub instances: Vec<Instance>,
}

/// Statements about servers and about agents. Two threads answer them, each with a connection of its own, after the views
/// were filled that both are written against.
struct Halves {
    servers: Vec<&'static Query>,
    agents: Vec<&'static Query>,
    shared: Vec<&'static Query>,
}

impl Halves {
    fn of(comes: impl Fn(&str) -> bool) -> Self {
        let may_answer = |queries: &'static [Query]| queries.iter().filter(|query| query.may_answer(&comes)).collect();
        let (servers, agents): (Vec<&Query>, Vec<&Query>) = (may_answer(&OF_SERVERS), may_answer(&OF_AGENTS));
        let of_agents = query::views_of(&agents);
        let mut shared = query::views_of(&servers);
        shared.retain(|view| of_agents.iter().any(|other| other.name == view.name));
        Self { servers, agents, shared }
    }

    fn own_views(&self, queries: &[&Query]) -> Vec<&'static Query> {
        let is_shared = |view: &&Query| self.shared.iter().any(|shared| shared.name == view.name);
        query::views_of(queries).into_iter().filter(|view| !is_shared(view)).collect()
    }
}

/// Makes the tables for what every trace asks, as far as it is about tables of which rows can come, and tells what can be planned,
/// in the order in which it is run, by turns for the one connection and the other.
pub fn plans<'a>(
    store: &'a Store,
    beside: &'a Store,
    comes: impl Fn(&str) -> bool,
) -> Result<impl Iterator<Item = (&'a Store, &'static Query)>> {
    let of_manifests = [&SPEC, &MANIFEST_STATUS, &APPLIED_LISTS].into_iter().filter(|query| query.may_answer(&comes));
    let halves = Halves::of(&comes);
    let Halves { servers, agents, .. } = &halves;
    let servers: Vec<&Query> = servers.iter().copied().chain(of_manifests).collect();
    let agents: Vec<&Query> = agents.iter().copied().chain([&WORK, &INSTANCES]).collect();
    query::shape(store, &[servers.as_slice(), &agents].concat())?;
    let views_of_agents = halves.own_views(&agents);
    let mut views = query::views_of(&servers);
    views.retain(|view| !views_of_agents.iter().any(|other| other.name == view.name));
    let (of_servers, of_agents) = ([views, servers].concat(), [views_of_agents, agents].concat());
    let turns = (0..of_servers.len().max(of_agents.len())).flat_map(move |turn| {
        let agents = of_agents.get(turn).map(|query| (beside, *query));
        of_servers.get(turn).map(|query| (store, *query)).into_iter().chain(agents)
    });
    Ok(turns)
}

/// What is said about each of these works, be it nothing.
pub fn tell(store: &Store, beside: &mut Store, resource_ids: &[&str]) -> Result<BTreeMap<String, Told>> {
    query::ask(store, resource_ids)?;
    let Halves { servers, agents, shared } = Halves::of(|table| store.has_rows(table));
    query::make_views(store, shared.iter().map(|view| view.short_name()))?;
    let (by_servers, rest) = std::thread::scope(|scope| {
        let rest = scope.spawn(move || -> Result<(Vec<Fact>, Vec<WorkRow>, Vec<Instance>)> {
            Ok((facts(beside, &agents)?, WORK.run(beside, &[])?, INSTANCES.run(beside, &[])?))
        });
        (facts(store, &servers), rest.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (by_servers, (by_agents, rows, instances)) = (by_servers?, rest?);
    let mut works: BTreeMap<String, Told> = resource_ids.iter().map(|id| ((*id).to_owned(), Told::default())).collect();
    for fact in by_servers.into_iter().chain(by_agents) {
        works.entry(fact.resource_id.clone()).or_default().facts.push(fact);
    }
    for row in rows {
        works.entry(row.resource_id.clone()).or_default().rows.push(row);
    }
    for instance in instances {
        works.entry(instance.resource_id.clone()).or_default().instances.push(instance);
    }
    Ok(works)
}

fn facts(store: &Store, hops: &[&Query]) -> Result<Vec<Fact>> {
    let mut facts = Vec::new();
    for hop in hops {
        facts.extend(hop.run::<Fact>(store, &[])?);
    }
    Ok(facts)
}
