//! What the evidence says about works, asked for many of them at once: to plan a statement costs more than to answer it.

use super::super::error::Result;
use crate::query;
use crate::query::trace::{Fact, HOPS, INSTANCES, Instance, WORK, WorkRow};
use crate::store::Store;
use std::collections::BTreeMap;

/// What is said about one work.
#[derive(Clone, Default)]
pub struct Told {
    /// In the order of hops.
    pub facts: Vec<Fact>,
    /// Who it is, the best source first.
    pub rows: Vec<WorkRow>,
    pub instances: Vec<Instance>,
}

/// What is said about each of these works, be it nothing.
pub fn tell(store: &Store, resource_ids: &[&str]) -> Result<BTreeMap<String, Told>> {
    query::ask(store, resource_ids)?;
    let mut works: BTreeMap<String, Told> = resource_ids.iter().map(|id| ((*id).to_owned(), Told::default())).collect();
    for hop in &HOPS {
        for fact in hop.run::<Fact>(store, &[])? {
            works.entry(fact.resource_id.clone()).or_default().facts.push(fact);
        }
    }
    for row in WORK.run::<WorkRow>(store, &[])? {
        works.entry(row.resource_id.clone()).or_default().rows.push(row);
    }
    for instance in INSTANCES.run::<Instance>(store, &[])? {
        works.entry(instance.resource_id.clone()).or_default().instances.push(instance);
    }
    Ok(works)
}
