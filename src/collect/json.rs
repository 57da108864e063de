//! Reading JSON without changing it: the parts that matter are taken out, the whole stays verbatim.

use crate::schema::{Json, Text, Time};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One JSON object, its values still as they were written.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Fields<'a> {
    #[serde(borrow)]
    fields: BTreeMap<Cow<'a, str>, &'a RawValue>,
}

impl<'a> Fields<'a> {
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.fields.contains_key(*name))
    }

    pub fn text(&mut self, name: &str) -> Option<Text<'a>> {
        self.convert(name, |raw| string(raw.get()))
    }

    /// A time that says more than microseconds is read, and stays among what is left in its own words.
    pub fn time(&mut self, name: &str) -> Option<Time> {
        let raw = *self.fields.get(name)?;
        let at = self.convert(name, |raw| Time::parse(&string(raw.get())?));
        if at.is_some() && is_finer_than_micros(raw.get()) {
            self.fields.insert(Cow::Owned(name.to_owned()), raw);
        }
        at
    }

    pub fn int(&mut self, name: &str) -> Option<i64> {
        self.convert(name, |raw| raw.get().parse().ok())
    }

    pub fn bool(&mut self, name: &str) -> Option<bool> {
        self.convert(name, |raw| raw.get().parse().ok())
    }

    /// The value as it stands there; null is no value.
    pub fn json(&mut self, name: &str) -> Option<Json<'a>> {
        self.convert(name, |raw| Some(Json(Cow::Borrowed(raw.get()))))
    }

    /// What nobody asked for, or could not be read as what it was asked for.
    pub fn left(self) -> impl Iterator<Item = (Cow<'a, str>, &'a str)> {
        self.fields.into_iter().map(|(name, raw)| (name, raw.get()))
    }

    /// Takes a value out. A null is taken and gives nothing; a value that does not convert stays, and is
    /// then among what is left.
    fn convert<T>(&mut self, name: &str, convert: impl Fn(&'a RawValue) -> Option<T>) -> Option<T> {
        let raw = *self.fields.get(name)?;
        let value = convert(raw);
        if value.is_some() || raw.get() == "null" {
            self.fields.remove(name);
        }
        value.filter(|_| raw.get() != "null")
    }
}

fn is_finer_than_micros(text: &str) -> bool {
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    fraction.bytes().take_while(u8::is_ascii_digit).skip(6).any(|digit| digit != b'0')
}

/// The keys at the top of a JSON object, as far as its beginning shows them.
pub fn top_keys(head: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let (mut depth, mut key_next) = (0_usize, false);
    let mut rest = head.trim_ascii_start();
    if rest.first() != Some(&b'{') {
        return keys;
    }
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'{' | b'[' => {
                depth += 1;
                key_next = depth == 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => key_next = depth == 1,
            b'"' => {
                let length = string_length(rest);
                if depth == 1 && key_next {
                    keys.extend(rest.get(..length).map(|key| String::from_utf8_lossy(key).into_owned()));
                    key_next = false;
                }
                rest = rest.get(length + 1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    keys
}

/// Up to the closing quote.
fn string_length(bytes: &[u8]) -> usize {
    let mut escaped = false;
    let end = bytes.iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(bytes.len())
}

fn string(raw: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Str<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Str<'_>>(raw).ok().map(|text| text.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_finer_than_microseconds_keeps_its_own_words() {
        let mut fields =
            Fields::parse(r#"{"a":"2026-01-15T09:45:12.123456789Z","b":"2026-01-15T09:45:12.123456Z"}"#).unwrap();
        assert!(fields.time("a").is_some() && fields.time("b").is_some());
        assert_eq!(fields.left().map(|(name, _)| name).collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn only_the_keys_at_the_top_are_listed() {
        let text = br#" {"kind": "Bundle", "items":[{"apiVersion":"v1","a\"b":"}"}], "page": 1, "cut": {"x"#;
        assert_eq!(top_keys(text), ["kind", "items", "page", "cut"]);
        assert!(top_keys(b"[1]").is_empty());
        assert!(top_keys(b"").is_empty());
    }
}
