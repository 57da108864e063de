//! `diagnose` finds what was done to every captured scenario, and nothing where nothing was done.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use dacapo::query::Row;
use dacapo::query::rules::{Looked, RULES, Rule};
use serde_json::Value;

use crate::docs::equals_page;
use crate::support::{Contract, chosen_scenarios, collect, dacapo, on_two_threads, run, unpack};
use page::page;
pub use page::{Said, stories};

/// What must be found above info, wherever it stands; everywhere else nothing may be.
const INJECTED: &[(&str, &[&str])] = &[
    ("agent-broker-cut", &["broker_disconnects", "publish_errors", "status_missing"]),
    ("agent-down", &["agent_silent", "published_not_delivered", "resource_without_applied_work"]),
    ("agent-killed-after-apply", &["agent_silent", "status_missing"]),
    ("agent-stale-update", &["agent_silent", "published_not_delivered", "status_version_behind"]),
    (
        "agent-wrong-consumer",
        &["agent_silent", "consumer_mismatch", "published_not_delivered", "resource_without_applied_work"],
    ),
    ("amw-evicting", &["applied_work_without_resource"]),
    ("amw-hubhash-changed", &["applied_by_two_agents"]),
    ("apply-conflict", &["apply_failed"]),
    ("apply-invalid-manifest", &["apply_failed", "not_available", "manifest_not_applied"]),
    ("apply-rbac-denied", &["apply_failed", "not_available", "manifest_not_applied"]),
    ("broadcast-owner-dead", &["instance_stale", "status_event_unhandled", "status_version_behind"]),
    (
        "broker-down-create",
        &[
            "broker_disconnects",
            "spec_event_unreconciled",
            "resource_without_applied_work",
            "event_queue_lag",
            "publish_errors",
        ],
    ),
    // One agent was not back when the evidence was taken.
    ("broker-down-recovered", &["broker_disconnects"]),
    ("client-gone", &["subscriber_absent"]),
    ("delete-stuck-finalizer", &["delete_stuck"]),
    ("feedback-too-long", &["feedback_missing"]),
    (
        "grpc-agent-down",
        &["spec_event_unreconciled", "agent_silent", "resource_without_applied_work", "event_queue_lag"],
    ),
    (
        "listen-killed",
        &["listener_lost", "spec_event_unreconciled", "resource_without_applied_work", "event_queue_lag"],
    ),
    ("logs-only", &["agent_silent", "published_not_delivered"]),
    ("missing-crd", &["apply_failed", "not_available", "manifest_not_applied"]),
    ("name-collision", &["object_owned_twice"]),
    ("refused-unknown-consumer", &["consumer_unknown", "request_refused"]),
    ("server-broker-cut", &["broker_disconnects", "status_missing"]),
    ("server-broker-cut-lost", &["broker_disconnects", "status_missing"]),
    ("server-never-received", &["request_not_received"]),
    ("server-restart-mid-flight", &["status_not_broadcast"]),
    ("status-db-failure", &["database_errors", "status_event_unhandled"]),
    ("status-loop", &["hot_loop"]),
    ("status-not-broadcast", &["instance_stale", "status_not_broadcast"]),
    ("two-faults", &["published_not_delivered", "apply_failed", "not_available", "manifest_not_applied"]),
    ("zap-agent-down", &["agent_silent", "published_not_delivered", "resource_without_applied_work"]),
    ("zap-apply-invalid-manifest", &["apply_failed", "not_available", "manifest_not_applied"]),
    ("zap-delete-stuck-finalizer", &["delete_stuck"]),
];

/// Where more than one thing was done; everywhere else all that is above info follows from one finding.
const SEVERAL: &[(&str, usize)] = &[("two-faults", 2)];

/// What must be found where nothing waits for somebody.
const WORTH_KNOWING: &[(&str, &[&str])] = &[
    ("agent-down-recovered", &["restarts"]),
    ("agent-logs-late", &["log_window_short"]),
    ("broker-down-recovered", &["publish_errors", "event_queue_lag"]),
    ("low-verbosity", &["verbosity_low"]),
    ("purged-events", &["events_purged"]),
    // The client was told, and the work is as it was.
    ("refused-invalid-work", &["request_refused"]),
    ("replica-logs-missing", &["replica_log_missing"]),
    ("two-faults", &["replica_log_missing"]),
];

/// `diagnose BUNDLE … --format json`: the exit code and the object, which keeps the documented contract.
pub fn diagnose_json(bundle: &Path, arguments: &[&str]) -> (i32, Value) {
    static SCHEMA: LazyLock<Contract> = LazyLock::new(|| Contract::new("diagnose.schema.json"));
    let answer = run(dacapo().arg("diagnose").arg(bundle).args(arguments).args(["--format", "json"]));
    let Some(code @ (0 | 1)) = answer.code else { panic!("{}", answer.describe()) };
    let value: Value = serde_json::from_str(&answer.stdout).unwrap();
    SCHEMA.kept_by(&value).unwrap();
    (code, value)
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("snapshots/{name}.dacapo"))
}

/// What each rule says of a bundle: one word.
pub fn said(answer: &Value) -> BTreeMap<String, Said> {
    let mut said = BTreeMap::new();
    add_found(&answer["findings"], &mut said);
    let rule = |of: &Value| of["rule"].as_str().unwrap().to_owned();
    for clear in answer["clear"].as_array().unwrap() {
        said.insert(rule(clear), if clear["checked"] == 0 { Said::Idle } else { Said::Clear });
    }
    for untold in answer["unknown"].as_array().unwrap() {
        said.insert(rule(untold), Said::Unknown);
    }
    said
}

/// Findings stand below those that they follow from.
fn add_found(findings: &Value, said: &mut BTreeMap<String, Said>) {
    for finding in findings.as_array().unwrap() {
        let found = if finding["severity"] == "info" { Said::Info } else { Said::Found };
        let before = said.entry(finding["rule"].as_str().unwrap().to_owned()).or_insert(found);
        *before = (*before).max(found);
        add_found(&finding["cause_of"], said);
    }
}

fn with(said: &BTreeMap<String, Said>, word: Said) -> impl Iterator<Item = &str> {
    said.iter().filter(move |(_, said)| **said == word).map(|(rule, _)| rule.as_str())
}

#[test]
fn what_was_done_to_a_scenario_is_found_and_nothing_else() {
    let scenarios = chosen_scenarios();
    let all = on_two_threads(&scenarios, |scenario| {
        let dir = unpack(scenario);
        let (code, answer) = diagnose_json(&collect(&dir.path().join(scenario)), &[]);
        let roots =
            answer["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] != "info").count();
        (code, said(&answer), roots)
    });
    let mut wrong = Vec::new();
    for (scenario, (code, said, roots)) in scenarios.iter().zip(&all) {
        let injected = INJECTED.iter().find(|(name, _)| name == scenario).map_or(&[][..], |(_, rules)| rules);
        let expected: BTreeSet<&str> = injected.iter().copied().collect();
        let found: BTreeSet<&str> = with(said, Said::Found).collect();
        if found != expected {
            wrong.push(format!("{scenario}: found {found:?}, not {expected:?}"));
        }
        let known = WORTH_KNOWING.iter().filter(|(name, _)| name == scenario).flat_map(|(_, rules)| *rules);
        let unsaid = known.filter(|rule| said.get(**rule) != Some(&Said::Info));
        wrong.extend(unsaid.map(|rule| format!("{scenario}: {rule} says {:?}", said.get(*rule))));
        let causes = SEVERAL.iter().find(|(name, _)| name == scenario).map_or(1, |(_, causes)| *causes);
        if *roots != causes.min(expected.len()) {
            wrong.push(format!("{scenario}: {roots} findings follow from nothing, not {causes}"));
        }
        if (*code == 0) != expected.is_empty() {
            wrong.push(format!("{scenario}: exit code {code}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    if scenarios == crate::support::scenarios() {
        let said: Vec<(&str, &BTreeMap<String, Said>)> =
            scenarios.iter().map(String::as_str).zip(all.iter().map(|(_, said, _)| said)).collect();
        equals_page("scenarios.md", &page(&said));
    }
}

#[test]
fn an_agent_that_is_away_explains_the_works_that_wait_for_it() {
    let (code, answer) = diagnose_json(&sample("stuck-in-delivery"), &[]);
    assert_eq!(code, 1);
    let first = &answer["findings"][0];
    assert_eq!(first["rule"], "agent_silent");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["cause_of"][0]["rule"], "published_not_delivered");
    assert_eq!(first["cause_of"][0]["works"][0]["work_name"], "web-frontend");
    let (code, _) = diagnose_json(&sample("stuck-in-delivery"), &["--fail-on", "never"]);
    assert_eq!(code, 0);
}

#[test]
fn every_rule_says_what_it_means_and_keeps_the_contract() {
    let all = Rule::all();
    assert_eq!(all.len(), RULES.len());
    for rule in &all {
        let header = &rule.header;
        for (part, text) in [("title", &header.title), ("means", &header.means), ("comes about", &header.comes_about)] {
            assert!(!text.is_empty(), "{} has no {part}", rule.name);
        }
        assert!(["error", "warning", "info"].contains(&header.severity.as_str()), "{}", rule.name);
        assert!(!header.check.is_empty() && !header.next.is_empty(), "{}", rule.name);
        for other in header.explains.iter().chain(&header.follows) {
            assert!(all.iter().any(|rule| rule.name == *other), "{} names {other}, which is no rule", rule.name);
        }
        assert_eq!(Looked::COLUMNS.len(), 10);
    }
}

#[test]
fn the_rule_of_the_page_is_asked_like_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnose.md")).unwrap();
    let sql = page.split("```sql\n").nth(1).unwrap().split("```").next().unwrap();
    std::fs::write(folder.path().join("waits_for_a_day.sql"), sql.replace("1 day", "1 second")).unwrap();
    let rules = folder.path().to_str().unwrap();
    let arguments = ["--rules", rules, "--rule", "waits_for_a_day"];
    let (code, answer) = diagnose_json(&sample("stuck-in-delivery"), &arguments);
    assert_eq!(code, 1);
    assert_eq!(answer["findings"][0]["rule"], "waits_for_a_day");
}

#[test]
fn the_statement_that_a_rule_names_next_shows_what_it_found() {
    let all = Rule::all();
    for (scenario, name) in [
        ("broker-down-create", "publish_errors"),
        ("status-db-failure", "database_errors"),
        ("feedback-too-long", "feedback_missing"),
    ] {
        let dir = unpack(scenario);
        let bundle = collect(&dir.path().join(scenario));
        let (_, answer) = diagnose_json(&bundle, &["--rule", name]);
        let work = answer["findings"][0]["works"][0]["resource_id"].as_str().unwrap_or_default();
        let next = &all.iter().find(|rule| rule.name == name).unwrap().header.next[0];
        let next = next.replace("id=…", &format!("id={work}"));
        let words = next.strip_prefix("dacapo query BUNDLE ").unwrap().split(' ');
        let shown = run(dacapo().arg("query").arg(&bundle).args(words).args(["--format", "csv"]));
        assert!(shown.code == Some(0) && shown.stdout.lines().count() > 1, "{name}: {}", shown.describe());
    }
}

#[test]
fn explain_tells_rules_and_names_near_ones() {
    let told = run(dacapo().args(["explain", "agent_silent"]));
    assert_eq!(told.code, Some(0));
    assert!(told.stdout.contains("comes about"), "{}", told.describe());
    let all = run(dacapo().args(["explain", "--format", "json"]));
    let all: Value = serde_json::from_str(&all.stdout).unwrap();
    Contract::new("rules.schema.json").kept_by(&all).unwrap();
    assert_eq!(all["rules"].as_array().unwrap().len(), RULES.len());
    let near = run(dacapo().args(["explain", "agent_silence"]));
    assert_eq!(near.code, Some(2));
    assert!(near.stderr.contains("agent_silent"), "{}", near.describe());
}

/// A pipeline counts what failed, and that depends on what was asked.
#[test]
fn junit_has_a_case_for_each_rule_and_fails_from_the_severity_that_is_given() {
    for (fail_on, failures) in [("error", 2), ("warning", 3), ("never", 0)] {
        let bundle = sample("stuck-in-delivery");
        let answer = run(dacapo().arg("diagnose").arg(bundle).args(["--format", "junit", "--fail-on", fail_on]));
        assert_eq!(answer.code, Some(i32::from(failures > 0)), "{}", answer.describe());
        let read = roxmltree::Document::parse(&answer.stdout).unwrap();
        let count = |name: &str| read.descendants().filter(|node| node.has_tag_name(name)).count();
        let suite = read.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
        let said = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
        assert_eq!((count("testcase"), said("tests")), (RULES.len(), RULES.len()));
        assert_eq!((count("failure"), said("failures")), (failures, failures));
        assert_eq!(count("skipped"), said("skipped"));
        assert!(count("skipped") > 0);
    }
}

#[test]
fn junit_is_a_form_of_no_other_answer() {
    let refused = run(dacapo().args(["inspect"]).arg(sample("healthy")).args(["--format", "junit"]));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("possible values: text, json, markdown, csv"), "{}", refused.stderr);
}
