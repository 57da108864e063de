//! All works of a bundle, laid out: how many there are of each kind first.

use super::Present;
use super::document::{Cell, Document, Table, Tone};
use super::sheet::{optional, time, word};
use super::trace::tone_of;
use crate::model::{ListedWork, Works};

impl Present for Works {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let tone = if self.are_well() { Tone::Good } else { Tone::Bad };
        document.headline(Cell::toned(self.summary(), tone));
        if !self.works.is_empty() {
            document.gap();
        }
        let columns = vec!["work", "consumer", "request", "observed", "outcome", "hop", "since (UTC)", "where it is"];
        document.table(columns, self.works.iter().map(row).collect());
        let notes = self.notes();
        if !notes.is_empty() {
            document.gap();
        }
        document.lines("note", notes);
        document
    }

    fn sheet(&self) -> Option<Table> {
        let columns = vec![
            "work_name",
            "resource_id",
            "consumer",
            "source",
            "request",
            "life",
            "version_wanted",
            "version_observed",
            "outcome",
            "hop_reached",
            "stops_at",
            "sentence",
            "why",
            "since",
            "deleted_at",
        ];
        Some(Table::new(columns, self.works.iter().map(whole_row).collect()))
    }
}

impl Works {
    fn notes(&self) -> Vec<String> {
        let unlisted = self.matched - self.works.len();
        let unlisted = (unlisted > 0).then(|| format!("{} more are counted and not listed", grouped(unlisted)));
        let mentioned = (self.mentioned > 0)
            .then(|| format!("{} more ids are mentioned, and nothing tells of a request", grouped(self.mentioned)));
        unlisted.into_iter().chain(mentioned).collect()
    }

    /// `9 of 1,204 works: 9 stopped`
    fn summary(&self) -> String {
        let of = if self.matched < self.total { format!("{} of ", grouped(self.matched)) } else { String::new() };
        let all = if self.total == 1 { "1 work".to_owned() } else { format!("{} works", grouped(self.total)) };
        // The usual first; what needs somebody is below.
        let counts =
            self.outcomes.iter().rev().map(|count| format!("{} {}", grouped(count.works), count.outcome.name()));
        let counts: Vec<String> = counts.collect();
        let end = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        format!("{of}{all}{end}")
    }
}

fn row(work: &ListedWork) -> Vec<Cell> {
    let none = || "–".to_owned();
    let name = work.work_name.as_deref().unwrap_or(&work.resource_id);
    let told = work.sentence.or(work.why.as_deref()).unwrap_or_default();
    let deleting = if work.deleted_at.is_some() { " [DELETING]" } else { "" };
    vec![
        format!("{name}{deleting}").into(),
        work.consumer.clone().unwrap_or_else(none).into(),
        format!("{} v{}", work.request.name(), work.version_wanted).into(),
        work.version_observed.map_or_else(none, |version| format!("v{version}")).into(),
        Cell::toned(work.outcome.name(), tone_of(work.outcome)),
        work.hop_reached.to_string().into(),
        work.since.map_or_else(none, |at| at.to_string()).into(),
        told.into(),
    ]
}

fn whole_row(work: &ListedWork) -> Vec<Cell> {
    let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
    let cells = [
        optional(work.work_name.as_deref()),
        work.resource_id.clone(),
        optional(work.consumer.as_deref()),
        optional(work.source.as_deref()),
        word(&work.request),
        work.life.to_string(),
        work.version_wanted.to_string(),
        number(work.version_observed),
        word(&work.outcome),
        work.hop_reached.to_string(),
        number(work.stops_at.map(i64::from)),
        optional(work.sentence),
        optional(work.why.as_deref()),
        time(work.since),
        time(work.deleted_at),
    ];
    cells.into_iter().map(Cell::from).collect()
}

/// `1,204`
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_read_in_groups() {
        assert_eq!([0, 999, 1204, 100_000, 1_000_000].map(grouped), ["0", "999", "1,204", "100,000", "1,000,000"]);
    }
}
