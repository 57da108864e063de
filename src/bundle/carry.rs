//! Tables as a bundle has them, for whoever writes them again: what this version does not know is carried along.

use super::batch::{cell, data_type};
use super::error::{Damage, Error, Result};
use super::reader::Reader;
use crate::schema::{self, Cell, Class, Column, Key, Kind, Row, Table, kept};
use arrow::array::{ArrayRef, RecordBatch, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, TimeUnit};

/// Rows that are in memory at once.
const BATCH_ROWS: usize = 1024;

/// A row on its way from one bundle into another.
pub struct CarriedRow<'b> {
    table: &'static Table,
    arrays: &'b [ArrayRef],
    row: usize,
}

impl Row for CarriedRow<'_> {
    fn table(&self) -> &'static Table {
        self.table
    }

    fn cells(&self, mut each: impl FnMut(usize, Cell<'_>)) {
        for (column, array) in self.arrays.iter().enumerate() {
            each(column, cell(array.as_ref(), self.row));
        }
    }
}

impl Reader {
    /// The columns that a table has in this bundle: those that this version knows as it declares them, and behind them
    /// the others as texts with anything in them.
    pub fn declaration(&self, table: &str) -> Result<Vec<Column>> {
        let known = schema::table(table).map_or(&[][..], |table| table.columns);
        let fields = self.columns(table)?;
        let held = |column: &Column| fields.fields().iter().any(|field| holds(field, column));
        let ours = known.iter().filter(|column| held(column)).cloned();
        let others = fields.fields().iter().filter(|field| !known.iter().any(|column| holds(field, column)));
        Ok(ours.chain(others.map(|field| unknown(field))).collect())
    }

    /// Every row of a table that was declared by [`Self::declaration`].
    pub fn carry<E: From<Error>>(
        &self,
        table: &'static Table,
        mut each: impl FnMut(&CarriedRow<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let columns: Vec<usize> = (0..self.columns(table.name)?.fields().len()).collect();
        for batch in self.stream(table.name, &columns, BATCH_ROWS)? {
            let (_, batch) = batch?;
            let arrays = self.converted(table, &batch)?;
            for row in 0..batch.num_rows() {
                each(&CarriedRow { table, arrays: &arrays, row })?;
            }
        }
        Ok(())
    }

    fn converted(&self, table: &Table, batch: &RecordBatch) -> Result<Vec<ArrayRef>> {
        let arrays = table.columns.iter().map(|column| {
            let Some(array) = batch.column_by_name(column.name) else {
                return Ok(new_null_array(&data_type(column.kind), batch.num_rows()));
            };
            if fits(column.kind, array.data_type()) {
                return Ok(array.clone());
            }
            cast(array, &data_type(column.kind)).map_err(|error| {
                let member = format!("tables/{}.parquet", table.name);
                let reason = format!("{} cannot be read: {error}", column.name);
                Error::Read { path: self.path().to_owned(), source: Box::new(Damage::Decode { member, reason }) }
            })
        });
        arrays.collect()
    }
}

/// Is the field what this version declares?
fn holds(field: &Field, column: &Column) -> bool {
    field.name() == column.name && fits(column.kind, field.data_type())
}

/// Is this how a column of that kind is stored? A time is one with any name for its zone.
fn fits(kind: Kind, stored: &DataType) -> bool {
    match kind {
        Kind::Time => matches!(stored, DataType::Timestamp(TimeUnit::Microsecond, _)),
        _ => *stored == data_type(kind),
    }
}

/// A column that nobody can say anything about.
fn unknown(field: &Field) -> Column {
    let kind = match field.data_type() {
        DataType::Boolean => Kind::Bool,
        DataType::Binary => Kind::Bytes,
        DataType::Timestamp(TimeUnit::Microsecond, _) => Kind::Time,
        whole if whole.is_integer() => Kind::Int,
        _ => Kind::Text,
    };
    let class = if matches!(kind, Kind::Text | Kind::Bytes) { Class::Manifest } else { Class::NotText };
    Column { name: kept(field.name()), kind, nullable: true, class, key: Key::No, doc: "" }
}
