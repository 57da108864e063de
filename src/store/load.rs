//! Rows of a bundle into a table.

use super::{Error, ROW_NO, Result, Store};
use crate::bundle::{Columns, Reader, Rows, arrow_schema};
use arrow::array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray, new_null_array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

pub(super) type AnyError = Box<dyn std::error::Error + Send + Sync>;

impl Store {
    /// Loads rows of a table, with columns this version does not know as well; columns that are not asked for are null. A
    /// bundle without the table leaves it empty. What was derived from the table is no longer up to date.
    pub fn load(&self, reader: &Reader, table: &str, rows: &Rows, columns: Columns<'_>) -> Result<()> {
        self.make(table)?;
        if is_nothing(reader, table, rows) {
            return Ok(());
        }
        self.made.borrow_mut().retain(|_, from| !from.iter().any(|other| other == table));
        let failed = |source: AnyError| Error::Load { table: table.to_owned(), source };
        let held = reader.columns(table)?;
        let target = self.columns_for(table, &held).map_err(failed)?;
        let mut outcome = Ok(());
        reader.read(table, rows, columns, |batch, row_nos| {
            if outcome.is_ok() {
                outcome = self.append(table, &target, &batch, row_nos);
            }
        })?;
        outcome.map_err(failed)
    }

    /// Fills a text column of rows that were loaded without it.
    pub fn fill(&self, reader: &Reader, table: &str, column: &str, rows: &Rows) -> Result<()> {
        if is_nothing(reader, table, rows) {
            return Ok(());
        }
        let mut values: (Vec<i64>, Vec<String>) = (Vec::new(), Vec::new());
        reader.texts_of(table, column, rows, &mut |row, text| {
            values.0.push(row);
            values.1.push(text.to_owned());
        })?;
        let run = || -> std::result::Result<(), AnyError> {
            self.connection.execute_batch(FILLING)?;
            let (row_nos, texts) = values;
            let columns: [(&str, ArrayRef); 2] =
                [(ROW_NO, Arc::new(Int64Array::from(row_nos))), (column, Arc::new(StringArray::from(texts)))];
            self.add("filling", RecordBatch::try_from_iter(columns)?)?;
            let sql = format!(
                "update \"{table}\" as filled set \"{column}\" = filling.value from filling \
                 where filled.{ROW_NO} = filling.{ROW_NO}"
            );
            Ok(self.connection.execute_batch(&sql)?)
        };
        run().map_err(|source| Error::Load { table: table.to_owned(), source })
    }

    /// Adds rows of one text each to a table that has one column.
    pub fn add_texts(&self, table: &str, texts: &[&str]) -> Result<()> {
        let add = || -> std::result::Result<(), AnyError> {
            let column: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
            self.add(table, RecordBatch::try_from_iter([("text", column)])?)
        };
        add().map_err(|source| Error::Load { table: table.to_owned(), source })
    }

    /// The table's columns, after those were added that only the bundle has.
    fn columns_for(&self, table: &str, held: &Schema) -> std::result::Result<SchemaRef, AnyError> {
        let declared = crate::schema::table(table);
        if declared.is_none() {
            self.connection.execute_batch(&format!("create table if not exists \"{table}\" ({ROW_NO} bigint)"))?;
        }
        let fields = columns_of(table, held);
        let known = 1 + declared.map_or(0, |declared| declared.columns.len());
        for field in fields.iter().skip(known) {
            let name = field.name().replace('"', "\"\"");
            let sql = format!("alter table \"{table}\" add column if not exists \"{name}\" {}", sql_type(field)?);
            self.connection.execute_batch(&sql)?;
        }
        Ok(Arc::new(Schema::new(fields)))
    }

    fn append(
        &self,
        table: &str,
        target: &SchemaRef,
        batch: &RecordBatch,
        row_nos: Vec<i64>,
    ) -> std::result::Result<(), AnyError> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(row_nos))];
        for field in target.fields().iter().skip(1) {
            columns.push(match batch.column_by_name(field.name()) {
                Some(array) => utc(array),
                None => new_null_array(field.data_type(), batch.num_rows()),
            });
        }
        self.add(table, RecordBatch::try_new(target.clone(), columns)?)
    }

    fn add(&self, table: &str, rows: RecordBatch) -> std::result::Result<(), AnyError> {
        let mut appender = self.connection.appender(table)?;
        appender.append_record_batch(rows)?;
        Ok(appender.flush()?)
    }
}

/// Values on their way into a column.
const FILLING: &str = "create or replace temp table filling (row_no bigint, value varchar)";

fn is_nothing(reader: &Reader, table: &str, rows: &Rows) -> bool {
    reader.manifest().table(table).is_none() || matches!(rows, Rows::These(rows) if rows.is_empty())
}

/// The columns of a table in SQL: the row's number, those that are declared, and others that a bundle has.
pub fn columns_of(table: &str, held: &Schema) -> Vec<Field> {
    let mut fields = vec![Field::new(ROW_NO, DataType::Int64, false)];
    let declared = crate::schema::table(table).map_or_else(|| Arc::new(Schema::empty()), arrow_schema);
    for column in declared.fields() {
        fields.push(without_zone(held.field_with_name(column.name()).unwrap_or(column)));
    }
    for field in held.fields() {
        // DuckDB does not tell `ID` from `id`; the declared one is kept.
        if !fields.iter().any(|known| known.name().eq_ignore_ascii_case(field.name())) {
            fields.push(without_zone(field));
        }
    }
    fields
}

/// A bundle's times are UTC; DuckDB needs no zone to know that.
fn without_zone(field: &Field) -> Field {
    let kind = match field.data_type() {
        DataType::Timestamp(unit, _) => DataType::Timestamp(*unit, None),
        other => other.clone(),
    };
    Field::new(field.name(), kind, true)
}

pub fn utc(array: &ArrayRef) -> ArrayRef {
    match array.as_any().downcast_ref::<TimestampMicrosecondArray>() {
        Some(times) => Arc::new(times.clone().with_timezone_opt::<Arc<str>>(None)),
        None => array.clone(),
    }
}

/// What DuckDB calls a type of a bundle. Times are UTC by declaration, so the type without zone is the one that needs
/// no zone database.
pub fn sql_type(field: &Field) -> std::result::Result<&'static str, AnyError> {
    match field.data_type() {
        DataType::Utf8 => Ok("varchar"),
        DataType::Int64 => Ok("bigint"),
        DataType::Boolean => Ok("boolean"),
        DataType::Binary => Ok("blob"),
        DataType::Timestamp(TimeUnit::Microsecond, _) => Ok("timestamp"),
        other => Err(format!("column {} has a type that bundles do not use: {other}", field.name()).into()),
    }
}
