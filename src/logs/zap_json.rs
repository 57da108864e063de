//! zap's JSON form: `{"level":"info","ts":1739785512.31,"caller":"server/grpc_server.go:170","msg":"…"}`,
//! as Maestro wrote it in production in early 2025, and the CloudEvents SDK beside other forms until
//! the end of that year.

use memchr::memchr;

use super::value::{Fields, Value};
use super::zap::{level_of, stamp};
use super::{LogFormat, Record, Stamp, prose};

pub(super) struct ZapJson;

impl LogFormat for ZapJson {
    fn name(&self) -> &'static str {
        "zap json"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            r#"{"level":"info","ts":1735830245.000001,"logger":"fallback","caller":"v2/protocol.go:133","msg":"started"}"#,
            r#"{"level":"error","ts":"2025-01-02T15:04:05.000Z","caller":"score.go:9","msg":" lost a page","error":"page 7"}"#,
        ]
    }

    fn starts(&self, line: &[u8]) -> bool {
        let level = line.strip_prefix(b"{\"level\":\"");
        let after = level.and_then(|level| level.get(memchr(b'"', level)?..));
        after.is_some_and(|after| after.starts_with(b"\",\"ts\":"))
    }

    fn wants_more(&self, _entry: &[u8]) -> bool {
        false
    }

    fn read<'a>(&self, text: &'a str, record: &mut Record<'a>) -> Option<()> {
        if !self.starts(text.as_bytes()) {
            return None;
        }
        let mut message = "".into();
        let mut beside = Vec::new();
        for (key, value) in Fields(text) {
            match (key, value) {
                ("level", value) => record.level = level_of(value.text().as_bytes()),
                ("ts", Value::Bare(seconds)) => record.stamp = epoch(seconds),
                ("ts", value) => record.stamp = stamp(&value.text()),
                ("caller", Value::Quoted(caller)) => record.code = Some(caller.inner),
                ("msg", value) => message = value.text(),
                ("stacktrace", _) => {}
                pair => beside.push(pair),
            }
        }
        prose::tell(record, message, beside.into_iter());
        Some(())
    }
}

/// Seconds since the epoch with a fraction, which a double holds to the microsecond until 2106 and longer.
fn epoch(seconds: &str) -> Stamp {
    let micros = seconds.parse::<f64>().map(|seconds| (seconds * 1e6).round());
    // A conversion that saturates: a time beyond what is stored is none.
    micros.ok().filter(|micros| micros.abs() < 1e18).map_or(Stamp::None, |micros| Stamp::Full(micros as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_with_either_kind_of_time() {
        for sample in ZapJson.samples() {
            let record = crate::logs::parse(sample);
            assert!(matches!(record.stamp, Stamp::Full(1_735_830_245_000_000 | 1_735_830_245_000_001)), "{sample}");
            assert!(record.code.is_some());
        }
        let record = crate::logs::parse(ZapJson.samples()[1]);
        assert_eq!((record.message.as_deref(), record.level), (Some("lost a page"), Some("error")));
        assert_eq!(record.keys.error.as_deref(), Some("page 7"));
    }

    #[test]
    fn a_line_that_was_cut_off_gives_what_it_has() {
        for line in [r#"{"level":"odd","ts":"#, r#"{"level":"info","ts":1e300,"msg":"cut"#] {
            let record = crate::logs::parse(line);
            assert_eq!((record.stamp, record.message.is_some()), (Stamp::None, true), "{line}");
        }
    }

    #[test]
    fn other_json_is_not_claimed() {
        for line in [r#"{"level":"info"}"#, r#"{"ts":1,"level":"info"}"#, r#"{"id":"r-1","level":"info","ts":1}"#, "{"]
        {
            assert!(!ZapJson.starts(line.as_bytes()), "{line}");
        }
    }
}
