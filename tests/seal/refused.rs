//! Keys that are no use are refused before anything is collected, each with its reason.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Desk, assert_refused, keygen};
use crate::support::{keys, process};

/// Asks to collect from where nothing is: who says what is wrong with a key has not looked there.
fn collect(desk: &Desk, option: &str, key: &str, what: &str, because: &str) {
    let answer = desk.ask(&["collect", "--from", "nowhere", "-o", "x.dacapo", option, key]);
    assert_refused(&answer, what, because);
    assert!(!desk.path("x.dacapo").exists());
}

#[test]
fn what_cannot_sign_is_refused_before_anything_is_collected() {
    let desk = Desk::new();
    desk.write("key.pub", keys::public_text(1));
    desk.write("notes.txt", "the key is under the mat");
    desk.write("cut", &keys::private_text(1)[..200]);
    desk.write("old", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n");
    desk.write("binary", [0xff, 0xfe, 0x00]);
    desk.write("large", vec![b'-'; 2 << 20]);
    for (key, because) in [
        ("absent", "No such file"),
        (super::SCENARIO, "is a directory"),
        ("key.pub", "it is a public key, and the private key is needed"),
        ("notes.txt", "it holds no key"),
        ("binary", "it holds no key"),
        ("cut", "it cannot be read as a key"),
        ("old", "it is in an old format"),
        ("large", "it is too large"),
    ] {
        collect(&desk, "--sign", key, &format!("cannot sign with {key}"), because);
    }
    if keygen(&desk, "rsa", &["rsa", "-b", "2048"], "").is_some() {
        collect(&desk, "--sign", "rsa", "cannot sign with rsa", "only ssh-ed25519 keys sign");
    }
}

#[test]
fn whom_nothing_can_be_encrypted_to_is_refused_before_anything_is_collected() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.write("empty", "# nobody yet\n");
    desk.write("mixed", format!("{}\nage1nobody\n", keys::public_text(1)));
    for (recipient, because) in [
        ("absent", "No such file"),
        ("key", "it is a private key, and the public key is needed"),
        ("empty", "it holds no key"),
        ("age1nobody", "\"age1nobody\" is no recipient"),
        ("mixed", "\"age1nobody\" is no recipient"),
        ("ssh-ed25519 AAAA", "is no recipient"),
    ] {
        collect(&desk, "--encrypt", recipient, &format!("cannot encrypt to {recipient}"), because);
    }
}

/// What is typed into the wrong place may end in a log.
#[test]
fn a_private_key_in_the_wrong_place_is_not_repeated() {
    let desk = Desk::new();
    let secret = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ";
    let answer = desk.ask(&["collect", "--from", "nowhere", "-o", "x.dacapo", "--encrypt", secret]);
    assert_refused(&answer, "cannot encrypt to the key that was given", "it is a private key");
    assert!(!answer.stderr.contains(secret), "{}", answer.describe());
}

/// Runs `dacapo` in a terminal and types this when it asks; tells how it ended and what was shown.
pub fn in_terminal(desk: &Desk, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
    let command: Vec<String> =
        [env!("CARGO_BIN_EXE_dacapo")].iter().chain(arguments).map(|word| format!("'{word}'")).collect();
    let mut script = Command::new("script");
    script.args(["-qec", &command.join(" "), "/dev/null"]).current_dir(desk.path(""));
    script.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = Vec::new();
    let mut piece = [0; 1024];
    while !shown.ends_with(b": ") {
        match output.read(&mut piece).unwrap() {
            0 => break,
            read => shown.extend_from_slice(&piece[..read]),
        }
    }
    // It asks, and then stops showing what is typed.
    std::thread::sleep(Duration::from_millis(300));
    input.write_all(format!("{typed}\n").as_bytes()).unwrap();
    output.read_to_end(&mut shown).unwrap();
    (child.wait().unwrap().code(), String::from_utf8_lossy(&shown).into_owned())
}

/// Is there something that gives a program a terminal?
pub fn has_terminal() -> Option<()> {
    let script = Command::new("script").arg("--version").stdin(Stdio::null()).output();
    script.ok().filter(|output| output.status.success()).map(drop).or_else(|| process::skip("there is no script"))
}
