//! The list of pseudonyms and what they stand for: for whoever made the bundle, and for nobody who gets it.

use super::super::error::{Error, Result};
use super::kind::Kind;
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

pub struct Ledger {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
    /// The pseudonyms that are in it.
    listed: HashSet<String>,
}

impl Ledger {
    /// Nothing appears under `path` before [`Ledger::publish`]. A temporary file is made with mode 0600, and keeps it.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |source| Error::Map { path: path.to_owned(), source };
        let file = tempfile::Builder::new().prefix(".dacapo-").tempfile_in(crate::bundle::folder_of(path));
        Ok(Self { path: path.to_owned(), out: BufWriter::new(file.map_err(failed)?), listed: HashSet::new() })
    }

    pub fn add(&mut self, kind: Kind, pseudonym: &str, original: &str) -> Result<()> {
        if self.listed.contains(pseudonym) {
            return Ok(());
        }
        self.listed.insert(pseudonym.to_owned());
        let line = json!({"pseudonym": pseudonym, "kind": kind.singular(), "original": original});
        writeln!(self.out, "{line}").map_err(|source| Error::Map { path: self.path.clone(), source })
    }

    pub fn publish(self) -> Result<()> {
        let Self { path, out, .. } = self;
        let write = || {
            let file = out.into_inner().map_err(|error| error.into_error())?;
            file.as_file().sync_all()?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|source| Error::Map { path: path.clone(), source })
    }
}
