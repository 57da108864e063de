//! Finds the files below the inputs, in an order that does not depend on the file system.

use super::error::{Error, Result};
use super::exclude::Exclude;
use super::live::{Piece, Reading};
use super::outcome::Outcome;
use super::place::display_path;
use super::said::{Input, STDIN, Said};
use super::stop::Stop;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use walkdir::{DirEntry, WalkDir};

/// How much of the end of a log is looked at for dates.
const TAIL: u64 = 64 << 10;

/// How long a stream may be silent before somebody looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(100);

/// A file below an input, as it lies there: it may hold others.
pub struct Root {
    /// Name of the input it belongs to.
    pub source: String,
    /// Its path as the bundle shows it: input name and path within, with `/`.
    pub name: String,
    pub size: u64,
    pub said: Rc<Said>,
    /// How it was read, where it comes from a running system.
    pub reading: Option<Reading>,
    lies: Lies,
}

enum Lies {
    At(PathBuf),
    /// What came in through standard input, kept as it came: it is read more than once.
    Spooled(File),
}

/// A file that could not be looked at, or was left out on purpose.
pub struct Passed {
    pub source: String,
    pub name: String,
    pub reason: String,
    /// It is not there by choice but by failure.
    pub failed: bool,
}

impl Root {
    pub fn open(&self) -> io::Result<File> {
        match &self.lies {
            Lies::At(path) => File::open(path),
            Lies::Spooled(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Ok(file)
            }
        }
    }

    /// The answer of a running system.
    pub fn fetched(file: File, piece: Piece) -> Self {
        let Piece { source, name, said, reading, .. } = piece;
        let name = format!("{source}/{name}");
        let (said, lies) = (Rc::new(said), Lies::Spooled(file));
        Self { source, name, size: reading.bytes, said, reading: Some(reading), lies }
    }

    /// A step about it, with how it was read.
    pub fn went(&self, step: Outcome) -> Outcome {
        match &self.reading {
            Some(reading) => step.read_live(reading),
            None => step,
        }
    }

    /// Its last bytes, where it is longer than those.
    pub fn tail(&self) -> io::Result<Vec<u8>> {
        let mut tail = Vec::new();
        if self.size > TAIL {
            let mut file = self.open()?;
            file.seek(SeekFrom::Start(self.size.saturating_sub(TAIL)))?;
            file.take(TAIL).read_to_end(&mut tail)?;
        }
        Ok(tail)
    }
}

/// Every file below an input, sorted by name.
pub fn walk(input: &Input, source: &str, exclude: &Exclude) -> (Vec<Root>, Vec<Passed>) {
    let (mut roots, mut passed) = (Vec::new(), Vec::new());
    let said = Rc::new(input.said.clone());
    let top = &input.path;
    for entry in WalkDir::new(top).follow_root_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => match look(&entry, top, source, exclude, &said) {
                Ok(root) => roots.push(root),
                Err(reason) => passed.push(reason),
            },
            Err(error) => {
                let path = error.path().unwrap_or(top);
                let name = display_path(source, path.strip_prefix(top).unwrap_or(path));
                let reason = error.io_error().map_or_else(|| error.to_string(), io::Error::to_string);
                passed.push(Passed { source: source.to_owned(), name, reason, failed: true });
            }
        }
    }
    (roots, passed)
}

/// Must it be read from one end to the other, once? Standard input, pipes and devices.
pub fn is_stream(input: &Path) -> bool {
    let kind = std::fs::metadata(input).map(|metadata| metadata.file_type());
    input == Path::new(STDIN) || kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

/// A stream, kept in a file without a name beside the bundle. What writes it may never end, so somebody else waits for
/// it.
pub fn spool(input: &Input, source: &str, folder: &Path, stop: &Stop) -> Result<Root> {
    let failed = |source: io::Error| Error::Input { path: input.path.clone(), source };
    let file = tempfile::tempfile_in(folder).map_err(failed)?;
    let (mut to, path) = (file.try_clone().map_err(failed)?, input.path.clone());
    let (done, end) = channel();
    std::thread::spawn(move || {
        let copied = match path == Path::new(STDIN) {
            true => io::copy(&mut io::stdin().lock(), &mut to),
            false => File::open(&path).and_then(|mut from| io::copy(&mut from, &mut to)),
        };
        let _ = done.send(copied);
    });
    loop {
        match end.recv_timeout(PATIENCE) {
            Ok(copied) => {
                copied.map_err(failed)?;
                break;
            }
            Err(RecvTimeoutError::Disconnected) => return Err(failed(io::Error::other("the reader died"))),
            Err(RecvTimeoutError::Timeout) if stop.is_over() => return Err(Error::Stopped { live: false }),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let said = Rc::new(input.said.clone());
    Ok(Root {
        source: source.to_owned(),
        name: source.to_owned(),
        size,
        said,
        reading: None,
        lies: Lies::Spooled(file),
    })
}

fn look(
    entry: &DirEntry,
    top: &Path,
    source: &str,
    exclude: &Exclude,
    said: &Rc<Said>,
) -> std::result::Result<Root, Passed> {
    let within = entry.path().strip_prefix(top).unwrap_or(entry.path());
    let name = display_path(source, within);
    let pass = |reason: String, failed| Passed { source: source.to_owned(), name: name.clone(), reason, failed };
    if exclude.covers(within, &name) {
        return Err(pass("excluded by --exclude".into(), false));
    }
    if entry.path_is_symlink() && entry.depth() > 0 {
        return Err(pass(where_it_leads(entry.path(), top).into(), false));
    }
    if !entry.file_type().is_file() && entry.depth() > 0 {
        return Err(pass("not a regular file".into(), false));
    }
    let size = std::fs::metadata(entry.path()).map_err(|error| pass(error.to_string(), true))?.len();
    let lies = Lies::At(entry.path().to_owned());
    Ok(Root { source: source.to_owned(), name: name.clone(), size, said: said.clone(), reading: None, lies })
}

/// A link is never followed: what it means is in the folder anyway, or does not belong to it.
fn where_it_leads(link: &Path, top: &Path) -> &'static str {
    match (link.canonicalize(), top.canonicalize()) {
        (Ok(target), Ok(top)) if target.starts_with(&top) => "a link to what is read in its own place",
        (Ok(_), _) => "a link that leads out of the folder",
        (Err(_), _) => "a link that leads nowhere",
    }
}

/// What the bundle calls an input: its own name, with a number behind it if another is called so.
pub fn source_name(input: &Path, taken: &[String]) -> Result<String> {
    let name = if input == Path::new(STDIN) {
        "stdin".to_owned()
    } else if is_stream(input) {
        input.file_name().map_or_else(|| "stream".to_owned(), |name| name.to_string_lossy().into_owned())
    } else {
        let path = input.canonicalize().map_err(|source| Error::Input { path: input.to_owned(), source })?;
        path.file_name().map_or_else(|| "files".to_owned(), |name| name.to_string_lossy().into_owned())
    };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    Ok(free.unwrap_or(name))
}
