//! A plain dump of the database: `COPY` blocks or `INSERT` statements, as pg_dump writes them.

mod sql;

use super::copy_text;
use super::intake::Intake;
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::{Lines, PhysicalLine};
use sql::{Sql, Statement, Target};
use std::collections::BTreeMap;
use std::io::BufRead;

pub struct DatabaseDump;

/// The first words of a dump, and the last.
const BEGIN: &[u8] = b"-- PostgreSQL database dump";
const END: &[u8] = b"-- PostgreSQL database dump complete";
/// What stands before the rows of each table.
const NEXT: &[u8] = b"-- Data for Name: ";
/// What pg_dump writes unless it is asked for text.
const BINARY: &[u8] = b"PGDMP";
/// A statement that gets longer than this has a quote too many.
const LONGEST: usize = 128 << 20;

impl Form for DatabaseDump {
    fn name(&self) -> &'static str {
        "database dump (pg_dump)"
    }

    fn claims(&self, file: &Candidate) -> bool {
        let head = &file.head;
        let brings = |line: &[u8]| {
            let text = String::from_utf8_lossy(line);
            let target = Sql::new(&text).copy().or_else(|| Sql::new(&text).insert());
            target.is_some_and(|target| tables::called(&target.table).is_some())
        };
        let begins = |line: &[u8]| line.starts_with(BEGIN) || line.starts_with(b"-- PostgreSQL database cluster dump");
        head.starts_with(BINARY) || head.split(|byte| *byte == b'\n').any(|line| begins(line) || brings(line))
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut intake = Intake::new(file, taking);
        if file.head.starts_with(BINARY) {
            intake.cut("a dump in pg_dump's own format: pg_restore -f dump.sql FILE makes it readable".to_owned());
            return Ok(intake.taken);
        }
        let mut dump = Dump::new(intake);
        let mut lines = Lines::new(input);
        loop {
            match lines.next() {
                Ok(Some(line)) => dump.line(&line)?,
                Ok(None) => break,
                Err(error) => {
                    dump.intake.taken.stopped(format!("line {}: {error}", lines.broken()));
                    break;
                }
            }
        }
        dump.end(lines.number())
    }
}

struct Dump<'a, 'w> {
    intake: Intake<'a, 'w>,
    statement: Statement,
    copy: Option<Copy>,
    /// Rows of tables that are not evidence.
    others: BTreeMap<String, u64>,
    statements: u64,
    begun: bool,
    ended: bool,
}

/// A block of rows that is being read.
struct Copy {
    target: Target,
    began: u64,
}

impl<'a, 'w> Dump<'a, 'w> {
    fn new(intake: Intake<'a, 'w>) -> Self {
        let (statement, others) = (Statement::default(), BTreeMap::new());
        Self { intake, statement, copy: None, others, statements: 0, begun: false, ended: false }
    }

    fn line(&mut self, line: &PhysicalLine<'_>) -> Result<()> {
        let bytes = line.bytes;
        if let Some(copy) = self.copy.take() {
            if bytes.starts_with(NEXT) {
                self.intake.cut(format!("line {}: the end of {} is missing", line.number, copy.target.table));
            } else {
                if !matches!(bytes, b"\\." | b"\\.\r") {
                    self.copied(&copy, bytes, line)?;
                    self.copy = Some(copy);
                }
                return Ok(());
            }
        }
        // A statement that was cut ends where the next one of its kind begins, or where it cannot be one any more.
        let restarts = is_insert(bytes) && is_insert(&self.statement.text) || bytes.starts_with(NEXT);
        if !self.statement.is_empty() && (restarts || self.statement.text.len() > LONGEST) {
            self.give_up()?;
        }
        if self.statement.is_empty() && self.remark(bytes) {
            return Ok(());
        }
        let mut rest = bytes;
        // An empty line may be part of a value.
        while !self.statement.is_empty() || !rest.trim_ascii().is_empty() {
            if self.statement.is_empty() {
                self.statement.began = line.number;
            }
            let Some(end) = self.statement.feed(rest) else { break };
            rest = rest.get(end..).unwrap_or_default();
            let statement = std::mem::take(&mut self.statement);
            self.statement_ended(&statement)?;
        }
        Ok(())
    }

    /// Comments and commands of psql stand between statements.
    fn remark(&mut self, line: &[u8]) -> bool {
        if line.starts_with(END) {
            self.ended = true;
        } else if line.starts_with(BEGIN) {
            self.begun = true;
        } else if let Some(rest) = line.strip_prefix(NEXT) {
            // The only trace of an empty table in a dump of statements.
            let name = rest.split(|byte| *byte == b';').next().unwrap_or_default();
            if let Some(shape) = tables::called(&String::from_utf8_lossy(name)) {
                self.intake.taken.has(shape.table.name);
            }
        }
        if line.starts_with(b"\\") {
            self.skip_statement();
        }
        line.starts_with(b"--") || line.starts_with(b"\\")
    }

    fn skip_statement(&mut self) {
        self.statements += 1;
        self.intake.skip();
    }

    fn statement_ended(&mut self, statement: &Statement) -> Result<()> {
        let text = String::from_utf8_lossy(&statement.text);
        if let Some(target) = Sql::new(&text).copy() {
            if let Some(shape) = tables::called(&target.table) {
                self.intake.taken.has(shape.table.name);
            }
            self.copy = Some(Copy { target, began: statement.began });
            return Ok(());
        }
        let mut sql = Sql::new(&text);
        let Some(target) = sql.insert() else {
            self.skip_statement();
            return Ok(());
        };
        let before = self.intake.taken.seen;
        self.inserted(&mut sql, &target, statement.began)?;
        let rest = sql.rest().trim_start();
        if rest.starts_with('(') || self.intake.taken.seen == before {
            let line = statement.began + sql.lines();
            self.intake.unknown(rest, line, "the values that begin here cannot be read")?;
        }
        Ok(())
    }

    fn inserted(&mut self, sql: &mut Sql<'_>, target: &Target, began: u64) -> Result<()> {
        let shape = tables::called(&target.table);
        loop {
            let before = sql.rest().trim_start();
            let line = began + sql.lines() + newlines(sql.rest(), before);
            let Some(cells) = sql.tuple() else { return Ok(()) };
            let Some(shape) = shape else {
                self.other(target);
                continue;
            };
            let columns = columns_of(shape, target);
            if cells.len() == columns.len() {
                self.intake.cells(shape, &columns, cells, line)?;
            } else {
                let text = before.get(..before.len() - sql.rest().len()).unwrap_or(before);
                self.intake.unknown(text, line, &miscounted(cells.len(), columns.len()))?;
            }
        }
    }

    fn copied(&mut self, copy: &Copy, bytes: &[u8], line: &PhysicalLine<'_>) -> Result<()> {
        let Some(shape) = tables::called(&copy.target.table) else {
            self.other(&copy.target);
            return Ok(());
        };
        let text = String::from_utf8_lossy(bytes);
        if !line.ended {
            return self.intake.unknown(&text, line.number, "cut in the middle of the row that begins here");
        }
        let cells = copy_text::cells(&text);
        let columns = columns_of(shape, &copy.target);
        if cells.len() != columns.len() {
            return self.intake.unknown(&text, line.number, &miscounted(cells.len(), columns.len()));
        }
        self.intake.cells(shape, &columns, cells, line.number)
    }

    fn other(&mut self, target: &Target) {
        *self.others.entry(target.table.clone()).or_default() += 1;
        self.intake.skip();
    }

    /// Takes what is whole of a statement that has no end, and keeps the rest.
    fn give_up(&mut self) -> Result<()> {
        let statement = std::mem::take(&mut self.statement);
        let text = String::from_utf8_lossy(&statement.text);
        let mut sql = Sql::new(&text);
        if let Some(target) = sql.insert() {
            self.inserted(&mut sql, &target, statement.began)?;
        } else {
            sql = Sql::new(&text);
        }
        let line = statement.began + sql.lines();
        self.intake.taken.whole = false;
        self.intake.unknown(sql.rest().trim(), line, "cut in the middle of the statement that goes on here")
    }

    fn end(mut self, last: u64) -> Result<Taken> {
        if !self.statement.is_empty() {
            self.give_up()?;
        }
        if let Some(copy) = &self.copy {
            let table = &copy.target.table;
            let began = copy.began;
            self.intake
                .cut(format!("line {last}: the dump ends in the middle of {table}, which begins at line {began}"));
        } else if self.begun && !self.ended && self.intake.taken.whole {
            self.intake.cut(format!("line {last}: the dump ends here without saying that it is complete"));
        }
        let taken = &mut self.intake.taken;
        if self.statements > 0 {
            taken.remarks.push(format!("left out: {} statements that are not rows", self.statements));
        }
        for (table, count) in &self.others {
            taken.remarks.push(format!("left out: {count} rows of {table}, which is no evidence"));
        }
        if taken.tables.is_empty() && self.others.is_empty() {
            taken.remarks.push("a dump without rows: it holds the schema only".to_owned());
        }
        Ok(self.intake.taken)
    }
}

fn is_insert(text: &[u8]) -> bool {
    text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"insert"))
}

fn columns_of(shape: &Shape, target: &Target) -> Vec<String> {
    let all = || shape.columns.iter().map(|column| (*column).to_owned()).collect();
    target.columns.clone().unwrap_or_else(all)
}

fn miscounted(cells: usize, columns: usize) -> String {
    format!("{cells} cells for {columns} columns")
}

fn newlines(whole: &str, tail: &str) -> u64 {
    let space = whole.get(..whole.len() - tail.len()).unwrap_or_default();
    space.bytes().filter(|byte| *byte == b'\n').count() as u64
}
