//! Links, pipes, folders nobody may read, and what the user says about an input.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stderr, reason = "what is not tried is said")]

use super::{Case, klog};
use crate::support::{dacapo, run};

#[cfg(unix)]
#[test]
fn links_and_pipes_are_listed_and_not_read() {
    use std::os::unix::fs::symlink;
    let log = klog(3).join("\n") + "\n";
    let case = Case::new(&[("pod.log", log.as_bytes())]);
    std::fs::write(case.dir.path().join("outside.log"), klog(9)[5..].join("\n")).unwrap();
    symlink("../outside.log", case.folder().join("out.log")).unwrap();
    symlink("..", case.folder().join("up")).unwrap();
    symlink(".", case.folder().join("circle")).unwrap();
    symlink("b", case.folder().join("a")).unwrap();
    symlink("a", case.folder().join("b")).unwrap();
    symlink("pod.log", case.folder().join("same.log")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(case.folder().join("pipe.log")).status().unwrap().success());
    case.collect();
    assert_eq!(case.texts(), klog(3));
    for name in ["out.log", "up", "circle", "a", "b", "same.log", "pipe.log"] {
        assert_eq!(case.step(&format!("in/{name}"))["outcome"], "left out", "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_nobody_may_read_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let log = klog(3).join("\n") + "\n";
    let case = Case::new(&[("pod.log", log.as_bytes()), ("closed/other.log", b"x\n")]);
    let closed = case.folder().join("closed");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let readable = std::fs::read_dir(&closed).is_ok();
    if readable {
        eprintln!("not tried: this user may read every folder, as root does");
    } else {
        let answer = case.collect();
        assert_eq!(case.step("in/closed")["outcome"], "failed");
        assert!(answer.stderr.contains("closed"), "{}", answer.stderr);
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn what_the_user_says_of_an_input_is_in_the_bundle() {
    let log = klog(3).join("\n") + "\n";
    let case = Case::new(&[("pod.log", log.as_bytes())]);
    let folder = case.folder().display().to_string();
    for (said, column, value) in [("mgmt-7=", "cluster", "mgmt-7"), ("component=agent,", "component", "agent")] {
        case.collect_from(&format!("{said}{folder}"));
        assert_eq!(case.rows("coverage")[0][column], value);
        assert_eq!(case.rows("log_lines")[0][column], value);
        let shown = run(dacapo().arg("inspect").arg(case.bundle()).args(["--format", "json"]));
        assert_eq!(shown.code, Some(0), "{}", shown.describe());
        assert!(shown.stdout.contains(&format!("\"{value}\"")), "{}", shown.stdout);
        std::fs::remove_file(case.bundle()).unwrap();
    }
}
