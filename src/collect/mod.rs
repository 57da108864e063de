//! Collects evidence into a bundle. Everything that may touch the world is here, and nothing to the right of it.

mod candidate;
mod clock;
mod component;
mod coverage;
mod database;
mod error;
mod exclude;
mod form;
mod gate;
mod json;
mod kubernetes;
mod leads;
pub mod live;
mod log;
mod log_path;
mod log_stream;
mod loose;
mod outcome;
mod place;
pub mod policy;
mod process;
mod pseudonym;
mod redact;
mod repeats;
mod rewrite;
mod said;
mod stop;
mod survey;
mod walk;

pub use error::{Error, Result};
pub use form::{FORMS, Form, Progress};
pub use outcome::{Outcome, Status};
pub use policy::Policy;
pub use pseudonym::Kinds;
pub use rewrite::{Leaving, Rewritten};
pub use said::{Input, STDIN, Said};
pub use stop::Stop;

use crate::bundle::{About, Closing, Published, Reader, Writer};
use crate::schema::{TABLES, Time};
use clock::Clock;
use exclude::Exclude;
use form::Taking;
use gate::{Gate, LetOut};
use repeats::Repeats;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use survey::Surveyed;
use tempfile::TempDir;
use walk::Root;

/// What to collect, and where to put it.
#[derive(Debug, Default)]
pub struct Plan {
    pub from: Vec<Input>,
    /// Running systems to read.
    pub live: Option<live::Wanted>,
    pub output: PathBuf,
    /// Patterns of files that are not evidence.
    pub exclude: Vec<String>,
    /// When the evidence was taken, where the user knows it better than the evidence.
    pub taken_at: Option<Time>,
    pub labels: BTreeMap<String, String>,
    pub notes: Vec<String>,
    /// Secrets stay in.
    pub keeps_secrets: bool,
    /// What else goes out of it, and what must not.
    pub leaving: Leaving,
    /// How somebody may end it early.
    pub stop: Stop,
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
    /// How often each kind of secret or name was replaced.
    pub replaced: BTreeMap<&'static str, i64>,
    /// Names that stay because they are words of everybody's.
    pub common: BTreeSet<String>,
}

/// Takes all that the inputs hold and writes the bundle.
pub fn collect(plan: &Plan, progress: &dyn Progress) -> Result<Summary> {
    let exclude = Exclude::new(&plan.exclude)?;
    Writer::try_place(&plan.output)?;
    plan.leaving.try_places()?;
    let mut steps = Vec::new();
    let mut clock = Clock::new(plan.taken_at);
    let fetched = ask_running_systems(plan, &mut clock, progress)?;
    let mut roots = find(plan, &exclude, &mut steps)?;
    for mut piece in fetched.pieces {
        match piece.file.take() {
            Some(file) => roots.push(Root::fetched(file, piece)),
            None => steps.push(Outcome::of_missed(piece)),
        }
    }
    let mut repeats = Repeats::default();
    let look = |root| Surveyed::of(root, &exclude, &mut clock, &mut repeats, progress, &mut steps);
    let files: Vec<Surveyed> = roots.into_iter().take_while(|_| !plan.stop.is_over()).map(look).collect();
    if plan.stop.is_over() {
        return Err(Error::Stopped { live: false });
    }
    let looked_at = files.iter().map(|file| file.counts().0).sum();
    if files.iter().all(|file| file.counts().1 == 0) {
        return Err(nothing(plan, looked_at, &steps));
    }
    let first = First::of(plan)?;
    let mut gate = first.gate(plan)?;
    let taking = Taking::new(&mut gate, &mut clock, &mut repeats);
    let Took { last_line, forgot } = take_all(&files, taking, (progress, &plan.stop), &mut steps)?;
    steps.sort_by(|one, other| one.target.cmp(&other.target));
    for step in &steps {
        gate.append(&step.row())?;
    }
    let (collected_at, collected_at_from) = clock.now(last_line);
    let about = About {
        collected_at,
        collected_at_from: collected_at_from.to_owned(),
        labels: plan.labels.clone(),
        notes: notes(plan, &clock, forgot, fetched.notes),
        sources: outcome::sources(&steps),
        ..About::default()
    };
    let (let_out, common) = first.publish(gate, about, plan)?;
    Ok(Summary {
        published: let_out.published,
        read_bytes: files.iter().filter(|file| file.counts().1 > 0).map(|file| file.root.size).sum(),
        steps,
        guessed_year: clock.guessed_year(),
        unmet_patterns: exclude.unmet(),
        taken_too_early: clock.said_too_early(last_line),
        replaced: let_out.replaced,
        common,
    })
}

/// Writes a bundle again, with less in it.
pub fn redact(reader: &Reader, output: &Path, leaving: &Leaving) -> Result<Rewritten> {
    let same = output.canonicalize().is_ok_and(|there| reader.path().canonicalize().is_ok_and(|read| read == there));
    if same {
        return Err(Error::SameFile { path: output.to_owned() });
    }
    leaving.try_places()?;
    rewrite::rewrite(reader, output, leaving, true)
}

/// Where rows go first: into the bundle itself, or into one that is written again when all names in it are known.
struct First {
    folder: Option<TempDir>,
}

impl First {
    fn of(plan: &Plan) -> Result<Self> {
        let needed = plan.leaving.needs_whole(&plan.leaving.kinds()?);
        let failed = |source| Error::Input { path: plan.output.clone(), source };
        // Only its owner can look into a temporary folder.
        let make = || tempfile::Builder::new().prefix(".dacapo-").tempdir_in(crate::bundle::folder_of(&plan.output));
        Ok(Self { folder: needed.then(make).transpose().map_err(failed)? })
    }

    fn path(&self, plan: &Plan) -> PathBuf {
        self.folder.as_ref().map_or_else(|| plan.output.clone(), |folder| folder.path().join("whole.dacapo"))
    }

    fn gate(&self, plan: &Plan) -> Result<Gate> {
        let redactor = (!plan.keeps_secrets).then(|| plan.leaving.redactor(TABLES.iter())).transpose()?;
        // What is written again is closed then.
        let closing = if self.folder.is_none() { plan.leaving.closing.clone() } else { Closing::default() };
        let writer = Writer::create_with(&self.path(plan), TABLES.iter().collect(), closing)?;
        Ok(Gate::new(writer, redactor, None, plan.leaving.leaks(!plan.keeps_secrets)))
    }

    fn publish(self, gate: Gate, about: About, plan: &Plan) -> Result<(LetOut, BTreeSet<String>)> {
        // Whether something must not go out is judged when it goes out.
        let allows_leaks = plan.leaving.allows_leaks || self.folder.is_some();
        let mut let_out = gate.publish(about, allows_leaks)?;
        if self.folder.is_none() {
            return Ok((let_out, BTreeSet::new()));
        }
        let reader = Reader::open(&self.path(plan))?;
        let again = rewrite::rewrite(&reader, &plan.output, &plan.leaving, false)?;
        let_out.published = again.let_out.published;
        let_out.replaced.extend(again.let_out.replaced);
        Ok((let_out, again.common))
    }
}

/// Every file below the inputs; those that cannot be looked at become steps.
fn find(plan: &Plan, exclude: &Exclude, steps: &mut Vec<Outcome>) -> Result<Vec<Root>> {
    let mut names = Vec::new();
    for input in &plan.from {
        names.push(walk::source_name(&input.path, &names)?);
    }
    let mut roots = Vec::new();
    for (input, name) in plan.from.iter().zip(&names) {
        if walk::is_stream(&input.path) {
            roots.push(walk::spool(input, name, crate::bundle::folder_of(&plan.output), &plan.stop)?);
            continue;
        }
        let (found, passed) = walk::walk(input, name, exclude);
        roots.extend(found);
        steps.extend(passed.into_iter().map(Outcome::of_passed));
    }
    Ok(roots)
}

/// Reads the running systems, if any are wanted, before anything is written.
fn ask_running_systems(plan: &Plan, clock: &mut Clock, progress: &dyn Progress) -> Result<live::Fetched> {
    let Some(wanted) = &plan.live else { return Ok(live::Fetched::default()) };
    let fetched = live::fetch(wanted, crate::bundle::folder_of(&plan.output), progress, &plan.stop)?;
    clock.asked_at(fetched.asked_at.unwrap_or(wanted.began));
    if plan.stop.is_over() { Err(Error::Stopped { live: true }) } else { Ok(fetched) }
}

/// Why there is nothing to put into a bundle.
fn nothing(plan: &Plan, looked_at: usize, steps: &[Outcome]) -> Error {
    let troubled: Vec<&Outcome> = steps.iter().filter(|step| !step.status.is_well()).collect();
    let told = |step: &Outcome| {
        format!("{} {}: {}", step.target, step.status.name(), step.error.as_deref().unwrap_or_default())
    };
    if plan.live.is_some() {
        let denied = troubled.iter().any(|step| step.status == Status::Denied);
        return Error::NothingAnswered { why: troubled.into_iter().map(told).collect(), denied };
    }
    Error::NothingRecognised {
        paths: plan.from.iter().map(|input| input.path.display().to_string()).collect(),
        looked_at,
    }
}

fn notes(plan: &Plan, clock: &Clock, forgot: bool, live: Vec<String>) -> Vec<String> {
    let guessed = clock.guessed_year().then_some("no year is in the evidence; log lines were given the year 2000");
    let forgot = forgot.then_some("there are more log lines than are remembered; some may be there twice");
    let ours = [guessed, forgot].into_iter().flatten().map(str::to_owned);
    plan.notes.iter().cloned().chain(ours).chain(live).collect()
}

/// What is known when all was taken.
struct Took {
    /// The time of the latest log line.
    last_line: Option<Time>,
    /// Not all lines could be compared with each other.
    forgot: bool,
}

/// Takes what has full dates first, and then what needs a year.
fn take_all(
    files: &[Surveyed],
    mut taking: Taking<'_>,
    (progress, stop): (&dyn Progress, &Stop),
    steps: &mut Vec<Outcome>,
) -> Result<Took> {
    let passes = [false, true];
    let sizes = passes.iter().flat_map(|pass| files.iter().filter(|file| file.has(*pass)).map(|file| file.root.size));
    progress.begin(sizes.sum());
    for needs_year in passes {
        for file in files.iter().filter(|file| file.has(needs_year)) {
            let gone = file.each(needs_year, progress, |form, candidate, input| {
                let mut counted = Counted { input, bytes: 0, stop };
                let mut taken = form.take(&candidate, &mut counted, &mut taking)?;
                if stop.is_over() {
                    return Err(Error::Stopped { live: false });
                }
                if let unread @ 1.. = unread(counted.input) {
                    taken.remarks.push(format!("{unread} bytes after that were not read"));
                }
                let outcomes = Outcome::of_taken(&candidate, form.taken_for(&candidate), taken, counted.bytes);
                steps.extend(outcomes.into_iter().map(|step| file.root.went(step)));
                Ok(())
            })?;
            let reason = "it changed while it was read";
            steps.extend(gone.into_iter().map(|name| Outcome::failed(&file.root.source, name, reason)));
        }
    }
    Ok(Took { last_line: taking.last_line(), forgot: taking.repeats.forgot() })
}

/// How much stands behind the place where a form stopped, as far as it can be read.
fn unread(input: &mut dyn BufRead) -> u64 {
    let mut bytes = 0;
    while let Ok(length @ 1..) = input.fill_buf().map(<[u8]>::len) {
        input.consume(length);
        bytes += length as u64;
    }
    bytes
}

/// Counts what a form reads, and lets it read no more when all is to end.
struct Counted<'a> {
    input: &'a mut dyn BufRead,
    bytes: u64,
    stop: &'a Stop,
}

impl Counted<'_> {
    fn may_read(&self) -> std::io::Result<()> {
        if self.stop.is_over() { Err(std::io::Error::other("stopped")) } else { Ok(()) }
    }
}

impl std::io::Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.may_read()?;
        let length = self.input.read(to)?;
        self.bytes += length as u64;
        Ok(length)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.may_read()?;
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes += amount as u64;
        self.input.consume(amount);
    }
}
