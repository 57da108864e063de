//! `matrix` counts what `trace` tells of every request, and each request once.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dacapo::schema::Time;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mixing::rewrite::{by_another_clock, rewrite};
use crate::support::{Contract, chosen_scenarios, collect, dacapo, on_two_threads, run, trace_json, unpack};

/// At each hop a request comes to one of these.
const ENDS: [&str; 8] =
    ["passed", "stopped", "refused", "waiting", "not_reached", "superseded", "not_applicable", "unknown"];

/// `matrix BUNDLE … --format json`: the exit code and the object, which keeps the documented contract.
fn matrix_json(bundle: &Path, arguments: &[&str]) -> (i32, Value) {
    static SCHEMA: LazyLock<Contract> = LazyLock::new(|| Contract::new("matrix.schema.json"));
    let answer = run(dacapo().arg("matrix").arg(bundle).args(arguments).args(["--format", "json"]));
    let Some(code @ (0 | 1)) = answer.code else { panic!("{}", answer.describe()) };
    let value: Value = serde_json::from_str(&answer.stdout).unwrap();
    SCHEMA.kept_by(&value).unwrap();
    (code, value)
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("snapshots/{name}.dacapo"))
}

fn groups(answer: &Value) -> &[Value] {
    answer["groups"].as_array().unwrap()
}

fn count(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn requests(group: &Value) -> i64 {
    group["requests"].as_object().unwrap().values().map(count).sum()
}

fn works(bundle: &Path) -> (i32, Value) {
    let answer = run(dacapo().arg("works").arg(bundle).args(["--format", "json"]));
    (answer.code.unwrap(), serde_json::from_str(&answer.stdout).unwrap())
}

/// `DACAPO_SCENARIOS=agent-down,missing-crd` tries only these.
#[test]
fn every_request_is_counted_once_at_each_hop_of_every_scenario() {
    let wrong: Vec<String> = on_two_threads(&chosen_scenarios(), |scenario| {
        let dir = unpack(scenario);
        let bundle = collect(&dir.path().join(scenario));
        let (code, answer) = matrix_json(&bundle, &[]);
        let mut wrong = Vec::new();
        let (works_code, works) = works(&bundle);
        if code != works_code || answer["all"]["works"] != works["total"] {
            wrong.push(format!("{scenario}: exit code {code} of {}, works: {works_code}", answer["all"]["works"]));
        }
        for group in groups(&answer).iter().chain([&answer["all"]]) {
            for cell in group["hops"].as_array().unwrap() {
                let counted: i64 = ENDS.iter().map(|end| count(&cell[*end])).sum();
                if counted != requests(group)
                    || count(&cell["stuck"]) > count(&cell["stopped"]) + count(&cell["refused"])
                {
                    wrong.push(format!("{scenario}: {} requests, counted {cell}", requests(group)));
                }
            }
            let stuck: i64 = group["hops"].as_array().unwrap().iter().map(|cell| count(&cell["stuck"])).sum();
            if stuck != count(&group["stuck"]) {
                wrong.push(format!("{scenario}: {stuck} stuck at hops, not {}", group["stuck"]));
            }
        }
        wrong
    })
    .concat();
    assert!(wrong.is_empty(), "\n{} wrong answers\n{}", wrong.len(), wrong.join("\n"));
}

/// What a matrix must have at a hop, told by the traces of all works.
#[derive(Default)]
struct Expected {
    ends: BTreeMap<&'static str, i64>,
    stuck: i64,
    latencies: Vec<i64>,
    passed_at: Vec<String>,
}

fn end_of(request: &Value, hop: &Value) -> &'static str {
    let here = request["stops_at"] == hop["hop"];
    let missing = |hop: &&Value| hop["verdict"] == "missing";
    let first_missing = request["hops"].as_array().unwrap().iter().find(missing).map(|hop| &hop["hop"]);
    match (hop["verdict"].as_str().unwrap(), request["outcome"].as_str().unwrap()) {
        ("passed", _) => "passed",
        (_, "refused") if here => "refused",
        _ if here => "stopped",
        ("unknown", _) => "unknown",
        ("n/a", "superseded") => "superseded",
        ("n/a", _) => "not_applicable",
        (_, "in-progress") if first_missing == Some(&hop["hop"]) => "waiting",
        _ => "not_reached",
    }
}

fn micros(at: &Value) -> Option<i64> {
    at.as_str().map(|at| Time::parse(at).unwrap().micros())
}

/// The time of a hop where it is exact.
fn exact(hop: &Value) -> Option<i64> {
    let object = |reference: &Value| {
        let reference = reference.as_str().unwrap();
        reference.starts_with("kube_objects:") || reference.starts_with("applied_manifest_works:")
    };
    micros(&hop["at"]).filter(|at| at % 1_000_000 != 0 || !hop["evidence"].as_array().unwrap().iter().any(object))
}

/// Every work as its trace tells of it.
fn traced(bundle: &Path) -> Vec<Value> {
    let (_, works) = works(bundle);
    let ids = works["works"].as_array().unwrap().iter().map(|work| work["resource_id"].as_str().unwrap());
    ids.map(|id| trace_json(bundle, &[id]).unwrap().1["works"][0].take()).collect()
}

fn expected(works: &[Value], of: impl Fn(&Value, &Value, &Value) -> bool) -> Vec<Expected> {
    let mut expected: Vec<Expected> = (1..=9).map(|_| Expected::default()).collect();
    for work in works {
        for (place, request) in work["requests"].as_array().unwrap().iter().enumerate() {
            let mut before: Vec<&Value> = Vec::new();
            for (hop, told) in request["hops"].as_array().unwrap().iter().zip(&mut expected) {
                let end = end_of(request, hop);
                // An agent reports before it has applied everything.
                let early =
                    |other: &Value| hop["hop"] == 5 && other["hop"] == 4 && micros(&other["at"]) > micros(&hop["at"]);
                let last = before.iter().rev().find(|other| !early(other));
                let both = last.and_then(|before| Some(exact(hop)? - exact(before)?));
                if of(work, request, hop) {
                    *told.ends.entry(end).or_default() += 1;
                    told.stuck += i64::from(place == 0 && matches!(end, "stopped" | "refused"));
                    told.latencies.extend(both.filter(|latency| *latency >= 0 && end == "passed"));
                    told.passed_at.extend(hop["at"].as_str().filter(|_| end == "passed").map(str::to_owned));
                }
                before.extend(Some(hop).filter(|hop| !hop["at"].is_null()));
            }
        }
    }
    expected
}

/// The smallest value that is not below so many hundredths of all.
fn percentile(sorted: &[i64], hundredths: usize) -> i64 {
    sorted[(sorted.len() * hundredths).div_ceil(100) - 1]
}

fn assert_as_expected(group: &Value, expected: Vec<Expected>, what: &str) {
    for (cell, mut told) in group["hops"].as_array().unwrap().iter().zip(expected) {
        for end in ENDS {
            assert_eq!(count(&cell[end]), told.ends.get(end).copied().unwrap_or_default(), "{what}: {end} of {cell}");
        }
        assert_eq!(count(&cell["stuck"]), told.stuck, "{what}: {cell}");
        told.latencies.sort_unstable();
        let latency = told.latencies.last().map(|max| {
            let (p50, p95) = (percentile(&told.latencies, 50), percentile(&told.latencies, 95));
            json!({"measured": told.latencies.len(), "p50": p50, "p95": p95, "max": max})
        });
        assert_eq!(cell["latency_us"], json!(latency), "{what}: {cell}");
        assert_eq!(cell["first"], json!(told.passed_at.iter().min()), "{what}: {cell}");
        assert_eq!(cell["last"], json!(told.passed_at.iter().max()), "{what}: {cell}");
    }
}

#[test]
fn counts_and_percentiles_are_those_of_the_traces() {
    let scenarios = ["delete-overtakes-create", "refused-invalid-work", "two-faults", "rolling-update"];
    on_two_threads(&scenarios, |scenario| {
        let dir = unpack(scenario);
        let bundle = collect(&dir.path().join(scenario));
        let works = traced(&bundle);
        let (_, by_consumer) = matrix_json(&bundle, &[]);
        assert_as_expected(&by_consumer["all"], expected(&works, |_, _, _| true), scenario);
        for group in groups(&by_consumer) {
            let of = expected(&works, |work, _, _| work["consumer"] == group["name"]);
            assert_as_expected(group, of, &format!("{scenario} of {}", group["name"]));
        }
        let (_, by_pod) = matrix_json(&bundle, &["--by", "pod"]);
        let pod = &groups(&by_pod).iter().find(|group| !group["name"].is_null()).unwrap();
        assert_as_expected(pod, expected(&works, |_, _, hop| hop["where"] == pod["name"]), scenario);
        assert_eq!(by_pod["all"], by_consumer["all"], "{scenario}");
        let (_, deletes) = matrix_json(&bundle, &["--request", "delete"]);
        assert_as_expected(&deletes["all"], expected(&works, |_, request, _| request["request"] == "delete"), scenario);
    });
}

#[test]
fn what_others_skip_and_what_is_superseded_is_no_fault() {
    for (scenario, hop) in [("healthy-broadcast", 7), ("healthy-grpc-broker", 2), ("delete-overtakes-create", 2)] {
        let dir = unpack(scenario);
        let (code, answer) = matrix_json(&collect(&dir.path().join(scenario)), &["--by", "pod"]);
        assert_eq!((code, count(&answer["all"]["stuck"])), (0, 0), "{scenario}");
        let skipped = |group: &Value| count(&group["hops"][hop - 1]["skipped"]);
        assert!(skipped(&answer["all"]) > 0, "{scenario}");
        let by_pods: i64 = groups(&answer).iter().map(skipped).sum();
        assert_eq!(by_pods, skipped(&answer["all"]), "{scenario}: each line has one pod");
    }
}

#[test]
fn a_clock_that_is_off_gives_no_time_below_zero() {
    let scenario = "healthy-update";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let (_, right) = matrix_json(&collect(&folder), &[]);
    for seconds in [-3, 3] {
        let target = folder.with_file_name(format!("off{seconds}"));
        rewrite(&folder, &target, |file, text| by_another_clock(file, text, seconds));
        // The schema knows no latency below zero.
        let (_, off) = matrix_json(&collect(&target), &[]);
        for (cell, right) in off["all"]["hops"].as_array().unwrap().iter().zip(right["all"]["hops"].as_array().unwrap())
        {
            assert_eq!(cell["passed"], right["passed"], "{seconds} s: {cell}");
            if let (Some(p50), Some(of_right)) =
                (cell["latency_us"]["p50"].as_i64(), right["latency_us"]["p50"].as_i64())
            {
                assert!((p50 - of_right).abs() < 1_000_000, "{seconds} s: {cell} instead of {right}");
            }
        }
    }
}

#[test]
fn requests_are_chosen_as_works_are() {
    let bundle = sample("stuck-in-delivery");
    let (code, all) = matrix_json(&bundle, &[]);
    assert_eq!((code, count(&all["all"]["stuck"])), (1, 1));
    let (code, completed) = matrix_json(&bundle, &["--outcome", "completed"]);
    assert_eq!((code, count(&completed["all"]["stuck"])), (0, 0));
    assert_eq!(requests(&completed["all"]), count(&all["all"]["outcomes"]["completed"]));
    let (_, stopped) = matrix_json(&bundle, &["--stopped"]);
    assert_eq!(requests(&stopped["all"]), 1);
    assert_eq!(stopped["all"]["hops"][2]["stuck"], 1);
    let (code, nothing) = matrix_json(&bundle, &["--consumer", "nobody"]);
    assert_eq!((code, count(&nothing["total"]), requests(&nothing["all"])), (0, 0, 0));
    let since = stopped["all"]["hops"][1]["last"].as_str().unwrap();
    let (_, later) = matrix_json(&bundle, &["--since", since]);
    assert!(requests(&later["all"]) > 0 && requests(&later["all"]) < requests(&all["all"]));
    let missing = run(dacapo().args(["matrix", "absent.dacapo"]));
    assert_eq!(missing.code, Some(2));
}

/// Works as a database has them, one for each consumer. The event of one in fifty waits.
fn of_many_consumers(consumers: usize) -> (TempDir, PathBuf) {
    let dir = unpack("db-only");
    let first = |table: &str| -> Value {
        let text = std::fs::read_to_string(dir.path().join(format!("db-only/db/{table}.jsonl"))).unwrap();
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let (resource, event) = (first("resources"), first("events"));
    let (mut resources, mut events) = (String::new(), String::new());
    for number in 0..consumers {
        let id = uuid::Uuid::from_u128(0x5e5e_0000_0000_5000_8000_0000_0000_0000 + number as u128).to_string();
        let (mut resource, mut event) = (resource.clone(), event.clone());
        resource["id"] = json!(id);
        resource["name"] = json!(id);
        resource["consumer_name"] = json!(format!("a-management-cluster-with-a-long-name-{number:04}"));
        event["id"] = json!(uuid::Uuid::from_u128(number as u128).to_string());
        event["source_id"] = json!(id);
        if number % 50 == 49 {
            resource["version"] = json!(1);
            resource["status"] = Value::Null;
            event["reconciled_date"] = Value::Null;
        }
        resources += &format!("{resource}\n");
        events += &format!("{event}\n");
    }
    let db = dir.path().join("many/db");
    std::fs::create_dir_all(&db).unwrap();
    std::fs::write(db.join("resources.jsonl"), resources).unwrap();
    std::fs::write(db.join("events.jsonl"), events).unwrap();
    let bundle = collect(&dir.path().join("many"));
    (dir, bundle)
}

#[test]
fn two_hundred_consumers_fit_on_a_terminal_and_those_come_first_that_need_somebody() {
    let (_dir, bundle) = of_many_consumers(200);
    let (_, all) = matrix_json(&bundle, &[]);
    assert_eq!((count(&all["total"]), groups(&all).len()), (200, 200));
    for show in ["counts", "p95"] {
        let text = run(dacapo().arg("matrix").arg(&bundle).args(["--show", show])).stdout;
        // A command is there to be copied, however long.
        let lines = text.lines().filter(|line| !line.starts_with("next "));
        let wide: Vec<&str> = lines.filter(|line| line.chars().count() > 100).collect();
        assert!(wide.is_empty(), "{wide:#?}");
        assert!(text.contains("180 more consumers are counted and not listed"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("  a-management-c")).count(), 20, "{text}");
    }
    let stuck = |group: &&Value| count(&group["stuck"]) > 0;
    assert_eq!((groups(&all).iter().filter(stuck).count(), count(&all["all"]["stuck"])), (4, 4));
    assert!(groups(&all)[..4].iter().all(|group| stuck(&group)));
    let (_, some) = matrix_json(&bundle, &["--limit", "4"]);
    assert_eq!(groups(&some), &groups(&all)[..4]);
    assert_eq!(some["all"], all["all"]);
}
