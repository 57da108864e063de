//! Names and values in text: `password=…`, `token: …`, `--api-key …`, `Authorization: Bearer …`.
//!
//! Names that tell are also words of sentences: `invalid token: it has expired`. So what follows a colon must look like a
//! value, and what is the name of a Secret rather than its content is left alone.

use super::extra::Extra;
use super::keys::{self, Telling};
use super::lines;
use super::quote::Quote;
use super::span::{Found, Kind};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A name, what may quote it, what separates it from its value.
static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "password|passwd|pwd|pass|passphrase|passcode|key|key[-_]data|authorization|dockerconfigjson|dockercfg|cookie|\
                 secret|token|credentials?";
    head(names)
});

/// The pattern of a name that ends like one of these, with what stands between it and its value.
pub fn head(names: &str) -> Option<Regex> {
    Regex::new(&format!(r#"(?i)([a-z0-9_.-]*(?:{names}))(?:\\*["'])?([ \t]*)(=>|:=|==?|:)([ \t]*)"#)).ok()
}

static FLAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "password|passwd|passphrase|api-?key|access-?key|secret-?key|private-?key|secret|token";
    Regex::new(&format!(r#"(?i)--?((?:[a-z0-9]+-)*(?:{names}))[ \t]+["']?([^\s"'\\<>\[\]-][^\s"'\\]*)"#)).ok()
});

pub fn find(found: &mut Found<'_>) {
    let text = found.text;
    let extra = found.extra;
    for head in HEAD.iter().chain(&extra.head).flat_map(|head| head.captures_iter(text)) {
        if let Some(assignment) = Assignment::read(text, &head, extra) {
            assignment.mark(found);
        }
    }
    for flag in FLAG.iter().flat_map(|flag| flag.captures_iter(text)) {
        let (Some(name), Some(value)) = (flag.get(1), flag.get(2)) else { continue };
        if let Some(telling) = keys::tell(name.as_str()).filter(|_| !keys::is_placeholder(value.as_str())) {
            found.add((value.start(), value.end()), telling.kind);
        }
    }
}

struct Assignment<'t> {
    text: &'t str,
    telling: Telling,
    /// Where the name begins.
    name: usize,
    /// Where the value begins, with its quote if it has one.
    value: usize,
    /// `key=value`, in any spelling.
    equals: bool,
    /// A blank stands between the colon and what follows.
    spaced: bool,
}

impl<'t> Assignment<'t> {
    fn read(text: &'t str, head: &Captures<'t>, extra: &Extra) -> Option<Self> {
        let (name, sign) = (head.get(1)?, head.get(3)?);
        let telling = extra.tell(name.as_str())?;
        Some(Self {
            text,
            telling,
            name: name.start(),
            value: head.get(0)?.end(),
            equals: sign.as_str().contains('='),
            spaced: head.get(4).is_some_and(|blank| !blank.is_empty()),
        })
    }

    fn mark(&self, found: &mut Found<'_>) {
        let kind = self.telling.kind;
        if let Some((quote, length)) = Quote::at(self.text.as_bytes(), self.value) {
            let end = quote.end(self.text.as_bytes(), self.value + length);
            let range = (self.value + length, end.at);
            if self.is_value(range, true) {
                found.add(range, kind);
            }
            return;
        }
        if self.is_header() {
            let range = (self.value, self.end_of_header());
            if self.is_value(range, true) && is_header(self.text.get(range.0..range.1).unwrap_or_default()) {
                found.add(range, kind);
            }
            return;
        }
        if !self.equals && self.begins_line() {
            self.mark_line(found);
            return;
        }
        let range = (self.value, end_of_word(self.text, self.value));
        if self.is_value(range, false) {
            found.add(range, kind);
        }
    }

    fn is_header(&self) -> bool {
        let name = self.text.get(self.name..self.value).unwrap_or_default().to_ascii_lowercase();
        let header = name.contains("authorization") || name.contains("cookie");
        header && (!self.equals || name.contains("authorization"))
    }

    /// A header has several words; it ends with its line, or where a list of headers goes on.
    fn end_of_header(&self) -> usize {
        let end = lines::end(self.text, self.value);
        let line = self.text.get(self.value..end).unwrap_or_default();
        self.value + line.find(['"', '\'', ']', '}', ',']).unwrap_or(line.len())
    }

    /// Only blanks stand before the name, as in YAML.
    fn begins_line(&self) -> bool {
        let start = lines::start(self.text, self.name);
        let before = self.text.get(start..self.name).unwrap_or_default();
        before.bytes().all(|byte| matches!(byte, b' ' | b'-' | b'\t' | b'"' | b'\'' | b'\\'))
            && (self.spaced || self.telling.strong)
    }

    /// The rest of a line of YAML, or the lines below it.
    fn mark_line(&self, found: &mut Found<'_>) {
        let end = lines::end(self.text, self.value);
        let line = self.text.get(self.value..end).unwrap_or_default();
        if matches!(line.trim(), "|" | "|-" | "|+" | ">" | ">-" | ">+") {
            let indent = lines::indent(self.text, lines::start(self.text, self.name));
            let block = lines::block(self.text, end, indent);
            block.into_iter().for_each(|range| found.add(range, self.telling.kind));
            return;
        }
        let sentence = !self.telling.strong && line.trim().contains(' ');
        let stop = line.find('"').unwrap_or(line.trim_end().len());
        let range = (self.value, self.value + stop);
        if !sentence && self.is_value(range, true) {
            found.add(range, self.telling.kind);
        }
    }

    /// Is this a value, and not a word of a sentence, a name, or something with names of its own inside?
    fn is_value(&self, (start, end): (usize, usize), delimited: bool) -> bool {
        let value = self.text.get(start..end).unwrap_or_default();
        let opens = value.starts_with(['{', '[', '‹']) || value.starts_with("map[") || value.starts_with("&{");
        if value.is_empty() || opens || keys::is_placeholder(value) {
            return false;
        }
        if self.telling.strong {
            let ends_line = || {
                lines::end(self.text, end) == end
                    || self.text.get(end..).is_some_and(|rest| rest.starts_with([',', ';']))
            };
            return delimited || self.equals || !self.spaced || is_random(value) || ends_line();
        }
        let number = value.bytes().all(|byte| byte.is_ascii_digit());
        if number || is_name_in_namespace(value) {
            return false;
        }
        self.equals
            || delimited
            || is_random(value)
            || !self.spaced && self.telling.kind == Kind::Token && !value.contains('-')
    }
}

/// A value without quotes ends with a blank, a quote or what separates it from the next; marks at its end belong to the
/// sentence.
fn end_of_word(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                let rest = bytes.get(at..).unwrap_or_default();
                let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
                let after = rest.get(backslashes..).unwrap_or_default();
                if after.is_empty()
                    || after.starts_with(b"u0026")
                    || matches!(after.first(), Some(b'n' | b'r' | b't' | b'"' | b'\''))
                {
                    break;
                }
                at += backslashes + 1;
            }
            b'"' | b'\'' | b';' | b'&' | b'`' => break,
            byte if byte.is_ascii_whitespace() => break,
            _ => at += 1,
        }
    }
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let word = text.get(from..at).unwrap_or_default();
    from + word.trim_end_matches([',', '.', ')', ']', '}', '>', ':']).len()
}

/// The value of a header, and not a sentence: one word, or several of which one says what the others are.
fn is_header(value: &str) -> bool {
    let schemes = ["bearer", "basic", "token", "digest", "negotiate", "apikey", "aws4-hmac-sha256", "ntlm"];
    let first = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    schemes.contains(&first.as_str())
        || !value.trim().contains(' ')
        || value.split_whitespace().any(|word| word.contains('=') || is_random(word))
}

/// `namespace/name`, as logs name a Secret.
fn is_name_in_namespace(value: &str) -> bool {
    let is_name = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
    };
    value.split_once('/').is_some_and(|(namespace, name)| is_name(namespace) && is_name(name))
}

/// No word that a sentence would have: letters and digits mixed, and not as names mix them.
fn is_random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let odd = has(u8::is_ascii_uppercase) || value.contains(['+', '=', '_', '~', '!', '#', '$', '%', '^', '*', '@']);
    value.len() >= 6 && mixed && (odd || !value.contains(['-', '.', '/']))
}
