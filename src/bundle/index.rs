//! The index from a key to its rows, over all tables.
//!
//! It is written in runs, each sorted by key, so that memory stays bounded; the page statistics of a run tell
//! where a key can be. A lookup therefore reads about one page a run.

use super::error::WriteError;
use crate::schema::{Key, Table, label_keys, manifest_keys};
use arrow::array::{AsArray, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use std::collections::HashMap;
use std::sync::Arc;

/// Entries of one run: about 40 MB while it is gathered. A lookup reads a page or two of every run.
const RUN_ENTRIES: usize = 1 << 20;

/// A longer value is not looked up by anyone; its first part would be a lie.
const MAX_KEY: usize = 256;

/// Ids of Azure resources are labels, and name everything that is around them.
const MAX_LABEL: usize = 512;

pub fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("table_name", DataType::Utf8, false),
        Field::new("column_name", DataType::Utf8, false),
        Field::new("row_no", DataType::Int64, false),
    ]))
}

/// Gathers the keys of batches as they are written.
#[derive(Default)]
pub struct Gatherer {
    keys: HashMap<Box<str>, u32>,
    entries: Vec<(u32, u16, i64)>,
    places: Vec<(&'static str, &'static str)>,
}

impl Gatherer {
    /// Takes the keys of a batch whose first row has the number `first_row`.
    pub fn add(&mut self, table: &'static Table, batch: &RecordBatch, first_row: i64) {
        let mut has_key = vec![false; batch.num_rows()];
        // What counts only where there is nothing else comes last.
        let (alone, others): (Vec<_>, Vec<_>) =
            table.columns.iter().zip(batch.columns()).partition(|(column, _)| column.key == Key::Alone);
        for (column, array) in others.into_iter().chain(alone).filter(|(column, _)| column.key != Key::No) {
            let place = self.place(table.name, column.name);
            let Some(values) = array.as_string_opt::<i32>() else { continue };
            let longest = if column.key == Key::Labels { MAX_LABEL } else { MAX_KEY };
            for ((value, has_key), row_no) in values.iter().zip(&mut has_key).zip(first_row..) {
                let Some(value) = value else { continue };
                let mut entry = |key: &str| self.entry(key, longest, place, row_no);
                match column.key {
                    Key::Words => value.split(' ').for_each(entry),
                    Key::Manifests => manifest_keys(value).for_each(entry),
                    Key::Labels => label_keys(value).for_each(entry),
                    Key::Alone if *has_key => continue,
                    Key::Whole | Key::Alone | Key::No => entry(value),
                }
                *has_key = true;
            }
        }
    }

    pub fn is_full(&self) -> bool {
        self.entries.len() >= RUN_ENTRIES
    }

    /// Hands over a sorted run, if there is anything in it.
    pub fn take(&mut self) -> Result<Option<RecordBatch>, WriteError> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        // Most keys differ in their first bytes, and numbers are compared faster than texts.
        let mut sorted: Vec<(u64, &str, u32)> = self.keys.iter().map(|(key, id)| (first(key), &**key, *id)).collect();
        sorted.sort_unstable();
        let mut rank = vec![0_u32; sorted.len()];
        for ((_, _, id), position) in sorted.iter().zip(0..) {
            if let Some(rank) = rank.get_mut(*id as usize) {
                *rank = position;
            }
        }
        for (id, _, _) in &mut self.entries {
            *id = rank.get(*id as usize).copied().unwrap_or_default();
        }
        self.entries.sort_unstable();
        // Many manifests of a work are in one namespace.
        self.entries.dedup();
        let rows = self.entries.len();
        let texts = |bytes: usize| StringBuilder::with_capacity(rows, rows * bytes);
        // A key is mostly a UUID.
        let mut columns = (texts(36), texts(16), texts(16), Int64Builder::with_capacity(rows));
        for (rank, place, row_no) in &self.entries {
            let key = sorted.get(*rank as usize).map_or("", |(_, key, _)| key);
            let (table, column) = self.places.get(usize::from(*place)).copied().unwrap_or_default();
            columns.0.append_value(key);
            columns.1.append_value(table);
            columns.2.append_value(column);
            columns.3.append_value(*row_no);
        }
        let (mut keys, mut tables, mut names, mut rows) = columns;
        let batch = RecordBatch::try_new(
            schema(),
            vec![Arc::new(keys.finish()), Arc::new(tables.finish()), Arc::new(names.finish()), Arc::new(rows.finish())],
        );
        self.keys.clear();
        self.entries.clear();
        batch.map(Some).map_err(|error| WriteError::Encode(error.to_string()))
    }

    fn place(&mut self, table: &'static str, column: &'static str) -> u16 {
        let place = (table, column);
        let known = self.places.iter().position(|other| *other == place);
        known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        }) as u16
    }

    fn entry(&mut self, key: &str, longest: usize, place: u16, row_no: i64) {
        if key.is_empty() || key.len() > longest {
            return;
        }
        let next = self.keys.len() as u32;
        let id = match self.keys.get(key) {
            Some(id) => *id,
            None => {
                self.keys.insert(key.into(), next);
                next
            }
        };
        self.entries.push((id, place, row_no));
    }
}

/// The beginning of a key as a number of the same order.
fn first(key: &str) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(key.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}
