//! Bundles that are cut, packed again, changed in their parts, or something else altogether.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;

use super::{Specimen, assert_refused};
use crate::support::{dacapo, run};

#[test]
fn what_is_not_a_whole_bundle_is_refused() {
    let good = Specimen::new("db-only");
    for (case, bytes) in not_bundles(&good.bytes) {
        let file = format!("{case}.dacapo");
        let path = good.write(&file, &bytes);
        for command in ["verify", "inspect"] {
            let answer = run(dacapo().arg(command).arg(&path));
            assert_refused(&format!("{command} {case}"), &answer, &file);
        }
        assert_refused(&format!("trace {case}"), &good.trace(&path), &file);
    }
    for (case, path) in [("folder", good.dir.path().join("db-only")), ("absent", good.dir.path().join("absent"))] {
        assert_refused(case, &run(dacapo().arg("verify").arg(&path)), path.file_name().unwrap().to_str().unwrap());
    }
}

/// Files that somebody may hand over by mistake or on purpose, by name.
fn not_bundles(good: &[u8]) -> Vec<(String, Vec<u8>)> {
    let length = good.len();
    let mut cases: Vec<(String, Vec<u8>)> =
        [0, 1, 4, 21, 22, 30, 1000, length / 2, length - 23, length - 22, length - 1]
            .map(|cut| (format!("cut-at-{cut}"), good[..cut].to_vec()))
            .into();
    let members = members(good);
    let table = members.iter().position(|(name, _)| name != "manifest.json").unwrap();
    let mut renamed = members.clone();
    renamed[table].0 = members[table].0.replace(".parquet", "z.parquet");
    let mut dropped = members.clone();
    dropped.remove(table);
    let mut twice = members.clone();
    twice.push((members[table].0.replace(".parquet", "-2.parquet"), members[table].1.clone()));
    let longer = |more: &[u8]| [good, more].concat();
    cases.extend([
        ("text".to_owned(), b"what happened to this ManifestWork?\n".repeat(100)),
        ("picture".to_owned(), [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 400]].concat()),
        ("other-zip".to_owned(), zipped(&[("readme.txt".to_owned(), b"not a bundle".to_vec())])),
        ("empty-zip".to_owned(), zipped(&[])),
        ("zipped-again".to_owned(), zipped(&members)),
        ("member-renamed".to_owned(), zipped(&renamed)),
        ("member-dropped".to_owned(), zipped(&dropped)),
        ("member-added".to_owned(), zipped(&twice)),
        ("member-twice".to_owned(), twice_in_directory(good)),
        ("bytes-after".to_owned(), longer(b"\0")),
        ("text-after".to_owned(), longer(&b"more ".repeat(5000))),
        ("itself-after".to_owned(), longer(good)),
        ("bytes-before".to_owned(), [b"#!/bin/sh\n".as_slice(), good].concat()),
    ]);
    cases
}

fn members(bundle: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bundle)).unwrap();
    let count = archive.len();
    let read = |at: usize| {
        let mut member = archive.by_index(at).unwrap();
        let mut data = Vec::new();
        member.read_to_end(&mut data).unwrap();
        (member.name().unwrap().into_owned(), data)
    };
    (0..count).map(read).collect()
}

fn zipped(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, data) in members {
        archive.start_file(name.as_str(), stored).unwrap();
        archive.write_all(data).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The same name twice, which no decent library writes: the directory's first entry stands there
/// again.
fn twice_in_directory(good: &[u8]) -> Vec<u8> {
    let (_, first) = header_positions(good, 0);
    let (_, second) = header_positions(good, 1);
    let mut bytes = good[..second].to_vec();
    bytes.extend_from_slice(&good[first..second]);
    bytes.extend_from_slice(&good[second..]);
    let end = bytes.len() - 22;
    let size = u32::from_le_bytes(bytes[end + 12..end + 16].try_into().unwrap()) + (second - first) as u32;
    bytes[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
    bytes[end + 8] += 1;
    bytes[end + 10] += 1;
    bytes
}

/// Where a member's local header and its entry in the directory begin.
fn header_positions(bundle: &[u8], member: usize) -> (usize, usize) {
    let mut archive = zip::ZipArchive::new(Cursor::new(bundle)).unwrap();
    let member = archive.by_index(member).unwrap();
    (member.header_start() as usize, member.central_header_start() as usize)
}

#[test]
fn a_newer_major_format_is_named() {
    let good = Specimen::new("db-only");
    let members = members(&good.bytes);
    let at = members.iter().position(|(name, _)| name == "manifest.json").unwrap();
    let old = String::from_utf8(members[at].1.clone()).unwrap();
    let new = old.replacen("dacapo.bundle/1", "dacapo.bundle/9", 1);
    assert_ne!(old, new, "the manifest names its format");
    // Everything else fits, as in a bundle that a later dacapo wrote: same place, same length, its
    // own CRC.
    let mut bytes = good.bytes.clone();
    let (local, central) = header_positions(&bytes, at);
    let data = local + 30 + "manifest.json".len();
    bytes[data..data + new.len()].copy_from_slice(new.as_bytes());
    let crc = crc32fast::hash(new.as_bytes()).to_le_bytes();
    bytes[local + 14..local + 18].copy_from_slice(&crc);
    bytes[central + 16..central + 20].copy_from_slice(&crc);
    let path = good.write("newer.dacapo", &bytes);
    for command in ["verify", "inspect"] {
        let answer = run(dacapo().arg(command).arg(&path));
        assert_refused(command, &answer, "newer.dacapo");
        assert!(answer.stderr.contains("dacapo.bundle/9"), "{}", answer.describe());
    }
    assert_refused("trace", &good.trace(&path), "newer.dacapo");
}
