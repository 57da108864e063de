//! The answer of `dacapo resolve`: what an identifier is, and ids that follow from names, held against a bundle.

use super::super::error::{Error, Result};
use super::kinds::{self, Kind, usual_plural};
use super::type_label::TypeLabel;
use super::{compute, ids, introduce, manifest, of_consumers_work, resolve};
use crate::bundle::{Hit, Reader};
use crate::model::{
    Absent, ComputedAppliedWork, ComputedId, Identified, KnownFrom, NamedKind, RESOLVE_FORMAT, Resolution,
};
use crate::schema::ManifestPath;
use std::collections::BTreeSet;

/// Works that are introduced for one identifier.
const MOST_INTRODUCED: usize = 1000;

/// Combinations of sources, consumers and works that are tried.
const MOST_COMBINED: usize = 100_000;

/// Combinations that are listed where the bundle knows none of them.
const MOST_LISTED: usize = 100;

/// Rows that are named for one id.
const FEW_ROWS: usize = 3;

/// What to resolve. Each list may have several, and every combination counts.
#[derive(Debug, Default)]
pub struct ResolveAsk {
    pub identifier: Option<String>,
    pub sources: Vec<String>,
    pub consumers: Vec<String>,
    pub works: Vec<String>,
    pub resource_ids: Vec<String>,
    pub brokers: Vec<String>,
    pub kinds: Vec<String>,
}

pub fn answer(reader: Option<&Reader>, ask: &ResolveAsk) -> Result<Resolution> {
    let mut notes = Vec::new();
    let identifier = match (&ask.identifier, reader) {
        (Some(identifier), Some(reader)) => Some(identify(reader, identifier, &mut notes)?),
        _ => None,
    };
    let resource_ids = resource_ids(reader, ask, &mut notes)?;
    let applied_works = applied_works(reader, ask, &resource_ids)?;
    let learnt = match reader {
        Some(reader) if !ask.kinds.is_empty() => kinds::learn(reader)?,
        _ => Vec::new(),
    };
    let mut kinds = Vec::new();
    for label in &ask.kinds {
        kinds.extend(kinds_called(reader, label, &learnt)?);
    }
    let bundle = reader.map(|reader| reader.path().display().to_string());
    Ok(Resolution { format: RESOLVE_FORMAT, bundle, identifier, resource_ids, applied_works, kinds, notes })
}

fn identify(reader: &Reader, asked: &str, notes: &mut Vec<String>) -> Result<Identified> {
    let query = asked.to_owned();
    let absent = |sentence: String, because, near| Identified {
        query: query.clone(),
        taken_for: None,
        meanings: Vec::new(),
        is_part: false,
        works: Vec::new(),
        absent: Some(Absent { sentence, because, near }),
    };
    let resolved = match resolve(reader, asked) {
        Ok(resolved) => resolved,
        Err(error) => {
            let sentence = error.to_string();
            return match error {
                Error::NotFound { because, near, .. } | Error::ManifestNotFound { because, near, .. } => {
                    Ok(absent(sentence, because, near))
                }
                Error::NotApplied { because, .. } | Error::NotManaged { because, .. } => {
                    Ok(absent(sentence, because, Vec::new()))
                }
                other => Err(other),
            };
        }
    };
    notes.extend(resolved.notes(asked));
    let works = resolved.works().into_iter().collect();
    Ok(Identified {
        query: query.clone(),
        taken_for: Some(resolved.taken_for().to_owned()),
        meanings: resolved.told(),
        is_part: resolved.is_part,
        works: introduce(reader, &works, MOST_INTRODUCED)?,
        absent: None,
    })
}

/// Every combination. What is not told is taken from the bundle, and then only what the bundle knows is of interest.
fn resource_ids(reader: Option<&Reader>, ask: &ResolveAsk, notes: &mut Vec<String>) -> Result<Vec<ComputedId>> {
    if ask.works.is_empty() {
        return Ok(Vec::new());
    }
    let sources = told_or_known(reader, &ask.sources, "--source", SOURCES)?;
    let consumers = told_or_known(reader, &ask.consumers, "--consumer", CONSUMERS)?;
    let combinations = sources.len().saturating_mul(consumers.len()).saturating_mul(ask.works.len());
    if combinations > MOST_COMBINED {
        return Err(Error::TooMany { combinations, most: MOST_COMBINED });
    }
    let mut computed = Vec::new();
    for work_name in &ask.works {
        for source in &sources {
            computed.extend(consumers.iter().map(|consumer| compute_id(source, consumer, work_name)));
        }
    }
    let Some(reader) = reader else { return Ok(computed) };
    let keys: Vec<&str> = computed.iter().map(|id| id.resource_id.as_str()).collect();
    let hits = reader.find(&keys)?;
    for id in &mut computed {
        let of_id = hits.iter().filter(|hit| hit.key == id.resource_id);
        (id.in_bundle, id.evidence) = known(of_id, ids::is_resource(&hits, &id.resource_id));
    }
    for id in computed.iter().filter(|id| id.in_bundle == Some(false)).take(MOST_LISTED) {
        let others = of_consumers_work(reader, &id.consumer, &id.work_name)?;
        notes.extend(others.iter().filter(|other| !computed.iter().any(|id| id.resource_id == **other)).map(|other| {
            format!("{} on {} is in the bundle as {other}: its id follows from other names", id.work_name, id.consumer)
        }));
    }
    notes.sort();
    notes.dedup();
    let guessed = ask.sources.is_empty() || ask.consumers.is_empty();
    let any = computed.iter().any(|id| id.in_bundle == Some(true));
    if guessed && any {
        computed.retain(|id| id.in_bundle == Some(true));
    }
    if guessed && computed.len() < combinations {
        notes.push(format!("{} other combinations are not in the bundle", combinations - computed.len()));
    }
    computed.truncate(if guessed { MOST_LISTED } else { MOST_COMBINED });
    Ok(computed)
}

fn compute_id(source: &str, consumer: &str, work_name: &str) -> ComputedId {
    ComputedId {
        resource_id: compute::resource_id(source, consumer, work_name),
        source: source.to_owned(),
        consumer: consumer.to_owned(),
        work_name: work_name.to_owned(),
        hashed: compute::resource_text(source, consumer, work_name),
        in_bundle: None,
        evidence: Vec::new(),
    }
}

const SOURCES: &[(&str, &str)] = &[("resources", "source"), ("status_events", "resource_source")];
const CONSUMERS: &[(&str, &str)] = &[("consumers", "name"), ("resources", "consumer_name"), ("coverage", "consumer")];

/// What the user says or, where that is nothing, what the bundle knows.
fn told_or_known(
    reader: Option<&Reader>,
    told: &[String],
    flag: &'static str,
    columns: &[(&str, &str)],
) -> Result<Vec<String>> {
    if !told.is_empty() {
        return Ok(told.to_vec());
    }
    let mut known = BTreeSet::new();
    for (table, column) in columns {
        let Some(reader) = reader else { continue };
        reader.texts(table, column, |_, text| {
            known.insert(text.to_owned());
        })?;
    }
    known.remove("");
    if known.is_empty() { Err(Error::Untold { flag }) } else { Ok(known.into_iter().collect()) }
}

fn known<'a>(hits: impl Iterator<Item = &'a Hit>, is_there: bool) -> (Option<bool>, Vec<String>) {
    // Rows of the database say more than objects, and objects more than lines.
    let rank = |table: &str| match table {
        "resources" => 0,
        "log_lines" => 2,
        _ => 1,
    };
    let rows: BTreeSet<_> = hits.filter(|_| is_there).map(|hit| (rank(&hit.table), &hit.table, hit.row_no)).collect();
    (Some(is_there), rows.into_iter().take(FEW_ROWS).map(|(_, table, row)| format!("{table}:{row}")).collect())
}

/// For each broker, what an agent calls the AppliedManifestWork of each id, and of each name before 2026-01-14.
fn applied_works(
    reader: Option<&Reader>,
    ask: &ResolveAsk,
    computed: &[ComputedId],
) -> Result<Vec<ComputedAppliedWork>> {
    let ids = ask.resource_ids.iter().chain(computed.iter().map(|id| &id.resource_id)).map(|id| (id.clone(), false));
    let called: Vec<(String, bool)> = ids.chain(ask.works.iter().map(|name| (name.clone(), true))).collect();
    let mut works = Vec::new();
    for broker in &ask.brokers {
        let hub_hash = compute::hub_hash(broker);
        let work = |called: Option<&(String, bool)>| ComputedAppliedWork {
            name: called.map(|(work, _)| compute::applied_work(&hub_hash, work)),
            hub_hash: hub_hash.clone(),
            broker: broker.clone(),
            work: called.map(|(work, _)| work.clone()),
            before_2026: called.is_some_and(|(_, by_name)| *by_name),
            in_bundle: None,
            evidence: Vec::new(),
        };
        match called.is_empty() {
            true => works.push(work(None)),
            false => works.extend(called.iter().map(|called| work(Some(called)))),
        }
    }
    let Some(reader) = reader else { return Ok(works) };
    for work in &mut works {
        let hits = match &work.name {
            Some(name) => reader.find(&[name])?,
            None => agents_works(reader, &work.hub_hash)?,
        };
        let applied =
            |hit: &&Hit| hit.is_in("applied_manifest_works", "name") || hit.is_in("log_lines", "applied_work");
        let applied: Vec<&Hit> = hits.iter().filter(applied).collect();
        (work.in_bundle, work.evidence) = known(applied.iter().copied(), !applied.is_empty());
    }
    // Names of an era that the bundle does not show are noise.
    let shown = works.iter().any(|work| work.in_bundle == Some(true));
    works.retain(|work| !shown || !work.before_2026 || work.in_bundle == Some(true));
    Ok(works)
}

/// The AppliedManifestWorks that begin with a hub hash.
fn agents_works(reader: &Reader, hub_hash: &str) -> Result<Vec<Hit>> {
    let names = reader.begins(hub_hash, &[("applied_manifest_works", "name")], FEW_ROWS)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(reader.find(&names)?)
}

/// The kinds that a label names: one in nearly every case.
fn kinds_called(reader: Option<&Reader>, label: &str, learnt: &[Kind]) -> Result<Vec<NamedKind>> {
    let told = TypeLabel::parse(label);
    if told.kind.is_empty() {
        return Err(Error::NoIdentifier { asked: label.to_owned(), because: "it names no kind" });
    }
    let name = told.kind_name();
    let mut known: Vec<(Kind, KnownFrom)> =
        name.known(&[]).into_iter().map(|kind| (kind, KnownFrom::BuiltIn)).collect();
    for kind in name.known(learnt) {
        if !known.iter().any(|(other, _)| other.kind == kind.kind && other.group == kind.group) {
            known.push((kind, KnownFrom::Bundle));
        }
    }
    if known.is_empty() {
        known.push((guess(&told), KnownFrom::Guess));
    }
    let mut named = Vec::new();
    for (kind, known_from) in known {
        let is_guess = known_from == KnownFrom::Guess;
        named.push(NamedKind {
            label: label.to_owned(),
            in_bundle: reader.map(|reader| has_kind(reader, &kind, told.group.is_some() || !is_guess)).transpose()?,
            group: if is_guess { told.group.clone() } else { Some(kind.group.into_owned()) },
            kind: kind.kind.into_owned(),
            plural: kind.plural.into_owned(),
            version: told.version.clone(),
            short_names: kind.short.into_iter().map(String::from).collect(),
            known_from,
            sub_resource: told.sub_resource.clone(),
            action: told.action.clone(),
        });
    }
    Ok(named)
}

/// A kind that nobody told us of, by the rules of English.
fn guess(told: &TypeLabel) -> Kind {
    let lower = told.kind.to_lowercase();
    let is_kind = told.kind != lower;
    let singular = ["ies", "es", "s"].iter().find_map(|end| {
        let stem = lower.strip_suffix(end)?;
        let singular = if *end == "ies" { format!("{stem}y") } else { stem.to_owned() };
        (usual_plural(&singular) == lower && !singular.is_empty()).then_some(singular)
    });
    let singular = if is_kind { lower } else { singular.unwrap_or(lower) };
    let mut letters = singular.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>());
    let kind = if is_kind { told.kind.clone() } else { capital.unwrap_or_default() };
    let group = told.group.clone().unwrap_or_default();
    Kind { kind: kind.into(), plural: usual_plural(&singular).into(), group: group.into(), short: Vec::new() }
}

/// Is a manifest or object of that kind in the bundle?
fn has_kind(reader: &Reader, kind: &Kind, group_counts: bool) -> Result<bool> {
    let mut found = false;
    let same = |path: &ManifestPath<'_>| {
        let named = path.kind.eq_ignore_ascii_case(&kind.kind) || path.kind == kind.plural;
        named && (!group_counts || path.group.unwrap_or_default() == kind.group)
    };
    for table in manifest::TABLES {
        reader.texts(table, "manifest_paths", |_, words| {
            found = found || words.split(' ').filter_map(ManifestPath::parse).any(|path| same(&path));
        })?;
    }
    let own = match kind.kind.as_ref() {
        "AppliedManifestWork" => Some("applied_manifest_works"),
        "ManifestWork" => Some("manifest_works"),
        _ => None,
    };
    found = found || own.and_then(|table| reader.manifest().table(table)).is_some_and(|table| table.rows > 0);
    if !found {
        let mut rows = Vec::new();
        reader.texts("kube_objects", "kind", |row, text| rows.extend((text == kind.kind).then_some(row)))?;
        for [version] in super::columns_of(reader, "kube_objects", ["api_version"], rows)?.into_values() {
            let group = version.as_deref().and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
            found = found || !group_counts || group == kind.group;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_nobody_knows_is_guessed() {
        for (label, kind, plural) in [
            ("widgets", "Widget", "widgets"),
            ("Widget", "Widget", "widgets"),
            ("policies", "Policy", "policies"),
            ("boxes", "Box", "boxes"),
            ("apiversion", "Apiversion", "apiversions"),
        ] {
            let guessed = guess(&TypeLabel::parse(label));
            assert_eq!((guessed.kind.as_ref(), guessed.plural.as_ref()), (kind, plural), "{label}");
        }
    }
}
