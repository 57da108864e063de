//! The forms in which evidence is handed over: one trait, one file a form, one registry.

use super::candidate::Candidate;
use super::clock::Clock;
use super::database::{DatabaseCopy, DatabaseCsv, DatabaseDump, DatabaseRows, PsqlOutput, RestAnswers};
use super::error::Result;
use super::gate::Gate;
use super::kubernetes::{ForPeople, KubernetesJson, KubernetesYaml};
use super::live::Piece;
use super::log::Logs;
use super::process::Processes;
use super::repeats::Repeats;
use crate::schema::{Cell, Json, Record, Time, Unknown};
use futures::future::LocalBoxFuture;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;

/// Every form, in the order in which files are taken: what has full dates comes before logs, whose lines
/// get their year from it. Specific before general.
pub const FORMS: &[&dyn Form] = &[
    &RestAnswers,
    &DatabaseRows,
    &DatabaseDump,
    &DatabaseCsv,
    &DatabaseCopy,
    &PsqlOutput,
    &KubernetesJson,
    &KubernetesYaml,
    &ForPeople,
    &Logs,
];

pub trait Form: Sync {
    /// What a file of this form is called in messages.
    fn name(&self) -> &'static str;

    /// Is the file of this form? Its first bytes decide.
    fn claims(&self, file: &Candidate) -> bool;

    /// What a file of this form is said to be, where the form has kinds.
    fn taken_for(&self, _file: &Candidate) -> &'static str {
        self.name()
    }

    /// Are its times without a year, so that all its files must be looked into before the first is taken?
    fn needs_year(&self) -> bool {
        false
    }

    /// The latest time with a year that its head shows, if its own times have none.
    fn latest(&self, _file: &Candidate) -> Option<Time> {
        None
    }

    /// Tells whose log the file is, so that only lines that may come again are remembered.
    fn announce(&self, _file: &Candidate, _repeats: &mut Repeats) {}

    /// Reads the file. Imperfect evidence is noted in what is returned; an error is ours.
    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken>;
}

/// Tells a person how far the work is.
pub trait Progress {
    /// There are so many bytes to read.
    fn begin(&self, bytes: u64);
    /// So many more bytes were read.
    fn advance(&self, bytes: u64);
    /// This file comes next.
    fn file(&self, name: &str);
    /// A step of reading a running system has ended.
    fn fetched(&self, _piece: &Piece) {}
    /// Shows something that a person must have been able to see.
    fn tells(&self, _notice: &str) {}
    /// Shows something and asks whether to go on. Where nobody is asked, nobody has said yes.
    fn confirms(&self, _notice: &str, _question: &str) -> LocalBoxFuture<'static, bool> {
        Box::pin(std::future::ready(false))
    }
}

/// What came of one file.
#[derive(Debug)]
pub struct Taken {
    /// What went to each table. A table that was found to be empty is among them, with nothing.
    pub tables: BTreeMap<&'static str, Count>,
    /// Lines, rows or objects that the file holds.
    pub seen: i64,
    /// Of those, the ones that could not be understood: they are in `unknown`.
    pub unknown: i64,
    /// Of those, the ones that are understood and not evidence, such as the schema in a database dump.
    pub skipped: i64,
    /// Absence from its tables means something: they are there as a whole, as far as the form can tell.
    pub whole: bool,
    /// The first thing that could not be read, and how many there were.
    pub problem: Option<String>,
    pub problems: u64,
    /// What a reader should know and is no problem.
    pub remarks: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub rows: i64,
    pub duplicates: i64,
}

impl Default for Taken {
    fn default() -> Self {
        Self {
            tables: BTreeMap::new(),
            seen: 0,
            unknown: 0,
            skipped: 0,
            whole: true,
            problem: None,
            problems: 0,
            remarks: Vec::new(),
        }
    }
}

impl Taken {
    /// The table is there, be it empty.
    pub fn has(&mut self, table: &'static str) {
        self.tables.entry(table).or_default();
    }

    /// A row was stored, or had been before.
    pub fn count(&mut self, table: &'static str, new: bool) {
        let count = self.tables.entry(table).or_default();
        if new {
            count.rows += 1;
        } else {
            count.duplicates += 1;
        }
    }

    /// So many lines that had been stored before.
    pub fn repeat(&mut self, table: &'static str, lines: i64) {
        self.tables.entry(table).or_default().duplicates += lines;
    }

    /// Keeps a piece that cannot be understood.
    pub fn keep_unknown(&mut self, file: &str, line: u64, text: &[u8], taking: &mut Taking<'_>) -> Result<()> {
        self.seen += 1;
        self.unknown += 1;
        taking.keep(file, Some(line as i64), &String::from_utf8_lossy(text))
    }

    pub fn problem(&mut self, what: String) {
        self.problems += 1;
        self.problem.get_or_insert(what);
    }

    /// The file cannot be read on: whatever else was odd, this is why the rest is missing.
    pub fn stopped(&mut self, why: String) {
        self.problems += 1;
        self.problem = Some(why);
        self.whole = false;
    }

    /// Rows that are in the bundle on account of this file or were there before it.
    pub fn rows(&self) -> i64 {
        self.tables.values().map(|count| count.rows + count.duplicates).sum()
    }
}

/// What a form needs while it reads.
pub struct Taking<'a> {
    pub gate: &'a mut Gate,
    pub clock: &'a mut Clock,
    pub repeats: &'a mut Repeats,
    /// What the clusters' objects say that Maestro's processes were told.
    pub processes: Processes,
    seen: HashSet<[u8; 16]>,
    logs: u32,
    last_line: Option<Time>,
}

impl<'a> Taking<'a> {
    pub fn new(gate: &'a mut Gate, clock: &'a mut Clock, repeats: &'a mut Repeats) -> Self {
        Self { gate, clock, repeats, processes: Processes::default(), seen: HashSet::new(), logs: 0, last_line: None }
    }

    /// Stores a row, unless the same one was stored before from another place. Says whether it is new.
    pub fn row<'r, R: Record<'r>>(&mut self, record: &R) -> Result<bool> {
        let (print, times) = look(record);
        self.clock.saw(times);
        if !self.seen.insert(print) {
            return Ok(false);
        }
        self.gate.append(record)?;
        Ok(true)
    }

    /// Is a thing new that is known by these names, however differently tools print it?
    pub fn is_new(&mut self, names: &[&str]) -> bool {
        let mut sum = Sha256::new();
        for name in names {
            sum.update((name.len() as u64).to_le_bytes());
            sum.update(name);
        }
        self.seen.insert(print(sum))
    }

    /// Keeps a piece of a file that is no row of a known table, word for word.
    pub fn keep(&mut self, file: &str, line: Option<i64>, text: &str) -> Result<()> {
        self.gate.append(&Unknown {
            file: file.into(),
            line,
            table_name: None,
            row_key: None,
            column_name: None,
            value: Some(Json(serde_json::Value::from(text).to_string().into())),
        })?;
        Ok(())
    }

    /// The number of the log that is read next.
    pub fn next_file(&mut self) -> u32 {
        self.logs += 1;
        self.logs
    }

    /// The time of a log's last line. It has its year from other evidence, so it must not give others theirs.
    pub fn line_at(&mut self, at: Option<Time>) {
        self.last_line = self.last_line.into_iter().chain(at).max();
    }

    pub fn last_line(&self) -> Option<Time> {
        self.last_line
    }
}

/// A fingerprint of everything but the place it was read from, and the times in it.
fn look<'r, R: Record<'r>>(record: &R) -> ([u8; 16], Vec<Time>) {
    let mut sum = Sha256::new();
    let mut times = Vec::new();
    sum.update(R::TABLE.name);
    record.cells(|index, cell| {
        let column = R::TABLE.columns.get(index).map_or("", |column| column.name);
        if matches!(column, "file" | "line") {
            return;
        }
        match cell {
            // Several forms write an empty text and no value alike.
            Cell::Null | Cell::Text("") => sum.update([0]),
            Cell::Text(text) => {
                sum.update([1]);
                sum.update((text.len() as u64).to_le_bytes());
                sum.update(text);
            }
            Cell::Bytes(bytes) => {
                sum.update([2]);
                sum.update((bytes.len() as u64).to_le_bytes());
                sum.update(bytes);
            }
            Cell::Bool(value) => sum.update([3, u8::from(value)]),
            Cell::Int(value) => {
                sum.update([4]);
                sum.update(value.to_le_bytes());
            }
            Cell::Time(at) => {
                sum.update([5]);
                sum.update(at.micros().to_le_bytes());
                times.push(at);
            }
        }
    });
    (print(sum), times)
}

fn print(sum: Sha256) -> [u8; 16] {
    let mut print = [0; 16];
    for (to, from) in print.iter_mut().zip(sum.finalize()) {
        *to = from;
    }
    print
}
