//! What happened to a work: requests, hops, verdicts, cause.
//!
//! SQL returns what the evidence says about each hop ([`Fact`]s); this module decides what it means. The rules
//! have one place each: [`requests`] tells the requests apart, [`ownership`] which fact belongs to which,
//! [`coverage`] whether silence means anything, [`verdict`] judges a hop, [`patience`] how long a wait may be,
//! [`outcome`] the whole, [`cause`] why. [`manifests`] looks at each manifest from all sides, [`difference`] at what is
//! otherwise than asked. [`timeline`] and [`detail`] tell more on demand; no verdict rests on them.
//!
//! [`Fact`]: crate::query::trace::Fact
//! [`requests`]: self::requests

mod busy;
mod cause;
mod coverage;
mod deletion;
mod detail;
mod difference;
mod load;
mod manifests;
mod newest;
mod notes;
mod outcome;
mod ownership;
mod patience;
mod processes;
mod requests;
mod rows;
mod scene;
mod skew;
mod timeline;
mod told;
mod verdict;

pub(super) use coverage::pod_of;
pub(super) use load::Loader;
pub(super) use newest::{Depth, Newest, newest};
pub(super) use rows::{ENOUGH_OF_A_KEY, OF_AN_OPERATION};
pub use timeline::TimelineAsk;

use super::error::{Error, Result};
use super::resolve::{self, Resolved, introduce};
use crate::bundle::Reader;
use crate::model::{
    DatabaseRow, Hop, HopName, Note, OtherRequest, Quote, Request, RequestKind, TRACE_FORMAT, Trace, Work,
};
use crate::query::trace::WorkRow;
use busy::Busy;
use cause::Inquiry;
use ownership::Facts;
use processes::Processes;
use requests::Asked;
use rows::RowReader;
pub use scene::Identity;
use scene::Scene;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::channel;
use timeline::Span;

/// What to trace, and which of its requests.
#[derive(Debug, Default)]
pub struct Ask {
    pub query: String,
    pub request: Option<RequestKind>,
    pub version: Option<i64>,
    pub life: Option<i64>,
    /// Of those that fit, only the newest of each work.
    pub newest_only: bool,
    /// The steps of each hop.
    pub detail: bool,
    /// Every row and line about the work.
    pub timeline: Option<TimelineAsk>,
}

impl Ask {
    /// One request or some of them were asked for, not the work as a whole.
    fn chooses(&self) -> bool {
        self.request.is_some() || self.version.is_some() || self.life.is_some()
    }

    fn wants(&self, asked: &Asked) -> bool {
        self.request.is_none_or(|kind| kind == asked.kind)
            && self.version.is_none_or(|version| version == asked.version)
            && self.life.is_none_or(|life| life == asked.life)
    }
}

/// So many works are traced for one argument: those of a cluster. More is an answer to another question.
const MOST_TRACED: usize = 50;

/// So many works are introduced where none is traced.
const MOST_INTRODUCED: usize = 1000;

pub fn trace(reader: &Reader, ask: &Ask) -> Result<Trace> {
    let (resolved, loader) = look_up(reader, ask)?;
    let candidates = match loader {
        Some(_) => Vec::new(),
        None => introduce(reader, &resolved.works().into_iter().collect(), MOST_INTRODUCED)?,
    };
    let notes = resolved.taken(&ask.query).into_iter().chain(resolved.notes(&ask.query));
    Ok(Trace {
        format: TRACE_FORMAT,
        bundle: reader.path().display().to_string(),
        query: ask.query.clone(),
        taken_for: resolved.taken_for().to_owned(),
        meanings: resolved.told(),
        collected_at: reader.manifest().collected_at,
        notes: notes.map(|text| Note { text, evidence: Vec::new() }).collect(),
        works: loader.map_or_else(|| Ok(Vec::new()), |loader| works(reader, loader, &resolved.works(), ask))?,
        is_part: resolved.is_part,
        candidates,
    })
}

/// Finds out what is asked about and reads it, while the database starts and plans. Without a clear answer nothing is loaded.
fn look_up<'a>(reader: &'a Reader, ask: &Ask) -> Result<(Resolved, Option<Loader<'a>>)> {
    std::thread::scope(|scope| {
        let (pieces, arriving) = channel();
        let loading = scope.spawn(move || Loader::taking(reader, &arriving));
        let read = || -> Result<(Resolved, Option<RowReader<'a>>)> {
            let resolved = resolve::resolve(reader, &ask.query)?;
            let ids = resolved.works();
            if resolved.is_part || ids.len() > MOST_TRACED {
                return Ok((resolved, None));
            }
            let mut rows = RowReader::new(reader);
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            // Where nobody takes a piece, loading has failed and tells why.
            let mut send = |piece| drop(pieces.send(piece));
            rows.whole(&mut send)?;
            rows.works(&ids, &mut send)?;
            Ok((resolved, Some(rows)))
        };
        let read = read();
        drop(pieces);
        let loader = loading.join().unwrap_or_else(|panic| resume_unwind(panic));
        let (resolved, rows) = read?;
        let Some(rows) = rows else { return Ok((resolved, None)) };
        let mut loader = loader?;
        loader.tell_of(rows, &resolved.works())?;
        Ok((resolved, Some(loader)))
    })
}

/// The works of these ids, in the order of their names.
fn works(reader: &Reader, mut loader: Loader<'_>, ids: &[String], ask: &Ask) -> Result<Vec<Work>> {
    let mut works = Vec::new();
    let mut none_fits = None;
    for id in ids {
        match work(reader, &mut loader, id, ask) {
            Ok(work) => works.push(work),
            Err(error @ Error::NoSuchRequest { .. }) => none_fits = Some(error),
            Err(error) => return Err(error),
        }
    }
    if let (true, Some(error)) = (works.is_empty(), none_fits) {
        return Err(error);
    }
    works.sort_by_cached_key(|work| (work.work_name.clone(), work.consumer.clone(), work.resource_id.clone()));
    // The process ends with this answer, and with it the database, faster than that could be taken down piece by piece.
    std::mem::forget(loader);
    Ok(works)
}

fn work(reader: &Reader, loader: &mut Loader<'_>, resource_id: &str, ask: &Ask) -> Result<Work> {
    let mut scene = Scene::look(loader, resource_id)?;
    let all = requests::tell_apart(&scene);
    let (mut wanted, mut others): (Vec<_>, Vec<_>) = all.iter().partition(|asked| ask.wants(asked));
    if ask.newest_only && wanted.len() > 1 {
        others.extend(wanted.split_off(1));
    }
    if wanted.is_empty() && !others.is_empty() {
        let work = scene.identity.name_or_id().to_owned();
        return Err(Error::NoSuchRequest { work, there_are: others.iter().map(|asked| asked.describe()).collect() });
    }
    let mut requests = Vec::new();
    let mut processes: Option<Processes> = None;
    for asked in &wanted {
        let case = Case::open(&scene, &all, asked);
        let patience = patience::patience(reader, loader, &case)?;
        let mut request = case.close(patience);
        request.notes = notes::of_request(&scene, &case.facts, &request.hops);
        if let Some(stop) = request.stops_at.and_then(HopName::from_number) {
            let processes = match &mut processes {
                Some(known) => known,
                none => none.insert(Processes::listen(loader, &scene.clocks)?),
            };
            let busy = if cause::asks_servers(stop) { busy::busy(reader, loader)? } else { Arc::default() };
            cause::explain(&case.inquiry(processes, &busy, stop), &mut request);
        }
        if let Some(cause) = &mut request.cause {
            cause.quotes = quotes(loader, &cause.evidence)?;
        }
        requests.push(request);
    }
    if ask.detail {
        detail::detail(loader, &mut scene, &all, &wanted, &mut requests)?;
    }
    let span = || ask.chooses().then(|| Span::of(&scene, &all, &wanted));
    let told = |limits| timeline::timeline(loader, &scene, &requests, span(), limits);
    let timeline = ask.timeline.as_ref().map(told).transpose()?;
    let manifests = manifests::look(loader, &scene)?;
    let notes = notes::of_work(&scene, &all, &manifests.applied);
    let deletion = deletion::of_work(&scene, &all);
    let Identity { work_name, consumer, source, row, .. } = scene.identity;
    Ok(Work {
        work_name,
        resource_id: resource_id.to_owned(),
        consumer,
        source,
        applied_works: manifests.applied.into_iter().map(|work| work.name).collect(),
        deleted_at: row.as_ref().and_then(|row| row.deleted_at),
        deletion,
        database: row.map(database_row),
        manifests_from: manifests.from,
        manifests: manifests.all,
        notes,
        requests,
        others: others.iter().map(|asked| asked.other()).collect(),
        timeline,
    })
}

fn database_row(row: WorkRow) -> DatabaseRow {
    DatabaseRow {
        version: row.version,
        status_version: row.status_version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        deleted_at: row.deleted_at,
        evidence: row.evidence,
    }
}

/// A request with its facts and the verdicts on its hops, which are reached once.
struct Case<'a> {
    scene: &'a Scene,
    asked: &'a Asked,
    facts: Facts<'a>,
    hops: Vec<Hop>,
    newer: bool,
}

impl<'a> Case<'a> {
    fn open(scene: &'a Scene, all: &[Asked], asked: &'a Asked) -> Self {
        let facts = ownership::facts_of(scene, all, asked);
        let hops = verdict::judge(scene, asked, &facts);
        let newer = all.iter().any(|other| other.supersedes(asked));
        Self { scene, asked, facts, hops, newer }
    }

    /// The answer, if a wait for the next hop may be so many microseconds long.
    fn close(&self, patience: i64) -> Request {
        let Self { scene, asked, facts, hops, newer } = self;
        let end = outcome::decide(scene, asked, facts, hops.clone(), *newer, patience);
        Request {
            request: asked.kind,
            version: asked.version,
            life: asked.life,
            op_id: asked.op_id.clone(),
            at: asked.at,
            outcome: end.outcome,
            stops_at: end.stops_at.map(HopName::number),
            sentence: end.stops_at.map(HopName::sentence),
            why: end.why,
            cause: None,
            checks: Vec::new(),
            notes: Vec::new(),
            hops: end.hops,
        }
    }

    fn inquiry(&'a self, processes: &'a Processes, busy: &'a [Busy], stop: HopName) -> Inquiry<'a> {
        let Self { scene, asked, facts, hops, .. } = self;
        Inquiry { scene, processes, busy, asked, facts, hops, stop }
    }
}

/// The log lines among these references, word for word.
fn quotes(loader: &mut Loader<'_>, evidence: &[String]) -> Result<Vec<Quote>> {
    let mut quotes = Vec::new();
    for reference in evidence {
        let Some(row_no) = reference.strip_prefix("log_lines:").and_then(|row| row.parse().ok()) else { continue };
        let lines = loader.quote(row_no)?;
        quotes.extend(lines.into_iter().map(|line| Quote {
            evidence: reference.clone(),
            at: line.at,
            place: line.place,
            text: line.text,
        }));
    }
    Ok(quotes)
}

impl Asked {
    fn other(&self) -> OtherRequest {
        OtherRequest { request: self.kind, version: self.version, life: self.life, at: self.at }
    }
}
