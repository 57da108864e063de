//! The gate through which everything goes into a bundle.

use super::error::{Error, Result};
use super::pseudonym::Pseudonyms;
use super::redact::{Leaks, Note, Redactor};
use crate::bundle::{About, Published, Writer};
use crate::schema::{Changes, Column, Redaction, Row};
use std::collections::BTreeMap;

/// Lets rows through to the writer, without their secrets and names unless somebody wants them in.
pub struct Gate {
    writer: Writer,
    redactor: Option<Redactor>,
    pseudonyms: Option<Pseudonyms>,
    leaks: Leaks,
    replaced: BTreeMap<&'static str, i64>,
}

/// A bundle that was let out.
#[derive(Debug)]
pub struct LetOut {
    pub published: Published,
    /// How often each kind was replaced.
    pub replaced: BTreeMap<&'static str, i64>,
}

impl Gate {
    pub const fn new(writer: Writer, redactor: Option<Redactor>, pseudonyms: Option<Pseudonyms>, leaks: Leaks) -> Self {
        Self { writer, redactor, pseudonyms, leaks, replaced: BTreeMap::new() }
    }

    /// Takes a row and tells its number.
    pub fn append(&mut self, row: &impl Row) -> Result<i64> {
        let redacted = self.redactor.as_mut().and_then(|redactor| redactor.row(row)).unwrap_or_default();
        self.append_changed(row, redacted.changes, &redacted.notes)
    }

    fn append_changed(&mut self, row: &impl Row, mut changes: Changes, notes: &[Note]) -> Result<i64> {
        if let Some(pseudonyms) = &mut self.pseudonyms {
            pseudonyms.row(row, &mut changes)?;
        }
        if changes.is_empty() {
            let number = self.writer.append(row)?;
            self.leaks.row(row, None, number);
            return Ok(number);
        }
        let number = self.writer.append_changed(row, &changes)?;
        self.leaks.row(row, Some(&changes), number);
        for note in notes {
            self.note(row.table().name, Some(number), note)?;
        }
        Ok(number)
    }

    /// Takes a row of which some columns are left out.
    pub fn append_without(&mut self, row: &impl Row, columns: &[(usize, &Column)]) -> Result<i64> {
        let mut redacted = self.redactor.as_mut().and_then(|redactor| redactor.row(row)).unwrap_or_default();
        for (place, column) in columns {
            // Where every row has a text, it is an empty one.
            redacted.changes.set(*place, (!column.nullable).then(String::new));
        }
        self.append_changed(row, redacted.changes, &redacted.notes)
    }

    /// Writes down how often something of a column was left out.
    pub fn left_out(&mut self, table: &'static str, column: &'static str, count: i64) -> Result<()> {
        self.note(table, None, &Note { column, kind: "left-out", count })
    }

    /// What is said about the bundle goes the same way as its rows. What must not go out stops it, unless somebody allows
    /// it.
    pub fn publish(mut self, mut about: About, allows_leaks: bool) -> Result<LetOut> {
        about.redacted |= self.redactor.is_some();
        self.redact_labels(&mut about)?;
        for note in &mut about.notes {
            self.in_place(note, "notes")?;
        }
        for source in &mut about.sources {
            self.in_place(&mut source.name, "sources")?;
        }
        for value in about.more.values_mut() {
            // What nobody knows is looked at as the text that it is written as.
            let mut text = value.to_string();
            self.in_place(&mut text, "more")?;
            *value = serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text));
        }
        let labels = about.labels.values().map(|label| (label.clone(), "labels"));
        let notes = about.notes.iter().map(|note| (note.clone(), "notes"));
        let more = about.more.values().map(|value| (value.to_string(), "more"));
        for (text, field) in labels.chain(notes).chain(more) {
            self.leaks.text(&text, field);
        }
        if self.leaks.count > 0 && !allows_leaks {
            return Err(Error::Leaks { places: self.leaks.places, count: self.leaks.count });
        }
        let pseudonyms = self.pseudonyms.take();
        for ((table, column, kind), count) in pseudonyms.iter().flat_map(Pseudonyms::counts) {
            self.note(table, None, &Note { column, kind: kind.singular(), count: *count })?;
        }
        let published = self.writer.publish(about)?;
        if let Some(mut pseudonyms) = pseudonyms {
            pseudonyms.publish()?;
        }
        Ok(LetOut { published, replaced: self.replaced })
    }

    /// A label is a name and its value, and the name may tell what the value is.
    fn redact_labels(&mut self, about: &mut About) -> Result<()> {
        let mut labels = BTreeMap::new();
        for (key, label) in std::mem::take(&mut about.labels) {
            let pair = format!("{key}={label}");
            let clean = self.redacted(&pair, "labels")?.unwrap_or(pair);
            let mut label = clean.strip_prefix(&format!("{key}=")).unwrap_or(&clean).to_owned();
            let mut key = key;
            if let Some(pseudonyms) = &mut self.pseudonyms {
                for text in [&mut key, &mut label] {
                    *text = pseudonyms.text(text, "labels")?.unwrap_or_else(|| std::mem::take(text));
                }
            }
            labels.insert(key, label);
        }
        about.labels = labels;
        Ok(())
    }

    fn in_place(&mut self, text: &mut String, field: &'static str) -> Result<()> {
        if let Some(clean) = self.redacted(text, field)? {
            *text = clean;
        }
        if let Some(swapped) = self.pseudonyms.as_mut().map(|pseudonyms| pseudonyms.text(text, field)).transpose()? {
            swapped.into_iter().for_each(|swapped| *text = swapped);
        }
        Ok(())
    }

    fn redacted(&mut self, text: &str, column: &'static str) -> Result<Option<String>> {
        let redacted = self.redactor.as_mut().and_then(|redactor| redactor.text(text));
        let Some((clean, kinds)) = redacted else { return Ok(None) };
        for (kind, count) in kinds {
            self.note("manifest", None, &Note { column, kind, count })?;
        }
        Ok(Some(clean))
    }

    fn note(&mut self, table: &'static str, of_row: Option<i64>, note: &Note) -> Result<()> {
        *self.replaced.entry(note.kind).or_default() += note.count;
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
