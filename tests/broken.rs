//! Bad input: each fault is named with its place, and the rest is collected.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod packed;
mod places;
mod texts;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Answer, dacapo, run};

/// A folder of files, and the bundle beside it.
struct Case {
    dir: TempDir,
}

impl Case {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let case = Self { dir: TempDir::new().unwrap() };
        fs::create_dir(case.folder()).unwrap();
        for (name, bytes) in files {
            let path = case.folder().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        case
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("in")
    }

    fn bundle(&self) -> PathBuf {
        self.dir.path().join("x.dacapo")
    }

    fn collect(&self) -> Answer {
        self.collect_from(self.folder().to_str().unwrap())
    }

    /// What `collect` says; it must succeed, and the bundle must be whole.
    fn collect_from(&self, from: &str) -> Answer {
        let answer = run(dacapo().arg("collect").args(["--from", from]).arg("-o").arg(self.bundle()));
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        let verified = run(dacapo().arg("verify").arg(self.bundle()));
        assert_eq!(verified.code, Some(0), "{}", verified.describe());
        answer
    }

    fn rows(&self, table: &str) -> Vec<Value> {
        rows(&self.bundle(), table)
    }

    /// The log of the case, line by line.
    fn texts(&self) -> Vec<String> {
        let lines = self.rows("log_lines");
        lines.iter().map(|line| line["text"].as_str().unwrap().to_owned()).collect()
    }

    /// What the table of files says about one.
    fn step(&self, target: &str) -> Value {
        let steps = self.rows("collection");
        steps.iter().find(|step| step["target"] == target).unwrap_or_else(|| panic!("{target}: {steps:#?}")).clone()
    }

    fn error(&self, target: &str) -> String {
        self.step(target)["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// All rows of a table, read from the file itself.
fn rows(bundle: &Path, table: &str) -> Vec<Value> {
    let reader = dacapo::bundle::Reader::open(bundle).unwrap();
    let mut found = Vec::new();
    let take = |batch: arrow::record_batch::RecordBatch, _| {
        let schema = batch.schema();
        for row in 0..batch.num_rows() {
            let cell = |at: usize| {
                let text = arrow::util::display::array_value_to_string(&plain(batch.column(at)), row).unwrap();
                let null = arrow::array::Array::is_null(batch.column(at), row);
                if null { Value::Null } else { Value::from(text) }
            };
            let cells = schema.fields().iter().enumerate().map(|(at, field)| (field.name().clone(), cell(at)));
            found.push(Value::Object(cells.collect()));
        }
    };
    reader.read(table, &dacapo::bundle::Rows::All, dacapo::bundle::Columns::All, take).unwrap();
    found
}

/// Times as numbers: names of zones are not known here.
fn plain(column: &arrow::array::ArrayRef) -> arrow::array::ArrayRef {
    match column.data_type() {
        arrow::datatypes::DataType::Timestamp(..) => {
            arrow::compute::cast(column, &arrow::datatypes::DataType::Int64).unwrap()
        }
        _ => column.clone(),
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// So many lines of a log, each with its number and something that does not compress away.
fn klog(lines: usize) -> Vec<String> {
    let line = |at: usize| {
        let word = uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, &at.to_le_bytes());
        format!(
            "I0115 09:45:{:02}.{:06}       1 main.go:12] \"line\" n={at} resourceID=\"{word}\"",
            at / 1000 % 60,
            at % 1000
        )
    };
    (0..lines).map(line).collect()
}
