//! Evidence is seldom handed over alone: whatever lies beside it is left out, and changes nothing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stderr, reason = "what is not tried is said")]

mod heap;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use dacapo::bundle::{Columns, Reader, Rows};
use dacapo::collect::{Outcome, Plan, Progress, Status, collect};
use dacapo::schema::TABLES;

use crate::support::{dacapo, run, unpack};

struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}

/// Every table but the one that lists the files, row by row, and what was said of each file.
fn bundle_of(folder: &Path) -> (BTreeMap<&'static str, Vec<String>>, Vec<Outcome>) {
    let out = tempfile::TempDir::new().unwrap();
    let output = out.path().join("x.dacapo");
    let plan = Plan { from: vec![folder.to_owned().into()], output: output.clone(), ..Plan::default() };
    let summary = collect(&plan, &Quiet).unwrap();
    let reader = Reader::open(&output).unwrap();
    let mut tables = BTreeMap::new();
    for table in TABLES.iter().filter(|table| table.name != "collection") {
        let mut rows = Vec::new();
        reader.read(table.name, &Rows::All, Columns::All, |batch, _| rows.push(format!("{batch:?}"))).unwrap();
        tables.insert(table.name, rows);
    }
    (tables, summary.steps)
}

/// A repository with history, as somebody keeps it beside the evidence.
fn repository(folder: &Path) {
    heap::source_code(folder);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@example.com"]).args(arguments).current_dir(folder);
        command.env("GIT_CONFIG_NOSYSTEM", "1").output().is_ok_and(|output| output.status.success())
    };
    let made = git(&["init", "-q"]) && git(&["add", "-A"]) && git(&["commit", "-qm", "all"]) && git(&["gc", "-q"]);
    if !made {
        eprintln!("no repository among the clutter: git cannot make one here");
    }
}

fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
}

#[test]
fn clutter_beside_the_evidence_changes_nothing() {
    let scenario = "agent-down";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let (expected, before) = bundle_of(&folder);
    repository(&folder.join("kube/src"));
    heap::office(&folder.join("db"));
    heap::binaries(&folder.join("logs/bin"));
    heap::texts(&folder.join("notes"));
    let added = count(&folder) - count_files(&before);
    assert!(added >= 200, "{added} files of clutter");
    let (got, steps) = bundle_of(&folder);
    let claimed: Vec<String> = steps
        .iter()
        .filter(|step| step.taken_for.is_some() && before.iter().all(|known| known.target != step.target))
        .map(|step| format!("{} as {:?}: {} rows, {} unknown", step.target, step.taken_for, step.rows, step.unknown))
        .collect();
    assert!(claimed.is_empty(), "taken for evidence:\n{}", claimed.join("\n"));
    for (table, rows) in &expected {
        assert!(rows == &got[table], "{table} is not the same");
    }
    let failed: Vec<&Outcome> = steps.iter().filter(|step| step.status == Status::Failed).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_short(&folder);
}

fn count_files(steps: &[Outcome]) -> usize {
    let targets: std::collections::BTreeSet<&str> = steps.iter().map(|step| step.target.as_str()).collect();
    targets.len()
}

/// What was left out is a few lines on a terminal, not hundreds.
fn assert_short(folder: &Path) {
    let bundle = folder.with_extension("dacapo");
    let answer = run(dacapo().arg("collect").arg("--from").arg(folder).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let lines = answer.stdout.lines().count() + answer.stderr.lines().count();
    assert!(lines < 60, "{lines} lines:\n{}{}", answer.stdout, answer.stderr);
    let look = run(dacapo().arg("inspect").arg(&bundle));
    assert!(look.stdout.contains("left out"), "{}", look.stdout);
    assert!(look.stdout.lines().count() < 120, "{}", look.stdout);
}
