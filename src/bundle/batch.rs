//! Cells to Arrow and back: the only place that knows how a declared column is stored.

use super::error::WriteError;
use crate::schema::{Cell, Column, Kind, Record, Table, Time};
use arrow::array::{
    Array, ArrayBuilder, ArrayRef, AsArray, BinaryBuilder, BooleanBuilder, Int64Builder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef, TimeUnit, TimestampMicrosecondType};
use std::sync::Arc;

/// A batch is handed on at this many rows or bytes, whichever comes first, so that memory stays bounded
/// whatever the length of a line.
const BATCH_ROWS: usize = 8192;
const BATCH_BYTES: usize = 8 << 20;

/// The Arrow schema of a declared table.
pub fn arrow_schema(table: &Table) -> SchemaRef {
    let fields: Vec<Field> =
        table.columns.iter().map(|column| Field::new(column.name, data_type(column.kind), column.nullable)).collect();
    Arc::new(Schema::new(fields))
}

fn data_type(kind: Kind) -> DataType {
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
    pub fn push<'a>(&mut self, record: &impl Record<'a>) -> bool {
        record.cells(|index, cell| {
            if let Some(builder) = self.builders.get_mut(index) {
                self.bytes += builder.append(cell);
            }
        });
        self.rows += 1;
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub fn take(&mut self) -> Result<RecordBatch, WriteError> {
        (self.rows, self.bytes) = (0, 0);
        let columns: Vec<ArrayRef> = self.builders.iter_mut().map(Builder::finish).collect();
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| WriteError::Encode(error.to_string()))
    }
}

/// Grows one column. Most cells of a log line are empty: those are counted, and put down together before a value.
struct Builder {
    values: Values,
    nulls: usize,
}

enum Values {
    Text(StringBuilder),
    Int(Int64Builder),
    Bool(BooleanBuilder),
    Time(TimestampMicrosecondBuilder),
    Bytes(BinaryBuilder),
}

impl Builder {
    fn new(column: &Column) -> Self {
        let values = match column.kind {
            Kind::Text | Kind::Json => Values::Text(StringBuilder::new()),
            Kind::Int => Values::Int(Int64Builder::new()),
            Kind::Bool => Values::Bool(BooleanBuilder::new()),
            Kind::Time => Values::Time(TimestampMicrosecondBuilder::new().with_timezone("UTC")),
            Kind::Bytes => Values::Bytes(BinaryBuilder::new()),
        };
        Self { values, nulls: 0 }
    }

    /// Takes a value and tells its size. A cell's type always fits: both come from one declaration.
    fn append(&mut self, cell: Cell<'_>) -> usize {
        if cell == Cell::Null {
            self.nulls += 1;
            return 0;
        }
        self.put_nulls();
        match (&mut self.values, cell) {
            (Values::Text(builder), Cell::Text(value)) => {
                builder.append_value(value);
                return value.len();
            }
            (Values::Bytes(builder), Cell::Bytes(value)) => {
                builder.append_value(value);
                return value.len();
            }
            (Values::Int(builder), Cell::Int(value)) => builder.append_value(value),
            (Values::Bool(builder), Cell::Bool(value)) => builder.append_value(value),
            (Values::Time(builder), Cell::Time(value)) => builder.append_value(value.micros()),
            _ => self.nulls += 1,
        }
        0
    }

    fn put_nulls(&mut self) {
        let nulls = std::mem::take(&mut self.nulls);
        match &mut self.values {
            _ if nulls == 0 => {}
            Values::Text(builder) => builder.append_nulls(nulls),
            Values::Int(builder) => builder.append_nulls(nulls),
            Values::Bool(builder) => builder.append_nulls(nulls),
            Values::Time(builder) => builder.append_nulls(nulls),
            Values::Bytes(builder) => builder.append_nulls(nulls),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        self.put_nulls();
        let builder: &mut dyn ArrayBuilder = match &mut self.values {
            // The next batch will be about as large: room for it at once, instead of growing and copying.
            Values::Text(builder) => {
                let (rows, bytes) = (builder.len(), builder.values_slice().len());
                let next = StringBuilder::with_capacity(rows, bytes + bytes / 8);
                return Arc::new(std::mem::replace(builder, next).finish());
            }
            Values::Int(builder) => builder,
            Values::Bool(builder) => builder,
            Values::Time(builder) => builder,
            Values::Bytes(builder) => builder,
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
