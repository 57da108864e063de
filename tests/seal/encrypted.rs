//! Who is no recipient learns nothing, and who is one reads it with every command.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use dacapo::bundle::{Identities, Limits, Reader};

use super::{Desk, assert_refused, keygen};
use crate::support::forge::Parts;
use crate::support::keys;
use crate::support::truth::Truth;

/// Each command that opens a bundle; trace and show are asked for a work and a row.
const COMMANDS: &[&[&str]] = &[
    &["inspect"],
    &["trace", "WORK"],
    &["works"],
    &["matrix"],
    &["diagnose"],
    &["resolve", "WORK"],
    &["show", "resources:1"],
    &["query", "--sql", "select count(*) from resources"],
    &["query", "--sql", "select * from works order by all"],
];

/// A desk with a bundle that is encrypted to the key with this number.
fn encrypted_to(seed: u8) -> Desk {
    let desk = Desk::new();
    desk.write("key", keys::private_text(seed));
    desk.write("other", keys::private_text(seed + 1));
    desk.collect("x.dacapo", &["--encrypt", &keys::public_text(seed)]);
    desk
}

#[test]
fn every_command_answers_from_an_encrypted_bundle_as_from_the_plain_one() {
    let desk = encrypted_to(1);
    let work = Truth::read(&desk.path(super::SCENARIO)).focus[0].resource_id.clone();
    let sealed = fs::read(desk.path("x.dacapo")).unwrap();
    assert!(sealed.starts_with(b"age-encryption.org/v1\n"));
    let ask = |command: &[&str], more: &[&str]| {
        let words: Vec<&str> = command.iter().map(|word| if *word == "WORK" { work.as_str() } else { *word }).collect();
        desk.ask(&[&words[..1], &["x.dacapo"], &words[1..], more, &["--format", "json"]].concat())
    };
    let opened: Vec<_> = COMMANDS.iter().map(|command| ask(command, &["--identity", "key"])).collect();
    let closed: Vec<_> = COMMANDS.iter().map(|command| ask(command, &[])).collect();
    for answer in closed {
        assert_refused(&answer, "cannot open bundle x.dacapo", "it is encrypted to 1 recipient (ssh-ed25519)");
        assert!(answer.stderr.contains("hint: --identity FILE opens it"), "{}", answer.describe());
    }
    desk.assert_tidy();
    desk.collect("x.dacapo", &[]);
    for (command, opened) in COMMANDS.iter().zip(opened) {
        let mut plain = ask(command, &[]);
        if command[0] == "inspect" {
            // The envelope has a size of its own.
            let bytes = |bytes: usize| format!("\"bytes\": {bytes},\n  \"bundle_format\"");
            let length = fs::read(desk.path("x.dacapo")).unwrap().len();
            plain.stdout = plain.stdout.replace(&bytes(length), &bytes(sealed.len()));
        }
        assert_eq!(opened, plain, "{command:?}");
        assert_ne!(opened.code, Some(2), "{}", opened.describe());
    }
}

#[test]
fn verify_tells_the_sum_of_the_file_and_who_signed_what_is_in_it() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    let path = desk.collect("x.dacapo", &["--encrypt", &keys::public_text(1), "--sign", "key"]);
    let sealed = fs::read(path).unwrap();
    let arguments = ["verify", "x.dacapo", "--identity", "key", "--signer", &keys::public_text(1), "--format", "json"];
    let verified = desk.ask(&arguments).json();
    assert_eq!(verified["sha256"], crate::support::forge::sha256(&sealed));
    assert_eq!(verified["bytes"], sealed.len());
    assert_eq!(verified["seal"]["compared"], true);
}

#[test]
fn each_kind_of_recipient_opens_it_with_its_own_key() {
    let desk = Desk::new();
    let age = age::x25519::Identity::generate();
    let secret = age::secrecy::ExposeSecret::expose_secret(&age.to_string()).to_owned();
    desk.write("age.txt", format!("# created: today\n# public key: {}\n{secret}\n", age.to_public()));
    desk.write("ed25519", keys::private_text(1));
    let mut to = format!("# the team\n{}\n{} night@shift\n", age.to_public(), keys::public_text(1));
    let mut identities = vec!["age.txt", "ed25519"];
    if keygen(&desk, "rsa", &["rsa", "-b", "2048"], "").is_some() {
        to += &fs::read_to_string(desk.path("rsa.pub")).unwrap();
        identities.push("rsa");
    }
    desk.write("team", to);
    let third = keys::public_text(3);
    desk.collect("x.dacapo", &["--encrypt", "team", "--encrypt", &third]);
    for identity in &identities {
        let answer = desk.ask(&["verify", "x.dacapo", "--identity", identity]);
        assert_eq!(answer.code, Some(0), "{identity}: {}", answer.describe());
    }
    desk.write("stranger", keys::private_text(9));
    let answer = desk.ask(&["verify", "x.dacapo", "--identity", "stranger"]);
    assert_refused(
        &answer,
        "cannot open bundle x.dacapo",
        &format!("it is encrypted to {} recipients", identities.len() + 1),
    );
    assert_refused(&answer, "cannot open bundle x.dacapo", "no identity that was given is one of them");
    let answer = desk.ask(&["verify", "x.dacapo", "--identity", "stranger", "--identity", "ed25519"]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    desk.assert_tidy();
}

#[test]
fn a_key_with_a_passphrase_opens_it_where_there_is_a_terminal() {
    let desk = Desk::new();
    if keygen(&desk, "key", &["ed25519"], "open, sesame").is_none() {
        return;
    }
    desk.collect("x.dacapo", &["--encrypt", "key.pub"]);
    let verify = ["verify", "x.dacapo", "--identity", "key"];
    assert_refused(&desk.ask(&verify), "cannot decrypt with key", "there is no terminal to ask for it");
    if super::refused::has_terminal().is_some() {
        let (code, shown) = super::refused::in_terminal(&desk, &verify, "open, sesame");
        assert_eq!(code, Some(0), "{shown}");
    }
}

#[test]
fn what_is_no_identity_is_refused() {
    let desk = encrypted_to(1);
    desk.write("key.pub", keys::public_text(1));
    desk.write("notes.txt", "the key is under the mat");
    for (identity, because) in [
        ("absent", "No such file"),
        ("key.pub", "it is a public key, and the private key is needed"),
        ("notes.txt", "it holds no key"),
        ("x.dacapo", "it holds no key"),
    ] {
        let answer = desk.ask(&["verify", "x.dacapo", "--identity", identity]);
        assert_refused(&answer, &format!("cannot decrypt with {identity}"), because);
    }
}

#[test]
fn ciphertext_that_is_cut_or_changed_is_refused_in_a_sentence_of_its_own() {
    let desk = encrypted_to(1);
    let good = fs::read(desk.path("x.dacapo")).unwrap();
    let header = good.windows(5).position(|window| window == b"\n--- ").unwrap();
    let payload = header + 1 + good[header + 1..].iter().position(|byte| *byte == b'\n').unwrap() + 1 + 16;
    let chunk = (64 << 10) + 16;
    assert!(good.len() > payload + chunk + 2000, "it has several chunks: {}", good.len());
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let longer = [&good[..], b"more"].concat();
    let mut bomb = b"age-encryption.org/v1\n".to_vec();
    bomb.extend(b"-> X25519 AAAA\nAAAA\n".repeat(1 << 16));
    let passphrase = b"age-encryption.org/v1\n-> scrypt AAAA 30\nAAAA\n--- AAAA\n".to_vec();
    for (name, bytes, because) in [
        ("cut-between-chunks", good[..payload + chunk].to_vec(), "its ciphertext is cut short"),
        ("cut-in-a-chunk", good[..payload + chunk + 1000].to_vec(), "the end of its ciphertext cannot be decrypted"),
        ("cut-to-the-header", good[..payload].to_vec(), "its ciphertext is cut short"),
        ("cut-in-the-nonce", good[..payload - 8].to_vec(), "its ciphertext is cut short"),
        ("cut-in-the-header", good[..header].to_vec(), "its ciphertext is cut short"),
        ("flipped", flipped(payload + 100), "its ciphertext was changed: the 64 KB from byte"),
        ("flipped-at-the-end", flipped(good.len() - 1), "the end of its ciphertext cannot be decrypted"),
        ("flipped-sum-of-the-header", flipped(header + 8), "its header"),
        ("longer", longer, "the end of its ciphertext cannot be decrypted"),
        ("endless-header", bomb, "its header does not end within"),
        ("with-a-passphrase", passphrase, "it is encrypted with a passphrase"),
    ] {
        let file = format!("{name}.dacapo");
        desk.write(&file, bytes);
        let answer = desk.ask(&["verify", &file, "--identity", "key"]);
        assert_refused(&answer, &format!("cannot open bundle {file}"), because);
    }
    desk.assert_tidy();
}

/// Bits of a small bundle's envelope, in this process: each would take one of its own otherwise.
#[test]
fn every_flipped_byte_of_an_encrypted_bundle_is_noticed() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.write("plain.dacapo", Parts::of_sample().bundle());
    let good = encrypted(&fs::read(desk.path("plain.dacapo")).unwrap(), 1);
    let key = desk.path("key");
    let identities = Identities::read([key.as_path()].into_iter(), &|_: &Path| None).unwrap();
    let path = desk.write("x.dacapo", &good);
    let opens = || Reader::open_encrypted(&path, Limits::default(), &identities).is_ok();
    assert!(opens());
    let unnoticed: Vec<usize> = crate::hostile::positions(good.len(), 400, 100, 200)
        .into_iter()
        .filter(|&at| {
            crate::hostile::put(&path, at, crate::hostile::flipped(good[at], at));
            let noticed = !opens();
            crate::hostile::put(&path, at, good[at]);
            !noticed
        })
        .collect();
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}

fn encrypted(plain: &[u8], seed: u8) -> Vec<u8> {
    let recipient: age::ssh::Recipient = keys::public_text(seed).parse().ok().unwrap();
    age::encrypt(&recipient, plain).unwrap()
}

/// Any age opens it: it is their format.
#[test]
fn an_encrypted_bundle_is_a_file_of_age() {
    let desk = encrypted_to(1);
    let identity = age::ssh::Identity::from_buffer(keys::private_text(1).as_bytes(), None).unwrap();
    let plain = age::decrypt(&identity, &fs::read(desk.path("x.dacapo")).unwrap()).unwrap();
    desk.collect("plain.dacapo", &[]);
    assert!(plain == fs::read(desk.path("plain.dacapo")).unwrap(), "what was encrypted is the bundle");
    desk.write("by-age.dacapo", encrypted(&plain, 1));
    let answer = desk.ask(&["verify", "by-age.dacapo", "--identity", "key"]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
}
