//! What the mutator begins with: honest inputs of every kind that the targets read.

use std::io::Write as _;

use dacapo::logs::{FORMATS, WRAPPINGS};

use super::targets::{IDENTITY, SMALL};
use crate::support::forge::Parts;
use crate::support::keys;
use crate::support::unpack_forms;

/// Longer files are not worth it: a change somewhere in them says little.
const LONGEST: u64 = 16 << 10;

pub fn of(target: &str) -> Vec<Vec<u8>> {
    match target {
        "archive" => vec![SMALL.bundle()],
        "manifest" => {
            vec![serde_json::to_vec(&SMALL.manifest).unwrap(), serde_json::to_vec_pretty(&SMALL.manifest).unwrap()]
        }
        "seal" => {
            let text = SMALL.manifest_text();
            vec![keys::signature(1, "dacapo", &text), keys::signature(1, "git", &text)]
        }
        "envelope" => envelopes(),
        "table" => Parts::of_sample()
            .members
            .into_iter()
            .map(|(_, bytes)| bytes)
            .filter(|bytes| bytes.len() < 10_000)
            .collect(),
        "log" => FORMATS.iter().flat_map(|format| samples(format.samples())).collect(),
        "wrapping" => WRAPPINGS.iter().flat_map(|wrapping| samples(wrapping.samples())).collect(),
        "evidence" => evidence(),
        "header" => dacapo::query::all().map(|query| query.sql.as_bytes().to_vec()).collect(),
        _ => Vec::new(),
    }
}

/// A bundle to the key that the target has, to another one, and to nobody in particular.
fn envelopes() -> Vec<Vec<u8>> {
    let ours = IDENTITY.parse::<age::x25519::Identity>().unwrap().to_public();
    let other: age::ssh::Recipient = keys::public_text(1).parse().ok().unwrap();
    vec![
        age::encrypt(&ours, &SMALL.bundle()).unwrap(),
        age::encrypt(&other, &SMALL.bundle()).unwrap(),
        age::encrypt(&ours, b"no bundle").unwrap(),
    ]
}

/// Each sample, and all of them.
fn samples(samples: &[&str]) -> Vec<Vec<u8>> {
    samples.iter().map(|sample| sample.as_bytes().to_vec()).chain([samples.join("\n").into_bytes()]).collect()
}

/// Database, objects and logs in every form that people hand them over in, and in what carries them.
fn evidence() -> Vec<Vec<u8>> {
    let scenario = "agent-down";
    let dir = unpack_forms(scenario);
    let files = walkdir::WalkDir::new(dir.path()).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = files.filter(|file| file.file_type().is_file() && file.metadata().unwrap().len() < LONGEST);
    let mut seeds: Vec<Vec<u8>> = files.map(|file| std::fs::read(file.path()).unwrap()).collect();
    let wrapped = WRAPPINGS.iter().flat_map(|wrapping| samples(wrapping.samples()));
    seeds.extend(wrapped);
    let log = FORMATS[0].samples().join("\n").repeat(5).into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&log).unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    let mut head = tar::Header::new_gnu();
    head.set_size(log.len() as u64);
    tar.append_data(&mut head, "maestro.log", log.as_slice()).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("maestro.log", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&log).unwrap();
    seeds.extend([
        gzip.finish().unwrap(),
        zstd::bulk::compress(&log, 1).unwrap(),
        tar.into_inner().unwrap(),
        zip.finish().unwrap().into_inner(),
    ]);
    seeds
}
