//! Text that a stranger wrote, in every place that a bundle has for text, out of every command in every format: nothing of
//! it reaches a terminal that could take it over, turn it around or hide in it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch, StringArray};
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::forge::Parts;
use crate::support::{Answer, dacapo, on_two_threads, run};

/// One of each kind: colours and titles of terminals in both spellings, carriage return and backspace, line ends of two
/// kinds, direction, width, annotations, tags, variations, marks; Markdown, HTML, and a formula.
const EVIL: &str = "\u{1b}[31m\u{1b}]0;owned\u{7}\u{9b}2J\u{90}q\r\u{8}\u{7f}\n\u{2028}\u{2029}\u{85}\u{202e}\u{2066}\u{200f}\u{61c}\
                    \u{200b}\u{200d}\u{feff}\u{ad}\u{2060}\u{fff9}\u{e0041}\u{fe0f}\u{3164}e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\
                    |`x`<script>alert(1)</script>@team [a](http://b)\t=1+1";

/// Texts of the bundle, each with evil at its end. What was equal stays equal, so that traces still find their way.
fn poisoned() -> Vec<u8> {
    let mut parts = Parts::of_sample();
    for at in 0..parts.members.len() {
        let (name, bytes) = parts.members[at].clone();
        let (bytes, rows) = poisoned_table(&bytes, &name);
        parts.replace(&name, bytes, rows);
    }
    let notes = json!([EVIL, format!("=1+1{EVIL}")]);
    parts.manifest["notes"] = notes;
    parts.manifest["labels"] = json!({ EVIL: EVIL });
    parts.manifest["tool"] = json!(EVIL);
    parts.manifest["collected_at_from"] = json!(EVIL);
    for source in parts.manifest["sources"].as_array_mut().unwrap() {
        for field in ["name", "kind", "outcome"] {
            source[field] = json!(format!("{}{EVIL}", source[field].as_str().unwrap()));
        }
    }
    parts.bundle()
}

fn poisoned_table(parquet: &[u8], member: &str) -> (Vec<u8>, u64) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::copy_from_slice(parquet)).unwrap();
    let schema = reader.schema().clone();
    let batches: Vec<RecordBatch> = reader.with_batch_size(1 << 20).build().unwrap().map(Result::unwrap).collect();
    let mut out = Vec::new();
    let small = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut writer = ArrowWriter::try_new(&mut out, schema.clone(), Some(small)).unwrap();
    let mut rows = 0;
    for batch in batches {
        rows += batch.num_rows() as u64;
        let columns = batch.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| match field.data_type() {
            DataType::Utf8 if !is_structure(member, field.name()) => poisoned_texts(column),
            _ => column.clone(),
        });
        writer.write(&RecordBatch::try_new(schema.clone(), columns.collect()).unwrap()).unwrap();
    }
    writer.close().unwrap();
    (out, rows)
}

/// What leads to rows, or says what a row is: with other words there, nothing would be shown of the rest.
fn is_structure(member: &str, column: &str) -> bool {
    member.starts_with("index/") || ["format", "component", "status", "event_type", "kind", "role"].contains(&column)
}

fn poisoned_texts(column: &ArrayRef) -> ArrayRef {
    let texts = column.as_string::<i32>();
    let poisoned = texts.iter().map(|text| text.map(poisoned_text)).collect::<StringArray>();
    assert_eq!(poisoned.len(), column.len());
    Arc::new(poisoned)
}

/// JSON is poisoned inside of its texts; ids stay ids, or nothing would be found by them.
fn poisoned_text(text: &str) -> String {
    if let Ok(mut json @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(text) {
        poison(&mut json);
        return json.to_string();
    }
    let is_id = text.len() == 36 && text.matches('-').count() == 4;
    if is_id || text == "web-frontend" { text.to_owned() } else { format!("{text}{EVIL}") }
}

fn poison(json: &mut Value) {
    match json {
        Value::String(text) if text.contains(' ') => text.push_str(EVIL),
        Value::Array(items) => items.iter_mut().for_each(poison),
        Value::Object(fields) => fields.values_mut().for_each(poison),
        _ => {}
    }
}

const COMMANDS: &[&[&str]] = &[
    &["inspect"],
    &["verify"],
    &["trace", "web-frontend"],
    &["trace", "web-frontend", "--timeline"],
    &["trace", "web-frontend", "--timeline", "--raw"],
    &["trace", "web-frontend", "--detail"],
    &["trace", EVIL],
    &["works"],
    &["diagnose"],
    &["resolve", "web-frontend"],
    &["resolve", EVIL],
    &[
        "show",
        "resources:1",
        "events:1",
        "status_events:1",
        "consumers:1",
        "kube_objects:1",
        "log_lines:1",
        "collection:1",
    ],
    &["show", EVIL],
    &["query", "--sql", "from log_lines limit 50"],
    &["query", "--sql", "select name as \"a\u{1b}[31m\u{202e}\" from consumers"],
    &["query", "--sql", "select error(name) from consumers"],
    &["query", EVIL],
];

const FORMATS: &[&str] = &["text", "json", "markdown", "csv"];

#[test]
fn nothing_evil_leaves_any_command_in_any_format() {
    let dir = TempDir::with_prefix("dacapo-mouths-").unwrap();
    let bundle = dir.path().join("evil.dacapo");
    std::fs::write(&bundle, poisoned()).unwrap();
    let cases: Vec<(&[&str], &str)> =
        COMMANDS.iter().flat_map(|command| FORMATS.iter().map(|format| (*command, *format))).collect();
    let met = on_two_threads(&cases, |(command, format)| {
        let answer = run(dacapo().arg(command[0]).arg(&bundle).args(&command[1..]).args(["--format", format]));
        let case = format!("{command:?} {format}");
        assert!(!answer.panicked(), "{case}: {}", answer.describe());
        assert_harmless(&case, &answer);
        [&answer.stdout, &answer.stderr].iter().any(|text| text.contains("owned"))
    });
    let met = met.into_iter().filter(|met| *met).count();
    assert!(met * 4 > cases.len() * 3, "only {met} of {} answers had something evil in them", cases.len());
}

/// Neither does what somebody typed or a file is called, where it is repeated.
#[test]
fn nothing_evil_comes_back_from_the_command_line() {
    let dir = TempDir::with_prefix("dacapo-mouths-").unwrap();
    let named = dir.path().join("\u{1b}[31m\u{202e}evil\u{200b}.dacapo");
    std::fs::write(&named, b"PK\x03\x04").unwrap();
    let named = named.to_str().unwrap();
    for arguments in [
        &["verify", named][..],
        &["trace", "/no/such\u{9b}/\u{202e}file", "x"],
        &["collect", "--from", named, "-o", "/no/such/\u{1b}[31m"],
        &["collect", "--from", "/no/such\u{1b}[31m", "-o", "x"],
        &["inspect", named, "--format", "\u{1b}[31m\u{202e}"],
        &["\u{1b}[31m\u{202e}"],
        &["works", named, "--outcome", "\u{1b}]0;owned\u{7}"],
        &["explain", "\u{1b}[31m\u{202e}\u{200b}"],
    ] {
        let answer = run(dacapo().args(arguments));
        assert_eq!(answer.code, Some(2), "{arguments:?}: {}", answer.describe());
        assert_harmless(&format!("{arguments:?}"), &answer);
    }
}

fn assert_harmless(case: &str, answer: &Answer) {
    for text in [&answer.stdout, &answer.stderr] {
        let odd = text.chars().find(|character| *character != '\n' && is_odd(*character));
        assert_eq!(odd, None, "{case}: {text}");
        assert!(!text.contains(&"\u{301}".repeat(5)), "{case}: {text}");
    }
}

/// Said here again, in other words than the program's own.
fn is_odd(character: char) -> bool {
    let point = u32::from(character);
    let turns = [0x61c, 0x200e, 0x200f].contains(&point)
        || (0x202a..=0x202e).contains(&point)
        || (0x2066..=0x2069).contains(&point);
    let hides = [0xad, 0x200b, 0x200d, 0xfeff, 0x2060, 0x3164, 0xfe0f, 0xfff9].contains(&point) || point >= 0xe0000;
    let breaks = [0x2028, 0x2029].contains(&point);
    character.is_control() || turns || hides || breaks
}
