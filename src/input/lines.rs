//! A stream of bytes to lines, in bounded memory.

use memchr::memchr;
use std::io::{BufRead, Error, ErrorKind, Result};

/// A line beyond this length is handed out in pieces, so that a file without line ends does not fill the memory.
const LONGEST: usize = 128 << 20;

/// Hands out the lines of a file through one reused buffer.
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    longest: usize,
    number: u64,
    is_rest: bool,
    /// Why there is no more, where the beginning of a line comes before it.
    error: Option<Error>,
}

/// A line as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhysicalLine<'a> {
    /// Its place in the file, counted from 1.
    pub number: u64,
    /// Everything but its `\n`.
    pub bytes: &'a [u8],
    /// False for the last line of a file that ends or breaks in the middle of it, and for a piece of a line.
    pub ended: bool,
    /// It goes on where the one before it was cut for its length.
    pub is_rest: bool,
}

impl<R: BufRead> Lines<R> {
    pub const fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new(), longest: LONGEST, number: 0, is_rest: false, error: None }
    }

    /// The place of the line that was handed out last.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The line at which the file could not be read on.
    pub const fn broken(&self) -> u64 {
        if self.is_rest { self.number } else { self.number + 1 }
    }

    /// The next line, or `None` at the end. It borrows the buffer that the one after it is read into.
    #[expect(clippy::should_implement_trait, reason = "an Iterator cannot lend its buffer")]
    pub fn next(&mut self) -> Result<Option<PhysicalLine<'_>>> {
        Ok(self.advance()?.then(|| self.line()))
    }

    /// Goes on to the next line; false at the end. The beginning of a line that cannot be read on is handed out before
    /// the error comes.
    pub fn advance(&mut self) -> Result<bool> {
        self.is_rest = !self.buffer.is_empty() && !self.buffer.ends_with(b"\n");
        self.buffer.clear();
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match self.read() {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) if self.buffer.is_empty() => return Err(error),
            Err(error) => self.error = Some(error),
        }
        self.number += u64::from(!self.is_rest);
        Ok(true)
    }

    /// The line that was reached.
    pub fn line(&self) -> PhysicalLine<'_> {
        let bytes = self.buffer.strip_suffix(b"\n");
        let ended = bytes.is_some();
        PhysicalLine { number: self.number, bytes: bytes.unwrap_or(&self.buffer), ended, is_rest: self.is_rest }
    }

    /// As `read_until`, with a faster search and an end. False at the end of the file.
    fn read(&mut self) -> Result<bool> {
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let room = self.longest.saturating_sub(self.buffer.len());
            let available = available.get(..room).unwrap_or(available);
            let end = memchr(b'\n', available).map(|at| at + 1);
            let part = end.and_then(|end| available.get(..end)).unwrap_or(available);
            let taken = part.len();
            self.buffer.extend_from_slice(part);
            self.reader.consume(taken);
            if end.is_some() || taken == 0 {
                return Ok(!self.buffer.is_empty());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, longest: usize) -> Vec<(u64, String, bool, bool)> {
        // A tiny buffer, so that lines are longer than it.
        let mut lines = Lines { longest, ..Lines::new(std::io::BufReader::with_capacity(3, file.as_bytes())) };
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            let text = String::from_utf8_lossy(line.bytes).into_owned();
            found.push((line.number, text, line.ended, line.is_rest));
        }
        found
    }

    #[test]
    fn a_file_gives_its_lines() {
        let found = lines("one\n\ntwo\r\nlast", 100);
        let expected = [(1, "one", true), (2, "", true), (3, "two\r", true), (4, "last", false)];
        assert_eq!(found, expected.map(|(number, text, ended)| (number, text.to_owned(), ended, false)));
        assert_eq!(lines("", 100), []);
    }

    #[test]
    fn what_stands_before_a_damaged_place_comes_before_the_error() {
        struct Damaged;
        impl std::io::Read for Damaged {
            fn read(&mut self, _: &mut [u8]) -> Result<usize> {
                Err(Error::other("damaged"))
            }
        }
        for (file, line) in [("one\ntw", "tw"), ("one\n", "")] {
            let reader = std::io::BufReader::new(std::io::Read::chain(file.as_bytes(), Damaged));
            let mut lines = Lines::new(reader);
            assert_eq!(lines.next().unwrap().unwrap().bytes, b"one");
            if !line.is_empty() {
                let part = lines.next().unwrap().unwrap();
                assert_eq!((part.number, part.bytes, part.ended), (2, line.as_bytes(), false));
            }
            assert_eq!(lines.next().unwrap_err().to_string(), "damaged");
            assert_eq!(lines.broken(), 2);
        }
    }

    #[test]
    fn a_line_that_is_too_long_comes_in_pieces() {
        let found = lines("abcdefg\nhi\n", 4);
        let expected = [(1, "abcd", false, false), (1, "efg", true, true), (2, "hi", true, false)];
        assert_eq!(found, expected.map(|(number, text, ended, rest)| (number, text.to_owned(), ended, rest)));
    }
}
