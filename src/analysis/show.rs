//! Opens a reference such as `log_lines:8812`.

use super::error::{Error, Result};
use crate::bundle::{Columns, Reader, Rows};
use crate::model::{SHOW_FORMAT, Shown, ShownRow};
use crate::store::{Datum, Store};
use serde_json::{Map, Value};

pub fn show(reader: &Reader, references: &[String]) -> Result<Shown> {
    let store = Store::open()?;
    let rows = references.iter().map(|reference| row(reader, &store, reference)).collect::<Result<_>>()?;
    Ok(Shown { format: SHOW_FORMAT, rows })
}

fn row(reader: &Reader, store: &Store, reference: &str) -> Result<ShownRow> {
    let unknown = |because: String| Error::NoSuchRow { reference: reference.to_owned(), because };
    let (table, number) = reference.split_once(':').ok_or_else(|| unknown("it is not of the form table:row".into()))?;
    let number: i64 = number.parse().map_err(|_| unknown(format!("{number:?} is not a row number")))?;
    let about = reader.manifest().table(table).ok_or_else(|| unknown(format!("there is no table {table:?}")))?;
    if !(1..=about.rows as i64).contains(&number) {
        return Err(unknown(format!("{table} has {} rows", about.rows)));
    }
    store.load(reader, table, &Rows::These(vec![number]), Columns::All)?;
    let answer = store.row(table, number)?;
    let values = answer.rows.into_iter().next().unwrap_or_default();
    let row: Map<String, Value> =
        answer.columns.into_iter().zip(values).skip(1).filter_map(|(name, datum)| Some((name, json(datum)?))).collect();
    Ok(ShownRow { reference: reference.to_owned(), table: table.to_owned(), row })
}

pub(super) fn json(datum: Datum) -> Option<Value> {
    Some(match datum {
        Datum::Null => return None,
        Datum::Bool(value) => value.into(),
        Datum::Int(value) => value.into(),
        Datum::Float(value) => value.into(),
        Datum::Text(text) => text.into(),
        Datum::Time(at) => at.to_string().into(),
        Datum::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
    })
}
