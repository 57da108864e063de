//! The collection itself: what was read, what was not, and what was changed on the way.

use super::record::record;
use super::{Json, Text, Time};

record! {
    /// One row for each step of the collection, also for those that failed and for files that were left out.
    Step in "collection" {
        /// Source, as named on the command line.
        source: Text<'a>,
        /// File, table or request.
        target: Text<'a>,
        /// What it was taken for.
        taken_for: Option<Text<'a>>,
        /// Table its rows went to, where it is one.
        table_name: Option<Text<'a>>,
        /// Cluster it is about, where it is one.
        cluster: Option<Text<'a>>,
        /// `ok`, `partial`, `denied`, `not found`, `timed out`, `cancelled`, `failed` or `left out`.
        outcome: Text<'a>,
        /// When the step began; not for files, whose bundle does not depend on the clock.
        started_at: Option<Time>,
        /// Lines, rows or objects that were there; of several steps of one file the first has this and the next two.
        seen: i64,
        /// Of those, the ones that are kept in `unknown` because they are not understood.
        unknown: i64,
        /// Of those, the ones that are understood and are no evidence, such as the schema in a database dump.
        skipped: i64,
        /// The table is there as a whole, as far as can be told: what is not in it was not there.
        whole: bool,
        /// Rows stored.
        rows: i64,
        /// Rows that were there already, to the letter.
        duplicates: i64,
        /// Bytes read.
        bytes: i64,
        /// Milliseconds; not for files.
        duration_ms: Option<i64>,
        /// Why it is not `ok`.
        error: Option<Text<'a>>,
        /// What a reader should know besides.
        remark: Option<Text<'a>>,
    }
}

record! {
    /// What was taken out before the bundle was written: kind and place, never the value.
    Redaction in "redactions" {
        /// What kind of secret.
        kind: Text<'a>,
        /// Table.
        table_name: Text<'a>,
        /// Column.
        column_name: Text<'a>,
        /// How often.
        count: i64,
    }
}

record! {
    /// Columns of known tables that this version does not know, and rows of no known table.
    Unknown in "unknown" {
        /// File.
        file: Text<'a>,
        /// Line in that file.
        line: Option<i64>,
        /// Table it belongs to, where that is known.
        table_name: Option<Text<'a>>,
        /// Id of the row it belongs to.
        #[key] row_key: Option<Text<'a>>,
        /// Column.
        column_name: Option<Text<'a>>,
        /// Value.
        value: Option<Json<'a>>,
    }
}
