//! What carries a log: the tools that hand lines over put something around them.
//!
//! One file a wrapping, one line in [`WRAPPINGS`]. A wrapping gives back each line as its process wrote it, with what it
//! knows about that line besides: the pod, a time. A line that does not have the wrapping is a line all the same.

mod columns;
mod cri;
mod docker;
mod journald;
mod json_lines;
mod kubectl;
mod kusto_csv;
mod kusto_json;
mod parts;
mod per_line;
mod plain;
mod snapshot;
mod stern;
#[cfg(test)]
mod tests;
mod timestamps;

use super::{Line, claimant};
use crate::input::{Lines, PhysicalLine, json};
use crate::schema::Time;
use std::io::{self, BufRead};

/// Specific before general: the first that claims a file reads it.
pub const WRAPPINGS: &[&dyn Wrapping] = &[
    &kusto_json::VERSION_1,
    &kusto_json::VERSION_2,
    &kusto_json::LOG_ANALYTICS,
    &docker::Docker,
    &json_lines::JsonLines,
    &kusto_json::ROWS,
    &journald::Journald,
    &cri::Cri,
    &kubectl::Prefixed,
    &timestamps::Timestamps,
    &stern::Stern,
    &kusto_csv::KustoCsv,
    &snapshot::Snapshot,
    &plain::Plain,
];

/// Lines that are looked at to tell what a file is.
const SAMPLE: usize = 100;

pub trait Wrapping: Sync {
    /// What a file of this kind is called.
    fn name(&self) -> &'static str;

    /// Files as the tool writes them: it must claim each of these, and no other wrapping may.
    fn samples(&self) -> &'static [&'static str];

    /// Is a file that begins like this wrapped so?
    fn claims(&self, head: &[u8]) -> bool;

    /// Are the lines the answer to a query? Then somebody chose which, and until when.
    fn is_export(&self) -> bool {
        false
    }

    /// Is a file always the log of one process?
    fn is_one_process(&self) -> bool {
        false
    }

    /// Do the lines stand in the order in which they were written, as far as each process goes?
    fn keeps_order(&self) -> bool {
        true
    }

    /// What the times of lines that have none of their own come from.
    fn time_from(&self) -> &'static str {
        "row"
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r>;
}

/// Reads a wrapped log.
pub trait Unwrap {
    /// The next line, or `None` at the end.
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop>;

    /// What a reader should know when the end is reached.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What the tool said that made the log says went wrong with it.
    fn problems(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Why a log cannot be read on, and what was read of the piece that is broken.
#[derive(Debug, PartialEq, Eq)]
pub struct Stop {
    pub why: String,
    /// The line at which the broken piece begins, and its text.
    pub broken: Option<(u64, Vec<u8>)>,
}

impl Stop {
    fn after(line: u64, error: &io::Error) -> Self {
        Self { why: format!("after line {line}: {error}"), broken: None }
    }

    fn in_json(error: &json::Error, line: u64, fragment: &[u8]) -> Self {
        let broken = (!fragment.is_empty()).then(|| (line, fragment.to_vec()));
        Self { why: error.to_string(), broken }
    }
}

/// A piece of a wrapped log.
#[derive(Debug, PartialEq, Eq)]
pub enum Unwrapped<'a> {
    Line(Who<'a>, Line<'a>),
    /// It is no line and cannot be read.
    Odd {
        line: u64,
        text: &'a [u8],
        why: &'static str,
    },
    /// It is understood, and no line of a log.
    Skipped,
}

/// Whose line it is, as far as the wrapping tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Who<'a> {
    pub cluster: Option<&'a str>,
    pub namespace: Option<&'a str>,
    pub pod: Option<&'a str>,
    pub container: Option<&'a str>,
}

/// The next line of a file, or why there is none.
fn next_line<'l>(lines: &'l mut Lines<&mut dyn BufRead>) -> Result<Option<PhysicalLine<'l>>, Stop> {
    let after = lines.number();
    match lines.advance() {
        Ok(more) => Ok(more.then(|| lines.line())),
        Err(error) => Err(Stop::after(after, &error)),
    }
}

/// The wrapping of a file that begins like this.
pub fn wrapping(head: &[u8]) -> Option<&'static dyn Wrapping> {
    WRAPPINGS.iter().copied().find(|wrapping| wrapping.claims(head))
}

/// The one for a file that is known to be a log and says nothing of itself.
pub fn plain() -> &'static dyn Wrapping {
    &plain::Plain
}

/// The first lines of a head that hold anything; the last one may be cut.
fn sample(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.trim_ascii().is_empty()).take(SAMPLE)
}

/// A line that a log format knows.
fn is_log(line: &[u8]) -> bool {
    claimant(line).is_some()
}

/// The time at the beginning of a line, and what follows it and a space.
fn time_before(line: &[u8]) -> Option<(Time, &[u8])> {
    let end = memchr::memchr(b' ', line.get(..41).unwrap_or(line)).unwrap_or(line.len());
    let (stamp, rest) = line.split_at_checked(end)?;
    let looks_like_one = stamp.len() >= 19 && stamp.get(4) == Some(&b'-') && stamp.get(10) == Some(&b'T');
    let at = looks_like_one.then(|| Time::parse(std::str::from_utf8(stamp).ok()?))??;
    Some((at, rest.strip_prefix(b" ").unwrap_or(rest)))
}

/// A name as Kubernetes allows it.
fn name(bytes: &[u8]) -> Option<&str> {
    let allowed = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let edges = [bytes.first()?, bytes.last()?].iter().all(|byte| byte.is_ascii_alphanumeric());
    (edges && bytes.len() <= 253 && bytes.iter().all(allowed)).then(|| std::str::from_utf8(bytes).ok())?
}
