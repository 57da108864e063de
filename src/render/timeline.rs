//! A timeline, laid out: the first line answers, then everything in its order.

use super::document::{Block, Cell, Document, Table, Tone};
use super::sheet::{optional, time};
use super::trace::{duration, headline, shortened};
use crate::model::{Happening, Timeline, Trace, Work};
use crate::schema::Time;

/// Characters of what happened; the evidence has the rest.
const TOLD: usize = 76;

pub fn lay_out(work: &Work, timeline: &Timeline, document: &mut Document) {
    if document.blocks.last().is_some_and(|block| *block != Block::Gap) {
        document.gap();
    }
    document.headline(headline(work));
    document.gap();
    let raw = timeline.happenings.iter().any(|happening| happening.text.is_some());
    let clock = clock_of(&timeline.happenings);
    let folded: Vec<Vec<&Happening>> = if raw {
        timeline.happenings.iter().map(|happening| vec![happening]).collect()
    } else {
        fold(&timeline.happenings)
    };
    let columns = vec!["at (UTC)", "after", "source", "where", "evidence", if raw { "text" } else { "what" }];
    document.table(columns, folded.iter().filter_map(|same| row(same, &work.resource_id, clock)).collect());
    let empty = timeline.happenings.is_empty().then(|| "nothing about it is within these limits".to_owned());
    let notes: Vec<String> = empty.into_iter().chain(timeline.notes.iter().cloned()).collect();
    if !notes.is_empty() && !timeline.happenings.is_empty() {
        document.gap();
    }
    document.lines("note", notes);
}

/// Repetitions in a row are told as one.
fn fold(happenings: &[Happening]) -> Vec<Vec<&Happening>> {
    let same = |one: &&Happening, other: &&Happening| {
        one.source == other.source
            && one.place == other.place
            && one.what == other.what
            && one.at.is_some() == other.at.is_some()
    };
    let all: Vec<&Happening> = happenings.iter().collect();
    all.chunk_by(same).map(<[&Happening]>::to_vec).collect()
}

fn row(same: &[&Happening], id: &str, clock: fn(Time) -> String) -> Option<Vec<Cell>> {
    let (first, last) = (same.first()?, same.last()?);
    let mut what = shortened(&first.what.replace(id, "ID"), TOLD);
    let mut evidence = first.evidence.clone();
    if same.len() > 1 {
        let until = last.at.map(|at| format!(" until {}", clock(at))).unwrap_or_default();
        what = format!("{what} ({} times{until})", same.len());
        evidence = format!("{evidence} …");
    }
    // A mark does not belong into words that are somebody else's.
    let marked = if first.text.is_some() { &mut evidence } else { &mut what };
    marked.push_str(mark(first));
    let at = first
        .at
        .map_or_else(|| "–".to_owned(), |at| if first.is_rough() { whole_seconds(clock(at)) } else { clock(at) });
    Some(vec![
        at.into(),
        first.delta_us.map(duration).unwrap_or_default().into(),
        first.source.name().into(),
        first.place.clone().filter(|place| place != first.source.name()).unwrap_or_default().into(),
        Cell::toned(evidence, Tone::Faint),
        first.text.as_deref().map_or_else(|| what.into(), Cell::verbatim),
    ])
}

/// How it is known to be about the work, where that is not by its name.
fn mark(happening: &Happening) -> &'static str {
    match happening.matched_by.as_str() {
        "object" => " (by object)",
        "operation" => " (by op-id)",
        "cause" => " (cause)",
        _ => "",
    }
}

/// The day stands in every line only where there are several.
fn clock_of(happenings: &[Happening]) -> fn(Time) -> String {
    let day = |happening: &Happening| happening.at.map(|at| at.to_string().chars().take(10).collect::<String>());
    let mut days = happenings.iter().filter_map(day);
    let first = days.next();
    if days.all(|day| Some(&day) == first.as_ref()) { Time::clock } else { |at| at.to_string() }
}

/// Without the fraction that the source does not have.
pub fn whole_seconds(clock: String) -> String {
    clock.replace(".000000", "")
}

/// Everything, unfolded.
pub fn sheet(trace: &Trace) -> Option<Table> {
    let columns = vec![
        "work_name",
        "resource_id",
        "at",
        "delta_us",
        "source",
        "cluster",
        "where",
        "what",
        "matched_by",
        "evidence",
        "text",
    ];
    let timelines = trace.works.iter().filter_map(|work| Some((work, work.timeline.as_ref()?)));
    let rows = timelines.flat_map(|(work, timeline)| timeline.happenings.iter().map(move |one| sheet_row(work, one)));
    let asked = trace.works.iter().any(|work| work.timeline.is_some());
    asked.then(|| Table::new(columns, rows.collect()))
}

fn sheet_row(work: &Work, happening: &Happening) -> Vec<Cell> {
    let cells = [
        optional(work.work_name.as_deref()),
        work.resource_id.clone(),
        time(happening.at),
        happening.delta_us.map(|delta| delta.to_string()).unwrap_or_default(),
        happening.source.name().to_owned(),
        optional(happening.cluster.as_deref()),
        optional(happening.place.as_deref()),
        happening.what.clone(),
        happening.matched_by.clone(),
        happening.evidence.clone(),
        optional(happening.text.as_deref()),
    ];
    cells.into_iter().map(Cell::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Source;

    fn happening(micros: i64, pod: &str, what: &str) -> Happening {
        Happening {
            at: Some(Time::from_micros(micros)),
            delta_us: None,
            source: Source::Agent,
            cluster: None,
            place: Some(pod.to_owned()),
            what: what.to_owned(),
            matched_by: "id".to_owned(),
            evidence: format!("log_lines:{micros}"),
            text: None,
        }
    }

    #[test]
    fn only_what_one_pod_says_again_in_a_row_is_folded() {
        let told = [("a", "x"), ("a", "x"), ("b", "x"), ("a", "x"), ("a", "y")];
        let all: Vec<Happening> = (1..).zip(told).map(|(at, (pod, what))| happening(at, pod, what)).collect();
        let folded: Vec<usize> = fold(&all).iter().map(Vec::len).collect();
        assert_eq!(folded, [2, 1, 1, 1]);
        let first = fold(&all).first().and_then(|same| row(same, "an id", Time::clock)).unwrap();
        assert_eq!(first.last().unwrap().text, "x (2 times until 00:00:00.000002)");
    }

    #[test]
    fn a_mark_stands_outside_of_a_quotation() {
        let by_object = |text: Option<&str>| Happening {
            matched_by: "object".to_owned(),
            text: text.map(str::to_owned),
            ..happening(1, "a", "x")
        };
        let cells = |one: &Happening| row(&[one], "an id", Time::clock).unwrap();
        assert_eq!(cells(&by_object(None)).last().unwrap().text, "x (by object)");
        let quoted = cells(&by_object(Some("I1116 x")));
        assert_eq!(quoted.last().unwrap(), &Cell::verbatim("I1116 x"));
        assert_eq!(quoted[4].text, "log_lines:1 (by object)");
    }

    #[test]
    fn the_day_is_told_where_there_are_several() {
        let day = 86_400_000_000;
        let one = [happening(1, "a", "x"), happening(2, "a", "x")];
        let two = [happening(1, "a", "x"), happening(day, "a", "x")];
        assert_eq!(clock_of(&one)(Time::from_micros(1)), "00:00:00.000001");
        assert_eq!(clock_of(&two)(Time::from_micros(1)), "1970-01-01T00:00:00.000001Z");
    }
}
