//! Looks at every file once, before any is taken, and finds the form of each.

use super::candidate::Candidate;
use super::clock::Clock;
use super::error::Result;
use super::exclude::Exclude;
use super::form::{FORMS, Form, Progress};
use super::outcome::{Outcome, Status};
use super::repeats::Repeats;
use super::walk::{Passed, Root};
use crate::input::{Found, Inner, visit};
use std::collections::HashSet;
use std::path::Path;

/// What is inside one file, in the order in which it stands there.
pub struct Surveyed {
    pub root: Root,
    members: Vec<(String, Option<&'static dyn Form>)>,
}

impl Surveyed {
    /// Finds the form of every file inside; what has none becomes a step.
    pub fn of(
        root: Root,
        exclude: &Exclude,
        clock: &mut Clock,
        repeats: &mut Repeats,
        progress: &dyn Progress,
        steps: &mut Vec<Outcome>,
    ) -> Self {
        progress.file(&root.name);
        let mut members = Vec::new();
        let before = steps.len();
        let mut each = |found: Found<'_>| -> std::result::Result<(), std::convert::Infallible> {
            match found {
                Found::Passed { name, reason, failed } => {
                    steps.push(Outcome::of_passed(Passed { source: root.source.clone(), name, reason, failed }));
                }
                Found::File(inner) => {
                    let file = candidate(&root, inner);
                    let form = recognise(&file, &root, exclude, steps);
                    if form.is_some_and(Form::needs_year) {
                        let tail = if file.name == root.name { root.tail().unwrap_or_default() } else { Vec::new() };
                        clock.look_into(&[&file.head, &tail]);
                        clock.refer_to(form.and_then(|form| form.latest(&file)));
                    }
                    if let Some(form) = form {
                        form.announce(&file, repeats);
                    }
                    members.push((file.name, form));
                }
            }
            Ok(())
        };
        match root.open() {
            Ok(file) => {
                let Ok(()) = visit(file, &root.name, &|_| {}, &mut each);
            }
            Err(error) => {
                let (source, name, reason) = (root.source.clone(), root.name.clone(), error.to_string());
                steps.push(Outcome::of_passed(Passed { source, name, reason, failed: true }));
            }
        }
        if members.is_empty() && steps.len() == before {
            let (source, name, reason) =
                (root.source.clone(), root.name.clone(), "an archive without files".to_owned());
            steps.push(Outcome::of_passed(Passed { source, name, reason, failed: false }));
        }
        let went: Vec<Outcome> = steps.drain(before..).map(|step| root.went(step)).collect();
        steps.extend(went);
        Self { root, members }
    }

    /// How many files there are inside, and how many of them are evidence.
    pub fn counts(&self) -> (usize, usize) {
        (self.members.len(), self.members.iter().filter(|(_, form)| form.is_some()).count())
    }

    /// Is there anything in it whose times have no year, or have one?
    pub fn has(&self, needs_year: bool) -> bool {
        self.members.iter().any(|(_, form)| form.is_some_and(|form| form.needs_year() == needs_year))
    }

    /// Opens those files again whose times have no year, or have one. Gives back the names of those that are not there
    /// any more.
    pub fn each(
        &self,
        needs_year: bool,
        progress: &dyn Progress,
        mut each: impl FnMut(&'static dyn Form, Candidate, &mut dyn std::io::BufRead) -> Result<()>,
    ) -> Result<Vec<&str>> {
        let read = std::cell::Cell::new(0);
        let advance = |bytes: u64| {
            read.set(read.get() + bytes);
            progress.advance(bytes);
        };
        let wanted = |form: &Option<&'static dyn Form>| form.filter(|form| form.needs_year() == needs_year);
        let mut places = self.members.iter();
        let mut met = HashSet::new();
        let mut open = |found: Found<'_>| {
            let Found::File(inner) = found else { return Ok(()) };
            let surveyed = places.next().filter(|(name, _)| *name == inner.name);
            let Some((name, form)) = surveyed.and_then(|(name, form)| Some((name, wanted(form)?))) else {
                return Ok(());
            };
            met.insert(name.as_str());
            progress.file(&inner.name);
            let Inner { name, head, whole, reader, encoding } = inner;
            let file = candidate(&self.root, Inner { name, head, whole, encoding, reader: &mut std::io::empty() });
            each(form, file, reader)
        };
        if let Ok(file) = self.root.open() {
            visit(file, &self.root.name, &advance, &mut open)?;
        }
        // A ZIP is not read from one end to the other.
        progress.advance(self.root.size.saturating_sub(read.get()));
        let due = self.members.iter().filter(|(_, form)| wanted(form).is_some()).map(|(name, _)| name.as_str());
        Ok(due.filter(|name| !met.contains(name)).collect())
    }
}

fn candidate(root: &Root, inner: Inner<'_>) -> Candidate {
    Candidate {
        source: root.source.clone(),
        bare: inner.bare().to_owned(),
        said: root.said.clone(),
        head: inner.head,
        whole: inner.whole,
        cut: root.reading.as_ref().is_some_and(|reading| reading.cut),
        name: inner.name,
    }
}

fn recognise(file: &Candidate, root: &Root, exclude: &Exclude, steps: &mut Vec<Outcome>) -> Option<&'static dyn Form> {
    // The path within the input, whose own name comes first.
    let within = file.name.split_once('/').map_or("", |(_, within)| within);
    let reason = if file.name != root.name && exclude.covers(Path::new(within), &file.name) {
        "excluded by --exclude"
    } else if let Some(form) = FORMS.iter().find(|form| form.claims(file)) {
        return Some(*form);
    } else if file.head.is_empty() {
        "empty"
    } else {
        "not recognised as evidence"
    };
    steps.push(Outcome {
        source: file.source.clone(),
        target: file.name.clone(),
        status: Status::LeftOut,
        error: Some(reason.to_owned()),
        ..Outcome::default()
    });
    None
}
