//! Any rows, written as PostgreSQL writes them, come back as they were; cut anywhere, they are still accounted for.

use super::{Quiet, Tables, keeps_account, rows_of};
use dacapo::collect::{self, Error, Plan};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use tempfile::TempDir;

const EVENTS: &[&str] =
    &["id", "created_at", "updated_at", "deleted_at", "source", "source_id", "event_type", "reconciled_date"];
const RESOURCES: &[&str] = &[
    "name",
    "id",
    "created_at",
    "updated_at",
    "deleted_at",
    "source",
    "consumer_name",
    "version",
    "type",
    "payload",
    "status",
];

/// Cells in the order of the schema; `None` is NULL.
type Cells = Vec<Option<String>>;

fn uuid() -> impl Strategy<Value = String> {
    any::<u128>().prop_map(|bits| {
        let hex = format!("{bits:032x}");
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    })
}

fn time() -> impl Strategy<Value = String> {
    (0..1_000_000_u32, 0..60_u8).prop_map(|(micros, second)| format!("2026-01-15 09:45:{second:02}.{micros:06}+00"))
}

fn text() -> impl Strategy<Value = String> {
    "[a-z\\\\\"',;|{}\t\n\r äé.:N-]{0,12}".prop_filter("psql's end of data", |text| text != "\\.")
}

fn payload() -> impl Strategy<Value = String> {
    (text(), text()).prop_map(|(key, value)| {
        let inner: Map<String, Value> = [(key, Value::from(value))].into_iter().collect();
        json!({"id": "e", "data": inner, "metadata": {"name": "w"}}).to_string()
    })
}

fn event() -> impl Strategy<Value = Cells> {
    let maybe = || proptest::option::of(text());
    (uuid(), time(), proptest::option::of(time()), maybe(), uuid(), maybe()).prop_map(
        |(id, at, reconciled, source, of, kind)| {
            vec![Some(id), Some(at.clone()), Some(at), None, source, Some(of), kind, reconciled]
        },
    )
}

fn resource() -> impl Strategy<Value = Cells> {
    let maybe = || proptest::option::of(text());
    (uuid(), time(), maybe(), "[a-z0-9-]{1,9}", any::<i64>(), maybe(), payload(), proptest::option::of(payload()))
        .prop_map(|(id, at, source, consumer, version, kind, payload, status)| {
            let name = Some(id.clone());
            let version = Some(version.to_string());
            vec![
                name,
                Some(id),
                Some(at.clone()),
                Some(at),
                None,
                source,
                Some(consumer),
                version,
                kind,
                Some(payload),
                status,
            ]
        })
}

fn csv(columns: &[&str], rows: &[Cells]) -> String {
    let mut out = columns.join(",") + "\n";
    for row in rows {
        let cell = |cell: &Option<String>| match cell {
            None => String::new(),
            Some(text) if text.is_empty() || text.contains(['"', ',', '\n', '\r', '\\', ' ']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Some(text) => text.clone(),
        };
        out += &(row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    out
}

fn copy(rows: &[Cells]) -> String {
    let escape =
        |text: &String| text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    let cell = |cell: &Option<String>| cell.as_ref().map_or_else(|| "\\N".to_owned(), escape);
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t") + "\n").collect()
}

fn dump(table: &str, columns: &[&str], rows: &[Cells]) -> String {
    format!(
        "--\n-- PostgreSQL database dump\n--\nSET x = 0;\nCOPY public.{table} ({}) FROM stdin;\n{}\\.\n\n--\n\
         -- PostgreSQL database dump complete\n--\n",
        columns.join(", "),
        copy(rows)
    )
}

fn inserts(table: &str, rows: &[Cells]) -> String {
    let quote = |text: &String| format!("'{}'", text.replace('\'', "''"));
    let cell = |cell: &Option<String>| cell.as_ref().map_or_else(|| "NULL".to_owned(), quote);
    let mut out = String::new();
    for row in rows {
        let values = row.iter().map(cell).collect::<Vec<_>>().join(", ");
        writeln!(out, "INSERT INTO public.{table} VALUES ({values});").unwrap();
    }
    out
}

fn objects(columns: &[&str], rows: &[Cells], pretty: bool) -> String {
    let member = |(column, cell): (&&str, &Option<String>)| {
        let value = match (*column, cell) {
            ("version" | "payload" | "status", Some(text)) => text.clone(),
            (_, cell) => json!(cell).to_string(),
        };
        format!("{column:?}:{value}")
    };
    let separator = if pretty { ",\n  " } else { "," };
    let object = |row: &Cells| columns.iter().zip(row).map(member).collect::<Vec<_>>().join(separator);
    let line = |row| if pretty { format!("{{\n  {}\n}}\n", object(row)) } else { format!("{{{}}}\n", object(row)) };
    rows.iter().map(line).collect()
}

fn array(columns: &[&str], rows: &[Cells]) -> String {
    format!("[{}]\n", objects(columns, rows, false).trim_end().replace('\n', ", \n "))
}

/// The rows in every form, each under a name that its form does not need.
fn forms(table: &str, columns: &[&str], rows: &[Cells]) -> Vec<(&'static str, String)> {
    vec![
        ("lines", objects(columns, rows, false)),
        ("csv", csv(columns, rows)),
        ("copy", copy(rows)),
        ("dump", dump(table, columns, rows)),
        ("inserts", inserts(table, rows)),
        ("array", array(columns, rows)),
        ("pretty", objects(columns, rows, true)),
    ]
}

fn collected(text: &[u8]) -> Option<Tables> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("evidence");
    std::fs::write(&path, text).unwrap();
    let output = folder.path().join("x.dacapo");
    match collect::collect(&Plan { from: vec![path.clone().into()], output, ..Plan::default() }, &Quiet) {
        Ok(summary) => keeps_account(&summary),
        Err(Error::NothingRecognised { .. }) => return None,
        Err(other) => panic!("{other}"),
    }
    Some(rows_of(vec![path]).0)
}

fn come_back(table: &'static str, columns: &[&str], rows: &[Cells]) {
    let mut first: Option<Tables> = None;
    for (form, text) in forms(table, columns, rows) {
        let found = collected(text.as_bytes()).unwrap_or_else(|| panic!("{form} is not recognised:\n{text}"));
        let distinct: std::collections::BTreeSet<&Cells> = rows.iter().collect();
        assert_eq!(found[table].len(), distinct.len(), "{form}:\n{text}");
        match &first {
            Some(first) => assert_eq!(found[table], first[table], "{form}:\n{text}"),
            None => first = Some(found),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_events_come_back_from_every_form(rows in proptest::collection::vec(event(), 1..4)) {
        come_back("events", EVENTS, &rows);
    }

    #[test]
    fn any_resources_come_back_from_every_form(rows in proptest::collection::vec(resource(), 1..3)) {
        come_back("resources", RESOURCES, &rows);
    }

    #[test]
    fn whatever_is_cut_is_accounted_for(rows in proptest::collection::vec(resource(), 1..3), part in 0.0..1.0_f64) {
        for (_, text) in forms("resources", RESOURCES, &rows) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place within the text")]
            let cut = (text.len() as f64 * part) as usize;
            collected(&text.as_bytes()[..cut]);
        }
    }

    #[test]
    fn rubbish_in_the_middle_is_accounted_for(
        rows in proptest::collection::vec(resource(), 2..4),
        rubbish in proptest::collection::vec(any::<u8>(), 1..30),
        part in 0.0..1.0_f64,
    ) {
        for (_, text) in forms("resources", RESOURCES, &rows) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place within the text")]
            let at = (text.len() as f64 * part) as usize;
            let (before, after) = text.as_bytes().split_at(at);
            collected(&[before, &rubbish, after].concat());
        }
    }
}
