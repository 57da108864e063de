//! `diagnose` and `works` on a fleet of which it is known what is broken.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

#[path = "../benches/fleet/made.rs"]
mod made;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::fleet::generate::random;
use crate::support::{collect, dacapo, run};
use made::{Fleet, Size, make};

const SMALL: Size = Size { works: 1000, consumers: 20 };

/// Findings above info that name no work: what explains the broken ones.
const REASONS: [&str; 8] = [
    "agent_silent",
    "broker_disconnects",
    "consumer_mismatch",
    "consumer_unknown",
    "database_errors",
    "decode_errors",
    "listener_lost",
    "publish_errors",
];

fn ask(command: &str, bundle: &Path) -> Value {
    let answer = run(dacapo().arg(command).arg(bundle).args(["--format", "json"]));
    assert!(matches!(answer.code, Some(0 | 1)), "{}", answer.describe());
    serde_json::from_str(&answer.stdout).unwrap()
}

/// The rules above info that name each work, and those that name none.
fn above_info<'a>(
    findings: &'a Value,
    works: &mut BTreeMap<&'a str, BTreeSet<&'a str>>,
    reasons: &mut BTreeSet<&'a str>,
) {
    for finding in findings.as_array().unwrap() {
        let rule = finding["rule"].as_str().unwrap();
        let named = finding["works"].as_array().unwrap();
        if finding["severity"] != "info" {
            for work in named {
                works.entry(work["resource_id"].as_str().unwrap()).or_default().insert(rule);
            }
            reasons.extend(Some(rule).filter(|_| named.is_empty()));
        }
        above_info(&finding["cause_of"], works, reasons);
    }
}

#[test]
fn every_broken_work_is_found_by_its_rule_and_no_other_work_is() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let fleet: Fleet = make(&dir.path().join("fleet"), SMALL).unwrap();
    assert!(fleet.lines > 100_000, "{}", fleet.lines);
    let bundle = collect(&dir.path().join("fleet"));
    let diagnosis = ask("diagnose", &bundle);
    let (mut found, mut reasons) = (BTreeMap::new(), BTreeSet::new());
    above_info(&diagnosis["findings"], &mut found, &mut reasons);
    let mut wrong = Vec::new();
    for broken in &fleet.broken {
        let rules = found.remove(broken.id.as_str()).unwrap_or_default();
        if !rules.contains(broken.way.rule()) {
            wrong.push(format!("{} is {:?}, and found by {rules:?}", broken.id, broken.way));
        }
    }
    wrong.extend(found.into_iter().map(|(id, rules)| format!("{id} is healthy, and found by {rules:?}")));
    wrong.extend(reasons.difference(&REASONS.into()).map(|rule| format!("{rule} is found")));
    // Among many agents as well, the one that serves nobody is the reason why a consumer has none.
    let roots = diagnosis["findings"].as_array().unwrap().iter();
    let undelivered: Vec<&Value> = roots.filter(|root| root["rule"] == "published_not_delivered").collect();
    assert!(undelivered.is_empty(), "nothing explains {undelivered:?}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let works = ask("works", &bundle);
    let broken: BTreeSet<&str> = fleet.broken.iter().map(|broken| broken.id.as_str()).collect();
    for work in works["works"].as_array().unwrap() {
        let healthy = !broken.contains(work["resource_id"].as_str().unwrap());
        assert!(!healthy || work["outcome"] == "completed" && work["version_observed"] == 3, "{work}");
    }
    assert_eq!(works["works"].as_array().unwrap().len(), fleet.works);
}

#[test]
fn the_same_size_gives_the_same_bytes() {
    let few = Size { works: 40, consumers: 4 };
    let dirs = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let fleets = dirs.each_ref().map(|dir| make(dir.path(), few).unwrap());
    assert_eq!(fleets[0].lines, fleets[1].lines);
    for file in ["db/resources.jsonl", "logs/mgmt-001/maestro/maestro-agent-6c8d9f7b4-00001/maestro-agent.log"] {
        let [one, other] = dirs.each_ref().map(|dir| fs::read_to_string(dir.path().join(file)).unwrap());
        assert!(!one.is_empty() && one == other, "{file}");
    }
}
