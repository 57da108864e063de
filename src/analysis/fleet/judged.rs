//! Every work, judged, as rows that statements can be written against.

use super::super::error::Result;
use super::super::trace::{Depth, Newest};
use super::judge;
use crate::bundle::Reader;
use crate::model::{Hop, HopName, Outcome, Request, Verdict};
use crate::query::judged::{self, CLOCKS, HOPS, REQUESTS};
use crate::schema::Time;
use crate::store::{Datum, Store};
use std::collections::BTreeMap;

/// Rows that are handed over together.
const BATCH: usize = 10_000;

/// Names and consumers of works, by id.
pub type Works = BTreeMap<String, (Option<String>, Option<String>)>;

/// Which requests are judged, and how far.
pub struct Wanted<'a> {
    pub depth: Depth,
    /// As far as the id alone tells.
    pub works: &'a dyn Fn(&str) -> bool,
    pub requests: &'a dyn Fn(&Newest, &Request) -> bool,
}

impl Wanted<'_> {
    /// All of them, with causes.
    pub const EVERYTHING: Self = Self { depth: Depth::Everything, works: &|_| true, requests: &|_, _| true };
}

/// Makes the tables of requests, hops and clocks, and fills them.
pub fn fill(reader: &Reader, store: &Store, wanted: &Wanted<'_>, progress: impl FnMut(usize, usize)) -> Result<Works> {
    judged::make(store)?;
    let mut works = Works::new();
    let mut batches = Batches { store, rows: BTreeMap::new(), failed: None };
    let take = |judged: Newest| {
        if judged.request.is_none() {
            return;
        }
        let identity = &judged.identity;
        works.insert(identity.resource_id.clone(), (identity.work_name.clone(), identity.consumer.clone()));
        let requests = (1..).zip(judged.request.iter().chain(&judged.older));
        for (number, request) in requests.filter(|(_, request)| (wanted.requests)(&judged, request)) {
            batches.add(REQUESTS, requested(&judged, request, number));
            for (hop, after) in request.hops.iter().zip(paces(&request.hops)) {
                batches.add(HOPS, passed(&judged, request, number, hop, after));
            }
        }
        for clock in &judged.clocks {
            let work = Datum::Text(identity.resource_id.clone());
            batches.add(CLOCKS, vec![Datum::Text(clock.pod.clone()), Datum::Int(clock.ahead), work]);
        }
    };
    judge(reader, wanted.depth, wanted.works, take, progress)?;
    batches.finish()?;
    Ok(works)
}

struct Batches<'a> {
    store: &'a Store,
    rows: BTreeMap<&'static str, Vec<Vec<Datum>>>,
    failed: Option<crate::store::Error>,
}

impl Batches<'_> {
    fn add(&mut self, table: &'static str, row: Vec<Datum>) {
        let rows = self.rows.entry(table).or_default();
        rows.push(row);
        if rows.len() >= BATCH {
            let rows = std::mem::take(rows);
            self.failed = self.failed.take().or(self.store.add_rows(table, rows).err());
        }
    }

    fn finish(self) -> Result<()> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        self.rows.into_iter().try_for_each(|(table, rows)| Ok(self.store.add_rows(table, rows)?))
    }
}

fn requested(judged: &Newest, request: &Request, number: i64) -> Vec<Datum> {
    let identity = &judged.identity;
    let reached = || request.hops.iter().take_while(|hop| hop.verdict == Verdict::Passed);
    let unsure =
        request.hops.iter().find(|hop| hop.verdict == Verdict::Unknown).filter(|_| request.outcome == Outcome::Unknown);
    let stop = request.stops_at.and_then(|stop| request.hops.iter().find(|hop| hop.hop == stop));
    let shown = stop.filter(|hop| !hop.evidence.is_empty()).or(reached().last());
    let why = request.why.clone().or_else(|| stop.and_then(|hop| hop.why.clone()));
    vec![
        Datum::Text(identity.resource_id.clone()),
        text(identity.work_name.as_ref()),
        text(identity.consumer.as_ref()),
        text(identity.source.as_ref()),
        Datum::Text(request.request.name().to_owned()),
        Datum::Int(request.version),
        Datum::Int(request.life),
        Datum::Int(number),
        text(request.op_id.as_ref()),
        time(request.at),
        Datum::Bool(number == 1),
        Datum::Text(request.outcome.word().to_owned()),
        Datum::Int(reached().last().map_or(0, |hop| hop.hop.into())),
        time(reached().filter_map(|hop| hop.at).max()),
        number_of(request.stops_at.map(i64::from)),
        number_of(unsure.map(|hop| hop.hop.into())),
        request.sentence.map_or(Datum::Null, |sentence| Datum::Text(sentence.to_owned())),
        text(why.as_ref()),
        text(request.cause.as_ref().map(|cause| &cause.text)),
        request.cause.as_ref().map_or(Datum::Null, |cause| Datum::Text(cause.evidence.join(" "))),
        number_of(judged.observed),
        time(identity.row.as_ref().and_then(|row| row.deleted_at)),
        shown.map_or(Datum::Null, |hop| Datum::Text(hop.evidence.join(" "))),
    ]
}

/// Microseconds from the hop before to each hop. There are none where a time is that of an object, which is rounded, or
/// where the later hop has the earlier time, because clocks differ. An agent reports before it has applied everything; its
/// report is then counted from the delivery.
fn paces(hops: &[Hop]) -> Vec<Option<i64>> {
    let mut paces = Vec::new();
    for (place, hop) in hops.iter().enumerate() {
        let early =
            |before: &&Hop| hop.name == HopName::Reported && before.name == HopName::Applied && before.at > hop.at;
        let mut timed = hops.iter().take(place).rev().filter(|before| before.at.is_some() && !early(before));
        let before = timed.next().filter(|before| !before.is_rough() && !hop.is_rough());
        let pace = before.and_then(|before| Some(hop.at?.since(before.at?)));
        paces.push(pace.filter(|micros| *micros >= 0));
    }
    paces
}

fn passed(judged: &Newest, request: &Request, number: i64, hop: &Hop, after: Option<i64>) -> Vec<Datum> {
    vec![
        Datum::Text(judged.identity.resource_id.clone()),
        Datum::Text(request.request.name().to_owned()),
        Datum::Int(request.version),
        Datum::Int(request.life),
        Datum::Int(number),
        Datum::Bool(number == 1),
        Datum::Int(hop.hop.into()),
        Datum::Text(hop.name.label().to_owned()),
        Datum::Text(hop.verdict.name().to_owned()),
        time(hop.at),
        number_of(after),
        text(hop.place.as_ref()),
        text(hop.why.as_ref()),
        Datum::Text(hop.evidence.join(" ")),
    ]
}

fn text(text: Option<&String>) -> Datum {
    text.map_or(Datum::Null, |text| Datum::Text(text.clone()))
}

fn number_of(number: Option<i64>) -> Datum {
    number.map_or(Datum::Null, Datum::Int)
}

fn time(at: Option<Time>) -> Datum {
    at.map_or(Datum::Null, Datum::Time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(name: HopName, at: Option<i64>, evidence: &str) -> Hop {
        Hop {
            hop: name.number(),
            name,
            verdict: Verdict::Passed,
            at: at.map(Time::from_micros),
            place: None,
            evidence: vec![evidence.to_owned()],
            why: None,
            steps: None,
        }
    }

    #[test]
    fn a_pace_is_measured_between_exact_times_in_their_order() {
        let line = |name, at| hop(name, at, "log_lines:1");
        let hops = [
            line(HopName::Received, Some(1_000_100)),
            line(HopName::Published, Some(1_000_400)),
            line(HopName::Delivered, None),
            // The agent's clock is behind.
            line(HopName::Applied, Some(1_000_300)),
            line(HopName::Reported, Some(1_000_900)),
            hop(HopName::StatusReceived, Some(2_000_000), "kube_objects:7"),
            line(HopName::StatusHandled, Some(2_000_500)),
            line(HopName::Broadcast, Some(2_000_500)),
            line(HopName::Sent, Some(2_000_501)),
        ];
        assert_eq!(paces(&hops), [None, Some(300), None, None, Some(600), None, None, Some(0), Some(1)]);
    }

    #[test]
    fn a_report_before_the_apply_is_whole_is_counted_from_the_delivery() {
        let line = |name, at| hop(name, Some(at), "log_lines:1");
        let hops = [
            line(HopName::Delivered, 100),
            line(HopName::Applied, 900),
            line(HopName::Reported, 300),
            line(HopName::StatusReceived, 400),
        ];
        assert_eq!(paces(&hops), [None, Some(800), Some(200), Some(100)]);
    }
}
