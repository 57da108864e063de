//! CSV of Maestro's tables, as `\copy … csv header`, `psql --csv` and database tools write it.

use super::intake::Intake;
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::csv::{Next, Record, Records};
use crate::schema::Text;
use std::borrow::Cow;
use std::io::BufRead;

pub struct DatabaseCsv;

const DELIMITERS: &[u8] = b",;\t";
/// Rows without names that are looked at to tell the table.
const LOOKED_AT: usize = 20;

impl Form for DatabaseCsv {
    fn name(&self) -> &'static str {
        "database rows (CSV)"
    }

    fn claims(&self, file: &Candidate) -> bool {
        Layout::of(file).is_some()
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut intake = Intake::new(file, taking);
        let Some(layout) = Layout::of(file) else { return Ok(intake.taken) };
        intake.taken.has(layout.shape.table.name);
        let mut records = Records::new(input, layout.delimiter);
        records.expect(layout.columns.len());
        let mut header = layout.has_header;
        loop {
            match records.next() {
                Ok(Some(Next::Record(_))) if std::mem::take(&mut header) => {}
                Ok(Some(Next::Record(record))) => take_record(record, &layout, &mut intake)?,
                Ok(Some(Next::Broken { line, text })) => {
                    intake.taken.whole = false;
                    let text = String::from_utf8_lossy(text);
                    intake.unknown(&text, line, "a quote is opened in the record that begins here and not closed")?;
                }
                Ok(None) => break,
                Err(error) => {
                    intake.cut(format!("line {}: {error}", records.line()));
                    break;
                }
            }
        }
        Ok(intake.taken)
    }
}

fn take_record(record: Record<'_>, layout: &Layout, intake: &mut Intake<'_, '_>) -> Result<()> {
    if record.len() != layout.columns.len() {
        let reason = format!("{} cells for {} columns", record.len(), layout.columns.len());
        return intake.unknown(&String::from_utf8_lossy(record.text), record.line, &reason);
    }
    intake.cells(layout.shape, &layout.columns, cells(record), record.line)
}

/// What the columns are.
struct Layout {
    shape: &'static Shape,
    columns: Vec<String>,
    has_header: bool,
    delimiter: u8,
}

impl Layout {
    fn of(file: &Candidate) -> Option<Self> {
        let called = tables::of_file(&file.name).map(|shape| shape.table.name);
        DELIMITERS.iter().find_map(|delimiter| Self::with(*delimiter, &file.head, called))
    }

    fn with(delimiter: u8, head: &[u8], called: Option<&str>) -> Option<Self> {
        let mut records = Records::new(head, delimiter);
        let first = match records.next() {
            Ok(Some(Next::Record(first))) => first,
            // The head ends within a quote of the first record, and shows its beginning.
            Ok(Some(Next::Broken { text, .. })) if text.len() == head.len() && delimiter != b'\t' => {
                return Self::of_beginning(&[text, b"\""].concat(), delimiter);
            }
            _ => return None,
        };
        let columns: Vec<String> = first.iter().map(|cell| tables::column(&String::from_utf8_lossy(cell))).collect();
        if let Some(shape) = tables::of_columns(&columns, called) {
            return Some(Self { shape, columns, has_header: true, delimiter });
        }
        // Tab separated cells without names are COPY's text, which has its own escapes.
        if delimiter == b'\t' {
            return None;
        }
        let own = |record: Record<'_>| -> Vec<Option<String>> {
            cells(record).into_iter().map(|cell| cell.map(Cow::into_owned)).collect()
        };
        let mut found = vec![own(first)];
        while let (true, Ok(Some(Next::Record(record)))) = (found.len() < LOOKED_AT, records.next()) {
            found.push(own(record));
        }
        // The head may end in the middle of a record.
        if found.len() > 1 && found.len() < LOOKED_AT {
            found.pop();
        }
        let rows: Vec<Vec<Option<&str>>> = found.iter().map(|row| row.iter().map(Option::as_deref).collect()).collect();
        let beginning = || rows.first().filter(|_| rows.len() == 1).and_then(|row| tables::of_beginning(row));
        Some(Self::without_header(tables::of_rows(&rows, called).or_else(beginning)?, delimiter))
    }

    fn of_beginning(text: &[u8], delimiter: u8) -> Option<Self> {
        let mut records = Records::new(text, delimiter);
        let Ok(Some(Next::Record(record))) = records.next() else { return None };
        let cells = cells(record);
        let row: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
        tables::of_beginning(&row).map(|shape| Self::without_header(shape, delimiter))
    }

    fn without_header(shape: &'static Shape, delimiter: u8) -> Self {
        let columns = shape.columns.iter().map(|column| (*column).to_owned()).collect();
        Self { shape, columns, has_header: false, delimiter }
    }
}

/// What the cells say; nothing without quotes is no value.
fn cells<'a>(record: Record<'a>) -> Vec<Option<Text<'a>>> {
    let text = |(index, bytes): (usize, &'a [u8])| {
        let is_null = !record.is_quoted(index) && matches!(bytes, b"" | b"\\N");
        (!is_null).then(|| String::from_utf8_lossy(bytes))
    };
    record.iter().enumerate().map(text).collect()
}
