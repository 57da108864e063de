//! Rows of an answer as a Parquet file.

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};
use std::sync::Arc;

/// The values of a column.
pub enum SheetColumn {
    Text(Vec<Option<String>>),
    Integer(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    Boolean(Vec<Option<bool>>),
    /// Microseconds, UTC.
    Time(Vec<Option<i64>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

/// Writes columns, which have the same number of values and different names.
pub fn write_sheet(columns: Vec<(String, SheetColumn)>, out: &mut (impl Write + Send)) -> io::Result<()> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, column) in columns {
        let array = column.array();
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(io::Error::other)?;
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = ArrowWriter::try_new(out, schema, Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

impl SheetColumn {
    fn array(self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(StringArray::from(values)),
            Self::Integer(values) => Arc::new(Int64Array::from(values)),
            Self::Number(values) => Arc::new(Float64Array::from(values)),
            Self::Boolean(values) => Arc::new(BooleanArray::from(values)),
            Self::Time(values) => Arc::new(TimestampMicrosecondArray::from(values).with_timezone("UTC")),
            Self::Bytes(values) => Arc::new(BinaryArray::from_iter(values)),
        }
    }
}
