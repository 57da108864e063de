//! Opens a bundle as a stranger's file: everything is checked before it is used, and only what is used is read.

use super::container::{self, Entry};
use super::decode::{self, Decoder};
use super::envelope::{Header, Identities};
use super::error::{Damage, Error, Result};
use super::limits::{Limit, Limits, depth};
use super::manifest::{INDEX, MANIFEST, Manifest, Member};
use super::member::VerifiedMember;
use super::piece::Piece;
use super::seal::{SEAL, SignedBy, Signers};
use super::source::{Cursor, Source};
use super::stream::Batches;
use super::sums::{Sums, beside, block_bytes, each_piece, hex};
use crate::schema::{Cell, Family, Record};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Which rows of a table to read.
#[derive(Clone, Debug)]
pub enum Rows {
    All,
    /// By number, counted from 1.
    These(Vec<i64>),
}

/// Which columns of a table to read.
#[derive(Clone, Copy, Debug)]
pub enum Columns<'a> {
    All,
    But(&'a [&'a str]),
    Only(&'a [&'a str]),
}

impl Columns<'_> {
    pub fn hold(&self, column: &str) -> bool {
        match self {
            Self::All => true,
            Self::But(others) => !others.contains(&column),
            Self::Only(names) => names.contains(&column),
        }
    }
}

/// A place where a key stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    pub key: String,
    pub table: String,
    pub column: String,
    pub row_no: i64,
}

impl Hit {
    pub fn is_in(&self, table: &str, column: &str) -> bool {
        self.table == table && self.column == column
    }
}

/// The whole file, when every byte of it was checked.
#[derive(Clone, Debug)]
pub struct Whole {
    pub bytes: u64,
    pub sha256: String,
}

pub struct Reader {
    path: PathBuf,
    source: Source,
    /// What it was decrypted from, where it was encrypted.
    envelope: Option<Whole>,
    bytes: u64,
    manifest: Manifest,
    signed_by: Option<SignedBy>,
    entries: Vec<Entry>,
    limits: Limits,
    decoders: Mutex<HashMap<String, Arc<Decoder>>>,
    last_found: Mutex<Found>,
}

/// Who finds out what an id is looks next for its rows: the last answer of the index is kept, if it is a short one.
#[derive(Default)]
struct Found {
    keys: BTreeSet<String>,
    hits: Vec<Hit>,
}

const KEPT_HITS: usize = 4096;

impl Reader {
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_within(path, Limits::default())
    }

    /// Opens a bundle that may claim what these limits allow.
    pub fn open_within(path: &Path, limits: Limits) -> Result<Self> {
        let open = || {
            let source = source(path)?;
            match Header::of(&source)? {
                Some(header) => Err(header.closed()),
                None => Self::of(path, source, limits),
            }
        };
        opened(path, open())
    }

    /// Opens a bundle that is encrypted. What is decrypted has no name and is gone with the reader.
    pub fn open_encrypted(path: &Path, limits: Limits, identities: &Identities) -> Result<Self> {
        let open = || {
            let (file, envelope) = identities.decrypt(&source(path)?)?;
            let reader = Self::of(path, Source::new(file), limits)?;
            Ok(Self { bytes: envelope.bytes, envelope: Some(envelope), ..reader })
        };
        opened(path, open())
    }

    /// Reads a bundle from an open file. The path is what it is called.
    pub fn open_file(path: &Path, file: File, limits: Limits) -> Result<Self> {
        opened(path, Self::of(path, Source::new(file), limits))
    }

    fn of(path: &Path, source: Source, limits: Limits) -> std::result::Result<Self, Damage> {
        let entries = container::read(&mut source.cursor())?;
        let text = manifest_text(&source, &entries, &limits)?;
        let manifest = Manifest::read(&text)?;
        check_members(&entries, &manifest)?;
        let signed_by = SignedBy::read(&source, &entries, &text)?;
        let bytes = source.file().metadata()?.len();
        let (decoders, last_found) = (Mutex::default(), Mutex::default());
        let (path, envelope) = (path.to_owned(), None);
        Ok(Self { path, source, envelope, bytes, manifest, signed_by, entries, limits, decoders, last_found })
    }

    /// What was decrypted, for a process that has no keys.
    pub fn decrypted(&self) -> Option<&File> {
        self.envelope.as_ref().map(|_| self.source.file())
    }

    /// Who signed it, if anybody did: the holder of a key that nobody has vouched for yet.
    pub fn signed_by(&self) -> Option<&SignedBy> {
        self.signed_by.as_ref()
    }

    /// Refuses it unless one of these signed it.
    pub fn check_signer(&self, signers: &Signers) -> Result<()> {
        let checked = signers.check(self.signed_by());
        checked.map_err(|damage| Error::Signer { path: self.path.clone(), source: Box::new(damage) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Checks every byte of the file against the manifest.
    pub fn verify(&self) -> Result<Whole> {
        self.verify_bytes().map_err(|damage| self.unreadable(damage))
    }

    /// The columns a table has in this bundle, which may be more or fewer than this version declares.
    pub fn columns(&self, table: &str) -> Result<SchemaRef> {
        self.reading(&member_of(table), |decoder| Ok(decoder.schema()))
    }

    /// Rows of a table, piece by piece. A table that the bundle does not have has no rows.
    pub fn pieces(&self, table: &str, rows: &Rows, columns: Columns<'_>, mut each: impl FnMut(Piece)) -> Result<()> {
        self.read(table, rows, columns, |batch, row_nos| each(Piece { table: table.to_owned(), batch, row_nos }))
    }

    /// The same as Arrow batches with the numbers of their rows.
    pub fn read(
        &self,
        table: &str,
        rows: &Rows,
        columns: Columns<'_>,
        mut each: impl FnMut(RecordBatch, Vec<i64>),
    ) -> Result<()> {
        if self.manifest.table(table).is_none() {
            return Ok(());
        }
        self.reading(&member_of(table), |decoder| decoder.read(rows, columns, &mut each))
    }

    /// A table from its first row to its last, with these columns (numbers in the order of [`Self::columns`]) and at most so many
    /// rows at once.
    pub fn stream(&self, table: &str, columns: &[usize], most_rows: usize) -> Result<Batches> {
        self.reading(&member_of(table), |decoder| Batches::start(self.path.clone(), decoder, columns, most_rows))
    }

    /// One text column of a table, and nothing else of it.
    pub fn texts(&self, table: &str, column: &str, mut each: impl FnMut(i64, &str)) -> Result<()> {
        self.texts_of(table, column, &Rows::All, &mut each)
    }

    /// One text column of some rows.
    pub fn texts_of(&self, table: &str, column: &str, rows: &Rows, each: &mut impl FnMut(i64, &str)) -> Result<()> {
        if self.manifest.table(table).is_none() {
            return Ok(());
        }
        self.reading(&member_of(table), |decoder| decoder.texts(column, rows, each))
    }

    /// Some columns of a whole table, row by row; a column that the table lacks is null.
    pub fn cells(&self, table: &str, columns: &[&str], mut each: impl FnMut(i64, &[Cell<'_>])) -> Result<()> {
        if self.manifest.table(table).is_none() {
            return Ok(());
        }
        self.reading(&member_of(table), |decoder| decoder.cells(columns, &mut each))
    }

    /// Rows of a declared table; rows that do not fit the declaration are left out.
    pub fn records<F: Family>(&self, rows: &Rows, mut each: impl FnMut(i64, F::Of<'_>)) -> Result<()> {
        let table = <F::Of<'static> as Record>::TABLE;
        self.read(table.name, rows, Columns::All, |batch, numbers| {
            decode::records::<F>(&table, &batch, &numbers, &mut each)
        })
    }

    /// Where these keys stand, in any table.
    pub fn find(&self, keys: &[&str]) -> Result<Vec<Hit>> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut last = self.last_found.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.iter().all(|key| last.keys.contains(*key)) {
            return Ok(last.hits.iter().filter(|hit| keys.contains(&hit.key.as_str())).cloned().collect());
        }
        let hits = self.reading(INDEX, |decoder| decoder.find(keys))?;
        if hits.len() <= KEPT_HITS {
            *last = Found { keys: keys.iter().map(|key| (*key).to_owned()).collect(), hits: hits.clone() };
        }
        Ok(hits)
    }

    /// The first keys, up to `most`, that begin like this and stand in one of these columns of tables.
    pub fn begins(&self, start: &str, columns: &[(&str, &str)], most: usize) -> Result<BTreeSet<String>> {
        self.reading(INDEX, |decoder| decoder.begins(start, columns, most))
    }

    fn reading<T>(&self, name: &str, read: impl FnOnce(&Decoder) -> std::result::Result<T, Damage>) -> Result<T> {
        let run = || {
            let decoder = self.decoder(name)?;
            decode::guarded(&decoder.member, |_| read(&decoder))
        };
        run().map_err(|damage| self.unreadable(damage))
    }

    /// Footers and checked blocks are kept, so that a second look at a member is cheap.
    fn decoder(&self, name: &str) -> std::result::Result<Arc<Decoder>, Damage> {
        let mut decoders = self.decoders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(decoder) = decoders.get(name) {
            return Ok(decoder.clone());
        }
        let missing = || Damage::NoSuchTable(name.to_owned());
        let entry = self.entries.iter().find(|entry| entry.name == name).ok_or_else(missing)?;
        let about = self.manifest.member(name).ok_or_else(missing)?;
        let member = VerifiedMember::new(self.source.clone(), entry.data(), about.clone());
        let decoder = Arc::new(decode::guarded(&member, |member| Decoder::open(member, &self.limits))?);
        decoders.insert(name.to_owned(), decoder.clone());
        Ok(decoder)
    }

    fn unreadable(&self, damage: Damage) -> Error {
        Error::Read { path: self.path.clone(), source: Box::new(damage) }
    }

    fn verify_bytes(&self) -> std::result::Result<Whole, Damage> {
        let mut file = self.source.cursor();
        // The headers between the members were compared when the file was opened; they count for the sum only.
        let mut whole = WholeSum::default();
        for entry in &self.entries {
            whole.read(&mut file, entry.data() - whole.bytes, |_| {})?;
            let Some(about) = self.manifest.member(&entry.name) else {
                whole.read(&mut file, entry.size, |_| {})?;
                continue;
            };
            let mut sums = Sums::new(about.block_bytes.max(1));
            whole.read(&mut file, entry.size, |piece| sums.update(piece))?;
            compare(entry, about, sums)?;
            let member = VerifiedMember::new(self.source.clone(), entry.data(), about.clone());
            decode::guarded(&member, |member| Decoder::open(member, &self.limits).map(drop))?;
        }
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(whole.bytes))?;
        whole.read(&mut file, length - whole.bytes, |_| {})?;
        Ok(self.envelope.clone().unwrap_or_else(|| whole.finish()))
    }
}

fn member_of(table: &str) -> String {
    format!("tables/{table}.parquet")
}

fn source(path: &Path) -> std::result::Result<Source, Damage> {
    // Whoever opens a pipe waits for somebody at its other end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Damage::NotABundle("it is not a file".into()));
    }
    Ok(Source::new(File::open(path)?))
}

fn opened(path: &Path, reader: std::result::Result<Reader, Damage>) -> Result<Reader> {
    reader.map_err(|damage| Error::Open { path: path.to_owned(), source: Box::new(damage) })
}

/// The manifest as it stands there, which is what is signed.
fn manifest_text(source: &Source, entries: &[Entry], limits: &Limits) -> std::result::Result<Vec<u8>, Damage> {
    let missing = || Damage::NotABundle("it has no manifest".into());
    let entry = entries.iter().find(|entry| entry.name == MANIFEST).ok_or_else(missing)?;
    limits.check(Limit::Manifest, MANIFEST, entry.size)?;
    let mut bytes = vec![0; entry.size as usize];
    source.read_exact_at(&mut bytes, entry.data())?;
    if crc32fast::hash(&bytes) != entry.crc {
        return Err(Damage::Manifest("its checksum does not fit".into()));
    }
    if let Ok(text) = std::str::from_utf8(&bytes) {
        limits.check(Limit::Depth, MANIFEST, depth(text))?;
    }
    Ok(bytes)
}

fn check_members(entries: &[Entry], manifest: &Manifest) -> std::result::Result<(), Damage> {
    for member in &manifest.members {
        let held = entries.iter().any(|entry| entry.name == member.name && entry.size == member.bytes);
        let blocks = member.bytes.div_ceil(member.block_bytes.max(1));
        if !held {
            return Err(Damage::MissingMember(member.name.clone()));
        }
        if member.block_bytes != block_bytes(member.bytes) {
            return Err(Damage::Manifest(format!("{} has blocks of another size than the format says", member.name)));
        }
        if blocks != member.blocks.len() as u64 {
            return Err(Damage::Manifest(format!(
                "{} has {} block sums for {blocks} blocks",
                member.name,
                member.blocks.len()
            )));
        }
    }
    let ours = |name: &str| name == MANIFEST || name == SEAL;
    let stray = entries.iter().find(|entry| !ours(&entry.name) && manifest.member(&entry.name).is_none());
    if let Some(entry) = stray {
        return Err(Damage::StrayMember(entry.name.clone()));
    }
    let seal = entries.iter().any(|entry| entry.name == SEAL).then_some(SEAL);
    let named = manifest.members.iter().map(|member| member.name.as_str()).chain([MANIFEST]).chain(seal);
    if named.ne(entries.iter().map(|entry| entry.name.as_str())) {
        return Err(Damage::Manifest(
            "it names the members twice or in another order than the archive has them".into(),
        ));
    }
    Ok(())
}

fn compare(entry: &Entry, about: &Member, sums: Sums) -> std::result::Result<(), Damage> {
    let (crc, whole, blocks) = sums.finish();
    if let Some(block) = blocks.iter().zip(&about.blocks).position(|(found, said)| found != said) {
        return Err(Damage::Block { member: about.name.clone(), block: block as u64 });
    }
    let wrong = |what| Err(Damage::Sum { member: about.name.clone(), what });
    match () {
        () if whole != about.sha256 => wrong("SHA-256"),
        () if crc != entry.crc => wrong("CRC"),
        () => Ok(()),
    }
}

#[derive(Default)]
struct WholeSum {
    sum: Sha256,
    bytes: u64,
}

impl WholeSum {
    /// The same as Arrow batches with the numbers of their rows.
    pub fn read(
        &mut self,
        file: &mut Cursor,
        length: u64,
        mut each: impl FnMut(&[u8]),
    ) -> std::result::Result<(), Damage> {
        self.bytes += length;
        Ok(each_piece(file, length, |piece| {
            beside(piece, || self.sum.update(piece), || each(piece));
            Ok(())
        })?)
    }

    fn finish(self) -> Whole {
        Whole { bytes: self.bytes, sha256: hex(&self.sum.finalize()) }
    }
}
