//! Completions, in the shells that people use.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::process::{on_a_terminal, skip};
use crate::support::{dacapo, run};

/// What is typed, and what must be offered for its last word.
const OFFERED: &[(&[&str], &[&str])] = &[
    (&["dacapo", "mat"], &["matrix"]),
    (&["dacapo", "explain", "agent_s"], &["agent_silent"]),
    (&["dacapo", "diagnose", "x.dacapo", "--rule", "status_m"], &["status_missing"]),
    (&["dacapo", "query", "x.dacapo", "works-n"], &["works-named"]),
    (&["dacapo", "query", "x.dacapo", "works-labelled", "lab"], &["label="]),
    (&["dacapo", "matrix", "x.dacapo", "--by", "po"], &["pod"]),
    (&["dacapo", "works", "x.dacapo", "--outcome", "re"], &["refused"]),
];

fn script(shell: &str, dir: &TempDir) -> PathBuf {
    let answer = run(dacapo().args(["completions", shell]));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let path = dir.path().join("_dacapo");
    std::fs::write(&path, answer.stdout).unwrap();
    path
}

fn there(shell: &str) -> bool {
    let there = Command::new(shell).arg("-c").arg("true").output().is_ok_and(|output| output.status.success());
    if !there {
        skip::<()>(&format!("there is no {shell}"));
    }
    there
}

fn said_by(command: &mut Command) -> String {
    let output = command.env("HOME", "/nowhere").stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_offers_names() {
    let dir = TempDir::new().unwrap();
    let script = script("bash", &dir);
    for (typed, offered) in OFFERED {
        let last = typed.len() - 1;
        let ask = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                   _dacapo dacapo \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
        let said = said_by(Command::new("bash").args(["--norc", "-c", ask, "bash"]).arg(&script).args(*typed));
        assert_eq!(said.lines().collect::<Vec<_>>(), *offered, "{:?} after {:?}", typed.last(), typed.get(..last));
    }
}

#[test]
fn fish_offers_names() {
    if !there("fish") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let script = script("fish", &dir);
    for (typed, offered) in OFFERED {
        let ask = format!("source {}; complete -C '{}'", script.display(), typed.join(" "));
        let said = said_by(Command::new("fish").args(["--no-config", "-c", &ask]).current_dir(dir.path()));
        let names: Vec<&str> = said.lines().map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(names, *offered, "{typed:?}");
    }
}

/// zsh completes only where somebody presses Tab, so somebody does, on a terminal. What was completed is then run.
#[test]
fn zsh_completes_names() {
    if !there("zsh") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let script = script("zsh", &dir);
    let mut typed = String::from("PS1=; zmodload zsh/zle; autoload -U compinit; compinit -u -D\n");
    typed += &format!("source {}; compdef _dacapo dacapo\n", script.display());
    typed += "dacapo() { print \"GOT $*.\" }\n";
    for (words, _) in OFFERED {
        typed += &format!("{}\tx\n", words.join(" "));
    }
    typed += "exit 0\n";
    let shown = on_a_terminal("zsh -f -i", typed.as_bytes());
    for (words, offered) in OFFERED {
        let whole = words.iter().skip(1).rev().skip(1).rev().chain(*offered).copied().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&format!("GOT {whole} x.")), "{whole}: {shown}");
    }
}
