//! From what a person typed to works: everything it can mean, and which works it then names.
//!
//! [`argument`] tells shapes apart; [`ids`], [`labels`] and [`manifest`] look them up in the bundle's index; [`owners`]
//! leads from what an agent made back to its work; [`mod@near`] helps where nothing is called so.

mod answer;
mod argument;
mod compute;
mod ids;
mod kinds;
mod labels;
mod manifest;
mod names;
mod near;
mod owners;
mod type_label;

pub use answer::{ResolveAsk, answer};
pub use labels::labelled;
pub use names::introduce;
pub use near::near;
pub use owners::is_uuid;

use super::error::Result;
use crate::bundle::{Hit, Reader, Rows};
use crate::model;
use argument::{Argument, Path, Wanted};
use std::collections::{BTreeMap, BTreeSet};

const CONSUMER: &str = "consumer";
const CONSUMER_AND_WORK: &str = "consumer and work name";
const UID: &str = "uid of an object";

/// What an argument turned out to be.
#[derive(Debug)]
pub struct Resolved {
    /// Everything that it can be, best first; there is at least one, and each names works.
    pub meanings: Vec<Meaning>,
    /// Nothing is called so: it is but a part of what the works are called.
    pub is_part: bool,
    /// What the reader should know besides.
    notes: Vec<String>,
}

/// One thing that an argument can be.
#[derive(Debug)]
pub struct Meaning {
    pub taken_for: &'static str,
    /// The labels or manifests that fit.
    pub spelled: BTreeSet<String>,
    /// Resource ids.
    pub works: BTreeSet<String>,
}

impl Meaning {
    fn new(taken_for: &'static str, works: BTreeSet<String>) -> Self {
        Self { taken_for, spelled: BTreeSet::new(), works }
    }

    pub fn told(&self) -> model::Meaning {
        model::Meaning {
            taken_for: self.taken_for.to_owned(),
            spelled: self.spelled.iter().cloned().collect(),
            works: self.works.len(),
        }
    }
}

impl Resolved {
    /// What it is taken for.
    pub fn taken_for(&self) -> &'static str {
        self.meanings.first().map_or("", |meaning| meaning.taken_for)
    }

    /// The works that it names, taken for that.
    pub fn works(&self) -> Vec<String> {
        self.meanings.first().map(|meaning| meaning.works.iter().cloned().collect()).unwrap_or_default()
    }

    pub fn told(&self) -> Vec<model::Meaning> {
        self.meanings.iter().map(Meaning::told).collect()
    }

    /// What the reader of a trace should know: what an argument was taken for that is no name of a work itself.
    pub fn taken(&self, asked: &str) -> Option<String> {
        let chosen = self.meanings.first()?;
        let by_itself = matches!(chosen.taken_for, ids::RESOURCE_ID | ids::WORK_NAME);
        (!by_itself && !self.is_part).then(|| format!("{asked} is taken for {}", chosen.told().phrase()))
    }

    /// What else the reader should know, above all that the argument can mean other works.
    pub fn notes(&self, asked: &str) -> Vec<String> {
        let mut notes = self.notes.clone();
        let Some((chosen, others)) = self.meanings.split_first() else { return notes };
        for other in others {
            let more = other.works.difference(&chosen.works).count();
            let works = if more == 1 { "1 other work".to_owned() } else { format!("{more} other works") };
            let ask = match other.taken_for {
                labels::LABEL_VALUE => format!("; ={asked} asks for that"),
                manifest::MANIFEST => format!("; kind/{asked} asks for that"),
                _ => String::new(),
            };
            if more > 0 {
                notes.push(format!("{asked} is also {}, of {works}{ask}", other.told().phrase()));
            }
        }
        notes
    }
}

pub fn resolve(reader: &Reader, typed: &str) -> Result<Resolved> {
    match Argument::parse(typed)? {
        Argument::Word(asked) => word(reader, asked),
        Argument::Label { key, value } => label(reader, key, value),
        Argument::Path(asked) => path(reader, &asked),
        Argument::Value(asked) => value(reader, asked),
    }
}

/// A word may be anything. An id or a work's own name is preferred to what only leads to works.
fn word(reader: &Reader, asked: &str) -> Result<Resolved> {
    let mut found = everything(reader, asked)?;
    let lower = asked.to_lowercase();
    if found.meanings.is_empty() && owners::is_uuid(asked) && lower != asked {
        found = everything(reader, &lower)?;
    }
    if let Some(resolved) = chosen(found.meanings) {
        return Ok(resolved);
    }
    if let Some(resolved) = absent_applied_work(reader, asked)? {
        return Ok(resolved);
    }
    part_of(reader, asked)?.map_or_else(|| Err(near::not_found(reader, asked, &found.standalone)?), Ok)
}

/// What a word can be.
struct Everything {
    meanings: Vec<Meaning>,
    /// Objects of that name that belong to no work.
    standalone: Vec<String>,
}

fn everything(reader: &Reader, asked: &str) -> Result<Everything> {
    let [by_name, by_namespace] = manifest::keys_of(asked);
    let hits = reader.find(&[asked, &labels::key_of(asked), &by_name, &by_namespace])?;
    let mut meanings = ids::meanings_of(reader, asked, &hits)?;
    meanings.push(labels::value_among(reader, asked, &hits)?);
    let wanted = Wanted { kind: None, namespace: None, name: asked };
    let manifest = manifest::find_among(reader, &wanted, &hits)?;
    meanings.push(manifest.meaning());
    meanings.push(Meaning::new(CONSUMER, of_consumer(reader, &hits)?));
    meanings.push(manifest::in_namespace(reader, asked, &hits)?);
    meanings.push(Meaning::new(UID, owners::of_uid(reader, &hits)?));
    meanings.retain(|meaning| !meaning.works.is_empty());
    let standalone = manifest.standalone.into_iter().map(|object| object.title).collect();
    Ok(Everything { meanings, standalone })
}

/// An AppliedManifestWork that is not in the bundle is named after a work that may be.
fn absent_applied_work(reader: &Reader, asked: &str) -> Result<Option<Resolved>> {
    let Some(work) = owners::work_of(asked) else { return Ok(None) };
    let Some(known) = ids::meanings(reader, work)?.into_iter().next() else { return Ok(None) };
    // Where none was collected, that this one is not there says nothing.
    let collected = near::rows_of(reader, "applied_manifest_works") > 0;
    let said = if collected { "Work not applied to cluster: " } else { "no cluster was asked: " };
    let note = format!("{said}the bundle has no AppliedManifestWork {asked}");
    let meaning = Meaning::new(ids::APPLIED_WORK, known.works);
    Ok(Some(Resolved { meanings: vec![meaning], is_part: false, notes: vec![note] }))
}

/// `key=value` is a label or, as people copy it from logs, a key and the id that is meant.
fn label(reader: &Reader, key: &str, value: &str) -> Result<Resolved> {
    let label = if key.is_empty() { labels::value(reader, value)? } else { labels::pair(reader, key, value)? };
    if let Some(resolved) = chosen(vec![label]) {
        return Ok(resolved);
    }
    let copied = if key.is_empty() { Vec::new() } else { ids::meanings(reader, value)? };
    let Some(mut resolved) = chosen(copied) else {
        return Err(near::not_found(reader, &format!("{key}={value}"), &[])?);
    };
    resolved.notes.push(format!("no label is called {key}; {value} alone is a known {}", resolved.taken_for()));
    Ok(resolved)
}

fn path(reader: &Reader, asked: &Path<'_>) -> Result<Resolved> {
    let found = manifest::find(reader, &asked.manifest())?;
    let mut meanings = vec![found.meaning()];
    if let Some(wanted) = asked.in_namespace() {
        meanings.push(Meaning::new(CONSUMER_AND_WORK, of_consumers_work(reader, asked.first, asked.last)?));
        meanings.push(manifest::find(reader, &wanted)?.meaning());
    }
    meanings.push(labels::value(reader, asked.text)?);
    chosen(meanings).map_or_else(|| Err(near::no_manifest(reader, asked, found)?), Ok)
}

/// A value with slashes in it: the id of an Azure resource, or the beginning of one.
fn value(reader: &Reader, asked: &str) -> Result<Resolved> {
    if let Some(resolved) = chosen(vec![labels::value(reader, asked)?]) {
        return Ok(resolved);
    }
    part_of(reader, asked)?.map_or_else(|| Err(near::no_value(reader, asked)?), Ok)
}

/// What names works, if anything does.
fn chosen(mut meanings: Vec<Meaning>) -> Option<Resolved> {
    meanings.retain(|meaning| !meaning.works.is_empty());
    (!meanings.is_empty()).then_some(Resolved { meanings, is_part: false, notes: Vec::new() })
}

fn part_of(reader: &Reader, asked: &str) -> Result<Option<Resolved>> {
    let part = chosen(vec![near::parts(reader, asked)?]);
    Ok(part.map(|resolved| Resolved { is_part: true, ..resolved }))
}

/// The works for a consumer.
fn of_consumer(reader: &Reader, hits: &[Hit]) -> Result<BTreeSet<String>> {
    owners::of_rows(reader, "resources", owners::rows_in(hits, "resources", "consumer_name"))
}

/// `consumer/work name`, which is how a ManifestWork is called where it is an object.
fn of_consumers_work(reader: &Reader, consumer: &str, work: &str) -> Result<BTreeSet<String>> {
    let works = ids::meanings(reader, work)?.into_iter().next().map(|meaning| meaning.works);
    let works = introduce(reader, &works.unwrap_or_default(), usize::MAX)?;
    let here = works.into_iter().filter(|work| work.consumer.as_deref() == Some(consumer));
    Ok(here.map(|work| work.resource_id).collect())
}

/// Some columns of some rows, as far as they hold text.
fn columns_of<const N: usize>(
    reader: &Reader,
    table: &str,
    columns: [&str; N],
    rows: impl IntoIterator<Item = i64>,
) -> Result<BTreeMap<i64, [Option<String>; N]>> {
    let mut found: BTreeMap<i64, [Option<String>; N]> = BTreeMap::new();
    let rows: Vec<i64> = rows.into_iter().collect();
    if rows.is_empty() {
        return Ok(found);
    }
    let rows = Rows::These(rows);
    for (place, column) in columns.iter().enumerate().filter(|(_, column)| !column.is_empty()) {
        reader.texts_of(table, column, &rows, &mut |row, text| {
            let cells = found.entry(row).or_insert([const { None }; N]);
            if let Some(cell) = cells.get_mut(place) {
                *cell = Some(text.to_owned());
            }
        })?;
    }
    Ok(found)
}
