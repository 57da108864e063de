//! Physical lines to entries: where one record ends and the next begins.

use std::borrow::Cow;
use std::io::{BufRead, ErrorKind, Result};

use memchr::memchr;

use super::claimant;

/// The longest block that is believed. A stack trace has hundreds of lines; beyond this a closing
/// line was lost, and the rest of the file must not vanish into one entry.
const MAX_LINES: u64 = 10_000;

/// Streams the entries of a file through one reused buffer.
///
/// Joining the entries with `\n` gives the file back, byte by byte.
pub struct Entries<R> {
    reader: R,
    /// The entry handed out last.
    entry: Vec<u8>,
    /// The line after an open block that turned out not to belong to it.
    ahead: Vec<u8>,
    /// Physical lines before `entry`, and in it.
    before: u64,
    lines: u64,
}

/// One record's bytes and where they stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawEntry<'a> {
    /// The first physical line, counted from 1.
    pub line: u64,
    /// How many physical lines it takes.
    pub lines: u64,
    /// Everything but the final `\n`; inner `\n` and any `\r` are kept.
    pub bytes: &'a [u8],
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
}

impl<R: BufRead> Entries<R> {
    /// Entries of what `reader` gives, from its current position, which counts as line 1.
    pub fn new(reader: R) -> Self {
        Entries { reader, entry: Vec::new(), ahead: Vec::new(), before: 0, lines: 0 }
    }

    /// The next entry, or `None` at the end. It borrows the buffer that the one after it is read
    /// into.
    #[expect(clippy::should_implement_trait, reason = "an Iterator cannot lend its buffer")]
    pub fn next(&mut self) -> Result<Option<RawEntry<'_>>> {
        self.before += self.lines;
        self.lines = 0;
        self.entry.clear();
        std::mem::swap(&mut self.entry, &mut self.ahead);
        if self.entry.is_empty() && !read_line(&mut self.reader, &mut self.entry)? {
            return Ok(None);
        }
        self.lines = 1;
        if let Some(format) = claimant(&self.entry) {
            while self.lines < MAX_LINES && closed(&self.entry).is_some_and(|entry| format.wants_more(entry)) {
                if !read_line(&mut self.reader, &mut self.ahead)? || claimant(&self.ahead).is_some() {
                    break;
                }
                self.entry.append(&mut self.ahead);
                self.lines += 1;
            }
        }
        let bytes = closed(&self.entry);
        Ok(Some(RawEntry {
            line: self.before + 1,
            lines: self.lines,
            bytes: bytes.unwrap_or(&self.entry),
            ends_with_newline: bytes.is_some(),
        }))
    }
}

/// The entry without its final newline, if it has one.
fn closed(entry: &[u8]) -> Option<&[u8]> {
    entry.strip_suffix(b"\n")
}

/// Appends the next line with its newline; false at the end of the file. As `read_until`, with a
/// faster search.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr(b'\n', available).map(|at| at + 1);
        let part = end.and_then(|end| available.get(..end)).unwrap_or(available);
        let taken = part.len();
        line.extend_from_slice(part);
        reader.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(!line.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "I0102 15:04:05.000006       1 a.go:1] ";

    /// First line, number of lines, text and whether a newline ended it, of every entry.
    fn entries(file: &str) -> Vec<(u64, u64, String, bool)> {
        // A tiny buffer, so that lines are longer than it.
        let mut entries = Entries::new(std::io::BufReader::with_capacity(7, file.as_bytes()));
        let mut found = Vec::new();
        while let Some(entry) = entries.next().unwrap() {
            found.push((entry.line, entry.lines, entry.text().into_owned(), entry.ends_with_newline));
        }
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
