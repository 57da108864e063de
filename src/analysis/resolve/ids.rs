//! Works by ids and names that stand in columns of their own.

use super::super::error::Result;
use super::owners;
use super::{Meaning, columns_of};
use crate::bundle::{Hit, Reader, Rows};
use std::collections::BTreeSet;

pub const RESOURCE_ID: &str = "resource id";
pub const WORK_NAME: &str = "work name";
pub const APPLIED_WORK: &str = "AppliedManifestWork";
const OP_ID: &str = "op-id";
const EVENT_ID: &str = "event id";
const STATUS_EVENT_ID: &str = "status event id";
const CLOUD_EVENT_ID: &str = "CloudEvent id";

/// Where an identifier can stand, what it then is, and which column of that row names the resource.
pub struct Entry {
    pub table: &'static str,
    pub column: &'static str,
    pub taken_for: &'static str,
    id_column: &'static str,
}

const fn entry(table: &'static str, column: &'static str, taken_for: &'static str, id_column: &'static str) -> Entry {
    Entry { table, column, taken_for, id_column }
}

/// In the order of preference.
pub const ENTRIES: &[Entry] = &[
    entry("resources", "id", RESOURCE_ID, "id"),
    entry("events", "source_id", RESOURCE_ID, "source_id"),
    entry("status_events", "resource_id", RESOURCE_ID, "resource_id"),
    entry("log_lines", "resource_id", RESOURCE_ID, "resource_id"),
    entry("resources", "work_name", WORK_NAME, "id"),
    entry("status_events", "work_name", WORK_NAME, "resource_id"),
    entry("log_lines", "work_name", WORK_NAME, "resource_id"),
    entry("applied_manifest_works", "name", APPLIED_WORK, "manifest_work_name"),
    entry("log_lines", "applied_work", APPLIED_WORK, "resource_id"),
    entry("resources", "op_id", OP_ID, "id"),
    entry("status_events", "op_id", OP_ID, "resource_id"),
    entry("log_lines", "op_id", OP_ID, "resource_id"),
    entry("events", "id", EVENT_ID, "source_id"),
    entry("status_events", "id", STATUS_EVENT_ID, "resource_id"),
    entry("resources", "spec_event_id", CLOUD_EVENT_ID, "id"),
    entry("resources", "status_cloud_event_id", CLOUD_EVENT_ID, "id"),
    entry("status_events", "spec_event_id", CLOUD_EVENT_ID, "resource_id"),
    entry("status_events", "status_cloud_event_id", CLOUD_EVENT_ID, "resource_id"),
    entry("log_lines", "cloud_event_id", CLOUD_EVENT_ID, "resource_id"),
];

/// What counts only where nothing of the above leads to a work: a line does not tell which kind of event it names,
/// and an agent's work may be called by its id or, before 2026, by its name.
const LAST: &[Entry] = &[
    entry("log_lines", "event_id", EVENT_ID, "resource_id"),
    entry("applied_manifest_works", "manifest_work_name", RESOURCE_ID, "manifest_work_name"),
];

/// Rows that are looked at for one identifier in one table of logs; all of them name the same few works.
pub const ENOUGH_ROWS: usize = 256;

/// Everything that the word is by itself, best first.
pub fn meanings(reader: &Reader, word: &str) -> Result<Vec<Meaning>> {
    meanings_of(reader, word, &reader.find(&[word])?)
}

/// The same, where it is known already where the word stands.
pub fn meanings_of(reader: &Reader, word: &str, hits: &[Hit]) -> Result<Vec<Meaning>> {
    let mut meanings: Vec<Meaning> = Vec::new();
    for taken_for in kinds_among(hits, ENTRIES) {
        let works = match taken_for {
            APPLIED_WORK => owners::of_applied(reader, &BTreeSet::from([word.to_owned()]))?,
            WORK_NAME => named(reader, hits, None)?,
            _ => works_of(reader, hits, ENTRIES, taken_for)?,
        };
        meanings.push(Meaning::new(taken_for, works));
    }
    if meanings.iter().all(|meaning| meaning.works.is_empty()) {
        let mut works = BTreeSet::new();
        follow_operations(reader, hits, &mut works)?;
        for taken_for in kinds_among(hits, LAST) {
            if works.is_empty() {
                works = works_of(reader, hits, LAST, taken_for)?;
                meanings.push(Meaning::new(taken_for, BTreeSet::new()));
            }
        }
        // The best of its meanings, through what leads anywhere.
        meanings.truncate(1);
        meanings.iter_mut().for_each(|meaning| meaning.works = works.clone());
    }
    meanings.retain(|meaning| !meaning.works.is_empty());
    Ok(meanings)
}

/// What the entries among the hits are, in order and once each.
fn kinds_among(hits: &[Hit], entries: &[Entry]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for entry in entries.iter().filter(|entry| hits.iter().any(|hit| hit.is_in(entry.table, entry.column))) {
        if !kinds.contains(&entry.taken_for) {
            kinds.push(entry.taken_for);
        }
    }
    kinds
}

/// The resources that the rows name in which a word stands as such.
fn works_of(reader: &Reader, hits: &[Hit], entries: &[Entry], taken_for: &str) -> Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for entry in entries.iter().filter(|entry| entry.taken_for == taken_for) {
        let hits = hits.iter().filter(|hit| hit.is_in(entry.table, entry.column));
        // Where the id itself stands, there is nothing to read.
        if entry.column == entry.id_column {
            ids.extend(hits.map(|hit| hit.key.clone()));
            continue;
        }
        let rows = Rows::These(enough(entry.table, hits.map(|hit| hit.row_no)));
        reader.texts_of(entry.table, entry.id_column, &rows, &mut |_, id| {
            ids.insert(id.to_owned());
        })?;
    }
    Ok(ids)
}

/// Is the word known as a resource's id?
pub fn is_resource(hits: &[Hit], word: &str) -> bool {
    let is_id = |hit: &Hit| {
        let named = ENTRIES.iter().find(|entry| hit.is_in(entry.table, entry.column));
        hit.key == word && named.is_some_and(|entry| entry.taken_for == RESOURCE_ID)
    };
    hits.iter().any(is_id)
}

/// The works of that name, those of some consumers only if there are any given. Not every row tells its consumer.
pub fn named(reader: &Reader, hits: &[Hit], consumers: Option<&BTreeSet<String>>) -> Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for entry in ENTRIES.iter().filter(|entry| entry.taken_for == WORK_NAME) {
        let rows = hits.iter().filter(|hit| hit.is_in(entry.table, entry.column)).map(|hit| hit.row_no);
        let rows = enough(entry.table, rows);
        let consumer = match entry.table {
            "resources" => "consumer_name",
            "log_lines" => "consumer",
            _ => "",
        };
        for row in columns_of(reader, entry.table, [entry.id_column, consumer], rows)?.into_values() {
            let [Some(id), consumer] = row else { continue };
            let fits = consumer.zip(consumers).is_none_or(|(consumer, wanted)| wanted.contains(&consumer));
            if fits {
                ids.insert(id);
            }
        }
    }
    Ok(ids)
}

/// All rows of a table that has one for each work, some rows of a log.
fn enough(table: &str, rows: impl Iterator<Item = i64>) -> Vec<i64> {
    let most = if table == "log_lines" { ENOUGH_ROWS } else { usize::MAX };
    rows.take(most).collect()
}

/// A client's line may name a work that no server has seen; its operation id may be on other lines.
fn follow_operations(reader: &Reader, hits: &[Hit], ids: &mut BTreeSet<String>) -> Result<()> {
    let rows = hits.iter().filter(|hit| hit.table == "log_lines").map(|hit| hit.row_no).take(ENOUGH_ROWS);
    let mut operations = BTreeSet::new();
    reader.texts_of("log_lines", "op_id", &Rows::These(rows.collect()), &mut |_, op_id| {
        operations.insert(op_id.to_owned());
    })?;
    let keys: Vec<&str> = operations.iter().map(String::as_str).collect();
    let lines = reader.find(&keys)?.into_iter().filter(|hit| hit.is_in("log_lines", "op_id")).map(|hit| hit.row_no);
    let lines = Rows::These(lines.take(ENOUGH_ROWS).collect());
    reader.texts_of("log_lines", "resource_id", &lines, &mut |_, id| {
        ids.insert(id.to_owned());
    })?;
    Ok(())
}
