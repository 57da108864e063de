//! What can go wrong between a bundle and its answers.

use crate::bundle;
use std::time::Duration;
use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("cannot start the embedded database")]
    Start(#[source] duckdb::Error),
    #[error("cannot load table {table}")]
    Load { table: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("cannot run query {query}")]
    Query { query: String, source: duckdb::Error },
    #[error("query {query} answers with {found}, where {expected} was expected")]
    Shape { query: String, found: String, expected: String },
    #[error("query {query} was not answered within {} s", after.as_secs())]
    Late { query: String, after: Duration },
    #[error("query {query} answers with more than {rows} rows")]
    TooMuch { query: String, rows: i64 },
    /// A table that was read while a statement ran.
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
