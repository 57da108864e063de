//! How long a request may wait before it counts as stopped.

use super::super::error::Result;
use super::load::Loader;
use super::outcome::{self, ORDINARY_WAIT};
use super::scene::Scene;
use super::{Case, requests};
use crate::bundle::{Reader, Rows};
use crate::model::{HopName, Outcome, Request, Verdict};

/// A request that has waited this long is stopped, however slow its neighbours are: no hop takes ten minutes.
pub const LONGEST_WAIT: i64 = 600_000_000;

/// Rows on either side that are looked at.
const NEIGHBOURS: i64 = 4;

/// How long a wait may be: ten times what the same hop took for the slowest healthy neighbour, if that is more
/// than the ordinary. Neighbours cost time, so they are asked only where their answer could matter.
pub fn patience(reader: &Reader, loader: &mut Loader<'_>, case: &Case<'_>) -> Result<i64> {
    let Case { scene, asked, facts, hops, .. } = case;
    let open = hops.iter().find(|hop| hop.verdict != Verdict::Passed).filter(|hop| hop.verdict == Verdict::Missing);
    let Some(next) = open.map(|hop| hop.name) else { return Ok(ORDINARY_WAIT) };
    if !(ORDINARY_WAIT..LONGEST_WAIT).contains(&outcome::waited(scene, asked, facts, hops, next)) {
        return Ok(ORDINARY_WAIT);
    }
    let neighbours = neighbours(reader, scene)?;
    let unknown: Vec<String> = neighbours.iter().filter(|id| !loader.learnt.paces.contains_key(*id)).cloned().collect();
    loader.bring_works(&unknown)?;
    let mut slowest = 0;
    for id in &neighbours {
        let paces = HopName::ALL.into_iter().zip(paces(loader, id)?);
        slowest = paces.filter(|(hop, _)| *hop == next).map(|(_, took)| took).fold(slowest, i64::max);
    }
    Ok(ORDINARY_WAIT.max(slowest.saturating_mul(10)))
}

/// What each hop took at most for a work, in the requests of it that came through.
fn paces(loader: &mut Loader<'_>, id: &str) -> Result<[i64; HopName::ALL.len()]> {
    if let Some(known) = loader.learnt.paces.get(id) {
        return Ok(*known);
    }
    let scene = Scene::look(loader, id)?;
    let all = requests::tell_apart(&scene);
    let judged = all.iter().map(|asked| Case::open(&scene, &all, asked).close(ORDINARY_WAIT));
    let healthy: Vec<Request> = judged.filter(|request| request.outcome == Outcome::Completed).collect();
    let paces = HopName::ALL
        .map(|hop| healthy.iter().filter_map(|request| outcome::took(&request.hops, hop)).fold(0, i64::max));
    loader.learnt.paces.insert(id.to_owned(), paces);
    Ok(paces)
}

/// The works whose rows lie nearest to this one's: they were stored around the same time.
fn neighbours(reader: &Reader, scene: &Scene) -> Result<Vec<String>> {
    let row = scene.identity.row.as_ref().and_then(|row| row.evidence.strip_prefix("resources:")?.parse::<i64>().ok());
    let Some(row) = row else { return Ok(Vec::new()) };
    let mut ids = Vec::new();
    let near = Rows::These((row - NEIGHBOURS..=row + NEIGHBOURS).filter(|number| *number != row).collect());
    reader.texts_of("resources", "id", &near, &mut |_, id| ids.push(id.to_owned()))?;
    Ok(ids)
}
