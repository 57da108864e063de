//! Takes apart what psql writes: each table goes to a file of its own.

use super::script::{ACTIVITY, LOCKS, SERVER};
use crate::collect::live::desk::{Desk, Spool};
use crate::collect::live::postgres::catalogue::{TABLES, WINDOWED};
use crate::collect::live::postgres::record::Record;
use crate::collect::live::postgres::session::status;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use crate::schema::Time;
use std::collections::BTreeMap;

/// So many bytes of a line are kept at once; a cell may have a gigabyte.
const LONGEST: usize = 1 << 20;
/// What a statement that went well leaves in `SQLSTATE`.
const WELL: &str = "00000";

pub struct Output<'d> {
    desk: &'d Desk<'d>,
    source: String,
    said: Said,
    mark: Vec<u8>,
    /// A line whose end has not come yet.
    line: Vec<u8>,
    /// The beginning of the line was taken already.
    goes_on: bool,
    now: Now<'d>,
    /// Answers that are no table, as records.
    pub answers: BTreeMap<String, Result<Vec<Record>, Trouble>>,
    /// When the server said what its clock shows.
    pub heard_at: Option<Time>,
    handed_in: Vec<String>,
}

/// Whose lines these are.
enum Now<'d> {
    Nobodys,
    Table(String, Box<Spool<'d>>, Rows),
    Answer(String, Vec<Record>, Vec<(String, String)>),
}

/// Counts the rows of CSV, whose cells may have several lines.
#[derive(Default)]
struct Rows {
    is_within_quotes: bool,
    has_heading: bool,
}

impl Rows {
    /// How many rows end with this line, or with this part of one: none or one.
    fn end_with(&mut self, line: &[u8]) -> u64 {
        let quotes = line.iter().filter(|byte| **byte == b'"').count();
        self.is_within_quotes ^= quotes % 2 == 1;
        if self.is_within_quotes || !line.ends_with(b"\n") {
            0
        } else {
            u64::from(std::mem::replace(&mut self.has_heading, true))
        }
    }
}

impl<'d> Output<'d> {
    pub fn new(desk: &'d Desk<'d>, source: &str, said: Said, mark: &str) -> Self {
        Self {
            desk,
            source: source.to_owned(),
            said,
            mark: mark.as_bytes().to_vec(),
            line: Vec::new(),
            goes_on: false,
            now: Now::Nobodys,
            answers: BTreeMap::new(),
            heard_at: None,
            handed_in: Vec::new(),
        }
    }

    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.line.len() > LONGEST {
                let line = std::mem::take(&mut self.line);
                self.take_line(&line)?;
                self.goes_on = !line.ends_with(b"\n");
                // The room is used again.
                self.line = line;
                self.line.clear();
            }
        }
        Ok(())
    }

    /// Takes a line, or a part of one that is too long to wait for its end.
    fn take_line(&mut self, line: &[u8]) -> Result<(), Trouble> {
        if let Some(told) = line.strip_prefix(self.mark.as_slice()).filter(|_| !self.goes_on) {
            return self.turn(String::from_utf8_lossy(told).trim());
        }
        match &mut self.now {
            Now::Nobodys => {}
            Now::Table(name, spool, rows) => {
                if let Some(since) =
                    self.desk.window.events_since.filter(|_| !rows.has_heading && is_windowed(name, line))
                {
                    spool.is_a_part(format!("only rows that were created from {since} on were asked for"));
                }
                spool.write(line)?;
                spool.count(rows.end_with(line));
            }
            // No answer has lines that long.
            Now::Answer(..) if self.goes_on => {}
            Now::Answer(_, records, cells) => {
                let line = String::from_utf8_lossy(line);
                match line.trim_end().split_once('|') {
                    Some((_, "")) => {}
                    Some((column, value)) => cells.push((column.to_owned(), value.to_owned())),
                    None => records.extend(finished(cells)),
                }
            }
        }
        Ok(())
    }

    /// `begin resources`, `end resources 00000`
    fn turn(&mut self, told: &str) -> Result<(), Trouble> {
        let mut words = told.splitn(4, ' ');
        let (turn, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if turn == "begin" {
            self.now = self.begin(name)?;
            return Ok(());
        }
        let (code, why) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let end = match code {
            WELL => Ok(()),
            ":SQLSTATE" => {
                Err(Trouble::new(Status::Failed, "psql is too old to say how it went; 11 or newer is needed"))
            }
            code => Err(Trouble::new(status(code), format!("ERROR: {why} (SQLSTATE {code})"))),
        };
        if name == SERVER {
            self.heard_at = Some(self.desk.now());
        }
        self.end(end);
        Ok(())
    }

    fn begin(&mut self, name: &str) -> Result<Now<'d>, Trouble> {
        if [SERVER, ACTIVITY, LOCKS].contains(&name) {
            return Ok(Now::Answer(name.to_owned(), Vec::new(), Vec::new()));
        }
        let spool = self.desk.open(&self.source, &step(name), self.said.clone())?;
        Ok(Now::Table(name.to_owned(), Box::new(spool), Rows::default()))
    }

    fn end(&mut self, end: Result<(), Trouble>) {
        match std::mem::replace(&mut self.now, Now::Nobodys) {
            Now::Nobodys => {}
            Now::Table(name, spool, _) => {
                spool.close(end);
                self.handed_in.push(name);
            }
            Now::Answer(name, mut records, mut cells) => {
                records.extend(finished(&mut cells));
                self.answers.insert(name, end.map(|()| records));
            }
        }
    }

    /// Nothing more comes. What is still open, and what never came, shares the trouble.
    pub fn finish(&mut self, end: Result<(), Trouble>) {
        let early = Trouble::new(Status::Failed, "psql ended before");
        let trouble = end.err().unwrap_or(early);
        self.end(Err(trouble.clone()));
        for table in TABLES.iter().filter(|table| !self.handed_in.iter().any(|done| done == *table)) {
            self.desk.missed(&self.source, &step(table), self.said.clone(), trouble.clone());
        }
    }
}

/// Does a table know when its rows were created, by its heading? One that does not comes whole.
fn is_windowed(table: &str, heading: &[u8]) -> bool {
    let mut columns = heading.trim_ascii_end().split(|byte| *byte == b',');
    WINDOWED.contains(&table) && columns.any(|column| column == b"created_at")
}

/// A record whose cells are complete, if there are any.
fn finished(cells: &mut Vec<(String, String)>) -> Option<Record> {
    let cells = std::mem::take(cells);
    (!cells.is_empty()).then(|| cells.into_iter().collect())
}

/// The step of a table of a database in a cluster.
pub fn step(name: &str) -> String {
    format!("db/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_where_its_quotes_are_closed() {
        let mut rows = Rows::default();
        let lines: [&[u8]; 6] =
            [b"id,text\n", b"1,plain\n", b"2,\"over\n", b"two \"\"lines\n", b"\"\n", b"3,\"a\"\"b\"\n"];
        assert_eq!(lines.map(|line| rows.end_with(line)), [0, 1, 0, 0, 1, 1]);
        let parts: [&[u8]; 4] = [b"4,\"a long", b" cell\"", b",more", b"\n"];
        assert_eq!(parts.map(|part| rows.end_with(part)), [0, 0, 0, 1]);
    }
}
