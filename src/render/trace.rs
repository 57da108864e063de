//! A trace, laid out: the first line answers, everything below proves it.

use super::document::{Cell, Document, Line, Table, Tone};
use super::timeline::whole_seconds;
use super::{Present, detail, manifests, sheet, timeline};
use crate::model::{Deletion, Hop, ManifestsFrom, Note, Outcome, Quote, Request, Trace, Verdict, Work};
use crate::schema::Time;

const QUOTED_CHARACTERS: usize = 240;

impl Present for Trace {
    fn document(&self) -> Document {
        let mut document = Document::default();
        if self.works.len() > 1 {
            document.headline(format!("Multiple resources found: {} works fit {:?}", self.works.len(), self.query));
            document.gap();
            document.table(vec!["work", "consumer", "request", "outcome"], self.works.iter().map(summary).collect());
        }
        for work in &self.works {
            if self.works.len() > 1 {
                document.gap();
            }
            match &work.timeline {
                Some(told) => timeline::lay_out(work, told, &mut document),
                None => lay_out_work(work, &self.bundle, &mut document),
            }
        }
        document.lines("note", self.notes.iter().map(note).collect());
        document
    }

    fn sheet(&self) -> Option<Table> {
        sheet::candidates(self)
            .or_else(|| timeline::sheet(self))
            .or_else(|| detail::sheet(self))
            .or_else(|| Some(sheet::hops(self)))
    }
}

/// One line of a work among several: its newest request.
fn summary(work: &Work) -> Vec<Cell> {
    let name = work.work_name.as_deref().unwrap_or(&work.resource_id);
    let consumer = work.consumer.as_deref().unwrap_or("–");
    let newest = work.requests.first();
    let request = newest.map(|request| format!("{} v{}", request.request.name(), request.version));
    let outcome = newest.map_or(Cell::toned("unknown", Tone::Unsure), |request| {
        let stop = request.stops_at.map(|hop| format!(" at hop {hop}")).unwrap_or_default();
        let sentence = request.sentence.map(|sentence| format!(" — {sentence}")).unwrap_or_default();
        Cell::toned(format!("{}{stop}{sentence}", request.outcome.name()), tone_of(request.outcome))
    });
    vec![name.into(), consumer.into(), request.unwrap_or_default().into(), outcome]
}

fn lay_out_work(work: &Work, bundle: &str, document: &mut Document) {
    if work.requests.is_empty() {
        document.headline(headline(work));
    }
    for (position, request) in work.requests.iter().enumerate() {
        if position > 0 {
            document.gap();
        }
        document.headline(answer(work, request));
        if position == 0 {
            document.gap();
            document.pairs(relations(work, request));
            manifests::lay_out(work, &mut *document);
        }
        document.gap();
        let columns = vec!["hop", "verdict", "at (UTC)", "after", "where", "evidence"];
        document.table(columns, hop_rows(request));
        document.gap();
        document.lines("why", why(request));
        document.lines("note", request.notes.iter().map(note).collect());
        document.lines("next", next(work, request, bundle));
    }
    document.lines("note", work.notes.iter().map(note).collect());
    document.lines("also", also(work));
}

/// What is said about the newest request.
pub fn headline(work: &Work) -> Cell {
    let Some(newest) = work.requests.first() else {
        let name = work.work_name.as_deref().unwrap_or(&work.resource_id);
        let line = format!("{name}: UNKNOWN — it is named in the material, but no request of it is there");
        return Cell::toned(line, Tone::Unsure);
    };
    answer(work, newest)
}

fn answer(work: &Work, request: &Request) -> Cell {
    let name = work.work_name.as_deref().unwrap_or(&work.resource_id);
    let consumer = work.consumer.as_deref().map(|consumer| format!(" on {consumer}")).unwrap_or_default();
    let life = if request.life > 1 { format!(" (life {})", request.life) } else { String::new() };
    let gone = work.deletion.as_ref().map_or("", |deletion| mark(deletion, work.deleted_at));
    let what = format!("{name}{consumer}{gone}: {} v{}{life}", request.request.name(), request.version);
    let outcome = request.outcome.name().to_uppercase();
    let end = match (request.stops_at, request.sentence) {
        (Some(hop), Some(sentence)) => format!("{outcome} at hop {hop} of 9 — {sentence}"),
        _ => match (&request.why, request.outcome) {
            (Some(why), Outcome::Unknown | Outcome::InProgress | Outcome::Superseded) => format!("{outcome} — {why}"),
            _ => outcome,
        },
    };
    Cell::toned(format!("{what} {end}"), tone_of(request.outcome))
}

/// Gone, on its way, or asked for as far as is known.
const fn mark(deletion: &Deletion, deleted_at: Option<Time>) -> &'static str {
    match (deletion.gone_at, deleted_at) {
        (Some(_), _) => " [DELETED]",
        (None, Some(_)) => " [DELETING]",
        (None, None) => " [DELETE ASKED FOR]",
    }
}

pub const fn tone_of(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Completed => Tone::Good,
        Outcome::Stopped | Outcome::Refused => Tone::Bad,
        Outcome::Superseded | Outcome::InProgress | Outcome::Unknown => Tone::Unsure,
    }
}

fn relations(work: &Work, request: &Request) -> Vec<[Cell; 3]> {
    let none = || "–".to_owned();
    let pair = |label: &str, value: String, note: &str| [label.into(), value.into(), Cell::toned(note, Tone::Faint)];
    let mut pairs = vec![
        pair("work name", work.work_name.clone().unwrap_or_else(none), ""),
        pair("resource id", work.resource_id.clone(), ""),
    ];
    let expected = format!("expected name ends in -{}", work.resource_id);
    match work.applied_works.as_slice() {
        [] => pairs.push(pair("applied work", "none in the material".into(), &expected)),
        names => pairs.extend(names.iter().map(|name| pair("applied work", name.clone(), ""))),
    }
    let op_id = request.op_id.as_deref().map(|op_id| format!("op-id {op_id}")).unwrap_or_default();
    pairs.push(pair("consumer", work.consumer.clone().unwrap_or_else(none), ""));
    pairs.push(pair("source", work.source.clone().unwrap_or_else(none), &op_id));
    pairs.push(match &work.database {
        None => pair("database", "no row of it in the material".into(), ""),
        Some(row) => {
            let time = |at: Option<Time>| at.map_or_else(none, |at| at.to_string());
            let status = row.status_version.map_or("no status".to_owned(), |version| format!("status of v{version}"));
            let version = row.version.map_or_else(none, |version| version.to_string());
            let value = format!(
                "version {version}, {status}, created {}, deleted {}",
                time(row.created_at),
                time(row.deleted_at)
            );
            pair("database", value, &row.evidence)
        }
    });
    pairs.extend(work.deletion.as_ref().map(|deletion| {
        let (value, op_id) = deletion_of(deletion);
        pair("deletion", value, &op_id)
    }));
    if let Some(from) = work.manifests_from.as_ref().filter(|from| from.source != ManifestsFrom::Row) {
        pairs.push(pair("manifests", format!("known from {}", from.source.name()), &from.evidence));
    }
    pairs
}

/// `asked for at 14:31:07 by mw-client-example over gRPC, gone at 14:31:11`, and the operation.
fn deletion_of(deletion: &Deletion) -> (String, String) {
    let Deletion { asked_at, by, over, op_id, gone_at, .. } = deletion;
    let mut value = asked_at.map_or_else(|| "asked for".to_owned(), |at| format!("asked for at {}", at.clock()));
    value.extend(by.as_ref().map(|by| format!(" by {by}")));
    value.extend(over.map(|over| format!(" over {over}")));
    value.push_str(
        &gone_at.map_or_else(|| ", not known to be gone".to_owned(), |at| format!(", gone at {}", at.clock())),
    );
    (value, op_id.as_ref().map(|op_id| format!("op-id {op_id}")).unwrap_or_default())
}

fn hop_rows(request: &Request) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    let mut before = None;
    let mut skipped: Vec<&Hop> = Vec::new();
    let stop = request.hops.iter().find(|hop| matches!(hop.verdict, Verdict::Missing | Verdict::Failed));
    for hop in &request.hops {
        let behind = stop.is_some_and(|stop| stop.hop < hop.hop);
        let unreached = behind && hop.verdict == Verdict::Missing && hop.evidence.is_empty();
        if unreached || hop.verdict == Verdict::NotApplicable {
            skipped.push(hop);
            continue;
        }
        rows.push(hop_row(hop, before));
        rows.extend(detail::rows(hop));
        before = hop.at.or(before);
    }
    if let (Some(first), Some(last)) = (skipped.first(), skipped.last()) {
        let range =
            if first.hop == last.hop { first.hop.to_string() } else { format!("{} … {}", first.hop, last.hop) };
        let missing = first.verdict == Verdict::Missing;
        let text = if missing { "missing" } else { "n/a" };
        let cells = [range, text.to_owned(), "–".into(), String::new(), String::new(), "not reached".into()];
        rows.push(cells.into_iter().map(|text| Cell::toned(text, Tone::Faint)).collect());
    }
    rows
}

fn hop_row(hop: &Hop, before: Option<Time>) -> Vec<Cell> {
    let clock = |at: Time| if hop.is_rough() { whole_seconds(at.clock()) } else { at.clock() };
    let at = hop.at.map_or_else(|| "–".to_owned(), clock);
    // Hops need not happen one after another: an agent reports before it has applied everything.
    let after = hop.at.zip(before).map(|(at, before)| at.since(before)).filter(|after| *after >= 0 && !hop.is_rough());
    let after = after.map(duration).unwrap_or_default();
    let evidence = match (&hop.why, hop.evidence.is_empty()) {
        (Some(why), true) => why.clone(),
        (Some(why), false) => format!("{}; {why}", hop.evidence.join(", ")),
        (None, _) => hop.evidence.join(", "),
    };
    vec![
        format!("{} {}", hop.hop, hop.name.label()).into(),
        Cell::toned(hop.verdict.name(), tone(hop.verdict)),
        at.into(),
        after.into(),
        hop.place.clone().unwrap_or_default().into(),
        shortened(&evidence, QUOTED_CHARACTERS).into(),
    ]
}

const fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Passed => Tone::Good,
        Verdict::Failed | Verdict::Missing => Tone::Bad,
        Verdict::Unknown => Tone::Unsure,
        Verdict::NotApplicable => Tone::Faint,
    }
}

pub fn duration(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    match micros.unsigned_abs() {
        micros @ 0..1000 => format!("{sign}{micros} µs"),
        micros @ 1000..10_000_000 => format!("{sign}{} ms", micros / 1000),
        micros @ 10_000_000..600_000_000 => format!("{sign}{} s", micros / 1_000_000),
        micros => format!("{sign}{} min", micros / 60_000_000),
    }
}

fn why(request: &Request) -> Vec<Line> {
    let Some(cause) = &request.cause else {
        let open = matches!(request.outcome, Outcome::Stopped | Outcome::Refused);
        return if open { vec!["the material does not tell".into()] } else { Vec::new() };
    };
    let unquoted: Vec<&str> = cause
        .evidence
        .iter()
        .filter(|reference| !cause.quotes.iter().any(|quote| quote.evidence == **reference))
        .map(String::as_str)
        .collect();
    let mut lines = vec![Line::from(cause.text.as_str())];
    lines.extend(cause.quotes.iter().map(quote));
    if !unquoted.is_empty() {
        lines.push(unquoted.join(", ").into());
    }
    lines
}

fn note(note: &Note) -> String {
    let evidence = if note.evidence.is_empty() { String::new() } else { format!("  ({})", note.evidence.join(", ")) };
    format!("{}{evidence}", shortened(&note.text, QUOTED_CHARACTERS))
}

fn quote(quote: &Quote) -> Line {
    let place = quote.place.as_deref().unwrap_or_default();
    Line::quoting(format!("{}  {place}", quote.evidence), shortened(&quote.text, QUOTED_CHARACTERS))
}

pub fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What to check by hand, and where to read on.
fn next(work: &Work, request: &Request, bundle: &str) -> Vec<Line> {
    let first = request.cause.as_ref().and_then(|cause| cause.evidence.first());
    let first = first.or_else(|| request.hops.iter().rev().find_map(|hop| hop.evidence.first()));
    let commands = first.filter(|_| request.outcome != Outcome::Completed).map(|reference| {
        [format!("dacapo show {bundle} {reference}"), format!("dacapo trace {bundle} {} --timeline", work.resource_id)]
    });
    let commands = commands.into_iter().flatten().map(|command| Line::quoting("", command));
    request.checks.iter().map(|check| Line::from(*check)).chain(commands).collect()
}

fn also(work: &Work) -> Vec<String> {
    let lives = work.requests.iter().map(|request| request.life).chain(work.others.iter().map(|other| other.life));
    let several = lives.max() > Some(1);
    let others: Vec<String> = work
        .others
        .iter()
        .map(|other| {
            let life = if several { format!(" --life {}", other.life) } else { String::new() };
            format!("--request {} --version {}{life}", other.request.name(), other.version)
        })
        .collect();
    if others.is_empty() { others } else { vec![format!("other requests of this work: {}", others.join(" · "))] }
}
