//! `dacapo inspect`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what a bundle holds and what it lacks
///
/// Who took it, when, from where, what is missing; rows and times of every table; what each log covers.
#[derive(Debug, Args)]
pub struct Inspect {
    /// The bundle
    bundle: PathBuf,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

impl Inspect {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = opening.open(&self.bundle, ui)?;
        ui.answer(&analysis::inspect(&reader)?, self.format)?;
        Ok(ExitCode::SUCCESS)
    }
}
