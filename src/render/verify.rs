//! A verified bundle, in one line.

use super::Present;
use super::document::{Cell, Document, Table, Tone};
use super::inspect::size;
use crate::model::Verified;

impl Present for Verified {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let Self { bundle, bytes, members, sha256, .. } = self;
        let line = format!("{bundle} is whole: {}, {members} members, sha256 {sha256}", size(*bytes));
        document.headline(Cell::toned(line, Tone::Good));
        document
    }

    fn sheet(&self) -> Option<Table> {
        let cells = [self.bundle.clone(), self.bytes.to_string(), self.members.to_string(), self.sha256.clone()];
        let row = cells.into_iter().map(Cell::from).collect();
        Some(Table::new(vec!["bundle", "bytes", "members", "sha256"], vec![row]))
    }
}
