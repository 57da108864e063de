//! `dacapo verify`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis;
use crate::bundle::Signers;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check every byte of a bundle against its manifest
///
/// Exits with 0 if the bundle is as it was written, with 2 if not. Whoever edits a bundle can make all its sums true again;
/// only with --signer it is certain that it is as the holder of that key wrote it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo verify incident.dacapo
  dacapo verify incident.dacapo --signer ./colleague.pub
  dacapo verify incident.dacapo --signer SHA256:tQ2kMtVcCZEj8hXgLZ1nHhl5RZlHLWb9yuNVsKZTtK8
  dacapo verify incident.dacapo --identity ~/.ssh/id_ed25519      # an encrypted one; so with every command")]
pub struct Verify {
    /// The bundle
    bundle: PathBuf,
    /// Refuse the bundle unless this key signed it: a public key of ssh, a file with some (.pub, authorized_keys,
    /// allowed_signers), or a fingerprint; may be given several times
    #[arg(long, value_name = "KEY")]
    signer: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

impl Verify {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let signers = (!self.signer.is_empty()).then(|| Signers::read(&self.signer)).transpose()?;
        let reader = opening.open(&self.bundle, ui)?;
        if let Some(signers) = &signers {
            reader.check_signer(signers)?;
        }
        ui.answer(&analysis::verify(&reader, signers.is_some())?, self.format)?;
        Ok(ExitCode::SUCCESS)
    }
}
