//! Kubernetes objects as `kubectl get -o json` prints them: a List, a typed list or one object.

use super::candidate::Candidate;
use super::form::{Form, Taken, Taking};
use super::json::top_keys;
use crate::schema::{AppliedManifestWork, Json, KubeEvent, KubeObject, ManifestWork, Text, Time};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::BufRead;

pub struct KubernetesObjects;

/// The group of AppliedManifestWorks and ManifestWorks.
const WORK_GROUP: &str = "work.open-cluster-management.io/";

impl Form for KubernetesObjects {
    fn name(&self) -> &'static str {
        "Kubernetes objects (JSON)"
    }

    /// Looks for the two words that every object and list has at its top; other JSON may hold objects too.
    fn claims(&self, file: &Candidate) -> bool {
        let keys = top_keys(&file.head);
        let has = |key: &str| keys.iter().any(|found| found == key);
        let first = keys.iter().position(|key| key == "apiVersion").is_some_and(|position| position < 4);
        has("apiVersion") && has("kind") || first && has("items") || first && has("metadata")
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> super::error::Result<Taken> {
        let mut taken = Taken::default();
        let mut text = String::new();
        if let Err(error) = input.read_to_string(&mut text) {
            taken.problem(error.to_string());
            return Ok(taken);
        }
        match serde_json::from_str::<Items<'_>>(&text) {
            Ok(Items { items: Some(items), .. }) if items.is_empty() => taken.has(table_called(&file.name)),
            Ok(Items { items: Some(items), kind, .. }) => {
                let kind = kind.as_deref().and_then(|kind| kind.strip_suffix("List")).filter(|kind| !kind.is_empty());
                for item in items {
                    take_object(item.get(), kind, file, taking, &mut taken)?;
                }
            }
            Ok(_) => take_object(text.trim(), None, file, taking, &mut taken)?,
            Err(error) => taken.problem(error.to_string()),
        }
        Ok(taken)
    }
}

/// An empty list does not say what it would hold; its file is called like the resource that was asked for.
fn table_called(name: &str) -> &'static str {
    match name.rsplit('/').next().and_then(|file| file.split('.').next()) {
        Some("appliedmanifestworks") => "applied_manifest_works",
        Some("manifestworks") => "manifest_works",
        Some("events") => "kube_events",
        _ => "kube_objects",
    }
}

#[derive(Deserialize)]
struct Items<'a> {
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
    kind: Option<Cow<'a, str>>,
}

/// Objects of typed lists do not name their kind; the list does.
fn take_object(
    text: &str,
    list_kind: Option<&str>,
    file: &Candidate,
    taking: &mut Taking<'_>,
    taken: &mut Taken,
) -> super::error::Result<()> {
    taken.seen += 1;
    let object: Object<'_> = match serde_json::from_str(text) {
        Ok(object) => object,
        Err(error) => {
            taken.problem(format!("object {}: {error}", taken.seen));
            taken.unknown += 1;
            taking.keep(&file.name, None, text)?;
            return Ok(());
        }
    };
    let cluster = file.cluster();
    let origin = Origin { cluster: cluster.as_deref(), file: &file.name, text };
    let kind = object.kind.clone().or(list_kind.map(Cow::Borrowed)).unwrap_or_default();
    let work = object.api_version.as_deref().unwrap_or(WORK_GROUP).starts_with(WORK_GROUP);
    taking.clock.saw(object.times());
    let (table, new) = match kind.as_ref() {
        "AppliedManifestWork" if work => ("applied_manifest_works", taking.row(&object.applied_work(&origin))?),
        "ManifestWork" if work => ("manifest_works", taking.row(&object.manifest_work(&origin))?),
        "Event" => ("kube_events", taking.row(&object.event(&origin))?),
        _ => ("kube_objects", taking.row(&object.other(kind, &origin))?),
    };
    taken.count(table, new);
    Ok(())
}

struct Origin<'a> {
    cluster: Option<&'a str>,
    file: &'a str,
    text: &'a str,
}

impl<'a> Origin<'a> {
    fn cluster(&self) -> Option<Text<'a>> {
        self.cluster.map(Cow::Borrowed)
    }

    fn file(&self) -> Option<Text<'a>> {
        Some(Cow::Borrowed(self.file))
    }

    fn json(&self) -> Json<'a> {
        Json(Cow::Borrowed(self.text))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    #[serde(borrow)]
    api_version: Option<Cow<'a, str>>,
    kind: Option<Cow<'a, str>>,
    #[serde(default)]
    metadata: Metadata<'a>,
    #[serde(borrow, default)]
    spec: Option<&'a RawValue>,
    #[serde(borrow, default)]
    status: Option<&'a RawValue>,
    first_timestamp: Option<Time>,
    last_timestamp: Option<Time>,
    event_time: Option<Time>,
    #[serde(rename = "type")]
    type_: Option<Cow<'a, str>>,
    reason: Option<Cow<'a, str>>,
    message: Option<Cow<'a, str>>,
    count: Option<i64>,
    involved_object: Option<Reference<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(default)]
    name: Cow<'a, str>,
    namespace: Option<Cow<'a, str>>,
    uid: Option<Cow<'a, str>>,
    generation: Option<i64>,
    creation_timestamp: Option<Time>,
    deletion_timestamp: Option<Time>,
    #[serde(borrow, default)]
    finalizers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    owner_references: Option<Vec<Reference<'a>>>,
    #[serde(default)]
    managed_fields: Option<Vec<ManagedFields>>,
}

#[derive(Deserialize)]
struct ManagedFields {
    time: Option<Time>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference<'a> {
    kind: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AppliedSpec {
    manifest_work_name: Option<String>,
    hub_hash: Option<String>,
    #[serde(rename = "agentID")]
    agent_id: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AppliedStatus<'a> {
    #[serde(borrow)]
    applied_resources: Option<&'a RawValue>,
    eviction_start_time: Option<Time>,
}

impl<'a> Object<'a> {
    fn times(&self) -> Vec<Time> {
        let metadata = &self.metadata;
        let written = metadata.managed_fields.iter().flatten().filter_map(|fields| fields.time);
        [metadata.creation_timestamp, metadata.deletion_timestamp, self.last_timestamp, self.event_time]
            .into_iter()
            .flatten()
            .chain(written)
            .collect()
    }

    fn applied_work(self, origin: &Origin<'a>) -> AppliedManifestWork<'a> {
        let spec: AppliedSpec = self.spec.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let status: AppliedStatus<'a> =
            self.status.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        AppliedManifestWork {
            cluster: origin.cluster(),
            name: self.metadata.name,
            uid: self.metadata.uid,
            created_at: self.metadata.creation_timestamp,
            deleted_at: self.metadata.deletion_timestamp,
            manifest_work_name: spec.manifest_work_name.map(Cow::Owned),
            hub_hash: spec.hub_hash.map(Cow::Owned),
            agent_id: spec.agent_id.map(Cow::Owned),
            eviction_started_at: status.eviction_start_time,
            applied_resources: status.applied_resources.map(|raw| Json(Cow::Borrowed(raw.get()))),
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn manifest_work(self, origin: &Origin<'a>) -> ManifestWork<'a> {
        ManifestWork {
            cluster: origin.cluster(),
            applied_works: self.applied_works(),
            namespace: self.metadata.namespace,
            name: self.metadata.name,
            uid: self.metadata.uid,
            created_at: self.metadata.creation_timestamp,
            deleted_at: self.metadata.deletion_timestamp,
            generation: self.metadata.generation,
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn event(self, origin: &Origin<'a>) -> KubeEvent<'a> {
        let (object_kind, object_name) = self.involved_object.map_or((None, None), |object| (object.kind, object.name));
        KubeEvent {
            cluster: origin.cluster(),
            namespace: self.metadata.namespace,
            name: self.metadata.name,
            first_at: self.first_timestamp.or(self.event_time).or(self.metadata.creation_timestamp),
            last_at: self.last_timestamp.or(self.event_time),
            type_: self.type_,
            reason: self.reason,
            message: self.message,
            object_kind,
            object_name,
            count: self.count,
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn other(self, kind: Text<'a>, origin: &Origin<'a>) -> KubeObject<'a> {
        KubeObject {
            cluster: origin.cluster(),
            applied_works: self.applied_works(),
            api_version: self.api_version,
            kind,
            namespace: self.metadata.namespace,
            name: self.metadata.name,
            uid: self.metadata.uid,
            created_at: self.metadata.creation_timestamp,
            deleted_at: self.metadata.deletion_timestamp,
            generation: self.metadata.generation,
            finalizers: self.metadata.finalizers.map(|raw| Json(Cow::Borrowed(raw.get()))),
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn applied_works(&self) -> Option<Text<'a>> {
        let owners = self.metadata.owner_references.iter().flatten();
        let works = owners.filter(|owner| owner.kind.as_deref() == Some("AppliedManifestWork"));
        let names: Vec<&str> = works.filter_map(|owner| owner.name.as_deref()).collect();
        (!names.is_empty()).then(|| Cow::Owned(names.join(" ")))
    }
}
