//! COPY's text format without a header, as `\copy … to file` writes it: cells between tabs, escapes with a backslash.

use super::intake::Intake;
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::Lines;
use crate::schema::Text;
use std::borrow::Cow;
use std::io::BufRead;

pub struct DatabaseCopy;

/// Rows that are looked at to tell the table.
const LOOKED_AT: usize = 20;

impl Form for DatabaseCopy {
    fn name(&self) -> &'static str {
        "database rows (COPY text)"
    }

    fn claims(&self, file: &Candidate) -> bool {
        table_of(file).is_some()
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut intake = Intake::new(file, taking);
        let Some(shape) = table_of(file) else { return Ok(intake.taken) };
        intake.taken.has(shape.table.name);
        let mut lines = Lines::new(input);
        loop {
            match lines.next() {
                Ok(Some(line)) if !line.bytes.is_empty() && line.bytes != b"\\." => {
                    let text = String::from_utf8_lossy(line.bytes);
                    take_line(&text, line.ended, line.number, shape, &mut intake)?;
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    intake.taken.stopped(format!("line {}: {error}", lines.broken()));
                    break;
                }
            }
        }
        Ok(intake.taken)
    }
}

/// A row that fits another table better is of that table: people put files together.
fn take_line(text: &str, ended: bool, line: u64, shape: &'static Shape, intake: &mut Intake<'_, '_>) -> Result<()> {
    let cells = cells(text);
    if !ended {
        intake.taken.whole = false;
        return intake.unknown(text, line, "cut in the middle of the row that begins here");
    }
    let plain: Vec<Option<&str>> = cells.iter().map(|cell| cell.as_deref()).collect();
    let other = if shape.fits(&plain) { None } else { tables::of_rows(&[plain], None) };
    let shape = other.unwrap_or(shape);
    if cells.len() != shape.columns.len() {
        let reason = format!("{} cells for {} columns", cells.len(), shape.columns.len());
        return intake.unknown(text, line, &reason);
    }
    intake.cells(shape, shape.columns, cells, line)
}

fn table_of(file: &Candidate) -> Option<&'static Shape> {
    let called = tables::of_file(&file.name).map(|shape| shape.table.name);
    let head = String::from_utf8_lossy(&file.head);
    let lines = head.lines().filter(|line| !line.is_empty() && *line != "\\.").take(LOOKED_AT);
    let mut rows: Vec<Vec<Option<Text<'_>>>> = lines.map(cells).collect();
    // The head may end in the middle of a row.
    if rows.len() > 1 && rows.len() < LOOKED_AT && !file.whole {
        rows.pop();
    }
    let good = |row: &&Vec<Option<Text<'_>>>| row.len() > 1;
    let plain: Vec<Vec<Option<&str>>> =
        rows.iter().filter(good).map(|row| row.iter().map(|cell| cell.as_deref()).collect()).collect();
    if let ([row], false) = (plain.as_slice(), file.whole) {
        return tables::of_beginning(row);
    }
    // A row that rubbish has hit is no reason to refuse the others.
    let first = plain.iter().find_map(|row| tables::of_rows(std::slice::from_ref(row), called))?;
    let fitting = plain.iter().filter(|row| tables::of_rows(&[(*row).clone()], None).is_some()).count();
    (fitting * 2 >= rows.len()).then_some(first)
}

/// The cells of a line.
pub fn cells(line: &str) -> Vec<Option<Text<'_>>> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.split('\t').map(|cell| if cell == "\\N" { None } else { Some(unescape(cell)) }).collect()
}

fn unescape(cell: &str) -> Text<'_> {
    if !cell.contains('\\') {
        return Cow::Borrowed(cell);
    }
    let mut bytes = Vec::with_capacity(cell.len());
    let mut rest = cell.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        let Some((escaped, tail)) = tail.split_first().filter(|_| *byte == b'\\') else {
            bytes.push(*byte);
            continue;
        };
        rest = tail;
        match escaped {
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(11),
            b'0'..=b'7' => bytes.push(number(u32::from(*escaped - b'0'), 8, 2, &mut rest)),
            b'x' if rest.first().is_some_and(u8::is_ascii_hexdigit) => bytes.push(number(0, 16, 2, &mut rest)),
            other => bytes.push(*other),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Up to so many further digits. PostgreSQL keeps the low eight bits.
fn number(first: u32, radix: u32, most: usize, rest: &mut &[u8]) -> u8 {
    let mut value = first;
    for _ in 0..most {
        let Some((digit, tail)) = rest.split_first() else { break };
        let Some(digit) = char::from(*digit).to_digit(radix) else { break };
        value = value * radix + digit;
        *rest = tail;
    }
    let [low, ..] = value.to_le_bytes();
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_what_they_stand_for() {
        let texts = |line| cells(line).into_iter().map(|cell| cell.map(Text::into_owned)).collect::<Vec<_>>();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(texts("a\t\\N\t\\\\N\t"), [some("a"), None, some("\\N"), some("")]);
        assert_eq!(texts(r#"{"a": "x\\ny\\\"z"}"#), [some(r#"{"a": "x\ny\"z"}"#)]);
        assert_eq!(texts(r"\n\t\r\b\f\v\101\x42\q\7.\"), [some("\n\t\r\u{8}\u{c}\u{b}ABq\u{7}.\\")]);
        assert_eq!(texts(r"\303\244"), [some("ä")]);
    }
}
