//! Every row and line about a work, from all sources, in one order. SQL finds and words them; here they are ordered,
//! limited to what was asked for, and measured.

use super::super::error::Result;
use super::load::Loader;
use super::ownership::facts_of;
use super::requests::Asked;
use super::scene::{Scene, row_number};
use crate::model::{Happening, Request, Source, Timeline};
use crate::query::timeline::{Happened, TIMELINE_LINES, TIMELINE_OBJECTS, TIMELINE_ROWS};
use crate::query::trace::Fact;
use crate::schema::{Moment, Time};
use std::collections::BTreeSet;

/// The rank of the last step before a request is stored.
const ASKING: i64 = 15;

/// What of a timeline is wanted.
#[derive(Clone, Debug, Default)]
pub struct TimelineAsk {
    /// These sources; none means all.
    pub only: Vec<Source>,
    pub since: Option<Moment>,
    pub until: Option<Moment>,
    /// Log lines word for word.
    pub raw: bool,
}

pub fn timeline(
    loader: &mut Loader<'_>,
    scene: &Scene,
    requests: &[Request],
    mut span: Option<Span>,
    ask: &TimelineAsk,
) -> Result<Timeline> {
    let id = scene.identity.resource_id.as_str();
    let cut = loader.bring_nameless(id)?;
    loader.bring_texts()?;
    let mut found: Vec<Happened> = TIMELINE_LINES.run(&loader.store, &[id, &cause_rows(requests)])?;
    found.extend(TIMELINE_ROWS.run::<Happened>(&loader.store, &[id])?);
    found.extend(TIMELINE_OBJECTS.run::<Happened>(&loader.store, &[id])?);
    found.retain(|happened| ask.only.is_empty() || ask.only.contains(&source(happened)));
    found.sort_by(|one, other| place_in_order(one).cmp(&place_in_order(other)));
    let timeless = found.iter().filter(|happened| happened.order_at.is_none()).count();
    if let Some(span) = &mut span {
        span.begin_with_look_ups(&found);
    }
    let resolve = |moment: Option<Moment>| moment.map(|moment| moment.resolve(scene.now));
    let limits = Limits { since: resolve(ask.since), until: resolve(ask.until), span: span.as_ref() };
    found.retain(|happened| limits.hold(happened));
    let mut notes = notes(&found, timeless);
    notes.extend(cut.iter().map(|key| format!("{key} stands in so many lines that those in the middle are left out")));
    Ok(Timeline { happenings: measured(found, ask.raw), notes })
}

/// The lines that the cause of some request rests on; they may name no work.
fn cause_rows(requests: &[Request]) -> String {
    let causes = requests.iter().filter_map(|request| request.cause.as_ref());
    let rows: Vec<&str> =
        causes.flat_map(|cause| &cause.evidence).filter_map(|evidence| evidence.strip_prefix("log_lines:")).collect();
    rows.join(" ")
}

/// By time, those without any last; then along the way of a request; then by table and row.
fn place_in_order(happened: &Happened) -> (bool, Option<Time>, i64, &str, Option<i64>) {
    let table = happened.evidence.split(':').next().unwrap_or_default();
    (happened.order_at.is_none(), happened.order_at, happened.rank, table, row_number(&happened.evidence))
}

/// From when to when the chosen requests were on their way, as far as the evidence tells.
#[derive(Debug, Default)]
pub struct Span {
    from: Option<Time>,
    /// The last that is known of them.
    last: Option<Time>,
    /// The request that came after them.
    next: Option<Time>,
    endless: bool,
    own_operations: BTreeSet<String>,
    other_operations: BTreeSet<String>,
}

impl Span {
    pub fn of(scene: &Scene, all: &[Asked], wanted: &[&Asked]) -> Self {
        let (own, others): (Vec<&Asked>, Vec<&Asked>) = all.iter().partition(|asked| wanted.contains(asked));
        let operations = |requests: &[&Asked]| requests.iter().filter_map(|asked| asked.op_id.clone()).collect();
        let (own, others): (BTreeSet<String>, BTreeSet<String>) = (operations(&own), operations(&others));
        let mut span = Self {
            own_operations: own.difference(&others).cloned().collect(),
            other_operations: others.difference(&own).cloned().collect(),
            ..Self::default()
        };
        for asked in wanted {
            let facts = facts_of(scene, all, asked);
            // A newer version may stand in for what this one left no trace of.
            let own = |fact: &&Fact| fact.version.is_none_or(|version| version <= asked.version);
            let times = || (1..=9).flat_map(|hop| facts.at_hop(hop)).filter(own).filter_map(|fact| fact.at);
            let next = all.iter().filter_map(|other| other.at).filter(|at| Some(*at) > asked.at).min();
            span.from = span.from.into_iter().chain(asked.at).chain(times().min()).min();
            span.last = span.last.max(times().max());
            span.endless |= next.is_none();
            span.next = span.next.max(next);
        }
        span
    }

    /// A client looks the work up before it asks, under the same operation.
    fn begin_with_look_ups(&mut self, found: &[Happened]) {
        let own = found.iter().filter(|happened| is_in(happened, &self.own_operations));
        self.from = self.from.into_iter().chain(own.filter_map(|happened| happened.order_at).min()).min();
    }

    fn holds(&self, at: Time, happened: &Happened) -> bool {
        // Statuses carry the operation of the spec before; only what asks belongs to its own.
        let asks_otherwise = happened.rank <= ASKING && is_in(happened, &self.other_operations);
        let begun = self.from.is_none_or(|from| at >= from);
        let ended = Some(at) > self.last && self.next.is_some_and(|next| at >= next);
        begun && !asks_otherwise && (self.endless || !ended)
    }
}

fn is_in(happened: &Happened, operations: &BTreeSet<String>) -> bool {
    happened.op_id.as_ref().is_some_and(|op_id| operations.contains(op_id))
}

struct Limits<'a> {
    since: Option<Time>,
    until: Option<Time>,
    span: Option<&'a Span>,
}

impl Limits<'_> {
    /// What has no time is within no limits.
    fn hold(&self, happened: &Happened) -> bool {
        let unlimited = self.since.is_none() && self.until.is_none() && self.span.is_none();
        happened.order_at.map_or(unlimited, |at| {
            self.since.is_none_or(|since| at >= since)
                && self.until.is_none_or(|until| at <= until)
                && self.span.is_none_or(|span| span.holds(at, happened))
        })
    }
}

fn source(happened: &Happened) -> Source {
    Source::parse(&happened.source).unwrap_or(Source::Other)
}

fn measured(found: Vec<Happened>, raw: bool) -> Vec<Happening> {
    let mut before = None;
    let mut happenings = Vec::new();
    for happened in found {
        let source = source(&happened);
        let mut happening = Happening {
            at: happened.at,
            delta_us: None,
            source,
            cluster: happened.cluster,
            place: happened.place,
            what: happened.what,
            matched_by: happened.matched_by,
            evidence: happened.evidence,
            text: happened.text.filter(|_| raw),
        };
        if !happening.is_rough() {
            happening.delta_us = happening.at.zip(before).map(|(at, before): (Time, Time)| at.since(before));
            before = happening.at.or(before);
        }
        happenings.push(happening);
    }
    happenings
}

/// What a reader of the order and the matches must know, where it matters.
fn notes(found: &[Happened], timeless: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let last = found.iter().filter(|happened| happened.order_at.is_none()).count();
    let rows = |count: usize| if count == 1 { "1 row has".to_owned() } else { format!("{count} rows have") };
    match (timeless, last) {
        (0, _) => {}
        (_, 0) => notes.push(format!("{} no time and cannot be placed; left out here", rows(timeless))),
        (_, last) => notes.push(format!("{} no time; they stand last", rows(last))),
    }
    if found.iter().any(|happened| happened.matched_by == "object") {
        notes.push(
            "by object: it names no work, only an object that this work has; another work may have it too".to_owned(),
        );
    }
    if found.iter().any(|happened| happened.source == Source::Cluster.name()) {
        notes.push("a cluster gives whole seconds, rounded down; within its second the place is a guess".to_owned());
    }
    notes
}
