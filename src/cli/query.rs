//! `dacapo query`

use super::Form;
use super::error::Failure;
use super::live::{bytes, duration};
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::query::{self, Allowed, Question, Statements, write_parquet};
use crate::bundle::{Limits, Reader, folder_of};
use crate::model::{Canned, CannedParameter, Catalogue, Cut, QUERIES_FORMAT, Queried};
use crate::query::{Header, Named, Query, sql};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

/// Environment without which a program that is linked with a library elsewhere does not start.
const PATHS: &[&str] = &["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

/// An answer is put together before it is written; more than this is for a table, not for a reader.
const MOST_BYTES: u64 = 64 << 20;

/// Ask the evidence in SQL
///
/// Runs a statement of the library by its name, or one of your own, over the tables and views of the bundle (docs/sql.md).
/// It runs in a process of its own that can read the bundle and nothing else, within limits of time, memory and output;
/// no statement changes what a later one answers. Without a statement it asks for some on a terminal, and reads them from
/// standard input otherwise.
#[derive(Debug, Args)]
#[command(
    override_usage = "dacapo query BUNDLE [NAME [KEY=VALUE]...] [OPTIONS]",
    after_help = "Examples:
  dacapo query incident.dacapo --list
  dacapo query incident.dacapo works-named name=nginx
  dacapo query incident.dacapo --sql \"select level, count(*) from log_lines group by level\"
  dacapo query incident.dacapo --sql \"select * from works where consumer = $consumer\" consumer=cluster1
  dacapo query incident.dacapo --file report.sql --format csv > report.csv
  dacapo query incident.dacapo --sql \"from log_lines\" --max-rows 100000 --format parquet -o lines.parquet"
)]
pub struct QueryArgs {
    /// The bundle
    #[arg(required_unless_present = "list")]
    bundle: Option<PathBuf>,
    /// A statement of the library, and values for its parameters
    #[arg(value_name = "NAME | KEY=VALUE")]
    what: Vec<String>,
    /// List the statements of the library
    #[arg(long, conflicts_with_all = ["what", "sql", "file", "output"])]
    list: bool,
    /// Statements to run
    #[arg(long, value_name = "STATEMENT", conflicts_with = "file")]
    sql: Option<String>,
    /// A file with statements to run
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Shape::Of(Form::TEXT))]
    format: Shape,
    /// Write the answer into this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How long a statement may take
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    timeout: Duration,
    /// How much memory a statement may take
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes)]
    memory: u64,
    /// How many rows are shown at the most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_rows: u64,
}

/// A form that any answer has, or one for rows alone.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Of(Form),
    Parquet,
}

impl ValueEnum for Shape {
    fn value_variants<'a>() -> &'a [Self] {
        static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
            let forms = Form::value_variants().iter().copied().map(Shape::Of);
            forms.chain([Shape::Parquet]).collect()
        });
        &SHAPES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Of(form) => form.to_possible_value(),
            Self::Parquet => Some(PossibleValue::new("parquet").help("For other databases: rows with types; needs -o")),
        }
    }
}

/// Where statements come from.
enum From {
    Library(&'static Query),
    Text(String),
    Terminal,
}

impl QueryArgs {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        if self.list {
            return self.list(ui);
        }
        let bundle = self.bundle.as_deref().unwrap_or(Path::new(""));
        // Whether it is a bundle is told here, before anything is started for it.
        let bundle = &opening.open(bundle, ui)?;
        let (name, values) = self.what()?;
        let allowed = self.allowed(opening.limits())?;
        match self.from(name)? {
            From::Library(query) => {
                let question = canned(query, values)?;
                self.say(ui, &asked(ui, &question, bundle, &allowed)?)?;
            }
            From::Text(text) => {
                let statements = Statements::of(&text);
                self.check_count(&statements)?;
                for statement in &statements {
                    let question = Question { name: None, sql: statement, parameters: values.clone() };
                    self.say(ui, &asked(ui, &question, bundle, &allowed)?)?;
                }
            }
            From::Terminal => self.converse(ui, bundle, &values, &allowed)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn list(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let Shape::Of(form) = self.format else { return Err(needs_rows()) };
        ui.answer(&catalogue(), form)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The name, if one is given, and values by key.
    fn what(&self) -> Result<(Option<&str>, BTreeMap<String, String>), Failure> {
        let takes_name = self.sql.is_none() && self.file.is_none();
        let (name, rest) = match self.what.split_first() {
            Some((name, rest)) if takes_name && !name.contains('=') => (Some(name.as_str()), rest),
            _ => (None, self.what.as_slice()),
        };
        let mut values = BTreeMap::new();
        for word in rest {
            let pair = word.split_once('=').filter(|(key, _)| !key.is_empty());
            let (key, value) = pair.ok_or_else(|| {
                Failure::usage(format!("{word:?} is no value of a parameter"), "it is not KEY=VALUE".to_owned())
            })?;
            values.insert(key.to_owned(), value.to_owned());
        }
        Ok((name, values))
    }

    fn from(&self, name: Option<&str>) -> Result<From, Failure> {
        let unreadable = |what: String, error: io::Error| Failure::usage(what, error.to_string());
        if let Some(name) = name {
            return sql::canned(name).map(From::Library).ok_or_else(|| Failure::no_such_query(name));
        }
        if let Some(sql) = &self.sql {
            return Ok(From::Text(sql.clone()));
        }
        if let Some(file) = &self.file {
            let text = std::fs::read_to_string(file);
            return text.map(From::Text).map_err(|error| unreadable(format!("cannot read {}", file.display()), error));
        }
        if io::stdin().is_terminal() {
            return Ok(From::Terminal);
        }
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text);
        read.map(|_| From::Text(text)).map_err(|error| unreadable("cannot read standard input".to_owned(), error))
    }

    fn allowed(&self, limits: Limits) -> Result<Allowed, Failure> {
        let unknown = |error: io::Error| Failure::usage("cannot start dacapo again".to_owned(), error.to_string());
        Ok(Allowed {
            program: std::env::current_exe().map_err(unknown)?,
            environment: PATHS.iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?))).collect(),
            time: self.timeout,
            memory: self.memory,
            rows: self.max_rows,
            bytes: MOST_BYTES,
            limits,
        })
    }

    fn check_count(&self, statements: &[String]) -> Result<(), Failure> {
        match statements.len() {
            0 => Err(Failure::usage("nothing is asked for".to_owned(), "there is no statement".to_owned())),
            1 => Ok(()),
            _ if self.output.is_none() => Ok(()),
            count => {
                let what = "a file takes one answer".to_owned();
                Err(Failure::usage(what, format!("there are {count} statements")))
            }
        }
    }

    /// Asks for statements until there are no more. One that fails does not end it.
    fn converse(
        &self,
        ui: &Ui,
        bundle: &Reader,
        values: &BTreeMap<String, String>,
        allowed: &Allowed,
    ) -> Result<(), Failure> {
        ui.hint("end a statement with ; and leave with Ctrl-D");
        let mut statements = Statements::default();
        while let Some(line) = ui.line(if statements.is_at_start() { "dacapo> " } else { "   ...> " }) {
            statements.push(&line);
            while let Some(statement) = statements.next_whole() {
                let question = Question { name: None, sql: &statement, parameters: values.clone() };
                let answered = asked(ui, &question, bundle, allowed);
                if let Err(failure) = answered.and_then(|queried| self.say(ui, &queried)) {
                    ui.fail(&failure);
                }
            }
        }
        Ok(())
    }

    fn say(&self, ui: &Ui, queried: &Queried) -> Result<(), Failure> {
        match (&self.output, self.format) {
            (None, Shape::Parquet) => return Err(needs_file()),
            (None, Shape::Of(form)) => ui.answer(queried, form)?,
            (Some(path), shape) => into_file(path, |out| match shape {
                Shape::Parquet => write_parquet(queried, out),
                Shape::Of(form) => ui.answer_into(queried, form, out),
            })?,
        }
        match queried.cut {
            Some(Cut::Rows) => {
                ui.warn(&format!("there are more than these {} rows; --max-rows shows more", self.max_rows))
            }
            Some(Cut::Bytes) => ui.warn(&format!(
                "there are more than these {} rows, which are all that {MOST_BYTES} bytes hold",
                queried.rows.len()
            )),
            None => {}
        }
        Ok(())
    }
}

/// The answer, with a sign of life until it is there.
fn asked(ui: &Ui, question: &Question<'_>, bundle: &Reader, allowed: &Allowed) -> Result<Queried, Failure> {
    let waiting = ui.wait("waiting for an answer");
    let answer = query::ask(question, bundle, allowed, |done, all| waiting.judged(done, all));
    waiting.finish();
    Ok(answer?)
}

/// The statement with its own values where none is given.
fn canned(query: &'static Query, mut values: BTreeMap<String, String>) -> Result<Question<'static>, Failure> {
    let header = query.header();
    let known: Vec<&str> = header.named.iter().map(|named| named.name.as_str()).collect();
    if let Some(key) = values.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(Failure::no_such_parameter(query.short_name(), key, &known));
    }
    for named in &header.named {
        match (&named.default, values.contains_key(&named.name)) {
            (_, true) => {}
            (Some(default), false) => drop(values.insert(named.name.clone(), default.clone())),
            (None, false) => return Err(Failure::no_value(query.short_name(), &named.name, &named.about)),
        }
    }
    Ok(Question { name: Some(query.short_name()), sql: query.sql, parameters: values })
}

fn catalogue() -> Catalogue {
    let parameter = |named: Named| CannedParameter { name: named.name, default: named.default, about: named.about };
    let queries = sql::LIBRARY.iter().map(|query| {
        let Header { title, answers, named, .. } = query.header();
        let parameters = named.into_iter().map(parameter).collect();
        Canned { name: query.short_name().to_owned(), title, answers, parameters }
    });
    Catalogue { format: QUERIES_FORMAT, queries: queries.collect() }
}

fn needs_file() -> Failure {
    Failure::usage("parquet needs a file".to_owned(), "there is no -o FILE".to_owned())
}

fn needs_rows() -> Failure {
    Failure::usage("parquet is for answers".to_owned(), "the list of the library is none".to_owned())
}

/// The file is there whole, or as it was.
fn into_file(path: &Path, write: impl FnOnce(&mut BufWriter<&std::fs::File>) -> io::Result<()>) -> Result<(), Failure> {
    let save = || -> io::Result<()> {
        let file = tempfile::NamedTempFile::new_in(folder_of(path))?;
        let mut out = BufWriter::new(file.as_file());
        write(&mut out)?;
        out.flush()?;
        drop(out);
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    save().map_err(Failure::output)
}
