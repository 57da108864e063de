//! Private keys as text, whole or cut.

use super::span::{Found, Kind};
use regex::Regex;
use std::sync::LazyLock;

static BEGIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----").ok());

const END: &str = "-----END ";
const DASHES: &str = "-----";

pub fn find(found: &mut Found<'_>) {
    let text = found.text;
    for begin in BEGIN.iter().flat_map(|begin| begin.find_iter(text)) {
        found.add((begin.start(), end_of_key(text, begin.end())), Kind::PrivateKey);
    }
}

/// Does a private key begin in a text and not end in it?
pub fn stays_open(text: &str) -> bool {
    let last = BEGIN.iter().flat_map(|begin| begin.find_iter(text)).last();
    last.is_some_and(|begin| text.get(begin.end()..).is_none_or(|rest| !rest.contains(END)))
}

/// What may be a line of a private key: base64, or something about it.
pub fn is_inside(line: &str) -> bool {
    let line = line.trim();
    let base64 = line.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    let about = ["Proc-Type:", "DEK-Info:", "Comment:"].iter().any(|head| line.starts_with(head));
    // Only the last line is shorter than the others, and it still is whole.
    is_end(line) || about || base64 && (line.len() >= 16 || line.len().is_multiple_of(4))
}

pub fn is_end(line: &str) -> bool {
    line.trim_start().starts_with(END)
}

fn end_of_key(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let last = rest.find(END).and_then(|at| {
        let name = at + END.len();
        rest.get(name..)?.find(DASHES).map(|dashes| name + dashes + DASHES.len())
    });
    let is_part = |character: char| {
        character.is_ascii_alphanumeric()
            || matches!(character, '+' | '/' | '=' | '\\' | ':' | ',' | '-')
            || character.is_whitespace()
    };
    let cut = || rest.find(|character| !is_part(character)).unwrap_or(rest.len());
    from + last.unwrap_or_else(cut)
}
