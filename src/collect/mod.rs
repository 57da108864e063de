//! Collects evidence into a bundle. Everything that may touch the world is here, and nothing to the right of it.

mod clock;
mod component;
mod coverage;
mod database;
mod error;
mod form;
mod json;
mod kubernetes;
mod place;
mod pod_log;
mod walk;

pub use error::{Error, Result};
pub use form::{FORMS, Form, Progress};

use crate::bundle::{About, Published, Source, Writer};
use crate::schema::{Step, Time};
use clock::Clock;
use form::{Taken, Taking};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use walk::{Candidate, Exclude, Passed};

/// Large reads: a file is read once, from one end to the other.
const BUFFER: usize = 1 << 20;

/// What to collect, and where to put it.
#[derive(Debug, Default)]
pub struct Plan {
    pub from: Vec<PathBuf>,
    pub output: PathBuf,
    /// Patterns of files that are not evidence.
    pub exclude: Vec<String>,
    /// When the evidence was taken, where the user knows it better than the evidence.
    pub taken_at: Option<Time>,
    pub labels: BTreeMap<String, String>,
    pub notes: Vec<String>,
}

/// What came of a collection.
#[derive(Debug)]
pub struct Summary {
    pub published: Published,
    pub read_bytes: u64,
    pub steps: Vec<Outcome>,
    /// Log lines have a year that nothing in the evidence supports.
    pub guessed_year: bool,
    /// Patterns of `exclude` that met nothing.
    pub unmet_patterns: Vec<String>,
    /// The evidence goes on after the time at which the user says it was taken.
    pub taken_too_early: bool,
}

/// What came of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub source: String,
    pub target: String,
    pub taken_for: Option<&'static str>,
    pub table: Option<&'static str>,
    pub status: Status,
    /// Lines, rows or objects in the file, and how many of them are not understood or not evidence. A file that
    /// fills several tables has several outcomes, and these stand at the first.
    pub seen: i64,
    pub unknown: i64,
    pub skipped: i64,
    pub whole: bool,
    pub rows: i64,
    pub duplicates: i64,
    pub bytes: u64,
    pub error: Option<String>,
    pub remarks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    /// Some of it could not be read.
    Partial,
    Failed,
    /// It is not evidence.
    LeftOut,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::LeftOut => "left out",
        }
    }
}

/// Takes all that the inputs hold and writes the bundle.
pub fn collect(plan: &Plan, progress: &dyn Progress) -> Result<Summary> {
    let exclude = Exclude::new(&plan.exclude)?;
    let (mut candidates, mut steps) = (Vec::new(), Vec::new());
    let mut names = Vec::new();
    for input in &plan.from {
        names.push(walk::source_name(input, &names)?);
    }
    for (input, name) in plan.from.iter().zip(&names) {
        let (found, passed) = walk::walk(input, name, &exclude);
        candidates.extend(found);
        steps.extend(passed.into_iter().map(passed_over));
    }
    let looked_at = candidates.len();
    let claimed = recognise(candidates, &mut steps);
    if claimed.is_empty() {
        let paths = plan.from.iter().map(|path| path.display().to_string()).collect();
        return Err(Error::NothingRecognised { paths, looked_at });
    }
    progress.begin(claimed.iter().map(|(_, file)| file.size).sum());
    let mut writer = Writer::create(&plan.output)?;
    let mut clock = Clock::new(plan.taken_at);
    let last_line = take_all(&claimed, &mut writer, &mut clock, progress, &mut steps)?;
    steps.sort_by(|one, other| one.target.cmp(&other.target));
    for step in &steps {
        writer.append(&step.row())?;
    }
    let (collected_at, collected_at_from) = clock.now(last_line);
    let about = About {
        collected_at,
        collected_at_from: collected_at_from.to_owned(),
        labels: plan.labels.clone(),
        notes: notes(plan, &clock),
        sources: sources(&steps),
    };
    let published = writer.publish(about)?;
    let read_bytes = steps.iter().filter(|step| step.status != Status::LeftOut).map(|step| step.bytes).sum();
    Ok(Summary {
        published,
        read_bytes,
        steps,
        guessed_year: clock.guessed_year(),
        unmet_patterns: exclude.unmet(),
        taken_too_early: clock.said_too_early(last_line),
    })
}

fn notes(plan: &Plan, clock: &Clock) -> Vec<String> {
    let guessed =
        clock.guessed_year().then(|| "no year is in the evidence; log lines were given the year 2000".to_owned());
    plan.notes.iter().cloned().chain(guessed).collect()
}

type Claimed = (&'static dyn Form, Candidate);

/// Finds each file's form; those that have none become steps.
fn recognise(candidates: Vec<Candidate>, steps: &mut Vec<Outcome>) -> Vec<Claimed> {
    let mut claimed: Vec<Claimed> = Vec::new();
    for file in candidates {
        match FORMS.iter().find(|form| form.claims(&file)) {
            Some(form) => claimed.push((*form, file)),
            None => steps.push(left_out(&file, Status::LeftOut, not_evidence(&file))),
        }
    }
    claimed
}

/// Takes the files form by form, so that what has full dates comes before what needs a year. Gives back the
/// time of the latest log line.
fn take_all(
    claimed: &[Claimed],
    writer: &mut Writer,
    clock: &mut Clock,
    progress: &dyn Progress,
    steps: &mut Vec<Outcome>,
) -> Result<Option<Time>> {
    let mut taking = Taking::new(writer, clock, progress);
    for form in FORMS {
        let files = claimed.iter().filter(|(by, _)| by.name() == form.name());
        let files: Vec<&Candidate> = files.map(|(_, file)| file).collect();
        if form.needs_year() {
            files.iter().for_each(|file| taking.clock.look_into(file));
        }
        for file in files {
            progress.file(&file.name);
            let taken = match File::open(&file.path) {
                Ok(opened) => form.take(file, &mut BufReader::with_capacity(BUFFER, opened), &mut taking)?,
                Err(error) => Taken { problem: Some(error.to_string()), problems: 1, ..Taken::default() },
            };
            steps.extend(outcomes(file, form.name(), taken));
        }
    }
    Ok(taking.last_line())
}

/// One outcome for each table; one without a table where there is none.
fn outcomes(file: &Candidate, form: &'static str, taken: Taken) -> Vec<Outcome> {
    let status = match (&taken.problem, taken.rows()) {
        (None, _) => Status::Ok,
        (Some(_), 0) => Status::Failed,
        (Some(_), _) => Status::Partial,
    };
    let error = taken.problem.map(|first| match taken.problems {
        1 => first,
        count => format!("{first} (and {} more)", count - 1),
    });
    let first = Outcome {
        source: file.source.clone(),
        target: file.name.clone(),
        taken_for: Some(form),
        table: None,
        status,
        seen: taken.seen,
        unknown: taken.unknown,
        skipped: taken.skipped,
        whole: taken.whole,
        rows: 0,
        duplicates: 0,
        bytes: file.size,
        error,
        remarks: taken.remarks,
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (table, count) in taken.tables {
        let more = !outcomes.is_empty();
        let nothing = |value: i64| if more { 0 } else { value };
        outcomes.push(Outcome {
            table: Some(table),
            rows: count.rows,
            duplicates: count.duplicates,
            seen: nothing(first.seen),
            unknown: nothing(first.unknown),
            skipped: nothing(first.skipped),
            bytes: if more { 0 } else { first.bytes },
            remarks: if more { Vec::new() } else { first.remarks.clone() },
            ..first.clone()
        });
    }
    if outcomes.is_empty() { vec![first] } else { outcomes }
}

fn not_evidence(file: &Candidate) -> String {
    if file.size == 0 { "empty" } else { "not recognised as evidence" }.to_owned()
}

fn passed_over(passed: Passed) -> Outcome {
    let status = if passed.failed { Status::Failed } else { Status::LeftOut };
    let file = Candidate { source: passed.source, name: passed.name, ..Candidate::default() };
    left_out(&file, status, passed.reason)
}

fn left_out(file: &Candidate, status: Status, reason: String) -> Outcome {
    Outcome {
        source: file.source.clone(),
        target: file.name.clone(),
        taken_for: None,
        table: None,
        status,
        seen: 0,
        unknown: 0,
        skipped: 0,
        whole: false,
        rows: 0,
        duplicates: 0,
        bytes: file.size,
        error: Some(reason),
        remarks: Vec::new(),
    }
}

impl Outcome {
    fn row(&self) -> Step<'_> {
        Step {
            source: self.source.as_str().into(),
            target: self.target.as_str().into(),
            taken_for: self.taken_for.map(Into::into),
            table_name: self.table.map(Into::into),
            cluster: place::cluster_of(&self.target).map(Into::into),
            outcome: self.status.name().into(),
            started_at: None,
            seen: self.seen,
            unknown: self.unknown,
            skipped: self.skipped,
            whole: self.whole,
            rows: self.rows,
            duplicates: self.duplicates,
            bytes: self.bytes as i64,
            duration_ms: None,
            error: self.error.as_deref().map(Into::into),
            remark: (!self.remarks.is_empty()).then(|| self.remarks.join("; ").into()),
        }
    }
}

/// One entry of the manifest for each input.
fn sources(steps: &[Outcome]) -> Vec<Source> {
    let mut sources: BTreeMap<&str, Source> = BTreeMap::new();
    for step in steps {
        let source = sources.entry(&step.source).or_insert_with(|| Source {
            name: step.source.clone(),
            kind: "files".to_owned(),
            outcome: Status::Ok.name().to_owned(),
            taken: 0,
            left_out: 0,
            bytes: 0,
        });
        match step.status {
            Status::LeftOut => source.left_out += 1,
            Status::Failed | Status::Partial => source.outcome = Status::Partial.name().to_owned(),
            Status::Ok => {}
        }
        if step.taken_for.is_some() {
            source.taken += 1;
            source.bytes += step.bytes;
        }
    }
    sources.into_values().collect()
}
