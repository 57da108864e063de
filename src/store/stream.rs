//! Answers of any size, row by row.

use super::evidence::UNREADABLE;
use super::{Answer, Datum, Error, Result, Store};
use crate::schema::Time;
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{
    DataType, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use duckdb::params_from_iter;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// What a column of an answer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Text,
    Integer,
    Number,
    Boolean,
    Time,
    Bytes,
}

/// An answer on its way: first its columns, then rows.
#[derive(Debug)]
pub enum Part {
    Columns(Vec<(String, Sort)>),
    Row(Vec<Datum>),
}

/// What a text is, before it is run.
#[derive(Debug, PartialEq, Eq)]
pub enum Reading {
    /// One statement that reads.
    One,
    /// As many statements.
    Several(usize),
    /// Nothing that the database understands, in its words.
    Wrong(String),
    /// It would do more than read.
    Writing,
}

impl Store {
    /// Runs one statement, whose parameters are found by name, and hands over its answer until it is told to stop.
    pub fn stream(
        &self,
        sql: &str,
        parameters: &BTreeMap<String, String>,
        mut each: impl FnMut(Part) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut run = || -> duckdb::Result<()> {
            let mut statement = self.connection.prepare(sql)?;
            let names = (1..=statement.parameter_count()).map(|index| statement.parameter_name(index));
            let names: Vec<String> = names.collect::<duckdb::Result<_>>()?;
            let values: Vec<Option<&String>> = names.iter().map(|name| parameters.get(name)).collect();
            let schema = statement.stream_arrow(params_from_iter(values))?.get_schema();
            let columns = schema.fields().iter().map(|field| (field.name().clone(), sort(field.data_type())));
            if each(Part::Columns(columns.collect())).is_break() {
                return Ok(());
            }
            while let Some(batch) = statement.step()? {
                let batch = RecordBatch::from(&batch);
                for row in 0..batch.num_rows() {
                    let values = batch.columns().iter().map(|array| datum(array, row)).collect();
                    if each(Part::Row(values)).is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        run().map_err(|source| match source.to_string().split_once(UNREADABLE) {
            Some((_, why)) => Error::Unreadable(why.to_owned()),
            None => Error::Query { query: "statement".to_owned(), source },
        })
    }

    /// Whether this is one statement, and one that only reads. Nothing of it is run: DuckDB writes down as JSON what it
    /// understood, which it does for statements that read, and for no others.
    pub fn reading(&self, sql: &str) -> Result<Reading> {
        let sql = without_explain(sql);
        let told = "select json_array_length(understood, '$.statements'), understood->>'error_type'
            from (select json_serialize_sql($1::varchar) as understood)";
        let Answer { rows, .. } = self.select("reading", told, &[sql])?;
        Ok(match rows.first().map(Vec::as_slice) {
            Some([Datum::Int(1), _]) => Reading::One,
            Some([Datum::Int(count), _]) if *count > 1 => {
                Reading::Several(usize::try_from(*count).unwrap_or(usize::MAX))
            }
            // To prepare what cannot be parsed runs nothing, and tells the place.
            Some([_, Datum::Text(kind)]) if kind == "parser" || kind == "syntax" => {
                self.connection.prepare(sql).err().map_or(Reading::Writing, |error| Reading::Wrong(error.to_string()))
            }
            _ => Reading::Writing,
        })
    }
}

/// What `explain` explains.
fn without_explain(sql: &str) -> &str {
    let after = |text: &'_ str, word: &str| -> Option<usize> {
        let begins = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let ends = text.get(word.len()..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        (begins && ends).then_some(word.len())
    };
    let text = sql.trim_start();
    let Some(rest) = after(text, "explain").and_then(|end| text.get(end..)).map(str::trim_start) else { return sql };
    after(rest, "analyze").and_then(|end| rest.get(end..)).unwrap_or(rest)
}

const fn sort(kind: &DataType) -> Sort {
    match kind {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Sort::Integer,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => Sort::Integer,
        // DuckDB's sums of integers.
        DataType::Decimal128(_, 0) => Sort::Integer,
        DataType::Decimal128(..) | DataType::Float32 | DataType::Float64 => Sort::Number,
        DataType::Boolean => Sort::Boolean,
        DataType::Timestamp(..) => Sort::Time,
        DataType::Binary | DataType::LargeBinary => Sort::Bytes,
        _ => Sort::Text,
    }
}

/// A number that fits none of ours stays text, and so does everything that is neither number nor time.
fn datum(array: &ArrayRef, row: usize) -> Datum {
    if array.is_null(row) {
        return Datum::Null;
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Datum::Text(texts.value(row).to_owned());
    }
    if let Some(bytes) = array.as_binary_opt::<i32>() {
        return Datum::Bytes(bytes.value(row).to_owned());
    }
    if let Some(micros) = micros(array, row) {
        return Datum::Time(Time::from_micros(micros));
    }
    let shown = ArrayFormatter::try_new(array, &FormatOptions::default()).map(|shown| shown.value(row).to_string());
    let text = shown.unwrap_or_default();
    let parsed = match sort(array.data_type()) {
        Sort::Integer => text.parse().ok().map(Datum::Int),
        Sort::Number => text.parse().ok().filter(|value: &f64| value.is_finite()).map(Datum::Float),
        Sort::Boolean => Some(Datum::Bool(text == "true")),
        Sort::Text | Sort::Time | Sort::Bytes => None,
    };
    parsed.unwrap_or(Datum::Text(text))
}

fn micros(array: &ArrayRef, row: usize) -> Option<i64> {
    let DataType::Timestamp(unit, _) = array.data_type() else { return None };
    match unit {
        TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(row).checked_mul(1_000_000),
        TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row).checked_mul(1000),
        TimeUnit::Microsecond => Some(array.as_primitive::<TimestampMicrosecondType>().value(row)),
        TimeUnit::Nanosecond => Some(array.as_primitive::<TimestampNanosecondType>().value(row) / 1000),
    }
}
