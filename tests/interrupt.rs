//! Ctrl-C leaves a whole bundle or none, and nothing beside it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dacapo::bundle::Reader;

/// Long enough for any machine; a test that gets here has failed.
const PATIENCE: Duration = Duration::from_secs(60);

fn dacapo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_dacapo"))
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn names_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_stream_that_never_ends_can_be_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut collect = dacapo();
    collect.args(["collect", "--from", "component=server,-", "-o"]).arg(folder.path().join("x.dacapo"));
    let mut child = collect.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Its handler is there once it reads: everything before would end it as well.
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    until("it goes on", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("stopped, and nothing was written"), "{told}");
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}

#[test]
fn a_collection_that_is_writing_leaves_a_whole_bundle_or_none() {
    let (folder, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let line = "I0115 09:45:12.345678       1 main.go:12] \"Received event\" resourceID=\"0b14ee1e-1543-5748-bba9-abb351ceff99\"\n";
    fs::write(logs.path().join("maestro-7d9c5b6f4-abcde.log"), line.repeat(300_000)).unwrap();
    let output = folder.path().join("x.dacapo");
    let mut collect = dacapo();
    collect.arg("collect").arg("--from").arg(logs.path()).arg("-o").arg(&output);
    let mut child = collect.stderr(Stdio::null()).spawn().unwrap();
    until("it does not begin", || names_in(folder.path()).iter().any(|name| name.starts_with(".dacapo-")));
    interrupt(&child);
    until("it goes on", || child.try_wait().unwrap().is_some());
    match names_in(folder.path()).as_slice() {
        [] => assert_eq!(child.wait().unwrap().code(), Some(2)),
        [name] if name == "x.dacapo" => {
            Reader::open(&output).unwrap().verify().unwrap();
        }
        others => panic!("{others:?} is left"),
    }
}
