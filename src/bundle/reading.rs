//! Rows of a table, batch by batch. A batch has fewer rows where they are long: no claim of the file decides how much
//! memory is taken.

use super::error::Damage;
use super::footer::Footer;
use super::limits::{Limit, Limits, depth};
use super::member::VerifiedMember;
use super::pages::Pages;
use crate::schema::{self, Kind};
use arrow::array::{AsArray, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
};
use std::sync::Arc;

/// How much smaller a batch is made when it was too large.
const SHRINK: usize = 16;

/// What to read of a table.
#[derive(Clone)]
pub struct Wanted {
    pub columns: ProjectionMask,
    /// Row groups, and which rows of them; all without.
    pub rows: Option<(Vec<usize>, RowSelection)>,
    pub most_rows: usize,
}

pub struct Reading {
    pages: Pages,
    footer: Arc<Footer>,
    limits: Limits,
    wanted: Wanted,
    reader: ParquetRecordBatchReader,
    done: usize,
}

impl Reading {
    pub fn start(
        member: &VerifiedMember,
        footer: &Arc<Footer>,
        limits: &Limits,
        wanted: Wanted,
    ) -> Result<Self, Damage> {
        let pages = Pages::new(member.clone(), footer.clone(), *limits);
        let reader = reader(&pages, &footer.metadata, &wanted, 0)?;
        Ok(Self { pages, footer: footer.clone(), limits: *limits, wanted, reader, done: 0 })
    }

    pub fn next(&mut self) -> Result<Option<RecordBatch>, Damage> {
        let batch = loop {
            self.pages.begin(self.wanted.most_rows);
            match self.reader.next() {
                None => return Ok(None),
                Some(Ok(batch)) => break batch,
                Some(Err(_)) if self.pages.is_full() => {
                    drop(self.pages.member().take_damage());
                    self.wanted.most_rows = (self.wanted.most_rows / SHRINK).max(1);
                    self.reader = reader(&self.pages, &self.footer.metadata, &self.wanted, self.done)?;
                }
                Some(Err(error)) => return Err(self.pages.member().undecodable(&error.to_string())),
            }
        };
        self.done += batch.num_rows();
        self.check_depth(&batch)?;
        Ok(Some(batch))
    }

    /// Whoever parses JSON later may take a step on the stack for each of its levels.
    fn check_depth(&self, batch: &RecordBatch) -> Result<(), Damage> {
        let about = self.pages.member().about();
        let table = about.table().and_then(schema::table);
        let columns = table.iter().flat_map(|table| table.columns).filter(|column| column.kind == Kind::Json);
        for column in columns {
            let texts = batch.column_by_name(column.name).and_then(|array| array.as_string_opt::<i32>());
            let deepest = texts.into_iter().flatten().flatten().map(depth).max();
            self.limits.check(Limit::Depth, &about.name, deepest.unwrap_or(0))?;
        }
        Ok(())
    }
}

fn reader(
    pages: &Pages,
    metadata: &ArrowReaderMetadata,
    wanted: &Wanted,
    done: usize,
) -> Result<ParquetRecordBatchReader, Damage> {
    let mut builder = ParquetRecordBatchReaderBuilder::new_with_metadata(pages.clone(), metadata.clone())
        .with_batch_size(wanted.most_rows)
        .with_projection(wanted.columns.clone())
        .with_offset(done);
    if let Some((groups, selection)) = &wanted.rows {
        builder = builder.with_row_groups(groups.clone()).with_row_selection(selection.clone());
    }
    builder.build().map_err(|error| pages.member().undecodable(&error.to_string()))
}
