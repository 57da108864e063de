//! What reads bytes of strangers, given bytes that nobody would write: for a fixed budget here, and for as long as one
//! likes with `cargo fuzz` (tests/fuzz/README.md). Nothing may panic, and what is taken comes back.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod mutate;
mod seeds;
pub mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use crate::support::forge;
use mutate::Mutator;
use targets::TARGETS;

/// How many inputs each target gets: together they take seconds. `DACAPO_FUZZ_ROUNDS` multiplies them.
const BUDGET: &[(&str, usize)] = &[
    ("archive", 600),
    ("envelope", 600),
    ("evidence", 150),
    ("header", 4000),
    ("log", 6000),
    ("manifest", 600),
    ("seal", 600),
    ("table", 1500),
    ("wrapping", 600),
];

fn rounds() -> usize {
    std::env::var("DACAPO_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// Hands a target its seeds, and then what the mutator makes of them. The same numbers give the same inputs.
fn run(name: &str) {
    let (_, target) = TARGETS.iter().find(|(target, _)| *target == name).unwrap();
    let (_, budget) = BUDGET.iter().find(|(target, _)| *target == name).unwrap();
    let seeds = seeds::of(name);
    assert!(!seeds.is_empty(), "{name} has no seeds");
    if let Some(folder) = std::env::var_os("DACAPO_FUZZ_SEEDS") {
        keep(&Path::new(&folder).join(name), &seeds);
    }
    let mut mutator = Mutator::new(name);
    let mutated = (0..budget * rounds()).map(|_| mutator.mutate(&seeds));
    for input in seeds.iter().cloned().chain(mutated) {
        if catch_unwind(|| target(&input)).is_err() {
            let path = std::env::temp_dir().join(format!("dacapo-fuzz-{name}"));
            fs::write(&path, &input).unwrap();
            panic!("{name} fell over; the input is in {}", path.display());
        }
    }
}

/// Writes the seeds down, for the fuzzer to begin with.
fn keep(folder: &Path, seeds: &[Vec<u8>]) {
    fs::create_dir_all(folder).unwrap();
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).unwrap();
    }
}

#[test]
fn archives_are_read_or_refused() {
    run("archive");
}

#[test]
fn manifests_are_read_or_refused() {
    run("manifest");
}

#[test]
fn signatures_are_checked_or_refused() {
    run("seal");
}

#[test]
fn encrypted_bundles_are_read_or_refused() {
    run("envelope");
}

#[test]
fn tables_are_read_or_refused() {
    run("table");
}

#[test]
fn logs_come_back_whole() {
    run("log");
}

#[test]
fn wrapped_logs_come_to_an_end() {
    run("wrapping");
}

#[test]
fn what_is_collected_can_be_read() {
    run("evidence");
}

#[test]
fn headers_of_statements_are_parsed() {
    run("header");
}

#[test]
fn each_target_has_a_budget_and_a_file_for_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let project = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let files = fs::read_dir(folder.join("fuzz_targets")).unwrap().map(|file| file.unwrap().file_name());
    let files: BTreeSet<String> = files.map(|name| name.into_string().unwrap().replace(".rs", "")).collect();
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let budgets: BTreeSet<String> = BUDGET.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files, targets);
    assert_eq!(budgets, targets);
    for name in &targets {
        assert!(project.contains(&format!("name = \"{name}\"")), "{name} is not in tests/fuzz/Cargo.toml");
        let file = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(file.contains(&format!("targets::{name}(")), "{name}.rs calls another target");
    }
}
