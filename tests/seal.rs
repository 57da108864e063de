//! Signed bundles prove who took them, encrypted ones open for their recipients alone; and what OpenSSH makes fits what dacapo
//! makes, both ways.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod encrypted;
mod refused;
mod signed;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{Answer, dacapo, process, run, unpack};

const SCENARIO: &str = "agent-down";

/// Evidence, and a folder for keys and bundles.
struct Desk {
    dir: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { dir: unpack(SCENARIO) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// `dacapo`, which puts what it needs for a while into a folder of its own.
    fn dacapo(&self, arguments: &[&str]) -> assert_cmd::Command {
        let passing = self.path("passing");
        fs::create_dir_all(&passing).unwrap();
        let mut command = dacapo();
        command.current_dir(self.dir.path()).env("TMPDIR", passing).args(arguments);
        command
    }

    fn ask(&self, arguments: &[&str]) -> Answer {
        run(&mut self.dacapo(arguments))
    }

    /// Collects the evidence into a bundle of this name.
    fn collect(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let answer = self.ask(&[&["collect", "--from", SCENARIO, "-o", name], arguments].concat());
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        self.path(name)
    }

    /// Nothing is left of what was there for a while.
    fn assert_tidy(&self) {
        let left: Vec<_> = fs::read_dir(self.path("passing")).unwrap().map(|file| file.unwrap().path()).collect();
        assert!(left.is_empty(), "{left:?}");
        let hidden = fs::read_dir(self.dir.path()).unwrap().map(|file| file.unwrap().file_name());
        let hidden: Vec<_> = hidden.filter(|name| name.to_string_lossy().starts_with('.')).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }
}

/// What `ssh-keygen` says to this, or nothing where it is not installed.
fn ssh_keygen(arguments: &[&str], input: &[u8], folder: &Path) -> Option<(bool, String)> {
    let mut command = Command::new("ssh-keygen");
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return process::skip("there is no ssh-keygen") };
    // It may not want to hear it.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input);
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

/// Has `ssh-keygen` make a key of this kind.
fn keygen(desk: &Desk, name: &str, kind: &[&str], passphrase: &str) -> Option<()> {
    let arguments = [kind, &["-q", "-N", passphrase, "-C", "night shift", "-f", name]].concat();
    let (made, said) = ssh_keygen(&[&["-t"], &arguments[..]].concat(), b"", desk.dir.path())?;
    assert!(made, "{said}");
    Some(())
}

/// One clear refusal, and no answer.
fn assert_refused(answer: &Answer, what: &str, because: &str) {
    let told = answer.describe();
    assert_eq!(answer.code, Some(2), "{told}");
    assert!(!answer.panicked(), "{told}");
    assert!(answer.stdout.is_empty(), "{told}\n{}", answer.stdout);
    assert!(answer.stderr.lines().any(|line| line.starts_with("error: ") && line.contains(what)), "{what:?}: {told}");
    assert!(
        answer.stderr.lines().any(|line| line.starts_with("  because ") && line.contains(because)),
        "{because:?}: {told}"
    );
}
