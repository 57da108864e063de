//! Rows of evidence, opened: `dacapo.show/1`.

use serde::Serialize;
use serde_json::{Map, Value};

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.show/1";

#[derive(Debug, Serialize)]
pub struct Shown {
    pub format: &'static str,
    pub rows: Vec<ShownRow>,
}

#[derive(Debug, Serialize)]
pub struct ShownRow {
    /// `table:row`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub table: String,
    /// Columns with a value, in their order.
    pub row: Map<String, Value>,
}
