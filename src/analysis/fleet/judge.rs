//! Every work of a bundle, judged by the rules of a trace.
//!
//! Works are loaded a share at a time, each share into a store of its own, so that memory depends on the size of a share
//! and not on that of the bundle; every core takes shares of its own.

use super::super::error::Result;
use super::super::trace::{Depth, Loader, Newest, newest};
use super::rows::Rows;
use crate::bundle::Reader;
use crate::store::Store;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{available_parallelism, scope};

/// More of them would take more memory than a bundle's answer may.
const MOST_THREADS: usize = 4;

/// What became of a share, and which it was.
type Judged = (usize, Result<Vec<Newest>>);

/// Hands over each work whose id is wanted with its newest request, in the order in which they began, and says now and
/// then how many works it has been through and how many there are.
pub fn judge(
    reader: &Reader,
    depth: Depth,
    wanted: impl Fn(&str) -> bool,
    mut each: impl FnMut(Newest),
    mut progress: impl FnMut(usize, usize),
) -> Result<()> {
    let rows = Rows::of(reader, wanted)?;
    let next = AtomicUsize::new(0);
    let threads = available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(rows.shares());
    scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        for _ in 0..threads {
            let sender = sender.clone();
            let (rows, next) = (&rows, &next);
            scope.spawn(move || judge_shares(reader, rows, depth, next, &sender));
        }
        drop(sender);
        // Answers come as they are ready, and are handed over in order.
        let mut early: BTreeMap<usize, Result<Vec<Newest>>> = BTreeMap::new();
        let (mut due, mut done) = (0, 0);
        for (number, judged) in receiver {
            early.insert(number, judged);
            while let Some(judged) = early.remove(&due) {
                let judged = judged?;
                due += 1;
                done += judged.len();
                judged.into_iter().for_each(&mut each);
                progress(done, rows.works());
            }
        }
        Ok(())
    })
}

/// Takes shares until there are none left, or nobody wants them.
fn judge_shares(reader: &Reader, rows: &Rows, depth: Depth, next: &AtomicUsize, sender: &SyncSender<Judged>) {
    let mut before = None;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= rows.shares() {
            return;
        }
        let judged = judge_share(reader, rows, number, depth, &mut before);
        let failed = judged.is_err();
        if sender.send((number, judged)).is_err() || failed {
            return;
        }
    }
}

fn judge_share<'a>(
    reader: &'a Reader,
    rows: &Rows,
    number: usize,
    depth: Depth,
    before: &mut Option<Loader<'a>>,
) -> Result<Vec<Newest>> {
    let mut loader = match before.take() {
        Some(loader) => loader.anew(Store::open()?)?,
        None => Loader::new(reader, Store::open()?)?,
    };
    let share = rows.share(number);
    loader.bring_share(&share.ids, share.rows, |keys| rows.objects(keys))?;
    let judged = share.ids.iter().map(|id| newest(reader, &mut loader, id, depth)).collect();
    *before = Some(loader);
    judged
}
