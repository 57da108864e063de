//! The generator of the benchmark, at a small scale.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

#[path = "../benches/generate.rs"]
pub mod generate;

use std::collections::HashSet;
use std::fs;

use tempfile::TempDir;

use crate::support::unpack;
use generate::{Fleet, generate};

const SCENARIOS: [&str; 2] = ["healthy-update", "healthy-recreate"];

fn small_fleet(target: &TempDir) -> Fleet {
    let dirs = SCENARIOS.map(unpack);
    let folders: Vec<_> = dirs.iter().zip(SCENARIOS).map(|(dir, name)| dir.path().join(name)).collect();
    generate(&folders, target.path(), 20_000).unwrap()
}

#[test]
fn a_fleet_is_made_of_works_that_are_all_different() {
    let target = TempDir::new().unwrap();
    let fleet = small_fleet(&target);
    let ids: HashSet<&str> = fleet.works.iter().map(|work| work.resource_id.as_str()).collect();
    assert_eq!(ids.len(), fleet.works.len());
    assert!(ids.len() > 10, "{ids:?}");
    let logs: Vec<String> = fleet.log_files.iter().map(|log| fs::read_to_string(log).unwrap()).collect();
    assert_eq!(logs.len(), 6, "two servers, two agents, two clients");
    assert!(fleet.lines >= 20_000);
    assert_eq!(fleet.lines, logs.iter().map(|log| log.matches('\n').count() as u64).sum::<u64>());
    assert_eq!(fleet.bytes, logs.iter().map(|log| log.len() as u64).sum::<u64>());
    for work in &fleet.works {
        let known_to = |pods: &[String]| pods.iter().any(|log| log.contains(&work.resource_id));
        assert!(known_to(&logs[..2]) && known_to(&logs[2..4]) && known_to(&logs[4..]), "{work:?}");
    }
}

#[test]
fn time_goes_forward_and_captured_ids_are_gone() {
    let target = TempDir::new().unwrap();
    let fleet = small_fleet(&target);
    let first = &fleet.works[0];
    let captured = "496595f0-a531-5254-8ba1-38c71c30777e";
    for log in &fleet.log_files {
        let text = fs::read_to_string(log).unwrap();
        assert!(!text.contains(captured), "{}", log.display());
        let headers = text.lines().filter(|line| line.starts_with(['I', 'W', 'E']) && line.get(21..22) == Some(" "));
        let mut latest = String::new();
        for time in headers.map(|line| &line[1..18]) {
            assert!(*time >= latest[..latest.len().min(15)], "{}: {time} after {latest}", log.display());
            latest = latest.max(time.to_owned());
        }
    }
    let rows = fs::read_to_string(target.path().join("db/resources.jsonl")).unwrap();
    assert!(rows.lines().all(|row| serde_json::from_str::<serde_json::Value>(row).is_ok()));
    assert!(rows.contains(&first.name) && !rows.contains(captured));
}

#[test]
fn the_same_captures_give_the_same_bytes() {
    let targets = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [one, two] = targets.each_ref().map(small_fleet);
    for (one, two) in one.log_files.iter().zip(&two.log_files) {
        assert!(fs::read(one).unwrap() == fs::read(two).unwrap(), "{}", one.display());
    }
}
