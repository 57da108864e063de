//! CSV of Maestro's tables, as `\copy … csv header`, `psql --csv` and database tools write it.
//!
//! PostgreSQL writes an empty text as `""` and no value as nothing between the commas. The csv crate does not tell them
//! apart, so the records are read here.

use super::intake::Intake;
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::Lines;
use crate::schema::Text;
use std::borrow::Cow;
use std::io::{self, BufRead};

pub struct DatabaseCsv;

const DELIMITERS: &[u8] = b",;\t";
/// A record over several lines that gets longer than this has a quote too many.
const LONGEST: usize = 128 << 20;
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
        let mut header = layout.has_header;
        loop {
            match records.next() {
                Ok(Some(_)) if std::mem::take(&mut header) => {}
                Ok(Some(record)) => take_record(&record, &layout, &mut intake)?,
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

fn take_record(record: &Record, layout: &Layout, intake: &mut Intake<'_, '_>) -> Result<()> {
    if record.open_quote {
        intake.taken.whole = false;
        return intake.unknown(
            &record.text(),
            record.line,
            "a quote is opened in the record that begins here and not closed",
        );
    }
    if record.cells.len() != layout.columns.len() {
        let reason = format!("{} cells for {} columns", record.cells.len(), layout.columns.len());
        return intake.unknown(&record.text(), record.line, &reason);
    }
    let cells = record.cells.iter().map(Cell::text).collect();
    intake.cells(layout.shape, &layout.columns, cells, record.line)
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
        let first = records.next().ok()??;
        let columns: Vec<String> = first.cells.iter().map(|cell| tables::column(&cell.lossy())).collect();
        if let Some(shape) = tables::of_columns(&columns, called) {
            return Some(Self { shape, columns, has_header: true, delimiter });
        }
        // Tab separated cells without names are COPY's text, which has its own escapes.
        if delimiter == b'\t' {
            return None;
        }
        let mut found = vec![first];
        while let (true, Ok(Some(record))) = (found.len() < LOOKED_AT, records.next()) {
            found.push(record);
        }
        // The head may end in the middle of a record.
        if found.len() > 1 && found.len() < LOOKED_AT {
            found.pop();
        }
        let texts: Vec<Vec<Option<Text<'_>>>> =
            found.iter().map(|record| record.cells.iter().map(Cell::text).collect()).collect();
        let rows: Vec<Vec<Option<&str>>> =
            texts.iter().map(|row| row.iter().map(|cell| cell.as_deref()).collect()).collect();
        let beginning = || rows.first().filter(|_| rows.len() == 1).and_then(|row| tables::of_beginning(row));
        let shape = tables::of_rows(&rows, called).or_else(beginning)?;
        let columns = shape.columns.iter().map(|column| (*column).to_owned()).collect();
        Some(Self { shape, columns, has_header: false, delimiter })
    }
}

/// One record and the line on which it begins.
struct Record {
    line: u64,
    cells: Vec<Cell>,
    open_quote: bool,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct Cell {
    bytes: Vec<u8>,
    quoted: bool,
}

impl Cell {
    fn lossy(&self) -> Text<'_> {
        String::from_utf8_lossy(&self.bytes)
    }

    fn text(&self) -> Option<Text<'_>> {
        let is_null = !self.quoted && matches!(self.bytes.as_slice(), b"" | b"\\N");
        (!is_null).then(|| self.lossy())
    }
}

impl Record {
    fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// Reads records, of which one may go over several lines.
struct Records<R> {
    lines: Lines<R>,
    delimiter: u8,
}

impl<R: BufRead> Records<R> {
    const fn new(reader: R, delimiter: u8) -> Self {
        Self { lines: Lines::new(reader), delimiter }
    }

    const fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The next record that is not empty.
    fn next(&mut self) -> io::Result<Option<Record>> {
        let mut record = Record { line: 0, cells: Vec::new(), open_quote: false, bytes: Vec::new() };
        while let Some(line) = self.lines.next()? {
            let bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
            if record.open_quote {
                record.bytes.push(b'\n');
                if let Some(cell) = record.cells.last_mut() {
                    cell.bytes.push(b'\n');
                }
            } else if bytes.trim_ascii().is_empty() {
                continue;
            } else {
                record.line = line.number;
                record.cells.push(Cell::default());
            }
            record.bytes.extend_from_slice(bytes);
            record.feed(bytes, self.delimiter);
            // A carriage return belongs to the end of the line, unless the value goes on behind it.
            if let (true, true, Some(cell)) = (record.open_quote, bytes != line.bytes, record.cells.last_mut()) {
                record.bytes.push(b'\r');
                cell.bytes.push(b'\r');
            }
            if !record.open_quote || record.bytes.len() > LONGEST {
                return Ok(Some(record));
            }
        }
        Ok(record.open_quote.then_some(record))
    }
}

impl Record {
    /// Reads one line into cells. A quote counts where a cell begins, and inside of quotes.
    fn feed(&mut self, line: &[u8], delimiter: u8) {
        let mut bytes = line.iter().copied().peekable();
        let mut at_start = !self.open_quote;
        while let Some(byte) = bytes.next() {
            let Some(cell) = self.cells.last_mut() else { return };
            match byte {
                b'"' if self.open_quote && bytes.peek() == Some(&b'"') => {
                    bytes.next();
                    cell.bytes.push(b'"');
                }
                b'"' if self.open_quote => self.open_quote = false,
                b'"' if at_start => {
                    self.open_quote = true;
                    cell.quoted = true;
                }
                byte if byte == delimiter && !self.open_quote => {
                    self.cells.push(Cell::default());
                    at_start = true;
                    continue;
                }
                byte => cell.bytes.push(byte),
            }
            at_start = false;
        }
    }
}
