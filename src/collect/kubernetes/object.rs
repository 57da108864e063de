//! The JSON text of one object to a row of its table.

use crate::collect::error::Result;
use crate::collect::form::Taking;
use crate::collect::leads::Leads;
use crate::schema::{AppliedManifestWork, Json, KubeEvent, KubeObject, ManifestWork, Text, Time};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The group of AppliedManifestWorks and ManifestWorks.
const WORK_GROUP: &str = "work.open-cluster-management.io/";

/// Whose containers Maestro's processes run in.
const WORKLOADS: &[&str] = &["Pod", "ReplicaSet", "Deployment", "StatefulSet"];

/// Nobody nests deeper; who reads the JSON later need not fear for the stack.
const DEEPEST: usize = 200;

/// Where an object was found.
pub struct Origin<'a> {
    pub cluster: Option<&'a str>,
    pub file: &'a str,
    pub text: &'a str,
}

/// What a list says of all its objects.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Head {
    pub api_version: Option<String>,
    pub kind: Option<String>,
    metadata: HeadMetadata,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HeadMetadata {
    #[serde(rename = "continue")]
    next: Option<String>,
}

impl Head {
    /// The kind of objects that a typed list holds; `List` itself says nothing.
    pub fn item_kind(&self) -> Option<&str> {
        self.kind.as_deref()?.strip_suffix("List").filter(|kind| !kind.is_empty())
    }

    /// It is a page of a longer list.
    pub fn goes_on(&self) -> bool {
        self.metadata.next.as_ref().is_some_and(|next| !next.is_empty())
    }
}

/// What came of an object.
pub enum Stored {
    /// It is a row of this table, new or known before.
    Row(&'static str, bool),
    /// It does not say its kind, and its list did not either.
    NoKind,
    /// It is no object of a cluster, and why.
    Refused(String),
}

/// Stores an object. Objects of typed lists do not name their kind; the list does.
pub fn store(list: &Head, origin: &Origin<'_>, taking: &mut Taking<'_>) -> Result<Stored> {
    if is_deep(origin.text) {
        return Ok(Stored::Refused(format!("nested deeper than {DEEPEST} levels")));
    }
    let object: Object<'_> = match serde_json::from_str(origin.text) {
        Ok(object) => object,
        Err(error) => return Ok(Stored::Refused(error.to_string())),
    };
    let Some(kind) = object.kind.clone().or(list.item_kind().map(Cow::Borrowed)) else {
        return Ok(Stored::NoKind);
    };
    let api_version = object.api_version.as_deref().or(list.api_version.as_deref()).unwrap_or_default();
    if kind == "Status" && api_version == "v1" {
        return Ok(Stored::Refused(format!("the API server answered: {}", answer(origin.text))));
    }
    if object.metadata.name.is_empty() {
        return Ok(Stored::Refused(format!("a {kind} without a name")));
    }
    if WORKLOADS.contains(&kind.as_ref()) {
        taking.processes.saw(&kind, origin.cluster, origin.text);
    }
    taking.clock.saw(object.times());
    // The same state of the same object, as JSON and as YAML, with managed fields and without, is one.
    if let (Some(uid), Some(version)) = (&object.metadata.uid, &object.metadata.resource_version)
        && !taking.is_new(&["object", origin.cluster.unwrap_or_default(), uid, version])
    {
        return Ok(Stored::Row(table_of(&kind), false));
    }
    let of_works = api_version.is_empty() || api_version.starts_with(WORK_GROUP);
    let of_events = matches!(api_version, "" | "v1") || api_version.starts_with("events.k8s.io/");
    Ok(match kind.as_ref() {
        "AppliedManifestWork" if of_works => {
            Stored::Row("applied_manifest_works", taking.row(&object.applied_work(origin))?)
        }
        "ManifestWork" if of_works => Stored::Row("manifest_works", taking.row(&object.manifest_work(origin))?),
        "Event" if of_events => match serde_json::from_str::<EventFields<'_>>(origin.text) {
            Ok(fields) => {
                taking.clock.saw(fields.last_at());
                Stored::Row("kube_events", taking.row(&object.event(fields, origin))?)
            }
            Err(error) => Stored::Refused(error.to_string()),
        },
        _ => {
            let api_version = Cow::Owned(api_version.to_owned());
            Stored::Row("kube_objects", taking.row(&object.other(kind, api_version, origin))?)
        }
    })
}

/// The table of a kind's objects.
pub fn table_of(kind: &str) -> &'static str {
    match kind {
        "AppliedManifestWork" => "applied_manifest_works",
        "ManifestWork" => "manifest_works",
        "Event" => "kube_events",
        _ => "kube_objects",
    }
}

fn is_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    text.bytes().any(|byte| {
        match byte {
            b'"' if !escaped => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
        depth > DEEPEST
    })
}

/// What a `Status` says: people redirect the answer to a file without looking at it.
fn answer(text: &str) -> String {
    #[derive(Deserialize)]
    struct Status {
        message: Option<String>,
    }
    serde_json::from_str::<Status>(text).ok().and_then(|status| status.message).unwrap_or_default()
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
}

/// The fields of an Event, of `v1` and of `events.k8s.io/v1`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventFields<'a> {
    first_timestamp: Option<Time>,
    last_timestamp: Option<Time>,
    event_time: Option<Time>,
    deprecated_first_timestamp: Option<Time>,
    deprecated_last_timestamp: Option<Time>,
    #[serde(rename = "type")]
    type_: Option<Cow<'a, str>>,
    reason: Option<Cow<'a, str>>,
    message: Option<Cow<'a, str>>,
    note: Option<Cow<'a, str>>,
    count: Option<i64>,
    deprecated_count: Option<i64>,
    series: Option<Series>,
    involved_object: Option<Reference<'a>>,
    regarding: Option<Reference<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Series {
    count: Option<i64>,
    last_observed_time: Option<Time>,
}

impl EventFields<'_> {
    fn last_at(&self) -> Option<Time> {
        let observed = self.series.as_ref().and_then(|series| series.last_observed_time);
        let last = [observed, self.last_timestamp, self.deprecated_last_timestamp].into_iter().flatten().max();
        last.or(self.event_time)
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(default)]
    name: Cow<'a, str>,
    namespace: Option<Cow<'a, str>>,
    uid: Option<Cow<'a, str>>,
    resource_version: Option<Cow<'a, str>>,
    generation: Option<i64>,
    creation_timestamp: Option<Time>,
    deletion_timestamp: Option<Time>,
    #[serde(borrow, default)]
    finalizers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    owner_references: Option<Vec<Reference<'a>>>,
    #[serde(default)]
    managed_fields: Option<Vec<ManagedFields>>,
    #[serde(borrow, default)]
    labels: Option<&'a RawValue>,
    #[serde(borrow, default)]
    annotations: Option<&'a RawValue>,
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
        [metadata.creation_timestamp, metadata.deletion_timestamp].into_iter().flatten().chain(written).collect()
    }

    fn applied_work(self, origin: &Origin<'a>) -> AppliedManifestWork<'a> {
        let spec: AppliedSpec = self.spec.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let status: AppliedStatus<'a> =
            self.status.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let mut leads = self.labels();
        leads.applied(status.applied_resources.map_or("", RawValue::get));
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
            manifest_paths: leads.manifest_paths(),
            label_pairs: leads.label_pairs(),
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn manifest_work(self, origin: &Origin<'a>) -> ManifestWork<'a> {
        let mut leads = Leads::default();
        leads.spec(origin.text);
        ManifestWork {
            cluster: origin.cluster(),
            applied_works: self.applied_works(),
            manifest_paths: leads.manifest_paths(),
            label_pairs: self.owned_labels(),
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

    fn event(self, fields: EventFields<'a>, origin: &Origin<'a>) -> KubeEvent<'a> {
        let last_at = fields.last_at();
        let first_at = fields.first_timestamp.or(fields.deprecated_first_timestamp).or(fields.event_time);
        let about = fields.involved_object.or(fields.regarding);
        let (object_kind, object_name) = about.map_or((None, None), |object| (object.kind, object.name));
        KubeEvent {
            cluster: origin.cluster(),
            namespace: self.metadata.namespace,
            name: self.metadata.name,
            first_at: first_at.or(self.metadata.creation_timestamp),
            last_at,
            type_: fields.type_,
            reason: fields.reason,
            message: fields.message.or(fields.note),
            object_kind,
            object_name,
            count: fields.series.and_then(|series| series.count).or(fields.count).or(fields.deprecated_count),
            object: origin.json(),
            file: origin.file(),
        }
    }

    fn other(self, kind: Text<'a>, api_version: Text<'a>, origin: &Origin<'a>) -> KubeObject<'a> {
        KubeObject {
            cluster: origin.cluster(),
            applied_works: self.applied_works(),
            label_pairs: self.owned_labels(),
            api_version: Some(api_version).filter(|version| !version.is_empty()),
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

    fn labels(&self) -> Leads {
        let mut leads = Leads::default();
        leads.labels(self.metadata.labels.map(RawValue::get), self.metadata.annotations.map(RawValue::get));
        leads
    }

    /// Labels of an object that no AppliedManifestWork owns lead nowhere.
    fn owned_labels(&self) -> Option<Text<'static>> {
        self.applied_works().and_then(|_| self.labels().label_pairs())
    }

    fn applied_works(&self) -> Option<Text<'a>> {
        let owners = self.metadata.owner_references.iter().flatten();
        let works = owners.filter(|owner| owner.kind.as_deref() == Some("AppliedManifestWork"));
        let names: Vec<&str> = works.filter_map(|owner| owner.name.as_deref()).collect();
        (!names.is_empty()).then(|| Cow::Owned(names.join(" ")))
    }
}
