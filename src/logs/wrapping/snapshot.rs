//! The file of a query in an hcpctl snapshot: what it is for, the query, and a Markdown table of its results.

use super::{Stop, Unwrap, Unwrapped, Who, Wrapping, is_log, next_line};
use crate::input::Lines;
use crate::logs::Line;
use memchr::memmem;
use std::io::BufRead;

pub(super) struct Snapshot;

const RESULTS: &[u8] = b"## Results";

impl Wrapping for Snapshot {
    fn name(&self) -> &'static str {
        "hcpctl snapshot"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "# Lines of the server\n\n## Query\n\n```kql\ncontainerLogs\n```\n\n## Results\n\n| timestamp | bundleId | message |\n| --- | --- | --- |\n| 2026-01-15T09:45:12.345Z | aaaaaaaa-0000-5000-8000-000000000001 | main.go:12] |\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        let results = memmem::find(head, b"\n```kql\n").and(memmem::find(head, b"\n## Results\n"));
        let rows = results.and_then(|at| head.get(at..)).unwrap_or_default();
        rows.split(|byte| *byte == b'\n').any(is_log)
    }

    fn is_export(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(Rows { lines: Lines::new(input), in_results: false })
    }
}

struct Rows<'r> {
    lines: Lines<&'r mut dyn BufRead>,
    in_results: bool,
}

impl Unwrap for Rows<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let Some(line) = next_line(&mut self.lines)? else { return Ok(None) };
        self.in_results |= line.bytes.trim_ascii_end() == RESULTS;
        if !(self.in_results && is_log(line.bytes)) {
            return Ok(Some(Unwrapped::Skipped));
        }
        let line = Line { number: line.number, lines: 1, bytes: line.bytes, at: None, ended: line.ended };
        Ok(Some(Unwrapped::Line(Who::default(), line)))
    }
}
