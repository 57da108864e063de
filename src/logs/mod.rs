//! Bytes of a log file to entries, and the text of an entry to a [`Record`].
//!
//! Two steps, because they fail differently: [`Assembler`] only decides where a record begins and
//! ends and gives every byte back, so nothing is lost whatever a file holds; [`parse`] then
//! understands what it can, and what it cannot is a record of format `plain`. A log format is one
//! file here and one line in [`FORMATS`].

mod attributes;
mod cloudevent;
mod entries;
mod fill;
mod goquote;
mod keys;
mod klog;
mod lenient;
mod markdown;
mod meaning;
mod object;
mod payload;
mod prose;
mod sentence;
#[cfg(test)]
mod tests;
mod value;
mod wrapping;
mod zap;
mod zap_json;

use std::borrow::Cow;

pub use entries::{Assembler, Line, RawEntry};
pub use keys::Keys;
pub use wrapping::{Stop, Unwrap, Unwrapped, WRAPPINGS, Who, Wrapping, plain, wrapping};

/// One file a format, specific before general: the first that claims a line reads it.
pub const FORMATS: &[&dyn LogFormat] = &[&klog::Klog, &zap::Zap, &zap_json::ZapJson, &markdown::Markdown];

/// The format of an entry that no format claims.
pub const PLAIN: &str = "plain";

/// A head longer than this says no more about the file, and text that merely quotes a log line is
/// not a log.
const HEAD_LINES: usize = 100;

/// Nobody quotes so many records in what is not a log.
const ENOUGH: usize = 5;

/// What a log format has to answer.
pub trait LogFormat: Sync {
    /// The name that goes into the `format` column.
    fn name(&self) -> &'static str;

    /// Lines as the format writes them: it must claim each of these, and no other format may.
    fn samples(&self) -> &'static [&'static str];

    /// Is this line the beginning of a record? Asked of every line, so it must be cheap.
    fn starts(&self, line: &[u8]) -> bool;

    /// Is the entry so far an open multi-line block, which the next line may continue? Asked after
    /// every line added, so it must look at the last line only.
    fn wants_more(&self, entry: &[u8]) -> bool;

    /// Does this line continue the open entry? Asked only of lines that begin no record.
    fn takes(&self, _entry: &[u8], _line: &[u8]) -> bool {
        true
    }

    /// Fills the record of an entry, or leaves it alone if the entry is not of this format. A record is large, so
    /// it is made once and filled where it is.
    fn read<'a>(&self, text: &'a str, record: &mut Record<'a>) -> Option<()>;
}

/// When a record was written, as far as its format says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// klog writes neither year nor zone; who knows when the file was collected infers the year.
    Yearless {
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
        /// Microseconds since midnight.
        micros: i64,
    },
    /// Microseconds since the epoch, UTC.
    Full(i64),
    /// The entry carries no time of its own.
    None,
}

/// What one entry says.
#[derive(Debug, Clone, PartialEq)]
pub struct Record<'a> {
    /// The name of the format that read it, or [`PLAIN`].
    pub format: &'static str,
    /// When it was written.
    pub stamp: Stamp,
    /// `info`, `warning`, `error` or `fatal`; a line for debugging is `info`.
    pub level: Option<&'static str>,
    /// Where in the program, as `file.go:LINE`.
    pub code: Option<&'a str>,
    /// The message, unquoted.
    pub message: Option<Cow<'a, str>>,
    /// The name of the logger.
    pub logger: Option<Cow<'a, str>>,
    /// What links the entry to other evidence.
    pub keys: Keys<'a>,
}

impl Record<'_> {
    /// A record of which nothing is known.
    fn unknown() -> Self {
        Record {
            format: PLAIN,
            stamp: Stamp::None,
            level: None,
            code: None,
            message: None,
            logger: None,
            keys: Keys::default(),
        }
    }
}

/// The record of an entry's text; anything not understood is [`PLAIN`].
pub fn parse(text: &str) -> Record<'_> {
    let mut record = Record::unknown();
    if let Some(format) = FORMATS.iter().find(|format| format.read(text, &mut record).is_some()) {
        record.format = format.name();
    }
    record
}

/// Does this look like a log that we can read? Takes the head of a file and names the format of the
/// first header line among its first lines. A log may well begin with lines of no format, and a
/// record may have many lines; but what only quotes a record or two is not a log.
pub fn recognise(head: &[u8]) -> Option<&'static str> {
    let lines = head.split(|byte| *byte == b'\n').take(HEAD_LINES).filter(|line| !line.trim_ascii().is_empty());
    let lines: Vec<&[u8]> = lines.collect();
    let first = lines.iter().find_map(|line| claimant(line))?;
    let records = lines.iter().filter(|line| claimant(line).is_some()).count();
    let edge = [lines.first(), lines.last()].into_iter().flatten().any(|line| claimant(line).is_some());
    let is_log = edge || records >= ENOUGH || in_records(&lines) * 2 > lines.len() || lines.iter().any(is_crash);
    is_log.then(|| first.name())
}

/// How many of these lines belong to records.
fn in_records(lines: &[&[u8]]) -> usize {
    let mut assembler = Assembler::default();
    let of = |entry: RawEntry<'_>| if claimant(entry.bytes).is_some() { entry.lines as usize } else { 0 };
    let mut count = 0;
    for (line, number) in lines.iter().zip(1..) {
        let entries = assembler.push(Line { number, lines: 1, bytes: line, at: None, ended: true });
        count += entries.into_iter().flatten().map(of).sum::<usize>();
    }
    count + assembler.finish().map_or(0, of)
}

/// What Go writes when a process dies may be most of its log.
fn is_crash(line: &&[u8]) -> bool {
    [&b"panic: "[..], b"goroutine ", b"fatal error: "].iter().any(|start| line.starts_with(start))
}

/// The format that this line begins a record of.
fn claimant(line: &[u8]) -> Option<&'static dyn LogFormat> {
    FORMATS.iter().copied().find(|format| format.starts(line))
}
