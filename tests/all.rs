//! Everything that is tested from outside, in one binary, so that DuckDB is linked once.

mod docs;
mod licences;
mod queries;
mod tidy;
