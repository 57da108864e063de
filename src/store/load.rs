//! Rows of a bundle into a table.

use super::{Datum, Error, ROW_NO, Result, Store, value};
use crate::bundle::{Columns, Piece, Reader, Rows, arrow_schema};
use arrow::array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duckdb::appender_params_from_iter;
use std::sync::Arc;

pub(super) type AnyError = Box<dyn std::error::Error + Send + Sync>;

impl Store {
    /// Loads rows of a table, with columns this version does not know as well; columns that are not asked for are null. A
    /// bundle without the table leaves it empty.
    pub fn load(&self, reader: &Reader, table: &str, rows: &Rows, columns: Columns<'_>) -> Result<()> {
        self.make(table)?;
        if is_nothing(reader, table, rows) {
            return Ok(());
        }
        let mut outcome = Ok(());
        reader.pieces(table, rows, columns, |piece| {
            if outcome.is_ok() {
                outcome = self.put(&piece);
            }
        })?;
        outcome
    }

    /// Adds rows to the table that they are of. What was derived from it is no longer up to date.
    pub fn put(&self, piece: &Piece) -> Result<()> {
        let table = piece.table.as_str();
        self.make(table)?;
        self.tables().forget_derived(table);
        self.tables().filled.insert(table.to_owned());
        let append = || self.append(piece, &self.columns_for(table, &piece.batch.schema())?);
        append().map_err(|source| Error::Load { table: table.to_owned(), source })
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

    /// Adds rows to a table, value by value.
    pub fn add_rows(&self, table: &str, rows: Vec<Vec<Datum>>) -> Result<()> {
        let add = || -> std::result::Result<(), AnyError> {
            let mut appender = self.connection.appender(table)?;
            for row in rows {
                appender.append_row(appender_params_from_iter(row.into_iter().map(value)))?;
            }
            Ok(appender.flush()?)
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

    fn append(&self, piece: &Piece, target: &SchemaRef) -> std::result::Result<(), AnyError> {
        let mut columns: Vec<(&str, ArrayRef)> = vec![(ROW_NO, Arc::new(Int64Array::from(piece.row_nos.clone())))];
        // What is not handed over is null. Most columns of log lines are, in most batches, and to say so of every row takes
        // longer than to hand over all the others.
        for field in target.fields().iter().skip(1) {
            let held = piece.batch.column_by_name(field.name()).filter(|array| array.null_count() < array.len());
            columns.extend(held.map(|array| (field.name().as_str(), utc(array))));
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let mut appender = self.connection.appender_with_columns(&piece.table, &names)?;
        appender.append_record_batch(RecordBatch::try_from_iter(columns)?)?;
        Ok(appender.flush()?)
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
