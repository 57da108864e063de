//! `queries/judged/`: every request of every work with its verdicts, as tables that other statements are written against.

use super::{Query, statement};
use crate::store::{Result, Store};

pub const REQUESTS: &str = "requests";
pub const HOPS: &str = "hops";
pub const CLOCKS: &str = "clocks";

/// Tables that are filled by whoever judges.
pub static TABLES: &[Query] = &[statement!("judged/requests"), statement!("judged/hops"), statement!("judged/clocks")];

/// Functions that read a table whose name is put together elsewhere.
const BY_NAME: &[&str] = &["query", "query_table"];

/// Whether a statement may read one of the tables: to fill them takes time, and most statements read others. A word that looks
/// like one of them is enough, whatever it is.
pub fn may_be_read_by(sql: &str) -> bool {
    let is_table = |word: &str| TABLES.iter().any(|table| table.short_name().eq_ignore_ascii_case(word));
    let is_function = |word: &str| BY_NAME.iter().any(|name| name.eq_ignore_ascii_case(word));
    sql.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| is_table(word) || is_function(word))
}

/// Makes the tables, empty, unless they are there.
pub fn make(store: &Store) -> Result<()> {
    let absent = TABLES.iter().filter(|table| !store.has(table.short_name()));
    absent.into_iter().try_for_each(|table| store.derive(table.short_name(), table.sql, Vec::new()))
}
