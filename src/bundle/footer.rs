//! What a table says about itself, read with suspicion: its footer and its page index, before the decoder acts on them.

use super::error::Damage;
use super::limits::{Limit, Limits};
use super::member::VerifiedMember;
use super::thrift;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::{Compression, Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::schema::types::SchemaDescriptor;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The magic number at both ends, and the footer's length.
const MAGIC: &[u8] = b"PAR1";
const TAIL: u64 = 8;

const MAX_NAME: usize = 128;

/// A column of a row group: where its pages are, and how they are packed.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub place: Range<u64>,
    /// Its row group, and its number in there.
    pub group: usize,
    pub column: usize,
    pub is_packed: bool,
    /// Its values are texts or bytes.
    pub is_text: bool,
    /// Its values may be absent.
    pub is_nullable: bool,
}

/// A footer that was found to be sound.
pub struct Footer {
    /// In it all columns are called unpacked: pages are unpacked before the decoder gets them.
    pub metadata: ArrowReaderMetadata,
    /// In the order of their places.
    pub chunks: Vec<Chunk>,
}

impl Footer {
    /// How many rows the page at that place has, if it is one with rows.
    pub fn rows_at(&self, chunk: &Chunk, start: u64) -> Option<i64> {
        let metadata = self.metadata.metadata();
        let pages = metadata.offset_index()?.get(chunk.group)?.get(chunk.column)?.page_locations();
        let at = pages.partition_point(|page| (page.offset as u64) < start);
        let page = pages.get(at).filter(|page| page.offset as u64 == start)?;
        let rows = metadata.row_groups().get(chunk.group)?.num_rows();
        Some(pages.get(at + 1).map_or(rows, |next| next.first_row_index) - page.first_row_index)
    }

    pub fn read(member: &VerifiedMember, limits: &Limits) -> Result<Self, Damage> {
        Suspect { member, limits }.footer()
    }
}

struct Suspect<'a> {
    member: &'a VerifiedMember,
    limits: &'a Limits,
}

impl Suspect<'_> {
    fn footer(&self) -> Result<Footer, Damage> {
        let body = self.body()?;
        let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Skip);
        let metadata = reader.parse_and_finish(self.member).map_err(|error| self.undecodable(&error))?;
        self.check_schema(metadata.file_metadata().schema_descr())?;
        self.check_rows(&metadata)?;
        let chunks = self.chunks(&metadata, body)?;
        let metadata = self.with_page_index(metadata)?;
        self.check_pages(&metadata)?;
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata =
            unpacked(metadata).and_then(|metadata| ArrowReaderMetadata::try_new(Arc::new(metadata), options));
        Ok(Footer { metadata: metadata.map_err(|error| self.undecodable(&error))?, chunks })
    }

    /// Where pages may lie: between the first magic number and the footer.
    fn body(&self) -> Result<Range<u64>, Damage> {
        let length = self.member.about().bytes;
        let not_parquet = || self.refused("it is not a table");
        let at = length.checked_sub(TAIL).filter(|at| *at >= TAIL).ok_or_else(not_parquet)?;
        let tail = self.member.bytes(at, TAIL as usize)?;
        let (size, magic) = tail.split_first_chunk::<4>().ok_or_else(not_parquet)?;
        let size = u64::from(u32::from_le_bytes(*size));
        if magic != MAGIC || self.member.bytes(0, MAGIC.len())? != MAGIC {
            return Err(not_parquet());
        }
        self.limits.check(Limit::Footer, &self.member.about().name, size)?;
        let start = at.checked_sub(size).filter(|start| *start >= MAGIC.len() as u64);
        let start = start.ok_or_else(|| self.refused("its footer is longer than itself"))?;
        self.check_thrift(start..at, "its footer claims more than it holds")?;
        Ok(MAGIC.len() as u64..start)
    }

    fn check_schema(&self, schema: &SchemaDescriptor) -> Result<(), Damage> {
        self.limits.check(Limit::Columns, &self.member.about().name, schema.num_columns() as u64)?;
        let mut names = HashSet::new();
        for column in schema.columns() {
            if column.path().parts().len() != 1 || column.max_rep_level() > 0 || column.max_def_level() > 1 {
                return Err(self.refused("it has columns within columns"));
            }
            if matches!(column.physical_type(), Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY) {
                return Err(self.refused("it has a column of a type that no table has"));
            }
            // The number of a row is given to it when it is read.
            let is_number = self.member.about().table().is_some() && column.name() == "row_no";
            if is_number || !is_column_name(column.name()) {
                let short: String = column.name().chars().take(MAX_NAME).collect();
                return Err(self.refused(&format!("it has a column {short:?}, and no table has one of that name")));
            }
            if !names.insert(column.name()) {
                return Err(self.refused(&format!("it has two columns {}", column.name())));
            }
        }
        Ok(())
    }

    fn check_rows(&self, metadata: &ParquetMetaData) -> Result<(), Damage> {
        let said = self.member.about().rows;
        let rows = metadata.file_metadata().num_rows();
        if u64::try_from(rows) != Ok(said) {
            return Err(self.refused(&format!("it holds {rows} rows and the manifest says {said}")));
        }
        let density = said / self.member.about().bytes.max(1);
        self.limits.check(Limit::Density, &self.member.about().name, density)?;
        let groups = metadata.row_groups().iter().try_fold(0_i64, |sum, group| {
            Some(group.num_rows()).filter(|rows| *rows >= 0).and_then(|rows| sum.checked_add(rows))
        });
        let columns = metadata.row_groups().iter().all(|group| {
            group.columns().len() == metadata.file_metadata().schema_descr().num_columns()
                && group.columns().iter().all(|column| column.num_values() == group.num_rows())
        });
        match groups == Some(rows) && columns {
            true => Ok(()),
            false => Err(self.refused("its row groups do not add up to its rows")),
        }
    }

    /// Where the pages of each column of each row group lie. No two share a byte.
    fn chunks(&self, metadata: &ParquetMetaData, body: Range<u64>) -> Result<Vec<Chunk>, Damage> {
        let groups = metadata.row_groups().iter().enumerate();
        let columns = groups.flat_map(|(group, about)| about.columns().iter().enumerate().map(move |at| (group, at)));
        let chunks = columns.map(|(group, (column, about))| self.chunk(about, group, column, &body));
        let mut chunks = chunks.collect::<Result<Vec<_>, _>>()?;
        chunks.sort_by_key(|chunk| (chunk.place.start, chunk.place.end));
        let overlap = chunks.windows(2).any(|pair| matches!(pair, [one, next] if one.place.end > next.place.start));
        if overlap { Err(self.refused("two of its columns lie over each other")) } else { Ok(chunks) }
    }

    fn chunk(
        &self,
        about: &ColumnChunkMetaData,
        group: usize,
        column: usize,
        body: &Range<u64>,
    ) -> Result<Chunk, Damage> {
        let start = about.dictionary_page_offset().unwrap_or(about.data_page_offset());
        let end = start.checked_add(about.compressed_size());
        let place = u64::try_from(start).ok().zip(end.and_then(|end| u64::try_from(end).ok()));
        let place = place.filter(|(start, end)| body.start <= *start && start <= end && *end <= body.end);
        let (start, end) = place.ok_or_else(|| self.refused("a column lies outside of its pages"))?;
        let is_packed = match about.compression() {
            Compression::UNCOMPRESSED => false,
            Compression::ZSTD(_) => true,
            other => return Err(self.refused(&format!("a column is packed with {other}, which no version uses"))),
        };
        let is_text = about.column_type() == Type::BYTE_ARRAY;
        let is_nullable = about.column_descr().max_def_level() > 0;
        Ok(Chunk { place: start..end, group, column, is_packed, is_text, is_nullable })
    }

    fn with_page_index(&self, metadata: ParquetMetaData) -> Result<ParquetMetaData, Damage> {
        if metadata.row_groups().is_empty() {
            return Ok(metadata);
        }
        let mut all: Option<Range<u64>> = None;
        for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
            let offsets = place(column.offset_index_offset(), column.offset_index_length());
            let offsets = offsets.ok_or_else(|| self.refused("it has no page index"))?;
            for index in [Some(offsets), place(column.column_index_offset(), column.column_index_length())] {
                let Some(index) = index else { continue };
                self.check_thrift(index.clone(), "its page index claims more than it holds")?;
                let (start, end) = all.as_ref().map_or((index.start, index.end), |all| (all.start, all.end));
                all = Some(start.min(index.start)..end.max(index.end));
            }
        }
        let bytes = all.map_or(0, |all| all.end - all.start);
        self.limits.check(Limit::Footer, &self.member.about().name, bytes)?;
        let mut reader = ParquetMetaDataReader::new_with_metadata(metadata)
            .with_offset_index_policy(PageIndexPolicy::Required)
            .with_column_index_policy(PageIndexPolicy::Optional);
        reader.read_page_indexes(self.member).and_then(|()| reader.finish()).map_err(|error| self.undecodable(&error))
    }

    /// Pages lie within their column, one behind the other, and have rows of their own.
    fn check_pages(&self, metadata: &ParquetMetaData) -> Result<(), Damage> {
        let indexes = metadata.offset_index().map(Vec::as_slice).unwrap_or_default();
        for (group, index) in metadata.row_groups().iter().zip(indexes) {
            for (column, index) in group.columns().iter().zip(index) {
                let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
                let (mut free, mut row) = (start, -1);
                for page in index.page_locations() {
                    let end = page.offset.checked_add(i64::from(page.compressed_page_size));
                    let fits = page.offset >= free && page.compressed_page_size > 0 && page.first_row_index > row;
                    let end = end.filter(|end| fits && *end <= start.saturating_add(column.compressed_size()));
                    free =
                        end.ok_or_else(|| self.refused("its pages lie over each other or outside of their column"))?;
                    row = page.first_row_index;
                }
                let first = index.page_locations().first().map(|page| page.first_row_index);
                if (group.num_rows() > 0 && first != Some(0)) || row >= group.num_rows().max(1) {
                    return Err(self.refused("its pages have other rows than their column"));
                }
            }
        }
        Ok(())
    }

    fn check_thrift(&self, place: Range<u64>, lie: &str) -> Result<(), Damage> {
        let length = place.end.saturating_sub(place.start);
        self.limits.check(Limit::Footer, &self.member.about().name, length)?;
        let bytes = self.member.bytes(place.start, length as usize)?;
        if thrift::is_sound(&bytes) { Ok(()) } else { Err(self.refused(lie)) }
    }

    fn refused(&self, reason: &str) -> Damage {
        self.member.undecodable(reason)
    }

    fn undecodable(&self, error: &ParquetError) -> Damage {
        self.member.undecodable(&error.to_string())
    }
}

/// Small letters, digits and underscores, as in every version.
fn is_column_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(plain)
}

fn place(offset: Option<i64>, length: Option<i32>) -> Option<Range<u64>> {
    let (start, length) = (u64::try_from(offset?).ok()?, u64::try_from(length?).ok()?);
    Some(start..start.checked_add(length)?)
}

/// The same footer, in which no column is packed.
fn unpacked(metadata: ParquetMetaData) -> Result<ParquetMetaData, ParquetError> {
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let unpack = |column: &ColumnChunkMetaData| {
            column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()
        };
        let columns = group.columns().iter().map(unpack).collect::<Result<Vec<_>, _>>()?;
        group.into_builder().set_column_metadata(columns).build()
    });
    let groups = groups.collect::<Result<Vec<_>, _>>()?;
    Ok(builder.set_row_groups(groups).build())
}
