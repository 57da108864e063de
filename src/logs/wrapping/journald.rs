//! journald's export format: `KEY=value` lines, a blank line between entries; a value that is no plain text comes as
//! the key alone, its length in eight bytes, and its bytes.

use super::columns::{Names, Row};
use super::{Stop, Unwrap, Unwrapped, Wrapping, sample};
use std::borrow::Cow;
use std::io::{self, BufRead, Read};

pub(super) struct Journald;

impl Wrapping for Journald {
    fn name(&self) -> &'static str {
        "journald export"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1768470312345600\nMESSAGE=I0115 09:45:12.345600       1 main.go:12] started\n\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        let mut lines = sample(head);
        head.starts_with(b"__CURSOR=") && lines.any(|line| line.starts_with(b"__REALTIME_TIMESTAMP="))
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(Entries {
            input,
            names: Names::default(),
            row: Row::default(),
            lines: 0,
            buffer: Vec::new(),
            text: Vec::new(),
        })
    }
}

/// The longest value that is believed.
const LONGEST: u64 = 128 << 20;

struct Entries<'r> {
    input: &'r mut dyn BufRead,
    names: Names,
    row: Row<'static>,
    lines: u64,
    buffer: Vec<u8>,
    /// The entry so far, word for word.
    text: Vec<u8>,
}

impl Entries<'_> {
    /// Reads one entry; says how many lines it has, 0 at the end of the file.
    fn entry(&mut self) -> io::Result<u64> {
        self.row = Row::default();
        self.text.clear();
        let before = self.lines;
        loop {
            self.buffer.clear();
            let read = (&mut *self.input).take(LONGEST).read_until(b'\n', &mut self.buffer);
            self.text.extend_from_slice(&self.buffer);
            if read? == 0 {
                return Ok(self.lines - before);
            }
            self.lines += 1;
            let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
            if line.is_empty() {
                return Ok(self.lines - before);
            }
            let field = match memchr::memchr(b'=', line) {
                Some(at) => {
                    let value = line.get(at + 1..).unwrap_or_default();
                    (line.get(..at).unwrap_or_default().to_vec(), value.to_vec())
                }
                None => (line.to_vec(), self.binary()?),
            };
            let name = String::from_utf8_lossy(&field.0).into_owned();
            if let Some(column) = self.names.column(&name) {
                self.row.set(column, Cow::Owned(String::from_utf8_lossy(&field.1).into_owned()));
            }
        }
    }

    fn binary(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 8];
        self.input.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST {
            return Err(io::Error::other(format!("a value of {length} bytes is too long")));
        }
        let mut value = Vec::new();
        let read = (&mut *self.input).take(length).read_to_end(&mut value);
        self.text.extend_from_slice(&value);
        read?;
        let mut end = [0];
        self.input.read_exact(&mut end)?;
        self.lines += 1 + memchr::memchr_iter(b'\n', &value).count() as u64;
        Ok(value)
    }
}

impl Unwrap for Entries<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let first = self.lines + 1;
        match self.entry() {
            Err(error) => {
                let broken = (!self.text.is_empty()).then(|| (first, std::mem::take(&mut self.text)));
                Err(Stop { broken, ..Stop::after(self.lines, &error) })
            }
            Ok(0) => Ok(None),
            Ok(_) if self.row.log.is_none() => Ok(Some(Unwrapped::Skipped)),
            Ok(_) => Ok(Some(self.row.line(first, true))),
        }
    }

    fn remarks(&mut self) -> Vec<String> {
        self.names.not_kept().into_iter().collect()
    }
}
