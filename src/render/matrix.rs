//! Hops of many requests, laid out: how many came through each, how fast, and who is stuck where.

use super::Present;
use super::document::{Cell, Document, Table, Tone};
use super::sheet::{optional, time, word};
use super::trace::duration;
use super::works::grouped;
use crate::model::{Figure, HopName, Latency, Matrix, MatrixCell, MatrixGroup, Side};
use crate::schema::Time;
use std::borrow::Cow;

/// A name may be as long as this before its middle is left out: nine fields stand beside it.
const NAME_CHARACTERS: usize = 36;

impl Present for Matrix {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let tone = if self.is_well() { Tone::Good } else { Tone::Bad };
        document.headline(Cell::toned(self.summary(), tone));
        if self.groups.is_empty() {
            return document;
        }
        document.gap();
        document.filled(counts(&self.all));
        document.gap();
        document.filled(times(&self.all));
        document.gap();
        document.filled(self.picture());
        document.gap();
        document.lines("note", self.notes());
        document.lines("next", self.next());
        document
    }

    fn sheet(&self) -> Option<Table> {
        let columns = vec![
            self.by.name(),
            "hop",
            "name",
            "layer",
            "passed",
            "stopped",
            "refused",
            "stuck",
            "waiting",
            "not_reached",
            "superseded",
            "not_applicable",
            "unknown",
            "skipped",
            "measured",
            "p50_us",
            "p95_us",
            "max_us",
            "first",
            "last",
        ];
        let rows = self.groups.iter().flat_map(|group| group.hops.iter().map(move |cell| whole_row(group, cell)));
        Some(Table::new(columns, rows.collect()))
    }
}

impl Matrix {
    /// `9 works, 12 requests (9 creates, 3 deletes): 1 stuck, 2 cannot be told`
    fn summary(&self) -> String {
        let all = &self.all;
        let kinds = [(all.requests.create, "create"), (all.requests.update, "update"), (all.requests.delete, "delete")];
        let kinds: Vec<String> =
            kinds.iter().filter(|(count, _)| *count > 0).map(|(n, what)| counted(*n, what)).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let works = counted(all.works, "work");
        let stuck = if all.stuck == 0 { "none is stuck".to_owned() } else { format!("{} stuck", number(all.stuck)) };
        let untold = if all.untold == 0 { String::new() } else { format!(", {} cannot be told", number(all.untold)) };
        format!("{works}, {}{kinds}: {stuck}{untold}", counted(all.requests.all(), "request"))
    }

    /// A line a group: who is stuck where.
    fn picture(&self) -> Table {
        let mut columns: Vec<Cow<'static, str>> = vec![self.by.name().into(), "works".into()];
        columns.extend(HopName::ALL.iter().map(|hop| Cow::Owned(hop.number().to_string())));
        let row = |group: &MatrixGroup| {
            let mut row: Vec<Cell> = vec![name(group).into(), number(group.works).into()];
            row.extend(group.hops.iter().map(|cell| field(cell, self.show)));
            row
        };
        Table { columns, rows: self.groups.iter().map(row).collect() }
    }

    fn notes(&self) -> Vec<String> {
        let key = match self.show {
            Figure::Counts => "to read: 12 passed, 3! stuck, 2~ on their way, 4? cannot be told, · none came so far",
            Figure::P50 => "of each hop: the time since the hop before that half of the requests take at most",
            Figure::P95 => "of each hop: the time since the hop before that 95 % of the requests take at most",
            Figure::Max => "of each hop: the longest time since the hop before",
        };
        let skipped: Vec<String> = self.all.hops.iter().filter(|cell| cell.skipped > 0).map(skips).collect();
        let skipped = (!skipped.is_empty()).then(|| {
            format!(
                "replicas left something to another, or alone because it is not needed any more: {}",
                skipped.join(", ")
            )
        });
        let left_out = self.total - self.groups.len();
        let left_out = (left_out > 0).then(|| {
            let them = format!("{} more {}s", grouped(left_out), self.by.name());
            format!("{them} are counted and not listed{}; --limit {} lists all", self.stuck_unlisted(), self.total)
        });
        std::iter::once(key.to_owned()).chain(skipped).chain(left_out).collect()
    }

    /// A request has one consumer and one source, and may have been at several pods.
    fn stuck_unlisted(&self) -> String {
        let listed: i64 = self.groups.iter().map(|group| group.stuck).sum();
        let unlisted = self.all.stuck - listed;
        if self.by == Side::Pod || unlisted <= 0 {
            String::new()
        } else {
            format!(", with {} stuck", counted(unlisted, "work"))
        }
    }

    fn next(&self) -> Vec<String> {
        let Some(worst) = self.groups.first().filter(|group| group.stuck > 0) else { return Vec::new() };
        // Somebody will paste it into a shell, and a name may come from anywhere.
        let name =
            worst.name.as_deref().filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)));
        let option = match (self.by, name) {
            (Side::Consumer, Some(name)) => format!(" --consumer {name}"),
            (Side::Source, Some(name)) => format!(" --source {name}"),
            _ => String::new(),
        };
        vec![format!("dacapo works {} --outcome stopped,refused{option}", self.bundle)]
    }
}

/// A column of counts, and how loud a number other than 0 is there.
struct Count {
    name: &'static str,
    tone: Tone,
    of: fn(&MatrixCell) -> i64,
}

const COUNTS: &[Count] = &[
    Count { name: "passed", tone: Tone::Plain, of: |cell| cell.passed },
    Count { name: "stuck", tone: Tone::Bad, of: |cell| cell.stuck },
    // Of those, others are over: something newer came after them.
    Count { name: "stopped", tone: Tone::Plain, of: |cell| cell.stopped + cell.refused },
    Count { name: "waiting", tone: Tone::Plain, of: |cell| cell.waiting },
    Count { name: "behind", tone: Tone::Faint, of: |cell| cell.not_reached },
    Count { name: "n/a", tone: Tone::Faint, of: |cell| cell.superseded + cell.not_applicable },
    Count { name: "unknown", tone: Tone::Unsure, of: |cell| cell.unknown },
];

/// What there is nothing of has no column.
fn counts(all: &MatrixGroup) -> Table {
    let older = all.hops.iter().any(|cell| cell.stopped + cell.refused > cell.stuck);
    let told = |count: &&Count| match count.name {
        "passed" => true,
        "stopped" => older,
        _ => all.hops.iter().any(|cell| (count.of)(cell) > 0),
    };
    let told: Vec<&Count> = COUNTS.iter().filter(told).collect();
    let mut columns = vec!["hop", "hcpctl"];
    columns.extend(told.iter().map(|count| count.name));
    let row = |cell: &MatrixCell| {
        let mut row: Vec<Cell> = vec![title(cell).into(), cell.layer.into()];
        row.extend(told.iter().map(|count| match (count.of)(cell) {
            0 => Cell::toned("·", Tone::Faint),
            some => Cell::toned(number(some), count.tone),
        }));
        row
    };
    Table::new(columns, all.hops.iter().map(row).collect())
}

fn times(all: &MatrixGroup) -> Table {
    let none = || "–".to_owned();
    let figures = |latency: Option<Latency>| {
        latency.map_or_else(|| [none(), none(), none()], |of| [of.p50, of.p95, of.max].map(duration))
    };
    let second = |at: Option<Time>| at.map_or_else(none, whole_second);
    let row = |cell: &MatrixCell| -> Vec<Cell> {
        let [p50, p95, max] = figures(cell.latency_us);
        [title(cell), p50, p95, max, second(cell.first), second(cell.last)].map(Cell::from).into()
    };
    let mut rows: Vec<Vec<Cell>> = all.hops.iter().map(row).collect();
    let [p50, p95, max] = figures(all.latency_us);
    let (first, last) =
        (all.hops.iter().filter_map(|cell| cell.first).min(), all.hops.iter().filter_map(|cell| cell.last).max());
    rows.push(["all, if completed".to_owned(), p50, p95, max, second(first), second(last)].map(Cell::from).into());
    Table::new(vec!["after the hop before", "p50", "p95", "max", "first (UTC)", "last (UTC)"], rows)
}

fn field(cell: &MatrixCell, show: Figure) -> Cell {
    let figure =
        |of: fn(Latency) -> i64| cell.latency_us.map_or_else(|| "·".to_owned(), |latency| duration(of(latency)));
    let text = match show {
        Figure::Counts => marks(cell),
        Figure::P50 => figure(|latency| latency.p50),
        Figure::P95 => figure(|latency| latency.p95),
        Figure::Max => figure(|latency| latency.max),
    };
    let tone = match cell {
        _ if cell.stuck > 0 => Tone::Bad,
        _ if text == "·" => Tone::Faint,
        _ if cell.unknown > 0 => Tone::Unsure,
        _ => Tone::Plain,
    };
    Cell::toned(text, tone)
}

/// `97 3! 5?`
fn marks(cell: &MatrixCell) -> String {
    let marks = [(cell.passed, ""), (cell.stuck, "!"), (cell.waiting, "~"), (cell.unknown, "?")];
    let marks: Vec<String> =
        marks.iter().filter(|(count, _)| *count > 0).map(|(count, mark)| format!("{count}{mark}")).collect();
    if marks.is_empty() { "·".to_owned() } else { marks.join(" ") }
}

fn title(cell: &MatrixCell) -> String {
    format!("{} {}", cell.hop, cell.name.label())
}

fn skips(cell: &MatrixCell) -> String {
    format!("{} at hop {}", counted(cell.skipped, "line"), cell.hop)
}

fn name(group: &MatrixGroup) -> String {
    let Some(name) = &group.name else { return "(not known)".to_owned() };
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= NAME_CHARACTERS {
        return name.clone();
    }
    let (half, rest) = (NAME_CHARACTERS / 2, NAME_CHARACTERS - NAME_CHARACTERS / 2 - 1);
    let start = characters.iter().take(half);
    let end = characters.iter().skip(characters.len() - rest);
    start.chain(&['…']).chain(end).collect()
}

fn whole_second(at: Time) -> String {
    let text = at.to_string();
    text.split_once('.').map_or(text.clone(), |(second, _)| format!("{second}Z"))
}

fn number(count: i64) -> String {
    grouped(usize::try_from(count).unwrap_or_default())
}

fn counted(count: i64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", number(count)) }
}

fn whole_row(group: &MatrixGroup, cell: &MatrixCell) -> Vec<Cell> {
    let counts = [
        cell.passed,
        cell.stopped,
        cell.refused,
        cell.stuck,
        cell.waiting,
        cell.not_reached,
        cell.superseded,
        cell.not_applicable,
        cell.unknown,
        cell.skipped,
    ];
    let latency = cell.latency_us;
    let figures = latency.map(|of| [of.measured, of.p50, of.p95, of.max].map(|figure| figure.to_string()));
    let identity = [optional(group.name.as_deref()), cell.hop.to_string(), word(&cell.name), cell.layer.to_owned()];
    let cells = identity.into_iter().chain(counts.map(|count| count.to_string()));
    let cells = cells.chain(figures.unwrap_or_else(|| ["0".to_owned(), String::new(), String::new(), String::new()]));
    cells.chain([time(cell.first), time(cell.last)]).map(Cell::from).collect()
}
