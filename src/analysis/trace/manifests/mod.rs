//! The manifests of a work, from all sides: asked, listed, there, reported. What differs is the finding.
//!
//! [`gather`] brings together what the sources say, [`sides`] which of it is about the same manifest, [`absence`] whether
//! an object that is not in the material is not in the cluster, [`findings`] what is worth telling, and [`nested`] follows
//! a manifest that is a work itself.

mod absence;
mod findings;
mod gather;
mod name;
mod nested;
mod sides;
mod spec;
mod status;

use super::super::error::Result;
use super::difference::{Difference, differences, is_out_of_sight};
use super::load::Loader;
use super::scene::Scene;
use crate::model::{Applied, Condition, Differs, Manifest, ManifestSource, ManifestsFrom};
use crate::query::trace::{AppliedList, SPEC, SpecRow};
use absence::Lists;
use findings::{Judged, actual};
use gather::Clusters;
use name::Name;
use serde_json::Value;
use sides::{Life, Material, Sides, work_of};
use spec::Spec;
use std::collections::BTreeMap;

/// Differences that are listed; who wants more opens the evidence.
const LISTED_DIFFERENCES: usize = 20;

/// Characters of a value in a difference.
const LONGEST_VALUE: usize = 200;

/// Works besides this one that an object's owners are looked up for.
const ENOUGH_OWNERS: usize = 4;

pub struct Manifests {
    /// The work's AppliedManifestWorks, the oldest first.
    pub applied: Vec<AppliedList>,
    pub from: Option<ManifestSource>,
    pub all: Vec<Manifest>,
}

pub fn look(loader: &mut Loader<'_>, scene: &Scene) -> Result<Manifests> {
    let material = gather::gather(loader, scene)?;
    let clusters = gather::clusters(scene, &material.applied);
    let mut all = judge(loader, &material, &clusters, &BTreeMap::new())?;
    for (manifest, sides) in all.iter_mut().zip(material.sides()) {
        manifest.inner = nested::look(loader, &material, &sides)?;
    }
    let from = source(&material, &all);
    Ok(Manifests { applied: material.applied.into_iter().map(|work| work.row).collect(), from, all })
}

/// What each manifest is like. `own_words` is what an inner work says of its manifests by itself, by their place.
fn judge(
    loader: &mut Loader<'_>,
    material: &Material,
    clusters: &Clusters,
    own_words: &BTreeMap<usize, Vec<Condition>>,
) -> Result<Vec<Manifest>> {
    let all = material.sides();
    let unseen: Vec<&Name> = all.iter().filter(|sides| sides.object.is_none()).map(|sides| &sides.name).collect();
    let lists = Lists::of(loader, clusters, &unseen)?;
    let others = other_works(loader, material, &all)?;
    let judged = all.iter().enumerate().map(|(place, sides)| {
        let words = own_words.get(&place).map(Vec::as_slice).unwrap_or_default();
        manifest(material, sides, &lists, &others, words)
    });
    Ok(judged.collect())
}

type OtherWorks = BTreeMap<String, Spec>;

/// What the works ask for that own an object of this one too.
fn other_works(loader: &mut Loader<'_>, material: &Material, all: &[Sides<'_>]) -> Result<OtherWorks> {
    let objects = all.iter().filter_map(|sides| sides.object);
    let owners: Vec<&str> = objects.flat_map(|object| material.other_owners(object)).collect();
    let mut works: Vec<&str> = owners.iter().filter_map(|owner| work_of(owner)).collect();
    works.sort_unstable();
    works.dedup();
    works.truncate(ENOUGH_OWNERS);
    let mut specs = OtherWorks::new();
    loader.bring_keys(&works, "resources", "id")?;
    for work in works {
        let row = SPEC.run::<SpecRow>(&loader.store, &[work])?.into_iter().next();
        specs.extend(row.map(|row| (work.to_owned(), Spec::of_row(row))));
    }
    Ok(specs)
}

fn manifest(
    material: &Material,
    sides: &Sides<'_>,
    lists: &Lists,
    others: &OtherWorks,
    own_words: &[Condition],
) -> Manifest {
    let spec = material.spec.as_ref().filter(|_| sides.asked.is_some());
    let strategy = spec.map(|spec| spec.strategy(&sides.name));
    let orphaned = spec.is_some_and(|spec| spec.is_orphaned(&sides.name));
    let compared = compare(material, sides);
    let by_design = by_design(strategy.unwrap_or_default());
    let owners = sides.object.into_iter().flat_map(|object| material.other_owners(object));
    let judged = Judged {
        material,
        sides,
        differences: compared.as_deref().unwrap_or_default(),
        actual: actual(sides.object, compared.as_deref(), lists.lack(&sides.name)),
        by_design: by_design.is_some(),
        orphaned,
        others: owners.map(|owner| (owner, work_of(owner).and_then(|work| others.get(work)))).collect(),
        own_words,
    };
    let (findings, actual) = (judged.findings(), judged.actual);
    let differences = compared.unwrap_or_default();
    let (seen_in, evidence) = places(material, sides);
    Manifest {
        group: sides.name.group.clone(),
        version: sides.name.version.clone(),
        resource: sides.name.resource.clone(),
        kind: sides.name.kind.clone().or_else(|| sides.name.resource.clone()),
        namespace: sides.name.namespace.clone(),
        name: sides.name.name.clone(),
        seen_in,
        evidence,
        update_strategy: strategy.map(str::to_owned),
        delete_option: orphaned.then(|| "Orphan".to_owned()),
        applied: applied(material, sides),
        actual,
        conditions: sides.status.map(|status| status.conditions.clone()).unwrap_or_default(),
        feedback: sides.status.map(status::ManifestStatus::feedback).unwrap_or_default(),
        findings,
        more_differ: differences.len().saturating_sub(LISTED_DIFFERENCES),
        by_design: by_design.filter(|_| !differences.is_empty()),
        differs: differences.into_iter().take(LISTED_DIFFERENCES).map(differs).collect(),
        inner: None,
    }
}

/// Where the object is otherwise than asked; none where there is nothing to compare. What a deleted work asked for is not
/// asked for any more.
fn compare(material: &Material, sides: &Sides<'_>) -> Option<Vec<Difference>> {
    let (asked, object, spec) = (sides.asked?, sides.object?, material.spec.as_ref()?);
    let same_version = asked.name.version == Name::of_object(object).version;
    if material.life != Life::There || !same_version {
        return None;
    }
    let held: Value = serde_json::from_str(&object.object).ok()?;
    let mut found = differences(&asked.manifest, &held);
    found.retain(|difference| !spec.ignores(&sides.name, difference));
    Some(found).filter(|found| !found.is_empty() || !is_out_of_sight(&asked.manifest, &held))
}

fn by_design(strategy: &str) -> Option<String> {
    match strategy {
        "ReadOnly" => Some("it is watched only: its update strategy is ReadOnly".to_owned()),
        "CreateOnly" => Some("it is made once and then left alone: its update strategy is CreateOnly".to_owned()),
        _ => None,
    }
}

fn applied(material: &Material, sides: &Sides<'_>) -> Option<Applied> {
    match (sides.listed.is_empty(), material.applied.is_empty()) {
        (false, _) => Some(Applied::Listed),
        (true, false) => Some(Applied::NotListed),
        (true, true) => None,
    }
}

fn places(material: &Material, sides: &Sides<'_>) -> (Vec<String>, Vec<String>) {
    let asked = material.spec.as_ref().filter(|_| sides.asked.is_some()).map(|spec| ("payload", &spec.evidence));
    let listed = sides.listed.iter().max_by_key(|(work, _)| work.row.created_at);
    let listed = listed.map(|(work, _)| ("applied_work", &work.row.evidence));
    let object = sides.object.map(|object| ("object", &object.evidence));
    let logged = sides.logged.map(|logged| ("agent_log", &logged.evidence));
    let places = [asked, listed, object, logged].into_iter().flatten();
    places.map(|(place, evidence)| (place.to_owned(), evidence.clone())).unzip()
}

/// The best source that the manifests are known from.
fn source(material: &Material, all: &[Manifest]) -> Option<ManifestSource> {
    if let Some(spec) = &material.spec {
        return Some(ManifestSource { source: spec.source, evidence: spec.evidence.clone() });
    }
    let sources = [
        ("applied_work", ManifestsFrom::AppliedWork),
        ("object", ManifestsFrom::Object),
        ("agent_log", ManifestsFrom::AgentLog),
    ];
    sources.iter().find_map(|(place, source)| {
        let seen = all.iter().flat_map(|manifest| manifest.seen_in.iter().zip(&manifest.evidence));
        let (_, evidence) = seen.into_iter().find(|(seen, _)| seen == place)?;
        Some(ManifestSource { source: *source, evidence: evidence.clone() })
    })
}

fn differs(difference: Difference) -> Differs {
    Differs { path: difference.path, desired: cut(difference.asked), actual: cut(difference.found) }
}

fn cut(value: Value) -> Value {
    let text = match &value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => Value::from(text.get(..end).unwrap_or_default().to_owned() + "…"),
        None => value,
    }
}
