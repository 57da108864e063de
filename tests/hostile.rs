//! What comes from strangers: bundles that were damaged or made up, and folders full of odd files.
//!
//! A bundle is either exactly what was written or it is refused in one clear sentence; a folder
//! gives a bundle or a reason. Never a panic, never a control character on somebody's terminal.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod corpus;
mod flips;
mod folders;
mod forged;
mod lies;
mod mouths;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use dacapo::bundle::Reader;
use tempfile::TempDir;

use crate::support::truth::Truth;
use crate::support::{Answer, collect, dacapo, on_two_threads, run, unpack};

/// A good bundle, in a folder of its own, and a work to ask it about.
struct Specimen {
    dir: TempDir,
    bytes: Vec<u8>,
    id: String,
}

impl Specimen {
    fn new(scenario: &str) -> Self {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let bytes = fs::read(collect(&folder)).unwrap();
        let id = Truth::read(&folder).focus[0].resource_id.clone();
        Self { dir, bytes, id }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn trace(&self, bundle: &Path) -> Answer {
        run(dacapo().arg("trace").arg(bundle).arg(&self.id).args(["--format", "json"]))
    }
}

/// Every byte of the beginning and the end, where headers, manifest and directory are, and others
/// in between.
pub fn positions(length: usize, head: usize, tail: usize, between: usize) -> Vec<usize> {
    let spread = (0..between).map(|n| n * length / between.max(1));
    let all: BTreeSet<usize> = (0..head.min(length)).chain(length.saturating_sub(tail)..length).chain(spread).collect();
    all.into_iter().collect()
}

/// Another bit at another position, so that all eight get their turn.
pub fn flipped(byte: u8, position: usize) -> u8 {
    byte ^ (1 << (position % 8))
}

/// Changes one byte of a file where it is; the file is not copied again for each of thousands.
pub fn put(path: &Path, position: usize, byte: u8) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(position as u64)).unwrap();
    file.write_all(&[byte]).unwrap();
}

/// What `verify` says, in this process: thousands of processes would take minutes.
fn verify_here(path: &Path) -> Result<(), String> {
    let checked = catch_unwind(AssertUnwindSafe(|| Reader::open(path)?.verify().map(|_| ())));
    match checked {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("panicked".to_owned()),
    }
}

#[test]
fn every_flipped_byte_is_noticed() {
    let good = Specimen::new("db-only");
    let positions = positions(good.bytes.len(), 4 << 10, 8 << 10, 400);
    let halves: Vec<&[usize]> = positions.chunks(positions.len().div_ceil(2)).collect();
    let unnoticed = on_two_threads(&halves, |half| {
        let path = good.write(&format!("flipped-{}.dacapo", half[0]), &good.bytes);
        assert_eq!(verify_here(&path), Ok(()), "the bundle itself");
        let wrong = half.iter().filter(|&&position| {
            put(&path, position, flipped(good.bytes[position], position));
            let noticed = verify_here(&path);
            put(&path, position, good.bytes[position]);
            !matches!(noticed, Err(why) if why != "panicked")
        });
        wrong.copied().collect::<Vec<usize>>()
    });
    let unnoticed = unnoticed.concat();
    let length = good.bytes.len();
    assert!(unnoticed.is_empty(), "of {length} bytes, these can change unnoticed or panic: {unnoticed:?}");
}

#[test]
fn a_flipped_byte_never_changes_an_answer() {
    let good = Specimen::new("agent-down");
    let path = good.write("flipped.dacapo", &good.bytes);
    let right = good.trace(&path);
    assert_eq!(right.code, Some(1), "{}", right.describe());
    let mut refused = 0;
    for position in positions(good.bytes.len(), 2, 2, 56) {
        put(&path, position, flipped(good.bytes[position], position));
        let answer = good.trace(&path);
        let noticed = run(dacapo().arg("verify").arg(&path));
        put(&path, position, good.bytes[position]);
        assert_refused(&format!("verify, byte {position}"), &noticed, "flipped.dacapo");
        if answer != right {
            assert_refused(&format!("trace, byte {position}"), &answer, "flipped.dacapo");
            refused += 1;
        }
    }
    assert!(refused > 0, "trace reads something of the file");
}

/// One clear sentence about this file, and nothing that could be taken for an answer.
fn assert_refused(case: &str, answer: &Answer, file: &str) {
    let told = format!("{case}: {}\n{}", answer.describe(), answer.stdout);
    assert!(!answer.panicked(), "{told}");
    assert_eq!(answer.code, Some(2), "{told}");
    assert_eq!(answer.stderr.lines().filter(|line| line.starts_with("error:")).count(), 1, "{told}");
    assert!(answer.stderr.contains(file), "{told}");
    assert_eq!(answer.stdout, "", "{told}");
    assert_printable(case, answer);
}

fn assert_printable(case: &str, answer: &Answer) {
    let odd = |text: &str| text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!((odd(&answer.stdout), odd(&answer.stderr)), (None, None), "{case}: {answer:?}");
}
