//! A reader whose first bytes have been looked at and are still to come.

use std::io::{self, BufRead, Read};

/// How much of a file decides what it is.
const HEAD: usize = 64 << 10;

/// Hands out its head again before it goes on. An error that came while the head was read comes when it is its
/// turn, so that what stands before a damaged place is not lost.
pub struct Peeked<'r> {
    head: Vec<u8>,
    given: usize,
    error: Option<io::Error>,
    ended: bool,
    rest: Box<dyn BufRead + 'r>,
}

impl<'r> Peeked<'r> {
    pub fn new(mut rest: Box<dyn BufRead + 'r>) -> Self {
        let mut head = Vec::new();
        let (error, ended) = match rest.by_ref().take(HEAD as u64).read_to_end(&mut head) {
            Ok(length) => (None, length < HEAD),
            Err(error) => (Some(error), true),
        };
        Self { head, given: 0, error, ended, rest }
    }

    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// All there is stands in the head.
    pub fn is_whole(&self) -> bool {
        self.ended && self.error.is_none()
    }

    /// Why there is nothing at all.
    pub fn failure(&mut self) -> Option<io::Error> {
        if self.head.is_empty() { self.error.take() } else { None }
    }
}

impl BufRead for Peeked<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.head.get(self.given..) {
            Some(head) if !head.is_empty() => Ok(head),
            _ => match self.error.take() {
                Some(error) => Err(error),
                None if self.ended => Ok(&[]),
                None => self.rest.fill_buf(),
            },
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.given < self.head.len() {
            self.given += amount;
        } else {
            self.rest.consume(amount);
        }
    }
}

impl Read for Peeked<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let length = available.len().min(to.len());
        if let (Some(to), Some(from)) = (to.get_mut(..length), available.get(..length)) {
            to.copy_from_slice(from);
        }
        self.consume(length);
        Ok(length)
    }
}
