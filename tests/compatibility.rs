//! The law of docs/bundle-format.md: what a reader does not know it keeps and shows; what does not fit it refuses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use crate::support::dacapo;
use crate::support::forge::{Parts, rewritten};
use arrow::array::StringArray;
use arrow::datatypes::{DataType, Field};
use serde_json::json;
use std::sync::Arc;
use tempfile::TempDir;

trait Asked {
    fn run(&self, arguments: &[&str]) -> (i32, String, String);
    fn is_refused(&self, command: &[&str], because: &str);
}

impl Asked for Parts {
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("changed.dacapo");
        std::fs::write(&path, self.bundle()).unwrap();
        let (command, rest) = arguments.split_first().unwrap();
        let output = dacapo().arg(command).arg(path).args(rest).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// Exactly one sentence, and this one.
    fn is_refused(&self, command: &[&str], because: &str) {
        let (code, out, err) = self.run(command);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert_eq!(err.lines().filter(|line| line.starts_with("error:")).count(), 1, "{err}");
        assert!(err.contains(because), "{because:?} is not in: {err}");
    }
}

const CONSUMERS: &str = "tables/consumers.parquet";

#[test]
fn a_sample_put_together_again_is_whole() {
    let (code, out, err) = Parts::of_sample().run(&["verify"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_table_of_a_newer_version_is_kept_and_shown() {
    let mut parts = Parts::of_sample();
    let table = parts.member(CONSUMERS).clone();
    parts.members.push(("tables/brokers.parquet".to_owned(), table));
    let mut about = parts.about(CONSUMERS).clone();
    about["name"] = json!("tables/brokers.parquet");
    parts.manifest["members"].as_array_mut().unwrap().push(about);
    assert!(parts.run(&["inspect"]).1.contains("brokers (unknown)"));
    assert!(parts.run(&["show", "brokers:1"]).1.contains("cluster1"));
    assert!(parts.run(&["trace", "web-frontend"]).1.contains("STOPPED at hop 3"));
}

#[test]
fn a_column_of_a_newer_version_is_kept_and_shown() {
    let mut parts = Parts::of_sample();
    let table = rewritten(parts.member(CONSUMERS), |fields, columns, rows| {
        fields.push(Field::new("region", DataType::Utf8, true));
        columns.push(Arc::new(StringArray::from(vec!["north"; rows])));
    });
    *parts.member(CONSUMERS) = table;
    parts.sum(CONSUMERS);
    assert!(parts.run(&["show", "consumers:1"]).1.contains("north"));
    assert!(parts.run(&["trace", "web-frontend"]).1.contains("STOPPED at hop 3"));
}

#[test]
fn columns_that_an_older_version_did_not_write_are_empty() {
    let mut parts = Parts::of_sample();
    let table = rewritten(parts.member(CONSUMERS), |fields, columns, _| {
        for name in ["labels", "line", "created_at"] {
            let column = fields.iter().position(|field| field.name() == name).unwrap();
            fields.remove(column);
            columns.remove(column);
        }
    });
    *parts.member(CONSUMERS) = table;
    parts.sum(CONSUMERS);
    assert!(parts.run(&["trace", "web-frontend"]).1.contains("STOPPED at hop 3"));
}

#[test]
fn a_bundle_that_does_not_tell_manifests_and_labels_says_so() {
    let mut parts = Parts::of_sample();
    for name in ["tables/resources.parquet", "tables/status_events.parquet", "tables/applied_manifest_works.parquet"] {
        let table = rewritten(parts.member(name), |fields, columns, _| {
            for column in ["manifest_paths", "label_pairs"] {
                let column = fields.iter().position(|field| field.name() == column).unwrap();
                fields.remove(column);
                columns.remove(column);
            }
        });
        *parts.member(name) = table;
        parts.sum(name);
    }
    assert!(parts.run(&["trace", "web-frontend"]).1.contains("STOPPED at hop 3"));
    parts.is_refused(&["trace", "deploy/demo/frontend"], "the bundle was made by an early dacapo");
}

#[test]
fn a_member_that_is_missing_or_not_named_is_refused() {
    let mut parts = Parts::of_sample();
    parts.members.retain(|(name, _)| name != CONSUMERS);
    parts.is_refused(&["inspect"], "which the archive does not hold");
    let mut parts = Parts::of_sample();
    parts.manifest["members"].as_array_mut().unwrap().retain(|member| member["name"] != CONSUMERS);
    parts.is_refused(&["inspect"], "which the manifest does not name");
}

#[test]
fn sums_and_rows_that_do_not_fit_are_refused() {
    let mut parts = Parts::of_sample();
    parts.member(CONSUMERS)[40] ^= 1;
    parts.is_refused(&["trace", "web-frontend"], "block 0 has another SHA-256");
    let mut parts = Parts::of_sample();
    parts.about(CONSUMERS)["rows"] = json!(3);
    parts.is_refused(&["verify"], "the manifest says 3");
    let mut parts = Parts::of_sample();
    parts.about(CONSUMERS)["block_bytes"] = json!(1_u64 << 40);
    parts.is_refused(&["inspect"], "blocks of another size");
    let mut parts = Parts::of_sample();
    parts.about(CONSUMERS)["blocks"] = json!([]);
    parts.is_refused(&["inspect"], "0 block sums for 1 blocks");
}

#[test]
fn bytes_that_are_not_parquet_are_refused() {
    let mut parts = Parts::of_sample();
    *parts.member(CONSUMERS) = b"not a table at all, although the sums are right".to_vec();
    parts.sum(CONSUMERS);
    parts.is_refused(&["verify"], "cannot be decoded");
    parts.is_refused(&["trace", "web-frontend"], "cannot be decoded");
}
