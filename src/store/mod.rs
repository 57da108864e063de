//! The evidence in DuckDB. It is given rows, never files, and can reach nothing outside its memory.

mod error;
mod evidence;
mod load;
mod stream;
mod tables;

pub use error::{Error, Result};
pub use stream::{Part, Reading, Sort};

use crate::bundle::Reader;
use crate::schema::Time;
use duckdb::types::{TimeUnit, Value};
use duckdb::{Config, Connection, params_from_iter};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tables::Tables;

/// Shuts every door, in this order: files that are open to the database when external access ends stay open to statements,
/// which are a folder for what it spills and, where that is a setting it starts with, a file called `:memory:`.
const SHUT: &str = "set temp_directory = ''; set max_temp_directory_size = '0B'; set enable_external_access = false; \
                    set lock_configuration = true";

/// The number of a row in the bundle: the first column of every table.
pub const ROW_NO: &str = "row_no";

/// What a store may use.
#[derive(Clone, Debug)]
pub struct Limits {
    pub bytes: u64,
    pub threads: i64,
    /// Statements are worth planning: they read tables, not the rows of a work.
    pub optimizes: bool,
}

impl Limits {
    /// More memory than any statement of a trace needs on the rows it is given. Those are few: what a second thread could
    /// do is less than waking it.
    pub const TRACE: Self = Self { bytes: 1_000_000_000, threads: 1, optimizes: false };

    /// What one pass over a bundle needs, whatever its size: counts, and rows about what is wrong.
    pub const FLEET: Self = Self { bytes: 1_500_000_000, threads: 2, optimizes: true };
}

/// What a statement of a stranger may take.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub time: Duration,
    pub rows: i64,
}

/// Statements that can be planned ahead of the rows they are about.
const PLANNED: usize = 64;

/// An in-memory database. Its tables are made when they are needed.
pub struct Store {
    connection: Connection,
    tables: Arc<Mutex<Tables>>,
    optimizes: bool,
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
                .enable_autoload_extension(false)?
                .max_memory(&format!("{}B", limits.bytes))?
                .threads(limits.threads)?
                .with("autoinstall_known_extensions", "false")?
                .with("allow_community_extensions", "false")
        };
        let open = || -> duckdb::Result<Connection> {
            let connection = Connection::open_in_memory_with_flags(config()?)?;
            set_up(&connection, limits.optimizes)?;
            connection.execute_batch(SHUT)?;
            Ok(connection)
        };
        let connection = open().map_err(Error::Start)?;
        Ok(Self { connection, tables: Arc::default(), optimizes: limits.optimizes, _reader: None })
    }

    /// Another connection to the same database: a thread of its own can plan and run statements there. Two of them must
    /// not make the same table at the same time.
    pub fn beside(&self) -> Result<Self> {
        let open = || -> duckdb::Result<Connection> {
            let connection = self.connection.try_clone()?;
            set_up(&connection, self.optimizes)?;
            Ok(connection)
        };
        let connection = open().map_err(Error::Start)?;
        Ok(Self { connection, tables: self.tables.clone(), optimizes: self.optimizes, _reader: self._reader.clone() })
    }

    /// Runs one statement with bound parameters. `name` says in messages which one it is.
    pub fn select(&self, name: &str, sql: &str, parameters: &[&str]) -> Result<Answer> {
        let run = || -> duckdb::Result<Answer> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut found = statement.query(params_from_iter(parameters))?;
            let mut rows = Vec::new();
            let width = found.as_ref().map_or(0, duckdb::Statement::column_count);
            while let Some(row) = found.next()? {
                rows.push(
                    (0..width).map(|index| row.get::<_, Value>(index).map(datum)).collect::<duckdb::Result<_>>()?,
                );
            }
            let columns = statement.column_names();
            // It would keep its answer.
            statement.discard();
            Ok(Answer { columns, rows })
        };
        run().map_err(|source| Error::Query { query: name.to_owned(), source })
    }

    /// One row of a table, whatever columns it has. A table's name cannot be a parameter, so it is quoted.
    pub fn row(&self, table: &str, row_no: i64) -> Result<Answer> {
        let sql = format!("select * from \"{}\" where {ROW_NO} = {row_no}", table.replace('"', "\"\""));
        self.select("row", &sql, &[])
    }

    /// Puts the answer of a statement that only reads into a table, in place of what that held before.
    pub fn keep(&self, name: &str, table: &str, sql: &str) -> Result<()> {
        let run = || self.connection.execute_batch(&format!("create or replace temp table {table} as\n{sql}"));
        run().map_err(|source| Error::Query { query: name.to_owned(), source })?;
        self.tables().made.insert(table.to_owned(), Vec::new());
        Ok(())
    }

    /// The same for a stranger's statement, which is ended when its time is up, and may not answer with more rows than
    /// these.
    pub fn keep_within(&self, name: &str, table: &str, sql: &str, bounds: &Bounds) -> Result<()> {
        let handle = self.connection.interrupt_handle();
        let (done, waits) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let late = waits.recv_timeout(bounds.time) == Err(RecvTimeoutError::Timeout);
                if late {
                    handle.interrupt();
                }
                late
            });
            let kept = self.keep(name, table, &format!("from (\n{sql}\n) limit {}", bounds.rows.saturating_add(1)));
            drop(done);
            // Whoever only waits does not panic.
            let late = watch.join().unwrap_or(false);
            kept.map_err(|error| if late { Error::Late { query: name.to_owned(), after: bounds.time } } else { error })
        })?;
        let counted = self.select(name, &format!("select count(*) from {table}"), &[])?;
        match counted.rows.first().map(Vec::as_slice) {
            Some([Datum::Int(count)]) if *count > bounds.rows => {
                Err(Error::TooMuch { query: name.to_owned(), rows: bounds.rows })
            }
            _ => Ok(()),
        }
    }

    /// The columns of a statement's answer; it is not run.
    pub fn columns(&self, name: &str, sql: &str) -> Result<Vec<String>> {
        let described = self.select(name, &format!("describe\n{sql}"), &[])?;
        let names = described.rows.into_iter().filter_map(|row| row.into_iter().next());
        Ok(names.filter_map(|name| if let Datum::Text(name) = name { Some(name) } else { None }).collect())
    }
}

/// What is set for each connection anew.
fn set_up(connection: &Connection, optimizes: bool) -> duckdb::Result<()> {
    // A trace has few rows and many statements: to optimize one takes longer than that saves in running it.
    if !optimizes {
        connection.execute_batch("pragma disable_optimizer")?;
    }
    connection.set_prepared_statement_cache_capacity(PLANNED);
    Ok(())
}

fn value(datum: Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Bool(value) => Value::Boolean(value),
        Datum::Int(value) => Value::BigInt(value),
        Datum::Float(value) => Value::Double(value),
        Datum::Text(value) => Value::Text(value),
        Datum::Time(at) => Value::Timestamp(TimeUnit::Microsecond, at.micros()),
        Datum::Bytes(value) => Value::Blob(value),
    }
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
    fn no_path_is_left_open() {
        let sql = "select value from duckdb_settings() where name in ('allowed_paths', 'allowed_directories', 'temp_directory') order by name";
        let answer = Store::open().unwrap().select("try", sql, &[]).unwrap();
        assert_eq!(answer.rows, ["[]", "[]", ""].map(|value| vec![Datum::Text(value.into())]));
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
