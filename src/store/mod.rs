//! The evidence in DuckDB. It is given rows, never files, and can reach nothing outside its memory.

mod error;
mod evidence;
mod load;
mod stream;

pub use error::{Error, Result};
pub use stream::{Part, Reading, Sort};

use crate::bundle::{Reader, arrow_schema};
use crate::schema::{Table, Time};
use duckdb::types::{TimeUnit, Value};
use duckdb::{Config, Connection, params_from_iter};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of a row in the bundle: the first column of every table.
pub const ROW_NO: &str = "row_no";

/// What a store may use.
#[derive(Clone, Debug)]
pub struct Limits {
    pub bytes: u64,
    pub threads: i64,
}

impl Limits {
    /// More memory than any statement of a trace needs on the rows it is given. Those are few: what a second thread could
    /// do is less than waking it.
    pub const TRACE: Self = Self { bytes: 1_000_000_000, threads: 1 };
}

/// An in-memory database. Its tables are made when they are needed.
pub struct Store {
    connection: Connection,
    /// The tables that are there and, for those that were derived from others, from which.
    made: RefCell<BTreeMap<String, Vec<String>>>,
    /// Where views of evidence read from.
    _reader: Option<Arc<Reader>>,
}

/// One value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Time(Time),
    Bytes(Vec<u8>),
}

/// The rows of an answer, and what its columns are called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Datum>>,
}

impl Store {
    /// An empty store: no tables yet, every door shut.
    pub fn open() -> Result<Self> {
        Self::open_within(&Limits::TRACE)
    }

    pub fn open_within(limits: &Limits) -> Result<Self> {
        let config = || -> duckdb::Result<Config> {
            Config::default()
                .enable_external_access(false)?
                .enable_autoload_extension(false)?
                .max_memory(&format!("{}B", limits.bytes))?
                .threads(limits.threads)?
                .with("autoinstall_known_extensions", "false")?
                .with("allow_community_extensions", "false")
        };
        let open = || -> duckdb::Result<Connection> {
            let connection = Connection::open_in_memory_with_flags(config()?)?;
            // A trace has few rows and many statements: to optimize one takes longer than that saves in running it.
            connection.execute_batch("pragma disable_optimizer")?;
            connection.execute_batch("set max_temp_directory_size = '0B'; set lock_configuration = true")?;
            Ok(connection)
        };
        Ok(Self { connection: open().map_err(Error::Start)?, made: RefCell::default(), _reader: None })
    }

    /// Runs one statement with bound parameters. `name` says in messages which one it is.
    pub fn select(&self, name: &str, sql: &str, parameters: &[&str]) -> Result<Answer> {
        let run = || -> duckdb::Result<Answer> {
            let mut statement = self.connection.prepare(sql)?;
            let mut found = statement.query(params_from_iter(parameters))?;
            let mut rows = Vec::new();
            let width = found.as_ref().map_or(0, duckdb::Statement::column_count);
            while let Some(row) = found.next()? {
                rows.push(
                    (0..width).map(|index| row.get::<_, Value>(index).map(datum)).collect::<duckdb::Result<_>>()?,
                );
            }
            Ok(Answer { columns: statement.column_names(), rows })
        };
        run().map_err(|source| Error::Query { query: name.to_owned(), source })
    }

    /// One row of a table, whatever columns it has. A table's name cannot be a parameter, so it is quoted.
    pub fn row(&self, table: &str, row_no: i64) -> Result<Answer> {
        let sql = format!("select * from \"{}\" where {ROW_NO} = {row_no}", table.replace('"', "\"\""));
        self.select("row", &sql, &[])
    }

    /// The table is there and up to date.
    pub fn has(&self, table: &str) -> bool {
        self.made.borrow().contains_key(table)
    }

    /// Makes a declared table, empty, unless it is there.
    pub fn make(&self, table: &str) -> Result<()> {
        match crate::schema::table(table) {
            Some(declared) if !self.has(table) => self.derive(table, &create_table(declared), Vec::new()),
            _ => Ok(()),
        }
    }

    /// A table is no longer up to date.
    pub fn forget(&self, table: &str) {
        self.made.borrow_mut().remove(table);
    }

    /// Makes a table from others, or makes it anew. It is there until one of those gets rows.
    pub fn derive(&self, table: &str, sql: &str, from: Vec<String>) -> Result<()> {
        let run = || self.connection.execute_batch(sql);
        run().map_err(|source| Error::Query { query: table.to_owned(), source })?;
        self.made.borrow_mut().insert(table.to_owned(), from);
        Ok(())
    }
}

fn create_table(table: &Table) -> String {
    let columns: String = arrow_schema(table)
        .fields()
        .iter()
        .filter_map(|field| Some(format!(", \"{}\" {}", field.name(), load::sql_type(field).ok()?)))
        .collect();
    format!("create table \"{}\" ({ROW_NO} bigint{columns});\n", table.name)
}

fn datum(value: Value) -> Datum {
    match value {
        Value::Null => Datum::Null,
        Value::Boolean(value) => Datum::Bool(value),
        Value::TinyInt(value) => Datum::Int(value.into()),
        Value::SmallInt(value) => Datum::Int(value.into()),
        Value::Int(value) => Datum::Int(value.into()),
        Value::BigInt(value) => Datum::Int(value),
        Value::UTinyInt(value) => Datum::Int(value.into()),
        Value::USmallInt(value) => Datum::Int(value.into()),
        Value::UInt(value) => Datum::Int(value.into()),
        Value::UBigInt(value) => i64::try_from(value).map_or_else(|_| Datum::Text(value.to_string()), Datum::Int),
        Value::HugeInt(value) => i64::try_from(value).map_or_else(|_| Datum::Text(value.to_string()), Datum::Int),
        Value::Float(value) => Datum::Float(value.into()),
        Value::Double(value) => Datum::Float(value),
        Value::Text(value) => Datum::Text(value),
        Value::Blob(value) => Datum::Bytes(value),
        Value::Timestamp(unit, value) => Datum::Time(Time::from_micros(micros(unit, value))),
        other => Datum::Text(format!("{other:?}")),
    }
}

const fn micros(unit: TimeUnit, value: i64) -> i64 {
    match unit {
        TimeUnit::Second => value.saturating_mul(1_000_000),
        TimeUnit::Millisecond => value.saturating_mul(1000),
        TimeUnit::Microsecond => value,
        TimeUnit::Nanosecond => value / 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(sql: &str) -> String {
        let error = Store::open().unwrap().select("try", sql, &[]).unwrap_err();
        std::error::Error::source(&error).unwrap().to_string()
    }

    #[test]
    fn json_can_be_taken_apart() {
        let store = Store::open().unwrap();
        let answer = store.select("try", "select json_extract_string('{\"a\": \"b\"}', '$.a')", &[]).unwrap();
        assert_eq!(answer.rows, [[Datum::Text("b".into())]]);
    }

    #[test]
    fn nothing_outside_can_be_reached() {
        for sql in [
            "select * from read_csv('/etc/passwd')",
            "copy (select 1) to 'x.csv'",
            "attach 'x.duckdb'",
            "install httpfs",
            "load httpfs",
            "set enable_external_access = true",
            "set memory_limit = '100GB'",
        ] {
            let reason = refused(sql);
            let shut = ["disabled", "locked"].iter().any(|word| reason.contains(word));
            assert!(shut, "{sql}: {reason}");
        }
    }
}
