//! Lines to entries: where one record ends and the next begins.

use super::{LogFormat, claimant};
use crate::schema::Time;
use std::borrow::Cow;

/// The longest block that is believed. A stack trace has hundreds of lines; beyond this a closing
/// line was lost, and the rest of the file must not vanish into one entry.
const MAX_LINES: u64 = 10_000;

/// One line of a log, free of what carried it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its place in the file, counted from 1.
    pub number: u64,
    /// How many lines of the file it takes there.
    pub lines: u64,
    /// Everything but its end; a `\r` is kept.
    pub bytes: &'a [u8],
    /// When the carrier says it was written.
    pub at: Option<Time>,
    /// False only for the last line of a file that ends in the middle of it.
    pub ended: bool,
}

/// One record's bytes and where they stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawEntry<'a> {
    /// The first line, counted from 1.
    pub line: u64,
    /// How many lines it takes.
    pub lines: u64,
    /// Everything but the final `\n`; inner `\n` and any `\r` are kept.
    pub bytes: &'a [u8],
    /// When the carrier says its first line was written.
    pub at: Option<Time>,
    /// False only for the last entry of a file that ends in the middle of a line.
    pub ends_with_newline: bool,
}

impl<'a> RawEntry<'a> {
    /// The entry as text, borrowed unless it holds bytes that are not UTF-8.
    pub fn text(&self) -> Cow<'a, str> {
        // Checking first is several times faster than converting, and nearly every entry passes.
        match std::str::from_utf8(self.bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(self.bytes),
        }
    }

    const fn of(line: Line<'a>) -> Self {
        RawEntry { line: line.number, lines: line.lines, bytes: line.bytes, at: line.at, ends_with_newline: line.ended }
    }
}

/// Joins the lines of one process to entries. Joining the entries with `\n` gives the lines back, byte by byte.
#[derive(Default)]
pub struct Assembler {
    open: Option<Open>,
    /// The entry that was handed out last, kept for its space.
    done: Open,
}

/// An entry that may go on.
#[derive(Default)]
struct Open {
    bytes: Vec<u8>,
    line: u64,
    lines: u64,
    at: Option<Time>,
    ended: bool,
    format: Option<&'static dyn LogFormat>,
}

impl Open {
    fn entry(&self) -> RawEntry<'_> {
        let Self { line, lines, at, ended, .. } = *self;
        RawEntry { line, lines, bytes: &self.bytes, at, ends_with_newline: ended }
    }

    fn goes_on_with(&self, line: &[u8]) -> bool {
        self.lines < MAX_LINES && claimant(line).is_none() && self.format.is_some_and(|it| it.takes(&self.bytes, line))
    }
}

impl Assembler {
    /// Takes the next line and gives back the entries that are complete: one that ended before this line, and one
    /// that this line completes. They come in the order of the file.
    pub fn push<'a>(&'a mut self, line: Line<'a>) -> [Option<RawEntry<'a>>; 2] {
        if let Some(open) = self.open.as_mut().filter(|open| open.goes_on_with(line.bytes)) {
            open.bytes.push(b'\n');
            open.bytes.extend_from_slice(line.bytes);
            open.lines += line.lines;
            open.ended = line.ended;
            if open.format.is_some_and(|format| format.wants_more(&open.bytes)) {
                return [None, None];
            }
            return [self.finish(), None];
        }
        let format = claimant(line.bytes);
        if !format.is_some_and(|format| format.wants_more(line.bytes)) {
            return [self.finish(), Some(RawEntry::of(line))];
        }
        let mut next = Open { bytes: std::mem::take(&mut self.done.bytes), ..Open::default() };
        next.bytes.clear();
        next.bytes.extend_from_slice(line.bytes);
        (next.line, next.lines, next.at, next.ended, next.format) =
            (line.number, line.lines, line.at, line.ended, format);
        let before = self.open.replace(next);
        [before.map(|before| self.hand_out(before)), None]
    }

    /// The entry that is still open, when the log ends.
    pub fn finish(&mut self) -> Option<RawEntry<'_>> {
        let open = self.open.take()?;
        Some(self.hand_out(open))
    }

    fn hand_out(&mut self, entry: Open) -> RawEntry<'_> {
        self.done = entry;
        self.done.entry()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "I0102 15:04:05.000006       1 a.go:1] ";

    /// First line, number of lines, text and whether a newline ended it, of every entry.
    fn entries(file: &str) -> Vec<(u64, u64, String, bool)> {
        let mut assembler = Assembler::default();
        let mut found = Vec::new();
        let mut keep = |entry: RawEntry<'_>| {
            found.push((entry.line, entry.lines, entry.text().into_owned(), entry.ends_with_newline));
        };
        for (line, number) in file.split_inclusive('\n').zip(1..) {
            let (bytes, ended) = line.strip_suffix('\n').map_or((line, false), |line| (line, true));
            let line = Line { number, lines: 1, bytes: bytes.as_bytes(), at: None, ended };
            assembler.push(line).into_iter().flatten().for_each(&mut keep);
        }
        assembler.finish().into_iter().for_each(&mut keep);
        found
    }

    #[test]
    fn lines_are_entries_whatever_they_hold() {
        let found = entries("one\n\ntwo\r\nlast");
        let expected = [(1, "one", true), (2, "", true), (3, "two\r", true), (4, "last", false)];
        assert_eq!(found, expected.map(|(line, text, ended)| (line, 1, text.to_owned(), ended)));
        assert_eq!(entries(""), []);
    }

    #[test]
    fn a_block_is_one_entry() {
        let block = format!("{HEADER}\"m\" err=<\n\tone\n\n > event=<\n\ttwo\n > k=1");
        let found = entries(&format!("before\n{block}\nafter\n"));
        let expected = [(1, 1, "before".into(), true), (2, 6, block, true), (8, 1, "after".into(), true)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_cut_block_ends_at_the_next_header() {
        let (cut, next) = (format!("{HEADER}\"m\" err=<\n\tone"), format!("{HEADER}\"n\" err=<"));
        let found = entries(&format!("{cut}\n{next}\n >\n{HEADER}end"));
        let expected = [(1, 2, cut, true), (3, 2, format!("{next}\n >"), true), (5, 1, format!("{HEADER}end"), false)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_block_that_the_file_cuts_is_still_an_entry() {
        for file in [format!("{HEADER}\"m\" err=<"), format!("{HEADER}\"m\" err=<\n\tone")] {
            assert_eq!(entries(&file), [(1, file.lines().count() as u64, file.clone(), false)]);
        }
    }

    #[test]
    fn a_block_without_end_does_not_swallow_the_file() {
        let file = format!("{HEADER}\"m\" err=<\n{}", "\tmore\n".repeat(10_500));
        let found = entries(&file);
        assert_eq!((found[0].1, found[1].0, found.len()), (MAX_LINES, MAX_LINES + 1, 502));
    }

    #[test]
    fn a_line_of_a_megabyte_is_one_entry() {
        let file = format!("{HEADER}\"m\" event=\"{}\"\nnext\n", "\\\"".repeat(500_000));
        let found = entries(&file);
        assert_eq!((found.len(), found[0].2.len()), (2, file.len() - 6));
        assert_eq!(crate::logs::parse(&found[0].2).format, "klog");
    }
}
