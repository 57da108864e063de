//! Works by their ids, introduced by name and consumer.

use super::super::error::Result;
use super::columns_of;
use super::ids::ENOUGH_ROWS;
use super::owners::rows_in;
use crate::bundle::Reader;
use crate::model::Candidate;
use std::collections::{BTreeMap, BTreeSet};

/// Works without a row in the database are looked up one by one, so many of them.
const LOOKED_UP: usize = 50;

/// The first `most` of these works, in the order of their names.
pub fn introduce(reader: &Reader, ids: &BTreeSet<String>, most: usize) -> Result<Vec<Candidate>> {
    let mut known = stored(reader, ids)?;
    let strangers = ids.iter().filter(|id| !known.contains_key(*id)).take(LOOKED_UP);
    let strangers: Vec<Candidate> = strangers.map(|id| remembered(reader, id)).collect::<Result<_>>()?;
    known.extend(strangers.into_iter().map(|work| (work.resource_id.clone(), work)));
    let rest = ids.iter().filter(|id| !known.contains_key(*id)).map(|id| Candidate::of(id)).collect::<Vec<_>>();
    let mut works: Vec<Candidate> = known.into_values().chain(rest).collect();
    works.sort_by_cached_key(|work| {
        (work.work_name.is_none(), work.work_name.clone(), work.consumer.clone(), work.resource_id.clone())
    });
    works.truncate(most);
    Ok(works)
}

/// Those that have a row in the database.
fn stored(reader: &Reader, ids: &BTreeSet<String>) -> Result<BTreeMap<String, Candidate>> {
    let mut rows = BTreeMap::new();
    reader.texts("resources", "id", |row, id| {
        if ids.contains(id) {
            rows.insert(row, id.to_owned());
        }
    })?;
    let columns = ["id", "work_name", "consumer_name", "source"];
    let mut known: BTreeMap<String, Candidate> = BTreeMap::new();
    for [id, work_name, consumer, source] in columns_of(reader, "resources", columns, rows.into_keys())?.into_values() {
        let Some(id) = id else { continue };
        // The same row may be there in several forms, each with a part of it.
        let work = known.entry(id.clone()).or_insert_with(|| Candidate::of(&id));
        work.learn(work_name, consumer, source);
    }
    Ok(known)
}

/// One that only other rows and lines remember.
fn remembered(reader: &Reader, id: &str) -> Result<Candidate> {
    let hits = reader.find(&[id])?;
    let mut work = Candidate::of(id);
    let rows = rows_in(&hits, "status_events", "resource_id");
    for [work_name, source] in
        columns_of(reader, "status_events", ["work_name", "resource_source"], rows)?.into_values()
    {
        work.learn(work_name, None, source.filter(|source| !source.is_empty()));
    }
    let lines = rows_in(&hits, "log_lines", "resource_id").into_iter().take(ENOUGH_ROWS);
    for [work_name, consumer, source] in
        columns_of(reader, "log_lines", ["work_name", "consumer", "source"], lines)?.into_values()
    {
        work.learn(work_name, consumer, source);
    }
    Ok(work)
}
