//! Nothing around the lines: `kubectl logs`.

use super::per_line::PerLine;
use super::{Unwrap, Wrapping};
use crate::logs::recognise;
use std::io::BufRead;

pub(super) struct Plain;

impl Wrapping for Plain {
    fn name(&self) -> &'static str {
        "plain log"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "I0102 15:04:05.000000       1 main.go:12] started\n",
            "conducted by nobody\n\nE0102 15:04:05.000000       1 score.go:9] \"lost a page\" err=\"page 7\"\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        recognise(head).is_some() && !super::snapshot::Snapshot.claims(head)
    }

    fn is_one_process(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(PerLine::new(input, |_| None))
    }
}
