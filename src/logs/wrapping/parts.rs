//! Lines that a runtime cut in pieces (16 KiB, mostly), put together again.

use crate::logs::Line;
use crate::schema::Time;

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
