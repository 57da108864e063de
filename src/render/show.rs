//! Rows of evidence, laid out.

use super::Present;
use super::document::{Cell, Document, Table};
use crate::model::{Shown, ShownRow};
use serde_json::Value;

impl Present for Shown {
    fn document(&self) -> Document {
        let mut document = Document::default();
        for (position, row) in self.rows.iter().enumerate() {
            if position > 0 {
                document.gap();
            }
            document.headline(row.reference.as_str());
            let pairs =
                row.row.iter().map(|(column, value)| [column.as_str().into(), text(value).into(), Cell::default()]);
            document.pairs(pairs.collect());
        }
        document
    }

    fn sheet(&self) -> Option<Table> {
        let values = self.rows.iter().flat_map(|row| row.row.iter().map(move |(column, value)| (row, column, value)));
        let cells = |(row, column, value): (&ShownRow, &String, &Value)| {
            vec![row.reference.as_str().into(), column.as_str().into(), text(value).into()]
        };
        Some(Table::new(vec!["ref", "column", "value"], values.map(cells).collect()))
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
