//! Every work of a bundle: what answers about many works are made of.

mod choice;
mod judge;
pub(super) mod judged;
mod matrix;
mod rows;

pub use choice::{Order, WorksAsk};
pub use matrix::{MatrixAsk, matrix};

use super::error::Result;
use super::trace::{Depth, Newest};
use crate::bundle::Reader;
use crate::model::{ListedWork, Outcome, OutcomeCount, Request, Verdict, WORKS_FORMAT, Works};
use choice::{Choice, Names};
use judge::judge;

/// Lists the works, and says now and then how many of them are judged and how many there are.
pub fn works(reader: &Reader, ask: &WorksAsk, judged: impl FnMut(usize, usize)) -> Result<Works> {
    let choice = Choice::of(reader, ask)?;
    let (mut total, mut mentioned) = (0, 0);
    let mut works: Vec<ListedWork> = Vec::new();
    let mut names = Names::default();
    let each = |newest: Newest| match &newest.request {
        None => mentioned += 1,
        Some(request) => {
            total += 1;
            names.add(&newest.identity);
            works.extend(Some(listed(&newest, request)).filter(|work| choice.holds(work)));
        }
    };
    judge(reader, Depth::Newest, |id| choice.may_hold(id), each, judged)?;
    ask.order.sort(&mut works);
    let (matched, outcomes) = (works.len(), counted(&works));
    works.truncate(ask.limit.unwrap_or(usize::MAX));
    let not_there = choice.not_there(&names);
    let bundle = reader.path().display().to_string();
    let collected_at = reader.manifest().collected_at;
    Ok(Works { format: WORKS_FORMAT, bundle, collected_at, total, matched, outcomes, mentioned, works, not_there })
}

/// A work as one of its requests has it.
fn listed(work: &Newest, request: &Request) -> ListedWork {
    let identity = &work.identity;
    let passed = || request.hops.iter().take_while(|hop| hop.verdict == Verdict::Passed);
    ListedWork {
        work_name: identity.work_name.clone(),
        resource_id: identity.resource_id.clone(),
        consumer: identity.consumer.clone(),
        source: identity.source.clone(),
        request: request.request,
        life: request.life,
        version_wanted: request.version,
        version_observed: work.observed,
        outcome: request.outcome,
        hop_reached: passed().last().map_or(0, |hop| hop.hop),
        stops_at: request.stops_at,
        sentence: request.sentence,
        since: passed().filter_map(|hop| hop.at).max().or(request.at),
        why: request.why.clone(),
        deleted_at: identity.row.as_ref().and_then(|row| row.deleted_at),
    }
}

fn counted(works: &[ListedWork]) -> Vec<OutcomeCount> {
    let count = |outcome| works.iter().filter(|work| work.outcome == outcome).count();
    let counts = Outcome::ALL.map(|outcome| OutcomeCount { outcome, works: count(outcome) });
    counts.into_iter().filter(|count| count.works > 0).collect()
}
