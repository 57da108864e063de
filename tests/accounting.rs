//! Nothing is dropped without a word: of every file that was handed over, each line, row or object is in the bundle, was
//! there before, is kept as not understood, or was counted as no evidence.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod counted;
mod mixes;

use std::collections::BTreeMap;
use std::path::Path;

use dacapo::bundle::{Reader, Rows};
use dacapo::collect::{Error, Leaving, Outcome, Plan, Progress, Summary, collect};
use dacapo::schema::{LogLine, Step, Unknown};

struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}

/// What the bundle says of one file.
#[derive(Debug, Default)]
struct Account {
    taken_for: Option<&'static str>,
    is_log: bool,
    seen: i64,
    /// Rows in its tables, and rows that had been there before.
    rows: i64,
    duplicates: i64,
    unknown: i64,
    skipped: i64,
    /// What of it is in the bundle: lines of the log, and pieces that are kept word for word.
    log_lines: i64,
    kept: i64,
    errors: Vec<String>,
}

impl Account {
    fn add(&mut self, step: &Outcome) {
        self.taken_for = self.taken_for.or(step.taken_for);
        self.is_log |= step.table == Some("log_lines");
        self.seen += step.seen;
        self.rows += step.rows;
        self.duplicates += step.duplicates;
        self.unknown += step.unknown;
        self.skipped += step.skipped;
        self.errors.extend(step.error.clone());
    }

    /// Where the sum is wrong.
    fn fault(&self, name: &str) -> Option<String> {
        let stored = if self.is_log { self.log_lines } else { self.rows };
        let sum = stored + self.duplicates + self.unknown + self.skipped;
        (sum != self.seen || self.kept != self.unknown).then(|| format!("{name}: {self:#?}"))
    }
}

/// Collects a folder and reads the bundle back; `None` if there was no evidence in it.
fn account(folder: &Path) -> Option<BTreeMap<String, Account>> {
    let out = tempfile::TempDir::new().unwrap();
    let output = out.path().join("x.dacapo");
    // What was cut at random may look random, and a bundle with that is refused: here it is the sums that count.
    let from = vec![folder.to_owned().into()];
    let plan = Plan {
        from,
        output: output.clone(),
        leaving: Leaving { allows_leaks: true, ..Leaving::default() },
        ..Plan::default()
    };
    let summary = match collect(&plan, &Quiet) {
        Ok(summary) => summary,
        Err(Error::NothingRecognised { .. }) => return None,
        Err(error) => panic!("{error}: {error:?}"),
    };
    let reader = Reader::open(&output).unwrap();
    reader.verify().unwrap();
    let mut accounts: BTreeMap<String, Account> = BTreeMap::new();
    for step in &summary.steps {
        accounts.entry(step.target.clone()).or_default().add(step);
    }
    let lines = |_, line: LogLine<'_>| accounts.get_mut(line.file.as_ref()).unwrap().log_lines += line.lines;
    reader.records::<LogLine<'static>>(&Rows::All, lines).unwrap();
    let pieces = |_, piece: Unknown<'_>| {
        if piece.table_name.is_none() {
            accounts.get_mut(piece.file.as_ref()).unwrap().kept += 1;
        }
    };
    reader.records::<Unknown<'static>>(&Rows::All, pieces).unwrap();
    assert_same_in_the_bundle(&summary, &reader);
    Some(accounts)
}

/// The table `collection` says what the summary says.
fn assert_same_in_the_bundle(summary: &Summary, reader: &Reader) {
    let mut stored = Vec::new();
    let step = |_, step: Step<'_>| stored.push((step.target.into_owned(), step.seen, step.unknown, step.skipped));
    reader.records::<Step<'static>>(&Rows::All, step).unwrap();
    let said = summary.steps.iter().map(|step| (step.target.clone(), step.seen, step.unknown, step.skipped));
    assert_eq!(stored, said.collect::<Vec<_>>());
}

fn assert_adds_up(accounts: &BTreeMap<String, Account>) {
    let faults: Vec<String> = accounts.iter().filter_map(|(name, account)| account.fault(name)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
