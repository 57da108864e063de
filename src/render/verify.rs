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
        if let Some(seal) = &self.seal {
            let means = Cell::toned(seal.meaning(), if seal.compared { Tone::Good } else { Tone::Faint });
            document.pairs(vec![["signed by".into(), seal.fingerprint.as_str().into(), means]]);
        }
        document
    }

    fn sheet(&self) -> Option<Table> {
        let signed_by = self.seal.as_ref().map(|seal| seal.fingerprint.clone()).unwrap_or_default();
        let (bytes, members) = (self.bytes.to_string(), self.members.to_string());
        let cells = [self.bundle.clone(), bytes, members, self.sha256.clone(), signed_by];
        let row = cells.into_iter().map(Cell::from).collect();
        Some(Table::new(vec!["bundle", "bytes", "members", "sha256", "signed_by"], vec![row]))
    }
}
