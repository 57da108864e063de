//! From what a person typed to resource ids.

use super::error::{Error, Result};
use crate::bundle::{Hit, Reader, Rows};
use std::collections::BTreeSet;

/// What an argument turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub struct Resolved {
    pub taken_for: &'static str,
    pub resource_ids: Vec<String>,
}

const RESOURCE_ID: &str = "resource id";
const WORK_NAME: &str = "work name";
const APPLIED_WORK: &str = "AppliedManifestWork";

/// Where an identifier can stand, what it then is, and which column of that row names the resource. In the
/// order of preference: a name that is also a label somewhere is a name.
const ENTRIES: &[(&str, &str, &str, &str)] = &[
    ("resources", "id", RESOURCE_ID, "id"),
    ("events", "source_id", RESOURCE_ID, "source_id"),
    ("status_events", "resource_id", RESOURCE_ID, "resource_id"),
    ("log_lines", "resource_id", RESOURCE_ID, "resource_id"),
    ("resources", "work_name", WORK_NAME, "id"),
    ("status_events", "work_name", WORK_NAME, "resource_id"),
    ("log_lines", "work_name", WORK_NAME, "resource_id"),
    ("applied_manifest_works", "manifest_work_name", RESOURCE_ID, "manifest_work_name"),
    ("applied_manifest_works", "name", APPLIED_WORK, "manifest_work_name"),
    ("resources", "op_id", "op-id", "id"),
    ("log_lines", "op_id", "op-id", "resource_id"),
    ("events", "id", "event id", "source_id"),
    ("status_events", "id", "status event id", "resource_id"),
    ("resources", "spec_event_id", "CloudEvent id", "id"),
    ("log_lines", "cloud_event_id", "CloudEvent id", "resource_id"),
];

/// Rows that are looked at for one identifier in one table; all of them name the same few works.
const ENOUGH_ROWS: usize = 256;
const MAX_NEAR: usize = 5;

pub fn resolve(reader: &Reader, asked: &str) -> Result<Resolved> {
    let hits = reader.find(&[asked])?;
    let first = ENTRIES.iter().find(|(table, column, ..)| hits.iter().any(|hit| hit.is_in(table, column)));
    let Some((_, _, taken_for, _)) = first else {
        return Err(not_found(reader, asked)?);
    };
    let mut ids = ids_of(reader, &hits, taken_for)?;
    if *taken_for == APPLIED_WORK {
        ids = by_name(reader, ids)?;
    }
    if ids.is_empty() {
        follow_operations(reader, &hits, &mut ids)?;
    }
    if ids.is_empty() {
        // Nothing tells the id of a work that only an agent and its cluster know, by name.
        ids = ids_of(reader, &hits, RESOURCE_ID)?;
    }
    if ids.is_empty() {
        return Err(not_found(reader, asked)?);
    }
    Ok(Resolved { taken_for, resource_ids: ids.into_iter().collect() })
}

/// The resources that the rows name in which the argument stands as such.
fn ids_of(reader: &Reader, hits: &[Hit], taken_for: &str) -> Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for (table, column, _, id_column) in ENTRIES.iter().filter(|(_, _, kind, _)| *kind == taken_for) {
        let rows = hits.iter().filter(|hit| hit.is_in(table, column)).map(|hit| hit.row_no);
        let rows = Rows::These(rows.take(ENOUGH_ROWS).collect());
        reader.texts_of(table, id_column, &rows, &mut |_, id| {
            ids.insert(id.to_owned());
        })?;
    }
    Ok(ids)
}

/// Before 2026-01-14 an AppliedManifestWork told the name of its work in place of the id.
fn by_name(reader: &Reader, works: BTreeSet<String>) -> Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for work in works {
        let named = ids_of(reader, &reader.find(&[&work])?, WORK_NAME)?;
        if named.is_empty() {
            ids.insert(work);
        }
        ids.extend(named);
    }
    Ok(ids)
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

fn not_found(reader: &Reader, asked: &str) -> Result<Error> {
    let mut names = BTreeSet::new();
    let mut ids = BTreeSet::new();
    reader.texts("resources", "work_name", |_, name| {
        names.insert(name.to_owned());
    })?;
    reader.texts("resources", "id", |_, id| {
        ids.insert(id.to_owned());
    })?;
    let searched =
        format!("{} work names and {} resource ids of the database, and every id in the logs", names.len(), ids.len());
    Ok(Error::NotFound { asked: asked.to_owned(), searched, near: near(asked, names.iter().chain(&ids)) })
}

/// Names that begin alike, or are a slip of the hand away; the nearest first.
fn near<'a>(asked: &str, names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let asked = asked.to_lowercase();
    let tolerated = 1 + asked.chars().count() / 4;
    let mut near: Vec<(usize, &String)> = names
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let distance = if lower.contains(&asked) || asked.contains(&lower) { 0 } else { distance(&asked, &lower) };
            (distance <= tolerated).then_some((distance, name))
        })
        .collect();
    near.sort();
    near.into_iter().take(MAX_NEAR).map(|(_, name)| name.clone()).collect()
}

/// Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (b, above) in other.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = *above;
            left = replaced.min(left + 1).min(above + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_is_near_and_another_word_is_not() {
        let names = ["nginx-work".to_owned(), "nginx-work-2".to_owned(), "billing".to_owned()];
        assert_eq!(near("ngnix-work", names.iter()), ["nginx-work"]);
        assert_eq!(near("nginx", names.iter()), ["nginx-work", "nginx-work-2"]);
        assert!(near("payments", names.iter()).is_empty());
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
