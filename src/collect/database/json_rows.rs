//! Rows of Maestro's tables as JSON: one object a line as `row_to_json` prints them, one array as `json_agg` does, or
//! objects over several lines as jq does.

use super::intake::Intake;
use super::tables;
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::collect::json::Glimpse;
use crate::input::Lines;
use crate::input::json::{Error, Json, Scan};
use std::io::BufRead;

pub struct DatabaseRows;

/// An object over several lines that gets longer than this is no row.
const LONGEST: usize = 128 << 20;

impl Form for DatabaseRows {
    fn name(&self) -> &'static str {
        "database rows (JSON lines)"
    }

    /// An empty file that is called like a table is that table without rows: psql writes nothing then.
    fn claims(&self, file: &Candidate) -> bool {
        let called = tables::of_file(&file.name).map(|shape| shape.table.name);
        let head = file.head.trim_ascii();
        if file.whole && matches!(head, b"" | b"[]" | b"null") {
            return called.is_some();
        }
        let glimpse = Glimpse::of(head);
        let mut columns: Vec<String> = glimpse.element().keys().map(|name| tables::column(name)).collect();
        // A column that the head cuts off before its value still counts.
        columns.dedup();
        !glimpse.outer.contains_key("items") && tables::of_columns(&columns, called).is_some()
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut intake = Intake::new(file, taking);
        if let Some(shape) = tables::of_file(&file.name) {
            intake.taken.has(shape.table.name);
        }
        match file.head.trim_ascii_start().first() {
            Some(b'[') => take_array(input, &mut intake)?,
            _ => take_lines(input, &mut intake)?,
        }
        Ok(intake.taken)
    }
}

/// Walks the elements of arrays, one after the other.
fn take_array(input: &mut dyn BufRead, intake: &mut Intake<'_, '_>) -> Result<()> {
    let mut json = Json::new(input);
    loop {
        match next_element(&mut json) {
            Ok(Some(text)) => {
                let text = String::from_utf8_lossy(text).into_owned();
                intake.object(&text, json.line())?;
            }
            Ok(None) => break,
            Err(error) => {
                let text = String::from_utf8_lossy(json.fragment()).into_owned();
                if !text.is_empty() {
                    intake.kept(&text, json.line())?;
                }
                intake.cut(error.to_string());
                if error.is_final() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The next object in an array or between arrays.
pub fn next_element<R: BufRead>(json: &mut Json<R>) -> std::result::Result<Option<&[u8]>, Error> {
    loop {
        if !json.more()? {
            if json.peek()?.is_none() {
                return Ok(None);
            }
        } else if json.depth() > 0 || json.peek()? != Some(b'[') {
            break;
        } else {
            json.enter()?;
        }
    }
    json.value().map(Some)
}

/// An object that was cut ends where a line begins with the next one: rubbish costs no more than itself.
fn take_lines(input: &mut dyn BufRead, intake: &mut Intake<'_, '_>) -> Result<()> {
    let mut lines = Lines::new(input);
    let mut open = Open::default();
    loop {
        let (bytes, number) = match lines.next() {
            Ok(Some(line)) => (line.bytes, line.number),
            Ok(None) => break,
            Err(error) => {
                intake.taken.stopped(format!("line {}: {error}", lines.broken()));
                break;
            }
        };
        if bytes.starts_with(b"{") || open.text.len() > LONGEST {
            open.give_up(intake)?;
        }
        open.line(bytes, number, intake)?;
    }
    open.give_up(intake)
}

/// An object whose end has not come yet.
#[derive(Default)]
struct Open {
    text: Vec<u8>,
    began: u64,
    scan: Scan,
}

impl Open {
    fn line(&mut self, bytes: &[u8], number: u64, intake: &mut Intake<'_, '_>) -> Result<()> {
        let mut rest = bytes;
        loop {
            if self.text.is_empty() {
                rest = rest.trim_ascii();
                rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii();
                if rest.is_empty() {
                    return Ok(());
                }
                if !rest.starts_with(b"{") {
                    return intake.unknown(&String::from_utf8_lossy(rest), number, "not a JSON object");
                }
                self.began = number;
            }
            let Some(end) = self.scan.feed(rest) else {
                self.text.extend_from_slice(rest);
                self.text.push(b'\n');
                return Ok(());
            };
            let (part, tail) = rest.split_at_checked(end).unwrap_or((rest, b""));
            self.text.extend_from_slice(part);
            intake.object(&String::from_utf8_lossy(&self.text), self.began)?;
            self.text.clear();
            self.scan = Scan::default();
            rest = tail;
        }
    }

    fn give_up(&mut self, intake: &mut Intake<'_, '_>) -> Result<()> {
        if !self.text.is_empty() {
            let text = String::from_utf8_lossy(&self.text).trim_end().to_owned();
            intake.unknown(&text, self.began, "cut in the middle of the row that begins here")?;
            intake.taken.whole = false;
        }
        *self = Self::default();
        Ok(())
    }
}
