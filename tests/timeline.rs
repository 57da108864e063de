//! Timelines and steps against the evidence they are made from.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use crate::support::truth::Truth;
use crate::support::{collect, dacapo, on_two_threads, run, trace_json, unpack};
use dacapo::bundle::{About, Writer};
use dacapo::schema::{AppliedManifestWork, Cell, Kind, LogLine, Record, Resource, Time};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Old builds and new, every verbosity, deletes, works that share an object, statuses without end.
const SCENARIOS: &[&str] = &[
    "healthy-delete",
    "healthy-recreate",
    "healthy-v4",
    "healthy-big-v5",
    "zap-apply-invalid-manifest",
    "name-collision",
    "status-loop",
    "agent-down",
];

struct Case {
    _dir: TempDir,
    folder: PathBuf,
    bundle: PathBuf,
    ids: BTreeSet<String>,
}

impl Case {
    fn open(scenario: &str) -> Self {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let bundle = collect(&folder);
        let ids = Truth::read(&folder).focus.into_iter().map(|focus| focus.resource_id).collect();
        Self { _dir: dir, folder, bundle, ids }
    }

    fn work(&self, id: &str, more: &[&str]) -> Value {
        let arguments: Vec<&str> = [&[id], more].concat();
        let (_, answer) = trace_json(&self.bundle, &arguments).unwrap();
        answer["works"][0].clone()
    }

    fn timeline(&self, id: &str, more: &[&str]) -> Vec<Value> {
        let work = self.work(id, &[&["--timeline"], more].concat());
        work["timeline"].as_array().unwrap().clone()
    }
}

/// Every line of every log below a folder, with the folder of its pod.
fn log_lines(folder: &Path) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut folders = vec![folder.join("logs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let pod = folder.file_name().unwrap().to_string_lossy().into_owned();
            let text = String::from_utf8_lossy(&std::fs::read(&entry).unwrap()).into_owned();
            lines.extend(text.lines().map(|line| (pod.clone(), line.to_owned())));
        }
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn a_timeline_is_whole_and_in_order_and_changes_no_verdict() {
    let found_by_object = on_two_threads(SCENARIOS, |scenario| {
        let case = Case::open(scenario);
        let mut found = 0;
        for id in &case.ids {
            let name = format!("{scenario} {id}");
            let work = case.work(id, &["--timeline", "--raw"]);
            let timeline = work["timeline"].as_array().unwrap();
            has_every_line_with_the_id(&name, &case, id, timeline);
            goes_forward(&name, timeline);
            found += finds_objects_where_the_work_is(&name, timeline);
            let plain = case.work(id, &[])["requests"].clone();
            assert_eq!(work["requests"], plain, "{name}");
            assert_eq!(without_steps(case.work(id, &["--detail"])), plain, "{name}");
        }
        found
    });
    assert!(found_by_object.iter().sum::<usize>() > 0);
}

fn has_every_line_with_the_id(name: &str, case: &Case, id: &str, timeline: &[Value]) {
    let told: Vec<(&str, &str)> = timeline.iter().map(|one| (text(&one["where"]), text(&one["text"]))).collect();
    for (pod, line) in log_lines(&case.folder).iter().filter(|(_, line)| line.contains(id)) {
        let is_told = told.iter().any(|(place, text)| place == pod && text.contains(line.as_str()));
        assert!(is_told, "{name}: {pod}: {line}");
    }
}

/// Times do not go back, what has none is last, and nothing is there twice.
fn goes_forward(name: &str, timeline: &[Value]) {
    let timed = timeline.iter().take_while(|one| !one["at"].is_null()).count();
    assert!(timeline.iter().skip(timed).all(|one| one["at"].is_null()), "{name}");
    let exact: Vec<&Value> = timeline.iter().take(timed).filter(|one| one["source"] != "cluster").collect();
    for pair in exact.windows(2) {
        assert!(text(&pair[0]["at"]) <= text(&pair[1]["at"]), "{name}: {pair:?}");
    }
    let told: BTreeSet<(&str, &str)> =
        timeline.iter().map(|one| (text(&one["evidence"]), text(&one["what"]))).collect();
    assert_eq!(told.len(), timeline.len(), "{name}: something is told twice");
}

/// A line that only names an object is of the agent that had the work, and not from before it had it.
fn finds_objects_where_the_work_is(name: &str, timeline: &[Value]) -> usize {
    let received = timeline.iter().find(|one| text(&one["what"]).starts_with("Received event spec."));
    let by_object = timeline.iter().filter(|one| one["matched_by"] == "object" && one["source"] == "agent");
    by_object.clone().for_each(|line| {
        let received = received.unwrap();
        assert_eq!(line["where"], received["where"], "{name}: {line}");
        assert!(text(&line["at"]) >= text(&received["at"]), "{name}: {line}");
    });
    by_object.count()
}

fn without_steps(mut work: Value) -> Value {
    let requests = work["requests"].as_array_mut().unwrap().iter_mut();
    for hop in requests.flat_map(|request| request["hops"].as_array_mut().unwrap()) {
        hop.as_object_mut().unwrap().remove("steps").unwrap();
    }
    work["requests"].take()
}

/// What the agent says of the objects of a work that it deletes again, to the last line.
#[test]
fn every_line_about_the_objects_of_a_deleted_work_is_found() {
    let case = Case::open("healthy-delete");
    let objects = [("demo", "frontend"), ("demo", "web-frontend-config")];
    for id in case.ids.iter().filter(|id| case.work(id, &[])["work_name"] == "web-frontend") {
        let timeline = case.timeline(id, &["--only", "agent", "--raw"]);
        let told: Vec<&str> = timeline.iter().map(|one| text(&one["text"])).collect();
        let names = |line: &str| {
            objects.iter().any(|(namespace, name)| {
                line.contains(&format!("resourceNamespace=\"{namespace}\" resourceName=\"{name}\""))
                    || line.contains(&format!("/{name} -n {namespace} "))
            })
        };
        let lines = log_lines(&case.folder);
        let expected: Vec<&String> = lines.iter().map(|(_, line)| line).filter(|line| names(line)).collect();
        assert!(expected.len() >= 2 * objects.len(), "made and removed");
        for line in expected {
            assert!(told.contains(&line.as_str()), "{line}");
        }
    }
}

#[test]
fn a_timeline_keeps_to_its_limits() {
    let case = Case::open("healthy-recreate");
    for id in case.ids.iter().take(1) {
        let whole = case.timeline(id, &[]);
        let agent = case.timeline(id, &["--only", "agent,cluster"]);
        assert!(!agent.is_empty() && agent.iter().all(|one| one["source"] == "agent" || one["source"] == "cluster"));
        let middle = text(&whole[whole.len() / 2]["at"]);
        let first = case.timeline(id, &["--until", middle]);
        let second = case.timeline(id, &["--since", middle]);
        let timed = whole.iter().filter(|one| !one["at"].is_null()).count();
        let both = first.iter().filter(|one| second.contains(one) || one["at"] == middle).count();
        assert!(first.len() + second.len() - both <= timed && first.len() + second.len() >= timed);
        assert!(case.timeline(id, &["--until", "10000d"]).is_empty());
    }
}

/// A request's own timeline has every row that its verdicts rest on, and nothing of the receipt of others.
#[test]
fn the_timeline_of_a_request_is_about_that_request() {
    for scenario in ["healthy-recreate", "healthy-update"] {
        let case = Case::open(scenario);
        for id in case.ids.iter().filter(|id| case.work(id, &[])["work_name"] == "web-frontend") {
            let requests = case.work(id, &[])["requests"].as_array().unwrap().clone();
            for request in &requests {
                let (version, life) = (request["version"].to_string(), request["life"].to_string());
                let chosen = ["--request", text(&request["request"]), "--version", &version, "--life", &life];
                let told = case.timeline(id, &chosen);
                let told: BTreeSet<&str> = told.iter().map(|one| text(&one["evidence"])).collect();
                let hops = request["hops"].as_array().unwrap().iter();
                let own = hops.take(3).flat_map(|hop| hop["evidence"].as_array().unwrap());
                for evidence in own.map(text).filter(|evidence| evidence.starts_with("log_lines:")) {
                    assert!(told.contains(evidence), "{scenario} {id} {chosen:?}: {evidence}");
                }
                for other in requests.iter().filter(|other| *other != request) {
                    let receipt = text(&other["hops"][0]["evidence"][0]);
                    assert!(!told.contains(receipt), "{scenario} {id} {chosen:?}: {receipt}");
                }
            }
        }
    }
}

#[test]
fn retries_are_counted() {
    let case = Case::open("broker-down-create");
    let lines = log_lines(&case.folder);
    for id in &case.ids {
        let count = |message: &str| {
            let own = lines.iter().filter(|(pod, line)| !pod.contains("agent") && line.contains(id.as_str()));
            own.filter(|(_, line)| line.contains(message)).count()
        };
        let work = case.work(id, &["--detail"]);
        let steps = work["requests"][0]["hops"][1]["steps"].as_array().unwrap().clone();
        let step = |name: &str| steps.iter().find(|step| step["step"] == name).unwrap()["count"].clone();
        assert_eq!(step("picked up"), count("\"Publishing resource for db row insert\""));
        assert_eq!(step("stored"), 1);
    }
}

#[test]
fn an_answer_to_a_resync_is_told_as_one() {
    let case = Case::open("agent-down-recovered");
    let work = case.work("web-frontend", &["--detail"]);
    let steps = work["requests"][0]["hops"][2]["steps"].as_array().unwrap().clone();
    let received = steps.iter().find(|step| step["step"] == "received").unwrap();
    assert_eq!(received["about"][0]["text"], "spec.resync_response");
}

#[test]
fn csv_has_everything_that_json_has() {
    let case = Case::open("status-loop");
    for id in &case.ids {
        let answer = run(dacapo().arg("trace").arg(&case.bundle).args([id, "--timeline", "--format", "csv"]));
        let mut reader = csv::Reader::from_reader(answer.stdout.as_bytes());
        let evidence = reader.headers().unwrap().iter().position(|name| name == "evidence").unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        let timeline = case.timeline(id, &[]);
        assert_eq!(rows.len(), timeline.len());
        for (row, one) in rows.iter().zip(&timeline) {
            assert_eq!(&row[evidence], text(&one["evidence"]));
        }
    }
}

/// A row that has these texts, and this time wherever a time fits.
fn forged<'a, R: Record<'a>>(texts: &[(&str, &'a str)], at: i64) -> R {
    let columns = R::TABLE.columns;
    let value = |index: usize| {
        let column = &columns[index];
        let text = texts.iter().find(|(name, _)| *name == column.name).map(|(_, text)| Cell::Text(text));
        match column.kind {
            Kind::Time => Cell::Time(Time::from_micros(at)),
            Kind::Int => Cell::Int(1),
            Kind::Bool => Cell::Bool(true),
            Kind::Text | Kind::Json => text.unwrap_or(Cell::Text("")),
            Kind::Bytes => Cell::Null,
        }
    };
    R::from_cells(value).unwrap()
}

/// Times at the end of what can be written, and sequence ids that are none.
#[test]
fn a_timeline_of_forged_rows_is_still_an_answer() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("forged.dacapo");
    let far = 8_000_000_000_000_000_000;
    let id = "496595f0-a531-5254-8ba1-38c71c30777e";
    let mut writer = Writer::create(&bundle).unwrap();
    for at in [far, -far, 0] {
        let row =
            [("id", id), ("consumer_name", "c"), ("payload", r#"{"time": 7}"#), ("status", r#"{"sequenceid": "-9"}"#)];
        writer.append(&forged::<Resource<'_>>(&row, at)).unwrap();
        let row =
            [("name", "n"), ("manifest_work_name", id), ("object", "{}"), ("applied_resources", r#"[{"name": "o"}]"#)];
        writer.append(&forged::<AppliedManifestWork<'_>>(&row, at)).unwrap();
        for message in ["Received event", "{\"response_status\":1", "x"] {
            let row =
                [("component", "agent"), ("consumer", "c"), ("message", message), ("resource_id", id), ("text", "t")];
            writer.append(&forged::<LogLine<'_>>(&row, at)).unwrap();
        }
    }
    writer.publish(About::default()).unwrap();
    for more in [&["--timeline", "--raw"][..], &["--detail"], &["--timeline", "--since", "1h"]] {
        let answer = run(dacapo().arg("trace").arg(&bundle).arg(id).args(more));
        assert!(matches!(answer.code, Some(0 | 1)), "{more:?}: {}", answer.describe());
    }
}
