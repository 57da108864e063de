//! From what an agent made to the work that asked for it: over owner references and AppliedManifestWorks.

use super::super::error::Result;
use super::{columns_of, ids};
use crate::bundle::{Hit, Reader, Rows};
use crate::schema::Coverage;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Works inside works inside works; a Pod of a ReplicaSet of a Deployment.
const DEEPEST: usize = 4;

/// So many AppliedManifestWorks are looked up one by one; of more, those named after an id are taken at their word.
const LOOKED_UP: usize = 200;

/// The length of a hub hash, a SHA-256 in hex.
const HASH: usize = 64;

/// The works behind AppliedManifestWorks of these names.
pub fn of_applied(reader: &Reader, names: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    applied(reader, names, DEEPEST)
}

fn applied(reader: &Reader, names: &BTreeSet<String>, depth: usize) -> Result<BTreeSet<String>> {
    let mut works = BTreeSet::new();
    let (plain, others): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| names.len() > LOOKED_UP && work_of(name).is_some_and(is_uuid));
    works.extend(plain.into_iter().filter_map(|name| work_of(name)).map(str::to_owned));
    let keys: Vec<&str> = others.iter().map(|name| name.as_str()).collect();
    let hits = reader.find(&keys)?;
    let rows = hits.iter().filter(|hit| hit.is_in("applied_manifest_works", "name")).map(|hit| hit.row_no);
    let rows = columns_of(reader, "applied_manifest_works", ["name", "manifest_work_name", "cluster"], rows)?;
    let mut called: BTreeSet<(String, Option<String>)> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for [name, work, cluster] in rows.into_values() {
        let work = work.or_else(|| work_of(name.as_deref()?).map(str::to_owned));
        called.extend(work.map(|work| (work, cluster)));
        seen.extend(name);
    }
    // Its object is gone or was not collected: lines may name its resource, and its own name ends with the work's.
    for name in others.into_iter().filter(|name| !seen.contains(*name)) {
        called.extend(work_of(name).map(|work| (work.to_owned(), None)));
        let lines = hits.iter().filter(|hit| hit.key == *name && hit.is_in("log_lines", "applied_work"));
        let lines = lines.map(|hit| hit.row_no).take(ids::ENOUGH_ROWS).collect();
        reader.texts_of("log_lines", "resource_id", &Rows::These(lines), &mut |_, id| {
            works.insert(id.to_owned());
        })?;
    }
    for (work, cluster) in &called {
        works.extend(works_called(reader, work, cluster.as_deref(), depth)?);
    }
    if works.is_empty() {
        // The consumers of its cluster have no work of that name: logs may be of another time.
        for (work, _) in &called {
            works.extend(works_called(reader, work, None, depth)?);
        }
    }
    Ok(works)
}

/// What an agent calls a work is the resource's id; before 2026-01-14 it was the name that its client gave. A work
/// that is itself a manifest of a work of Maestro's is neither, and leads on to that one.
fn works_called(reader: &Reader, work: &str, cluster: Option<&str>, depth: usize) -> Result<BTreeSet<String>> {
    let hits = reader.find(&[work])?;
    if ids::is_resource(&hits, work) {
        return Ok(BTreeSet::from([work.to_owned()]));
    }
    let consumers = cluster.map(|cluster| served(reader, cluster)).transpose()?.filter(|served| !served.is_empty());
    let named = ids::named(reader, &hits, consumers.as_ref())?;
    if !named.is_empty() || !ids::named(reader, &hits, None)?.is_empty() {
        return Ok(named);
    }
    let inner = hits.iter().filter(|hit| hit.is_in("manifest_works", "name")).map(|hit| hit.row_no);
    let inner = columns_of(reader, "manifest_works", ["applied_works", "cluster"], inner)?;
    let here = inner.into_values().filter(|[_, other]| cluster.is_none() || other.as_deref() == cluster);
    let owners = here.filter_map(|[owners, _]| owners).flat_map(|owners| words(&owners)).collect::<BTreeSet<_>>();
    if !owners.is_empty() && depth > 0 {
        return applied(reader, &owners, depth - 1);
    }
    Ok(BTreeSet::from([work.to_owned()]))
}

/// The consumers whose agents run in a cluster, as far as their logs tell.
fn served(reader: &Reader, cluster: &str) -> Result<BTreeSet<String>> {
    let mut consumers = BTreeSet::new();
    reader.records::<Coverage<'static>>(&Rows::All, |_, log| {
        if log.component == "agent" && log.cluster.as_deref() == Some(cluster) {
            consumers.extend(log.consumer.map(String::from));
        }
    })?;
    Ok(consumers)
}

/// Objects of a cluster, some owned by works and some by nobody we know of.
#[derive(Default)]
pub struct Owned {
    pub works: BTreeSet<String>,
    /// Rows of objects that lead to no work.
    pub standalone: Vec<i64>,
}

/// The works behind rows of a table of objects: an object's owner, or its owner's owner, is an AppliedManifestWork.
pub fn of_objects(reader: &Reader, table: &str, rows: Vec<i64>) -> Result<Owned> {
    let mut owned = Owned::default();
    let mut names = BTreeSet::new();
    let direct = columns_of(reader, table, ["applied_works"], rows.iter().copied())?;
    for row in rows {
        match direct.get(&row) {
            Some([Some(owners)]) => names.extend(words(owners)),
            _ => {
                let above = owners_above(reader, table, row)?;
                if above.is_empty() {
                    owned.standalone.push(row);
                }
                names.extend(above);
            }
        }
    }
    owned.works = of_applied(reader, &names)?;
    Ok(owned)
}

/// The AppliedManifestWorks that own an owner of this object.
fn owners_above(reader: &Reader, table: &str, row: i64) -> Result<BTreeSet<String>> {
    let mut uids = owner_uids(reader, table, vec![row])?;
    for _ in 0..DEEPEST {
        let keys: Vec<&str> = uids.iter().map(String::as_str).collect();
        let hits = reader.find(&keys)?;
        let rows: Vec<i64> = hits.iter().filter(|hit| hit.is_in("kube_objects", "uid")).map(|hit| hit.row_no).collect();
        let owners = columns_of(reader, "kube_objects", ["applied_works"], rows.iter().copied())?;
        let names: BTreeSet<String> =
            owners.into_values().flatten().flatten().flat_map(|owners| words(&owners)).collect();
        if !names.is_empty() || rows.is_empty() {
            return Ok(names);
        }
        uids = owner_uids(reader, "kube_objects", rows)?;
    }
    Ok(BTreeSet::new())
}

fn owner_uids(reader: &Reader, table: &str, rows: Vec<i64>) -> Result<BTreeSet<String>> {
    #[derive(Deserialize)]
    struct Object {
        metadata: Metadata,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        #[serde(default)]
        owner_references: Vec<Reference>,
    }
    #[derive(Deserialize)]
    struct Reference {
        uid: String,
    }
    let mut uids = BTreeSet::new();
    reader.texts_of(table, "object", &Rows::These(rows), &mut |_, text| {
        let object = serde_json::from_str::<Object>(text).ok();
        let owners = object.map(|object| object.metadata.owner_references).unwrap_or_default();
        uids.extend(owners.into_iter().map(|owner| owner.uid));
    })?;
    Ok(uids)
}

/// Rows of these tables that the hits name: of AppliedManifestWorks by their names, of objects by their owners.
pub fn of_rows(reader: &Reader, table: &'static str, rows: Vec<i64>) -> Result<BTreeSet<String>> {
    let id_column = match table {
        "resources" => "id",
        "status_events" => "resource_id",
        "applied_manifest_works" => "name",
        _ => return Ok(of_objects(reader, table, rows)?.works),
    };
    let mut found = BTreeSet::new();
    reader.texts_of(table, id_column, &Rows::These(rows), &mut |_, id| {
        found.insert(id.to_owned());
    })?;
    if id_column == "name" { of_applied(reader, &found) } else { Ok(found) }
}

/// Rows of one column of a table among hits.
pub fn rows_in(hits: &[Hit], table: &str, column: &str) -> Vec<i64> {
    let rows: BTreeSet<i64> = hits.iter().filter(|hit| hit.is_in(table, column)).map(|hit| hit.row_no).collect();
    rows.into_iter().collect()
}

/// Those of objects, and the AppliedManifestWork, that have this uid.
pub fn of_uid(reader: &Reader, hits: &[Hit]) -> Result<BTreeSet<String>> {
    let mut works = BTreeSet::new();
    for table in ["applied_manifest_works", "manifest_works", "kube_objects"] {
        works.extend(of_rows(reader, table, rows_in(hits, table, "uid"))?);
    }
    Ok(works)
}

/// `<hub hash>-<what the agent calls the work>`.
pub fn work_of(applied: &str) -> Option<&str> {
    let (hash, rest) = applied.split_at_checked(HASH)?;
    let hex = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    rest.strip_prefix('-').filter(|work| hex && !work.is_empty())
}

pub fn is_uuid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_applied_works_name_ends_with_its_works() {
        let hash = "f1d8a1049b93dffc1929d57a719c3a09a4dcbfe0cd6e42840325be3b2dde73c8";
        assert_eq!(work_of(&format!("{hash}-0b14ee1e-1543")), Some("0b14ee1e-1543"));
        assert_eq!(work_of(&format!("{hash}-")), None);
        assert_eq!(work_of(hash), None);
        assert_eq!(work_of(&format!("{}-web", "z".repeat(64))), None);
        assert_eq!(work_of(&"é".repeat(70)), None);
    }
}
