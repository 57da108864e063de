//! Tables of a bundle that DuckDB reads when a statement asks for them, and only the columns it asks for.
//!
//! DuckDB calls a table function without saying for whom, and what it hands back of ours is a bare pointer. So a store
//! has a number, which its views name, and the number leads to its reader.

use super::load::{AnyError, columns_of, utc};
use super::{Error, ROW_NO, Result, Store};
use crate::bundle::{Batches, Reader};
use crate::schema::TABLES;
use arrow::array::{ArrayRef, Int64Array, RecordBatch, RecordBatchOptions, new_null_array};
use arrow::datatypes::{DataType, Field, Schema};
use duckdb::core::{DataChunkHandle, LogicalTypeHandle, LogicalTypeId};
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk, to_duckdb_logical_type,
};
use std::error::Error as StdError;
use std::sync::{Arc, Mutex, PoisonError, Weak};

const FUNCTION: &str = "evidence";

/// DuckDB carries errors as texts; by this ours are known when they come back.
pub(super) const UNREADABLE: &str = "evidence cannot be read: ";

/// DuckDB takes at most so many rows at once.
const VECTOR_ROWS: usize = 2048;

/// The readers of all stores of this process; a store's number is its place.
static READERS: Mutex<Vec<Weak<Reader>>> = Mutex::new(Vec::new());

impl Store {
    /// Makes every table of a bundle a view of that name, and every declared table that it lacks an empty one. Names
    /// in `kept` are left free.
    pub fn show_evidence(&mut self, reader: &Arc<Reader>, kept: &[&str]) -> Result<()> {
        let number = {
            let mut readers = READERS.lock().unwrap_or_else(PoisonError::into_inner);
            readers.push(Arc::downgrade(reader));
            readers.len() - 1
        };
        self.connection.register_table_function::<Evidence>(FUNCTION).map_err(Error::Start)?;
        let held = reader.manifest().members.iter().filter_map(|member| member.table());
        let unknown = held.filter(|name| crate::schema::table(name).is_none() && !kept.contains(name));
        for name in TABLES.iter().map(|table| table.name).chain(unknown) {
            let quoted = name.replace('"', "\"\"");
            let literal = name.replace('\'', "''");
            let view = format!("create view \"{quoted}\" as select * from {FUNCTION}({number}, '{literal}')");
            self.derive(name, &view, Vec::new())?;
        }
        self._reader = Some(reader.clone());
        Ok(())
    }
}

struct Evidence;

/// What a statement that names the table can ask for.
struct Bound {
    reader: Arc<Reader>,
    table: String,
    columns: Vec<Column>,
}

#[derive(Clone)]
enum Column {
    RowNo,
    /// By its place in the file.
    Held(usize),
    /// Declared, and not in this bundle.
    Absent(DataType),
}

/// One pass over a table.
struct Scan {
    /// The columns the statement needs, by number, in its order.
    wanted: Vec<usize>,
    batches: Mutex<Option<Batches>>,
}

impl VTab for Evidence {
    type InitData = Scan;
    type BindData = Bound;

    fn bind(bind: &BindInfo) -> std::result::Result<Bound, Box<dyn StdError>> {
        let number = usize::try_from(bind.get_parameter(0).to_int64())?;
        let table = bind.get_parameter(1).to_string();
        let reader = READERS.lock().unwrap_or_else(PoisonError::into_inner).get(number).and_then(Weak::upgrade);
        let reader = reader.ok_or("there is no such bundle")?;
        let about = reader.manifest().table(&table);
        bind.set_cardinality(about.map_or(0, |about| about.rows), true);
        let held = if about.is_some() { reader.columns(&table)? } else { Arc::new(Schema::empty()) };
        let mut columns = Vec::new();
        for field in columns_of(&table, &held) {
            // A name with a zero byte in it cannot be handed over.
            bind.add_result_column(&field.name().replace('\0', "\u{fffd}"), to_duckdb_logical_type(field.data_type())?);
            columns.push(match held.index_of(field.name()) {
                _ if field.name() == ROW_NO => Column::RowNo,
                Ok(index) => Column::Held(index),
                Err(_) => Column::Absent(field.data_type().clone()),
            });
        }
        Ok(Bound { reader, table, columns })
    }

    fn init(init: &InitInfo) -> std::result::Result<Scan, Box<dyn StdError>> {
        let wanted = init.get_column_indices().into_iter().map(|index| index as usize).collect();
        Ok(Scan { wanted, batches: Mutex::default() })
    }

    fn func(call: &TableFunctionInfo<Self>, out: &mut DataChunkHandle) -> std::result::Result<(), Box<dyn StdError>> {
        let (bound, scan) = (call.get_bind_data(), call.get_init_data());
        match bound.next(scan).map_err(|error| format!("{UNREADABLE}{}", whole(error.as_ref())))? {
            None => out.set_len(0),
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, out)?,
        }
        Ok(())
    }

    fn supports_pushdown() -> bool {
        true
    }

    fn parameters() -> Option<Vec<LogicalTypeHandle>> {
        Some(vec![LogicalTypeId::Bigint.into(), LogicalTypeId::Varchar.into()])
    }
}

impl Bound {
    /// The next rows with the wanted columns.
    fn next(&self, scan: &Scan) -> std::result::Result<Option<RecordBatch>, AnyError> {
        if self.reader.manifest().table(&self.table).is_none() {
            return Ok(None);
        }
        // What is not a column of ours asks for rows and for nothing in them.
        let wanted: Vec<&Column> =
            scan.wanted.iter().map(|index| self.columns.get(*index).unwrap_or(&Column::RowNo)).collect();
        let mut files: Vec<usize> = wanted.iter().filter_map(|column| column.in_file()).collect();
        files.sort_unstable();
        files.dedup();
        let mut batches = scan.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let batches = match &mut *batches {
            Some(batches) => batches,
            none => none.insert(self.reader.stream(&self.table, &files, VECTOR_ROWS)?),
        };
        let Some((first, batch)) = batches.next().transpose()? else { return Ok(None) };
        let rows = batch.num_rows();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for column in wanted {
            arrays.push(match column {
                Column::RowNo => Arc::new(Int64Array::from_iter_values(first..first + rows as i64)),
                Column::Absent(kind) => new_null_array(kind, rows),
                Column::Held(index) => {
                    let place = files.binary_search(index).map_err(|_| "a column was not read")?;
                    utc(batch.columns().get(place).ok_or("a column was not read")?)
                }
            });
        }
        let fields = arrays.iter().map(|array| Field::new("", array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let counted = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(Some(RecordBatch::try_new_with_options(schema, arrays, &counted)?))
    }
}

impl Column {
    const fn in_file(&self) -> Option<usize> {
        if let Self::Held(index) = self { Some(*index) } else { None }
    }
}

/// An error with its causes: DuckDB carries one text.
fn whole(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
