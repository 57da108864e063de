//! What a signature tells, and that it is the one that OpenSSH would make.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;

use super::{Desk, assert_refused, keygen, ssh_keygen};
use crate::support::forge::Parts;
use crate::support::keys;

/// Members of an archive, as any ZIP tool takes them out.
fn member(bundle: &[u8], name: &str) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bundle)).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
    bytes
}

#[test]
fn a_signed_bundle_tells_whose_key_signed_it_and_that_nobody_compared_it() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.collect("x.dacapo", &["--sign", "key"]);
    let fingerprint = keys::fingerprint(1);
    let verified = desk.ask(&["verify", "x.dacapo"]);
    assert_eq!(verified.code, Some(0), "{}", verified.describe());
    let inspected = desk.ask(&["inspect", "x.dacapo"]);
    for answer in [verified, inspected] {
        let line = answer.stdout.lines().find(|line| line.contains("signed by")).unwrap();
        assert!(line.contains(&fingerprint) && line.contains("this proves nothing until"), "{line}");
    }
    let json = desk.ask(&["verify", "x.dacapo", "--format", "json"]).json();
    assert_eq!(json["seal"]["fingerprint"], fingerprint);
    assert_eq!(json["seal"]["key"], keys::public_text(1));
    assert_eq!(json["seal"]["compared"], false);
    desk.assert_tidy();
}

#[test]
fn every_way_to_name_the_signer_is_understood() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.collect("x.dacapo", &["--sign", "key"]);
    let (key, other) = (keys::public_text(1), keys::public_text(2));
    desk.write("key.pub", format!("{key} night shift\n"));
    desk.write(
        "authorized_keys",
        format!("# who may\n{other}\n\ncommand=\"ssh-ed25519 x\",no-pty {key} night@shift\n"),
    );
    desk.write("allowed_signers", format!("day@shift {other}\nnight@shift namespaces=\"file,dacapo\" {key}\n"));
    let fingerprint = keys::fingerprint(1);
    for signer in [&key, "key.pub", "authorized_keys", "allowed_signers", &fingerprint] {
        let answer = desk.ask(&["verify", "x.dacapo", "--signer", signer]);
        assert_eq!(answer.code, Some(0), "{signer}: {}", answer.describe());
        assert!(answer.stdout.contains("this is a key that it was compared with"), "{signer}: {}", answer.stdout);
    }
    let both = desk.ask(&["verify", "x.dacapo", "--signer", &other, "--signer", &key]);
    assert_eq!(both.code, Some(0), "{}", both.describe());
    let closed = [
        format!("night@shift cert-authority {key}\n"),
        format!("night@shift namespaces=\"git\" {key}\n"),
        format!("night@shift valid-before=\"20250101\" {key}\n"),
    ];
    for line in closed {
        desk.write("allowed_signers", &line);
        let answer = desk.ask(&["verify", "x.dacapo", "--signer", "allowed_signers"]);
        assert_refused(&answer, "allowed_signers", "no ssh-ed25519 key that may sign bundles");
    }
}

#[test]
fn the_same_evidence_and_key_give_the_same_bytes() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    let signed = [desk.collect("one.dacapo", &["--sign", "key"]), desk.collect("other.dacapo", &["--sign", "key"])];
    let signed = signed.map(|path| fs::read(path).unwrap());
    assert_eq!(signed[0], signed[1]);
    let plain = fs::read(desk.collect("plain.dacapo", &[])).unwrap();
    assert_eq!(member(&plain, "manifest.json"), member(&signed[0], "manifest.json"));
}

#[test]
fn ssh_keygen_checks_what_dacapo_signed() {
    let desk = Desk::new();
    if keygen(&desk, "key", &["ed25519"], "").is_none() {
        return;
    }
    let bundle = fs::read(desk.collect("x.dacapo", &["--sign", "key"])).unwrap();
    let manifest = member(&bundle, "manifest.json");
    desk.write("manifest.json.sig", member(&bundle, "manifest.json.sig"));
    let key = fs::read_to_string(desk.path("key.pub")).unwrap();
    desk.write("allowed_signers", format!("night@shift {key}"));
    let verify =
        ["-Y", "verify", "-f", "allowed_signers", "-I", "night@shift", "-n", "dacapo", "-s", "manifest.json.sig"];
    let (good, said) = ssh_keygen(&verify, &manifest, desk.dir.path()).unwrap();
    assert!(good && said.contains("Good \"dacapo\" signature"), "{said}");
    let (good, said) = ssh_keygen(&verify, &[&manifest[..], b" "].concat(), desk.dir.path()).unwrap();
    assert!(!good, "{said}");
    // The fingerprint is the one that it prints.
    let (_, listed) = ssh_keygen(&["-l", "-f", "key.pub"], b"", desk.dir.path()).unwrap();
    let fingerprint = desk.ask(&["verify", "x.dacapo", "--format", "json"]).json()["seal"]["fingerprint"].clone();
    assert!(listed.contains(fingerprint.as_str().unwrap()), "{listed} {fingerprint}");
}

#[test]
fn dacapo_checks_what_ssh_keygen_signed() {
    let desk = Desk::new();
    if keygen(&desk, "key", &["ed25519"], "").is_none() {
        return;
    }
    let mut parts = Parts::of_sample();
    let (made, said) =
        ssh_keygen(&["-Y", "sign", "-f", "key", "-n", "dacapo"], &parts.manifest_text(), desk.dir.path()).unwrap();
    assert!(made, "{said}");
    let signature = &said[..said.rfind("-----END SSH SIGNATURE-----\n").unwrap() + 28];
    let signature = &signature[signature.find("-----BEGIN").unwrap()..];
    parts.seal = Some(signature.as_bytes().to_vec());
    desk.write("x.dacapo", parts.bundle());
    let answer = desk.ask(&["verify", "x.dacapo", "--signer", "key.pub"]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
}

#[test]
fn what_nobody_or_somebody_else_signed_is_refused_with_a_signer() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.collect("signed.dacapo", &["--sign", "key"]);
    desk.collect("plain.dacapo", &[]);
    let other = keys::public_text(2);
    let answer = desk.ask(&["verify", "plain.dacapo", "--signer", &other]);
    assert_refused(&answer, "cannot trust bundle plain.dacapo", "it is not signed");
    let answer = desk.ask(&["verify", "signed.dacapo", "--signer", &other]);
    let because = format!("it is signed by {}, and not by {}", keys::fingerprint(1), keys::fingerprint(2));
    assert_refused(&answer, "cannot trust bundle signed.dacapo", &because);
}

/// Who edits a bundle can sign it again, but not as somebody else.
#[test]
fn an_edited_bundle_that_is_signed_again_has_another_signer() {
    let desk = Desk::new();
    let mut parts = Parts::of_sample();
    parts.manifest["notes"] = serde_json::json!(["nothing happened"]);
    parts.seal = Some(keys::signature(2, "dacapo", &parts.manifest_text()));
    desk.write("x.dacapo", parts.bundle());
    let answer = desk.ask(&["verify", "x.dacapo", "--signer", &keys::public_text(1)]);
    assert_refused(&answer, "cannot trust bundle x.dacapo", &format!("it is signed by {}", keys::fingerprint(2)));
}

#[test]
fn a_key_with_a_passphrase_signs_where_there_is_a_terminal() {
    let desk = Desk::new();
    if keygen(&desk, "key", &["ed25519"], "open, sesame").is_none() || super::refused::has_terminal().is_none() {
        return;
    }
    let collect = ["collect", "--from", super::SCENARIO, "-o", "x.dacapo", "--sign", "key"];
    let answer = desk.ask(&collect);
    assert_refused(&answer, "cannot sign with key", "there is no terminal to ask for it");
    assert!(!desk.path("x.dacapo").exists());
    for (typed, code) in [("sesame", 2), ("open, sesame", 0)] {
        let (ended, shown) = super::refused::in_terminal(&desk, &collect, typed);
        assert_eq!(ended, Some(code), "{shown}");
        assert!(shown.contains("passphrase of key: "), "{shown}");
        assert!(!shown.contains(typed), "what is typed is not shown: {shown}");
        assert_eq!(shown.contains("the passphrase does not open it"), code == 2, "{shown}");
    }
    let answer = desk.ask(&["verify", "x.dacapo", "--signer", "key.pub"]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
}

/// What was taken out was taken out by somebody else than who signed.
#[test]
fn a_redacted_bundle_is_signed_and_encrypted_by_who_redacts() {
    let desk = Desk::new();
    desk.write("key", keys::private_text(1));
    desk.write("other", keys::private_text(2));
    desk.collect("x.dacapo", &["--sign", "key"]);
    let unsigned = desk.ask(&["redact", "x.dacapo", "-o", "unsigned.dacapo"]);
    assert_eq!(unsigned.code, Some(0), "{}", unsigned.describe());
    assert!(unsigned.stderr.contains("the one that was written is not"), "{}", unsigned.stderr);
    assert!(desk.ask(&["verify", "unsigned.dacapo", "--format", "json"]).json()["seal"].is_null());
    let key = keys::public_text(2);
    let closed =
        ["redact", "x.dacapo", "-o", "closed.dacapo", "--pseudonymise", "names", "--sign", "other", "--encrypt", &key];
    let closed = desk.ask(&closed);
    assert_eq!(closed.code, Some(0), "{}", closed.describe());
    assert!(!closed.stderr.contains("is signed"), "{}", closed.stderr);
    let verified = desk.ask(&["verify", "closed.dacapo", "--identity", "other", "--signer", &key]);
    assert_eq!(verified.code, Some(0), "{}", verified.describe());
}
