//! The last look before a bundle is published: is anything in it that must not be?
//!
//! It knows nothing of how secrets are found. It looks for texts that somebody planted to be looked for, and for strings that
//! are too random to be names.

use crate::schema::{Cell, Changes, Class, LogLine, Record, Row, is_declared};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem::Finder;
use std::collections::HashSet;

/// So many places are named; the others are counted.
const NAMED: usize = 20;

/// Shorter ones may be ids; in longer ones are certificates and other things that everybody may see.
const SHORTEST: usize = 40;
const LONGEST: usize = 200;

/// Paths and names that are put together have shorter parts; what is random is hardly ever cut so often.
const WHOLE: usize = 16;

/// Bits a letter: random base64 of that length has about five, names hardly four.
const RANDOM: f64 = 4.4;

/// How base64 begins of certificates and public keys.
const PUBLIC: &[&str] = &["MII", "LS0tLS1CRUdJTi", "AAAA"];
const CERTIFICATE: (&str, &str) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----");

/// What was found, without what it is.
#[derive(Default)]
pub struct Leaks {
    canaries: Vec<Finder<'static>>,
    /// Random strings that may go out.
    stays: HashSet<String>,
    /// Only canaries are looked for.
    only_canaries: bool,
    pub places: Vec<String>,
    pub count: u64,
}

impl Leaks {
    pub fn new(canaries: &[String], stays: HashSet<String>, only_canaries: bool) -> Self {
        let both = |canary: &String| [canary.clone(), STANDARD.encode(canary)];
        let finder = |canary: String| Finder::new(canary.as_bytes()).into_owned();
        let canaries = canaries.iter().filter(|canary| !canary.is_empty()).flat_map(both).map(finder).collect();
        Self { canaries, stays, only_canaries, ..Self::default() }
    }

    /// Looks at a row as it goes into the bundle.
    pub fn row(&mut self, record: &impl Row, changes: Option<&Changes>, row: i64) {
        let table = record.table();
        record.cells(|column, own| {
            let cell = changes.map_or(own, |changes| changes.cell(column, own));
            let Some(about) = table.columns.get(column) else { return };
            // Names of a log line and its parts stand in its text, or in the rows that say what a log covers.
            let part = table.name == LogLine::TABLE.name && about.name != "text" && is_declared(table.name, about.name);
            if part || matches!(about.class, Class::NotText | Class::Plain) {
                return;
            }
            let found = match cell {
                Cell::Text(text) => self.find(text),
                _ => None,
            };
            if let Some(what) = found {
                self.keep(format!("{what} in {}:{row}, column {}{}", table.name, about.name, origin(record, changes)));
            }
        });
    }

    /// Looks at a text that stands in no table.
    pub fn text(&mut self, text: &str, field: &str) {
        if let Some(what) = self.find(text) {
            self.keep(format!("{what} in the manifest, {field}"));
        }
    }

    fn keep(&mut self, place: String) {
        self.count += 1;
        if self.places.len() < NAMED {
            self.places.push(place);
        }
    }

    fn find(&self, text: &str) -> Option<&'static str> {
        if self.canaries.iter().any(|canary| canary.find(text.as_bytes()).is_some()) {
            return Some("a canary");
        }
        (!self.only_canaries && has_random(text, &self.stays)).then_some("a random string")
    }
}

/// Where a row was read, since there is no bundle to look it up in.
fn origin(record: &impl Row, changes: Option<&Changes>) -> String {
    let (mut file, mut line) = (String::new(), String::new());
    record.cells(|column, own| {
        let name = record.table().columns.get(column).map_or("", |column| column.name);
        match (name, changes.map_or(own, |changes| changes.cell(column, own))) {
            ("file", Cell::Text(name)) => file = format!(", from {name}"),
            ("line", Cell::Int(number)) => line = format!(" line {number}"),
            _ => {}
        }
    });
    file + &line
}

/// Is there a word that is too random to be a name?
fn has_random(text: &str, stays: &HashSet<String>) -> bool {
    let bytes = text.as_bytes();
    let mut from = 0;
    // A word of that length has every so manieth byte in it: most bytes need no look.
    while let Some(byte) = bytes.get(from + SHORTEST - 1) {
        if !is_part(*byte) {
            from += SHORTEST;
            continue;
        }
        let middle = from + SHORTEST - 1;
        let start = middle
            - bytes.get(from..middle).unwrap_or_default().iter().rev().take_while(|byte| is_part(**byte)).count();
        let length = bytes.get(start..).unwrap_or_default().iter().take_while(|byte| is_part(**byte)).count();
        let word = text.get(start..start + length).unwrap_or_default();
        if is_random(word) && !is_public(text, start, word) && !stays.contains(word) {
            return true;
        }
        from = start + length + 1;
    }
    false
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

fn is_random(word: &str) -> bool {
    let count = |is: fn(&u8) -> bool| word.as_bytes().iter().filter(|byte| is(byte)).count();
    let mixed = [count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase), count(u8::is_ascii_digit)];
    (SHORTEST..=LONGEST).contains(&word.len())
        && mixed.iter().all(|count| *count >= 4)
        && is_in_one_piece(word)
        && entropy(word) >= RANDOM
}

fn is_in_one_piece(word: &str) -> bool {
    word.split(['/', '-', '_']).any(|part| part.len() >= WHOLE)
}

/// Certificates, public keys, and texts that are only encoded.
fn is_public(text: &str, start: usize, word: &str) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let in_certificate = before.rfind(CERTIFICATE.0) > before.rfind(CERTIFICATE.1);
    let readable = || {
        let whole = word.get(..word.len() - word.len() % 4).unwrap_or_default();
        let decoded = STANDARD.decode(whole).unwrap_or_default();
        !decoded.is_empty() && decoded.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'))
    };
    in_certificate || PUBLIC.iter().any(|public| word.starts_with(public)) || readable()
}

/// Bits a letter, as the letters of the word are spread.
fn entropy(word: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in word.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = word.len() as f64;
    let share = |count: &u32| f64::from(*count) / all;
    -counts.iter().filter(|count| **count > 0).map(share).map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_words_are_told_from_names() {
        for text in
            ["a wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY0123 b", "x=7Qf3kLm9ZpT2vR8sWn4YbHc6JdG1aEoU5iXqBtKzNy0M"]
        {
            assert!(has_random(text, &HashSet::new()), "{text}");
        }
        for text in [
            "0b14ee1e-1543-5748-bba9-abb351ceff99 3MATdZJ3VTHvElN4gvjKhv5Sw4Y",
            "sha256:0b14ee1e15435748bba9abb351ceff990b14ee1e15435748bba9abb351ceff99",
            "io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request",
            "/apis/work/v1/namespaces/cluster1/manifestworks/a-long-name-of-a-work-and-more",
            "--kubeconfig /tmp/dacapo-run-a33KhA/cluster-vzO97C/admin-svc.kubeconfig",
            "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBwbGFpbiB0ZXh0IDEyMzQ1Njc4OTA=",
            "-----BEGIN CERTIFICATE-----\\nMIIDxTCCAq2gAwIBAgI\\n7Qf3kLm9ZpT2vR8sWn4YbHc6JdG1aEoU5iXqBtKzNy0M",
        ] {
            assert!(!has_random(text, &HashSet::new()), "{text}");
        }
    }
}
