//! What the tests share: the packed scenarios, the built program, and the truth to compare with.
//!
//! `tests/evidence/README.md` tells what a scenario is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot set itself up has failed"
)]
#![allow(dead_code, reason = "the benchmark uses this module too, and less of it")]

pub mod certificates;
pub mod cluster;
pub mod forge;
pub mod keys;
pub mod postgres;
pub mod process;
pub mod rows;
pub mod tables;
pub mod truth;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// No command on a test's few hundred kilobytes may take this long; a hang becomes a failure.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the packed scenarios are.
pub fn evidence_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evidence")
}

/// The names of all packed scenarios, sorted.
pub fn scenarios() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(evidence_folder())
        .expect("tests/evidence is there")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".tar.zst").map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// Those that `DACAPO_SCENARIOS=one,other` names, or all.
pub fn chosen_scenarios() -> Vec<String> {
    match std::env::var("DACAPO_SCENARIOS") {
        Ok(list) => list.split(',').map(str::to_owned).collect(),
        Err(_) => scenarios(),
    }
}

/// A temporary folder that holds the scenario as the folder `<scenario>`; bundles go beside it.
pub fn unpack(scenario: &str) -> TempDir {
    unpack_file(&evidence_folder().join(format!("{scenario}.tar.zst")), scenario)
}

/// The other forms of a scenario's evidence (`forms/<scenario>.tar.zst`), in the same way.
pub fn unpack_forms(scenario: &str) -> TempDir {
    unpack_file(&evidence_folder().join(format!("forms/{scenario}.tar.zst")), scenario)
}

fn unpack_file(pack: &Path, scenario: &str) -> TempDir {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let file = File::open(pack).unwrap_or_else(|e| panic!("cannot open {}: {e}", pack.display()));
    tar::Archive::new(zstd::Decoder::new(file).unwrap()).unpack(dir.path().join(scenario)).unwrap();
    dir
}

/// The built program. Colour and width are not taken from whoever runs the tests.
pub fn dacapo() -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("dacapo");
    command.env("NO_COLOR", "1").env_remove("COLUMNS").timeout(PATIENCE);
    command
}

/// Collects a folder into `<folder>.dacapo` beside it and returns that path.
///
/// # Panics
/// When `collect` does not succeed; [`try_collect`] says why instead.
pub fn collect(folder: &Path) -> PathBuf {
    try_collect(folder).unwrap_or_else(|why| panic!("collect --from {}: {why}", folder.display()))
}

/// As [`collect`], with the reason of a failure as a value.
pub fn try_collect(folder: &Path) -> Result<PathBuf, String> {
    let bundle = folder.with_extension("dacapo");
    let answer = run(dacapo().arg("collect").arg("--from").arg(folder).arg("-o").arg(&bundle));
    match answer.code {
        Some(0) => Ok(bundle),
        _ => Err(answer.describe()),
    }
}

/// `trace BUNDLE ID … --format json`: the exit code and the object, or why there is none.
pub fn trace_json(bundle: &Path, arguments: &[&str]) -> Result<(i32, Value), String> {
    let answer = run(dacapo().arg("trace").arg(bundle).args(arguments).args(["--format", "json"]));
    match answer.code {
        Some(code @ (0 | 1)) => serde_json::from_str(&answer.stdout)
            .map_err(|e| format!("stdout is not JSON ({e}): {}", answer.describe()))
            .and_then(|value| keeps_contract(&value).map(|()| (code, value))),
        _ => Err(answer.describe()),
    }
}

/// Holds an answer of a trace against the JSON Schema that is documented.
pub fn keeps_contract(answer: &Value) -> Result<(), String> {
    static SCHEMA: LazyLock<Contract> = LazyLock::new(|| Contract::new("trace.schema.json"));
    SCHEMA.kept_by(answer)
}

/// A JSON Schema in `docs/`.
pub struct Contract {
    page: &'static str,
    schema: jsonschema::Validator,
}

impl Contract {
    pub fn new(page: &'static str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        Self { page, schema: jsonschema::validator_for(&schema).unwrap() }
    }

    pub fn kept_by(&self, answer: &Value) -> Result<(), String> {
        let told = |error: jsonschema::ValidationError<'_>| {
            format!("the answer breaks docs/{}: {error} at {}", self.page, error.instance_path())
        };
        self.schema.validate(answer).map_err(told)
    }
}

/// What a process left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// `None` when a signal ended it, which includes our patience running out.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    /// One line for a test's message.
    pub fn describe(&self) -> String {
        let code = self.code.map_or_else(|| "by a signal".to_owned(), |code| code.to_string());
        let stderr = self.stderr.trim_end().replace('\n', " / ");
        let short: String = stderr.chars().take(400).collect();
        format!("exit {code}: {short}")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.describe()))
    }

    /// The process hit a bug of ours, whatever it printed besides.
    pub fn panicked(&self) -> bool {
        self.code.is_none() || self.code == Some(101) || self.stderr.contains("panicked")
    }
}

/// Runs a command to its end. Bytes that are not UTF-8 are replaced: no check depends on them.
pub fn run(command: &mut Command) -> Answer {
    let output = command.output().expect("the program starts");
    Answer {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Applies `work` to every item on two threads (what a small CI machine has); results in the items'
/// order.
pub fn on_two_threads<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((at, item)) = take(&next, items) {
                    let result = work(item);
                    done.lock().unwrap().push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, I>(next: &AtomicUsize, items: &'a [I]) -> Option<(usize, &'a I)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    items.get(at).map(|item| (at, item))
}
