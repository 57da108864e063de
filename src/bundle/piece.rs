//! Rows on their way from a bundle to whoever asked for them.

use arrow::array::{Array, AsArray, RecordBatch};

/// Some rows of one table, with the columns that were asked for.
pub struct Piece {
    pub table: String,
    pub(crate) batch: RecordBatch,
    /// The number of each row in the bundle.
    pub(crate) row_nos: Vec<i64>,
}

impl Piece {
    /// A text column, row by row; one that is not there is nothing in every row.
    pub fn texts(&self, column: &str) -> impl Iterator<Item = Option<&str>> {
        let texts = self.batch.column_by_name(column).and_then(|array| array.as_string_opt::<i32>());
        (0..self.row_nos.len()).map(move |row| texts.filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row)))
    }
}
