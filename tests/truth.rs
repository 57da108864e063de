//! Every packed scenario is collected, traced, and compared with what an expert says about it.
//!
//! `tests/evidence/todo.txt` lists the scenarios that are not right yet. It can only shrink: a
//! listed scenario that is right fails the test, and so does an unlisted one that is wrong.
//! `DACAPO_SCENARIOS=agent-down,missing-crd` tries only these; `--nocapture` prints the differences
//! of listed ones too.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "the state of listed scenarios, for whoever works on them")]

mod causes;
mod citations;
mod manifests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::support::truth::{Background, Focus, Truth, difference};
use crate::support::{
    chosen_scenarios, dacapo, evidence_folder, on_two_threads, run, scenarios, trace_json, try_collect, unpack,
};
use manifests::wrong_about_manifests;

#[test]
fn every_scenario_is_judged_as_its_truth_says() {
    let todo = read_todo(&scenarios());
    let chosen = chosen_scenarios();
    let results = on_two_threads(&chosen, |scenario| wrong_about(scenario));
    let mut complaints = String::new();
    let mut right = 0;
    for (scenario, wrong) in chosen.iter().zip(results) {
        match (wrong.is_empty(), todo.get(scenario)) {
            (true, None) => right += 1,
            (true, Some(_)) => {
                writeln!(complaints, "{scenario}: right now: take it off tests/evidence/todo.txt\n").unwrap();
            }
            (false, None) => writeln!(complaints, "{scenario}\n  {}\n", wrong.join("\n  ")).unwrap(),
            (false, Some(reason)) => {
                println!("{scenario} (listed: {reason})\n  {}\n", wrong.join("\n  "))
            }
        }
    }
    println!("{right} of {} scenarios are right, {} are listed in todo.txt", chosen.len(), todo.len());
    assert!(complaints.is_empty(), "\n\n{complaints}");
}

/// The listed scenarios with their reasons; the list itself must be in order.
fn read_todo(known: &[String]) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(evidence_folder().join("todo.txt")).unwrap();
    let mut todo = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, reason) = line.split_once(':').unwrap_or((line, ""));
        assert!(!reason.trim().is_empty(), "todo.txt: {name} needs a reason: `scenario-name: reason`");
        assert!(known.iter().any(|k| k == name), "todo.txt: there is no scenario {name}");
        let earlier = todo.insert(name.to_owned(), reason.trim().to_owned());
        assert!(earlier.is_none(), "todo.txt: {name} is listed twice");
    }
    todo
}

/// Everything that is wrong about one scenario, one line each; empty when it is right.
fn wrong_about(scenario: &str) -> Vec<String> {
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let truth = Truth::read(&folder);
    let bundle = match try_collect(&folder) {
        Ok(bundle) => bundle,
        Err(why) => return vec![format!("collect: {why}")],
    };
    let mut wrong = Vec::new();
    for focus in &truth.focus {
        let found = wrong_about_request(scenario, &bundle, focus);
        let said = wrongly_said(&bundle, focus, &truth.must_not_say);
        wrong.extend(found.into_iter().chain(said).map(|line| format!("{}: {line}", focus.name())));
    }
    for work in truth.background() {
        let found = wrong_about_background(scenario, &bundle, work, truth.background_outcome());
        wrong.extend(found.into_iter().map(|line| format!("background work {}: {line}", work.work)));
    }
    wrong
}

/// The verdict, sentence and hops of one request, and that it is the one that was asked for.
fn wrong_about_request(scenario: &str, bundle: &Path, focus: &Focus) -> Vec<String> {
    let arguments = focus.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (code, answer) = match trace_json(bundle, &arguments) {
        Ok(answer) => answer,
        Err(why) => return vec![why],
    };
    let work = &answer["works"][0];
    let request = &work["requests"][0];
    let mut found = Vec::new();
    let mut same = |field: &str, expected: Value, got: &Value| {
        if expected != *got {
            found.push(difference(field, &expected.to_string(), got));
        }
    };
    same("format", "dacapo.trace/1".into(), &answer["format"]);
    same("id", focus.resource_id.clone().into(), &work["resource_id"]);
    if !work["work_name"].is_null() {
        // Not all evidence knows it: an AppliedManifestWork is named after the id.
        same("work name", focus.work.clone().into(), &work["work_name"]);
    }
    same("request", focus.request.clone().into(), &request["request"]);
    same("version", focus.version.into(), &request["version"]);
    if let Some(life) = focus.life {
        same("life", life.into(), &request["life"]);
    }
    if let Some(expected) = exit_code_of(&request["outcome"]) {
        same("exit code", expected.into(), &code.into());
    }
    found.extend(focus.differences(request));
    found.extend(wrong_about_manifests(scenario, &focus.work, work));
    found
}

/// 0 when completed, 1 when it is not and will not be; the words between leave the choice open.
fn exit_code_of(outcome: &Value) -> Option<i32> {
    match outcome.as_str() {
        Some("completed") => Some(0),
        Some("stopped" | "refused" | "unknown") => Some(1),
        _ => None,
    }
}

/// Statements of `must_not_say` that the text form makes about this request.
///
/// A healthy neighbour is left out, and a statement that this request's own truth makes is right
/// here ("completed" is wrong about version 2 and right about version 1).
fn wrongly_said(bundle: &Path, focus: &Focus, must_not_say: &[String]) -> Vec<String> {
    let own = format!("{} {}", focus.outcome, focus.sentence.as_deref().unwrap_or_default()).to_lowercase();
    if focus.neighbour {
        return Vec::new();
    }
    let answer = run(dacapo().arg("trace").arg(bundle).args(focus.arguments()).args(["--format", "text"]));
    let mut found = Vec::new();
    if answer.stdout.contains('\u{1b}') {
        found.push("the text form contains a raw escape character".to_owned());
    }
    // The file is called like the scenario, and its name may hold the words.
    let text = answer.stdout.replace(&bundle.display().to_string(), "BUNDLE");
    let said = statements(&text).join("\n").to_lowercase();
    for wrong in must_not_say.iter().map(|wrong| wrong.to_lowercase()) {
        if said.contains(&wrong) && !own.contains(&wrong) {
            found.push(format!("must not say {wrong:?}: {said:?}"));
        }
    }
    found
}

/// The lines in which dacapo speaks for itself: the first one, `why` and `next` with what continues
/// them. Quoted evidence (`log_lines:12 …`) is what somebody else said.
fn statements(text: &str) -> Vec<&str> {
    let mut inside = true;
    let mut said = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if !line.starts_with(' ') {
            inside = at == 0 || line.starts_with("why") || line.starts_with("next");
        }
        let quoted = line.split_whitespace().next().is_some_and(is_reference);
        if inside && !quoted && !line.is_empty() {
            said.push(line);
        }
        inside &= at != 0;
    }
    said
}

/// A work of the background has nothing to tell: its newest request came through. One that the server refused
/// left the work as it was.
fn wrong_about_background(scenario: &str, bundle: &Path, work: &Background, expected: &str) -> Vec<String> {
    match trace_json(bundle, &[&work.resource_id]) {
        Err(why) => vec![why],
        Ok((_, answer)) => {
            let requests = answer["works"][0]["requests"].as_array().map_or(&[][..], Vec::as_slice);
            let newest = requests.iter().map(|request| &request["outcome"]).find(|outcome| **outcome != "refused");
            let outcome = newest.unwrap_or(&Value::Null);
            let wrong = (*outcome != expected).then(|| difference("outcome", expected, outcome));
            wrong.into_iter().chain(wrong_about_manifests(scenario, &work.work, &answer["works"][0])).collect()
        }
    }
}

/// `table:row`, as every statement cites its evidence.
fn is_reference(word: &str) -> bool {
    word.split_once(':').is_some_and(|(table, row)| {
        !table.is_empty()
            && table.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            && !row.is_empty()
            && row.chars().all(|c| c.is_ascii_digit())
    })
}

#[test]
fn only_what_dacapo_says_itself_is_a_statement() {
    let text = "w on c: create v1 STOPPED\n\n  work name  w\n  1 received passed\n\nwhy    the agent is gone\n       \
                since 14:30\n       log_lines:12  pod  \"received\"\nnext   look there\n";
    let said = ["w on c: create v1 STOPPED", "why    the agent is gone", "       since 14:30", "next   look there"];
    assert_eq!(statements(text), said);
}
