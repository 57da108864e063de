//! Replicas that hang over a status. A replica handles one status after another, so that one which waits for the
//! database keeps all later ones waiting, whatever work they are about.

use super::super::error::Result;
use super::load::Loader;
use crate::bundle::{Reader, Rows};
use crate::schema::{Coverage, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows at the end of a log that are looked at: minutes of a busy server.
const TAIL: i64 = 20_000;

const BEGUN: &[&str] = &["handle resource status update by the current instance", "Updating resource status"];
const DONE: &[&str] = &[
    "received status update for resource",
    "resource status update event was sent",
    "resource status delete event was sent",
    "Updating status for stale resource; disregard it",
    "skipping resource as it is not found",
    "failed to handle status event",
];

/// A replica whose last word about any status is that it began to handle it.
pub struct Busy {
    pub pod: String,
    pub resource_id: String,
    pub since: Option<Time>,
    pub evidence: String,
}

/// Those that hang at the end of their logs, whatever work is asked about.
pub fn busy(reader: &Reader, loader: &mut Loader<'_>) -> Result<Arc<Vec<Busy>>> {
    if let Some(known) = &loader.learnt.busy {
        return Ok(known.clone());
    }
    let found = Arc::new(look(reader, loader)?);
    Ok(loader.learnt.busy.insert(found).clone())
}

fn look(reader: &Reader, loader: &mut Loader<'_>) -> Result<Vec<Busy>> {
    let mut logs: Vec<(String, i64, i64)> = Vec::new();
    reader.records::<Coverage<'static>>(&Rows::All, |_, log| {
        let told = log.component == "server" && !log.previous && log.blind.is_none();
        if let (true, Some(pod), Some(first)) = (told, log.pod, log.first_row) {
            logs.push((pod.into_owned(), first, first + log.entries - 1));
        }
    })?;
    let mut busy = Vec::new();
    for (pod, first, last) in logs {
        let tail: Vec<i64> = (first.max(last - TAIL + 1)..=last).collect();
        busy.extend(hanging(reader, loader, pod, tail)?);
    }
    Ok(busy)
}

fn hanging(reader: &Reader, loader: &mut Loader<'_>, pod: String, tail: Vec<i64>) -> Result<Option<Busy>> {
    let mut begun: Option<i64> = None;
    reader.texts_of("log_lines", "message", &Rows::These(tail), &mut |row_no, message| {
        if BEGUN.contains(&message) {
            begun = Some(row_no);
        } else if DONE.contains(&message) {
            begun = None;
        }
    })?;
    let Some(row_no) = begun else { return Ok(None) };
    let mut about: BTreeMap<&str, String> = BTreeMap::new();
    for column in ["pod", "resource_id"] {
        reader.texts_of("log_lines", column, &Rows::These(vec![row_no]), &mut |_, text| {
            about.insert(column, text.to_owned());
        })?;
    }
    // In an export the rows of several pods lie between each other.
    let Some(resource_id) = about.remove("resource_id").filter(|_| about.get("pod") == Some(&pod)) else {
        return Ok(None);
    };
    loader.bring_rows("log_lines", vec![row_no])?;
    let line = loader.quote(row_no)?.pop();
    Ok(Some(Busy { pod, resource_id, since: line.and_then(|line| line.at), evidence: format!("log_lines:{row_no}") }))
}
