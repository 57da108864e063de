//! Finds the files below the inputs, in an order that does not depend on the file system.

use super::error::{Error, Result};
use super::place::display_path;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// How much of a file decides what it is.
const HEAD: u64 = 64 << 10;

/// A file below an input.
#[derive(Default)]
pub struct Candidate {
    /// Name of the input it belongs to.
    pub source: String,
    /// Its path as the bundle shows it: input name and path within, with `/`.
    pub name: String,
    pub path: PathBuf,
    pub size: u64,
    /// Its first bytes, which tell what it is.
    pub head: Vec<u8>,
}

/// A file that could not be looked at, or was excluded.
pub struct Passed {
    pub source: String,
    pub name: String,
    pub reason: String,
    /// It is not there by choice but by failure.
    pub failed: bool,
}

/// Patterns of what is not evidence, and which of them met anything.
pub struct Exclude {
    patterns: Vec<String>,
    set: GlobSet,
    met: RefCell<BTreeSet<usize>>,
}

impl Exclude {
    pub fn new(patterns: &[String]) -> Result<Self> {
        let build = || -> std::result::Result<GlobSet, globset::Error> {
            let mut set = GlobSetBuilder::new();
            for pattern in patterns {
                set.add(GlobBuilder::new(pattern.trim_end_matches('/')).build()?);
            }
            set.build()
        };
        let set = build().map_err(|source| Error::Pattern { pattern: patterns.join(" "), source })?;
        Ok(Self { patterns: patterns.to_vec(), set, met: RefCell::default() })
    }

    /// A pattern may mean the file or a folder above it, by name, by path within the input, or as dacapo prints it.
    fn covers(&self, within: &Path, name: &str) -> bool {
        let names = within.components().map(|part| Path::new(part.as_os_str()));
        let above = within.ancestors().chain(Path::new(name).ancestors());
        let met: Vec<usize> = above.chain(names).flat_map(|path| self.set.matches(path)).collect();
        self.met.borrow_mut().extend(&met);
        !met.is_empty()
    }

    /// Patterns that met nothing: most likely a slip.
    pub fn unmet(&self) -> Vec<String> {
        let met = self.met.borrow();
        let unmet = self.patterns.iter().enumerate().filter(|(index, _)| !met.contains(index));
        unmet.map(|(_, pattern)| pattern.clone()).collect()
    }
}

/// Every file below `input`, sorted by name. Links are not followed: they may lead out of the folder.
pub fn walk(input: &Path, source: &str, exclude: &Exclude) -> (Vec<Candidate>, Vec<Passed>) {
    let (mut candidates, mut passed) = (Vec::new(), Vec::new());
    for entry in WalkDir::new(input).follow_root_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => match look(&entry, input, source, exclude) {
                Ok(candidate) => candidates.push(candidate),
                Err(reason) => passed.push(reason),
            },
            Err(error) => {
                let path = error.path().unwrap_or(input);
                let name = display_path(source, path.strip_prefix(input).unwrap_or(path));
                let reason = error.io_error().map_or_else(|| error.to_string(), io::Error::to_string);
                passed.push(Passed { source: source.to_owned(), name, reason, failed: true });
            }
        }
    }
    (candidates, passed)
}

fn look(entry: &DirEntry, input: &Path, source: &str, exclude: &Exclude) -> std::result::Result<Candidate, Passed> {
    let within = entry.path().strip_prefix(input).unwrap_or(entry.path());
    let name = display_path(source, within);
    let pass = |reason: String, failed| Passed { source: source.to_owned(), name: name.clone(), reason, failed };
    if exclude.covers(within, &name) {
        return Err(pass("excluded by --exclude".into(), false));
    }
    if !entry.file_type().is_file() && entry.depth() > 0 {
        return Err(pass("not a regular file".into(), false));
    }
    let size = std::fs::metadata(entry.path()).map_err(|error| pass(error.to_string(), true))?.len();
    let path = entry.path().to_owned();
    let head = read_head(&path).map_err(|error| pass(error.to_string(), true))?;
    Ok(Candidate { source: source.to_owned(), name: name.clone(), path, size, head })
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

impl Candidate {
    /// Is all of the file in its head?
    pub fn is_whole(&self) -> bool {
        self.size <= self.head.len() as u64
    }

    /// Its last bytes, where they are not in the head already.
    pub fn tail(&self) -> io::Result<Vec<u8>> {
        let mut tail = Vec::new();
        if self.size > HEAD {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.size.saturating_sub(HEAD)))?;
            file.take(HEAD).read_to_end(&mut tail)?;
        }
        Ok(tail)
    }
}

/// What the bundle calls an input: its own name, with a number behind it if another is called so.
pub fn source_name(input: &Path, taken: &[String]) -> Result<String> {
    let path = input.canonicalize().map_err(|source| Error::Input { path: input.to_owned(), source })?;
    let name = path.file_name().map_or_else(|| "files".to_owned(), |name| name.to_string_lossy().into_owned());
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    Ok(free.unwrap_or(name))
}
