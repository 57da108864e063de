//! Cells to Arrow and back: the only place that knows how a declared column is stored.

use super::error::WriteError;
use crate::schema::{Cell, Changes, Column, Kind, Row, Table, Time};
use arrow::array::{
    Array, ArrayBuilder, ArrayRef, AsArray, BinaryBuilder, BooleanBuilder, Int64Builder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef, TimeUnit, TimestampMicrosecondType};
use std::sync::Arc;

/// A batch is handed on at this many rows or bytes, whichever comes first: small enough that it is still in the
/// processor's cache when the other thread takes it, and that memory stays bounded whatever the length of a line.
const BATCH_ROWS: usize = 4096;
const BATCH_BYTES: usize = 2 << 20;

/// The Arrow schema of a declared table.
pub fn arrow_schema(table: &Table) -> SchemaRef {
    let fields: Vec<Field> =
        table.columns.iter().map(|column| Field::new(column.name, data_type(column.kind), column.nullable)).collect();
    Arc::new(Schema::new(fields))
}

pub(super) fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text | Kind::Json => DataType::Utf8,
        Kind::Int => DataType::Int64,
        Kind::Bool => DataType::Boolean,
        Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Kind::Bytes => DataType::Binary,
    }
}

/// Collects rows of one table into batches.
pub struct Batcher {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
}

impl Batcher {
    pub fn new(table: &Table) -> Self {
        Self {
            schema: arrow_schema(table),
            builders: table.columns.iter().map(Builder::new).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Takes a row; says whether the batch is full.
    pub fn push(&mut self, row: &impl Row) -> bool {
        row.cells(|index, cell| self.put(index, cell));
        self.end_row()
    }

    /// Takes a row with other values in some of its columns.
    pub fn push_changed(&mut self, row: &impl Row, changes: &Changes) -> bool {
        row.cells(|index, own| self.put(index, changes.cell(index, own)));
        self.end_row()
    }

    fn put(&mut self, index: usize, cell: Cell<'_>) {
        if let (Some(builder), false) = (self.builders.get_mut(index), matches!(cell, Cell::Null)) {
            self.bytes += builder.append(self.rows, cell);
        }
    }

    fn end_row(&mut self) -> bool {
        self.rows += 1;
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub fn take(&mut self) -> Result<RecordBatch, WriteError> {
        let columns: Vec<ArrayRef> = self.builders.iter_mut().map(|builder| builder.finish(self.rows)).collect();
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| WriteError::Encode(error.to_string()))
    }
}

/// Grows one column. Most cells of a log line are empty: those are put down together before the next value.
enum Builder {
    Text(StringBuilder),
    Int(Int64Builder),
    Bool(BooleanBuilder),
    Time(TimestampMicrosecondBuilder),
    Bytes(BinaryBuilder),
}

impl Builder {
    fn new(column: &Column) -> Self {
        match column.kind {
            Kind::Text | Kind::Json => Self::Text(StringBuilder::new()),
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Time => Self::Time(TimestampMicrosecondBuilder::new().with_timezone("UTC")),
            Kind::Bytes => Self::Bytes(BinaryBuilder::new()),
        }
    }

    /// Puts a value into a row and tells its size. Its type always fits: both come from one declaration.
    fn append(&mut self, row: usize, value: Cell<'_>) -> usize {
        self.pad(row);
        match (self, value) {
            (Self::Text(builder), Cell::Text(value)) => {
                builder.append_value(value);
                return value.len();
            }
            (Self::Bytes(builder), Cell::Bytes(value)) => {
                builder.append_value(value);
                return value.len();
            }
            (Self::Int(builder), Cell::Int(value)) => builder.append_value(value),
            (Self::Bool(builder), Cell::Bool(value)) => builder.append_value(value),
            (Self::Time(builder), Cell::Time(value)) => builder.append_value(value.micros()),
            _ => {}
        }
        0
    }

    /// Puts down the empty cells before a row.
    fn pad(&mut self, row: usize) {
        macro_rules! pad {
            ($builder:ident) => {
                match row - $builder.len() {
                    0 => {}
                    nulls => $builder.append_nulls(nulls),
                }
            };
        }
        match self {
            Self::Text(builder) => pad!(builder),
            Self::Int(builder) => pad!(builder),
            Self::Bool(builder) => pad!(builder),
            Self::Time(builder) => pad!(builder),
            Self::Bytes(builder) => pad!(builder),
        }
    }

    fn finish(&mut self, rows: usize) -> ArrayRef {
        self.pad(rows);
        let builder: &mut dyn ArrayBuilder = match self {
            // The next batch will be about as large: room for it at once, instead of growing and copying.
            Self::Text(builder) => {
                let bytes = builder.values_slice().len();
                let next = StringBuilder::with_capacity(rows, bytes + bytes / 8);
                return Arc::new(std::mem::replace(builder, next).finish());
            }
            Self::Int(builder) => builder,
            Self::Bool(builder) => builder,
            Self::Time(builder) => builder,
            Self::Bytes(builder) => builder,
        };
        builder.finish()
    }
}

/// The value of one row and column; a type that no declaration has is null.
pub fn cell(array: &dyn Array, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Null;
    }
    match array.data_type() {
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row)),
        DataType::Int64 => Cell::Int(array.as_primitive::<Int64Type>().value(row)),
        DataType::Boolean => Cell::Bool(array.as_boolean().value(row)),
        DataType::Binary => Cell::Bytes(array.as_binary::<i32>().value(row)),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Cell::Time(Time::from_micros(array.as_primitive::<TimestampMicrosecondType>().value(row)))
        }
        _ => Cell::Null,
    }
}
