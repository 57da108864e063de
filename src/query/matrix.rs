//! `queries/matrix/`: judged requests, counted by hop and by whom they are for, where they were or who made them.

use super::row::row;
use super::{Query, query, statement};
use crate::schema::Time;
use crate::store::{Result, Store};

row! {
    /// A consumer, pod or source, and the requests that it had to do with.
    SideRow {
        /// It is none of them but all requests together.
        is_all: bool,
        side: Option<String>,
        works: i64,
        creates: i64,
        updates: i64,
        deletes: i64,
        /// Newest requests of their works that were stopped or refused.
        stuck: i64,
        /// Newest requests of which nothing can be told.
        untold: i64,
        completed: i64,
        stopped: i64,
        refused: i64,
        superseded: i64,
        in_progress: i64,
        unknown: i64,
        /// Completed requests whose whole way has times.
        measured: i64,
        p50: Option<i64>,
        p95: Option<i64>,
        longest: Option<i64>,
    }
}

row! {
    /// What became of its requests at one hop. Each is counted once; `stuck` are some of those that stopped.
    CellRow {
        is_all: bool,
        side: Option<String>,
        hop: i64,
        passed: i64,
        stopped: i64,
        refused: i64,
        stuck: i64,
        waiting: i64,
        not_reached: i64,
        superseded: i64,
        not_applicable: i64,
        unknown: i64,
        measured: i64,
        p50: Option<i64>,
        p95: Option<i64>,
        longest: Option<i64>,
        first_at: Option<Time>,
        last_at: Option<Time>,
    }
}

row! {
    SkippedRow {
        is_all: bool,
        side: Option<String>,
        hop: i64,
        lines: i64,
    }
}

/// Tables that are made of judged requests and of evidence.
pub static VIEWS: &[Query] = &[statement!("matrix/placed"), statement!("matrix/skips")];

pub static SIDES: Query = query!("matrix/sides" => SideRow);
pub static CELLS: Query = query!("matrix/cells" => CellRow);
pub static SKIPPED: Query = query!("matrix/skipped" => SkippedRow);

/// Every statement of this file that answers.
pub static QUERIES: &[&Query] = &[&SIDES, &CELLS, &SKIPPED];

/// Makes the tables anew.
pub fn make(store: &Store) -> Result<()> {
    VIEWS.iter().try_for_each(|view| store.derive(view.short_name(), view.sql, Vec::new()))
}
