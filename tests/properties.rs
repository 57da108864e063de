//! What holds for any input.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::support::{collect, unpack};
use dacapo::bundle::{About, Columns, Reader, Rows, Writer};
use dacapo::collect::{Plan, Progress};
use dacapo::schema::{
    AppliedManifestWork, Bytes, Cell, Consumer, Coverage, Event, EventInstance, Family, Kind, KubeEvent, KubeObject,
    LogLine, ManifestWork, Record, Redaction, Resource, ServerInstance, StatusEvent, Step, TABLES, Time, Unknown,
};
use dacapo::store::{Datum, Store};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::path::Path;
use tempfile::TempDir;

/// A value that can stand in a table.
#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Null,
    Text(String),
    Int(i64),
    Bool(bool),
    Time(i64),
    Bytes(Vec<u8>),
}

impl Owned {
    fn cell(&self) -> Cell<'_> {
        match self {
            Self::Null => Cell::Null,
            Self::Text(text) => Cell::Text(text),
            Self::Int(value) => Cell::Int(*value),
            Self::Bool(value) => Cell::Bool(*value),
            Self::Time(micros) => Cell::Time(Time::from_micros(*micros)),
            Self::Bytes(bytes) => Cell::Bytes(bytes),
        }
    }

    fn from_cell(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Text(text) => Self::Text(text.to_owned()),
            Cell::Int(value) => Self::Int(value),
            Cell::Bool(value) => Self::Bool(value),
            Cell::Time(at) => Self::Time(at.micros()),
            Cell::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }

    fn datum(&self) -> Datum {
        match self {
            Self::Null => Datum::Null,
            Self::Text(text) => Datum::Text(text.clone()),
            Self::Int(value) => Datum::Int(*value),
            Self::Bool(value) => Datum::Bool(*value),
            Self::Time(micros) => Datum::Time(Time::from_micros(*micros)),
            Self::Bytes(bytes) => Datum::Bytes(bytes.clone()),
        }
    }
}

fn value(kind: Kind) -> BoxedStrategy<Owned> {
    // DuckDB's own limits: no NUL in text is fine, but its timestamps end in the year 294246.
    let far = 9_000_000_000_000_000_000_i64 / 2;
    match kind {
        Kind::Text | Kind::Json => ".{0,40}".prop_map(Owned::Text).boxed(),
        Kind::Int => any::<i64>().prop_map(Owned::Int).boxed(),
        Kind::Bool => any::<bool>().prop_map(Owned::Bool).boxed(),
        Kind::Time => (-far..far).prop_map(Owned::Time).boxed(),
        Kind::Bytes => vec(any::<u8>(), 0..40).prop_map(Owned::Bytes).boxed(),
    }
}

fn rows_of<'a, R: Record<'a>>() -> BoxedStrategy<Vec<Vec<Owned>>> {
    let columns: Vec<BoxedStrategy<Owned>> = R::TABLE
        .columns
        .iter()
        .map(|column| match column.nullable {
            true => option::of(value(column.kind)).prop_map(|value| value.unwrap_or(Owned::Null)).boxed(),
            false => value(column.kind),
        })
        .collect();
    vec(columns, 0..12).boxed()
}

fn cells<'a>(record: &impl Record<'a>) -> Vec<Owned> {
    let mut cells = Vec::new();
    record.cells(|_, cell| cells.push(Owned::from_cell(cell)));
    cells
}

/// Rows go through a bundle and through the store, and come back the same.
fn round_trip<F: Family>(rows: &[Vec<Owned>]) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.dacapo");
    let mut writer = Writer::create(&path).unwrap();
    for row in rows {
        let record = F::Of::from_cells(|index| row.get(index).map_or(Cell::Null, Owned::cell)).unwrap();
        writer.append(&record).unwrap();
    }
    writer.publish(About::default()).unwrap();
    let reader = Reader::open(&path).unwrap();
    let mut read = Vec::new();
    reader.records::<F>(&Rows::All, |number, record| read.push((number, cells(&record)))).unwrap();
    let expected: Vec<_> = (1..).zip(rows.iter().cloned()).collect();
    assert_eq!(read, expected);
    let table = <F::Of<'static> as Record>::TABLE.name;
    let store = Store::open().unwrap();
    store.load(&reader, table, &Rows::All, Columns::All).unwrap();
    for (number, row) in &expected {
        let answer = store.row(table, *number).unwrap();
        let stored: Vec<Datum> = answer.rows.into_iter().flatten().skip(1).collect();
        assert_eq!(stored, row.iter().map(Owned::datum).collect::<Vec<_>>());
    }
}

macro_rules! round_trips {
    ($($test:ident => $record:ident),+ $(,)?) => {
        $(
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(24))]
                #[test]
                fn $test(rows in rows_of::<$record<'static>>()) {
                    round_trip::<$record<'static>>(&rows);
                }
            }
        )+

        #[test]
        fn every_table_makes_the_round_trip() {
            let tried = [$(<$record<'static> as Record>::TABLE.name),+];
            for table in TABLES {
                assert!(tried.contains(&table.name), "{} is not tried", table.name);
            }
        }
    };
}

round_trips! {
    resources_come_back_the_same => Resource,
    events_come_back_the_same => Event,
    status_events_come_back_the_same => StatusEvent,
    consumers_come_back_the_same => Consumer,
    server_instances_come_back_the_same => ServerInstance,
    event_instances_come_back_the_same => EventInstance,
    applied_works_come_back_the_same => AppliedManifestWork,
    manifest_works_come_back_the_same => ManifestWork,
    objects_come_back_the_same => KubeObject,
    kubernetes_events_come_back_the_same => KubeEvent,
    log_lines_come_back_the_same => LogLine,
    coverage_comes_back_the_same => Coverage,
    collection_steps_come_back_the_same => Step,
    redactions_come_back_the_same => Redaction,
    unknown_values_come_back_the_same => Unknown,
}

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}

/// Collects one pod log with these bytes and puts it together again from the bundle.
fn through_a_bundle(bytes: &[u8]) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let pod = folder.path().join("in/logs/mgmt-1/maestro/maestro-agent-1");
    std::fs::create_dir_all(&pod).unwrap();
    std::fs::write(pod.join("maestro-agent.log"), bytes).unwrap();
    let output = folder.path().join("x.dacapo");
    let plan = Plan { from: vec![folder.path().join("in").into()], output: output.clone(), ..Plan::default() };
    dacapo::collect::collect(&plan, &Silent).unwrap();
    rebuilt(&output)
}

fn rebuilt(bundle: &Path) -> Vec<u8> {
    let reader = Reader::open(bundle).unwrap();
    let mut entries: Vec<Vec<u8>> = Vec::new();
    reader
        .records::<LogLine<'static>>(&Rows::All, |_, line| {
            entries.push(line.bytes.map_or_else(|| line.text.as_bytes().to_vec(), |Bytes(bytes)| bytes.into_owned()));
        })
        .unwrap();
    let mut whole = entries.join(&b'\n');
    reader
        .records::<Coverage<'static>>(&Rows::All, |_, log| {
            if log.ends_with_newline && log.entries > 0 {
                whole.push(b'\n');
            }
        })
        .unwrap();
    whole
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_log_of_any_bytes_keeps_every_byte(bytes in vec(1..=255_u8, 0..400)) {
        prop_assume!(!has_a_mark(&bytes));
        prop_assert_eq!(through_a_bundle(&bytes), bytes);
    }

    #[test]
    fn a_log_of_any_lines_keeps_every_byte(lines in vec(
        prop_oneof![
            Just("I0102 15:04:05.000000       1 main.go:12] \"started\" a=<".to_owned()),
            Just("\tinside".to_owned()),
            Just(" >".to_owned()),
            Just("E0102 15:04:05.000001       1 main.go:13] \"failed\" err=\"x".to_owned()),
            ".{0,30}",
        ], 0..30), newline in any::<bool>()) {
        let text = lines.join("\n") + if newline { "\n" } else { "" };
        prop_assume!(!text.contains('\0') && !has_a_mark(text.as_bytes()));
        prop_assert_eq!(through_a_bundle(text.as_bytes()), text.into_bytes());
    }
}

/// A byte order mark says how a file is encoded; it is no part of the first line.
fn has_a_mark(bytes: &[u8]) -> bool {
    [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(mark))
}

#[test]
fn the_same_folder_gives_the_same_bytes() {
    let scenario = "healthy-create";
    let folder = unpack(scenario);
    let first = std::fs::read(collect(&folder.path().join(scenario))).unwrap();
    let again = unpack(scenario);
    let second = std::fs::read(collect(&again.path().join(scenario))).unwrap();
    assert!(first == second, "two collections of one folder differ");
}
