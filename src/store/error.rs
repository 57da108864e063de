//! What can go wrong between a bundle and its answers.

use crate::bundle;
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
    /// A table that was read while a statement ran.
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
