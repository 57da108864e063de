//! Bundles that are there already are written again with less in them.

use super::{everything, found, places};
use crate::support::forge::{Parts, rewritten};
use crate::support::{Answer, collect, dacapo, run, unpack};
use arrow::array::{ArrayRef, Float64Array, StringArray};
use arrow::datatypes::{DataType, Field};
use dacapo::bundle::Reader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

fn redact(bundle: &Path, name: &str, options: &[&str]) -> (Answer, PathBuf) {
    let output = bundle.with_file_name(name);
    let answer = run(dacapo().arg("redact").arg(bundle).arg("-o").arg(&output).args(options));
    (answer, output)
}

fn redacted(bundle: &Path, name: &str, options: &[&str]) -> PathBuf {
    let (answer, output) = redact(bundle, name, options);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    output
}

/// Every value of every table, by column, but not the index.
fn rows(bundle: &Path) -> Vec<(String, Vec<String>)> {
    let parts = Parts::of(&std::fs::read(bundle).unwrap());
    let tables = parts.members.iter().filter(|(name, _)| name.starts_with("tables/"));
    let values = tables.map(|(name, bytes)| {
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::copy_from_slice(bytes)).unwrap();
        let columns = reader.build().unwrap().flat_map(|batch| {
            let batch = batch.unwrap();
            (0..batch.num_columns()).map(move |column| format!("{:?}", batch.column(column))).collect::<Vec<_>>()
        });
        (name.clone(), columns.collect())
    });
    values.collect()
}

#[test]
fn a_bundle_with_secrets_is_redacted_as_if_it_had_been_collected_so() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let folder = dir.path().join("planted");
    let planted = places::plant(&folder);
    let raw = dir.path().join("raw.dacapo");
    let answer = run(dacapo().args(["collect", "--no-redact", "--from"]).arg(&folder).arg("-o").arg(&raw));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let again = redacted(&raw, "again.dacapo", &[]);
    let bytes = everything(&again);
    let survived = found(&bytes, planted.secrets.iter().map(|(_, secret)| secret.as_str()));
    let survived: Vec<&str> = survived.iter().map(|place| planted.secrets[*place].0.as_str()).collect();
    assert!(survived.is_empty(), "{survived:#?}");
    assert_eq!(found(&bytes, planted.kept.iter().map(String::as_str)).len(), planted.kept.len());
    assert!(Reader::open(&again).unwrap().manifest().redacted);
}

#[test]
fn a_redacted_bundle_redacted_again_is_the_same_evidence() {
    let dir = unpack("healthy-feedback");
    let folder = dir.path().join("healthy-feedback");
    let first = collect(&folder);
    let second = redacted(&first, "second.dacapo", &[]);
    let third = redacted(&second, "third.dacapo", &[]);
    assert_eq!(rows(&first), rows(&second));
    assert_eq!(std::fs::read(&second).unwrap(), std::fs::read(&third).unwrap());
    let notes = Reader::open(&second).unwrap().manifest().notes.clone();
    assert!(notes.iter().any(|note| note.starts_with("redacted after it was made")), "{notes:?}");
}

/// A table with columns put in by `change`.
fn changed(parts: &mut Parts, member: &str, change: impl FnOnce(&mut Vec<Field>, &mut Vec<ArrayRef>, usize)) {
    *parts.member(member) = rewritten(parts.member(member), change);
    parts.sum(member);
}

const CONSUMERS: &str = "tables/consumers.parquet";

/// A bundle of another version: a table and columns nobody knows, with secrets and names in them, and one column less.
fn strange(dir: &Path) -> PathBuf {
    let mut parts = Parts::of_sample();
    changed(&mut parts, CONSUMERS, |fields, columns, rows| {
        fields.push(Field::new("region", DataType::Utf8, true));
        columns.push(Arc::new(StringArray::from(vec!["north of cluster1 password=hunter2hunter2"; rows])));
        fields.push(Field::new("load", DataType::Float64, true));
        columns.push(Arc::new(Float64Array::from(vec![0.25; rows])));
        let labels = fields.iter().position(|field| field.name() == "labels").unwrap();
        fields.remove(labels);
        columns.remove(labels);
    });
    let table = parts.member(CONSUMERS).clone();
    parts.members.push(("tables/brokers.parquet".to_owned(), table));
    let mut about = parts.about(CONSUMERS).clone();
    about["name"] = json!("tables/brokers.parquet");
    parts.manifest["members"].as_array_mut().unwrap().push(about);
    parts.manifest["ticket"] = json!({"of": "cluster1", "token": "hunter3hunter3"});
    let path = dir.join("strange.dacapo");
    std::fs::write(&path, parts.bundle()).unwrap();
    path
}

#[test]
fn what_this_version_does_not_know_is_kept_and_redacted() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let old = strange(dir.path());
    let new = redacted(&old, "new.dacapo", &["--pseudonymise", "names"]);
    let bytes = everything(&new);
    assert!(found(&bytes, ["hunter2hunter2", "hunter3hunter3", "cluster1"].into_iter()).is_empty());
    assert_eq!(found(&bytes, ["north of consumer-"].into_iter()).len(), 1);
    let mut parts = Parts::of(&std::fs::read(&new).unwrap());
    assert_eq!(parts.manifest["ticket"]["of"].as_str().unwrap().split('-').next(), Some("consumer"));
    for member in [CONSUMERS, "tables/brokers.parquet"] {
        let bytes = bytes::Bytes::from(parts.member(member).clone());
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
        let names: Vec<&String> = reader.schema().fields().iter().map(|field| field.name()).collect();
        assert!(names.iter().any(|name| *name == "region") && names.iter().all(|name| *name != "labels"), "{names:?}");
    }
    let answer = run(dacapo().arg("show").arg(&new).arg("brokers:1"));
    assert!(answer.stdout.contains("0.25"), "{}", answer.describe());
}

#[test]
fn a_policy_takes_out_what_a_team_calls_secret_and_leaves_what_may_stay() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let (logs, policy) = (dir.path().join("logs"), dir.path().join("team.toml"));
    std::fs::create_dir(&logs).unwrap();
    let header = "I1116 01:27:01.279388       1 main.go:215]";
    let lines = ["badge B-123456 magicWord=abracadabra", "password=swordfish2", "consumer=shop-1 consumer=shop-2"];
    std::fs::write(logs.join("a.log"), lines.map(|line| format!("{header} {line}\n")).concat()).unwrap();
    let words = r#"
        secret-keys = ["magic-word"]
        keep = ["shop-2", "swordfish2"]
        drop = ["coverage", "log_lines.message"]
        pseudonymise = ["names"]
        [[patterns]]
        kind = "badge"
        pattern = 'B-\d{6}'
    "#;
    std::fs::write(&policy, words).unwrap();
    let policy = policy.to_string_lossy().into_owned();
    let taken = collect(&logs);
    let later = redacted(&taken, "later.dacapo", &["--policy", &policy]);
    let at_once = dir.path().join("at-once.dacapo");
    let answer =
        run(dacapo().args(["collect", "--policy", &policy, "--explain", "--from"]).arg(&logs).arg("-o").arg(&at_once));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    for place in ["log_lines:1", "badge", "log_lines", "left-out"] {
        assert!(answer.stdout.contains(place), "{place}: {}", answer.describe());
    }
    assert!(!answer.stdout.contains("abracadabra") && !answer.stdout.contains("shop-1"), "{}", answer.stdout);
    for bundle in [&later, &at_once] {
        let bytes = everything(bundle);
        assert!(found(&bytes, ["B-123456", "abracadabra", "shop-1"].into_iter()).is_empty(), "{}", bundle.display());
        assert_eq!(found(&bytes, ["‹badge:", "shop-2"].into_iter()).len(), 2, "{}", bundle.display());
        assert_eq!(Reader::open(bundle).unwrap().manifest().table("coverage").unwrap().rows, 0);
    }
    // What was gone before the policy said that it may stay cannot come back.
    assert_eq!(found(&everything(&later), ["swordfish2"].into_iter()).len(), 0);
    assert_eq!(found(&everything(&at_once), ["swordfish2"].into_iter()).len(), 1);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let old = dir.path().join("old.dacapo");
    std::fs::copy("snapshots/stuck-in-delivery.dacapo", &old).unwrap();
    let before = std::fs::read(&old).unwrap();
    let policy = |words: &str| {
        let path = dir.path().join("policy.toml");
        std::fs::write(&path, words).unwrap();
        path.to_string_lossy().into_owned()
    };
    let refused = |options: &[&str], words: &str| {
        let (answer, new) = redact(&old, "new.dacapo", options);
        assert_eq!(answer.code, Some(2), "{options:?}: {}", answer.describe());
        assert!(answer.stderr.contains(words) && !new.exists(), "{words}: {}", answer.describe());
    };
    refused(&["--policy", &policy("secret-key = []")], "near it: secret-keys");
    refused(&["--policy", &policy("drop = [\"log_linse\"]")], "near it: log_lines");
    refused(&["--policy", &policy("drop = [\"log_lines.line\"]")], "no row can be without it");
    refused(&["--policy", &policy("pseudonymise = [\"people\"]")], "ids, names, hosts, ips, all");
    refused(&["--policy", &policy("[[patterns]]\nkind = \"a\"\npattern = \"(\"")], "cannot be used");
    refused(&["--pseudonym-map", "map.jsonl"], "--pseudonymise is missing");
    refused(&["--canary", "web-frontend"], "a canary in resources:");
    let key = dir.path().join("new.dacapo").to_string_lossy().into_owned();
    refused(&["--pseudonymise", "all", "--pseudonym-key", &key], "cannot be two things");
    let (answer, _) = redact(&old, "old.dacapo", &[]);
    assert!(answer.code == Some(2) && answer.stderr.contains("cannot be written over"), "{}", answer.describe());
    assert_eq!(std::fs::read(&old).unwrap(), before);
    let hidden = redacted(&old, "new.dacapo", &["--pseudonymise", "names", "--canary", "web-frontend"]);
    assert!(found(&everything(&hidden), ["web-frontend"].into_iter()).is_empty());
}
