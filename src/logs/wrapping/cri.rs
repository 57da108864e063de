//! Files of container runtimes (containerd, CRI-O): `2026-01-15T09:45:12.345678901Z stderr F line`, where `P` marks a
//! piece of a line.

use super::parts::Pieces;
use super::per_line::{Stripped, is_wrapped};
use super::{Stop, Unwrap, Unwrapped, Who, Wrapping, time_before};
use crate::input::PhysicalLine;
use crate::logs::Line;
use crate::schema::Time;
use std::io::{self, BufRead};

pub(super) struct Cri;

/// A physical line, taken apart.
struct Piece<'a> {
    at: Time,
    /// 0 for stdout, 1 for stderr.
    stream: usize,
    more: bool,
    text: &'a [u8],
}

fn piece(line: &[u8]) -> Option<Piece<'_>> {
    let (at, rest) = time_before(line)?;
    let (stream, rest) = match rest.strip_prefix(b"stdout ") {
        Some(rest) => (0, rest),
        None => (1, rest.strip_prefix(b"stderr ")?),
    };
    // Tags may follow the first one, as in `P:x`.
    let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
    let (tags, text) = rest.split_at_checked(end)?;
    let more = match tags.split(|byte| *byte == b':').next()? {
        b"P" => true,
        b"F" => false,
        _ => return None,
    };
    Some(Piece { at, stream, more, text: text.strip_prefix(b" ").unwrap_or(text) })
}

fn strip(line: &[u8]) -> Option<Stripped<'_>> {
    piece(line).map(|piece| Stripped { who: Who::default(), at: Some(piece.at), text: piece.text })
}

impl Wrapping for Cri {
    fn name(&self) -> &'static str {
        "CRI log"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "2026-01-15T09:45:12.345678901Z stderr F I0115 09:45:12.345600       1 main.go:12] started\n",
            "2026-01-15T09:45:12.345678901+01:00 stdout P I0115 09:45:12.345600       1 main.go:12] a long\n2026-01-15T09:45:12.345678901+01:00 stdout F  line\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        is_wrapped(head, strip)
    }

    fn time_from(&self) -> &'static str {
        "cri"
    }

    fn is_one_process(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(CriLines(Pieces::new(input)))
    }
}

struct CriLines<'r>(Pieces<'r>);

/// What is to be handed out.
enum Ready {
    /// The line that was reached, which has no wrapping.
    Bare,
    /// The line that was reached, in one piece.
    Whole,
    /// The pieces of a stream.
    Joined(usize),
    End,
}

impl CriLines<'_> {
    fn advance(&mut self) -> io::Result<Ready> {
        while self.0.advance() {
            let line = self.0.lines.line();
            let Some(piece) = piece(line.bytes).filter(|_| !line.is_rest) else { return Ok(Ready::Bare) };
            let Some(parts) = self.0.parts.get_mut(piece.stream) else { return Ok(Ready::Bare) };
            if !piece.more && !parts.is_open() {
                return Ok(Ready::Whole);
            }
            let PhysicalLine { number, ended, .. } = line;
            if parts.add(Line { number, lines: 1, bytes: piece.text, at: Some(piece.at), ended }, piece.more) {
                return Ok(Ready::Joined(piece.stream));
            }
        }
        Ok(self.0.left()?.map_or(Ready::End, Ready::Joined))
    }
}

impl Unwrap for CriLines<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let ready = self.advance().map_err(|error| Stop::after(self.0.lines.number(), &error))?;
        let line = self.0.lines.line();
        let PhysicalLine { number, ended, .. } = line;
        let line = match ready {
            Ready::End => return Ok(None),
            Ready::Bare => Line { number, lines: u64::from(!line.is_rest), bytes: line.bytes, at: None, ended },
            Ready::Whole => {
                let stripped = strip(line.bytes);
                let (bytes, at) = stripped.map_or((line.bytes, None), |stripped| (stripped.text, stripped.at));
                Line { number, lines: 1, bytes, at, ended }
            }
            Ready::Joined(stream) => match self.0.parts.get_mut(stream) {
                Some(parts) => parts.line(),
                None => return Ok(None),
            },
        };
        Ok(Some(Unwrapped::Line(Who::default(), line)))
    }
}
