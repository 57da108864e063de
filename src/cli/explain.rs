//! `dacapo explain`: what a finding means.

use super::Form;
use super::error::Failure;
use super::ui::Ui;
use crate::analysis;
use clap::Args;
use std::process::ExitCode;

/// Tell what a finding means, how it comes about and what to check
///
/// Without a name, all rules are told.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Explain {
    /// Names of rules
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  dacapo explain status_version_behind
  dacapo explain --format markdown";

impl Explain {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        ui.answer(&analysis::explain(&self.rules)?, self.format)?;
        Ok(ExitCode::SUCCESS)
    }
}
