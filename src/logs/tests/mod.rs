//! What every line of the pipeline gives, in the forms that the verbosities print, and what holds
//! for any line.

mod agent;
mod legacy;
mod printed;
mod sentences;
mod server;
mod status;

use proptest::prelude::*;

use super::*;

const RESOURCE: &str = "aaaaaaaa-0000-5000-8000-000000000001";
const ROW: &str = "bbbbbbbb-0000-4000-8000-000000000002";
const EVENT: &str = "cccccccc-0000-4000-8000-000000000003";
const OP: &str = "dddddddd-0000-4000-8000-000000000004";
const SEQUENCE: &str = "2011736416307908608";
const CONDITIONS: &str = r#"[{"type":"Applied","status":"True","message":"it <went> \"well\""}]"#;

/// The keys of a klog line with this body are these, and no others.
macro_rules! keys {
    ($body:expr, { $($key:ident: $value:expr),* $(,)? }) => {{
        let line = $crate::logs::tests::line(&$body);
        let record = $crate::logs::parse(&line);
        let expected = $crate::logs::Keys { $($key: Some($value.into()),)* ..Default::default() };
        assert_eq!(record.keys, expected, "{line}");
        assert_eq!(record.format, "klog");
    }};
}
use keys;

fn line(body: &str) -> String {
    format!("I0102 15:04:05.000006       1 file.go:12] {body}")
}

/// Quoted as Go does it; for the texts here JSON does it alike.
fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn kind(short: &str) -> String {
    format!("io.open-cluster-management.works.v1alpha1.manifestbundles.{short}")
}

fn metadata(name: &str, more: &str) -> String {
    let annotations = format!(r#"{{"logging.open-cluster-management.io/op-id":"{OP}"}}"#);
    format!(r#"{{"annotations":{annotations},"name":"{name}","namespace":"hall","uid":"{RESOURCE}"{more}}}"#)
}

/// The fields of a CloudEvent that every verbosity prints.
fn fields(metadata: &str, version: &str, more: &str) -> String {
    let tracing = quote(&format!(r#"{{"logging.open-cluster-management.io/op-id":"{OP}"}}"#));
    let metadata = quote(metadata);
    format!(
        r#""clustername":"hall","logtracing":{tracing},"metadata":{metadata},"originalsource":"","resourceid":"{RESOURCE}","resourceversion":{version}{more}"#
    )
}

/// `event="…"` as printed at verbosity 4 and 5.
fn event(source: &str, short: &str, data: &str, fields: &str) -> String {
    let head = format!(r#""specversion":"1.0","id":"{EVENT}","source":"{source}","type":"{}""#, kind(short));
    let event = format!(r#"{{{head},"datacontenttype":"application/json","data":{data},{fields}}}"#);
    format!("event={}", quote(&event))
}

#[test]
fn every_format_claims_its_samples_and_no_others() {
    for format in FORMATS {
        assert!(!format.samples().is_empty(), "{}", format.name());
        for sample in format.samples() {
            let claimants = FORMATS.iter().filter(|other| other.starts(sample.as_bytes()));
            assert_eq!(claimants.map(|other| other.name()).collect::<Vec<_>>(), [format.name()], "{sample}");
            assert_eq!(parse(sample).format, format.name(), "{sample}");
            assert_eq!(recognise(sample.as_bytes()), Some(format.name()), "{sample}");
        }
    }
}

#[test]
fn a_log_is_recognised_behind_lines_of_no_format() {
    let noise = "register watcher orchestra/hall\n\n";
    assert_eq!(recognise(format!("{noise}{}\n", line("started")).as_bytes()), Some("klog"));
    assert_eq!(recognise(noise.as_bytes()), None);
    assert_eq!(recognise(format!("{}{}", "text\n".repeat(HEAD_LINES), line("quoted")).as_bytes()), None);
    assert_eq!(recognise(b"PK\x03\x04\xff\n"), None);
    let quoted = format!("package x\n\nconst sample = `\n{}\n`\n", line("quoted"));
    assert_eq!(recognise(quoted.as_bytes()), None);
    let crash = format!("banner\n{}\npanic: lost a page\n{}", line("started"), "\tmain.go\n".repeat(50));
    assert_eq!(recognise(crash.as_bytes()), Some("klog"));
    let blocks = format!("  inside: 1\n{}\n", line("\"got\" event=<\n\tinside\n\tinside\n >\nend"));
    assert_eq!(recognise(blocks.as_bytes()), Some("klog"));
}

#[test]
fn what_no_format_claims_is_plain() {
    let lines = [
        "",
        "\r",
        "\u{1b}[0m\u{1b}[33m[0.4ms] \u{1b}[34;1m[rows:0]\u{1b}[0m SELECT * FROM \"consumers\"",
        "panic: runtime error: invalid memory address or nil pointer dereference",
        "Validity period of the certificate for \"signer\" is unset, resetting to 43800h0m0s!",
    ];
    for line in lines {
        assert_eq!(parse(line), Record::unknown(), "{line}");
    }
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let body = format!(r#""Sending event" op-id="first" resourceID="other" op-id="{OP}" resourceID="{RESOURCE}""#);
    keys!(body, { op_id: OP, resource_id: RESOURCE });
}

#[test]
fn an_empty_identifier_is_none() {
    keys!(r#""request sent" request="ready" consumer="" work="" op-id="""#, {});
}

#[test]
fn values_without_escapes_are_borrowed() {
    let line = line(&format!(r#""Sending event" resourceID="{RESOURCE}" extensions={{"clustername":"hall"}}"#));
    let record = parse(&line);
    assert!(matches!(record.message, Some(Cow::Borrowed("Sending event"))));
    assert!(matches!(record.keys.resource_id, Some(Cow::Borrowed(RESOURCE))));
    assert!(matches!(record.keys.consumer, Some(Cow::Borrowed("hall"))));
}

/// Pieces of log lines in any order: random bytes alone would never get past a header.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "I0102 15:04:05.000006       1 a.go:1] ",
        "\"Received event\"",
        " event=",
        " extensions=",
        " key=",
        " err=",
        "<\n",
        "\n\t",
        "\n >",
        "\"",
        "\\",
        "\\\"",
        "{",
        "}",
        "[",
        "\"metadata\":",
        "\"data\":{\"conditions\":",
        RESOURCE,
        "resource ",
        "\"Patching resource\" patch=\"{}\"",
        "\"{\\\"request_url\\\":\\\"",
        "INFO: Created ",
        "2025-01-02T15:04:05.000Z\tINFO\ta.go:1\t",
        "2025-01-02T15:04:05.000+0000\tERROR\tlogger\ta.go:1\t",
        "\t{\"k\": \"v\"}",
        "main.main\n\t/a.go:1\n",
        "{\"level\":\"info\",\"ts\":1.5,\"msg\":\"",
        "receive the event from client, Context Attributes,\n",
        "Sending event: ",
        "Received event: evt=",
        "  type: ",
        "  metadata: {",
        "Extensions,\n",
        "Data,\n",
        ", ",
        " [opid=",
        "Publishing resource ",
        " for db row insert",
        "Event(v1.ObjectReference{}): type: 'Normal' reason: '",
        "Deleted resource apps/v1, Resource=deployments with key ",
        "\"Unhandled Error\" err=\"",
        "/",
        " -n ",
        ":",
        "\r\n",
        "\n",
        "é",
    ]);
    let piece = prop_oneof![
        4 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_come_back_and_no_entry_panics(file in prop_oneof![pieces(), prop::collection::vec(any::<u8>(), 0..200)]) {
        let mut assembler = Assembler::default();
        let (mut joined, mut lines) = (Vec::new(), 0);
        let mut check = |entry: RawEntry<'_>| {
            prop_assert_eq!(entry.line, lines + 1);
            lines += entry.lines;
            joined.extend_from_slice(entry.bytes);
            joined.extend(entry.ends_with_newline.then_some(b'\n'));
            let text = entry.text();
            let record = parse(&text);
            prop_assert_eq!(record.format == PLAIN, record.message.is_none());
            prop_assert_eq!(record.format == PLAIN, claimant(entry.bytes).is_none());
            Ok(())
        };
        for (line, number) in file.split_inclusive(|byte| *byte == b'\n').zip(1..) {
            let (bytes, ended) = line.strip_suffix(b"\n").map_or((line, false), |line| (line, true));
            for entry in assembler.push(Line { number, lines: 1, bytes, at: None, ended }).into_iter().flatten() {
                check(entry)?;
            }
        }
        if let Some(entry) = assembler.finish() {
            check(entry)?;
        }
        let records = file.split(|byte| *byte == b'\n').filter(|line| claimant(line).is_some()).count();
        let fits = if recognise(&file).is_some() { records > 0 } else { records < ENOUGH };
        prop_assert!(fits, "{} records", records);
        prop_assert_eq!(joined, file);
    }
}
