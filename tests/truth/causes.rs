//! The cause that is told names what was really done.
//!
//! `truth.json` has the cause in an expert's sentence. Sentences cannot be compared, so the words that decide stand here;
//! a request that stopped and is not listed fails the test.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use serde_json::Value;

use crate::support::truth::{Focus, Truth};
use crate::support::{chosen_scenarios, collect, on_two_threads, trace_json, unpack};

/// Scenario, work, and words that its cause, its notes or the findings about its manifests must have.
const DECISIVE: &[(&str, &str, &[&str])] = &[
    ("agent-broker-cut", "web-frontend", &["agent of cluster1", "cannot reach the broker", "cannot send the status"]),
    ("agent-down", "web-frontend", &["agent of cluster1", "shut down"]),
    ("agent-down-recovered", "web-frontend", &["healed", "by resync"]),
    ("agent-killed-after-apply", "web-frontend", &["agent of cluster1", "after it had applied", "died or hangs"]),
    ("agent-stale-update", "web-frontend", &["agent of cluster1", "shut down"]),
    ("agent-wrong-consumer", "web-frontend", &["no agent serves consumer cluster1", "runs as cluster-1"]),
    (
        "amw-evicting",
        "web-frontend",
        &["the database does not know", "nothing in the material asks for its deletion", "evicts"],
    ),
    ("amw-hubhash-changed", "web-frontend", &["2 AppliedManifestWorks", "hub hash"]),
    ("apply-conflict", "ssa-work", &["conflict with \"other-operator\": .data.owner", "demo/shared-config"]),
    ("apply-invalid-manifest", "bad-deploy", &["Deployment demo/bad-deploy", "`selector` does not match"]),
    ("apply-rbac-denied", "web-frontend", &["forbidden", "maestro-agent-sa", "deployments"]),
    ("broadcast-owner-dead", "web-frontend", &["fnfwg, is gone", "as not owned"]),
    ("broker-down-create", "web-frontend", &["cannot reach the message broker", "every publish of its event fails"]),
    ("broker-down-recovered", "web-frontend", &["healed", "publishing failed"]),
    ("client-gone", "web-frontend", &["no client of source mw-client-example was connected"]),
    ("delete-stuck-finalizer", "web-frontend", &["ConfigMap demo/web-frontend-config", "finalizer example.com/never"]),
    ("grpc-agent-down", "web-frontend", &["gRPC broker", "agent of cluster1 is not connected to any"]),
    ("listen-killed", "web-frontend", &["no replica listened to the database", "nobody picked the event up"]),
    ("logs-only", "web-frontend", &["agent of cluster1", "shut down"]),
    ("missing-crd", "widget-work", &["Widget demo/w1", "doesn't have a resource type \"Widget\""]),
    ("refused-invalid-work", "web-frontend", &["maestro-6"]),
    (
        "refused-unknown-consumer",
        "lost-work",
        &["cluster-unknown is not in the consumers table", "fk_resources_consumers"],
    ),
    ("server-broker-cut", "web-frontend", &["every server replica had lost its broker connection", "to nobody"]),
    ("server-broker-cut-lost", "web-frontend", &["lost its broker connection", "consumers by their database id"]),
    ("server-never-received", "portal-lost", &["client lost its gRPC connection", "never reached a server"]),
    ("server-restart-mid-flight", "web-frontend", &["d5s2w", "mw-client-example was subscribed to it"]),
    ("status-db-failure", "web-frontend", &["canceling statement due to statement timeout"]),
    ("status-not-broadcast", "web-frontend", &["rsm4r hangs", "never broadcast"]),
    ("status-stale-version", "web-frontend", &["version 1 was disregarded because version 3 was stored"]),
    ("two-faults", "work-a", &["no agent in the material serves cluster2"]),
    ("two-faults", "work-b", &["Deployment demo/work-b", "`selector` does not match"]),
    ("zap-agent-down", "web-frontend", &["agent of cluster1", "shut down"]),
    ("zap-apply-invalid-manifest", "bad-deploy", &["Deployment demo/bad-deploy", "`selector` does not match"]),
    (
        "zap-delete-stuck-finalizer",
        "web-frontend",
        &["ConfigMap demo/web-frontend-config", "finalizer example.com/never"],
    ),
];

#[test]
fn every_cause_names_what_was_done() {
    let wrong = on_two_threads(&chosen_scenarios(), |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let truth = Truth::read(&folder);
        let bundle = collect(&folder);
        let told = truth.focus.iter().filter(|focus| !focus.neighbour);
        told.filter_map(|focus| wrong_about(scenario, &bundle, focus)).collect::<Vec<String>>()
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn wrong_about(scenario: &str, bundle: &Path, focus: &Focus) -> Option<String> {
    let arguments = focus.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (_, answer) = trace_json(bundle, &arguments).unwrap();
    let work = &answer["works"][0];
    let request = &work["requests"][0];
    let stopped = matches!(focus.outcome.as_str(), "stopped" | "refused");
    let waits = focus.outcome == "in-progress";
    let listed = DECISIVE.iter().find(|(name, work, _)| *name == scenario && *work == focus.work);
    let Some((_, _, words)) = listed.filter(|_| stopped || focus.root_cause.is_some() && !waits) else {
        let untold = stopped.then(|| format!("{scenario} {}: its cause is not listed here", focus.name()));
        // What went well has no cause.
        return untold
            .or_else(|| (!request["cause"].is_null()).then(|| format!("{scenario} {}: a cause", focus.name())));
    };
    let said = [texts(&request["cause"]), texts(&request["notes"]), texts(&work["notes"]), texts(&work["manifests"])]
        .join("\n");
    let lacking: Vec<&&str> = words.iter().filter(|word| !said.contains(**word)).collect();
    let unproven = stopped && request["cause"]["evidence"].as_array().is_none_or(Vec::is_empty);
    (!lacking.is_empty() || unproven).then(|| format!("{scenario} {}: lacks {lacking:?} in {said:?}", focus.name()))
}

/// Every `text` below a value.
fn texts(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(texts).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let own = fields.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
            let below = fields.iter().filter(|(name, _)| *name != "quotes").map(|(_, field)| texts(field));
            std::iter::once(own).chain(below).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
