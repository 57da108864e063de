//! Multiplies captured evidence into that of a busy fleet: real lines, fresh ids, names and times.
//!
//! All captures happen at once, interleaved by time, and this block is repeated until there are lines enough. In
//! each copy every work has a new name and an id that follows from it, every other id is replaced consistently in
//! all pods, and time moves on with small irregularities: copies that were too much alike would flatter whatever
//! compresses them. The pods are those of the first capture; their start is written once. The same arguments give
//! the same bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot set itself up has failed"
)]

#[path = "generate/capture.rs"]
mod capture;
#[path = "generate/clock.rs"]
mod clock;
#[path = "generate/random.rs"]
pub mod random;
#[path = "generate/template.rs"]
mod template;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use sha2::{Digest, Sha256};

use capture::{Capture, CapturedWork, Record};
use random::Random;
use template::Copy;

/// Rows of the database are written for the works of every so many copies, the first among them:
/// enough to trace some, few enough that the logs stay what is measured.
const ROWS_EVERY: u64 = 100;

/// Rows that come once a fleet; the others come with their works.
const TABLES_OF_THE_FLEET: [&str; 2] = ["consumers", "server_instances"];
const TABLES_OF_WORKS: [&str; 4] = ["resources", "events", "status_events", "event_instances"];

/// What was written.
#[derive(Debug)]
pub struct Fleet {
    pub lines: u64,
    pub bytes: u64,
    pub log_files: Vec<PathBuf>,
    /// Works that have rows in `db/`, oldest first.
    pub works: Vec<Work>,
}

/// One work of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work {
    pub resource_id: String,
    pub name: String,
}

/// Writes `logs/` and `db/` below `target`, made from unpacked scenarios of one kind of Maestro,
/// with at least this many log lines (whole copies only).
pub fn generate(captures: &[PathBuf], target: &Path, lines: u64) -> io::Result<Fleet> {
    let captures = Capture::read_all(captures)?;
    let mut block: Vec<(usize, &Record)> = Vec::new();
    for (number, capture) in captures.iter().enumerate() {
        block.extend(capture.records.iter().map(|record| (number, record)));
    }
    // Stable: what one pod wrote stays in its order.
    block.sort_by_key(|(_, record)| record.at);
    let mut out = Output::create(&captures[0], target)?;
    out.write_once(&captures[0])?;
    let mut random = Random(0x00da_ca90);
    let mut shift = 0;
    for number in 0.. {
        if out.fleet.lines >= lines {
            break;
        }
        let drift = irregular(&block, &mut random);
        let mut copies = Vec::new();
        for (capture, letter) in captures.iter().zip('a'..='z') {
            let mut copy = fresh(capture, &format!("{letter}{number:06}"), &mut random);
            (copy.shift, copy.drift) = (shift, Rc::clone(&drift));
            copies.push(copy);
        }
        out.write_block(&block, &copies)?;
        if number % ROWS_EVERY == 0 {
            out.write_rows(&captures, &copies)?;
        }
        shift += drift.last().map_or(0, |(at, later)| at + later) + 50_000 + random.below(400_000);
    }
    out.finish()
}

/// Up to 30 µs more between two lines than there were.
fn irregular(block: &[(usize, &Record)], random: &mut Random) -> Rc<[(i64, i64)]> {
    let mut later = 0;
    let drift = block.iter().map(|(_, record)| {
        later += random.below(30);
        (record.at, later)
    });
    drift.collect()
}

/// New ids and names for everything in a capture.
fn fresh(capture: &Capture, suffix: &str, random: &mut Random) -> Copy {
    let mut copy = Copy { start: capture.start, ..Copy::default() };
    for work in &capture.works {
        let name = format!("{}-{suffix}", work.name);
        copy.ids.push(id_of(work, &name));
        copy.names.push(name);
    }
    copy.ids.extend((capture.works.len()..capture.ids).map(|_| random.uuid()));
    copy.hashes.extend((0..capture.hashes).map(|_| format!("{}{}", random.hex(), random.hex())));
    copy
}

/// A resource id that follows from source, consumer and name as Maestro's does, and looks like one. Its hash is
/// another, which nothing here needs to compute again.
fn id_of(work: &CapturedWork, name: &str) -> String {
    let text = format!("{}-manifestworks.work.open-cluster-management.io-{}-{name}", work.source, work.consumer);
    let hash = Sha256::digest(text.as_bytes());
    let bytes = hash.first_chunk().copied().expect("a hash is longer than an id");
    uuid::Builder::from_sha1_bytes(bytes).into_uuid().to_string()
}

/// The files of the fleet, open for writing.
struct Output {
    fleet: Fleet,
    logs: Vec<BufWriter<File>>,
    tables: Vec<BufWriter<File>>,
    buffer: Vec<u8>,
}

impl Output {
    fn create(first: &Capture, target: &Path) -> io::Result<Self> {
        let log_files: Vec<PathBuf> = first.log_files.iter().map(|log| target.join(log)).collect();
        fs::create_dir_all(target.join("db"))?;
        let tables = TABLES_OF_WORKS.iter().map(|table| open(&target.join(format!("db/{table}.jsonl"))));
        for table in TABLES_OF_THE_FLEET {
            fs::write(target.join(format!("db/{table}.jsonl")), first.text_of(table)?)?;
        }
        Ok(Self {
            logs: log_files.iter().map(|log| open(log)).collect::<io::Result<_>>()?,
            tables: tables.collect::<io::Result<_>>()?,
            fleet: Fleet { lines: 0, bytes: 0, log_files, works: Vec::new() },
            buffer: Vec::new(),
        })
    }

    /// What the pods wrote while they started, as captured.
    fn write_once(&mut self, first: &Capture) -> io::Result<()> {
        for (pod, text) in first.before.iter().enumerate() {
            self.logs[pod].write_all(text)?;
            self.fleet.lines += text.iter().filter(|byte| **byte == b'\n').count() as u64;
            self.fleet.bytes += text.len() as u64;
        }
        Ok(())
    }

    /// One copy of everything.
    fn write_block(&mut self, block: &[(usize, &Record)], copies: &[Copy]) -> io::Result<()> {
        for (capture, record) in block {
            self.buffer.clear();
            record.template.render(&copies[*capture], &mut self.buffer);
            self.logs[record.pod].write_all(&self.buffer)?;
            self.fleet.lines += record.lines;
            self.fleet.bytes += self.buffer.len() as u64;
        }
        Ok(())
    }

    fn write_rows(&mut self, captures: &[Capture], copies: &[Copy]) -> io::Result<()> {
        for (capture, copy) in captures.iter().zip(copies) {
            for (table, name) in TABLES_OF_WORKS.iter().enumerate() {
                self.buffer.clear();
                capture.rows[name].iter().for_each(|row| row.render(copy, &mut self.buffer));
                self.tables[table].write_all(&self.buffer)?;
            }
            let works = copy.names.iter().zip(&copy.ids);
            self.fleet.works.extend(works.map(|(name, id)| Work { resource_id: id.clone(), name: name.clone() }));
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Fleet> {
        self.logs.iter_mut().chain(&mut self.tables).try_for_each(Write::flush)?;
        Ok(self.fleet)
    }
}

fn open(path: &Path) -> io::Result<BufWriter<File>> {
    fs::create_dir_all(path.parent().expect("a file in a folder"))?;
    Ok(BufWriter::with_capacity(1 << 20, File::create(path)?))
}
