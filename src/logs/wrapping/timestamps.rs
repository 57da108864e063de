//! `kubectl logs --timestamps`: `2026-01-15T09:45:12.345678901Z line`.

use super::per_line::{PerLine, Stripped, is_wrapped};
use super::{Unwrap, Who, Wrapping, time_before};
use std::io::BufRead;

pub(super) struct Timestamps;

fn strip(line: &[u8]) -> Option<Stripped<'_>> {
    let (at, text) = time_before(line)?;
    Some(Stripped { who: Who::default(), at: Some(at), text })
}

impl Wrapping for Timestamps {
    fn name(&self) -> &'static str {
        "kubectl logs --timestamps"
    }

    fn samples(&self) -> &'static [&'static str] {
        &["2026-01-15T09:45:12.345678901Z I0115 09:45:12.345600       1 main.go:12] started\n2026-01-15T09:45:13Z\n"]
    }

    fn claims(&self, head: &[u8]) -> bool {
        is_wrapped(head, strip)
    }

    fn is_one_process(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(PerLine::new(input, strip))
    }
}
