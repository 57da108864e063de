//! What came of a collection, form by form: what is said when it is done.

use super::{LeftOut, LiveStep};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Collected {
    pub forms: Vec<TakenForm>,
    /// What was read of running systems, in the order of time.
    pub live: Vec<LiveStep>,
    pub left_out: Vec<LeftOut>,
    /// What a reader should know of a file that was taken.
    pub remarks: Vec<String>,
}

/// All files that were taken for the same.
#[derive(Debug, Default, Serialize)]
pub struct TakenForm {
    pub name: String,
    pub files: u64,
    /// Lines, rows or objects in them.
    pub seen: i64,
    pub rows: i64,
    pub duplicates: i64,
    pub unknown: i64,
    pub skipped: i64,
}
