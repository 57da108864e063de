//! `dacapo redact`

use super::error::Failure;
use super::interrupt;
use super::leaving::{Done, Leaving};
use super::opening::Opening;
use super::ui::Ui;
use crate::bundle::Writer;
use crate::collect;
use crate::render::size;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Take more out of a bundle before it goes on
///
/// Writes a bundle again without the secrets in it, and with pseudonyms or without what a policy names, if you like. It may
/// be of any version, and redacted already. Everything else stays, also what this version does not know.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo redact old.dacapo -o new.dacapo
  dacapo redact old.dacapo -o new.dacapo --explain
  dacapo redact old.dacapo -o new.dacapo --pseudonymise names,ips --pseudonym-map names.jsonl
  dacapo redact old.dacapo -o new.dacapo --pseudonymise all --pseudonym-key team.key
  dacapo redact old.dacapo -o new.dacapo --policy team.toml --canary nightingale
  dacapo redact old.dacapo -o new.dacapo --sign ~/.ssh/id_ed25519 --encrypt ./them.pub")]
pub struct Redact {
    /// The bundle to read
    bundle: PathBuf,
    /// The bundle to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    leaving: Leaving,
}

impl Redact {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let leaving = self.leaving.wanted(&self.output, interrupt::listen(false), ui)?;
        Writer::try_place(&self.output)?;
        let reader = opening.open_to_redact(&self.bundle, ui)?;
        let wait = ui.wait("redacting");
        let rewritten = collect::redact(&reader, &self.output, &leaving);
        wait.finish();
        let rewritten = rewritten?;
        let published = &rewritten.let_out.published;
        let done = Done {
            path: &published.path,
            replaced: &rewritten.let_out.replaced,
            common: &rewritten.common,
            known_redactions: rewritten.known_redactions,
        };
        self.leaving.report(&done, ui)?;
        let (path, bytes, before) = (published.path.display(), size(published.bytes), size(reader.bytes()));
        ui.say(&format!("{path}  {bytes} (from {before})  sha256 {}", published.sha256));
        if reader.signed_by().is_some() && leaving.closing.signer.is_none() {
            ui.warn("the bundle that was read is signed, and the one that was written is not");
            ui.hint("sign it yourself: --sign KEY");
        }
        Ok(ExitCode::SUCCESS)
    }
}
