//! An answer as a Parquet file, with types.

use crate::bundle::{SheetColumn, write_sheet};
use crate::model::{ColumnKind, Queried};
use crate::schema::Time;
use serde_json::Value;
use std::io::{self, Write};

pub fn write(queried: &Queried, out: &mut (impl Write + Send)) -> io::Result<()> {
    let columns = queried.columns.iter().enumerate().map(|(index, column)| {
        let values: Vec<&Value> = queried.rows.iter().filter_map(|row| row.get(index)).collect();
        (column.name.clone(), typed(column.kind, &values))
    });
    write_sheet(columns.collect(), out)
}

/// A column whose values do not all have its type, such as sums that fit no integer, is text.
fn typed(kind: ColumnKind, values: &[&Value]) -> SheetColumn {
    let typed = match kind {
        ColumnKind::Text => None,
        ColumnKind::Integer => all(values, Value::as_i64).map(SheetColumn::Integer),
        ColumnKind::Number => all(values, Value::as_f64).map(SheetColumn::Number),
        ColumnKind::Boolean => all(values, Value::as_bool).map(SheetColumn::Boolean),
        ColumnKind::Time => all(values, |value| Some(Time::parse(value.as_str()?)?.micros())).map(SheetColumn::Time),
        ColumnKind::Bytes => all(values, |value| unhex(value.as_str()?)).map(SheetColumn::Bytes),
    };
    let text = |value: &&Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    typed.unwrap_or_else(|| SheetColumn::Text(values.iter().map(text).collect()))
}

fn all<T>(values: &[&Value], take: impl Fn(&Value) -> Option<T>) -> Option<Vec<Option<T>>> {
    values.iter().map(|value| if value.is_null() { Some(None) } else { take(value).map(Some) }).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
