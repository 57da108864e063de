//! The log files of all pods, each in the order of time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chrono::DateTime;

/// Lines that are told out of order and written in order.
pub struct Logs {
    files: Vec<BufWriter<File>>,
    /// By time, and of the same time by when they were told.
    waiting: BTreeMap<(i64, u64), (usize, Vec<u8>)>,
    told: u64,
    pub bytes: u64,
}

impl Logs {
    /// One log for each path below the folder.
    pub fn create(folder: &Path, paths: &[String]) -> io::Result<Self> {
        let create = |path: &String| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a log is in a folder"))?;
            Ok(BufWriter::with_capacity(1 << 16, File::create(path)?))
        };
        let files = paths.iter().map(create).collect::<io::Result<_>>()?;
        Ok(Self { files, waiting: BTreeMap::new(), told: 0, bytes: 0 })
    }

    /// A line of a pod, without its header.
    pub fn tell(&mut self, pod: usize, at: i64, severity: u8, text: &[u8]) {
        let time = DateTime::from_timestamp_micros(at).expect("a time near ours");
        let mut line = vec![severity];
        write!(line, "{}       1 ", time.format("%m%d %H:%M:%S%.6f")).expect("a buffer takes everything");
        line.extend_from_slice(text);
        line.push(b'\n');
        self.waiting.insert((at, self.told), (pod, line));
        self.told += 1;
    }

    pub const fn lines(&self) -> u64 {
        self.told
    }

    /// Nothing will be told of before this time.
    pub fn write_before(&mut self, at: i64) -> io::Result<()> {
        let later = self.waiting.split_off(&(at, 0));
        for (pod, line) in std::mem::replace(&mut self.waiting, later).into_values() {
            self.bytes += line.len() as u64;
            self.files[pod].write_all(&line)?;
        }
        Ok(())
    }

    pub fn finish(&mut self) -> io::Result<()> {
        self.write_before(i64::MAX)?;
        self.files.iter_mut().try_for_each(Write::flush)
    }
}
