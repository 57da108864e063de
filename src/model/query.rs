//! The answer to a statement: `dacapo.query/1`.

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.query/1";

/// Rows, and what their columns are called.
#[derive(Debug, Default)]
pub struct Queried {
    /// The canned statement, where it is one.
    pub query: Option<String>,
    pub columns: Vec<QueriedColumn>,
    pub rows: Vec<Vec<Value>>,
    /// Why there would be more rows.
    pub cut: Option<Cut>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueriedColumn {
    /// Different from that of every other column.
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ColumnKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    Text,
    Integer,
    Number,
    Boolean,
    Time,
    Bytes,
}

/// What an answer was cut at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    Rows,
    Bytes,
}

/// Rows are objects with the columns as keys: that is how programs ask for them.
impl Serialize for Queried {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Row<'_>> = self.rows.iter().map(|row| Row(&self.columns, row)).collect();
        let mut object = serializer.serialize_struct("Queried", 5)?;
        object.serialize_field("format", FORMAT)?;
        object.serialize_field("query", &self.query)?;
        object.serialize_field("columns", &self.columns)?;
        object.serialize_field("rows", &rows)?;
        object.serialize_field("cut", &self.cut)?;
        object.end()
    }
}

struct Row<'a>(&'a [QueriedColumn], &'a [Value]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.1.len()))?;
        for (column, value) in self.0.iter().zip(self.1) {
            object.serialize_entry(&column.name, value)?;
        }
        object.end()
    }
}
