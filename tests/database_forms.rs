//! The database in every form in which it was taken from one real system: the rows must be the same.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod broken;
mod written;

use crate::support::rows::{self, Row, Tables};
use crate::support::{dacapo, run, trace_json, unpack, unpack_forms};
use dacapo::collect::{self, Plan, Progress, Summary};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SCENARIOS: &[&str] = &["agent-down", "healthy-create"];

struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}

/// Collects files and reads the rows of Maestro's tables back.
fn rows_of(from: Vec<PathBuf>) -> (Tables, Summary) {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("x.dacapo");
    let summary = collect::collect(
        &Plan { from: from.into_iter().map(Into::into).collect(), output: output.clone(), ..Plan::default() },
        &Quiet,
    )
    .unwrap();
    keeps_account(&summary);
    let tables = rows::database(&output);
    (tables, summary)
}

fn keeps_account(summary: &Summary) {
    let sum = |part: fn(&collect::Outcome) -> i64| summary.steps.iter().map(part).sum::<i64>();
    let rest = sum(|step| step.rows + step.duplicates) + sum(|step| step.unknown + step.skipped);
    assert_eq!(sum(|step| step.seen), rest, "{:#?}", summary.steps);
}

fn truth(scenario: &str) -> Tables {
    let folder = unpack(scenario);
    rows_of(vec![folder.path().join(scenario).join("db")]).0
}

fn assert_same(found: &Tables, truth: &Tables, only: &[&str], what: &str) {
    for (table, rows) in truth.iter().filter(|(table, _)| only.is_empty() || only.contains(table)) {
        assert_eq!(&found[table], rows, "{table} of {what}");
    }
}

#[test]
fn complete_forms_give_the_same_rows() {
    for scenario in SCENARIOS {
        let truth = truth(scenario);
        let folder = unpack_forms(scenario);
        let db = folder.path().join(scenario).join("db");
        let forms: [(&str, &[&str]); 5] = [
            ("copy-csv-header", &[]),
            ("copy-text", &[]),
            ("pg_dump-data-only.sql", &[]),
            ("pg_dump-inserts.sql", &["events", "status_events"]),
            ("row_to_json-resources.txt", &["resources"]),
        ];
        for (form, tables) in forms {
            let (found, summary) = rows_of(vec![db.join(form)]);
            assert_same(&found, &truth, tables, &format!("{scenario}/{form}"));
            let good = |step: &collect::Outcome| step.status == collect::Status::Ok && step.whole && step.unknown == 0;
            assert!(summary.steps.iter().all(good), "{scenario}/{form}: {:#?}", summary.steps);
        }
        // All of them together are still the same rows.
        let all = forms.iter().map(|(form, _)| db.join(form)).collect();
        assert_same(&rows_of(all).0, &truth, &[], scenario);
    }
}

#[test]
fn a_dump_of_the_schema_has_nothing_in_it() {
    let folder = unpack_forms("agent-down");
    let (found, summary) = rows_of(vec![folder.path().join("agent-down/db/pg_dump-schema.sql")]);
    assert!(found.values().all(Vec::is_empty));
    assert!(summary.steps.iter().all(|step| step.table.is_none() && step.error.is_none()), "{:#?}", summary.steps);
}

/// What was printed for people has fewer columns; those it has must agree.
#[test]
fn psql_output_agrees_in_every_column_it_has() {
    for scenario in SCENARIOS {
        let truth = truth(scenario);
        let folder = unpack_forms(scenario);
        for form in ["psql-aligned.txt", "psql-expanded.txt", "psql-unaligned.txt"] {
            let (found, summary) = rows_of(vec![folder.path().join(scenario).join("db").join(form)]);
            let count: usize = found.values().map(Vec::len).sum();
            assert!(count > 0, "{scenario}/{form}");
            for (table, row) in found.iter().flat_map(|(table, rows)| rows.iter().map(move |row| (table, row))) {
                let whole = truth[table].iter().find(|whole| whole.get("id") == row.get("id"));
                let whole = whole.unwrap_or_else(|| panic!("{scenario}/{form}: no such row in {table}: {row:?}"));
                for (column, value) in row {
                    assert_eq!(whole.get(column), Some(value), "{scenario}/{form}: {table}.{column}");
                }
            }
            assert!(summary.steps.iter().all(|step| !step.whole && step.unknown == 0), "{:#?}", summary.steps);
        }
    }
}

#[test]
fn rest_answers_agree_with_the_rows_behind_them() {
    for scenario in SCENARIOS {
        let truth = truth(scenario);
        let folder = unpack_forms(scenario);
        let rest = folder.path().join(scenario).join("rest");
        let (list, summary) = rows_of(vec![rest.join("resource-bundles-list.json")]);
        assert_eq!(list["resources"].len(), truth["resources"].len());
        assert!(summary.steps.iter().all(|step| step.whole && step.remarks.is_empty()), "{:#?}", summary.steps);
        let (page, summary) = rows_of(vec![rest.join("resource-bundles-page1.json")]);
        assert!(page["resources"].len() < truth["resources"].len());
        assert!(summary.steps.iter().all(|step| !step.whole));
        assert!(summary.steps[0].remarks[0].contains("the other pages are missing"), "{:#?}", summary.steps);
        let (single, _) = rows_of(vec![rest.join("resource-bundle.json")]);
        assert_eq!(single["resources"].len(), 1);
        for row in [&list, &page, &single].iter().flat_map(|tables| &tables["resources"]) {
            let whole = truth["resources"].iter().find(|whole| whole["id"] == row["id"]).unwrap();
            for (column, value) in row.iter().filter(|(column, _)| !["payload", "status"].contains(column)) {
                assert_eq!(whole.get(column), Some(value), "{scenario}: {column}");
            }
            let json = |row: &Row, column: &str, path: &str| {
                let value: Value = serde_json::from_str(row.get(column).map_or("null", String::as_str)).unwrap();
                value.pointer(path).cloned()
            };
            for (column, path) in
                [("payload", "/data"), ("payload", "/metadata/name"), ("status", "/data"), ("status", "/sequenceid")]
            {
                assert_eq!(json(row, column, path), json(whole, column, path), "{scenario}: {column}{path}");
            }
            assert_eq!(row.get("op_id"), whole.get("op_id"));
        }
        let (consumers, _) = rows_of(vec![rest.join("consumers.json")]);
        assert_same(&consumers, &truth, &["consumers"], "consumers.json");
        let (nothing, summary) = rows_of(vec![rest.join("resource-bundle-404.json")]);
        assert!(nothing.values().all(Vec::is_empty));
        assert!(summary.steps[0].remarks[0].contains("not found"), "{:#?}", summary.steps);
    }
}

/// Rows in parts and REST answers beside the whole rows change nothing in the answer.
#[test]
fn a_trace_does_not_break_when_rows_come_in_several_forms() {
    for scenario in SCENARIOS {
        let (folder, forms) = (unpack(scenario), unpack_forms(scenario));
        let bundle = |name: &str, more: &[&str]| {
            let path = folder.path().join(format!("{name}.dacapo"));
            let mut command = dacapo();
            command.arg("collect").arg("-o").arg(&path).arg("--from").arg(folder.path().join(scenario));
            for part in more {
                command.arg("--from").arg(forms.path().join(scenario).join(part));
            }
            let answer = run(&mut command);
            assert_eq!(answer.code, Some(0), "{}", answer.describe());
            path
        };
        let ids = &truth(scenario)["resources"].iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
        let told = |bundle: &Path| {
            let requests = |id: &String| {
                let (_, trace) = trace_json(bundle, &[id]).unwrap();
                trace.pointer("/works/0/requests").unwrap().as_array().unwrap().clone()
            };
            let tell =
                |request: &Value| ["request", "version", "outcome", "stops_at"].map(|part| request[part].clone());
            ids.iter().flat_map(requests).map(|request| tell(&request)).collect::<Vec<_>>()
        };
        assert_eq!(told(&bundle("one", &[])), told(&bundle("all", &["db", "rest"])), "{scenario}");
    }
}
