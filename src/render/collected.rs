//! What came of a collection, laid out.

use super::Present;
use super::document::{Cell, Document, Tone};
use super::live;
use crate::model::Collected;

/// Files that were left out, and remarks, that are named; a folder may hold thousands.
const NAMED: usize = 10;

impl Present for Collected {
    fn document(&self) -> Document {
        let mut document = Document::default();
        live::steps(&mut document, &self.live);
        let count =
            |number: i64, tone| if number == 0 { Cell::default() } else { Cell::toned(number.to_string(), tone) };
        let rows = self.forms.iter().map(|form| {
            vec![
                form.name.as_str().into(),
                form.files.to_string().into(),
                form.seen.to_string().into(),
                form.rows.to_string().into(),
                count(form.duplicates, Tone::Plain),
                count(form.unknown, Tone::Unsure),
                count(form.skipped, Tone::Faint),
            ]
        });
        let columns = vec!["taken for", "files", "in them", "stored", "twice", "not understood", "no evidence"];
        document.table(columns, rows.collect());
        document.lines("note", named(&self.remarks));
        document.lines("left out", named(&self.left_out));
        document
    }
}

/// The first of many; the bundle has all of them.
pub fn named(lines: &[impl ToString]) -> Vec<String> {
    let mut named: Vec<String> = lines.iter().take(NAMED).map(ToString::to_string).collect();
    if lines.len() > NAMED {
        named.push(format!("and {} more; dacapo inspect --format json lists them", lines.len() - NAMED));
    }
    named
}
