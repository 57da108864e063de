//! One JSON object a line, with the log line in one of its fields: hcpctl must-gather, `journalctl -o json`, `stern -o
//! json` and other exports.

use super::columns::{Column, Names, Row};
use super::{Stop, Unwrap, Unwrapped, Wrapping, docker, is_log, next_line, sample};
use crate::input::Lines;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;

pub(super) struct JsonLines;

impl Wrapping for JsonLines {
    fn name(&self) -> &'static str {
        "log in JSON lines"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "{\"log\": \"I0115 09:45:12.345600       1 main.go:12] started\"}\n{\"log\": \"\"}\n",
            "{\"timestamp\":\"2026-01-15T09:45:12Z\",\"pod_name\":\"strings-7d9c-x2k4p\",\"log\":\"I0115 09:45:12.345600       1 main.go:12] started\"}\n",
            "{\"__REALTIME_TIMESTAMP\":\"1768470312345600\",\"MESSAGE\":\"I0115 09:45:12.345600       1 main.go:12] started\"}\n",
        ]
    }

    fn claims(&self, head: &[u8]) -> bool {
        let mut names = Names::default();
        let mut rows = sample(head).filter_map(|line| row(line, &mut names));
        !docker::is_docker(head) && rows.any(|row| row.log.is_some_and(|log| is_log(&log))) || begins_with_a_log(head)
    }

    fn is_export(&self) -> bool {
        true
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(Rows { lines: Lines::new(input), row: Row::default(), names: Names::default() })
    }
}

/// A first line that is longer than the head still shows its first field.
fn begins_with_a_log(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let value = [&b"{\"log\":\""[..], b"{\"log\": \""].iter().find_map(|start_of| start.strip_prefix(*start_of));
    !head.contains(&b'\n') && value.is_some_and(is_log)
}

/// The row of a line that is a JSON object.
pub(super) fn row<'a>(line: &'a [u8], names: &mut Names) -> Option<Row<'a>> {
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    deserializer.deserialize_map(Object(names)).ok()
}

struct Object<'n>(&'n mut Names);

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Row<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row<'de>, A::Error> {
        let mut row = Row::default();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match self.0.column(&name) {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(column) => {
                    let value = value_of(map.next_value::<&RawValue>()?, column);
                    value.into_iter().for_each(|value| row.set(column, value));
                }
            }
        }
        Ok(row)
    }
}

/// A text; of a log line also what is no text, word for word. journald writes bytes that are no text as numbers.
pub(super) fn value_of(raw: &RawValue, column: Column) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Str<'a>(#[serde(borrow)] Cow<'a, str>);
    if let Ok(text) = serde_json::from_str::<Str<'_>>(raw.get()) {
        return Some(text.0);
    }
    let bytes = || serde_json::from_str::<Vec<u8>>(raw.get()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into());
    match (column, raw.get()) {
        (_, "null") => None,
        (Column::Log, text) => Some(bytes().map_or(Cow::Borrowed(text), Cow::Owned)),
        (Column::Time, number) => Some(Cow::Borrowed(number)),
        _ => None,
    }
}

struct Rows<'r> {
    lines: Lines<&'r mut dyn BufRead>,
    row: Row<'static>,
    names: Names,
}

impl Unwrap for Rows<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let Some(line) = next_line(&mut self.lines)? else { return Ok(None) };
        let (number, ended, text) = (line.number, line.ended, line.bytes);
        if text.trim_ascii().is_empty() {
            return Ok(Some(Unwrapped::Skipped));
        }
        let Some(row) = row(text, &mut self.names) else {
            return Ok(Some(Unwrapped::Odd { line: number, text, why: "not a JSON object" }));
        };
        if row.log.is_none() {
            return Ok(Some(Unwrapped::Odd { line: number, text, why: "no field with a log line" }));
        }
        self.row = row.into_owned();
        Ok(Some(self.row.line(number, ended)))
    }

    fn remarks(&mut self) -> Vec<String> {
        self.names.not_kept().into_iter().collect()
    }
}
