//! What a file holds, counted in the plainest way there is.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Account, account, assert_adds_up};
use crate::support::{unpack, unpack_forms};

/// Lines, rows or objects in the bytes of a file that was taken for this; `None` where that is not plain to say.
pub fn units(taken_for: &str, bytes: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(bytes);
    let lines = || bytes.split_inclusive(|byte| *byte == b'\n').count();
    Some(match taken_for {
        "plain log"
        | "CRI log"
        | "Docker json-file"
        | "log in JSON lines"
        | "kubectl logs --prefix"
        | "kubectl logs --timestamps"
        | "stern" => lines(),
        "database rows (COPY text)" => text.split('\n').filter(|line| !line.is_empty() && *line != "\\.").count(),
        "kubectl output for people" => text.lines().filter(|line| !line.trim().is_empty()).count(),
        _ => return None,
    })
}

/// The same for a file that is as its tool wrote it, whatever that is.
fn units_of_good(account: &Account, bytes: &[u8]) -> Option<usize> {
    let taken_for = account.taken_for?;
    let text = String::from_utf8_lossy(bytes);
    let json = || serde_json::from_str::<Value>(&text).unwrap();
    units(taken_for, bytes).or_else(|| match taken_for {
        "Kusto CSV" => Some(records(bytes)),
        "database rows (CSV)" => Some(records(bytes) - 1),
        "Kusto JSON v1" | "Kusto JSON v2" => Some(rows_of_tables(&json())),
        "database rows (JSON lines)" => Some(text.lines().filter(|line| !line.trim().is_empty()).count()),
        "Kubernetes objects (JSON)" | "Maestro REST answer" => {
            let document = json();
            Some(document["items"].as_array().map_or(1, Vec::len))
        }
        "Kubernetes objects (YAML)" => {
            let items = text.lines().filter(|line| line.starts_with("- apiVersion:")).count();
            let is_list = text.lines().any(|line| line.starts_with("items:"));
            Some(if is_list { items } else { 1 })
        }
        "database dump (pg_dump)" if text.contains("\nCOPY ") => Some(copied(&text) + account.skipped as usize),
        _ => None,
    })
}

fn records(bytes: &[u8]) -> usize {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes).byte_records().count()
}

/// The rows of every table in an answer, at any depth.
fn rows_of_tables(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(rows_of_tables).sum(),
        Value::Object(members) => {
            let rows = members.get("Rows").and_then(Value::as_array).map_or(0, Vec::len);
            rows + members.iter().filter(|(name, _)| *name != "Rows").map(|(_, it)| rows_of_tables(it)).sum::<usize>()
        }
        _ => 0,
    }
}

/// The rows of Maestro's tables in the blocks of a dump.
fn copied(dump: &str) -> usize {
    let (mut count, mut within) = (0, None);
    for line in dump.lines() {
        if line == "\\." {
            within = None;
        } else if let Some(rest) = line.strip_prefix("COPY public.").filter(|_| within.is_none()) {
            within = Some(rest.starts_with("migrations"));
        } else {
            count += usize::from(within == Some(false));
        }
    }
    count
}

/// Every file below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

#[test]
fn every_line_row_and_object_is_counted() {
    let mut tried = std::collections::BTreeSet::new();
    let packs = ["agent-down", "healthy-create", "healthy-big-v5"];
    let forms = packs.iter().map(|name| (*name, unpack_forms(name)));
    let plain = ["agent-down", "zap-agent-down", "status-loop"].iter().map(|name| (*name, unpack(name)));
    for (name, dir) in forms.chain(plain) {
        let folder = dir.path().join(name);
        let accounts = account(&folder).unwrap();
        assert_adds_up(&accounts);
        for path in files(&folder) {
            let target = format!("{name}/{}", path.strip_prefix(&folder).unwrap().display());
            let account = accounts.get(&target).unwrap_or_else(|| panic!("not a word of {target}"));
            if let Some(units) = units_of_good(account, &fs::read(&path).unwrap()) {
                assert_eq!(account.seen, units as i64, "{target}: {account:#?}");
                tried.extend(account.taken_for);
            }
        }
    }
    assert!(tried.len() >= 14, "only these were counted: {tried:?}");
}
