//! Archives that are nested, forged, locked or far too large.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::io::{Cursor, Read as _, Write as _};

use super::{Case, gz, klog};
use crate::support::{dacapo, run};

fn tar(members: &[(&str, &[u8])]) -> tar::Builder<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_archive_in_an_archive_in_an_archive_is_opened() {
    let log = klog(3).join("\n") + "\n";
    let inner = gz(&tar(&[("pod.log", log.as_bytes())]).into_inner().unwrap());
    let middle = zip(&[("inner.tar.gz", &inner)]);
    let outer = tar(&[("middle.zip", &middle)]).into_inner().unwrap();
    let case = Case::new(&[("outer.tar.zst", &zstd::encode_all(outer.as_slice(), 1).unwrap())]);
    case.collect();
    assert_eq!(case.texts(), klog(3));
    assert_eq!(case.step("in/outer.tar.zst/middle.zip/inner.tar.gz/pod.log")["outcome"], "ok");
}

#[test]
fn names_that_lead_out_of_an_archive_lead_nowhere() {
    let log = klog(3).join("\n") + "\n";
    let (one, other) = (klog(5)[3..4].join("\n") + "\n", klog(6)[5..].join("\n") + "\n");
    let archive = zip(&[
        ("../../up.log", log.as_bytes()),
        ("/etc/absolute.log", one.as_bytes()),
        ("..\\win.log", other.as_bytes()),
    ]);
    let case = Case::new(&[("forged.zip", &archive)]);
    case.collect();
    for name in ["up.log", "etc/absolute.log", "win.log"] {
        assert_eq!(case.step(&format!("in/forged.zip/{name}"))["outcome"], "ok");
    }
    let beside: Vec<_> = std::fs::read_dir(case.dir.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
}

/// The flag that says a member is encrypted, set in both of its headers.
#[test]
fn a_locked_member_is_named_and_the_others_are_taken() {
    let log = klog(3).join("\n") + "\n";
    let mut archive = zip(&[("secret.log", log.as_bytes()), ("open.log", log.as_bytes())]);
    archive[6] |= 1;
    let central = archive.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    archive[central + 8] |= 1;
    let case = Case::new(&[("locked.zip", &archive)]);
    let answer = case.collect();
    assert_eq!(case.texts(), klog(3));
    assert_eq!(case.step("in/locked.zip/secret.log")["outcome"], "failed");
    assert!(answer.stderr.contains("locked.zip/secret.log"), "{}", answer.stderr);
    assert!(
        case.error("in/locked.zip/secret.log").to_lowercase().contains("password"),
        "{}",
        case.error("in/locked.zip/secret.log")
    );
}

#[test]
fn links_in_an_archive_are_listed_and_not_followed() {
    let log = klog(3).join("\n") + "\n";
    let mut archive = tar(&[("pod.log", log.as_bytes())]);
    for (kind, name, target) in
        [(tar::EntryType::Link, "hard.log", "pod.log"), (tar::EntryType::Symlink, "soft.log", "/etc/passwd")]
    {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        archive.append_link(&mut header, name, target).unwrap();
    }
    let case = Case::new(&[("links.tar", &archive.into_inner().unwrap())]);
    case.collect();
    assert_eq!(case.texts(), klog(3));
    for name in ["hard.log", "soft.log"] {
        assert_eq!(case.step(&format!("in/links.tar/{name}"))["outcome"], "left out");
    }
}

#[test]
fn a_bomb_is_stopped_and_the_limit_is_told() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let object = br#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}"#;
    encoder.write_all(object).unwrap();
    std::io::copy(&mut std::io::repeat(b' ').take((1 << 30) + 10), &mut encoder).unwrap();
    let bomb = encoder.finish().unwrap();
    // As gzip expands at most a thousandfold, it is packed twice.
    let case = Case::new(&[("bomb.gz", &gz(&bomb)), ("small.log", klog(1).join("\n").as_bytes())]);
    let answer = case.collect();
    assert!(case.error("in/bomb.gz").contains("expands to more than 1073741824 bytes"), "{}", answer.stderr);
    assert_eq!((case.rows("kube_objects").len(), case.texts().len()), (1, 1));
}

#[test]
fn a_tar_that_is_cut_names_the_file_in_which_it_ends() {
    let lines = klog(200);
    let log = lines.join("\n") + "\n";
    let archive = tar(&[("first.log", &log.as_bytes()[..4000]), ("second.log", log.as_bytes())]).into_inner().unwrap();
    let case = Case::new(&[("cut.tar", &archive[..10_000])]);
    let answer = case.collect();
    let step = case.step("in/cut.tar/second.log");
    assert_eq!(step["outcome"], "partial", "{step:#}\n{}", answer.stderr);
    assert!(step["error"].as_str().unwrap().contains("bytes before this file does"), "{step:#}");
}

#[test]
fn an_archive_without_files_is_listed() {
    let log = klog(1).join("\n");
    let empty = tar(&[]).into_inner().unwrap();
    let case = Case::new(&[("none.zip", &zip(&[])), ("zeros.tar", &empty), ("pod.log", log.as_bytes())]);
    case.collect();
    assert_eq!(case.step("in/none.zip")["outcome"], "left out");
    assert_eq!(case.step("in/zeros.tar")["outcome"], "left out");
}

#[test]
fn an_archive_may_come_through_standard_input() {
    let log = klog(3).join("\n") + "\n";
    let archive = gz(&tar(&[("pod.log", log.as_bytes())]).into_inner().unwrap());
    let case = Case::new(&[]);
    let answer = run(dacapo().args(["collect", "--from", "-", "-o"]).arg(case.bundle()).write_stdin(archive));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    assert_eq!(case.texts(), klog(3));
    assert_eq!(case.step("stdin/pod.log")["outcome"], "ok");
}
