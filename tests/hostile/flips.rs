//! Every bit of a whole small bundle, one after the other.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;

use tempfile::TempDir;

use super::{put, verify_here};
use crate::support::forge::Parts;
use crate::support::on_two_threads;

/// A whole bundle with few tables: all bits of all would take minutes.
fn small() -> Vec<u8> {
    let mut parts = Parts::of_sample();
    let kept = ["tables/consumers.parquet", "tables/server_instances.parquet"];
    parts.members.retain(|(name, _)| kept.contains(&name.as_str()));
    let about = parts.manifest["members"].as_array_mut().unwrap();
    about.retain(|member| kept.iter().any(|name| member["name"] == *name));
    parts.bundle()
}

#[test]
fn every_flipped_bit_is_noticed() {
    let (dir, good) = (TempDir::with_prefix("dacapo-flips-").unwrap(), small());
    let parts: Vec<std::ops::Range<usize>> =
        (0..8).map(|part| part * good.len() / 8..(part + 1) * good.len() / 8).collect();
    let unnoticed = on_two_threads(&parts, |part| {
        let path = dir.path().join(format!("flipped-{}.dacapo", part.start));
        fs::write(&path, &good).unwrap();
        assert_eq!(verify_here(&path), Ok(()), "the bundle itself");
        let bits = part.clone().flat_map(|byte| (0..8).map(move |bit| (byte, bit)));
        let wrong = bits.filter(|(byte, bit)| {
            put(&path, *byte, good[*byte] ^ (1 << bit));
            let noticed = verify_here(&path);
            put(&path, *byte, good[*byte]);
            !matches!(noticed, Err(why) if why != "panicked")
        });
        wrong.collect::<Vec<_>>()
    });
    let unnoticed = unnoticed.concat();
    assert!(unnoticed.is_empty(), "of {} bits, these can change unnoticed or panic: {unnoticed:?}", good.len() * 8);
}
