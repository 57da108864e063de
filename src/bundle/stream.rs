//! A table, batch by batch and column by column, for whoever asks for the next when it has room for it.

use super::decode::{Decoder, guarded};
use super::error::{Damage, Error, Result};
use super::member::VerifiedMember;
use super::reading::Reading;
use arrow::array::RecordBatch;
use std::path::PathBuf;

/// The rows of a table in their order. It reads what the next batch needs, and nothing ahead.
pub struct Batches {
    pub(super) path: PathBuf,
    member: VerifiedMember,
    batches: Reading,
    next_row: i64,
}

impl Batches {
    /// The columns are numbers in the order of the file, which is also their order in a batch.
    pub(super) fn start(
        path: PathBuf,
        decoder: &Decoder,
        columns: &[usize],
        most_rows: usize,
    ) -> std::result::Result<Self, Damage> {
        let batches = decoder.some_columns(columns, most_rows)?;
        Ok(Self { path, member: decoder.member.clone(), batches, next_row: 1 })
    }
}

/// Rows, and the number of the first of them.
impl Iterator for Batches {
    type Item = Result<(i64, RecordBatch)>;

    fn next(&mut self) -> Option<Self::Item> {
        let batches = &mut self.batches;
        let batch = guarded(&self.member, |_| batches.next());
        let unreadable = |damage| Error::Read { path: self.path.clone(), source: Box::new(damage) };
        let batch = match batch.map_err(unreadable).transpose()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(error)),
        };
        let first = self.next_row;
        self.next_row += batch.num_rows() as i64;
        Some(Ok((first, batch)))
    }
}
