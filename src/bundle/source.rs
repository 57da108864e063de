//! The bytes of a bundle, from any place of it, for as many at once as like.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// An open file. It needs no name: what was decrypted has none.
#[derive(Clone, Debug)]
pub struct Source(Arc<File>);

impl Source {
    pub fn new(file: File) -> Self {
        Self(Arc::new(file))
    }

    pub fn file(&self) -> &File {
        &self.0
    }

    pub fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        self.0.read_exact_at(buffer, at)
    }

    /// Reads from the first byte on, and minds nobody else who does.
    pub fn cursor(&self) -> Cursor {
        Cursor { source: self.clone(), at: 0 }
    }
}

#[derive(Debug)]
pub struct Cursor {
    source: Source,
    at: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.0.read_at(buffer, self.at)?;
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Cursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.source.0.metadata()?.len().checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
