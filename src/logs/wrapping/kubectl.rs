//! `kubectl logs --prefix`, with or without `--timestamps`: `[pod/NAME/CONTAINER] line`.

use super::per_line::{PerLine, Stripped, is_wrapped};
use super::{Unwrap, Who, Wrapping, name, time_before};
use memchr::memmem;
use std::io::BufRead;

pub(super) struct Prefixed;

fn strip(line: &[u8]) -> Option<Stripped<'_>> {
    let rest = line.strip_prefix(b"[pod/")?;
    let end = memmem::find(rest, b"] ").or_else(|| rest.ends_with(b"]").then(|| rest.len() - 1))?;
    let (place, text) = rest.split_at_checked(end)?;
    let slash = memchr::memchr(b'/', place)?;
    let (pod, container) = (name(place.get(..slash)?)?, name(place.get(slash + 1..)?)?);
    let text = text.strip_prefix(b"] ").unwrap_or_default();
    let (at, text) = time_before(text).map_or((None, text), |(at, text)| (Some(at), text));
    Some(Stripped { who: Who { pod: Some(pod), container: Some(container), ..Who::default() }, at, text })
}

impl Wrapping for Prefixed {
    fn name(&self) -> &'static str {
        "kubectl logs --prefix"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "[pod/strings-7d9c-x2k4p/violin] I0115 09:45:12.345600       1 main.go:12] started\n[pod/strings-7d9c-x2k4p/violin] \n",
            "[pod/strings-7d9c-x2k4p/violin] 2026-01-15T09:45:12.345678901Z I0115 09:45:12.345600       1 main.go:12] started\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        is_wrapped(head, strip)
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(PerLine::new(input, strip))
    }
}
