//! `dacapo show`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Open rows of evidence
///
/// Every statement that dacapo makes names the rows it rests on, as table:row. This shows them whole.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo show incident.dacapo log_lines:8812
  dacapo show incident.dacapo resources:17 events:44 --format json")]
pub struct Show {
    /// The bundle
    bundle: PathBuf,
    /// Rows, such as log_lines:8812
    #[arg(required = true, value_name = "TABLE:ROW")]
    references: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

impl Show {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = opening.open(&self.bundle, ui)?;
        ui.answer(&analysis::show(&reader, &self.references)?, self.format)?;
        Ok(ExitCode::SUCCESS)
    }
}
