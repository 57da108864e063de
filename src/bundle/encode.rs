//! Batches to Parquet, on a thread of its own: while one core reads and parses, the other compresses. Runs of the index
//! are sorted and written on a third one, so that nobody waits for them.

use super::batch::{arrow_schema, cell};
use super::error::WriteError;
use super::index::{self, Gatherer};
use super::manifest::{INDEX, Window};
use crate::schema::{Cell, Key, Kind, Table};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Batches on their way: enough to keep both sides busy, few enough to bound memory.
const IN_FLIGHT: usize = 4;

/// Pages of this many rows or bytes are what a trace reads when it needs one row.
const PAGE_ROWS: usize = 2048;
const PAGE_BYTES: usize = 256 << 10;
const ROW_GROUP_ROWS: usize = 1 << 17;
/// Within a page log lines are long repetitions: searching harder for them takes longer and finds no more.
const ZSTD_LEVEL: i32 = 1;
/// A dictionary that grows beyond this is given up: it is read whole, whichever row is wanted.
const DICTIONARY_BYTES: usize = 64 << 10;
/// More than a run ever holds, so that a run is one row group.
const INDEX_GROUP_ROWS: usize = 1 << 22;

/// Parquet writes page by page, and most pages are small.
const WRITE_BYTES: usize = 256 << 10;

/// A finished member, in an unnamed temporary file.
pub struct Encoded {
    pub name: String,
    pub file: File,
    pub rows: u64,
    pub window: Window,
}

/// The near end of the thread.
pub struct Encoder {
    sender: SyncSender<(usize, RecordBatch)>,
    thread: JoinHandle<Result<Vec<Encoded>, WriteError>>,
}

impl Encoder {
    /// Temporary files go to the bundle's own folder: there must be room for it anyway.
    pub fn start(folder: &Path, tables: Vec<&'static Table>) -> Self {
        let (sender, receiver) = sync_channel(IN_FLIGHT);
        let folder = folder.to_owned();
        Self { sender, thread: std::thread::spawn(move || encode(&receiver, &tables, &folder)) }
    }

    /// Hands over a batch of the table with that place among those it was started with. After a failure the batches go nowhere;
    /// [`Encoder::finish`] tells why.
    pub fn send(&self, table: usize, batch: RecordBatch) {
        let _ = self.sender.send((table, batch));
    }

    pub fn finish(self) -> Result<Vec<Encoded>, WriteError> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| Err(died()))
    }
}

fn encode(
    batches: &Receiver<(usize, RecordBatch)>,
    tables: &[&'static Table],
    folder: &Path,
) -> Result<Vec<Encoded>, WriteError> {
    std::thread::scope(|scope| {
        let (runs, receiver) = sync_channel(0);
        let index = scope.spawn(move || encode_index(&receiver, folder));
        let mut members = encode_tables(batches, tables, &runs, folder)?;
        drop(runs);
        members.push(index.join().unwrap_or_else(|_| Err(died()))?);
        Ok(members)
    })
}

/// Writes the tables and hands over their keys, run by run.
fn encode_tables(
    batches: &Receiver<(usize, RecordBatch)>,
    tables: &[&'static Table],
    runs: &SyncSender<Gatherer>,
    folder: &Path,
) -> Result<Vec<Encoded>, WriteError> {
    let mut tables = tables.iter().map(|table| TableWriter::create(table, folder)).collect::<Result<Vec<_>, _>>()?;
    let mut gatherer = Gatherer::default();
    for (place, batch) in batches {
        let Some(table) = tables.get_mut(place) else { continue };
        gatherer.add(table.table, &batch, table.member.rows as i64 + 1);
        table.write(&batch)?;
        if gatherer.is_full() {
            // Where nobody takes it, the index has failed and tells why.
            let _ = runs.send(std::mem::take(&mut gatherer));
        }
    }
    let _ = runs.send(gatherer);
    tables.into_iter().map(|table| table.member.finish()).collect()
}

/// A run is a row group of its own, so that it stays sorted within.
fn encode_index(runs: &Receiver<Gatherer>, folder: &Path) -> Result<Encoded, WriteError> {
    let mut index = MemberWriter::create(INDEX.to_owned(), index::schema(), index_properties(), folder)?;
    for run in runs {
        run.each_batch(|batch| index.write(&batch))?;
        index.writer.flush().map_err(refused)?;
    }
    index.finish()
}

struct TableWriter {
    table: &'static Table,
    time_column: Option<usize>,
    member: MemberWriter,
}

impl TableWriter {
    fn create(table: &'static Table, folder: &Path) -> Result<Self, WriteError> {
        let name = format!("tables/{}.parquet", table.name);
        let member = MemberWriter::create(name, arrow_schema(table), table_properties(table), folder)?;
        let time_column = table.columns.iter().position(|column| column.kind == Kind::Time);
        Ok(Self { table, time_column, member })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        if let Some(times) = self.time_column.and_then(|column| batch.columns().get(column)) {
            for row in 0..batch.num_rows() {
                if let Cell::Time(at) = cell(times.as_ref(), row) {
                    self.member.window.widen(at);
                }
            }
        }
        self.member.write(batch)
    }
}

struct MemberWriter {
    name: String,
    writer: ArrowWriter<BufWriter<File>>,
    rows: u64,
    window: Window,
}

impl MemberWriter {
    fn create(
        name: String,
        schema: SchemaRef,
        properties: WriterProperties,
        folder: &Path,
    ) -> Result<Self, WriteError> {
        let file = tempfile::tempfile_in(folder).map_err(WriteError::Folder)?;
        let out = BufWriter::with_capacity(WRITE_BYTES, file);
        let writer = ArrowWriter::try_new(out, schema, Some(properties)).map_err(refused)?;
        Ok(Self { name, writer, rows: 0, window: Window::default() })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.writer.write(batch).map_err(refused)?;
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    fn finish(self) -> Result<Encoded, WriteError> {
        let out = self.writer.into_inner().map_err(refused)?;
        let file = out.into_inner().map_err(|error| error.into_error())?;
        Ok(Encoded { name: self.name, file, rows: self.rows, window: self.window })
    }
}

fn table_properties(table: &Table) -> WriterProperties {
    let mut properties = common_properties(WriterProperties::builder());
    for column in table.columns {
        let path = ColumnPath::from(column.name);
        // Nobody looks for texts by their least and greatest: that is what the index is for.
        if matches!(column.kind, Kind::Text | Kind::Json | Kind::Bytes) {
            properties = properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::None);
        }
        match column.kind {
            // Whole objects and lines differ from row to row: a dictionary would only cost memory. zstd finds what
            // they share with their neighbours, and finds it best in plain text.
            Kind::Json | Kind::Bytes => properties = plain(properties, path),
            Kind::Text if column.name == "text" => properties = plain(properties, path),
            // So do ids. To read one of them, the whole dictionary of its row group would be read.
            Kind::Text if column.key == Key::Whole => {
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_LENGTH_BYTE_ARRAY);
            }
            Kind::Int | Kind::Time => {
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
            Kind::Text => properties = properties.set_column_encoding(path, Encoding::PLAIN),
            Kind::Bool => {}
        }
    }
    properties.build()
}

fn plain(properties: WriterPropertiesBuilder, path: ColumnPath) -> WriterPropertiesBuilder {
    properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, Encoding::PLAIN)
}

/// Sorted keys share their beginnings with their neighbours; row numbers rise within a key.
fn index_properties() -> WriterProperties {
    let (key, row_no) = (ColumnPath::from("key"), ColumnPath::from("row_no"));
    common_properties(WriterProperties::builder())
        .set_column_statistics_enabled(key.clone(), EnabledStatistics::Page)
        .set_column_dictionary_enabled(key.clone(), false)
        .set_column_encoding(key, Encoding::DELTA_BYTE_ARRAY)
        .set_column_dictionary_enabled(row_no.clone(), false)
        .set_column_encoding(row_no, Encoding::DELTA_BINARY_PACKED)
        .set_column_index_truncate_length(None)
        .set_max_row_group_row_count(Some(INDEX_GROUP_ROWS))
        .build()
}

fn common_properties(builder: WriterPropertiesBuilder) -> WriterPropertiesBuilder {
    builder
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL).unwrap_or_default()))
        .set_created_by("dacapo".to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_write_batch_size(512)
}

fn died() -> WriteError {
    WriteError::Encode("the encoder died".into())
}

fn refused(error: parquet::errors::ParquetError) -> WriteError {
    WriteError::Encode(error.to_string())
}
