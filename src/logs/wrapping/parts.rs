//! Lines that a runtime cut in pieces (16 KiB, mostly), put together again.

use crate::input::Lines;
use crate::logs::Line;
use crate::schema::Time;
use std::io::{self, BufRead};

/// A file of lines that may be pieces, each of one of two streams.
pub(super) struct Pieces<'r> {
    pub lines: Lines<&'r mut dyn BufRead>,
    /// Those of stdout and of stderr.
    pub parts: [Parts; 2],
    /// Why there is no more, while there are pieces to hand out.
    error: Option<io::Error>,
}

impl<'r> Pieces<'r> {
    pub fn new(input: &'r mut dyn BufRead) -> Self {
        Self { lines: Lines::new(input), parts: Default::default(), error: None }
    }

    /// Goes on to the next line; false at the end, and where the file cannot be read on.
    pub fn advance(&mut self) -> bool {
        self.error.is_none()
            && self.lines.advance().unwrap_or_else(|error| {
                self.error = Some(error);
                false
            })
    }

    /// When there are no more lines: a stream whose last piece never came. Only then comes what stopped the reading.
    pub fn left(&mut self) -> io::Result<Option<usize>> {
        match (self.parts.iter().position(Parts::is_open), self.error.take()) {
            (None, Some(error)) => Err(error),
            (open, error) => {
                self.error = error;
                Ok(open)
            }
        }
    }
}

/// The pieces of one stream so far.
#[derive(Default)]
pub(super) struct Parts {
    bytes: Vec<u8>,
    number: u64,
    lines: u64,
    at: Option<Time>,
    ended: bool,
}

/// Pieces beyond this are handed out as they are: a last piece that never comes must not fill the memory.
const LONGEST: usize = 128 << 20;

impl Parts {
    /// Are there pieces that wait for the next?
    pub const fn is_open(&self) -> bool {
        self.lines > 0
    }

    /// Adds a piece; true if it was the last and [`Parts::line`] is whole.
    pub fn add(&mut self, piece: Line<'_>, more: bool) -> bool {
        if self.lines == 0 {
            self.bytes.clear();
            (self.number, self.at) = (piece.number, piece.at);
        }
        self.bytes.extend_from_slice(piece.bytes);
        self.lines += piece.lines;
        self.ended = piece.ended;
        !more || self.bytes.len() >= LONGEST
    }

    /// The pieces as one line; the next piece begins another.
    pub fn line(&mut self) -> Line<'_> {
        let lines = std::mem::take(&mut self.lines);
        Line { number: self.number, lines, bytes: &self.bytes, at: self.at, ended: self.ended }
    }
}
