//! Evidence that lacks a source gives fewer answers, never other ones.
//!
//! `DACAPO_SCENARIOS=agent-down,missing-crd` tries only these.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::truth::{Focus, Truth};
use crate::support::{chosen_scenarios, dacapo, on_two_threads, run, trace_json, unpack};

/// Works of the background that are asked about in each bundle; they are all alike.
const NEIGHBOURS: usize = 1;

#[test]
fn dropping_a_source_never_makes_an_answer_wrong() {
    let scenarios = chosen_scenarios();
    let wrong = on_two_threads(&scenarios, |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let truth = Truth::read(&folder);
        let mut wrong = Vec::new();
        for source in sources(&folder, scenario.len()) {
            let hidden = dir.path().join("hidden");
            fs::rename(&source, &hidden).unwrap();
            let without = source.strip_prefix(&folder).unwrap().display().to_string();
            let found = wrong_without(&folder, &truth);
            wrong.extend(found.into_iter().map(|line| format!("{scenario} without {without}: {line}")));
            fs::rename(&hidden, &source).unwrap();
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{} wrong answers\n{}", wrong.len(), wrong.join("\n"));
}

/// What may be missing: the database, a pod's logs, the objects; and of the tables and clusters one, for all would take long.
fn sources(folder: &Path, some: usize) -> Vec<PathBuf> {
    let pods = below(&folder.join("logs")).iter().flat_map(|path| below(path)).flat_map(|path| below(&path)).collect();
    let whole = ["db", "kube"].map(|part| folder.join(part));
    let parts = whole.iter().filter_map(|part| below(part).into_iter().cycle().nth(some)).collect();
    let all: Vec<PathBuf> = [whole.to_vec(), parts, pods].concat();
    all.into_iter().filter(|path| path.exists()).collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn wrong_without(folder: &Path, truth: &Truth) -> Vec<String> {
    let bundle = folder.with_extension("dacapo");
    let answer = run(dacapo().arg("collect").arg("--from").arg(folder).arg("-o").arg(&bundle));
    // Of a scenario with one kind of evidence nothing may be left.
    if answer.code == Some(2) && answer.stderr.contains("there is no evidence") {
        return Vec::new();
    }
    assert_eq!(answer.code, Some(0), "{}: {}", folder.display(), answer.describe());
    let mut ids: Vec<&str> = truth.focus.iter().map(|focus| focus.resource_id.as_str()).collect();
    ids.dedup();
    let mut wrong = Vec::new();
    for id in ids {
        // A work that no row and no line names any more is not known.
        let Ok((_, answer)) = trace_json(&bundle, &[id]) else { continue };
        let own: Vec<&Focus> = truth.focus.iter().filter(|focus| focus.resource_id == id).collect();
        wrong.extend(wrong_about(&own, &answer["works"][0]["requests"]));
    }
    for work in truth.background().take(NEIGHBOURS) {
        let Ok((_, answer)) = trace_json(&bundle, &[&work.resource_id]) else { continue };
        // A request that the server refused left the work as it was.
        let requests = answer["works"][0]["requests"].as_array().into_iter().flatten();
        let outcome = requests.map(|request| &request["outcome"]).find(|outcome| **outcome != "refused");
        let untrue = outcome.filter(|outcome| **outcome != "completed" && **outcome != "unknown");
        wrong.extend(untrue.map(|outcome| format!("background work {}: {outcome}", work.work)));
    }
    wrong
}

fn wrong_about(focuses: &[&Focus], requests: &Value) -> Vec<String> {
    let requests = requests.as_array().map_or(&[][..], Vec::as_slice);
    let mut wrong = Vec::new();
    for focus in focuses {
        let is_it = |request: &&Value| {
            request["request"] == *focus.request
                && request["version"] == focus.version
                && focus.life.is_none_or(|life| request["life"] == life)
        };
        // A request that left no row is not known without the lines that name it.
        wrong.extend(requests.iter().find(is_it).map(|request| focus.untrue(request)).unwrap_or_default());
    }
    wrong
}
