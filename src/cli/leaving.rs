//! What goes out of a bundle, and what must not: options of the commands that write one.

use super::Form;
use super::error::Failure;
use super::opening::passphrase_of;
use super::ui::Ui;
use crate::bundle::{Closing, Reader, Recipients, Signer};
use crate::collect::{self, Kinds, Policy, Stop, policy};
use crate::model::{ColumnKind, Queried, QueriedColumn};
use crate::schema::Redaction;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names that are listed where many stay.
const LISTED: usize = 12;

#[derive(Debug, Args)]
pub struct Leaving {
    /// What else goes and what stays: keys, patterns, columns, canaries, pseudonyms (TOML)
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Put pseudonyms in place of ids, names, hosts or addresses, the same ones everywhere
    #[arg(long, visible_alias = "pseudonymize", value_name = "KINDS", value_delimiter = ',', value_parser = PossibleValuesParser::new(policy::kinds()))]
    pseudonymise: Vec<String>,
    /// Keep the key of the pseudonyms in this file, so that other bundles have the same ones; made where it is not
    #[arg(long, value_name = "FILE")]
    pseudonym_key: Option<PathBuf>,
    /// Write what each pseudonym stands for into this file (JSON, one a line)
    #[arg(long, value_name = "FILE")]
    pseudonym_map: Option<PathBuf>,
    /// Write no bundle that has this text in it, be it in base64; may be given several times
    #[arg(long, value_name = "VALUE")]
    canary: Vec<String>,
    /// Write the bundle even if canaries, or strings too random to be names, are in it
    #[arg(long)]
    allow_leaks: bool,
    /// Sign the bundle with this private key of ssh (ssh-ed25519)
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
    /// Encrypt the bundle to age1…, to a public key of ssh, or to those in a file; may be given several times
    #[arg(long, value_name = "RECIPIENT")]
    encrypt: Vec<String>,
    /// List each place where something was replaced, without what it was
    #[arg(long, conflicts_with = "encrypt")]
    explain: bool,
}

impl Leaving {
    /// What is wanted, for a bundle that is written there.
    pub fn wanted(&self, output: &Path, stop: Stop, ui: &Ui) -> Result<collect::Leaving, Failure> {
        let policy = self.policy.as_deref().map(Policy::read).transpose()?.unwrap_or_default();
        let mut pseudonyms = Kinds::default();
        self.pseudonymise.iter().filter_map(|kind| Kinds::parse(kind)).for_each(|kinds| pseudonyms.join(kinds));
        let wanted = collect::Leaving {
            policy,
            pseudonyms,
            key: self.pseudonym_key.clone(),
            map: self.pseudonym_map.clone(),
            canaries: self.canary.clone(),
            allows_leaks: self.allow_leaks,
            closing: self.closing(ui)?,
            stop,
        };
        if wanted.kinds()?.is_empty() && (wanted.key.is_some() || wanted.map.is_some()) {
            let what = "there are no pseudonyms to keep a key or a map of".to_owned();
            let hints = vec!["say what they stand for: --pseudonymise names,ips".to_owned()];
            return Err(Failure { hints, ..Failure::usage(what, "--pseudonymise is missing".to_owned()) });
        }
        self.check_places(output)?;
        Ok(wanted)
    }

    /// Keys are read before anything else is: who waits for an hour should not learn at the end that one is no use.
    fn closing(&self, ui: &Ui) -> Result<Closing, Failure> {
        let signer = self.sign.as_deref().map(|key| Signer::read(key, &|key| ui.secret(&passphrase_of(key))));
        Ok(Closing { signer: signer.transpose()?, recipients: Recipients::read(&self.encrypt)? })
    }

    /// The bundle, the key, the map and the policy are four files.
    fn check_places(&self, output: &Path) -> Result<(), Failure> {
        let files =
            [Some(output), self.pseudonym_key.as_deref(), self.pseudonym_map.as_deref(), self.policy.as_deref()];
        let mut places = BTreeSet::new();
        for file in files.into_iter().flatten() {
            let place = file.canonicalize().or_else(|_| std::path::absolute(file)).unwrap_or_else(|_| file.to_owned());
            if !places.insert(place) {
                let what = format!("{} cannot be two things", file.display());
                return Err(Failure::usage(what, "bundle, key, map and policy are files of their own".to_owned()));
            }
        }
        Ok(())
    }

    /// Says what was done, and where if somebody wants to know.
    pub fn report(&self, done: &Done<'_>, ui: &Ui) -> Result<(), Failure> {
        if !done.replaced.is_empty() {
            let kinds: Vec<String> = done.replaced.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            ui.say(&format!("redacted: {}", kinds.join(", ")));
        }
        if !done.common.is_empty() {
            let listed: Vec<&str> = done.common.iter().take(LISTED).map(String::as_str).collect();
            let more = done.common.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            ui.say(&format!(
                "names that stay, because they are words of every installation: {}{more}",
                listed.join(", ")
            ));
        }
        if self.pseudonym_map.is_some() {
            ui.hint("who has the map has the names; keep it where the bundle does not go");
        }
        if let Some(key) = self.pseudonym_key.as_deref().filter(|key| is_open(key)) {
            ui.warn(&format!("others can read the key {}", key.display()));
        }
        if self.explain { ui.answer(&explained(done)?, Form::TEXT) } else { Ok(()) }
    }
}

/// A bundle that was written.
pub struct Done<'a> {
    pub path: &'a Path,
    pub replaced: &'a BTreeMap<&'static str, i64>,
    pub common: &'a BTreeSet<String>,
    /// Rows of `redactions` that tell of what was done before.
    pub known_redactions: i64,
}

/// Every place where something was replaced; pseudonyms are counted by column.
fn explained(done: &Done<'_>) -> Result<Queried, Failure> {
    let column = |name: &str, kind| QueriedColumn { name: name.to_owned(), kind };
    let mut rows: Vec<Vec<Value>> = Vec::new();
    Reader::open(done.path)?.records::<Redaction<'static>>(&crate::bundle::Rows::All, |number, redaction| {
        if number > done.known_redactions {
            let Redaction { kind, table_name, column_name, of_row, count } = redaction;
            let place = of_row.map_or_else(|| table_name.to_string(), |row| format!("{table_name}:{row}"));
            rows.push(vec![json!(place), json!(column_name), json!(kind), json!(count)]);
        }
    })?;
    let columns = vec![
        column("place", ColumnKind::Text),
        column("column", ColumnKind::Text),
        column("kind", ColumnKind::Text),
        column("count", ColumnKind::Integer),
    ];
    Ok(Queried { query: None, columns, rows, cut: None })
}

#[cfg(unix)]
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
const fn is_open(_: &Path) -> bool {
    false
}
