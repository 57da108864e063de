//! The index from a key to its rows, over all tables.
//!
//! It is written in runs, each sorted by key, so that memory stays bounded; the page statistics of a run tell
//! where a key can be. A lookup therefore reads about one page a run.

use super::error::WriteError;
use crate::schema::{Key, Table, label_keys, manifest_keys};
use arrow::array::{AsArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use std::collections::HashMap;
use std::sync::Arc;

/// Entries of one run. A lookup reads a page or two of every run.
const RUN_ENTRIES: usize = 1 << 20;

/// What a run may take while it is gathered. One of many keys is full before it has all its entries; and there are two of
/// them while one is written.
const RUN_BYTES: usize = 64 << 20;

/// What is kept of an entry, and of a key beside its text.
const ENTRY_BYTES: usize = size_of::<u32>() + size_of::<i64>();
const KEY_BYTES: usize = size_of::<Known>() + 2 * size_of::<(Arc<str>, u32)>() + 2 * size_of::<usize>();

/// Entries that are handed over together.
const BATCH_ENTRIES: usize = 1 << 14;

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
    /// Columns that have keys, in the order in which they were met.
    places: Vec<Place>,
    /// What is known of each key by its number. A key that stands in two columns has two numbers.
    known: Vec<Known>,
    /// The key and the row of each entry.
    ids: Vec<u32>,
    rows: Vec<i64>,
    /// The memory that all keys take.
    key_bytes: usize,
}

struct Place {
    table: &'static str,
    column: &'static str,
    numbers: HashMap<Arc<str>, u32>,
    /// The number of the key before: log lines about one thing stand together.
    last: u32,
}

struct Known {
    key: Arc<str>,
    place: usize,
    entries: usize,
    last_row: i64,
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
        self.ids.len() >= RUN_ENTRIES || self.key_bytes + self.ids.len() * ENTRY_BYTES >= RUN_BYTES
    }

    /// Hands over the run, sorted by key.
    pub fn each_batch(self, mut each: impl FnMut(RecordBatch) -> Result<(), WriteError>) -> Result<(), WriteError> {
        // Most keys differ in their first bytes, and numbers are compared faster than texts.
        let mut sorted: Vec<_> = self.known.iter().zip(0..).map(|(known, id)| (first(&known.key), known, id)).collect();
        sorted.sort_unstable_by(|(one, known, _), (other, than, _)| {
            (one, &known.key, known.place).cmp(&(other, &than.key, than.place))
        });
        let row_nos = self.row_nos(sorted.iter().map(|(_, known, id)| (*id, known.entries)));
        let keys = sorted.iter().flat_map(|(_, known, _)| std::iter::repeat_n(*known, known.entries));
        let mut entries = keys.zip(row_nos).filter_map(|(known, row_no)| {
            let place = self.places.get(known.place)?;
            Some((&*known.key, place.table, place.column, row_no))
        });
        loop {
            let piece: Vec<_> = entries.by_ref().take(BATCH_ENTRIES).collect();
            if piece.is_empty() {
                return Ok(());
            }
            let batch = RecordBatch::try_new(
                schema(),
                vec![
                    Arc::new(StringArray::from_iter_values(piece.iter().map(|(key, ..)| key))),
                    Arc::new(StringArray::from_iter_values(piece.iter().map(|(_, table, ..)| table))),
                    Arc::new(StringArray::from_iter_values(piece.iter().map(|(_, _, column, _)| column))),
                    Arc::new(Int64Array::from_iter_values(piece.iter().map(|(.., row_no)| *row_no))),
                ],
            );
            each(batch.map_err(|error| WriteError::Encode(error.to_string()))?)?;
        }
    }

    /// The rows of all entries, key after key in the order given. How many each key has is known, so each row goes
    /// straight to its place, and those of one key stay in their order.
    fn row_nos(&self, keys: impl Iterator<Item = (usize, usize)>) -> Vec<i64> {
        let mut next = vec![0; self.known.len()];
        let mut start = 0;
        for (id, entries) in keys {
            if let Some(next) = next.get_mut(id) {
                *next = start;
            }
            start += entries;
        }
        let mut row_nos = vec![0; self.rows.len()];
        for (id, row_no) in self.ids.iter().zip(&self.rows) {
            let Some(next) = next.get_mut(*id as usize) else { continue };
            if let Some(to) = row_nos.get_mut(*next) {
                *to = *row_no;
            }
            *next += 1;
        }
        row_nos
    }

    fn place(&mut self, table: &'static str, column: &'static str) -> usize {
        let known = self.places.iter().position(|place| (place.table, place.column) == (table, column));
        known.unwrap_or_else(|| {
            self.places.push(Place { table, column, numbers: HashMap::new(), last: 0 });
            self.places.len() - 1
        })
    }

    fn entry(&mut self, key: &str, longest: usize, place: usize, row_no: i64) {
        if key.is_empty() || key.len() > longest {
            return;
        }
        let id = self.number(key, place);
        let Some(known) = self.known.get_mut(id as usize) else { return };
        // Many manifests of a work are in one namespace.
        if known.last_row == row_no {
            return;
        }
        known.entries += 1;
        known.last_row = row_no;
        self.ids.push(id);
        self.rows.push(row_no);
    }

    /// The number of a key in a column, which may be a new one.
    fn number(&mut self, key: &str, index: usize) -> u32 {
        let Some(place) = self.places.get_mut(index) else { unreachable!("the place was just found") };
        let last = self.known.get(place.last as usize);
        if last.is_some_and(|last| last.place == index && *last.key == *key) {
            return place.last;
        }
        place.last = place.numbers.get(key).copied().unwrap_or_else(|| {
            let (key, number) = (Arc::<str>::from(key), self.known.len() as u32);
            place.numbers.insert(key.clone(), number);
            self.key_bytes += key.len() + KEY_BYTES;
            self.known.push(Known { key, place: index, entries: 0, last_row: 0 });
            number
        });
        place.last
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Class, Column, Kind, Names};

    const TABLE: Table = Table {
        name: "t",
        doc: "",
        columns: &[column("id", Key::Whole), column("names", Key::Words), column("note", Key::Alone)],
    };

    const fn column(name: &'static str, key: Key) -> Column {
        Column { name, kind: Kind::Text, nullable: true, class: Class::Identifier(Names::Id), key, doc: "" }
    }

    fn batch(rows: &[[Option<&str>; 3]]) -> RecordBatch {
        let columns = [0, 1, 2].map(|column| {
            let values: StringArray = rows.iter().map(|row| row[column]).collect();
            Arc::new(values) as Arc<dyn arrow::array::Array>
        });
        let schema = Schema::new(
            TABLE.columns.iter().map(|column| Field::new(column.name, DataType::Utf8, true)).collect::<Vec<_>>(),
        );
        RecordBatch::try_new(Arc::new(schema), columns.to_vec()).unwrap()
    }

    fn entries(gatherer: Gatherer) -> Vec<(String, String, i64)> {
        let mut found = Vec::new();
        gatherer
            .each_batch(|batch| {
                let text = |column: usize, row: usize| batch.column(column).as_string::<i32>().value(row).to_owned();
                let rows = batch.column(3).as_primitive::<arrow::datatypes::Int64Type>();
                found.extend((0..batch.num_rows()).map(|row| (text(0, row), text(2, row), rows.value(row))));
                Ok(())
            })
            .unwrap();
        found
    }

    #[test]
    fn a_run_is_sorted_by_key_and_the_rows_of_a_key_rise() {
        static GIVEN: Table = TABLE;
        let mut gatherer = Gatherer::default();
        gatherer.add(&GIVEN, &batch(&[[Some("b"), None, None], [Some("b"), Some("b a b"), Some("said")]]), 1);
        gatherer.add(
            &GIVEN,
            &batch(&[[Some("a"), None, None], [None, None, Some("said")], [Some("b"), None, None]]),
            3,
        );
        let expected = [
            ("a", "id", 3),
            ("a", "names", 2),
            ("b", "id", 1),
            ("b", "id", 2),
            ("b", "id", 5),
            ("b", "names", 2),
            ("said", "note", 4),
        ];
        let expected = expected.map(|(key, column, row)| (key.to_owned(), column.to_owned(), row));
        assert_eq!(entries(gatherer), expected);
        assert_eq!(entries(Gatherer::default()), []);
    }

    #[test]
    fn a_run_of_many_batches_loses_nothing() {
        static GIVEN: Table = TABLE;
        let count = BATCH_ENTRIES + 3;
        let keys: Vec<String> = (0..count).map(|number| format!("{:08}", number % 1000)).collect();
        let rows: Vec<_> = keys.iter().map(|key| [Some(key.as_str()), None, None]).collect();
        let mut gatherer = Gatherer::default();
        gatherer.add(&GIVEN, &batch(&rows), 1);
        let found = entries(gatherer);
        assert_eq!(found.len(), count);
        assert!(found.is_sorted());
        assert!(found.iter().all(|(key, _, row)| keys[*row as usize - 1] == *key));
    }

    #[test]
    fn a_run_is_full_by_its_entries_or_by_its_keys() {
        let entries = |key: fn(i64) -> String| {
            let mut gatherer = Gatherer::default();
            let place = gatherer.place("t", "key");
            let rows = (1..).take_while(|row_no| {
                gatherer.entry(&key(*row_no), MAX_KEY, place, *row_no);
                !gatherer.is_full()
            });
            rows.count() + 1
        };
        assert_eq!(entries(|_| "web".to_owned()), RUN_ENTRIES);
        let of_ids = entries(|number| format!("{number:036}"));
        assert!(of_ids * (36 + KEY_BYTES + ENTRY_BYTES) >= RUN_BYTES && of_ids < RUN_ENTRIES / 2, "{of_ids}");
    }
}
