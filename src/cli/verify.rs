//! `dacapo verify`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check every byte of a bundle against its manifest
///
/// Exits with 0 if the bundle is as it was written, with 2 if not.
#[derive(Debug, Args)]
pub struct Verify {
    /// The bundle
    bundle: PathBuf,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

impl Verify {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = opening.open(&self.bundle, ui)?;
        ui.answer(&analysis::verify(&reader)?, self.format)?;
        Ok(ExitCode::SUCCESS)
    }
}
