//! Docker's json-file: `{"log":"line\n","stream":"stderr","time":"…"}`; a log without a line end is a piece of a line.

use super::parts::Pieces;
use super::{Stop, Unwrap, Unwrapped, Who, Wrapping, is_log, sample, time_before};
use crate::logs::Line;
use crate::schema::Time;
use serde::Deserialize;
use std::borrow::Cow;
use std::io::{self, BufRead};

pub(super) struct Docker;

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    log: Cow<'a, str>,
    #[serde(borrow)]
    stream: Cow<'a, str>,
    #[serde(borrow)]
    time: Cow<'a, str>,
}

fn piece(line: &[u8]) -> Option<Piece<'_>> {
    serde_json::from_slice(line).ok()
}

/// Is it a file of Docker? Its three fields tell, also where the first line is longer than the head.
pub(super) fn is_docker(head: &[u8]) -> bool {
    sample(head).find_map(piece).is_some_and(|piece| time_before(piece.time.as_bytes()).is_some())
}

impl Wrapping for Docker {
    fn name(&self) -> &'static str {
        "Docker json-file"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "{\"log\":\"I0115 09:45:12.345600       1 main.go:12] started\\n\",\"stream\":\"stderr\",\"time\":\"2026-01-15T09:45:12.345678901Z\"}\n",
            "{\"log\":\"I0115 09:45:12.345600       1 main.go:12] a long\",\"stream\":\"stdout\",\"time\":\"2026-01-15T09:45:12.345678901Z\"}\n{\"log\":\" line\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-15T09:45:12.345678901Z\"}\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        is_docker(head) && sample(head).filter_map(piece).any(|piece| is_log(piece.log.trim_end().as_bytes()))
    }

    fn is_one_process(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(DockerLines(Pieces::new(input)))
    }
}

struct DockerLines<'r>(Pieces<'r>);

/// What is to be handed out.
enum Ready {
    /// The line that was reached, which is no object of Docker.
    Odd,
    Joined(usize),
    Empty,
    End,
}

impl DockerLines<'_> {
    fn advance(&mut self) -> io::Result<Ready> {
        while self.0.advance() {
            let line = self.0.lines.line();
            if line.bytes.trim_ascii().is_empty() {
                return Ok(Ready::Empty);
            }
            let Some(piece) = piece(line.bytes) else { return Ok(Ready::Odd) };
            let stream = usize::from(piece.stream == "stderr");
            let Some(parts) = self.0.parts.get_mut(stream) else { return Ok(Ready::Odd) };
            let (text, more) = piece.log.strip_suffix('\n').map_or((&*piece.log, true), |text| (text, false));
            let at = Time::parse(&piece.time);
            let line = Line { number: line.number, lines: 1, bytes: text.as_bytes(), at, ended: line.ended };
            if parts.add(line, more) {
                return Ok(Ready::Joined(stream));
            }
        }
        Ok(self.0.left()?.map_or(Ready::End, Ready::Joined))
    }
}

impl Unwrap for DockerLines<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let ready = self.advance().map_err(|error| Stop::after(self.0.lines.number(), &error))?;
        Ok(match ready {
            Ready::End => None,
            Ready::Empty => Some(Unwrapped::Skipped),
            Ready::Odd => {
                let line = self.0.lines.line();
                Some(Unwrapped::Odd { line: line.number, text: line.bytes, why: "not an object of Docker's log" })
            }
            Ready::Joined(stream) => {
                self.0.parts.get_mut(stream).map(|parts| Unwrapped::Line(Who::default(), parts.line()))
            }
        })
    }
}
