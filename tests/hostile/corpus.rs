//! Bundles of strangers who know the format: each lie is refused in a sentence of its own, at once, in little memory, and
//! nothing is written anywhere.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::lies::{self, Lie};
use super::{assert_printable, assert_refused};
use crate::support::{Answer, dacapo, on_two_threads, run};

/// All memory that a process may take for itself, in kilobytes, and no file that it may write. Whatever needs more ends
/// without a sentence, and the test sees that.
const CONFINED: &str = "ulimit -d 262144; ulimit -f 0; exec \"$@\"";

/// Every command that opens a bundle, with what it is asked.
const COMMANDS: &[&[&str]] = &[
    &["verify"],
    &["inspect"],
    &["trace", "web-frontend"],
    &["works"],
    &["diagnose"],
    &["resolve", "web-frontend"],
    &["show", "consumers:1", "resources:1"],
    &["query", "--sql", "select * from consumers, resources"],
];

/// A folder that holds all that a process could take for its own.
struct Room {
    dir: TempDir,
}

impl Room {
    fn new() -> Self {
        Self { dir: TempDir::with_prefix("dacapo-room-").unwrap() }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn ask(&self, bundle: &Path, command: &[&str]) -> (Answer, Duration) {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", CONFINED, "sh", env!("CARGO_BIN_EXE_dacapo")])
            .arg(command[0])
            .arg(bundle)
            .args(&command[1..]);
        shell.env("NO_COLOR", "1").current_dir(self.dir.path());
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] {
            shell.env(variable, self.dir.path());
        }
        let start = Instant::now();
        let output = assert_cmd::Command::from_std(shell).timeout(Duration::from_secs(60)).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let answer = Answer { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) };
        (answer, start.elapsed())
    }

    /// Everything in it.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = walkdir::WalkDir::new(self.dir.path()).into_iter().map(Result::unwrap);
        files
            .filter(|file| file.file_type().is_file())
            .map(|f| (f.path().to_owned(), fs::read(f.path()).unwrap()))
            .collect()
    }
}

#[test]
fn every_lie_is_refused_in_a_sentence_of_its_own_and_in_little_memory() {
    let room = Room::new();
    let lies: Vec<(Lie, PathBuf)> = lies::all()
        .into_iter()
        .map(|lie| (lie.clone(), room.put(&format!("{}.dacapo", lie.name), &lie.bundle)))
        .collect();
    assert!(lies.len() >= 50, "{} lies", lies.len());
    let before = room.files();
    let asked = on_two_threads(&lies, |(lie, path)| {
        let file = path.file_name().unwrap().to_str().unwrap();
        let each = COMMANDS.iter().filter(|command| lie.meets(command[0])).map(|command| {
            let (answer, took) = room.ask(path, command);
            let case = format!("{} {}", command[0], lie.name);
            let refused = catch_unwind(|| assert_refused(&case, &answer, file)).is_ok();
            let wrong = format!("{case} does not say {:?}: {}", lie.says, answer.describe());
            (took, case, (!refused || !answer.stderr.contains(lie.says)).then_some(wrong))
        });
        each.collect::<Vec<_>>()
    });
    let asked = asked.concat();
    let wrong: Vec<&str> = asked.iter().filter_map(|(.., wrong)| wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(room.files(), before, "somebody wrote something");
    let (took, case, _) = asked.iter().max().unwrap();
    eprintln!("{} lies; the longest took {took:?}: {case}", lies.len());
}

/// A lie in one table must not harm whoever asks about something else.
#[test]
fn no_lie_harms_a_command_that_does_not_meet_it() {
    let room = Room::new();
    let lies: Vec<(Lie, PathBuf)> = lies::in_pages()
        .into_iter()
        .map(|lie| (lie.clone(), room.put(&format!("{}.dacapo", lie.name), &lie.bundle)))
        .collect();
    on_two_threads(&lies, |(lie, path)| {
        for command in COMMANDS.iter().filter(|command| !lie.meets(command[0])) {
            let (answer, _) = room.ask(path, command);
            let case = format!("{} {}: {}", command[0], lie.name, answer.describe());
            assert!(!answer.panicked(), "{case}");
            assert!(matches!(answer.code, Some(0..=2)), "{case}");
            assert_printable(&case, &answer);
        }
    });
}

#[test]
fn a_limit_can_be_raised_by_who_knows_better() {
    let room = Room::new();
    let lie = lies::in_tables().into_iter().find(|lie| lie.name == "many-columns").unwrap();
    let path = room.put("many.dacapo", &lie.bundle);
    let (answer, _) = room.ask(&path, &["show", "consumers:1"]);
    assert!(answer.stderr.contains("--max-columns raises the limit"), "{}", answer.describe());
    // Who raises a limit has the memory for it.
    for question in [&["show", "consumers:1"][..], &["query", "--sql", "select count(*) from consumers"]] {
        let (command, rest) = question.split_first().unwrap();
        let answer = run(dacapo().arg(command).arg(&path).args(rest).args(["--max-columns", "1000"]));
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
    }
}
