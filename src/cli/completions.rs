//! `dacapo completions`

use super::error::Failure;
use super::ui::Ui;
use crate::query::{Query, rules, sql};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Print completions for a shell
///
/// They know commands, options and their values, the rules that can be explained and asked for, and the statements of the
/// library with their parameters.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo completions bash > ~/.local/share/bash-completion/completions/dacapo
  dacapo completions zsh > \"${fpath[1]}/_dacapo\"
  dacapo completions fish > ~/.config/fish/completions/dacapo.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let mut command = with_names();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "dacapo", &mut script);
        if self.shell == Shell::Fish {
            script.extend(for_fish(&command).into_bytes());
        }
        ui.raw(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Parameters of the library's statements, as they are given.
static PARAMETERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    sql::LIBRARY.iter().flat_map(|query| query.header().named).map(|named| format!("{}=", named.name)).collect()
});

/// The command line with all names that can be known. The parser itself takes any: a rule may be somebody's own, and of a wrong
/// name is told what is near.
fn with_names() -> Command {
    let named = |names: Vec<PossibleValue>| move |arg: Arg| arg.value_parser(PossibleValuesParser::new(names));
    let rules = || rules::RULES.iter().map(titled).collect::<Vec<_>>();
    let parameters = PARAMETERS.iter().map(|name| PossibleValue::new(name.as_str()));
    let statements = sql::LIBRARY.iter().map(titled).chain(parameters).collect();
    super::definition()
        .mut_subcommand("explain", |explain| explain.mut_arg("rules", named(rules())))
        .mut_subcommand("diagnose", |diagnose| diagnose.mut_arg("rule", named(rules())))
        .mut_subcommand("query", |query| query.mut_arg("what", named(statements)))
}

fn titled(query: &Query) -> PossibleValue {
    PossibleValue::new(query.short_name()).help(query.header().title)
}

/// What clap leaves out for fish: values without an option before them. Files stay possible beside them.
fn for_fish(command: &Command) -> String {
    let mut lines = String::new();
    for sub in command.get_subcommands() {
        for values in sub.get_positionals().map(Arg::get_possible_values).filter(|values| !values.is_empty()) {
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            let (name, names) = (sub.get_name(), names.join(" "));
            let _ = writeln!(lines, "complete -c dacapo -n \"__fish_dacapo_using_subcommand {name}\" -a \"{names}\"");
        }
    }
    lines
}
