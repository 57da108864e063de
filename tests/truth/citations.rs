//! Every statement cites rows of the bundle; each of them can be opened and says what it is cited
//! for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::truth::Truth;
use crate::support::{collect, dacapo, on_two_threads, run, trace_json, unpack};

#[test]
fn every_cited_row_can_be_opened_and_is_about_the_work() {
    let some = ["healthy-create", "agent-down", "apply-invalid-manifest", "healthy-delete"];
    let wrong: Vec<String> = on_two_threads(&some, |scenario| wrongly_cited(scenario)).concat();
    assert!(wrong.is_empty(), "\n\n{}\n", wrong.join("\n"));
}

fn wrongly_cited(scenario: &str) -> Vec<String> {
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let bundle = collect(&folder);
    let mut wrong = Vec::new();
    for focus in &Truth::read(&folder).focus {
        let answer = match trace_json(&bundle, &[&focus.resource_id]) {
            Ok((_, answer)) => answer,
            Err(why) => {
                wrong.push(format!("{scenario} {}: {why}", focus.work));
                continue;
            }
        };
        let work = &answer["works"][0];
        let mut rows = BTreeMap::new();
        if references(work).is_empty() {
            wrong.push(format!("{scenario} {}: nothing is cited", focus.work));
        }
        for reference in references(work) {
            match show(&bundle, &reference) {
                Ok(row) => drop(rows.insert(reference, row)),
                Err(why) => wrong.push(format!("{scenario} {}: {why}", focus.work)),
            }
        }
        let names = names_of(work, &rows);
        for reference in references_that_name(work) {
            let row = rows.get(&reference).map(Value::to_string).unwrap_or_default();
            if !names.iter().any(|name| row.contains(name.as_str())) {
                wrong.push(format!("{scenario} {}: {reference} is not about it: {row}", focus.work));
            }
        }
    }
    wrong
}

/// All references below a value: whatever stands under `evidence`.
fn references(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, field)| match name.as_str() {
                "evidence" => strings(field),
                _ => references(field),
            })
            .collect(),
        _ => BTreeSet::new(),
    }
}

/// One text or a list of them.
fn strings(value: &Value) -> BTreeSet<String> {
    let many = value.as_array().into_iter().flatten();
    let all = many.chain([value]).filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

/// References of hops that passed or failed, which need evidence that names the request. The cause
/// and what is missing may rest on lines about the whole component.
fn references_that_name(work: &Value) -> BTreeSet<String> {
    let hops = work["requests"].as_array().into_iter().flatten().flat_map(|r| r["hops"].as_array()).flatten();
    hops.filter(|hop| hop["verdict"] == "passed" || hop["verdict"] == "failed").flat_map(references).collect()
}

/// Every name under which a row or line can mean this work: its ids and names, its manifests, and
/// the ids of its events, which is all that an `event_instances` row or a broadcast line has.
fn names_of(work: &Value, rows: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let requests = work["requests"].as_array().into_iter().flatten().map(|r| &r["op_id"]);
    let manifests = work["manifests"].as_array().into_iter().flatten().map(|m| &m["name"]);
    let events = rows.iter().filter(|(reference, _)| reference.contains("events:")).map(|(_, row)| &row["id"]);
    let own = [&work["resource_id"], &work["work_name"]];
    let all = own.into_iter().chain(requests).chain(manifests).chain(events);
    all.filter_map(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// `dacapo show BUNDLE table:row`: the row, or what is wrong with the answer.
fn show(bundle: &Path, reference: &str) -> Result<Value, String> {
    let answer = run(dacapo().arg("show").arg(bundle).arg(reference).args(["--format", "json"]));
    if answer.code != Some(0) {
        return Err(format!("show {reference}: {}", answer.describe()));
    }
    let shown: Value = serde_json::from_str(&answer.stdout).map_err(|e| format!("show {reference}: {e}"))?;
    let first = &shown["rows"][0];
    let table = reference.split(':').next();
    if shown["format"] != "dacapo.show/1" || first["ref"] != reference || first["table"].as_str() != table {
        return Err(format!("show {reference} answers {shown}"));
    }
    Ok(first["row"].clone())
}

#[test]
fn a_row_that_is_not_there_cannot_be_opened() {
    let dir = unpack("db-only");
    let bundle = collect(&dir.path().join("db-only"));
    for reference in ["resources:999999", "resources:-1", "no_such_table:1", "resources", "resources:x"] {
        let answer = run(dacapo().arg("show").arg(&bundle).args(["--format", "json", "--", reference]));
        assert_eq!(answer.code, Some(2), "{reference}: {}", answer.describe());
        assert!(answer.stderr.starts_with("error:"), "{reference}: {}", answer.describe());
    }
}
