//! The collection itself: what was read, what was not, and what was changed on the way.

use super::record::record;
use super::{Json, Text, Time};

record! {
    /// One row for each step of the collection, also for those that failed and for files that were left out.
    Step in "collection" {
        /// Source, as named on the command line.
        #[identifier(file)] source: Text<'a>,
        /// File, table or request.
        #[identifier(file)] target: Text<'a>,
        /// What it was taken for.
        #[plain] taken_for: Option<Text<'a>>,
        /// Table its rows went to, where it is one.
        #[plain] table_name: Option<Text<'a>>,
        /// Cluster it is about, where it is one.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// `ok`, `partial`, `denied`, `not found`, `timed out`, `cancelled`, `failed` or `left out`.
        #[plain] outcome: Text<'a>,
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
        #[free_text] error: Option<Text<'a>>,
        /// What a reader should know besides.
        #[free_text] remark: Option<Text<'a>>,
    }
}

record! {
    /// What was taken out before the bundle was written: kind and place, never the value. One row for each kind in each
    /// value that was changed; what pseudonyms stand for, and what was left out, is counted by column.
    Redaction in "redactions" {
        /// What kind of secret; `id`, `name`, `host` or `ip` where a pseudonym stands, `left-out` where nothing does.
        #[plain] kind: Text<'a>,
        /// Table, or `manifest`.
        #[plain] table_name: Text<'a>,
        /// Column, or field of the manifest; `*` where all rows were left out.
        #[plain] column_name: Text<'a>,
        /// Row of that table; none in the manifest and for a whole column.
        of_row: Option<i64>,
        /// How often.
        count: i64,
    }
}

record! {
    /// Columns of known tables that this version does not know, and rows of no known table.
    Unknown in "unknown" {
        /// File.
        #[identifier(file)] file: Text<'a>,
        /// Line in that file.
        line: Option<i64>,
        /// Table it belongs to, where that is known.
        #[plain] table_name: Option<Text<'a>>,
        /// Id of the row it belongs to.
        #[identifier(id)] #[key] row_key: Option<Text<'a>>,
        /// Column.
        #[identifier(other)] column_name: Option<Text<'a>>,
        /// Value.
        #[manifest] value: Option<Json<'a>>,
    }
}
