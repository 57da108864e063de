//! Works by the labels that they, their manifests or their objects carry.

use super::super::error::Result;
use super::Meaning;
use super::owners::{of_rows, rows_in};
use crate::bundle::{Hit, Reader, Rows};
use crate::schema::label_value;
use std::collections::BTreeSet;

pub const LABEL: &str = "label";
pub const LABEL_VALUE: &str = "label value";

/// The tables whose rows have `label_pairs`.
pub const TABLES: &[&str] = &["resources", "status_events", "applied_manifest_works", "manifest_works", "kube_objects"];

/// Works with this label.
pub fn pair(reader: &Reader, key: &str, value: &str) -> Result<Meaning> {
    search(reader, LABEL, Some(key), value, &reader.find(&[&key_of(value)])?)
}

/// The ids of the works with this label.
pub fn labelled(reader: &Reader, key: &str, value: &str) -> Result<BTreeSet<String>> {
    Ok(pair(reader, key, value)?.works)
}

/// Works with any label of this value.
pub fn value(reader: &Reader, value: &str) -> Result<Meaning> {
    value_among(reader, value, &reader.find(&[&key_of(value)])?)
}

/// The same, where it is known already where the value stands.
pub fn value_among(reader: &Reader, value: &str, hits: &[Hit]) -> Result<Meaning> {
    search(reader, LABEL_VALUE, None, value, hits)
}

/// What the index calls a label's value.
pub fn key_of(value: &str) -> String {
    format!("={}", label_value(value))
}

fn search(reader: &Reader, taken_for: &'static str, key: Option<&str>, value: &str, hits: &[Hit]) -> Result<Meaning> {
    let value = label_value(value);
    let mut meaning = Meaning::new(taken_for, BTreeSet::new());
    for table in TABLES {
        let mut rows = Vec::new();
        let held = Rows::These(rows_in(hits, table, "label_pairs"));
        reader.texts_of(table, "label_pairs", &held, &mut |row, words| {
            let fits = |word: &&str| {
                word.split_once('=').is_some_and(|(found, rest)| rest == value && key.is_none_or(|key| key == found))
            };
            let mut fitting = words.split(' ').filter(fits).peekable();
            if fitting.peek().is_some() {
                rows.push(row);
            }
            meaning.spelled.extend(fitting.map(str::to_owned));
        })?;
        meaning.works.extend(of_rows(reader, table, rows)?);
    }
    Ok(meaning)
}
