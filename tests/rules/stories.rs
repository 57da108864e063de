//! Stories that were not captured, made from ones that were: people hand this over, and `collect` reads it.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::edits::{
    add_lines, agent_log, change_list, change_rows, copy_row, keep_rows, manifest_work, server_log, without_all_but,
};
use crate::mixing::rewrite::{by_another_clock, rewrite};

pub struct Story {
    pub name: &'static str,
    /// The captured scenario that it is made from.
    pub scenario: &'static str,
    /// What is changed in its folder.
    pub made: fn(&Path),
    /// Rules that find something; others find nothing above info.
    pub finds: &'static [&'static str],
    pub clears: &'static [&'static str],
    pub cannot_tell: &'static [&'static str],
}

pub const STORIES: &[Story] = &[
    Story {
        name: "somebody took an object away, made another anew and gave two works one name",
        scenario: "healthy-create",
        made: objects_and_names,
        finds: &["object_missing", "recreated_object_stale_status", "ambiguous_work_name", "nested_work_not_applied"],
        clears: &["source_denied", "object_owned_twice"],
        cannot_tell: &[],
    },
    Story {
        name: "processes tell of messages, subscriptions and clients that went wrong",
        scenario: "client-gone",
        made: words_of_trouble,
        finds: &[
            "decode_errors",
            "subscription_errors",
            "grpc_subscriber_errors",
            "resync_storm",
            "source_denied",
            "subscriber_absent",
        ],
        clears: &["publish_errors", "database_errors"],
        cannot_tell: &[],
    },
    Story {
        name: "what went wrong healed: a subscription came back, a client that left misses nothing",
        scenario: "healthy-create",
        made: healed,
        finds: &["subscription_errors", "grpc_subscriber_errors"],
        clears: &["nested_work_not_applied"],
        cannot_tell: &[],
    },
    Story {
        name: "the clock of an agent is off",
        scenario: "healthy-create",
        made: off_clock,
        finds: &["clock_skew"],
        clears: &["agent_silent"],
        cannot_tell: &[],
    },
    Story {
        name: "a loop runs over the full minute",
        scenario: "status-loop",
        made: over_the_full_minute,
        finds: &["hot_loop", "clock_skew"],
        clears: &["agent_silent"],
        cannot_tell: &[],
    },
    Story {
        name: "the cluster was asked a moment after the database",
        scenario: "healthy-create",
        made: a_moment_later,
        finds: &[],
        clears: &["applied_work_without_resource"],
        cannot_tell: &[],
    },
    Story {
        name: "the log of an agent that came back ends where it was started again",
        scenario: "agent-down-recovered",
        made: only_the_log_before,
        finds: &[],
        clears: &["agent_silent"],
        cannot_tell: &[],
    },
    Story {
        name: "a replica's log has a hole that its neighbour's has not",
        scenario: "healthy-create",
        made: hole,
        finds: &["log_gap"],
        clears: &["replica_log_missing"],
        cannot_tell: &[],
    },
    Story {
        name: "a log was quiet, and there is no other to compare",
        scenario: "healthy-create",
        made: quiet,
        finds: &[],
        clears: &[],
        cannot_tell: &["log_gap", "listener_lost", "database_errors", "request_not_received"],
    },
    Story {
        name: "a delete is published while the agent is away",
        scenario: "agent-down",
        made: delete_for_nobody,
        finds: &[
            "agent_silent",
            "published_not_delivered",
            "resource_without_applied_work",
            "undelivered_delete",
            "soft_deleted_yet_alive",
        ],
        clears: &["applied_work_without_resource"],
        cannot_tell: &[],
    },
    Story {
        name: "rows of works without a status, and nothing else",
        scenario: "agent-down",
        made: bare_rows,
        finds: &[],
        clears: &["ambiguous_work_name"],
        cannot_tell: &[
            "request_not_received",
            "request_refused",
            "spec_event_unreconciled",
            "published_not_delivered",
            "apply_failed",
            "status_missing",
            "status_event_unhandled",
            "status_not_broadcast",
            "subscriber_absent",
            "not_available",
            "status_version_behind",
            "delete_stuck",
            "undelivered_delete",
        ],
    },
    Story {
        name: "logs of clients, and nothing else",
        scenario: "healthy-create",
        made: clients_only,
        finds: &[],
        clears: &["request_not_received"],
        cannot_tell: &[
            "agent_silent",
            "broker_disconnects",
            "publish_errors",
            "subscription_errors",
            "listener_lost",
            "grpc_subscriber_errors",
            "database_errors",
            "decode_errors",
            "restarts",
            "resync_storm",
            "hot_loop",
            "clock_skew",
            "log_gap",
            "log_window_short",
            "verbosity_low",
        ],
    },
    Story {
        name: "a part of the tables, as a page of an answer has it",
        scenario: "healthy-create",
        made: pages,
        finds: &[],
        clears: &["not_available"],
        cannot_tell: &["applied_work_without_resource"],
    },
];

const MGMT: &str = "kube/mgmt";

fn objects_and_names(folder: &Path) {
    change_list(&folder.join(MGMT).join("objects.json"), |objects| {
        objects.retain(|object| object["metadata"]["name"] != "noise-00");
        let anew = objects.iter_mut().find(|object| object["metadata"]["name"] == "noise-02").unwrap();
        anew["metadata"]["uid"] = json!("00000000-0000-4000-8000-000000000001");
    });
    change_rows(&folder.join("db/resources.jsonl"), |row| {
        if row["payload"]["metadata"]["name"] == "noise-01" {
            row["payload"]["metadata"]["name"] = json!("noise-03");
        }
    });
    manifest_work(&folder.join(MGMT), json!(null));
}

fn words_of_trouble(folder: &Path) {
    let server = server_log(folder);
    add_lines(
        &server,
        &[
            r#"E{} 1 sourceclient.go:196] "failed to decode status" err="unmatched original source id other for resource x" eventType="io.open-cluster-management.works.v1alpha1.manifestbundles.status.update_request""#,
            r#"E{} 1 baseclient.go:216] "failed to subscribe after connection" err="not authorized" logger="maestro-server""#,
            r#"E{} 1 grpc_server.go:304] "failed to send heartbeat" err="rpc error: code = Unavailable desc = transport is closing""#,
        ],
    );
    let asked = r#"I{} 1 baseclient.go:183] "Sending event" eventType="io.open-cluster-management.works.v1alpha1.manifestbundles.spec.resync_request" extensions={"clustername":"cluster1","originalsource":""}"#;
    add_lines(&agent_log(folder), &[asked; 12]);
    // A compressed file whose end is lost.
    fs::write(folder.join("db/more.jsonl.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).unwrap();
}

fn healed(folder: &Path) {
    add_lines(
        &server_log(folder),
        &[
            r#"E{} 1 baseclient.go:216] "failed to subscribe after connection" err="not authorized" logger="maestro-server""#,
            r#"I{} 1 transport.go:157] "subscribed to mqtt broker" logger="maestro-server" topic="sources/maestro/consumers/+/agentevents" QoS=1"#,
            r#"E{} 1 grpc_server.go:304] "failed to send heartbeat" err="rpc error: code = Unavailable desc = transport is closing""#,
        ],
    );
    manifest_work(&folder.join(MGMT), json!([{"type": "Applied", "status": "True"}]));
}

fn off_clock(folder: &Path) {
    off_by(folder, 5);
}

/// It began at 13 seconds and ended at 35.
fn over_the_full_minute(folder: &Path) {
    off_by(folder, 36);
}

fn off_by(folder: &Path, seconds: i64) {
    let target = folder.with_file_name("off");
    rewrite(folder, &target, |file, text| by_another_clock(file, text, seconds));
    fs::remove_dir_all(folder).unwrap();
    fs::rename(target, folder).unwrap();
}

/// Meanwhile a work was made and applied.
fn a_moment_later(folder: &Path) {
    let id = "00000000-0000-4000-8000-00000000000e";
    change_list(&folder.join(MGMT).join("appliedmanifestworks.json"), |works| {
        let mut work = works[0].clone();
        let hub = work["metadata"]["name"].as_str().unwrap().split('-').next().unwrap().to_owned();
        work["metadata"]["name"] = json!(format!("{hub}-{id}"));
        work["metadata"]["uid"] = json!("00000000-0000-4000-8000-00000000000f");
        work["metadata"]["creationTimestamp"] = json!("2026-11-16T01:27:06Z");
        work["spec"]["manifestWorkName"] = json!(id);
        work["status"] = json!({});
        works.push(work);
    });
}

fn only_the_log_before(folder: &Path) {
    let log = super::edits::agent_log(folder);
    let before = log.with_extension("previous.log");
    assert!(before.exists());
    fs::remove_file(log).unwrap();
}

/// One replica goes on every half minute; the other is silent for twenty minutes before its last word.
fn hole(folder: &Path) {
    let line = r#"I{} 1 framework.go:256] "sync all unreconciled events" logger="maestro-server.maestro-controllers""#;
    let (one, other) = (server_log(folder), super::edits::other_server_log(folder));
    super::edits::add_lines_every(&one, line, 30, 42);
    super::edits::add_lines_every(&other, line, 20 * 60, 1);
}

fn quiet(folder: &Path) {
    let line = r#"I{} 1 baseclient.go:183] "Sending event" eventType="io.open-cluster-management.works.v1alpha1.manifestbundles.spec.resync_request" extensions={"clustername":"cluster1","originalsource":""}"#;
    super::edits::add_lines_every(&agent_log(folder), line, 30 * 60, 1);
    without_all_but(folder, &["logs/mgmt"]);
}

/// The delete of a work that was applied; the agent had gone before it.
fn delete_for_nobody(folder: &Path) {
    let at = "2026-11-16T01:31:38.800000+00:00";
    let events = folder.join("db/events.jsonl");
    let mut id = json!(null);
    change_rows(&folder.join("db/resources.jsonl"), |row| {
        if row["payload"]["metadata"]["name"] == "noise-00" {
            row["deleted_at"] = json!(at);
            id = row["id"].clone();
        }
    });
    copy_row(
        &events,
        |row| row["source_id"] == id,
        |row| {
            row["id"] = json!("00000000-0000-4000-8000-00000000000d");
            row["event_type"] = json!("Delete");
            for time in ["created_at", "updated_at", "reconciled_date"] {
                row[time] = json!(at);
            }
        },
    );
}

fn bare_rows(folder: &Path) {
    let rows = folder.join("db/resources.jsonl");
    keep_rows(&rows, |row| ["web-frontend", "noise-00"].iter().any(|name| row["payload"]["metadata"]["name"] == *name));
    change_rows(&rows, |row| {
        row["status"] = json!(null);
        if row["payload"]["metadata"]["name"] == "noise-00" {
            row["deleted_at"] = json!("2026-11-16T01:31:40.000000+00:00");
        }
    });
    without_all_but(folder, &["db/resources.jsonl"]);
}

fn clients_only(folder: &Path) {
    without_all_but(folder, &["logs/svc/client"]);
}

/// The answer of Maestro's REST API to a question about one page of many.
fn pages(folder: &Path) {
    let rows = super::edits::rows(&folder.join("db/resources.jsonl"));
    let items: Vec<_> = rows.into_iter().take(3).map(super::edits::as_rest).collect();
    let page = json!({"kind": "ResourceBundleList", "page": 1, "size": 3, "total": 9, "items": items});
    without_all_but(folder, &["kube"]);
    fs::create_dir_all(folder.join("db")).unwrap();
    fs::write(folder.join("db/resource-bundles.json"), page.to_string()).unwrap();
}
