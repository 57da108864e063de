//! The targets: each takes any bytes and must come to an end.
#![allow(clippy::unwrap_used, reason = "what cannot fail here is what is tested")]

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::Path;
use std::sync::LazyLock;

use dacapo::bundle::{Columns, Identities, Limits, Reader, Rows};
use dacapo::collect::{self, Plan, Progress};
use dacapo::logs::{self, Assembler, Line, RawEntry, Unwrapped, WRAPPINGS};
use dacapo::query::Header;
use tempfile::TempDir;

use super::forge::Parts;

pub type Target = fn(&[u8]);

pub const TARGETS: &[(&str, Target)] = &[
    ("archive", archive),
    ("envelope", envelope),
    ("evidence", evidence),
    ("header", header),
    ("log", log),
    ("manifest", manifest),
    ("seal", seal),
    ("table", table),
    ("wrapping", wrapping),
];

/// A key that opens nothing but what is made here.
pub const IDENTITY: &str = "AGE-SECRET-KEY-1QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSKMP32K";

const TABLE: &str = "tables/consumers.parquet";

/// A bundle with one table: small, so that many can be tried.
pub static SMALL: LazyLock<Parts> = LazyLock::new(|| {
    let mut parts = Parts::of_sample();
    parts.members.retain(|(name, _)| name == TABLE);
    parts.manifest["members"].as_array_mut().unwrap().retain(|member| member["name"] == TABLE);
    parts
});

/// Any file, as a bundle.
pub fn archive(bytes: &[u8]) {
    let folder = TempDir::with_prefix("dacapo-fuzz-").unwrap();
    let path = folder.path().join("any.dacapo");
    std::fs::write(&path, bytes).unwrap();
    read(&path);
}

/// Any manifest, in an archive that is as it should be.
pub fn manifest(bytes: &[u8]) {
    archive(&SMALL.bundle_with(bytes));
}

/// Any signature of a bundle that is as it should be.
pub fn seal(bytes: &[u8]) {
    archive(&Parts { seal: Some(bytes.to_vec()), ..SMALL.clone() }.bundle());
}

/// Any file, as an encrypted bundle, for somebody with a key.
pub fn envelope(bytes: &[u8]) {
    let folder = TempDir::with_prefix("dacapo-fuzz-").unwrap();
    let (path, key) = (folder.path().join("any.dacapo"), folder.path().join("key"));
    std::fs::write(&path, bytes).unwrap();
    std::fs::write(&key, IDENTITY).unwrap();
    let identities = Identities::read([key.as_path()].into_iter(), &|_| None).unwrap();
    let _ = Reader::open(&path);
    let _ = Reader::open_encrypted(&path, Limits::default(), &identities).map(|reader| reader.verify());
}

/// Any table, with sums that are right.
pub fn table(bytes: &[u8]) {
    let mut parts = SMALL.clone();
    let rows = parts.about(TABLE)["rows"].as_u64().unwrap();
    parts.replace(TABLE, bytes.to_vec(), rows);
    archive(&parts.bundle());
}

/// Reads all that a bundle holds, in every way. Whether it is refused is not asked.
fn read(path: &Path) {
    let Ok(reader) = Reader::open(path) else { return };
    let _ = reader.verify();
    let _ = reader.find(&["cluster1", ""]);
    let _ = reader.begins("c", &[("consumers", "name")], 10);
    for table in tables(&reader) {
        for rows in [Rows::All, Rows::These(vec![1, 2, i64::MAX, -1])] {
            let _ = reader.read(&table, &rows, Columns::All, |_, _| {});
        }
        let _ = reader.stream(&table, &[0], 7).map(Iterator::count);
    }
}

fn tables(reader: &Reader) -> BTreeSet<String> {
    reader.manifest().members.iter().filter_map(|member| member.table().map(str::to_owned)).collect()
}

/// Any log: its entries have all of its bytes.
pub fn log(bytes: &[u8]) {
    let mut assembler = Assembler::default();
    let mut joined = Vec::new();
    let mut take = |entry: RawEntry<'_>| {
        joined.extend_from_slice(entry.bytes);
        joined.extend(entry.ends_with_newline.then_some(b'\n'));
        let text = entry.text();
        logs::parse(&text);
    };
    for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let (bytes, ended) = line.strip_suffix(b"\n").map_or((line, false), |line| (line, true));
        let line = Line { number, lines: 1, bytes, at: None, ended };
        assembler.push(line).into_iter().flatten().for_each(&mut take);
    }
    assembler.finish().into_iter().for_each(&mut take);
    assert_eq!(joined, bytes);
}

/// Any file, read by every wrapping, whether it claims it or not.
pub fn wrapping(bytes: &[u8]) {
    for wrapping in WRAPPINGS {
        wrapping.claims(bytes);
        let mut input = BufReader::new(bytes);
        let mut unwrap = wrapping.open(&mut input);
        // A piece takes a byte at least, and one more tells the end.
        for _ in 0..=bytes.len() + 1 {
            match unwrap.next() {
                Ok(Some(Unwrapped::Line(_, line))) => drop(logs::parse(&String::from_utf8_lossy(line.bytes)).message),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        unwrap.remarks();
        unwrap.problems();
    }
}

/// Any file as evidence, in whatever form it takes it for: what is collected can be read again.
pub fn evidence(bytes: &[u8]) {
    let folder = TempDir::with_prefix("dacapo-fuzz-").unwrap();
    let (input, output) = (folder.path().join("any"), folder.path().join("any.dacapo"));
    std::fs::write(&input, bytes).unwrap();
    let plan = Plan { from: vec![input.into()], output: output.clone(), ..Plan::default() };
    if collect::collect(&plan, &Silent).is_err() {
        return;
    }
    let reader = Reader::open(&output).unwrap();
    reader.verify().unwrap();
    for table in tables(&reader) {
        reader.read(&table, &Rows::All, Columns::All, |_, _| {}).unwrap();
    }
}

/// Any text as the head of a statement.
pub fn header(bytes: &[u8]) {
    Header::parse(&String::from_utf8_lossy(bytes));
}

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}
