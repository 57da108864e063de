//! Writes a bundle: rows in, one verified file out, or none.

use super::batch::Batcher;
use super::container::{self, Entry};
use super::encode::{Encoded, Encoder};
use super::envelope::Recipients;
use super::error::{Error, Result, WriteError};
use super::limits::Limits;
use super::manifest::{MANIFEST, Manifest, Member, Source, Window};
use super::reader::{Reader, Whole};
use super::seal::{SEAL, Signer};
use super::sums::{Sums, beside, block_bytes, each_piece};
use crate::schema::{Changes, Row, TABLES, Table, Time};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What only the collector knows about a bundle.
#[derive(Debug, Default)]
pub struct About {
    pub collected_at: Option<Time>,
    pub collected_at_from: String,
    pub labels: BTreeMap<String, String>,
    pub notes: Vec<String>,
    pub sources: Vec<Source>,
    /// Secrets were taken out.
    pub redacted: bool,
    /// What pseudonyms stand for.
    pub pseudonyms: Vec<String>,
    /// What another version said in the manifest.
    pub more: BTreeMap<String, Value>,
}

/// How a bundle is closed: who signs it, and to whom it is encrypted.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    pub signer: Option<Signer>,
    pub recipients: Recipients,
}

/// A bundle that stands complete under its name.
#[derive(Debug)]
pub struct Published {
    pub path: PathBuf,
    pub bytes: u64,
    pub sha256: String,
}

/// Where members are put together. What is to be encrypted never has a name.
enum Draft {
    Named(NamedTempFile),
    Unnamed(File),
}

impl Draft {
    fn file(&mut self) -> &mut File {
        match self {
            Self::Named(file) => file.as_file_mut(),
            Self::Unnamed(file) => file,
        }
    }
}

pub struct Writer {
    path: PathBuf,
    draft: Draft,
    closing: Closing,
    encoder: Encoder,
    tables: Vec<&'static Table>,
    batchers: Vec<Batcher>,
    rows: Vec<i64>,
}

impl Writer {
    /// Can a bundle be written there? Who reads for an hour should not learn at the end that it cannot.
    pub fn try_place(path: &Path) -> Result<()> {
        if path.is_dir() {
            return Err(failed(path, WriteError::Io(io::ErrorKind::IsADirectory.into())));
        }
        tempfile::tempfile_in(folder_of(path)).map_err(|error| failed(path, WriteError::Folder(error)))?;
        Ok(())
    }

    /// Nothing appears under `path` before [`Writer::publish`] has succeeded.
    pub fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, TABLES.iter().collect(), Closing::default())
    }

    /// The same for a bundle with these tables, which need not be those of this version, that is signed or encrypted at the
    /// end.
    pub fn create_with(path: &Path, tables: Vec<&'static Table>, closing: Closing) -> Result<Self> {
        let folder = folder_of(path);
        let draft = match closing.recipients.is_empty() {
            true => named(folder).map(Draft::Named),
            false => tempfile::tempfile_in(folder).map(Draft::Unnamed),
        };
        let draft = draft.map_err(|error| failed(path, WriteError::Folder(error)))?;
        Ok(Self {
            path: path.to_owned(),
            draft,
            closing,
            encoder: Encoder::start(folder, tables.clone()),
            batchers: tables.iter().map(|table| Batcher::new(table)).collect(),
            rows: vec![0; tables.len()],
            tables,
        })
    }

    /// Takes a row and tells its number.
    pub fn append(&mut self, row: &impl Row) -> Result<i64> {
        self.push(row.table(), |batcher| batcher.push(row))
    }

    /// Takes a row with other values in some of its columns.
    pub fn append_changed(&mut self, row: &impl Row, changes: &Changes) -> Result<i64> {
        self.push(row.table(), |batcher| batcher.push_changed(row, changes))
    }

    fn push(&mut self, table: &Table, push: impl FnOnce(&mut Batcher) -> bool) -> Result<i64> {
        let Some(place) = self.tables.iter().position(|own| own.name == table.name) else {
            return Err(failed(&self.path, WriteError::Encode(format!("{} is not declared", table.name))));
        };
        let (Some(batcher), Some(rows)) = (self.batchers.get_mut(place), self.rows.get_mut(place)) else {
            unreachable!("one batcher a table");
        };
        *rows += 1;
        if push(batcher) {
            let batch = batcher.take().map_err(|error| failed(&self.path, error))?;
            self.encoder.send(place, batch);
        }
        Ok(*rows)
    }

    /// Puts the members together, reads them back, and gives the bundle its name.
    pub fn publish(mut self, about: About) -> Result<Published> {
        let path = self.path.clone();
        let fail = |error: WriteError| failed(&path, error);
        for (place, batcher) in self.batchers.iter_mut().enumerate() {
            if !batcher.is_empty() {
                self.encoder.send(place, batcher.take().map_err(fail)?);
            }
        }
        let members = self.encoder.finish().map_err(fail)?;
        assemble(self.draft.file(), members, about, self.closing.signer.as_ref()).map_err(fail)?;
        let read_back = |file: &File| -> std::result::Result<Whole, WriteError> {
            let reader = Reader::open_file(&path, file.try_clone()?, Limits::default());
            reader.and_then(|reader| reader.verify()).map_err(|error| WriteError::ReadBack(Box::new(error)))
        };
        let (file, whole) = match self.draft {
            Draft::Named(file) => {
                let whole = synced(file.as_file(), || read_back(file.as_file())).map_err(fail)?;
                (file, whole)
            }
            Draft::Unnamed(mut plain) => {
                read_back(&plain).map_err(fail)?;
                encrypted(&mut plain, folder_of(&path), &self.closing.recipients).map_err(|error| fail(error.into()))?
            }
        };
        file.persist(&path).map_err(|error| fail(error.error.into()))?;
        sync_folder(&path).map_err(|error| fail(error.into()))?;
        Ok(Published { path, bytes: whole.bytes, sha256: whole.sha256 })
    }
}

/// A temporary file is made with mode 0600, and keeps it under its new name.
fn named(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".dacapo-").tempfile_in(folder)
}

/// Puts a file on the disk, and does something else meanwhile.
fn synced<T: Send>(
    file: &File,
    meanwhile: impl FnOnce() -> std::result::Result<T, WriteError>,
) -> std::result::Result<T, WriteError> {
    std::thread::scope(|scope| {
        let syncing = scope.spawn(|| file.sync_all());
        let done = meanwhile();
        syncing.join().unwrap_or_else(|_| Err(io::Error::other("it cannot be put on the disk")))?;
        done
    })
}

fn encrypted(plain: &mut File, folder: &Path, recipients: &Recipients) -> io::Result<(NamedTempFile, Whole)> {
    let mut file = named(folder)?;
    plain.rewind()?;
    let whole = recipients.encrypt(plain, file.as_file_mut())?;
    file.as_file().sync_all()?;
    Ok((file, whole))
}

fn failed(path: &Path, source: WriteError) -> Error {
    Error::Write { path: path.to_owned(), source: Box::new(source) }
}

fn assemble(
    out: &mut (impl Write + Seek),
    encoded: Vec<Encoded>,
    about: About,
    signer: Option<&Signer>,
) -> std::result::Result<(), WriteError> {
    let mut window = Window::default();
    let mut entries = Vec::new();
    let mut members = Vec::new();
    for mut encoded in encoded {
        window.join(encoded.window);
        let (entry, member) = copy(out, &mut encoded)?;
        entries.push(entry);
        members.push(member);
    }
    let manifest = Manifest {
        format: Manifest::format_of_today(),
        tool: concat!("dacapo ", env!("CARGO_PKG_VERSION")).to_owned(),
        collected_at: about.collected_at,
        collected_at_from: about.collected_at_from,
        window,
        redacted: about.redacted,
        pseudonyms: about.pseudonyms,
        labels: about.labels,
        notes: about.notes,
        sources: about.sources,
        members,
        more: about.more,
    };
    let bytes = serde_json::to_vec_pretty(&manifest).map_err(|error| WriteError::Encode(error.to_string()))?;
    entries.push(put(out, MANIFEST, &bytes)?);
    if let Some(signer) = signer {
        let seal = signer.sign(&bytes).map_err(|error| WriteError::Sign(error.to_string()))?;
        entries.push(put(out, SEAL, seal.as_bytes())?);
    }
    container::write_directory(out, &entries)?;
    Ok(out.flush()?)
}

/// Writes a member that is there whole.
fn put(out: &mut (impl Write + Seek), name: &str, bytes: &[u8]) -> io::Result<Entry> {
    let (crc, size) = (crc32fast::hash(bytes), bytes.len() as u64);
    let entry = Entry { name: name.to_owned(), crc, size, header: out.stream_position()? };
    container::write_header(out, &entry)?;
    out.write_all(bytes)?;
    Ok(entry)
}

/// Copies a member behind what is there. Its header needs its sums, so it is written again when they are known.
fn copy(out: &mut (impl Write + Seek), encoded: &mut Encoded) -> io::Result<(Entry, Member)> {
    let size = encoded.file.seek(SeekFrom::End(0))?;
    let mut entry = Entry { name: encoded.name.clone(), crc: 0, size, header: out.stream_position()? };
    container::write_header(out, &entry)?;
    let mut sums = Sums::new(block_bytes(size));
    encoded.file.rewind()?;
    each_piece(&mut encoded.file, size, |piece| beside(piece, || sums.update(piece), || out.write_all(piece)))?;
    let (crc, whole, blocks) = sums.finish();
    entry.crc = crc;
    out.seek(SeekFrom::Start(entry.header))?;
    container::write_header(out, &entry)?;
    out.seek(SeekFrom::Start(entry.end()))?;
    let member = Member {
        name: encoded.name.clone(),
        rows: encoded.rows,
        bytes: size,
        sha256: whole,
        block_bytes: block_bytes(size),
        blocks,
        window: encoded.window,
    };
    Ok((entry, member))
}

/// The folder a path lies in; a bare name lies here.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The new name must survive a crash too.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}
