//! Where a fleet is stuck: judged requests, counted hop by hop.

use super::super::error::Result;
use super::super::trace::Depth;
use super::choice::{Choice, Names, WorksAsk};
use super::judged;
use crate::bundle::Reader;
use crate::model::{
    Figure, HopName, Latency, MATRIX_FORMAT, Matrix, MatrixCell, MatrixGroup, MatrixOutcomes, MatrixRequests,
    RequestKind, Side,
};
use crate::query::matrix::{self as statements, CELLS, CellRow, SIDES, SKIPPED, SideRow, SkippedRow};
use crate::store::{Limits, Store};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What to count.
#[derive(Debug, Default)]
pub struct MatrixAsk {
    pub by: Side,
    pub show: Figure,
    /// Creates, updates or deletes; all where there are none.
    pub requests: Vec<RequestKind>,
    /// Which requests, by what `works` asks of the newest of each work. Its limit is that of groups.
    pub of: WorksAsk,
}

/// A consumer, pod or source; the first is true for all together.
type Name = (bool, Option<String>);

/// Counts requests, and says now and then how many works are judged and how many there are.
pub fn matrix(reader: &Arc<Reader>, ask: &MatrixAsk, progress: impl FnMut(usize, usize)) -> Result<Matrix> {
    let mut store = Store::open_within(&Limits::FLEET)?;
    store.show_evidence(reader, &[])?;
    let choice = Choice::of(reader, &ask.of)?;
    let names = RefCell::new(Names::default());
    let wanted = judged::Wanted {
        depth: Depth::Requests,
        works: &|id| choice.may_hold(id),
        requests: &|work, request| {
            names.borrow_mut().add(&work.identity);
            (ask.requests.is_empty() || ask.requests.contains(&request.request))
                && choice.holds(&super::listed(work, request))
        },
    };
    judged::fill(reader, &store, &wanted, progress)?;
    statements::make(&store)?;
    let by = [ask.by.name()];
    let mut cells: BTreeMap<(Name, i64), CellRow> = BTreeMap::new();
    for cell in CELLS.run::<CellRow>(&store, &by)? {
        cells.insert(((cell.is_all, cell.side.clone()), cell.hop), cell);
    }
    let skipped = SKIPPED.run::<SkippedRow>(&store, &by)?.into_iter();
    let skipped: BTreeMap<(Name, i64), i64> =
        skipped.map(|row| (((row.is_all, row.side), row.hop), row.lines)).collect();
    let mut groups: Vec<MatrixGroup> =
        SIDES.run::<SideRow>(&store, &by)?.into_iter().map(|side| group(side, &mut cells, &skipped)).collect();
    // Without any request there are no groups, and none that stands for all.
    let all = if groups.is_empty() { MatrixGroup::default() } else { groups.remove(0) };
    let total = groups.len();
    groups.truncate(ask.of.limit.unwrap_or(usize::MAX));
    let not_there = choice.not_there(&names.borrow());
    let bundle = reader.path().display().to_string();
    let collected_at = reader.manifest().collected_at;
    Ok(Matrix {
        format: MATRIX_FORMAT,
        bundle,
        collected_at,
        by: ask.by,
        show: ask.show,
        all,
        total,
        groups,
        not_there,
    })
}

fn group(
    side: SideRow,
    cells: &mut BTreeMap<(Name, i64), CellRow>,
    skipped: &BTreeMap<(Name, i64), i64>,
) -> MatrixGroup {
    let name: Name = (side.is_all, side.side);
    let hops = HopName::ALL.into_iter().map(|hop| {
        let key = (name.clone(), i64::from(hop.number()));
        let skipped = skipped.get(&key).copied().unwrap_or_default();
        MatrixCell { skipped, ..cells.remove(&key).map_or_else(|| MatrixCell::empty(hop), |row| cell(hop, row)) }
    });
    MatrixGroup {
        works: side.works,
        requests: MatrixRequests { create: side.creates, update: side.updates, delete: side.deletes },
        stuck: side.stuck,
        untold: side.untold,
        outcomes: MatrixOutcomes {
            completed: side.completed,
            stopped: side.stopped,
            refused: side.refused,
            superseded: side.superseded,
            in_progress: side.in_progress,
            unknown: side.unknown,
        },
        latency_us: latency(side.measured, [side.p50, side.p95, side.longest]),
        hops: hops.collect(),
        name: name.1,
    }
}

fn cell(hop: HopName, row: CellRow) -> MatrixCell {
    MatrixCell {
        passed: row.passed,
        stopped: row.stopped,
        refused: row.refused,
        stuck: row.stuck,
        waiting: row.waiting,
        not_reached: row.not_reached,
        superseded: row.superseded,
        not_applicable: row.not_applicable,
        unknown: row.unknown,
        latency_us: latency(row.measured, [row.p50, row.p95, row.longest]),
        first: row.first_at,
        last: row.last_at,
        ..MatrixCell::empty(hop)
    }
}

fn latency(measured: i64, figures: [Option<i64>; 3]) -> Option<Latency> {
    let [Some(p50), Some(p95), Some(max)] = figures else { return None };
    Some(Latency { measured, p50, p95, max })
}
