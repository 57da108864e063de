//! The command line: the only place that knows arguments, environment and terminal.

mod caged;
mod choosing;
mod collect;
mod completions;
mod diagnose;
mod error;
mod explain;
mod inspect;
mod interrupt;
mod leaving;
mod live;
mod matrix;
mod opening;
mod query;
mod redact;
mod resolve;
mod show;
mod trace;
mod ui;
mod verify;
mod works;

use crate::render::{FORMATS, Renderer, TEXT};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use opening::Opening;
use std::fmt;
use std::process::ExitCode;
use std::sync::LazyLock;
use ui::Ui;

/// What happened to this ManifestWork, where did it stop, and why?
///
/// dacapo takes the evidence of a Maestro installation once, into one file, and answers from that file alone.
#[derive(Debug, Parser)]
#[command(name = "dacapo", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  dacapo collect --from ./evidence -o incident.dacapo
  dacapo trace incident.dacapo nginx-work
  dacapo trace incident.dacapo nginx-work --timeline
  dacapo works incident.dacapo --stopped
  dacapo matrix incident.dacapo
  dacapo diagnose incident.dacapo
  dacapo inspect incident.dacapo";

#[derive(Debug, Args)]
struct Global {
    /// Say nothing but the answer and errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    #[command(flatten)]
    opening: Opening,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    Collect(Box<collect::Collect>),
    Inspect(inspect::Inspect),
    Verify(verify::Verify),
    Redact(redact::Redact),
    Trace(trace::TraceArgs),
    Works(works::WorksArgs),
    Matrix(matrix::MatrixArgs),
    Diagnose(diagnose::DiagnoseArgs),
    Explain(explain::Explain),
    Resolve(resolve::Resolve),
    Show(show::Show),
    Query(query::QueryArgs),
    Caged(caged::Caged),
    Completions(completions::Completions),
}

/// The form of an answer: any in the registry.
#[derive(Clone, Copy)]
struct Form(&'static dyn Renderer);

impl Form {
    const TEXT: Self = Self(TEXT);

    /// For a command whose answer has more forms than others.
    fn among(lists: &[&'static [&'static dyn Renderer]]) -> impl TypedValueParser<Value = Self> {
        let forms: Vec<Self> = lists.iter().flat_map(|list| list.iter()).copied().map(Self).collect();
        let known = PossibleValuesParser::new(forms.iter().filter_map(Self::to_possible_value));
        known.map(move |name| forms.iter().copied().find(|form| form.0.name() == name).unwrap_or(Self::TEXT))
    }
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| FORMATS.iter().copied().map(Form).collect());
        &FORMS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.about()))
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// Runs the program: 0 is a good answer, 1 a bad one, 2 none.
pub fn run() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| ui::mistake(&error));
    let ui = Ui::new(cli.global.quiet, cli.global.color);
    let opening = &cli.global.opening;
    let outcome = match &cli.command {
        Command::Collect(args) => args.run(&ui),
        Command::Inspect(args) => args.run(&ui, opening),
        Command::Verify(args) => args.run(&ui, opening),
        Command::Redact(args) => args.run(&ui, opening),
        Command::Trace(args) => args.run(&ui, opening),
        Command::Works(args) => args.run(&ui, opening),
        Command::Matrix(args) => args.run(&ui, opening),
        Command::Diagnose(args) => args.run(&ui, opening),
        Command::Explain(args) => args.run(&ui),
        Command::Resolve(args) => args.run(&ui, opening),
        Command::Show(args) => args.run(&ui, opening),
        Command::Query(args) => args.run(&ui, opening),
        Command::Caged(args) => args.run(),
        Command::Completions(args) => args.run(&ui),
    };
    outcome.unwrap_or_else(|error| ui.fail(&error))
}

/// The command line's definition, for pages that are made from it.
pub fn definition() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}
