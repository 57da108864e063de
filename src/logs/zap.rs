//! zap's console form, as Maestro's server wrote it from October 2024 to December 2025: time, level,
//! place in the code and message with tabs between them. A logger's name can stand before the place,
//! and fields after the message, as JSON.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::value::Fields;
use super::{LogFormat, Record, Stamp, attributes, prose};
use crate::schema::Time;

pub(super) struct Zap;

impl LogFormat for Zap {
    fn name(&self) -> &'static str {
        "zap"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "2025-01-02T15:04:05.000Z\tINFO\torchestra/main.go:12\tstarted",
            "2025-01-02T15:04:05.000+0000\tDEBUG\tscore.go:9\tturned a page\t{\"page\": 7}",
            "2025-01-02T15:04:05.000Z\tERROR\tconcert\tstage.go:3\tlost a page\nmain.main\n\t/src/main.go:12",
            "2025-01-02T15:04:05.000Z\tINFO\tstage.go:3\treceive the event from client, Context Attributes,\n  id: a-1\nExtensions,\n  a: b\n",
        ]
    }

    fn starts(&self, line: &[u8]) -> bool {
        Header::read(line).is_some()
    }

    /// An event ends with an empty line, which an export may have dropped; a stack trace has no end.
    fn wants_more(&self, entry: &[u8]) -> bool {
        match memrchr(b'\n', entry).and_then(|at| entry.get(at + 1..)) {
            Some(last) => !is_blank(last),
            None => attributes::opens(entry) || Header::read(entry).is_some_and(|header| header.level != "info"),
        }
    }

    fn takes(&self, entry: &[u8], line: &[u8]) -> bool {
        let first = entry.get(..memchr(b'\n', entry).unwrap_or(entry.len())).unwrap_or_default();
        if attributes::opens(first) {
            return is_blank(line) || attributes::continues(line);
        }
        // Each call is a line with the function and one with its place.
        let last = memrchr(b'\n', entry).and_then(|at| entry.get(at + 1..));
        match last {
            Some(last) if !last.starts_with(b"\t") => line.starts_with(b"\t") && memchr(b':', line).is_some(),
            _ => is_function(line),
        }
    }

    fn read<'a>(&self, text: &'a str, record: &mut Record<'a>) -> Option<()> {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let header = Header::read(text.as_bytes())?;
        let (at, rest) = (text.get(..header.stamp)?, text.get(header.rest..)?);
        let (logger, code, body) = columns(rest);
        (record.stamp, record.level) = (stamp(at), Some(header.level));
        (record.code, record.logger) = (code, logger.map(Cow::Borrowed));
        if attributes::split(body).is_some() {
            prose::tell(record, Cow::Borrowed(body), std::iter::empty());
            return Some(());
        }
        let line = body.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let fields = line.rsplit_once('\t').filter(|(_, json)| json.starts_with('{') && json.ends_with('}'));
        let (message, json) = fields.unwrap_or((line, ""));
        prose::tell(record, Cow::Borrowed(message), Fields(json));
        Some(())
    }
}

/// The time and the level, and where they end.
struct Header {
    stamp: usize,
    level: &'static str,
    rest: usize,
}

impl Header {
    /// With a zone of five or six characters and nanoseconds a time has 35.
    const LONGEST_STAMP: usize = 35;

    fn read(line: &[u8]) -> Option<Self> {
        let &[y1, y2, y3, y4, b'-', _, _, b'-', _, _, b'T', ..] = line else { return None };
        let year = [y1, y2, y3, y4].iter().all(u8::is_ascii_digit);
        let stamp = memchr(b'\t', line).filter(|end| year && (19..=Self::LONGEST_STAMP).contains(end))?;
        let after = line.get(stamp + 1..)?;
        let level = after.get(..memchr(b'\t', after)?)?;
        let well_formed = line.get(..stamp)?.iter().all(|byte| byte.is_ascii_digit() || b"-:.TZ+".contains(byte));
        Some(Header { stamp, level: level_of(level).filter(|_| well_formed)?, rest: stamp + level.len() + 2 })
    }
}

/// The four levels that we tell apart; who debugs informs.
pub(super) fn level_of(level: &[u8]) -> Option<&'static str> {
    let is = |names: &[&str]| names.iter().any(|name| level.eq_ignore_ascii_case(name.as_bytes()));
    match level {
        _ if is(&["INFO", "DEBUG"]) => Some("info"),
        _ if is(&["WARN", "WARNING"]) => Some("warning"),
        _ if is(&["ERROR"]) => Some("error"),
        _ if is(&["DPANIC", "PANIC", "FATAL"]) => Some("fatal"),
        _ => None,
    }
}

/// zap writes the zone as `Z` or as `+0000`, without the colon that others want.
pub(super) fn stamp(text: &str) -> Stamp {
    let zone = text.len().checked_sub(5).and_then(|at| text.split_at_checked(at));
    let zoned = zone.filter(|(_, zone)| zone.starts_with(['+', '-']) && !zone.contains(':'));
    let time = match zoned.and_then(|(time, zone)| Some((time, zone.split_at_checked(3)?))) {
        Some((time, (hours, minutes))) => Time::parse(&format!("{time}{hours}:{minutes}")),
        None => Time::parse(text),
    };
    time.map_or(Stamp::None, |time| Stamp::Full(time.micros()))
}

/// The logger, the place in the code and what follows, as far as they are there.
fn columns(text: &str) -> (Option<&str>, Option<&str>, &str) {
    let Some((one, rest)) = text.split_once('\t') else { return (None, None, text) };
    if is_code(one) {
        return (None, Some(one), rest);
    }
    match rest.split_once('\t').filter(|(code, _)| is_code(code)) {
        Some((code, rest)) => (Some(one), Some(code), rest),
        None => (None, None, text),
    }
}

/// `server/grpc_server.go:186`
fn is_code(text: &str) -> bool {
    let Some((file, line)) = text.rsplit_once(':') else { return false };
    file.ends_with(".go") && !file.contains([' ', '\n']) && !line.is_empty() && line.bytes().all(|c| c.is_ascii_digit())
}

/// `k8s.io/klog/v2.(*loggingT).output`
fn is_function(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let plain = line.iter().all(|byte| byte.is_ascii_graphic());
    let named = line.first().is_some_and(u8::is_ascii_alphabetic);
    plain && named && line.contains(&b'.') && !line.ends_with(b".") && !line.contains(&b':')
}

fn is_blank(line: &[u8]) -> bool {
    line.is_empty() || line == b"\r"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Stamp {
        Stamp::Full(Time::parse(text).unwrap().micros())
    }

    #[test]
    fn a_time_is_read_in_every_zone_that_zap_writes() {
        for text in ["2025-09-17T21:38:21.707Z", "2025-09-17T21:38:21.707+0000", "2025-09-17T23:38:21.707+0200"] {
            assert_eq!(stamp(text), at("2025-09-17T21:38:21.707Z"), "{text}");
        }
        assert_eq!(stamp("2025-09-17T21:38:21.707-05:00"), at("2025-09-18T02:38:21.707Z"));
        assert_eq!(stamp("2025-99-17T21:38:21.707Z"), Stamp::None);
    }

    #[test]
    fn a_line_has_logger_code_and_fields_or_not() {
        let lines = [
            ("a/b.go:7\tmessage", None, Some("a/b.go:7"), "message"),
            (
                "fallback\tv2@v2.0.0/p.go:133\tmessage\t{\"k\": 1}",
                Some("fallback"),
                Some("v2@v2.0.0/p.go:133"),
                "message",
            ),
            ("message alone", None, None, "message alone"),
            ("a.go:7\ttab\tinside", None, Some("a.go:7"), "tab\tinside"),
            ("a.go:7\t{\"k\": 1}", None, Some("a.go:7"), "{\"k\": 1}"),
            ("a.go:7\t", None, Some("a.go:7"), ""),
        ];
        for (line, logger, code, message) in lines {
            let line = format!("2025-01-02T15:04:05.000Z\tINFO\t{line}");
            let record = crate::logs::parse(&line);
            assert_eq!((record.logger.as_deref(), record.code), (logger, code), "{line}");
            assert_eq!(record.message.as_deref(), Some(message), "{line}");
        }
    }

    #[test]
    fn levels_are_four() {
        let levels = [("DEBUG", "info"), ("INFO", "info"), ("WARN", "warning"), ("ERROR", "error"), ("error", "error")];
        for (name, level) in levels.into_iter().chain(["DPANIC", "PANIC", "FATAL"].map(|name| (name, "fatal"))) {
            let line = format!("2025-01-02T15:04:05.000Z\t{name}\ta.go:1\tm");
            assert_eq!(crate::logs::parse(&line).level, Some(level));
        }
    }

    #[test]
    fn what_only_resembles_a_header_is_not_one() {
        let odd = [
            "2025-01-02T15:04:05.000Z INFO a.go:1 m",
            "2025-01-02T15:04:05.000Z\tNOTICE\ta.go:1\tm",
            "2025-01-02T15:04:05.000Z\tINFO",
            "2025-01-02T15:04\tINFO\tm",
            "2025/01/02 15:04:05 \u{1b}[32m/pkg/dao/generic.go:57",
            "x025-01-02T15:04:05.000Z\tINFO\ta.go:1\tm",
            "2025-01-02T15:04:05.000é\tINFO\ta.go:1\tm",
            "",
        ];
        for line in odd {
            assert!(!Zap.starts(line.as_bytes()), "{line}");
        }
    }
}
