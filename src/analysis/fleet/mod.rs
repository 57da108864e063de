//! Every work of a bundle, judged by the rules of a trace.
//!
//! Works are loaded a chunk at a time, each chunk into a store of its own, so that memory depends on the size of a chunk
//! and not on that of the bundle.

mod choice;
mod ids;

pub use choice::{Order, WorksAsk};

use super::error::Result;
use super::trace::{Loader, Newest, newest};
use crate::bundle::Reader;
use crate::model::{ListedWork, Outcome, OutcomeCount, Verdict, WORKS_FORMAT, Works};
use crate::store::Store;
use choice::Choice;
use ids::Named;

/// Rows and lines that are loaded together. A chunk costs a look at most pages of the index, a row some kilobytes.
const CHUNK_ROWS: usize = 100_000;

/// Works that are asked about together, however little there is about each.
const CHUNK_WORKS: usize = 2000;

/// Lists the works, and says now and then how many of them are judged and how many there are.
pub fn works(reader: &Reader, ask: &WorksAsk, mut judged: impl FnMut(usize, usize)) -> Result<Works> {
    let choice = Choice::of(reader, ask)?;
    let all = ids::all(reader)?;
    let (mut total, mut mentioned, mut done) = (0, 0, 0);
    let mut works: Vec<ListedWork> = Vec::new();
    let mut before: Option<Loader<'_>> = None;
    for chunk in chunks(&all) {
        let chosen: Vec<String> = chunk.iter().map(|work| &work.id).filter(|id| choice.may_hold(id)).cloned().collect();
        let mut loader = match before.take() {
            Some(loader) => loader.anew(Store::open()?)?,
            None => Loader::new(reader, Store::open()?)?,
        };
        loader.bring_works(&chosen)?;
        for id in &chosen {
            match listed(newest(reader, &mut loader, id)?) {
                None => mentioned += 1,
                Some(work) => {
                    total += 1;
                    works.extend(Some(work).filter(|work| choice.holds(work)));
                }
            }
        }
        done += chunk.len();
        judged(done, all.len());
        before = Some(loader);
    }
    ask.order.sort(&mut works);
    let (matched, outcomes) = (works.len(), counted(&works));
    works.truncate(ask.limit.unwrap_or(usize::MAX));
    let bundle = reader.path().display().to_string();
    let collected_at = reader.manifest().collected_at;
    Ok(Works { format: WORKS_FORMAT, bundle, collected_at, total, matched, outcomes, mentioned, works })
}

/// Pieces of the list that are not too large to be looked at together.
fn chunks(all: &[Named]) -> Vec<&[Named]> {
    let mut chunks = Vec::new();
    let mut rest = all;
    while !rest.is_empty() {
        let mut rows = 0;
        let fitting = rest.iter().take(CHUNK_WORKS).take_while(|work| {
            rows += work.rows;
            rows <= CHUNK_ROWS
        });
        let (chunk, after) = rest.split_at(fitting.count().max(1));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

fn listed(newest: Newest) -> Option<ListedWork> {
    let Newest { identity, request, observed } = newest;
    let request = request?;
    let passed = || request.hops.iter().take_while(|hop| hop.verdict == Verdict::Passed);
    Some(ListedWork {
        work_name: identity.work_name,
        resource_id: identity.resource_id,
        consumer: identity.consumer,
        source: identity.source,
        request: request.request,
        life: request.life,
        version_wanted: request.version,
        version_observed: observed,
        outcome: request.outcome,
        hop_reached: passed().last().map_or(0, |hop| hop.hop),
        stops_at: request.stops_at,
        sentence: request.sentence,
        since: passed().filter_map(|hop| hop.at).max().or(request.at),
        why: request.why,
        deleted_at: identity.row.and_then(|row| row.deleted_at),
    })
}

fn counted(works: &[ListedWork]) -> Vec<OutcomeCount> {
    let count = |outcome| works.iter().filter(|work| work.outcome == outcome).count();
    let counts = Outcome::ALL.map(|outcome| OutcomeCount { outcome, works: count(outcome) });
    counts.into_iter().filter(|count| count.works > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(rows: &[usize]) -> Vec<usize> {
        let all: Vec<Named> = rows.iter().map(|rows| Named { id: String::new(), rows: *rows }).collect();
        chunks(&all).into_iter().map(<[Named]>::len).collect()
    }

    #[test]
    fn a_chunk_has_few_rows_or_one_work() {
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&[CHUNK_ROWS * 3, 1, 1]), [1, 2]);
        assert_eq!(lengths(&[CHUNK_ROWS / 2; 5]), [2, 2, 1]);
        assert_eq!(lengths(&vec![1; CHUNK_WORKS + 1]), [CHUNK_WORKS, 1]);
    }
}
