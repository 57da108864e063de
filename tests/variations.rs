//! Situations that were not captured, made from ones that were.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::truth::Truth;
use crate::support::{collect, trace_json, unpack};

const BEGUN: &str = "\"handle resource status update by the current instance\"";

/// Takes from a captured log what a server would not have written, had it hung over its first status: all that comes
/// of statuses after that.
fn hang(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap();
    let begun = text.lines().position(|line| line.contains(BEGUN)).unwrap();
    let of_status =
        ["status update", "status delete", "resource status", "manifestbundles.status.", "status for stale"];
    let kept =
        text.lines().enumerate().filter(|(at, line)| *at <= begun || !of_status.iter().any(|word| line.contains(word)));
    let (lines, last): (Vec<&str>, &str) = (kept.map(|(_, line)| line).collect(), text.lines().nth(begun).unwrap());
    fs::write(log, lines.join("\n") + "\n").unwrap();
    last.split("resourceID=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

fn change_rows(file: &Path, change: impl Fn(&mut Value)) {
    let rows = fs::read_to_string(file).unwrap();
    let changed = rows.lines().map(|row| {
        let mut row: Value = serde_json::from_str(row).unwrap();
        change(&mut row);
        format!("{row}\n")
    });
    fs::write(file, changed.collect::<String>()).unwrap();
}

/// No status was stored.
fn forget_statuses(folder: &Path) {
    change_rows(&folder.join("db/resources.jsonl"), |row| row["status"] = Value::Null);
    for table in ["status_events", "event_instances"] {
        fs::write(folder.join(format!("db/{table}.jsonl")), "").unwrap();
    }
}

/// A replica that waits for the database while it handles a status keeps all later statuses waiting.
#[test]
fn a_status_behind_one_that_hangs_is_not_received_and_the_cause_says_so() {
    let scenario = "healthy-create";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let truth = Truth::read(&folder);
    forget_statuses(&folder);
    fs::remove_dir_all(folder.join("logs/svc/client")).unwrap();
    let pods = fs::read_dir(folder.join("logs/svc/maestro")).unwrap();
    let hung: Vec<String> = pods.map(|pod| hang(&pod.unwrap().path().join("service.log"))).collect();
    let bundle = collect(&folder);
    let work = truth.focus.iter().find(|focus| !focus.neighbour).unwrap();
    let (_, answer) = trace_json(&bundle, &[&work.resource_id]).unwrap();
    let request = &answer["works"][0]["requests"][0];
    assert_eq!(request["stops_at"], 6, "{request}");
    let cause = request["cause"]["text"].as_str().unwrap_or_default();
    assert!(cause.contains("hangs") && hung.iter().any(|id| cause.contains(id)), "{cause}");

    // The first of those that hang was received, and not handled.
    let (_, answer) = trace_json(&bundle, &[&hung[0]]).unwrap();
    let request = &answer["works"][0]["requests"][0];
    assert_eq!(request["stops_at"], 7, "{request}");
    let cause = request["cause"]["text"].as_str().unwrap_or_default();
    assert!(cause.contains("began to handle the status") && cause.contains("never finished"), "{cause}");
}

/// A sweep marks the event of a delete that could not be published as reconciled after an hour. That is no publish.
#[test]
fn a_delete_that_was_put_away_after_failures_was_not_published() {
    let scenario = "broker-down-create";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let work = Truth::read(&folder).focus.into_iter().find(|focus| !focus.neighbour).unwrap();
    // What could not be published was a delete.
    change_rows(&folder.join("db/events.jsonl"), |row| {
        if row["reconciled_date"].is_null() {
            row["event_type"] = "Delete".into();
            row["reconciled_date"] = "2026-11-16T01:30:59.000000+00:00".into();
        }
    });
    change_rows(&folder.join("db/resources.jsonl"), |row| {
        if row["id"] == *work.resource_id {
            row["deleted_at"] = row["created_at"].clone();
        }
    });
    for pod in fs::read_dir(folder.join("logs/svc/maestro")).unwrap() {
        let log = pod.unwrap().path().join("service.log");
        let text = fs::read_to_string(&log).unwrap();
        let lines = text.lines().map(|line| match line.contains(&work.resource_id) {
            true => {
                line.replace("db row insert", "db row delete").replace("spec.create_request", "spec.delete_request")
            }
            false => line.to_owned(),
        });
        fs::write(&log, lines.map(|line| line + "\n").collect::<String>()).unwrap();
    }
    let (_, answer) = trace_json(&collect(&folder), &[&work.resource_id, "--request", "delete"]).unwrap();
    let request = &answer["works"][0]["requests"][0];
    assert_eq!(
        (request["stops_at"].as_i64(), &request["hops"][1]["verdict"]),
        (Some(2), &"failed".into()),
        "{request}"
    );
    let why = request["hops"][1]["why"].as_str().unwrap_or_default();
    assert!(why.contains("without a further attempt"), "{why}");
}
