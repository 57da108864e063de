//! `dacapo caged`, which `dacapo query` starts: the process that answers a statement, and may do nothing else.

use super::error::Failure;
use crate::analysis::query;
use clap::Args;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;

/// Answer one statement for dacapo query
#[derive(Debug, Args)]
#[command(name = query::COMMAND, hide = true)]
pub struct Caged {
    bundle: PathBuf,
}

impl Caged {
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let out = BufWriter::new(io::stdout().lock());
        let decrypted = || io::stderr().as_fd().try_clone_to_owned().map(File::from);
        let outcome = query::answer(&self.bundle, decrypted, BufReader::new(io::stdin()), out);
        outcome.map_err(Failure::output)?;
        // At once: to take everything down in order would only cost time.
        std::process::exit(0)
    }
}
