//! How bundles are opened: the one place that decides what a stranger's file may ask for.

use super::error::Failure;
use super::live::bytes;
use super::ui::Ui;
use crate::bundle::{self, Damage, Identities, Limit, Limits, Reader};
use clap::Args;
use rlimit::Resource;
use signal_hook::consts::SIGABRT;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a bundle may claim before it is refused. Who meets a limit is told the option that raises it, and docs/security.md
/// lists them; on each help page they would be in the way.
#[derive(Clone, Debug, Args)]
pub struct Opening {
    /// What opens an encrypted bundle: a file of age-keygen or a private key of ssh; may be given several times
    #[arg(long, global = true, value_name = "FILE", hide = true)]
    identity: Vec<PathBuf>,
    /// How large a manifest may be
    #[arg(long, global = true, value_name = "SIZE", default_value = "16MB", value_parser = bytes, hide = true)]
    max_manifest: u64,
    /// How large the footer and the page index of a table may be
    #[arg(long, global = true, value_name = "SIZE", default_value = "16MB", value_parser = bytes, hide = true)]
    max_footer: u64,
    /// How large a value, a page or a batch of rows may be when it is unpacked
    #[arg(long, global = true, value_name = "SIZE", default_value = "144MB", value_parser = bytes, hide = true)]
    max_page: u64,
    /// How many rows a table may have for each of its bytes
    #[arg(long, global = true, value_name = "N", default_value_t = 256, hide = true)]
    max_density: u64,
    /// How many columns a table may have
    #[arg(long, global = true, value_name = "N", default_value_t = 256, hide = true)]
    max_columns: u64,
    /// How deep JSON may be nested
    #[arg(long, global = true, value_name = "N", default_value_t = 512, hide = true)]
    max_depth: u64,
    /// How much memory the process may ask the operating system for
    #[arg(long, global = true, value_name = "SIZE", default_value = "8GB", value_parser = bytes, hide = true)]
    max_memory: u64,
}

impl Opening {
    /// Opens a bundle, after the process has shut itself in: what gets past all other limits meets this one.
    /// Everybody who handles it should know what may be in it.
    pub fn open(&self, path: &Path, ui: &Ui) -> Result<Reader, Failure> {
        let reader = self.open_to_redact(path, ui)?;
        if !reader.manifest().redacted {
            ui.warn("this bundle is not redacted: Secrets and tokens may be in it, and in what is shown of it");
        }
        Ok(reader)
    }

    /// The same for somebody who is about to take out what is in it.
    pub fn open_to_redact(&self, path: &Path, ui: &Ui) -> Result<Reader, Failure> {
        self.confine();
        Ok(match Reader::open_within(path, self.limits()) {
            Err(error) if is_encrypted(&error) && !self.identity.is_empty() => self.decrypt(path, ui)?,
            other => other?,
        })
    }

    fn decrypt(&self, path: &Path, ui: &Ui) -> Result<Reader, Failure> {
        let paths = self.identity.iter().map(PathBuf::as_path);
        let identities = Identities::read(paths, &|key| ui.secret(&passphrase_of(key)))?;
        let waiting = ui.wait("decrypting");
        let reader = Reader::open_encrypted(path, self.limits(), &identities);
        waiting.finish();
        Ok(reader?)
    }

    pub fn limits(&self) -> Limits {
        Limits {
            manifest: self.max_manifest,
            footer: self.max_footer,
            page: self.max_page,
            density: self.max_density,
            columns: self.max_columns,
            depth: self.max_depth,
        }
    }

    /// Where the operating system knows no such limit, the others hold. Memory that is refused ends the process with the
    /// words of the allocator; that is no answer, so the exit code says so.
    fn confine(&self) {
        let limit = Resource::AS.get().map(|(_, hard)| (self.max_memory.min(hard), hard));
        if let Ok((soft, hard)) = limit {
            let _ = Resource::AS.set(soft, hard);
        }
        let always = Arc::new(AtomicBool::new(true));
        let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 2, always);
    }
}

fn is_encrypted(error: &bundle::Error) -> bool {
    matches!(error, bundle::Error::Open { source, .. } if matches!(source.as_ref(), Damage::Encrypted { .. }))
}

/// What is asked on the terminal.
pub fn passphrase_of(key: &Path) -> String {
    format!("passphrase of {}: ", key.display())
}

/// The option that raises a limit.
pub fn option(limit: Limit) -> &'static str {
    match limit {
        Limit::Manifest => "--max-manifest",
        Limit::Footer => "--max-footer",
        Limit::Page => "--max-page",
        Limit::Density => "--max-density",
        Limit::Columns => "--max-columns",
        Limit::Depth => "--max-depth",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        opening: Opening,
    }

    #[test]
    fn without_options_the_limits_are_those_of_the_reader() {
        assert_eq!(Alone::parse_from(["x"]).opening.limits(), Limits::default());
    }

    #[test]
    fn each_limit_has_an_option_that_raises_it() {
        for limit in [Limit::Manifest, Limit::Footer, Limit::Page, Limit::Density, Limit::Columns, Limit::Depth] {
            let raised = Alone::parse_from(["x", option(limit), "1000000000"]).opening.limits();
            assert_eq!(raised.of(limit), 1_000_000_000, "{}", option(limit));
            assert_ne!(raised, Limits::default());
            let page = include_str!("../../docs/security.md");
            assert!(page.contains(&format!("`{}`", option(limit))), "docs/security.md does not tell {}", option(limit));
        }
    }
}
