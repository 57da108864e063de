//! The gate through which everything goes into a bundle.

use super::error::{Error, Result};
use super::redact::{Leaks, Note, Redactor};
use crate::bundle::{About, Published, Writer};
use crate::schema::{Record, Redaction};
use std::collections::BTreeMap;

/// Lets rows through to the writer, without their secrets unless somebody wants them in.
pub struct Gate {
    writer: Writer,
    redactor: Option<Redactor>,
    leaks: Leaks,
    redacted: BTreeMap<&'static str, i64>,
}

impl Gate {
    /// Canaries are looked for in any case; random strings only where secrets are to be gone.
    pub fn new(writer: Writer, redacts: bool, canaries: &[String]) -> Self {
        let leaks = Leaks::new(canaries, !redacts);
        Self { writer, redactor: redacts.then(Redactor::new), leaks, redacted: BTreeMap::new() }
    }

    /// Takes a row and tells its number.
    pub fn append<'a, R: Record<'a>>(&mut self, record: &R) -> Result<i64> {
        let Some(redacted) = self.redactor.as_mut().and_then(|redactor| redactor.row(record)) else {
            let row = self.writer.append(record)?;
            self.leaks.row(record, None, row);
            return Ok(row);
        };
        let row = self.writer.append_changed(record, &redacted.changes)?;
        self.leaks.row(record, Some(&redacted.changes), row);
        for note in &redacted.notes {
            self.note(R::TABLE.name, Some(row), note)?;
        }
        Ok(row)
    }

    /// What is said about the bundle goes the same way as its rows. Tells how many secrets of each kind were taken out.
    /// What must not go out stops it, unless somebody allows it.
    pub fn publish(mut self, mut about: About, allows_leaks: bool) -> Result<(Published, BTreeMap<&'static str, i64>)> {
        about.redacted = self.redactor.is_some();
        for (key, label) in &mut about.labels {
            // A label is a name and its value, and the name may tell what the value is.
            let pair = format!("{key}={label}");
            if let Some(clean) = self.text(&pair, "labels")? {
                *label = clean.strip_prefix(&format!("{key}=")).unwrap_or(&clean).to_owned();
            }
        }
        for note in &mut about.notes {
            self.in_place(note, "notes")?;
        }
        for source in &mut about.sources {
            self.in_place(&mut source.name, "sources")?;
        }
        let labels = about.labels.values().map(|label| (label, "labels"));
        let notes = about.notes.iter().map(|note| (note, "notes"));
        for (text, field) in labels.chain(notes) {
            self.leaks.text(text, field);
        }
        if self.leaks.count > 0 && !allows_leaks {
            return Err(Error::Leaks { places: self.leaks.places, count: self.leaks.count });
        }
        Ok((self.writer.publish(about)?, self.redacted))
    }

    fn in_place(&mut self, text: &mut String, field: &'static str) -> Result<()> {
        if let Some(clean) = self.text(text, field)? {
            *text = clean;
        }
        Ok(())
    }

    fn text(&mut self, text: &str, column: &'static str) -> Result<Option<String>> {
        let redacted = self.redactor.as_mut().and_then(|redactor| redactor.text(text));
        let Some((clean, kinds)) = redacted else { return Ok(None) };
        for (kind, count) in kinds {
            self.note("manifest", None, &Note { column, kind, count })?;
        }
        Ok(Some(clean))
    }

    fn note(&mut self, table: &'static str, of_row: Option<i64>, note: &Note) -> Result<()> {
        *self.redacted.entry(note.kind).or_default() += note.count;
        self.writer.append(&Redaction {
            kind: note.kind.into(),
            table_name: table.into(),
            column_name: note.column.into(),
            of_row,
            count: note.count,
        })?;
        Ok(())
    }
}
