//! Gives every value a number, and the same value the same one.

use super::base64;
use super::span::{Span, Written};
use crate::schema::marker;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;

/// Values that are told apart; about 100 MB. Those beyond share a number.
const MOST: usize = 1 << 21;

#[derive(Default)]
pub struct Tags {
    /// Of each value a sum is kept, not the value.
    numbers: HashMap<[u8; 16], u32>,
    before: u32,
}

impl Tags {
    /// Leaves out the numbers up to this one.
    pub const fn counts_from(&mut self, number: u32) {
        self.before = number;
    }

    /// What stands in for the value of a span.
    pub fn marker(&mut self, text: &str, span: Span) -> String {
        let written = text.get(span.start..span.end).unwrap_or_default();
        let plain = plain(written);
        let value = match span.written {
            Written::Base64 => base64::decode(&plain).map_or_else(|| plain.as_bytes().into(), Cow::Owned),
            Written::AsItIs | Written::Bare { .. } => plain.as_bytes().into(),
        };
        let marker = marker(span.kind.name(), self.number(&value), value.len());
        match span.written {
            Written::Bare { quote: (start, end) } => {
                let quote = text.get(start..end).unwrap_or_default();
                format!("{quote}{marker}{quote}")
            }
            Written::AsItIs | Written::Base64 => marker,
        }
    }

    fn number(&mut self, value: &[u8]) -> u32 {
        let mut sum = [0; 16];
        sum.iter_mut().zip(Sha256::digest(value)).for_each(|(to, from)| *to = from);
        let next = self.before.saturating_add(u32::try_from(self.numbers.len()).unwrap_or(u32::MAX)).saturating_add(1);
        if self.numbers.len() >= MOST {
            return self.numbers.get(&sum).copied().unwrap_or(next);
        }
        *self.numbers.entry(sum).or_insert(next)
    }
}

/// The value as it would stand without quotes around it, however deep they were: backslashes do not count, and line
/// breaks are line breaks.
fn plain(written: &str) -> Cow<'_, str> {
    if !written.contains('\\') {
        return Cow::Borrowed(written);
    }
    let mut plain = String::with_capacity(written.len());
    let mut rest = written.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        while rest.next_if_eq(&'\\').is_some() {}
        match rest.next() {
            Some('n' | 'r') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            other => plain.extend(other),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::super::span::Kind;
    use super::*;

    fn of(tags: &mut Tags, text: &str, written: Written) -> String {
        tags.marker(text, Span { start: 0, end: text.len(), kind: Kind::Secret, written })
    }

    #[test]
    fn the_same_value_has_the_same_number_however_it_is_written() {
        let mut tags = Tags::default();
        assert_eq!(of(&mut tags, "hunter2", Written::AsItIs), "‹secret:0001:len8›");
        assert_eq!(of(&mut tags, "aHVudGVyMg==", Written::Base64), "‹secret:0001:len8›");
        assert_eq!(of(&mut tags, "another", Written::AsItIs), "‹secret:0002:len8›");
        assert_eq!(of(&mut tags, "a\n\"b\"", Written::AsItIs), "‹secret:0003:len8›");
        assert_eq!(of(&mut tags, r#"a\\n\\\"b\\\""#, Written::AsItIs), "‹secret:0003:len8›");
    }
}
