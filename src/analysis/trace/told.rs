//! What the evidence says about works, asked for many of them at once: to plan a statement costs more than to answer it.

use super::super::error::Result;
use crate::query::trace::{
    APPLIED_LISTS, Fact, INSTANCES, Instance, MANIFEST_STATUS, SPEC, TO_THE_AGENT, TO_THE_CLIENT, WORK, WorkRow,
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

/// The statements of the hops on the way to the agent and on the way back. Two threads answer them, each with a connection of
/// its own, after the views were filled that both are written against.
struct Halves {
    there: Vec<&'static Query>,
    back: Vec<&'static Query>,
    shared: Vec<&'static Query>,
}

impl Halves {
    fn of(others: &[&'static Query], comes: impl Fn(&str) -> bool) -> Self {
        let there: Vec<&Query> = TO_THE_AGENT.iter().filter(|query| query.may_answer(&comes)).collect();
        let back = TO_THE_CLIENT.iter().chain(others.iter().copied());
        let back: Vec<&Query> = back.filter(|query| query.may_answer(&comes)).collect();
        let of_back = query::views_of(&back);
        let mut shared = query::views_of(&there);
        shared.retain(|view| of_back.iter().any(|other| other.name == view.name));
        Self { there, back, shared }
    }

    fn own_views(&self, queries: &[&Query]) -> Vec<&'static Query> {
        let is_shared = |view: &&Query| self.shared.iter().any(|shared| shared.name == view.name);
        query::views_of(queries).into_iter().filter(|view| !is_shared(view)).collect()
    }
}

/// Plans what every trace asks, as far as it is about tables of which rows can come.
pub fn plan(store: &Store, beside: &Store, comes: impl Fn(&str) -> bool) -> Result<()> {
    let halves = Halves::of(&[&WORK, &INSTANCES, &SPEC, &MANIFEST_STATUS, &APPLIED_LISTS], comes);
    let Halves { there, back, shared } = &halves;
    query::shape(store, &[there.as_slice(), back].concat())?;
    query::plan(store, &[shared.as_slice(), &halves.own_views(back)].concat(), back)?;
    Ok(query::plan(beside, &halves.own_views(there), there)?)
}

/// What is said about each of these works, be it nothing.
pub fn tell(store: &Store, beside: &mut Store, resource_ids: &[&str]) -> Result<BTreeMap<String, Told>> {
    query::ask(store, resource_ids)?;
    let Halves { there, back, shared } = Halves::of(&[], |table| store.has_rows(table));
    query::make_views(store, shared.iter().map(|view| view.short_name()))?;
    let (facts, rest) = std::thread::scope(|scope| {
        let there = scope.spawn(move || facts(beside, &there));
        let rest = || Ok((facts(store, &back)?, WORK.run(store, &[])?, INSTANCES.run(store, &[])?));
        let rest: Result<(Vec<Fact>, Vec<WorkRow>, Vec<Instance>)> = rest();
        (there.join().unwrap_or_else(|panic| resume_unwind(panic)), rest)
    });
    let (facts, (others, rows, instances)) = (facts?, rest?);
    let mut works: BTreeMap<String, Told> = resource_ids.iter().map(|id| ((*id).to_owned(), Told::default())).collect();
    for fact in facts.into_iter().chain(others) {
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
