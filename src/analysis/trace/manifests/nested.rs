//! A manifest that is a ManifestWork itself: an agent of another hub applies what is in it.

use super::super::super::error::Result;
use super::super::load::Loader;
use super::gather::{self, Clusters};
use super::sides::{AppliedWork, Life, Material, Sides};
use super::spec::Spec;
use super::status::{Status, conditions};
use crate::model::{Condition, InnerWork, ManifestsFrom};
use crate::query::trace::{INNER_APPLIED_LISTS, WantedObject};
use serde_json::Value;
use std::collections::BTreeMap;

const GROUP: &str = "work.open-cluster-management.io";

/// The namespace of works that the cluster itself is to apply.
const LOCAL: &str = "local-cluster";

/// The work inside, one level down.
pub fn look(loader: &mut Loader<'_>, outer: &Material, sides: &Sides<'_>) -> Result<Option<InnerWork>> {
    let is_work = sides.name.kind.as_deref() == Some("ManifestWork") && sides.name.group.as_deref() == Some(GROUP);
    if !is_work {
        return Ok(None);
    }
    let name = sides.name.name.as_str();
    let object = sides.object.and_then(|object| serde_json::from_str::<Value>(&object.object).ok()).unwrap_or_default();
    let object_evidence = sides.object.map(|object| object.evidence.clone()).unwrap_or_default();
    let sent = sides.asked.zip(outer.spec.as_ref());
    let spec = sent.and_then(|(asked, spec)| Spec::of_work(&asked.manifest, spec.source, spec.evidence.clone()));
    let spec = spec.or_else(|| Spec::of_work(&object, ManifestsFrom::Object, object_evidence.clone()));
    let own_status = object.get("status").and_then(|status| Status::of_work(status, &object_evidence));
    let fed_back = sides.status.and_then(|status| status.inner_status());
    let reported = outer.status.as_ref().map(|status| status.evidence.as_str()).unwrap_or_default();
    let fed_back_status = fed_back.and_then(|status| Status::of_work(status, reported));
    let applied = applied_works(loader, sides, name)?;
    let clusters = clusters(sides, &applied);
    gather::bring_asked(loader, spec.as_ref())?;
    bring_listed(loader, &applied)?;
    let mut material = Material {
        spec,
        status: None,
        applied,
        objects: Vec::new(),
        logged: Vec::new(),
        called: vec![name.to_owned()],
        life: match outer.life {
            Life::There if sides.object.is_some_and(|object| object.deleted_at.is_some()) => Life::Deleting,
            life => life,
        },
        now: outer.now,
    };
    material.objects = gather::objects(&loader.store, &material, &clusters)?;
    let own_words = fed_back_status.as_ref().map(|_| words(&material, own_status.as_ref())).unwrap_or_default();
    material.status = fed_back_status.or(own_status);
    let manifests = super::judge(loader, &material, &clusters, &own_words)?;
    let of_work = fed_back.or(object.get("status")).and_then(|status| status.get("conditions"));
    Ok(Some(InnerWork {
        applied_works: material.applied.iter().map(|work| work.row.name.clone()).collect(),
        conditions: conditions(of_work),
        manifests,
    }))
}

/// Those of the cluster that the inner work is in, if it is to be applied there.
fn applied_works(loader: &mut Loader<'_>, sides: &Sides<'_>, name: &str) -> Result<Vec<AppliedWork>> {
    loader.bring_keys(&[name], "applied_manifest_works", "manifest_work_name")?;
    let mut applied: Vec<AppliedWork> =
        INNER_APPLIED_LISTS.run(&loader.store, &[name])?.into_iter().map(AppliedWork::read).collect();
    if let (Some(LOCAL), Some(object)) = (sides.name.namespace.as_deref(), sides.object) {
        applied.retain(|work| work.row.cluster == object.cluster);
    }
    let names: Vec<&str> = applied.iter().map(|work| work.row.name.as_str()).collect();
    loader.bring_keys(&names, "kube_objects", "applied_works")?;
    Ok(applied)
}

fn clusters(sides: &Sides<'_>, applied: &[AppliedWork]) -> Clusters {
    let held: Clusters = applied.iter().map(|work| work.row.cluster.clone()).collect();
    let own = sides.object.filter(|_| sides.name.namespace.as_deref() == Some(LOCAL));
    if held.is_empty() { own.map(|object| object.cluster.clone()).into_iter().collect() } else { held }
}

fn bring_listed(loader: &mut Loader<'_>, applied: &[AppliedWork]) -> Result<()> {
    let uids = applied.iter().flat_map(|work| &work.listed).filter_map(|listed| listed.uid.clone());
    let wanted = uids.map(|uid| WantedObject { key: uid, kind: None, namespace: None });
    loader.bring_objects(&wanted.collect::<Vec<_>>())
}

/// What the inner work's own status says, by the place of each manifest.
fn words(material: &Material, own: Option<&Status>) -> BTreeMap<usize, Vec<Condition>> {
    let said = |sides: &Sides<'_>| {
        let status = own?.manifests.iter().find(|status| status.name.is(&sides.name))?;
        Some(status.conditions.clone())
    };
    material.sides().iter().enumerate().filter_map(|(place, sides)| Some((place, said(sides)?))).collect()
}
