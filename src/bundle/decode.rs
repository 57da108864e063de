//! Parquet to Arrow, from checked bytes, for the rows that are asked for.

use super::batch::cell;
use super::error::Damage;
use super::footer::Footer;
use super::limits::Limits;
use super::member::VerifiedMember;
use super::quiet::quietly;
use super::reader::{Columns, Hit, Rows};
use super::reading::{Reading, Wanted};
use crate::schema::{Cell, Family, Record, Table};
use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{Int64Type, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use std::collections::BTreeSet;
use std::sync::Arc;

const BATCH_ROWS: usize = 4096;
/// Keys are written as what differs from the key before: what a page of them becomes is bounded by rows alone.
const INDEX_BATCH_ROWS: usize = 256;

pub struct Decoder {
    pub member: VerifiedMember,
    footer: Arc<Footer>,
    limits: Limits,
}

/// Runs `read` so that even a bug in the decoder is an error about the member, and damage keeps its name.
pub fn guarded<T>(
    member: &VerifiedMember,
    read: impl FnOnce(VerifiedMember) -> Result<T, Damage>,
) -> Result<T, Damage> {
    let outcome = quietly(|| read(member.clone()));
    let outcome = outcome.unwrap_or_else(|| Err(member.undecodable("the decoder gave up")));
    outcome.map_err(|error| member.take_damage().unwrap_or(error))
}

impl Decoder {
    pub fn open(member: VerifiedMember, limits: &Limits) -> Result<Self, Damage> {
        let footer = Arc::new(Footer::read(&member, limits)?);
        Ok(Self { member, footer, limits: *limits })
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.footer.metadata.metadata()
    }

    pub fn schema(&self) -> SchemaRef {
        self.footer.metadata.schema().clone()
    }

    /// One text column, without touching the others.
    pub fn texts(&self, column: &str, rows: &Rows, each: &mut impl FnMut(i64, &str)) -> Result<(), Damage> {
        self.read(rows, Columns::Only(&[column]), &mut |batch, numbers| {
            let Some(array) = batch.columns().first() else { return };
            for (row, number) in (0..batch.num_rows()).zip(numbers) {
                if let Cell::Text(text) = cell(array.as_ref(), row) {
                    each(number, text);
                }
            }
        })
    }

    /// Some columns of all rows.
    pub fn cells(&self, columns: &[&str], each: &mut impl FnMut(i64, &[Cell<'_>])) -> Result<(), Damage> {
        self.read(&Rows::All, Columns::Only(columns), &mut |batch, numbers| {
            let arrays: Vec<_> = columns.iter().map(|column| batch.column_by_name(column)).collect();
            let mut cells = Vec::with_capacity(arrays.len());
            for (row, number) in (0..batch.num_rows()).zip(numbers) {
                cells.clear();
                cells.extend(arrays.iter().map(|array| array.map_or(Cell::Null, |array| cell(array.as_ref(), row))));
                each(number, &cells);
            }
        })
    }

    /// Rows with these columns.
    pub fn read(
        &self,
        rows: &Rows,
        columns: Columns<'_>,
        each: &mut impl FnMut(RecordBatch, Vec<i64>),
    ) -> Result<(), Damage> {
        let schema = self.schema();
        let names = schema.fields().iter().map(|field| field.name().as_str()).filter(|name| columns.hold(name));
        let columns = ProjectionMask::columns(self.footer.metadata.parquet_schema(), names);
        let mut wanted_rows = None;
        let mut numbers: Box<dyn Iterator<Item = i64>> = Box::new(1..);
        if let Rows::These(wanted) = rows {
            let total = self.member.about().rows as i64;
            let mut wanted: Vec<i64> = wanted.iter().copied().filter(|row| (1..=total).contains(row)).collect();
            wanted.sort_unstable();
            wanted.dedup();
            wanted_rows = Some(narrowed(&self.groups_with(&wanted)));
            numbers = Box::new(wanted.into_iter());
        }
        let mut reading = self.reading(Wanted { columns, rows: wanted_rows, most_rows: BATCH_ROWS })?;
        while let Some(batch) = reading.next()? {
            let row_nos = numbers.by_ref().take(batch.num_rows()).collect();
            each(batch, row_nos);
        }
        Ok(())
    }

    /// All rows with some columns, as something that owns what it reads from.
    pub fn some_columns(&self, columns: &[usize], most_rows: usize) -> Result<Reading, Damage> {
        let columns = ProjectionMask::roots(self.footer.metadata.parquet_schema(), columns.iter().copied());
        self.reading(Wanted { columns, rows: None, most_rows })
    }

    fn reading(&self, wanted: Wanted) -> Result<Reading, Damage> {
        Reading::start(&self.member, &self.footer, &self.limits, wanted)
    }

    /// The entries of an index that have one of these keys. Only pages whose range holds a key are read.
    pub fn find(&self, keys: &[&str]) -> Result<Vec<Hit>, Damage> {
        let mut hits = Vec::new();
        let keys: BTreeSet<&str> = keys.iter().copied().collect();
        let holds = |least: &str, most: Option<&[u8]>| {
            let first = keys.range(least..).next();
            first.is_some_and(|key| most.is_none_or(|most| key.as_bytes() <= most))
        };
        self.entries(holds, |key, table, column, row_no| {
            if keys.contains(key) {
                let (key, table, column) = (key.to_owned(), table.to_owned(), column.to_owned());
                hits.push(Hit { key, table, column, row_no });
            }
        })?;
        hits.sort_unstable();
        Ok(hits)
    }

    /// The first keys of an index, up to `most`, that begin like this and stand in one of these columns.
    pub fn begins(&self, start: &str, columns: &[(&str, &str)], most: usize) -> Result<BTreeSet<String>, Damage> {
        let mut found = BTreeSet::new();
        let holds = |least: &str, most: Option<&[u8]>| {
            let reaches = most.is_none_or(|most| start.as_bytes() <= most);
            reaches && (least <= start || least.starts_with(start))
        };
        self.entries(holds, |key, table, column, _| {
            if key.starts_with(start) && !found.contains(key) && columns.contains(&(table, column)) {
                found.insert(key.to_owned());
                if found.len() > most {
                    found.pop_last();
                }
            }
        })?;
        Ok(found)
    }

    /// Hands over the entries of the pages of an index whose range, from the least key to the greatest, `holds` wants.
    fn entries(
        &self,
        holds: impl Fn(&str, Option<&[u8]>) -> bool,
        mut each: impl FnMut(&str, &str, &str, i64),
    ) -> Result<(), Damage> {
        let rows = Some(narrowed(&self.pages_with(holds)));
        let wanted = Wanted { columns: ProjectionMask::all(), rows, most_rows: INDEX_BATCH_ROWS };
        let mut reading = self.reading(wanted)?;
        while let Some(batch) = reading.next()? {
            let [key, table, column, row_no] = batch.columns() else { continue };
            let texts = [key, table, column].map(|array| array.as_string_opt::<i32>());
            let ([Some(keys), Some(tables), Some(columns)], Some(row_nos)) =
                (texts, row_no.as_primitive_opt::<Int64Type>())
            else {
                continue;
            };
            for (((key, table), column), row_no) in keys.iter().zip(tables).zip(columns).zip(row_nos) {
                if let (Some(key), Some(table), Some(column), Some(row_no)) = (key, table, column, row_no) {
                    each(key, table, column, row_no);
                }
            }
        }
        Ok(())
    }

    /// For each row group, what to read of it so that these rows come out.
    fn groups_with(&self, wanted: &[i64]) -> Vec<Vec<RowSelector>> {
        let mut first = 1;
        let groups = self.metadata().row_groups().iter().map(|group| {
            let next = first + group.num_rows();
            let from = wanted.partition_point(|row| *row < first);
            let to = wanted.partition_point(|row| *row < next);
            let selectors = rows_between(first, next, wanted.get(from..to).unwrap_or_default());
            first = next;
            selectors
        });
        groups.collect()
    }

    /// For each row group of an index, the pages whose range is wanted.
    fn pages_with(&self, holds: impl Fn(&str, Option<&[u8]>) -> bool) -> Vec<Vec<RowSelector>> {
        let metadata = self.metadata();
        let groups = metadata.row_groups().iter().enumerate().map(|(group, about)| {
            let rows = about.num_rows() as usize;
            let index = metadata.column_index().and_then(|groups| groups.get(group)?.first());
            let pages = metadata.offset_index().and_then(|groups| groups.get(group)?.first());
            let (Some(ColumnIndexMetaData::BYTE_ARRAY(index)), Some(pages)) = (index, pages) else {
                return vec![RowSelector::select(rows)];
            };
            let least = |page: usize| index.min_value(page).and_then(|min| std::str::from_utf8(min).ok()).unwrap_or("");
            let starts: Vec<usize> = pages.page_locations().iter().map(|page| page.first_row_index as usize).collect();
            let ends = starts.iter().skip(1).copied().chain([rows]);
            let pages = starts.iter().zip(ends).enumerate().map(|(page, (start, end))| {
                let length = end.saturating_sub(*start);
                if holds(least(page), index.max_value(page)) {
                    RowSelector::select(length)
                } else {
                    RowSelector::skip(length)
                }
            });
            pages.collect()
        });
        groups.collect()
    }
}

/// Leaves out row groups of which nothing is wanted: even to skip them costs a look into each of their columns.
fn narrowed(groups: &[Vec<RowSelector>]) -> (Vec<usize>, RowSelection) {
    let wanted = |group: &&Vec<RowSelector>| group.iter().any(|selector| !selector.skip);
    let numbers = groups.iter().enumerate().filter(|(_, group)| wanted(group)).map(|(number, _)| number).collect();
    let selection: Vec<RowSelector> = groups.iter().filter(wanted).flatten().copied().collect();
    (numbers, selection.into())
}

/// Hands over the rows of a batch as records; columns are found by name, absent ones are null.
pub fn records<F: Family>(table: &Table, batch: &RecordBatch, numbers: &[i64], each: &mut impl FnMut(i64, F::Of<'_>)) {
    let columns: Vec<_> = table.columns.iter().map(|column| batch.column_by_name(column.name)).collect();
    for (row, number) in (0..batch.num_rows()).zip(numbers) {
        let value = |index: usize| match columns.get(index) {
            Some(Some(array)) => cell(array.as_ref(), row),
            _ => Cell::Null,
        };
        if let Some(record) = F::Of::from_cells(value) {
            each(*number, record);
        }
    }
}

/// Selects rows of a group that reaches from the row `first` to before the row `end`.
fn rows_between(first: i64, end: i64, wanted: &[i64]) -> Vec<RowSelector> {
    let mut selectors: Vec<RowSelector> = Vec::new();
    let mut next = first;
    for row in wanted {
        if *row > next {
            selectors.push(RowSelector::skip((row - next) as usize));
        }
        selectors.push(RowSelector::select(1));
        next = row + 1;
    }
    selectors.push(RowSelector::skip((end - next) as usize));
    selectors
}
