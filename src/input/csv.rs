//! A stream of bytes to the records of a CSV file, in bounded memory and with its faults kept small: a quote that is
//! never closed costs its own line and not the rest of the file.
//!
//! The csv crate does neither, and does not tell an empty cell in quotes from one without.

use super::lines::Lines;
use memchr::{memchr, memchr_iter};
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// A record goes over so many lines and bytes at the most; a cell may hold a whole stack trace.
const MAX_LINES: usize = 10_000;
const MAX_BYTES: usize = 64 << 20;

/// Hands out records through reused buffers.
pub struct Records<R> {
    lines: Lines<R>,
    delimiter: u8,
    /// Lines that were read to find the end of a record and were not in it.
    ahead: VecDeque<(u64, Vec<u8>)>,
    /// Why nothing can be read behind those.
    fault: Option<io::Error>,
    /// The columns that a record over several lines must have to be believed.
    columns: Option<usize>,
    text: Vec<u8>,
    cells: Vec<u8>,
    ends: Vec<End>,
}

/// Where a cell ends among all, and whether it stood in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    at: usize,
    quoted: bool,
}

/// What comes next in the file.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<'a> {
    Record(Record<'a>),
    /// A line with a quote that is never closed.
    Broken {
        line: u64,
        text: &'a [u8],
    },
}

/// One record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its first line, counted from 1.
    pub line: u64,
    /// Word for word.
    pub text: &'a [u8],
    cells: &'a [u8],
    ends: &'a [End],
}

impl<'a> Record<'a> {
    #[expect(clippy::len_without_is_empty, reason = "a record has at least one cell")]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        let end = self.ends.get(index)?.at;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |before| before.at);
        self.cells.get(start..end)
    }

    /// Did the cell stand in quotes? PostgreSQL writes an empty text so, and nothing for no value.
    pub fn is_quoted(&self, index: usize) -> bool {
        self.ends.get(index).is_some_and(|end| end.quoted)
    }

    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

impl<R: BufRead> Records<R> {
    pub fn new(reader: R, delimiter: u8) -> Self {
        Self {
            lines: Lines::new(reader),
            delimiter,
            ahead: VecDeque::new(),
            fault: None,
            columns: None,
            text: Vec::new(),
            cells: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// How many columns the records have; known when the heading was read.
    pub const fn expect(&mut self, columns: usize) {
        self.columns = Some(columns);
    }

    /// The next record; `None` at the end. Empty lines are no records.
    #[expect(clippy::should_implement_trait, reason = "an Iterator cannot lend its buffer")]
    pub fn next(&mut self) -> io::Result<Option<Next<'_>>> {
        let Some(line) = self.first_line()? else { return Ok(None) };
        if is_balanced(&self.text) {
            self.split();
            return Ok(Some(Next::Record(self.record(line))));
        }
        let first = self.text.len();
        // What was read before a fault is handed out before it.
        let joined = self.join().unwrap_or_else(|error| {
            self.fault = Some(error);
            None
        });
        let believed = joined.is_some() && is_well_formed(&self.text, self.delimiter) && {
            self.split();
            self.columns.is_none_or(|columns| self.ends.len() == columns)
        };
        if believed {
            self.ahead.drain(..joined.unwrap_or_default());
            return Ok(Some(Next::Record(self.record(line))));
        }
        self.text.truncate(first);
        Ok(Some(Next::Broken { line, text: &self.text }))
    }

    /// The line of the file that was read last.
    pub const fn line(&self) -> u64 {
        self.lines.number()
    }

    fn record(&self, line: u64) -> Record<'_> {
        Record { line, text: &self.text, cells: &self.cells, ends: &self.ends }
    }

    /// Puts the next line that is not empty into `text`.
    fn first_line(&mut self) -> io::Result<Option<u64>> {
        loop {
            let Some(number) = self.take_line()? else { return Ok(None) };
            if !self.text.trim_ascii().is_empty() {
                return Ok(Some(number));
            }
        }
    }

    fn take_line(&mut self) -> io::Result<Option<u64>> {
        self.text.clear();
        if let Some((number, line)) = self.ahead.pop_front() {
            self.text.extend_from_slice(&line);
            return Ok(Some(number));
        }
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        Ok(self.lines.next()?.map(|line| {
            self.text.extend_from_slice(line.bytes);
            line.number
        }))
    }

    /// Adds lines to `text` until its quotes are closed; says how many of those ahead it took, or that they never
    /// are.
    fn join(&mut self) -> io::Result<Option<usize>> {
        let mut taken = 0;
        while taken < MAX_LINES && self.text.len() < MAX_BYTES {
            if taken == self.ahead.len() {
                let Some(line) = self.lines.next()? else { return Ok(None) };
                self.ahead.push_back((line.number, line.bytes.to_vec()));
            }
            let Some((_, line)) = self.ahead.get(taken) else { return Ok(None) };
            self.text.push(b'\n');
            self.text.extend_from_slice(line);
            taken += 1;
            // An odd number of quotes closes what is open.
            if !is_balanced(line) {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// Takes `text` apart into cells. A quote counts where a cell begins, and inside of quotes.
    fn split(&mut self) {
        self.cells.clear();
        self.ends.clear();
        let text = self.text.strip_suffix(b"\r").unwrap_or(&self.text);
        let mut rest = Some(text);
        while let Some(cell) = rest {
            let mut plain = cell;
            let mut quoted = false;
            if let Some(mut inside) = cell.strip_prefix(b"\"") {
                quoted = true;
                while let Some(end) = memchr(b'"', inside) {
                    let (before, after) = inside.split_at(end);
                    self.cells.extend_from_slice(before);
                    inside = after.get(1..).unwrap_or_default();
                    match inside.strip_prefix(b"\"") {
                        Some(after) => inside = after,
                        None => break,
                    }
                    self.cells.push(b'"');
                }
                plain = inside;
            }
            let end = memchr(self.delimiter, plain);
            self.cells.extend_from_slice(end.and_then(|end| plain.get(..end)).unwrap_or(plain));
            self.ends.push(End { at: self.cells.len(), quoted });
            rest = end.and_then(|end| plain.get(end + 1..));
        }
    }
}

fn is_balanced(text: &[u8]) -> bool {
    memchr_iter(b'"', text).count().is_multiple_of(2)
}

/// Does every quote open a cell, close one or stand for itself? Two quotes of different records do not.
fn is_well_formed(text: &[u8], delimiter: u8) -> bool {
    let borders = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == delimiter || matches!(byte, b'\r' | b'\n'));
    let mut open = false;
    let mut quotes = memchr_iter(b'"', text).peekable();
    while let Some(at) = quotes.next() {
        let (before, after) = (at.checked_sub(1).and_then(|before| text.get(before)), text.get(at + 1));
        if open && after == Some(&b'"') {
            quotes.next();
        } else if borders(if open { after } else { before }) {
            open = !open;
        } else {
            return false;
        }
    }
    !open
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and cells of each record; a broken line is one cell behind a minus.
    fn records(file: &str, columns: usize) -> Vec<(i64, Vec<String>)> {
        let mut records = Records::new(file.as_bytes(), b',');
        records.expect(columns);
        let mut found = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        while let Some(next) = records.next().unwrap() {
            found.push(match next {
                Next::Record(record) => (record.line as i64, record.iter().map(text).collect()),
                Next::Broken { line, text: bytes } => (-(line as i64), vec![text(bytes)]),
            });
        }
        found
    }

    fn row(line: i64, cells: &[&str]) -> (i64, Vec<String>) {
        (line, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn cells_may_hold_commas_quotes_and_line_ends() {
        let found = records("a,b\r\n\"1,\"\"x\"\"\",\"two\nlines\"\n\n,\nlast,", 2);
        let expected =
            [row(1, &["a", "b"]), row(2, &["1,\"x\"", "two\nlines"]), row(5, &["", ""]), row(6, &["last", ""])];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_its_line_only() {
        let found = records("1,\"a\n2,b\n3,\"c\"\n", 2);
        assert_eq!(found, [row(-1, &["1,\"a"]), row(2, &["2", "b"]), row(3, &["3", "c"])]);
    }

    #[test]
    fn two_broken_lines_are_not_taken_for_one_record() {
        let found = records("1,\"a\n2,b\n3,c\"\n4,d\n", 2);
        assert_eq!(found, [row(1, &["1", "a\n2,b\n3,c"]), row(4, &["4", "d"])], "one cell over three lines");
        let found = records("1,\"a\n2,b\n3,\"c\n4,d\n", 2);
        assert_eq!(found, [row(-1, &["1,\"a"]), row(2, &["2", "b"]), row(-3, &["3,\"c"]), row(4, &["4", "d"])]);
    }

    #[test]
    fn what_was_read_before_a_fault_is_handed_out() {
        struct Faulty;
        impl io::Read for Faulty {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("torn"))
            }
        }
        let file = io::BufReader::new(io::Read::chain(&b"1,\"open\n2,b\n3,c\n"[..], Faulty));
        let mut records = Records::new(file, b',');
        let mut found = Vec::new();
        let fault = loop {
            match records.next() {
                Ok(Some(Next::Record(record))) => found.push(record.line),
                Ok(Some(Next::Broken { line, .. })) => found.push(line + 100),
                Ok(None) => panic!("the fault was not told"),
                Err(fault) => break fault,
            }
        };
        assert_eq!((found, fault.to_string().as_str()), (vec![101, 2, 3], "torn"));
    }

    #[test]
    fn an_empty_text_is_told_from_no_value() {
        let mut records = Records::new(&b"\"\",,\"a\"\"b\"\r\n"[..], b',');
        let Ok(Some(Next::Record(record))) = records.next() else { panic!("no record") };
        let cells: Vec<_> = (0..3).map(|index| (record.get(index).unwrap(), record.is_quoted(index))).collect();
        assert_eq!(cells, [(&b""[..], true), (b"", false), (b"a\"b", true)]);
    }
}
