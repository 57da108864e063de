//! The rules of the house that no compiler knows: who may name whom, where a dependency lives, how
//! long a function may be. Each test prints every place that breaks its rule, as
//! `file:line: what is wrong`.

mod detectors;
mod rules;
mod source;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rules::{Finding, directions, doors, empty_names, lengths, mentions, mouths, notes, sql, unfinished};
use source::Source;

/// Which other words of the pipeline a file under `src/<word>/` may name as `crate::<other>`. Data
/// flows collect → bundle → store → query → analysis → model → render; `cli` puts them together.
#[rustfmt::skip]
const MAY_NAME: &[(&str, &[&str])] = &[
    ("schema", &[]),
    ("input", &[]),
    ("model", &["schema"]),
    ("logs", &["input", "schema"]),
    ("bundle", &["schema"]),
    ("collect", &["input", "logs", "bundle", "schema", "model"]),
    ("store", &["bundle", "schema"]),
    ("query", &["store", "schema"]),
    ("analysis", &["query", "store", "bundle", "model", "schema"]),
    ("render", &["model", "schema"]),
    ("cli", &["collect", "logs", "bundle", "store", "query", "analysis", "model", "render", "schema"]),
];

/// The words under which a dependency may be used. What is not listed may be used anywhere.
const DOORS: &[(&str, &[&str])] = &[
    ("age", &["bundle"]),
    ("arrow", &["bundle", "store"]),
    ("bzip2", &["input"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("console", &["cli"]),
    ("duckdb", &["store"]),
    ("encoding_rs", &["input"]),
    ("flate2", &["input"]),
    ("getrandom", &["collect"]),
    ("hmac", &["collect"]),
    ("indicatif", &["cli"]),
    ("k8s_openapi", &["collect"]),
    ("kube", &["collect"]),
    ("liblzma", &["input"]),
    ("parquet", &["bundle"]),
    ("regex", &["collect"]),
    ("rlimit", &["analysis", "cli", "collect"]),
    ("rustls", &["collect"]),
    ("rustls_native_certs", &["collect"]),
    ("saphyr_parser", &["input"]),
    ("signal_hook", &["cli"]),
    ("ssh_key", &["bundle"]),
    ("tabled", &["render"]),
    ("tokio", &["collect"]),
    ("toml", &["collect"]),
    ("tokio_postgres", &["collect"]),
    ("tokio_postgres_rustls", &["collect"]),
    ("walkdir", &["collect"]),
    ("zip", &["input"]),
    ("zstd", &["bundle", "input"]),
];

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 80;
const FILE_BYTES: u64 = 1_000_000;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

/// Notes for later, which need the number of an issue. In pieces, so that this file has none.
const NOTES: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];

/// Code that says "not yet", and tests that do not run.
const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "#[ignore"];

/// How a statement begins: the first word, and the second one where the first is also English.
const STATEMENTS: &[(&str, &[&str])] = &[
    ("select", &[]),
    ("with", &["recursive", "… as"]),
    ("insert", &["into", "or"]),
    ("create", &["or", "table", "view", "macro", "temp", "temporary", "index", "schema", "type"]),
    ("delete", &["from"]),
    ("drop", &["table", "view"]),
];

/// Ways to speak to the terminal past the one mouth in `src/cli/`.
const MOUTHS: &[&str] = &["println!", "eprintln!", "print!", "eprint!", "stdout()", "stderr()"];

#[test]
fn imports_follow_the_pipeline() {
    report("a word of the pipeline names only those that MAY_NAME lists for it", &rust("src"), directions);
}

#[test]
fn each_dependency_lives_behind_one_door() {
    report("a dependency is used only under the words that DOORS lists for it", &rust("src"), doors);
}

#[test]
fn files_and_functions_can_be_read_in_one_sitting() {
    report("a source file has at most 500 lines, a function at most 80", &rust("src"), lengths);
}

#[test]
fn names_say_what_is_inside() {
    report("no module is called utils, helpers, common or misc", &rust_everywhere(), empty_names);
}

#[test]
fn nothing_is_left_unfinished() {
    report("no unfinished code and no ignored test", &rust_everywhere(), unfinished);
}

#[test]
fn notes_for_later_name_an_issue() {
    let files: Vec<Source> =
        tracked_files().iter().filter(|path| is_ours(path)).filter_map(|path| read(path)).collect();
    report("a note for later carries the number of an issue, as in #12", &files, notes);
}

#[test]
fn sql_is_not_hidden_in_strings() {
    report("SQL lives in queries/, or in src/store where it is put together", &rust("src"), sql);
}

#[test]
fn only_the_command_line_speaks() {
    report("only src/cli writes to the terminal; everything else returns values", &rust("src"), mouths);
}

/// The corpus decides right and wrong; code that knows its names would only look right.
#[test]
fn code_does_not_know_the_corpus() {
    let names: Vec<String> = list(Path::new("tests/evidence"))
        .iter()
        .filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".tar.zst").map(str::to_owned))
        .filter(|name| name.len() >= 8)
        .collect();
    let files: Vec<Source> =
        ["src", "queries"].iter().flat_map(|dir| walk(Path::new(dir))).filter_map(|p| read(&p)).collect();
    report("no scenario of tests/evidence is named in src/ or queries/", &files, |source| mentions(source, &names));
}

#[test]
fn no_file_is_a_blob() {
    let large: Vec<String> = tracked_files()
        .iter()
        .filter(|path| !path.ends_with("Cargo.lock"))
        .filter_map(|path| Some((path, fs::metadata(root().join(path)).ok()?.len())))
        .filter(|(_, bytes)| *bytes > FILE_BYTES)
        .map(|(path, bytes)| format!("{}:1: {bytes} bytes", path.display()))
        .collect();
    assert!(large.is_empty(), "rule: a tracked file has at most {FILE_BYTES} bytes\n{}", large.join("\n"));
}

fn report(rule: &str, files: &[Source], find: impl Fn(&Source) -> Vec<Finding>) {
    let mut places = Vec::new();
    for source in files {
        places.extend(find(source).into_iter().map(|(line, what)| format!("  {}:{line}: {what}", source.path)));
    }
    assert!(places.is_empty(), "rule: {rule}\n{}", places.join("\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust(dir: &str) -> Vec<Source> {
    let paths = walk(Path::new(dir));
    paths.iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")).filter_map(|path| read(path)).collect()
}

fn rust_everywhere() -> Vec<Source> {
    ["src", "tests", "benches"].into_iter().flat_map(rust).collect()
}

/// A file as text; `None` if it is not text.
fn read(path: &Path) -> Option<Source> {
    let text = fs::read_to_string(root().join(path)).ok()?;
    Some(Source::new(&path.to_string_lossy().replace('\\', "/"), &text))
}

/// Text that people of this project wrote: not captured evidence, not transcripts, not others' words.
fn is_ours(path: &Path) -> bool {
    let foreign = ["tests/evidence", "tests/golden", "tests/cluster/go.sum", "snapshots", "LICENSE", "Cargo.lock"];
    !foreign.iter().any(|prefix| path.starts_with(prefix))
}

/// What git tracks or would track; without git, the whole tree but for build output.
fn tracked_files() -> Vec<PathBuf> {
    let git = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    match git {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8_lossy(&output.stdout);
            names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect()
        }
        _ => walk(Path::new("")),
    }
}

/// All files below `dir`, as paths from the root, in a fixed order.
fn walk(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in list(dir) {
        if !root().join(&path).is_dir() {
            files.push(path);
        } else if !["target", ".git", ".libduckdb"].iter().any(|skipped| path.ends_with(skipped)) {
            files.extend(walk(&path));
        }
    }
    files
}

/// What is in `dir`, as paths from the root; nothing if there is no such directory.
fn list(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(dir)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| dir.join(entry.file_name())).collect();
    paths.sort();
    paths
}
