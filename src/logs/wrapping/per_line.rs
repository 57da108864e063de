//! Wrappings that put something before each line.

use super::{Stop, Unwrap, Unwrapped, Who, next_line};
use crate::input::Lines;
use crate::logs::Line;
use crate::schema::Time;
use std::io::BufRead;

/// What stands before a line, and the line.
pub(super) struct Stripped<'a> {
    pub who: Who<'a>,
    pub at: Option<Time>,
    pub text: &'a [u8],
}

/// Strips every line; one without the wrapping stays as it is.
pub(super) struct PerLine<'r> {
    lines: Lines<&'r mut dyn BufRead>,
    strip: fn(&[u8]) -> Option<Stripped<'_>>,
}

impl<'r> PerLine<'r> {
    pub fn new(input: &'r mut dyn BufRead, strip: fn(&[u8]) -> Option<Stripped<'_>>) -> Self {
        Self { lines: Lines::new(input), strip }
    }
}

impl Unwrap for PerLine<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let Some(line) = next_line(&mut self.lines)? else { return Ok(None) };
        let stripped = if line.is_rest { None } else { (self.strip)(line.bytes) };
        let stripped = stripped.unwrap_or(Stripped { who: Who::default(), at: None, text: line.bytes });
        let lines = u64::from(!line.is_rest);
        let line = Line { number: line.number, lines, bytes: stripped.text, at: stripped.at, ended: line.ended };
        Ok(Some(Unwrapped::Line(stripped.who, line)))
    }
}

/// Does most of a sample have the wrapping, and does a log come out?
pub(super) fn is_wrapped(head: &[u8], strip: fn(&[u8]) -> Option<Stripped<'_>>) -> bool {
    let (mut lines, mut wrapped, mut logs) = (0, 0, 0);
    for line in super::sample(head) {
        lines += 1;
        if let Some(stripped) = strip(line) {
            wrapped += 1;
            logs += usize::from(super::is_log(stripped.text));
        }
    }
    wrapped * 2 > lines && logs > 0
}
