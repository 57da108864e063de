//! `collect` on folders that nobody tidied up.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{assert_printable, assert_refused};
use crate::support::{Answer, dacapo, run, unpack};

/// `collect` of a folder into a folder of its own, and what is in that folder afterwards.
fn collect_odd(folder: &Path) -> (Answer, Vec<String>) {
    let out = TempDir::new().unwrap();
    let bundle = out.path().join("odd.dacapo");
    let answer = run(dacapo().arg("collect").arg("--from").arg(folder).arg("-o").arg(&bundle));
    assert!(!answer.panicked(), "{}", answer.describe());
    assert_printable("collect", &answer);
    if answer.code == Some(0) {
        for command in ["verify", "inspect"] {
            let look = run(dacapo().arg(command).arg(&bundle));
            assert_eq!(look.code, Some(0), "{command}: {}", look.describe());
            assert_printable(command, &look);
        }
    }
    let left = fs::read_dir(out.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    (answer, left.collect())
}

#[test]
fn a_folder_without_evidence_gives_a_reason_and_no_file() {
    let empty = TempDir::new().unwrap();
    let rubbish = TempDir::new().unwrap();
    fs::write(rubbish.path().join("core"), [0, 1, 2, 254, 255].repeat(5000)).unwrap();
    fs::write(rubbish.path().join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0\0").unwrap();
    fs::write(rubbish.path().join("nothing.log"), b"").unwrap();
    for (case, folder) in [("empty", empty.path()), ("rubbish", rubbish.path()), ("absent", Path::new("/no/such"))] {
        let (answer, left) = collect_odd(folder);
        assert_refused(case, &answer, &folder.display().to_string());
        assert_eq!(left, Vec::<String>::new(), "{case}");
    }
}

/// Names that a terminal, a shell, a path or a string could take for something else.
fn odd_names() -> Vec<&'static OsStr> {
    let mut names =
        ["new\nline", "\u{1b}[31mred\u{1b}[0m", "..\\..\\up", "%2e%2e%2fup", "--output", "…\u{202e}gol", " "]
            .map(OsStr::new)
            .to_vec();
    #[cfg(target_os = "linux")]
    names.push(std::os::unix::ffi::OsStrExt::from_bytes(b"not\xffutf8\x9b2J"));
    names
}

#[test]
fn odd_names_and_odd_files_do_not_stop_a_collection() {
    let dir = unpack("logs-only");
    let folder = dir.path().join("logs-only");
    let pod = fs::read_dir(folder.join("logs/svc/maestro")).unwrap().next().unwrap().unwrap().path();
    for name in odd_names() {
        let odd = folder.join("logs/svc/maestro").join(name);
        fs::create_dir(&odd).unwrap();
        fs::copy(pod.join("service.log"), odd.join("service.log")).unwrap();
        fs::write(folder.join(name), [0, 159, 146, 150]).unwrap();
    }
    fs::create_dir(folder.join("logs/a-folder.log")).unwrap();
    fs::write(folder.join("cut.json"), br#"{"apiVersion": "v1", "kind": "List", "items": [{"kind": "ConfigM"#).unwrap();
    fs::write(folder.join("cut.jsonl"), b"{\"id\":\"1\",\"version\":1}\n{\"id\":\"2\",\"ver").unwrap();
    fs::write(folder.join("deep.json"), "[".repeat(200_000)).unwrap();
    let closed = folder.join("closed.log");
    fs::write(&closed, "I1116 01:27:01.298900       1 cmd.go:42] hello\n").unwrap();
    #[cfg(unix)]
    make_unreadable(&folder, &closed);
    let (answer, left) = collect_odd(&folder);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    assert_eq!(left, ["odd.dacapo"]);
}

/// No rights (which root ignores), a link to nowhere, a link in a circle, and a pipe nobody writes
/// to.
#[cfg(unix)]
fn make_unreadable(folder: &Path, closed: &Path) {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    fs::set_permissions(closed, fs::Permissions::from_mode(0o000)).unwrap();
    symlink("nowhere", folder.join("dangling.log")).unwrap();
    symlink(".", folder.join("circle")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("pipe.log")).status();
    assert!(pipe.unwrap().success(), "mkfifo");
}
