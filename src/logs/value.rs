//! The four shapes in which klog writes the value of a key, and the fields of zap's JSON.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::goquote::Quoted;

/// A value as it stands in the log; unescaping waits until somebody wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// `"text"`
    Quoted(Quoted<'a>),
    /// `<`, then lines that each begin with a tab, then ` >`: text that holds a newline.
    Block(&'a str),
    /// A JSON object or list.
    Json(&'a str),
    /// A number, a boolean, `null`.
    Bare(&'a str),
}

impl<'a> Value<'a> {
    /// The value that `text` begins with, and what follows it. One that was cut off reaches to the
    /// end.
    pub fn split(text: &'a str) -> (Self, &'a str) {
        if let Some(quoted) = text.strip_prefix('"') {
            let (quoted, rest) = Quoted::split(quoted);
            return (Value::Quoted(quoted), rest);
        }
        if text.starts_with(['{', '[']) {
            // Without another `=` no other pair follows, so the value is the rest: the usual case,
            // and quickly seen.
            let last = memchr(b'=', text.as_bytes()).is_none();
            let end = if last { text.len() } else { end_of_json(text.as_bytes()) };
            let (json, rest) = split_at(text, end);
            return (Value::Json(json), rest);
        }
        if text.starts_with("<\n") || text.starts_with("<\r\n") {
            let (block, rest) = split_at(text, memmem::find(text.as_bytes(), b"\n >").unwrap_or(text.len()));
            let lines = block.split_once('\n').map_or("", |(_, lines)| lines);
            return (Value::Block(lines), rest.strip_prefix("\n >").unwrap_or(rest));
        }
        let (bare, rest) = split_at(text, text.find([' ', '\n']).unwrap_or(text.len()));
        (Value::Bare(bare), rest)
    }

    /// The value that `text` begins with where it stands inside a JSON object, and what follows it.
    pub fn split_json(text: &'a str) -> (Self, &'a str) {
        if let Some(quoted) = text.strip_prefix('"') {
            let (quoted, rest) = Quoted::split(quoted);
            return (Value::Quoted(quoted), rest);
        }
        if text.starts_with(['{', '[']) {
            let (json, rest) = split_at(text, end_of_json(text.as_bytes()));
            return (Value::Json(json), rest);
        }
        let (bare, rest) = split_at(text, text.find([',', '}', ' ', '\n']).unwrap_or(text.len()));
        (Value::Bare(bare), rest)
    }

    /// The text of the value; JSON and numbers as they are written.
    pub fn text(self) -> Cow<'a, str> {
        match self {
            Value::Quoted(quoted) => quoted.text(),
            Value::Json(text) | Value::Bare(text) => Cow::Borrowed(text),
            Value::Block(lines) => {
                let lines = lines.lines().map(|line| line.strip_prefix('\t').unwrap_or(line));
                Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// The text, unless it is empty: an empty identifier identifies nothing.
    pub fn named(self) -> Option<Cow<'a, str>> {
        Some(self.text()).filter(|text| !text.is_empty())
    }

    /// A number, whether or not it was quoted.
    pub fn integer(self) -> Option<i64> {
        self.text().parse().ok()
    }
}

/// The fields of a JSON object in their order, as far as it goes: one that was cut off gives what it has.
pub(super) struct Fields<'a>(pub &'a str);

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.0.trim_start_matches(['{', ',', ' ']).strip_prefix('"')?;
        let (key, after) = Quoted::split(start);
        let (value, rest) = Value::split_json(after.trim_ascii_start().strip_prefix(':')?.trim_ascii_start());
        self.0 = rest;
        Some((key.inner, value))
    }
}

/// The length of the JSON object or list that `json` begins with.
fn end_of_json(json: &[u8]) -> usize {
    let (mut depth, mut in_string, mut skip) = (0_usize, false, false);
    for (at, byte) in json.iter().enumerate() {
        match byte {
            _ if skip => skip = false,
            b'\\' if in_string => skip = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return at + 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    json.len()
}

fn split_at(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_ends_where_it_ends() {
        let whole = [r#""a \" b""#, r#"{"a":"}\"","b":[1,{}]}"#, "[]", "null", "-1.5", "<nil>", "<\n\ta\n >"];
        for value in whole {
            for rest in ["", " next=1"] {
                assert_eq!(Value::split(&format!("{value}{rest}")).1, rest, "{value}");
            }
        }
    }

    #[test]
    fn a_block_is_the_text_without_its_indentation() {
        let (value, rest) = Value::split("<\n\tone\n\t\ttwo\n\t >\n > k=1");
        assert_eq!(value.text(), "one\n\ttwo\n >");
        assert_eq!(rest, " k=1");
        assert_eq!(Value::split("<\n >").0.text(), "");
        assert_eq!(Value::split("<\n\tcut").0.text(), "cut");
    }

    #[test]
    fn json_that_was_cut_off_reaches_to_the_end() {
        let cut = r#"{"a":{"b":"c}"#;
        assert_eq!(Value::split(cut), (Value::Json(cut), ""));
    }

    #[test]
    fn the_fields_of_an_object_are_read_as_far_as_it_goes() {
        let fields = |json| Fields(json).map(|(key, value)| (key, value.text())).collect::<Vec<_>>();
        let expected = [("a", "x=\"y"), ("b", "{\"c\":[1, 2]}"), ("d", "1.5"), ("e", "")];
        let expected = expected.map(|(key, value)| (key, Cow::Borrowed(value)));
        assert_eq!(fields(r#"{"a":"x=\"y","b": {"c":[1, 2]},"d":1.5,"e":""}"#), expected);
        assert_eq!(fields(r#"{"a":"x","b":"cu"#), [("a", "x".into()), ("b", "cu".into())]);
        for odd in ["", "{", "{}", r#"{"a"#, r#"{"a" 1}"#, "[1]"] {
            assert_eq!(fields(odd), []);
        }
    }

    #[test]
    fn a_number_is_read_quoted_or_not() {
        assert_eq!(Value::split("7 ").0.integer(), Some(7));
        assert_eq!(Value::split(r#""7""#).0.integer(), Some(7));
        assert_eq!(Value::split("seven").0.integer(), None);
    }
}
