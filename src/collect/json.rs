//! Reading JSON without changing it: the parts that matter are taken out, the whole stays verbatim.

use crate::input::json::{self as walk, Json as Walk};
use crate::schema::{Json, Text, Time};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A row's values by column, still as they were written: an object's members, or cells of text.
#[derive(Debug, Default)]
pub struct Fields<'a> {
    fields: BTreeMap<Text<'a>, Given<'a>>,
}

/// A value as a source gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given<'a> {
    /// Text of JSON.
    Json(Text<'a>),
    /// A cell of a table; `None` is SQL's NULL.
    Cell(Option<Text<'a>>),
}

impl<'a> Fields<'a> {
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(transparent)]
        struct Members<'a>(#[serde(borrow)] BTreeMap<Cow<'a, str>, &'a RawValue>);
        let members: Members<'a> = serde_json::from_str(text)?;
        let given = members.0.into_iter().map(|(name, raw)| (name, Given::Json(raw.get().into())));
        Ok(Self { fields: given.collect() })
    }

    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.fields.contains_key(*name))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(AsRef::as_ref)
    }

    pub fn set(&mut self, name: impl Into<Text<'a>>, given: Given<'a>) {
        self.fields.insert(name.into(), given);
    }

    pub fn take(&mut self, name: &str) -> Option<Given<'a>> {
        self.fields.remove(name)
    }

    pub fn rename(&mut self, from: &str, to: &'static str) {
        if let (Some(given), false) = (self.fields.remove(from), self.fields.contains_key(to)) {
            self.set(to, given);
        }
    }

    /// A text that stays where it is.
    pub fn look(&self, name: &str) -> Option<Text<'a>> {
        self.fields.get(name)?.words().filter(|text| !text.is_empty())
    }

    pub fn text(&mut self, name: &str) -> Option<Text<'a>> {
        self.convert(name, Given::words)
    }

    /// A time that says more than microseconds is read, and stays among what is left in its own words.
    pub fn time(&mut self, name: &str) -> Option<Time> {
        let given = self.fields.get(name).filter(|given| is_finer_than_micros(given.text())).cloned();
        let at = self.convert(name, |given| Time::parse(&given.words()?));
        if let (Some(_), Some(given)) = (at, given) {
            self.set(name.to_owned(), given);
        }
        at
    }

    pub fn int(&mut self, name: &str) -> Option<i64> {
        self.convert(name, |given| given.plain()?.trim().parse().ok())
    }

    /// PostgreSQL prints `t` and `f`.
    pub fn bool(&mut self, name: &str) -> Option<bool> {
        self.convert(name, |given| match given.plain()?.trim() {
            "t" | "true" | "True" | "TRUE" => Some(true),
            "f" | "false" | "False" | "FALSE" => Some(false),
            _ => None,
        })
    }

    /// The same, where it matters that a null was there and not nothing.
    pub fn json_or_null(&mut self, name: &str) -> Option<Json<'a>> {
        let given = self.fields.contains_key(name);
        let json = self.json(name);
        let null = (given && !self.fields.contains_key(name)).then_some(Json(Cow::Borrowed("null")));
        json.or(null)
    }

    /// The value as it stands there; null is no value. JSON that somebody cast to text is JSON again.
    pub fn json(&mut self, name: &str) -> Option<Json<'a>> {
        // JSON's null and SQL's look the same in JSON, so they must be the same in a cell.
        if matches!(self.fields.get(name).map(Given::text), Some("null" | "")) {
            self.fields.remove(name);
            return None;
        }
        self.convert(name, |given| match given {
            Given::Json(raw) if raw.starts_with("\"{") || raw.starts_with("\"[") => {
                let inner = given.words().filter(|text| is_json(text));
                Some(Json(inner.unwrap_or_else(|| raw.clone())))
            }
            Given::Json(raw) => Some(Json(raw.clone())),
            Given::Cell(cell) => cell.clone().filter(|text| is_json(text)).map(Json),
        })
    }

    /// What nobody asked for, or could not be read as what it was asked for, as JSON.
    pub fn left(self) -> impl Iterator<Item = (Text<'a>, Text<'a>)> {
        self.fields.into_iter().map(|(name, given)| match given {
            Given::Json(raw) => (name, raw),
            Given::Cell(None) => (name, "null".into()),
            Given::Cell(Some(text)) => (name, serde_json::Value::from(text.as_ref()).to_string().into()),
        })
    }

    /// Takes a value out. A null is taken and gives nothing; a value that does not convert stays, and is
    /// then among what is left.
    fn convert<T>(&mut self, name: &str, convert: impl Fn(&Given<'a>) -> Option<T>) -> Option<T> {
        let given = self.fields.get(name)?;
        let nothing = given.is_null();
        let value = convert(given).filter(|_| !nothing);
        if value.is_some() || nothing {
            self.fields.remove(name);
        }
        value
    }
}

impl<'a> FromIterator<(Text<'a>, Given<'a>)> for Fields<'a> {
    fn from_iter<I: IntoIterator<Item = (Text<'a>, Given<'a>)>>(members: I) -> Self {
        Self { fields: members.into_iter().collect() }
    }
}

impl<'a> Given<'a> {
    fn is_null(&self) -> bool {
        match self {
            Self::Json(raw) => raw == "null",
            Self::Cell(cell) => cell.is_none(),
        }
    }

    /// The value if it is text.
    fn words(&self) -> Option<Text<'a>> {
        match self {
            Self::Json(Cow::Borrowed(raw)) => string(raw),
            Self::Json(Cow::Owned(raw)) => string(raw).map(|text| Cow::Owned(text.into_owned())),
            Self::Cell(cell) => cell.clone(),
        }
    }

    /// A number or truth value, which may stand in quotes.
    fn plain(&self) -> Option<Text<'a>> {
        match self {
            Self::Json(raw) if !raw.starts_with('"') => Some(raw.clone()),
            given => given.words(),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        match self {
            Self::Json(raw) => raw,
            Self::Cell(cell) => cell.as_deref().unwrap_or_default(),
        }
    }
}

pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_finer_than_micros(text: &str) -> bool {
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    fraction.bytes().take_while(u8::is_ascii_digit).skip(6).any(|digit| digit != b'0')
}

/// The first object of a document: of a stream, of an array, or of the list `items`. A file's beginning is enough.
#[derive(Debug, Default)]
pub struct Glimpse {
    /// The members before and around the list.
    pub outer: BTreeMap<String, String>,
    /// The first element of the list, if there is one.
    pub inner: Option<BTreeMap<String, String>>,
}

impl Glimpse {
    /// Strings are decoded, other values are as they were written, and what is not simple is empty.
    pub fn of(head: &[u8]) -> Self {
        let mut glimpse = Self::default();
        let mut json = Walk::new(head);
        // A head may end anywhere; what was seen before that counts.
        let _cut = glimpse.look(&mut json);
        glimpse
    }

    /// The members that tell what an element is.
    pub fn element(&self) -> &BTreeMap<String, String> {
        self.inner.as_ref().unwrap_or(&self.outer)
    }

    fn look(&mut self, json: &mut Walk<&[u8]>) -> walk::Result<()> {
        if json.peek()? == Some(b'[') {
            json.enter()?;
            if json.peek()? == Some(b'{') && json.enter()? {
                members(json, self.inner.insert(BTreeMap::new()))?;
            }
            return Ok(());
        }
        if !json.enter()? {
            return Ok(());
        }
        while let Some(key) = json.key()? {
            if key != "items" || json.peek()? != Some(b'[') {
                member(json, key, &mut self.outer)?;
                continue;
            }
            self.outer.insert(key, String::new());
            json.enter()?;
            if json.peek()? == Some(b'{') && json.enter()? {
                members(json, self.inner.insert(BTreeMap::new()))?;
            }
            json.leave()?;
        }
        Ok(())
    }
}

fn members(json: &mut Walk<&[u8]>, into: &mut BTreeMap<String, String>) -> walk::Result<()> {
    while let Some(key) = json.key()? {
        member(json, key, into)?;
    }
    Ok(())
}

fn member(json: &mut Walk<&[u8]>, key: String, into: &mut BTreeMap<String, String>) -> walk::Result<()> {
    let value = into.entry(key).or_default();
    if matches!(json.peek()?, Some(b'{' | b'[')) {
        return json.skip();
    }
    let text = String::from_utf8_lossy(json.value()?).into_owned();
    *value = string(&text).map_or(text.clone(), Cow::into_owned);
    Ok(())
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
    fn cells_and_json_give_the_same_values() {
        let json = r#"{"t":"x","n":7,"q":"7","b":true,"j":{"a": 1},"s":"{\"a\": 1}","none":null}"#;
        let cell = |text: &'static str| Given::Cell(Some(text.into()));
        let cells = [("t", cell("x")), ("n", cell("7")), ("q", cell("7")), ("b", cell("t")), ("j", cell("{\"a\": 1}"))];
        let cells = cells.into_iter().chain([("s", cell("{\"a\": 1}")), ("none", cell("null"))]);
        let cells = cells.map(|(name, given)| (Text::from(name), given)).collect();
        for mut row in [Fields::parse(json).unwrap(), cells] {
            assert_eq!(row.text("t").as_deref(), Some("x"));
            assert_eq!((row.int("n"), row.int("q"), row.bool("b")), (Some(7), Some(7), Some(true)));
            let object = Some(Json(Text::from("{\"a\": 1}")));
            assert_eq!((row.json("j"), row.json("s"), row.json("none")), (object.clone(), object, None));
            assert_eq!(row.left().count(), 0);
        }
    }

    #[test]
    fn the_first_element_is_seen_wherever_it_is() {
        let kind = |text: &str| Glimpse::of(text.as_bytes()).element().get("kind").cloned().unwrap_or_default();
        assert_eq!(kind(r#"{"items": [{"a": {"kind": "no"}, "kind": "Bundle", "x": [1"#), "Bundle");
        assert_eq!(kind(r#"[{"kind": "Bundle"}, {"kind": "Other"}]"#), "Bundle");
        assert_eq!(kind(r#"{"a": 1, "kind": "Bundle"} {"kind": "Other"}"#), "Bundle");
        assert_eq!((kind("[1]").as_str(), kind("").as_str(), kind("{a").as_str()), ("", "", ""));
        let list = Glimpse::of(br#"{"items": [{"kind": "One"}, {"kind": "Two"}], "kind": "List"}"#);
        assert_eq!(list.outer.get("kind").map(String::as_str), Some("List"));
    }

    #[test]
    fn only_the_keys_at_the_top_are_listed() {
        let text = br#" {"kind": "Bundle", "items":[{"apiVersion":"v1","a\"b":"}"}], "page": 1, "cut": {"x"#;
        assert_eq!(top_keys(text), ["kind", "items", "page", "cut"]);
        assert!(top_keys(b"[1]").is_empty());
        assert!(top_keys(b"").is_empty());
    }
}
