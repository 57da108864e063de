//! klog: `I0102 15:04:05.000000       1 main.go:12] "message" key="value"`, as Kubernetes
//! components write it; or plain text after the same header, as glog did before it.

mod header;

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use self::header::Header;
use super::goquote::Quoted;
use super::value::Value;
use super::{LogFormat, Record, attributes, fill, prose};

pub(super) struct Klog;

impl LogFormat for Klog {
    fn name(&self) -> &'static str {
        "klog"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "I0102 15:04:05.000000       1 main.go:12] started",
            r#"W1231 23:59:59.999999   12345 pkg/queue.go:7] "queue is long" logger="orchestra" length=12"#,
            r#"E0102 15:04:05.000000       1 score.go:9] "lost a page" err="page \"7\"" requeue time="5s""#,
            "F0102 15:04:05.000000 1234567 ???:1] ",
            "I0102 15:04:05.000000       1 score.go:9]  [opid=o-1][tx_id=7] Event with id (e-1) is not found",
            "I0102 15:04:05.000000       1 stage.go:3] Received event: Context Attributes,\n  id: a-1\nExtensions,\n  a: b",
            "I0102 15:04:05.000000       1 stage.go:3] \"Received event\" event=<\n\tContext Attributes,\n\t  id: a-1\n >",
        ]
    }

    fn starts(&self, line: &[u8]) -> bool {
        Header::read(line).is_some()
    }

    /// klog indents every line of a block with a tab and closes it with ` >`, after which another
    /// block may open. An event in plain text has no closing line.
    fn wants_more(&self, entry: &[u8]) -> bool {
        let entry = entry.strip_suffix(b"\r").unwrap_or(entry);
        match memrchr(b'\n', entry).and_then(|at| entry.get(at..)) {
            Some(last) if last.starts_with(b"\n >") => last.ends_with(b"=<"),
            Some(_) => true,
            None => entry.ends_with(b"=<") && structured(entry) || attributes::opens(entry) || sends(entry),
        }
    }

    fn takes(&self, entry: &[u8], line: &[u8]) -> bool {
        let first = entry.get(..memchr(b'\n', entry).unwrap_or(entry.len())).unwrap_or_default();
        if first.strip_suffix(b"\r").unwrap_or(first).ends_with(b"=<") {
            let empty = line.is_empty() || line == b"\r";
            return empty || line.starts_with(b"\t") || line.starts_with(b" >");
        }
        attributes::continues(line)
    }

    fn read<'a>(&self, text: &'a str, record: &mut Record<'a>) -> Option<()> {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let header = Header::read(text.as_bytes())?;
        let body = text.get(header.body..)?;
        record.stamp = header.stamp;
        record.level = Some(header.level);
        record.code = text.get(header.code);
        match message(body) {
            Some((message, pairs)) => {
                record.message = Some(message.text());
                fill::fill(record, Pairs(pairs));
            }
            None => prose::tell(record, Cow::Borrowed(body), std::iter::empty()),
        }
        Some(())
    }
}

/// The quoted message and the pairs after it. `None` if the body is plain text (`klog.Infof`),
/// which may begin with a quotation of its own.
fn message(body: &str) -> Option<(Quoted<'_>, &str)> {
    let (message, pairs) = Quoted::split(body.strip_prefix('"')?);
    let is_pairs = pairs.trim_ascii().is_empty() || (pairs.starts_with(' ') && pairs.contains('='));
    is_pairs.then_some((message, pairs))
}

/// Does the line have a quoted message? Only then can it open a block.
fn structured(line: &[u8]) -> bool {
    Header::read(line).is_some_and(|header| line.get(header.body) == Some(&b'"'))
}

/// Is it the line before an event that is sent? Here the Go context comes first, and the event begins
/// on the next line.
fn sends(line: &[u8]) -> bool {
    let body = memchr(b']', line).and_then(|end| line.get(end..)).unwrap_or_default();
    body.starts_with(b"] Sending event: ") && Header::read(line).is_some()
}

/// `key=value` after `key=value`. A key is everything up to its `=`: klog does not quote keys, and
/// some hold a space.
struct Pairs<'a>(&'a str);

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, after) = self.0.split_at_checked(memchr(b'=', self.0.as_bytes())?)?;
        let (value, rest) = Value::split(after.strip_prefix('=')?);
        self.0 = rest;
        Some((key.trim_ascii(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(rest: &str) -> String {
        format!("I0102 15:04:05.000006       1 {rest}")
    }

    fn pairs(text: &str) -> Vec<(&str, String)> {
        Pairs(text).map(|(key, value)| (key, value.text().into_owned())).collect()
    }

    #[test]
    fn a_message_is_quoted_or_plain_text() {
        let messages = [
            (r#"a.go:1] "say \"da capo\"" key=1"#, r#"say "da capo""#),
            (r#"a.go:1] "no keys""#, "no keys"),
            (r#"a.go:1] "no keys" "#, "no keys"),
            ("a.go:1] plain text with key=1", "plain text with key=1"),
            (r#"a.go:1] "quoted" but plain text"#, r#""quoted" but plain text"#),
            (r#"a.go:1] "cut of"#, "cut of"),
            ("a.go:1] with a carriage return\r", "with a carriage return"),
            ("a.go:1]", ""),
        ];
        for (line, message) in messages {
            assert_eq!(crate::logs::parse(&header(line)).message.unwrap(), message);
        }
    }

    #[test]
    fn a_key_is_everything_up_to_its_equals_sign() {
        let found = pairs(r#" logger="l" requeue time="5s" n=1 j={"a":"x=y z"} l=["b"] b=<nil> last="#);
        let keys = [("logger", "l"), ("requeue time", "5s"), ("n", "1"), ("j", r#"{"a":"x=y z"}"#)];
        let more = [("l", r#"["b"]"#), ("b", "<nil>"), ("last", "")];
        let expected = keys.iter().chain(&more).map(|(key, value)| (*key, (*value).to_owned()));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn keys_follow_a_block_on_its_closing_line() {
        let found = pairs(" a=<\n\tone\n\ttwo\n > b=<\n\tthree\n > c=4");
        assert_eq!(found, [("a", "one\ntwo".into()), ("b", "three".into()), ("c", "4".into())]);
    }

    #[test]
    fn only_an_open_block_wants_more() {
        let open = [r#"a.go:1] "m" a=<"#, "a.go:1] \"m\" a=<\r", "a.go:1] \"m\" a=<\n\tb", "a.go:1] \"m\" a=<\n > c=<"];
        let shut =
            [r#"a.go:1] "m" a="=<""#, "a.go:1] plain a=<", "a.go:1] \"m\" a=<\n\tb\n >", "a.go:1] \"m\" a=<\n > c=1"];
        for (entries, expected) in [(open, true), (shut, false)] {
            for entry in entries {
                assert_eq!(Klog.wants_more(header(entry).as_bytes()), expected, "{entry}");
            }
        }
    }
}
