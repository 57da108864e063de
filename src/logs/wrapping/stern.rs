//! stern: `pod container line`, also with a namespace in front, a time behind, and in colours.

use super::per_line::{PerLine, Stripped, is_wrapped};
use super::{Unwrap, Who, Wrapping, is_log, name, time_before};
use std::io::BufRead;

pub(super) struct Stern;

fn strip(line: &[u8]) -> Option<Stripped<'_>> {
    let (first, rest) = word(line)?;
    let (second, text) = word(rest)?;
    let two = Who { pod: Some(first), container: Some(second), ..Who::default() };
    // With --all-namespaces there are three names; a line may itself begin with a word, so a log must follow.
    let with_namespace = word(text).filter(|(_, text)| begins_a_line(text));
    let (who, text) = match with_namespace.filter(|_| !begins_a_line(text)) {
        Some((third, text)) => {
            (Who { namespace: Some(first), pod: Some(second), container: Some(third), ..Who::default() }, text)
        }
        None => (two, text),
    };
    // Pods of Deployments, StatefulSets and Jobs have a dash in their names; prose rarely begins with such a word.
    who.pod?.contains('-').then_some(())?;
    let (at, text) = time_before(text).map_or((None, text), |(at, text)| (Some(at), text));
    Some(Stripped { who, at, text })
}

fn begins_a_line(text: &[u8]) -> bool {
    is_log(time_before(text).map_or(text, |(_, text)| text))
}

/// A name and what follows it and a space.
fn word(text: &[u8]) -> Option<(&str, &[u8])> {
    let text = uncoloured(text);
    let end = text.iter().position(|byte| matches!(byte, b' ' | 0x1b))?;
    let (word, rest) = text.split_at_checked(end)?;
    Some((name(word)?, uncoloured(rest).strip_prefix(b" ")?))
}

/// Without the escape sequences that colour what follows.
fn uncoloured(mut text: &[u8]) -> &[u8] {
    while let Some(sequence) = text.strip_prefix(b"\x1b[") {
        let Some(end) = sequence.iter().take(16).position(|byte| *byte == b'm') else { break };
        text = sequence.get(end + 1..).unwrap_or_default();
    }
    text
}

impl Wrapping for Stern {
    fn name(&self) -> &'static str {
        "stern"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "strings-7d9c-x2k4p violin I0115 09:45:12.345600       1 main.go:12] started\nstrings-7d9c-x2k4p violin \n",
            "\u{1b}[36mstrings-7d9c-x2k4p\u{1b}[0m \u{1b}[36mviolin\u{1b}[0m I0115 09:45:12.345600       1 main.go:12] started\n",
            "orchestra strings-7d9c-x2k4p violin 2026-01-15T09:45:12.345678901Z I0115 09:45:12.345600       1 main.go:12] x\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        is_wrapped(head, strip)
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(PerLine::new(input, strip))
    }
}
