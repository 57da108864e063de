//! `dacapo completions`

use super::error::Failure;
use super::ui::Ui;
use clap::Args;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo completions bash > ~/.local/share/bash-completion/completions/dacapo
  dacapo completions zsh > \"${fpath[1]}/_dacapo\"")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::definition(), "dacapo", &mut script);
        ui.raw(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
