//! What came of each file: data, stored in the bundle.

use super::candidate::Candidate;
use super::form::Taken;
use super::live::{Piece, Reading};
use super::walk::Passed;
use crate::bundle::Source;
use crate::schema::{Step, Time};
use std::collections::BTreeMap;
use std::time::Duration;

/// What came of one file, or of one table in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub source: String,
    pub target: String,
    pub taken_for: Option<&'static str>,
    pub table: Option<&'static str>,
    pub cluster: Option<String>,
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
    /// When a running system was asked, and for how long; not for files.
    pub started_at: Option<Time>,
    pub took: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Ok,
    /// Some of it could not be read.
    Partial,
    /// A running system refused to show it.
    Denied,
    /// A running system does not have it.
    NotFound,
    /// A running system did not answer in time.
    TimedOut,
    /// The user ended the collection before.
    Cancelled,
    Failed,
    /// It is not evidence.
    LeftOut,
}

impl Status {
    /// Nothing is missing on its account.
    pub const fn is_well(self) -> bool {
        matches!(self, Self::Ok | Self::LeftOut)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::Denied => "denied",
            Self::NotFound => "not found",
            Self::TimedOut => "timed out",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::LeftOut => "left out",
        }
    }
}

impl Outcome {
    /// One for each table; one without a table where there is none.
    pub fn of_taken(file: &Candidate, form: &'static str, taken: Taken, bytes: u64) -> Vec<Self> {
        let status = match (&taken.problem, taken.rows()) {
            (None, _) => Status::Ok,
            (Some(_), 0) => Status::Failed,
            (Some(_), _) => Status::Partial,
        };
        let error = taken.problem.map(|first| match taken.problems {
            1 => first,
            count => format!("{first} (and {} more)", count - 1),
        });
        let shared = Self {
            source: file.source.clone(),
            target: file.name.clone(),
            taken_for: Some(form),
            cluster: file.cluster(),
            status,
            whole: taken.whole,
            error,
            ..Self::default()
        };
        let mut tables = taken.tables.into_iter();
        let (table, count) = tables.next().map_or((None, Default::default()), |(table, count)| (Some(table), count));
        let first = Self {
            table,
            rows: count.rows,
            duplicates: count.duplicates,
            seen: taken.seen,
            unknown: taken.unknown,
            skipped: taken.skipped,
            bytes,
            remarks: taken.remarks,
            ..shared.clone()
        };
        let others = tables.map(|(table, count)| Self {
            table: Some(table),
            rows: count.rows,
            duplicates: count.duplicates,
            ..shared.clone()
        });
        std::iter::once(first).chain(others).collect()
    }

    pub fn of_passed(passed: Passed) -> Self {
        let status = if passed.failed { Status::Failed } else { Status::LeftOut };
        let error = Some(passed.reason);
        Self { source: passed.source, target: passed.name, status, error, ..Self::default() }
    }

    pub fn failed(source: &str, name: &str, reason: &str) -> Self {
        Self::of_passed(Passed { source: source.into(), name: name.into(), reason: reason.into(), failed: true })
    }

    /// A step that a running system did not answer.
    pub fn of_missed(piece: Piece) -> Self {
        let step = Self {
            target: format!("{}/{}", piece.source, piece.name),
            source: piece.source,
            cluster: piece.said.cluster,
            ..Self::default()
        };
        step.read_live(&piece.reading)
    }

    /// What came of it when it was read from a running system, besides what came of the answer.
    pub fn read_live(mut self, reading: &Reading) -> Self {
        self.started_at = reading.started_at;
        self.took = Some(reading.took);
        self.whole &= reading.whole;
        if self.status.is_well() && !reading.status.is_well() {
            self.status = reading.status;
        }
        self.error = match (self.error.take(), &reading.why) {
            (Some(own), Some(why)) => Some(format!("{why}; {own}")),
            (own, why) => own.or_else(|| why.clone()),
        };
        self.remarks.extend(reading.remarks.iter().cloned());
        self
    }

    pub fn row(&self) -> Step<'_> {
        Step {
            source: self.source.as_str().into(),
            target: self.target.as_str().into(),
            taken_for: self.taken_for.map(Into::into),
            table_name: self.table.map(Into::into),
            cluster: self.cluster.as_deref().map(Into::into),
            outcome: self.status.name().into(),
            started_at: self.started_at,
            seen: self.seen,
            unknown: self.unknown,
            skipped: self.skipped,
            whole: self.whole,
            rows: self.rows,
            duplicates: self.duplicates,
            bytes: self.bytes as i64,
            duration_ms: self.took.map(|took| i64::try_from(took.as_millis()).unwrap_or(i64::MAX)),
            error: self.error.as_deref().map(Into::into),
            remark: (!self.remarks.is_empty()).then(|| self.remarks.join("; ").into()),
        }
    }
}

/// One entry of the manifest for each input.
pub fn sources(steps: &[Outcome]) -> Vec<Source> {
    let mut sources: BTreeMap<&str, Source> = BTreeMap::new();
    let mut before = "";
    for step in steps {
        let source = sources.entry(&step.source).or_insert_with(|| Source {
            name: step.source.clone(),
            kind: if step.started_at.is_some() { "live" } else { "files" }.to_owned(),
            outcome: Status::Ok.name().to_owned(),
            taken: 0,
            left_out: 0,
            bytes: 0,
        });
        match step.status {
            Status::LeftOut => source.left_out += 1,
            Status::Ok => {}
            _ => source.outcome = Status::Partial.name().to_owned(),
        }
        if step.taken_for.is_some() {
            source.taken += u64::from(step.target != before);
            source.bytes += step.bytes;
        }
        before = &step.target;
    }
    sources.into_values().collect()
}
