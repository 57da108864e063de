//! `dacapo diagnose`: what is wrong in a whole bundle, and is it one cause.

use super::Form;
use super::error::Failure;
use super::live::duration;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::{self, DiagnoseAsk};
use crate::model::Severity;
use crate::render::{CHECK_FORMATS, FORMATS};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Look for everything that is wrong: every rule over every work
///
/// Each rule answers found, clear or unknown. Findings that follow from another stand below it. The exit code is 0 where
/// nothing was found that is as bad as --fail-on says, 1 where something was, 2 where there is no answer. With --format
/// junit each rule is a test case: failed from --fail-on on, skipped where it cannot tell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiagnoseArgs {
    /// Bundle
    bundle: PathBuf,
    /// Only this rule; may be given several times
    #[arg(long, value_name = "NAME")]
    rule: Vec<String>,
    /// Rules of your own, one SQL file each, beside those of dacapo (docs/diagnose.md)
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
    /// How long a rule of your own may take
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    rule_timeout: Duration,
    /// From which severity on a finding makes the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = Level::Warning)]
    fail_on: Level,
    /// Form of the answer
    #[arg(long, value_parser = Form::among(&[FORMATS, CHECK_FORMATS]), default_value = "text")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  dacapo diagnose incident.dacapo
  dacapo diagnose incident.dacapo --rule agent_silent --rule apply_failed
  dacapo diagnose incident.dacapo --format json --fail-on error
  dacapo diagnose incident.dacapo --format junit > diagnose.xml
  dacapo diagnose incident.dacapo --rules ./our-rules
  dacapo explain agent_silent";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    Error,
    Warning,
    Info,
    Never,
}

impl Level {
    const fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

impl DiagnoseArgs {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let own = self.rules.as_deref().map(read_rules).transpose()?.unwrap_or_default();
        let reader = Arc::new(opening.open(&self.bundle, ui)?);
        let ask =
            DiagnoseAsk { rules: self.rule.clone(), own, time: self.rule_timeout, fail_on: self.fail_on.severity() };
        let waiting = ui.wait("reading the evidence");
        let diagnosis = analysis::diagnose(&reader, &ask, |done, all| waiting.judged(done, all));
        waiting.finish();
        let diagnosis = diagnosis?;
        ui.answer(&diagnosis, self.format)?;
        Ok(ExitCode::from(u8::from(diagnosis.fails())))
    }
}

/// A file that is longer than this is no rule.
const LONGEST: u64 = 1 << 20;

/// The SQL files of a folder, by name.
fn read_rules(folder: &Path) -> Result<Vec<(String, String)>, Failure> {
    if folder.is_file() {
        let hint = "give the folder that the file is in".to_owned();
        let what = format!("cannot read rules from {}", folder.display());
        return Err(Failure { hints: vec![hint], ..Failure::usage(what, "it is a file".to_owned()) });
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unread(folder, &error.to_string()))? {
        let path = entry.map_err(|error| unread(folder, &error.to_string()))?.path();
        if path.extension().is_some_and(|ending| ending == "sql") && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let what = format!("there are no rules in {}", folder.display());
        let hint = "docs/diagnose.md tells what a rule must have".to_owned();
        return Err(Failure {
            hints: vec![hint],
            ..Failure::usage(what, "it has no file that ends in .sql".to_owned())
        });
    }
    files.iter().map(|path| read_rule(path)).collect()
}

fn read_rule(path: &Path) -> Result<(String, String), Failure> {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unread(path, &error.to_string()))?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| unread(path, &error.to_string()))?;
    if bytes.len() as u64 > LONGEST {
        return Err(unread(path, "it is longer than 1 MiB"));
    }
    let sql = String::from_utf8(bytes).map_err(|_| unread(path, "it is not text in UTF-8"))?;
    Ok((name, sql))
}

fn unread(path: &Path, because: &str) -> Failure {
    Failure::usage(format!("cannot read rules from {}", path.display()), because.to_owned())
}
