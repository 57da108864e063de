//! Brings together what the sources say about the manifests of a work.

use super::super::super::error::Result;
use super::super::load::Loader;
use super::super::scene::Scene;
use super::sides::{AppliedWork, Life, Material};
use super::spec::Spec;
use super::status::Status;
use crate::query::trace::{
    AGENT_OBJECTS, APPLIED_LISTS, MANIFEST_STATUS, ManifestStatusRow, OBJECTS, ObjectRow, PRINTED_EVENTS, PrintedEvent,
    SPEC, SpecRow, WantedObject,
};
use crate::store::Store;
use std::collections::BTreeSet;

/// The clusters that a work goes to; a file may not say which cluster it is of.
pub type Clusters = BTreeSet<Option<String>>;

pub fn gather(loader: &mut Loader<'_>, scene: &Scene) -> Result<Material> {
    let id = scene.identity.resource_id.as_str();
    let mut spec = SPEC.run::<SpecRow>(&loader.store, &[id])?.into_iter().next().map(Spec::of_row);
    let mut status = stored_status(&loader.store, id)?;
    if spec.is_none() || status.is_none() {
        loader.bring_texts()?;
        let mut printed = PRINTED_EVENTS.run::<PrintedEvent>(&loader.store, &[id])?;
        // What was printed before the row was written is of an earlier life.
        let born = scene.identity.row.as_ref().and_then(|row| row.created_at);
        printed.retain(|line| born.is_none() || line.at >= born);
        status = status.or_else(|| {
            let latest = printed.iter().find(|line| !line.is_spec)?;
            Status::of_text(latest.statuses.as_deref(), latest.version, &latest.evidence)
        });
        if spec.is_none() {
            spec = printed.into_iter().find(|line| line.is_spec && line.manifests.is_some()).map(Spec::of_line);
            bring_asked(loader, spec.as_ref())?;
        }
    }
    let applied: Vec<AppliedWork> =
        APPLIED_LISTS.run(&loader.store, &[id])?.into_iter().map(AppliedWork::read).collect();
    let life = life(scene, &applied);
    let logged = if spec.is_none() { AGENT_OBJECTS.run(&loader.store, &[id])? } else { Vec::new() };
    let called = [Some(id.to_owned()), scene.identity.work_name.clone()].into_iter().flatten().collect();
    let mut material = Material { spec, status, applied, objects: Vec::new(), logged, called, life, now: scene.now };
    let clusters = clusters(scene, &material.applied);
    material.objects = objects(&loader.store, &material, &clusters)?;
    Ok(material)
}

fn stored_status(store: &Store, id: &str) -> Result<Option<Status>> {
    let rows = MANIFEST_STATUS.run::<ManifestStatusRow>(store, &[id])?;
    Ok(rows.iter().find_map(|row| Status::of_text(row.manifests.as_deref(), row.version, &row.evidence)))
}

/// The objects that these manifests would be.
pub fn bring_asked(loader: &mut Loader<'_>, spec: Option<&Spec>) -> Result<()> {
    let asked = spec.iter().flat_map(|spec| &spec.asked);
    let wanted = asked.map(|asked| WantedObject {
        key: asked.name.name.clone(),
        kind: asked.name.kind.clone(),
        namespace: asked.name.namespace.clone(),
    });
    loader.bring_objects(&wanted.collect::<Vec<_>>())
}

/// The objects with a name that some source has, or with one of the work's owners.
pub fn objects(store: &Store, material: &Material, clusters: &Clusters) -> Result<Vec<ObjectRow>> {
    let asked = material.spec.iter().flat_map(|spec| &spec.asked).map(|asked| asked.name.name.as_str());
    let listed = material.applied.iter().flat_map(|work| &work.listed).map(|listed| listed.name.name.as_str());
    let names: BTreeSet<&str> = asked.chain(listed).collect();
    let owners: BTreeSet<&str> = material.applied.iter().map(|work| work.row.name.as_str()).collect();
    if names.is_empty() && owners.is_empty() || clusters.is_empty() {
        return Ok(Vec::new());
    }
    let words = |texts: BTreeSet<&str>| texts.into_iter().collect::<Vec<_>>().join(" ");
    let mut objects: Vec<ObjectRow> = OBJECTS.run(store, &[&words(names), &words(owners)])?;
    objects.retain(|object| clusters.contains(&object.cluster));
    Ok(objects)
}

/// Where an AppliedManifestWork of the work is, or an agent that serves its consumer; or the only cluster there is.
pub fn clusters(scene: &Scene, applied: &[AppliedWork]) -> Clusters {
    let held: Clusters = applied.iter().map(|work| work.row.cluster.clone()).collect();
    if !held.is_empty() {
        return held;
    }
    let served: Clusters = scene.agent_logs().iter().map(|log| log.cluster.clone()).collect();
    if !served.is_empty() {
        return served;
    }
    let looked_into = scene.collected.iter().filter(|table| table.table_name == "kube_objects");
    let all: Clusters = looked_into.map(|table| table.cluster.clone()).collect();
    if all.len() == 1 && scene.consumers.len() == 1 { all } else { Clusters::new() }
}

fn life(scene: &Scene, applied: &[AppliedWork]) -> Life {
    let row = scene.identity.row.as_ref();
    let deleted =
        scene.facts.iter().filter(|fact| fact.step == "deleted" && fact.sign == "passed").map(|fact| fact.at).max();
    let received = scene.facts.iter().filter(|fact| fact.hop == 3 && fact.request.is_none() && fact.step == "received");
    let again = deleted.is_some_and(|deleted| received.map(|fact| fact.at).max().is_some_and(|at| at > deleted));
    match row {
        Some(row) if row.deleted_at.is_some() => Life::Deleting,
        None if deleted.is_some() && !again => Life::Deleted,
        _ if !applied.is_empty() && applied.iter().all(|work| work.row.deleted_at.is_some()) => Life::Deleting,
        _ => Life::There,
    }
}
