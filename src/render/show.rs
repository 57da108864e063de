//! Rows of evidence, laid out.

use super::Present;
use super::document::{Cell, Document};
use crate::model::Shown;

impl Present for Shown {
    fn document(&self) -> Document {
        let mut document = Document::default();
        for (position, row) in self.rows.iter().enumerate() {
            if position > 0 {
                document.gap();
            }
            document.headline(row.reference.as_str());
            let pairs = row.row.iter().map(|(column, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                [column.as_str().into(), value.into(), Cell::default()]
            });
            document.pairs(pairs.collect());
        }
        document
    }
}
