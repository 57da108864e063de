//! `queries/trace/timeline*` and `steps`: what a trace shows on demand, and no verdict rests on.

use super::row::row;
use super::trace::Fact;
use super::{Query, query};
use crate::schema::Time;

row! {
    /// A row or line about a work.
    Happened {
        at: Option<Time>,
        /// Where it stands among the others: a time in whole seconds stands behind what must have been before it.
        order_at: Option<Time>,
        /// Of things at the same time, what comes first on the way of a request.
        rank: i64,
        /// `server`, `agent`, `client`, `other`, `database` or `cluster`.
        source: String,
        cluster: Option<String>,
        /// Pod, `database` or cluster.
        place: Option<String>,
        what: String,
        /// `id`, `name`, `event`, `operation`, `object` or `cause`.
        matched_by: String,
        op_id: Option<String>,
        /// `table:row`.
        evidence: String,
        /// A log line, word for word.
        text: Option<String>,
    }
}

row! {
    /// A key to look up next, and the column it stands in.
    TimelineKey {
        key: String,
        column_name: String,
    }
}

pub static TIMELINE_KEYS: Query = query!("trace/timeline_keys" => TimelineKey);
pub static TIMELINE_LINES: Query = query!("trace/timeline_lines" => Happened);
pub static TIMELINE_ROWS: Query = query!("trace/timeline_rows" => Happened);
pub static TIMELINE_OBJECTS: Query = query!("trace/timeline_objects" => Happened);
pub static STEPS: Query = query!("trace/steps" => Fact);

/// Every statement of this file.
pub static QUERIES: &[&Query] = &[&TIMELINE_KEYS, &TIMELINE_LINES, &TIMELINE_ROWS, &TIMELINE_OBJECTS, &STEPS];
