//! What the database and the clusters hold about a work.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use super::ways::{Kind, Way};
use super::work::{Status, Work};

/// `2026-11-16T01:27:31.869952+00:00`.
pub fn row_time(at: i64) -> String {
    time(at).to_rfc3339_opts(SecondsFormat::Micros, false)
}

/// `2026-11-16T01:27:31Z`, as objects have it.
pub fn whole_time(at: i64) -> String {
    time(at).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// `2026-11-16T01:27:31.869952Z`, as CloudEvents have it.
pub fn event_time(at: i64) -> String {
    time(at).to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn time(at: i64) -> DateTime<chrono::Utc> {
    DateTime::from_timestamp_micros(at).expect("a time near ours")
}

/// The row of `resources`; a refused work has none.
pub fn resource(work: &Work) -> Option<Value> {
    let newest = work.requests.last()?;
    let stored = work.stored_status();
    (work.way != Some(Way::Refused)).then(|| {
        json!({
            "id": work.id, "name": work.id, "created_at": row_time(work.at + 10_000),
            "updated_at": row_time(stored.map_or(newest.at, |status| status.at) + 12_000),
            "deleted_at": newest.deleted_at.map(row_time),
            "source": work.source, "consumer_name": work.consumer, "version": work.version(), "type": "",
            "payload": payload(work), "status": stored.map(|status| status_event(work, status)),
        })
    })
}

fn annotations(op: &str) -> Value {
    json!({"logging.open-cluster-management.io/op-id": op})
}

fn payload(work: &Work) -> Value {
    let spec = work.requests.iter().rfind(|request| request.kind != Kind::Delete).expect("a work was created");
    json!({
        "id": spec.cloud, "time": event_time(spec.at), "specversion": "1.0", "datacontenttype": "application/json",
        "type": format!("io.open-cluster-management.works.v1alpha1.manifestbundles.spec.{}_request", spec.kind.word()),
        "source": work.source, "clustername": work.consumer, "originalsource": "", "resourceid": work.id,
        "resourceversion": spec.version - 1, "logtracing": annotations(&spec.op).to_string(),
        "metadata": {
            "uid": work.id, "name": work.name, "namespace": work.consumer, "resourceVersion": (spec.version - 1).to_string(),
            "annotations": annotations(&spec.op),
        },
        "data": {"manifests": manifests(work), "manifestConfigs": configs(work)},
    })
}

/// Two ConfigMaps, or what cannot be applied in the place of the second.
fn manifests(work: &Work) -> Vec<Value> {
    let named = |name: &str| json!({"name": name, "namespace": work.namespace});
    let map = |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": named(name), "data": {"version": work.version()}});
    let second = work.second_name();
    let second = match work.way {
        Some(Way::Undecodable) => return Vec::new(),
        Some(Way::Invalid) => json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": named(&second),
            "spec": {
                "replicas": 1, "selector": {"matchLabels": {"app": "other"}},
                "template": {
                    "metadata": {"labels": {"app": "bad-deploy"}},
                    "spec": {"containers": [{"name": "c", "image": "nginx:1.27"}]},
                },
            },
        }),
        Some(Way::NoSuchKind) => {
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": named(&second), "spec": {"size": 1}})
        }
        _ => map(&second),
    };
    vec![map(&work.name), second]
}

fn configs(work: &Work) -> Vec<Value> {
    let config = |name: &str| {
        json!({
            "resourceIdentifier": {"group": "", "resource": "configmaps", "name": name, "namespace": work.namespace},
            "feedbackRules": [{"type": "JSONPaths", "jsonPaths": [{"name": "meta", "path": ".metadata.name"}]}],
            "updateStrategy": {"type": "ServerSideApply", "serverSideApply": {"force": false, "fieldManager": "work-agent"}},
        })
    };
    let maps = manifests(work).into_iter().filter(|manifest| manifest["kind"] == "ConfigMap");
    maps.filter_map(|manifest| manifest["metadata"]["name"].as_str().map(config)).collect()
}

/// A status as the agent sent it.
fn status_event(work: &Work, status: &Status) -> Value {
    let made = whole_time(work.at);
    let mut metadata = json!({
        "uid": work.id, "name": work.name, "namespace": work.consumer, "resourceVersion": (status.version - 1).to_string(),
        "creationTimestamp": made, "annotations": annotations(&status.trace),
    });
    if let Some(at) = status.deleting {
        metadata["deletionTimestamp"] = json!(whole_time(at));
    }
    json!({
        "id": status.report, "time": event_time(status.at), "specversion": "1.0", "datacontenttype": "application/json",
        "type": "io.open-cluster-management.works.v1alpha1.manifestbundles.status.update_request",
        "source": format!("{}-work-agent", work.consumer), "clustername": work.consumer, "originalsource": "maestro",
        "resourceid": work.id, "resourceversion": status.version.to_string(), "sequenceid": status.sequence,
        "statushash": status.hash, "logtracing": annotations(&status.trace).to_string(), "metadata": metadata,
        "data": {"conditions": conditions(work, status), "resourceStatus": manifest_statuses(work, status)},
    })
}

fn condition(status: &Status, kind: &str, value: &str, reason: &str, message: &str) -> Value {
    json!({
        "type": kind, "status": value, "reason": reason, "message": message,
        "lastTransitionTime": whole_time(status.at), "observedGeneration": status.version,
    })
}

fn conditions(work: &Work, status: &Status) -> Vec<Value> {
    let told = |kind: &str, value: &str, reason: &str, message: &str| condition(status, kind, value, reason, message);
    let applied = match work.way {
        Some(Way::Invalid | Way::InConflict | Way::NoSuchKind) => {
            told("Applied", "False", "AppliedManifestWorkFailed", "Failed to apply manifest work")
        }
        _ => told("Applied", "True", "AppliedManifestWorkComplete", "Apply manifest work complete"),
    };
    let available = match work.way {
        Some(Way::Invalid) => told("Available", "False", "ResourcesNotAvailable", "1 of 2 resources are not available"),
        Some(Way::NoSuchKind) => {
            told("Available", "Unknown", "ResourcesStatusUnknown", "1 of 2 resources have unknown status")
        }
        _ => told("Available", "True", "ResourcesAvailable", "All resources are available"),
    };
    let deleting = status.deleting.map(|_| told("Deleting", "True", "WorkDeleting", "ManifestWork is being deleted"));
    [applied, available].into_iter().chain(deleting).collect()
}

fn manifest_statuses(work: &Work, status: &Status) -> Vec<Value> {
    let meta = |ordinal: usize, manifest: &Value| {
        let kind = manifest["kind"].as_str().unwrap_or_default();
        let (group, version) = match manifest["apiVersion"].as_str().and_then(|version| version.split_once('/')) {
            Some((group, version)) => (group, version),
            None => ("", "v1"),
        };
        let resource = if kind == "Widget" { String::new() } else { format!("{}s", kind.to_lowercase()) };
        json!({
            "kind": kind, "name": manifest["metadata"]["name"], "namespace": work.namespace, "group": group,
            "version": version, "resource": resource, "ordinal": ordinal,
        })
    };
    let manifests = manifests(work);
    let each = manifests.iter().enumerate().map(|(ordinal, manifest)| {
        let is_bad = match work.way {
            Some(Way::Invalid | Way::NoSuchKind) => ordinal == 1,
            Some(Way::InConflict | Way::FeedbackMissing) => ordinal == 0,
            _ => false,
        };
        let name = &manifest["metadata"]["name"];
        let feedback = if is_bad && work.way != Some(Way::InConflict) {
            json!({})
        } else {
            json!({"values": [{"name": "meta", "fieldValue": {"type": "String", "string": name}}]})
        };
        let way = work.way.filter(|_| is_bad);
        json!({
            "conditions": manifest_conditions(work, status, way),
            "resourceMeta": meta(ordinal, manifest),
            "statusFeedback": feedback,
        })
    });
    each.collect()
}

fn manifest_conditions(work: &Work, status: &Status, way: Option<Way>) -> Vec<Value> {
    let told = |kind: &str, value: &str, reason: &str, message: &str| condition(status, kind, value, reason, message);
    let failed =
        |why: &str| told("Applied", "False", "AppliedManifestFailed", &format!("Failed to apply manifest: {why}"));
    let applied = || told("Applied", "True", "AppliedManifestComplete", "Apply manifest complete");
    let available = || told("Available", "True", "ResourceAvailable", "Resource is available");
    let synced = || told("StatusFeedbackSynced", "True", "StatusFeedbackSynced", "");
    match way {
        Some(Way::Invalid) => {
            let why = format!(
                "Deployment.apps \"{}\" is invalid: spec.template.metadata.labels: Invalid value: \
                 {{\"app\":\"bad-deploy\"}}: `selector` does not match template `labels`",
                work.second_name()
            );
            vec![failed(&why), told("Available", "False", "ResourceNotAvailable", "Resource is not available")]
        }
        Some(Way::NoSuchKind) => vec![
            failed("the server doesn't have a resource type \"Widget\""),
            told("Available", "Unknown", "IncompleteResourceMeta", "Resource meta is incomplete"),
        ],
        Some(Way::InConflict) => {
            let why = "Apply failed with 1 conflict: conflict with \"other-operator\": .data.owner";
            vec![failed(why), available(), synced()]
        }
        Some(Way::FeedbackMissing) => {
            let why = "Sync status feedback failed with error the length of returned json raw string for name data is \
                       larger than the maximum length 64";
            vec![applied(), available(), told("StatusFeedbackSynced", "False", "StatusFeedbackSyncFailed", why)]
        }
        _ => vec![applied(), available(), synced()],
    }
}

/// The AppliedManifestWork, if an agent made one.
pub fn applied_work(work: &Work, hub: &str) -> Option<Value> {
    let listed: &[bool] = match work.way {
        Some(
            Way::Refused
            | Way::Undecodable
            | Way::ConsumerMismatch
            | Way::AgentAway
            | Way::ListenerLost
            | Way::BrokerLost,
        ) => return None,
        Some(Way::NoSuchKind) => &[false, false],
        Some(Way::Invalid | Way::HeldDelete) => &[true, false],
        _ => &[true, true],
    };
    let names = [(work.name.clone(), &work.object), (work.second_name(), &work.second)];
    let resources = names.iter().zip(listed).filter(|(_, listed)| **listed).map(|((name, uid), _)| {
        json!({
            "group": "", "version": "v1", "resource": "configmaps", "namespace": work.namespace, "name": name, "uid": uid,
        })
    });
    let mut metadata = json!({
        "name": format!("{hub}-{}", work.id), "uid": work.applied, "creationTimestamp": whole_time(work.at), "generation": 1,
        "labels": {"cloudevents.open-cluster-management.io/originalsource": "maestro"},
        "finalizers": ["cluster.open-cluster-management.io/applied-manifest-work-cleanup"],
    });
    if let Some(at) = work.deleted_at() {
        metadata["deletionTimestamp"] = json!(whole_time(at));
    }
    Some(json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork", "metadata": metadata,
        "spec": {"agentID": hub, "hubHash": hub, "manifestWorkName": work.id},
        "status": {"appliedResources": resources.collect::<Vec<_>>()},
    }))
}

/// The objects that the cluster holds for a work.
pub fn objects(work: &Work, hub: &str) -> Vec<Value> {
    if applied_work(work, hub).is_none() {
        return Vec::new();
    }
    let object = |name: &str, uid: &str| {
        json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"version": work.version()},
            "metadata": {
                "name": name, "namespace": work.namespace, "uid": uid, "creationTimestamp": whole_time(work.at + 70_000),
                "ownerReferences": [{
                    "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
                    "name": format!("{hub}-{}", work.id), "uid": work.applied,
                }],
            },
        })
    };
    let mut first = object(&work.name, &work.object);
    if let Some(at) = work.deleted_at() {
        first["metadata"]["deletionTimestamp"] = json!(whole_time(at));
        first["metadata"]["finalizers"] = json!(["example.com/never"]);
    }
    match work.way {
        Some(Way::Invalid | Way::NoSuchKind | Way::HeldDelete) => vec![first],
        _ => vec![first, object(&work.second_name(), &work.second)],
    }
}
