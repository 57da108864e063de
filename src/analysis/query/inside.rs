//! Inside of the cage: a process that reads one bundle, answers one statement and may do nothing else.

use super::frame::{Frame, Refusal, Request, Trouble};
use crate::analysis;
use crate::analysis::fleet::{self, judged::Wanted};
use crate::bundle::Reader;
use crate::model::{ColumnKind, Cut, QueriedColumn};
use crate::query::{judged, sql};
use crate::store::{self, Datum, Limits, Part, Reading, Sort, Store};
use rlimit::Resource;
use serde_json::Value;
use std::collections::HashSet;
use std::error::Error as StdError;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Two cores can read and answer at once; more would be taken from whoever else works here.
const THREADS: i64 = 2;

/// What the program itself maps besides the memory that the database counts: code, stacks, buffers of pages.
const OWN_BYTES: u64 = 3 << 30;

/// The bundle, once a table, and what a process has open anyway.
const OPEN_FILES: u64 = 64;

/// Answers the request that comes in first. Everything goes out as frames, troubles too. A bundle that was decrypted comes in
/// as an open file.
pub fn answer(
    bundle: &Path,
    decrypted: impl FnOnce() -> io::Result<File>,
    mut input: impl BufRead + Send + 'static,
    mut out: impl Write,
) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let request: Request = serde_json::from_str(&line)?;
    confine(&request)?;
    end_with_parent(input);
    let mut sent = Sent { out: &mut out, bytes: 0, rows: 0, request: &request, outcome: Ok(None) };
    let reader = match request.decrypted {
        false => Reader::open_within(bundle, request.limits),
        true => Reader::open_file(bundle, decrypted()?, request.limits),
    };
    let last = match reader.map_err(|error| other(&error)).and_then(|reader| run(reader, &request, &mut sent)) {
        Ok(()) => Frame::End(sent.outcome?),
        Err(trouble) => Frame::Trouble(trouble),
    };
    send(&mut out, &last)?;
    out.flush()
}

/// Asks the operating system for limits that the process cannot lift again.
fn confine(request: &Request) -> io::Result<()> {
    let limits = [
        (Resource::AS, request.memory.saturating_add(OWN_BYTES)),
        (Resource::CPU, request.cpu_seconds),
        (Resource::FSIZE, 0),
        (Resource::CORE, 0),
        (Resource::NOFILE, OPEN_FILES),
    ];
    limits.into_iter().try_for_each(|(resource, limit)| hold(resource, limit))
}

fn hold(resource: Resource, limit: u64) -> io::Result<()> {
    if !resource.is_supported() {
        return Ok(());
    }
    let (_, hard) = resource.get()?;
    resource.set(limit.min(hard), limit.min(hard))
}

/// Nobody waits for the answer any more when the other end of standard input is gone.
fn end_with_parent(mut input: impl BufRead + Send + 'static) {
    std::thread::spawn(move || {
        let _ = input.read(&mut [0]);
        std::process::exit(2);
    });
}

fn run(reader: Reader, request: &Request, sent: &mut Sent<'_, impl Write>) -> Result<(), Trouble> {
    let reader = Arc::new(reader);
    let limits = Limits { bytes: request.memory, threads: THREADS, optimizes: true };
    let mut store = Store::open_within(&limits).map_err(|error| other(&error))?;
    let views: Vec<&str> = sql::view_names().collect();
    store.show_evidence(&reader, &views).and_then(|()| sql::make_views(&store)).map_err(|error| other(&error))?;
    match store.reading(&request.sql).map_err(|error| other(&error))? {
        Reading::One => {}
        Reading::Several(count) => return Err(Trouble::Several(count)),
        Reading::Wrong(message) => return Err(Trouble::Engine(Refusal::of(&store, &request.sql, &message))),
        Reading::Writing => return Err(Trouble::NotReading),
    }
    if judged::may_be_read_by(&request.sql) {
        let told = |done, all| sent.judged(done, all);
        fleet::judged::fill(&reader, &store, &Wanted::EVERYTHING, told).map_err(|error| other(&error))?;
    }
    // All threads are there; nothing is started any more.
    hold(Resource::NPROC, 0).map_err(|error| other(&error))?;
    store.stream(&request.sql, &request.parameters, |part| sent.part(part)).map_err(|error| match error {
        store::Error::Query { source, .. } => Trouble::Engine(Refusal::of(&store, &request.sql, &source.to_string())),
        error => other(&error),
    })
}

fn other(error: &dyn StdError) -> Trouble {
    let mut causes = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    Trouble::Other(causes)
}

/// What went out so far.
struct Sent<'a, W> {
    out: &'a mut W,
    bytes: u64,
    rows: u64,
    request: &'a Request,
    outcome: io::Result<Option<Cut>>,
}

impl<W: Write> Sent<'_, W> {
    /// Whoever asked sees it at once; if they are gone, the next row tells.
    fn judged(&mut self, done: usize, all: usize) {
        let _ = send(self.out, &Frame::Judged(done, all)).and_then(|_| self.out.flush());
    }

    fn part(&mut self, part: Part) -> ControlFlow<()> {
        let frame = match part {
            Part::Columns(columns) => Frame::Columns(named(columns)),
            Part::Row(_) if self.rows >= self.request.rows => return self.stop(Ok(Some(Cut::Rows))),
            Part::Row(values) => Frame::Row(values.into_iter().map(json).collect()),
        };
        self.rows += u64::from(matches!(frame, Frame::Row(_)));
        match send(self.out, &frame) {
            Ok(bytes) => self.bytes += bytes,
            Err(error) => return self.stop(Err(error)),
        }
        if self.bytes > self.request.bytes { self.stop(Ok(Some(Cut::Bytes))) } else { ControlFlow::Continue(()) }
    }

    fn stop(&mut self, outcome: io::Result<Option<Cut>>) -> ControlFlow<()> {
        self.outcome = outcome;
        ControlFlow::Break(())
    }
}

fn send(out: &mut impl Write, frame: &Frame) -> io::Result<u64> {
    let mut line = serde_json::to_vec(frame)?;
    line.push(b'\n');
    out.write_all(&line)?;
    Ok(line.len() as u64)
}

/// Columns with names of their own: two may have the same in SQL.
fn named(columns: Vec<(String, Sort)>) -> Vec<QueriedColumn> {
    let mut taken = HashSet::new();
    let named = columns.into_iter().map(|(name, sort)| {
        let others = (1..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| taken.insert(name.clone()));
        QueriedColumn { name: free.unwrap_or(name), kind: kind(sort) }
    });
    named.collect()
}

const fn kind(sort: Sort) -> ColumnKind {
    match sort {
        Sort::Text => ColumnKind::Text,
        Sort::Integer => ColumnKind::Integer,
        Sort::Number => ColumnKind::Number,
        Sort::Boolean => ColumnKind::Boolean,
        Sort::Time => ColumnKind::Time,
        Sort::Bytes => ColumnKind::Bytes,
    }
}

fn json(datum: Datum) -> Value {
    analysis::show::json(datum).unwrap_or(Value::Null)
}
