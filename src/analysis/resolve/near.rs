//! What to say of an argument that nothing in the bundle is called: what it may be a part of, what is near it.

use super::super::error::{Error, Result};
use super::argument::{Path, shortened};
use super::ids::ENTRIES;
use super::kinds::kind_of;
use super::manifest::{self, Found};
use super::{Meaning, ids, labels, owners};
use crate::bundle::Reader;
use crate::schema::{ManifestPath, is_arm_id};
use std::collections::{BTreeMap, BTreeSet};

pub const PART: &str = "part of a name or id";

const MAX_NEAR: usize = 5;

/// Fewer characters are the beginning of too much.
const SHORTEST_START: usize = 3;
const SHORTEST_PART: usize = 2;

/// Identifiers with one beginning that are followed to their works.
const MAX_STARTS: usize = 64;

/// Longer words are not typed, and comparing them would take long.
const LONGEST_TYPED: usize = 100;

/// Columns whose parts are looked for, and the column with the id of the work or, of an AppliedManifestWork, its name.
const NAMES: &[(&str, &str, &str)] = &[
    ("resources", "work_name", "id"),
    ("resources", "id", "id"),
    ("status_events", "work_name", "resource_id"),
    ("status_events", "resource_id", "resource_id"),
    ("applied_manifest_works", "name", "name"),
];

/// The works of whose names or ids this is a part.
pub fn parts(reader: &Reader, word: &str) -> Result<Meaning> {
    let mut meaning = Meaning::new(PART, BTreeSet::new());
    if word.chars().count() >= SHORTEST_START {
        let columns: Vec<(&str, &str)> = ENTRIES.iter().map(|entry| (entry.table, entry.column)).collect();
        for key in reader.begins(word, &columns, MAX_STARTS)? {
            let works = ids::meanings(reader, &key)?.into_iter().next().map(|meaning| meaning.works);
            meaning.works.extend(works.unwrap_or_default());
            meaning.spelled.insert(key);
        }
        let columns: Vec<(&str, &str)> = labels::TABLES.iter().map(|table| (*table, "label_pairs")).collect();
        for key in reader.begins(&labels::key_of(word), &columns, MAX_STARTS)? {
            let labelled = labels::value(reader, key.trim_start_matches('='))?;
            meaning.works.extend(labelled.works);
            meaning.spelled.extend(labelled.spelled);
        }
    }
    let lower = word.to_lowercase();
    for (table, column, id_column) in NAMES.iter().filter(|_| word.chars().count() >= SHORTEST_PART) {
        let mut rows = Vec::new();
        reader.texts(table, column, |row, name| {
            if name.to_lowercase().contains(&lower) {
                rows.push(row);
                meaning.spelled.insert(name.to_owned());
            }
        })?;
        let found = super::columns_of(reader, table, [id_column], rows)?.into_values().flatten().flatten();
        let found: BTreeSet<String> = found.collect();
        meaning.works.extend(if *id_column == "name" { owners::of_applied(reader, &found)? } else { found });
    }
    Ok(meaning)
}

/// Nothing is called so. Objects of that name may be there that are not managed by any ManifestWork.
pub fn not_found(reader: &Reader, asked: &str, standalone: &[String]) -> Result<Error> {
    let there = rows_of(reader, "applied_manifest_works");
    if let Some(work) = owners::work_of(asked).filter(|_| there > 0) {
        return Ok(not_applied(there, asked, work));
    }
    let work_names = distinct(reader, &[("resources", "work_name"), ("status_events", "work_name")])?;
    let resource_ids = distinct(reader, &[("resources", "id"), ("status_events", "resource_id")])?;
    let manifests = titles(&words(reader, manifest::TABLES, "manifest_paths")?).len();
    let labels = words(reader, labels::TABLES, "label_pairs")?.len();
    let mut because = vec![format!(
        "it is not among {} work names and {} resource ids of the database, {manifests} manifests, {labels} labels, and \
         every id in the logs",
        work_names.len(),
        resource_ids.len()
    )];
    if let Some(object) = standalone.first() {
        because.push(format!("{object} is in a cluster, and not managed by any ManifestWork"));
    }
    because.extend(known_otherwise(reader, asked)?);
    because.extend(unindexed(reader)?);
    let near = near(asked, work_names.iter().chain(&resource_ids));
    Ok(Error::NotFound { asked: shortened(asked), because, near })
}

/// No label or annotation has this value.
pub fn no_value(reader: &Reader, asked: &str) -> Result<Error> {
    if is_arm_id(asked) {
        return not_found(reader, asked, &[]);
    }
    Ok(Error::NoIdentifier { asked: shortened(asked), because: "a manifest is kind/name or kind/namespace/name" })
}

/// The name of an AppliedManifestWork that is not there.
fn not_applied(there: u64, asked: &str, work: &str) -> Error {
    let because = vec![
        format!("it is not among the {there} AppliedManifestWorks of the bundle, and no log line names it"),
        format!("nothing in the bundle is called {work:?}, which is what its work would be called"),
    ];
    Error::NotApplied { asked: asked.to_owned(), because }
}

pub fn rows_of(reader: &Reader, table: &str) -> u64 {
    reader.manifest().table(table).map_or(0, |table| table.rows)
}

/// Things that are known by name and are no way to a work.
fn known_otherwise(reader: &Reader, asked: &str) -> Result<Vec<String>> {
    let known = [
        ("consumers", "name", "it is a consumer, and no work in the bundle is for it"),
        ("consumers", "id", "it is the id of a consumer, which works do not name"),
        ("server_instances", "id", "it is a server"),
        ("coverage", "pod", "it is a pod, whose log is in the bundle"),
        ("log_lines", "op_id", "log lines name it as an op-id, and none of them names a work"),
        ("log_lines", "event_id", "log lines name it as an event, and none of them names a work"),
    ];
    let hits = reader.find(&[asked])?;
    let known = known.iter().filter(|(table, column, _)| hits.iter().any(|hit| hit.is_in(table, column)));
    Ok(known.map(|(_, _, what)| (*what).to_owned()).collect())
}

/// A bundle of an early dacapo has no columns for manifests and labels.
fn unindexed(reader: &Reader) -> Result<Option<String>> {
    if rows_of(reader, "resources") == 0 {
        return Ok(None);
    }
    let indexed = reader.columns("resources")?.field_with_name("manifest_paths").is_ok();
    let because = "the bundle was made by an early dacapo, which did not look into payloads for manifests and labels";
    Ok((!indexed).then(|| because.to_owned()))
}

/// A manifest that is not there, or that is there and belongs to no work.
pub fn no_manifest(reader: &Reader, path: &Path<'_>, found: Found) -> Result<Error> {
    if let Some(object) = found.standalone.first() {
        let place = object.cluster.as_deref().map(|cluster| format!(" of cluster {cluster}")).unwrap_or_default();
        let because = vec![
            format!("{}{place} ({}) has no AppliedManifestWork among its owners", object.title, object.evidence),
            "no payload and no AppliedManifestWork in the bundle names it".to_owned(),
        ];
        return Ok(Error::NotManaged { asked: shortened(path.text), because });
    }
    let paths = words(reader, manifest::TABLES, "manifest_paths")?;
    let objects = rows_of(reader, "kube_objects");
    let count = titles(&paths).len();
    let mut because = vec![format!("it is not among {count} manifests of works and {objects} objects")];
    because.extend(
        found
            .line
            .map(|row| format!("an agent's log names it (log_lines:{row}), and no line tells of which work it is")),
    );
    let others: Vec<String> = found.others.into_iter().take(MAX_NEAR).collect();
    if !others.is_empty() {
        because.push(format!("of that name there is {}", others.join(", ")));
    }
    because.extend(unindexed(reader)?);
    let near = if others.is_empty() { near_manifests(path, &paths) } else { Vec::new() };
    Ok(Error::ManifestNotFound { asked: shortened(path.text), because, near })
}

/// Manifests whose names are near, the nearest first.
fn near_manifests(path: &Path<'_>, paths: &BTreeSet<String>) -> Vec<String> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for word in paths {
        let name = word.rsplit('/').next().unwrap_or_default();
        named.entry(name.to_owned()).or_default().insert(word.clone());
    }
    let near = near(path.last, named.keys());
    let near = near.iter().filter_map(|name| named.get(name)).flat_map(titles);
    near.take(MAX_NEAR).collect()
}

fn distinct(reader: &Reader, columns: &[(&str, &str)]) -> Result<BTreeSet<String>> {
    let mut values = BTreeSet::new();
    for (table, column) in columns {
        reader.texts(table, column, |_, value| {
            values.insert(value.to_owned());
        })?;
    }
    Ok(values)
}

/// Manifests that an agent lists by their plurals and payloads by their kinds, once each.
fn titles(paths: &BTreeSet<String>) -> BTreeSet<String> {
    let paths = paths.iter().filter_map(|word| ManifestPath::parse(word));
    paths.map(|path| ManifestPath { kind: kind_of(&path), ..path }.title()).collect()
}

/// Every word of a column of several tables.
fn words(reader: &Reader, tables: &[&str], column: &str) -> Result<BTreeSet<String>> {
    let mut words = BTreeSet::new();
    for table in tables {
        reader.texts(table, column, |_, text| {
            words.extend(text.split(' ').filter(|word| !words.contains(*word)).map(str::to_owned).collect::<Vec<_>>());
        })?;
    }
    Ok(words)
}

/// Names that begin alike, or are a slip of the hand away; the nearest first.
pub fn near<'a>(asked: &str, names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let asked = asked.to_lowercase();
    let length = asked.chars().count();
    if length > LONGEST_TYPED {
        return Vec::new();
    }
    let tolerated = 1 + length / 4;
    let mut near: Vec<(usize, &String)> = names
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let apart = lower.chars().count().abs_diff(length);
            let distance = match () {
                () if lower.contains(&asked) || asked.contains(&lower) => 0,
                () if apart > tolerated => apart,
                () => distance(&asked, &lower),
            };
            (distance <= tolerated).then_some((distance, name))
        })
        .collect();
    near.sort();
    near.into_iter().take(MAX_NEAR).map(|(_, name)| name.clone()).collect()
}

/// Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (b, above) in other.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = *above;
            left = replaced.min(left + 1).min(above + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_is_near_and_another_word_is_not() {
        let names = ["nginx-work".to_owned(), "nginx-work-2".to_owned(), "billing".to_owned()];
        assert_eq!(near("ngnix-work", names.iter()), ["nginx-work"]);
        assert_eq!(near("nginx", names.iter()), ["nginx-work", "nginx-work-2"]);
        assert!(near("payments", names.iter()).is_empty());
        assert!(near(&"n".repeat(1000), names.iter()).is_empty());
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
