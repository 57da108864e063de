//! Secrets that are written as YAML inside a text, or as Go prints a map.

use super::lines;
use super::span::{Found, Kind, Written};
use memchr::memmem;
use regex::Regex;
use std::sync::LazyLock;

static DATA: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[\s]|\\[nr])(data|stringData):[ \t]*(?:$|[\r\n]|\\)").ok());

static KIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"kind:[ \t]*["'\\]*Secret(?:$|[^A-Za-z])"#).ok());

/// `data:map[key:value key:value]`; bytes are printed as `[1 2 3]`.
static MAP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(?:string)?data:map\[((?:[^\[\]]|\[[0-9 ]*\])*)(?:\]|$)").ok());

static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[^\s:]+:(\[[0-9 ]*\]|\S+)").ok());

/// Finds the data of Secrets.
pub fn find(found: &mut Found<'_>) {
    let text = found.text;
    let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let secret = has("Secret") && KIND.as_ref().is_some_and(|kind| kind.is_match(text));
    if has("data:") && secret || has("stringData:") {
        blocks(found, secret);
    }
    if secret && has("ata:map[") {
        maps(found);
    }
}

fn blocks(found: &mut Found<'_>, secret: bool) {
    let text = found.text;
    for part in DATA.iter().flat_map(|data| data.captures_iter(text)).filter_map(|captures| captures.get(1)) {
        let written = match part.as_str() {
            "stringData" => Written::AsItIs,
            _ if secret => Written::Base64,
            _ => continue,
        };
        let own = part.start() - lines::start(text, part.start());
        let entries = lines::block(text, lines::end(text, part.start()), own);
        let first = entries.first().map_or(0, |(start, _)| start - lines::start(text, *start));
        for (start, end) in entries {
            let line = text.get(start..end).unwrap_or_default();
            let is_entry = start - lines::start(text, start) == first;
            let value = line.find(": ").filter(|_| is_entry).map_or(0, |colon| colon + 2);
            let is_key = is_entry && value == 0 && line.ends_with(':');
            let block =
                matches!(line.get(value..).unwrap_or_default().trim(), "|" | "|-" | "|+" | ">" | ">-" | ">+" | "{}");
            if !is_key && !block {
                found.add_written(unquoted(text, (start + value, end)), Kind::Secret, written);
            }
        }
    }
}

/// A value without blanks and quotes around it.
fn unquoted(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let value = text.get(start..end).unwrap_or_default();
    let trimmed = value.trim_matches(['"', '\'', '\\', ' ']);
    let before = value.len() - value.trim_start_matches(['"', '\'', '\\', ' ']).len();
    (start + before.min(value.len()), start + before.min(value.len()) + trimmed.len())
}

fn maps(found: &mut Found<'_>) {
    let text = found.text;
    let maps = MAP.iter().flat_map(|map| map.captures_iter(text)).filter_map(|captures| captures.get(1));
    for map in maps {
        for pair in PAIR.iter().flat_map(|pair| pair.captures_iter(map.as_str())).filter_map(|pair| pair.get(1)) {
            let written = if pair.as_str().starts_with('[') { Written::AsItIs } else { Written::Base64 };
            found.add_written((map.start() + pair.start(), map.start() + pair.end()), Kind::Secret, written);
        }
    }
}
