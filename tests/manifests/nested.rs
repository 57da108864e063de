//! A work whose manifest is a work itself, as on clusters where another agent applies what Maestro's brings: two hub
//! hashes, two AppliedManifestWorks, and a status within a status.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{findings, manifest, work_in};
use crate::support::{dacapo, run};

const ID: &str = "7c1f3f0e-5a0b-5c8e-9d57-3c1b8f0a6b21";

/// The outer work and the inner one have the same name: nothing forbids it.
const NAME: &str = "hosted-abc";

fn applied_name(outer: bool) -> String {
    if outer { format!("{}-{ID}", "a".repeat(64)) } else { format!("{}-{NAME}", "b".repeat(64)) }
}

fn inner_manifests() -> Value {
    json!([
        {"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster",
         "metadata": {"name": "abc", "namespace": "clusters"}, "spec": {"platform": {"type": "Azure"}}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "clusters"}, "data": {"size": "2"}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "pull", "namespace": "clusters"}, "stringData": {"token": "open-sesame"}}
    ])
}

fn inner_work() -> Value {
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {"name": NAME, "namespace": "local-cluster"},
        "spec": {
            "workload": {"manifests": inner_manifests()},
            "manifestConfigs": [{
                "resourceIdentifier": {"group": "hypershift.openshift.io", "resource": "hostedclusters", "namespace": "clusters", "name": "abc"},
                "feedbackRules": [{"type": "JSONPaths", "jsonPaths": [{"name": "status", "path": ".status"}]}],
                "updateStrategy": {"type": "ServerSideApply"}
            }]
        }
    })
}

fn condition(kind: &str, status: &str) -> Value {
    json!({"type": kind, "status": status, "reason": "R", "message": "m", "lastTransitionTime": "2026-01-15T09:45:12Z", "observedGeneration": 1})
}

fn fed_back(name: &str, value: &Value) -> Value {
    json!({"values": [{"name": name, "fieldValue": {"type": "JsonRaw", "jsonRaw": value.to_string()}}]})
}

fn reported(group: &str, kind: &str, resource: &str, name: &str, available: &str, feedback: Value) -> Value {
    json!({"resourceMeta": {"ordinal": 0, "group": group, "version": "v1", "kind": kind, "resource": resource, "namespace": "clusters", "name": name},
        "conditions": [condition("Applied", "True"), condition("Available", available)], "statusFeedback": feedback})
}

/// The status of the inner work, in which its agent may have gone on meanwhile.
fn inner_status(settings_available: &str) -> Value {
    let hosted = fed_back("status", &json!({"conditions": [{"type": "Available", "status": "True"}]}));
    json!({
        "conditions": [condition("Applied", "True")],
        "resourceStatus": {"manifests": [
            reported("hypershift.openshift.io", "HostedCluster", "hostedclusters", "abc", "True", hosted),
            reported("", "ConfigMap", "configmaps", "settings", settings_available, json!({})),
            reported("", "Secret", "secrets", "pull", "True", fed_back("data", &json!({"token": "open-sesame"}))),
        ]}
    })
}

fn outer_row() -> Value {
    let identifier = json!({"group": "work.open-cluster-management.io", "resource": "manifestworks", "namespace": "local-cluster", "name": NAME});
    let meta = json!({"ordinal": 0, "group": "work.open-cluster-management.io", "version": "v1", "kind": "ManifestWork",
        "resource": "manifestworks", "namespace": "local-cluster", "name": NAME});
    let rules = json!([{"type": "JSONPaths", "jsonPaths": [{"name": "status", "path": ".status"}]}]);
    json!({
        "id": ID, "name": ID, "created_at": "2026-01-15T09:45:10Z", "updated_at": "2026-01-15T09:45:20Z", "deleted_at": null,
        "source": "orchestrator", "consumer_name": "cluster1", "version": 1, "type": "",
        "payload": {
            "id": "e-1", "type": "io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request", "source": "orchestrator",
            "time": "2026-01-15T09:45:10Z", "resourceid": ID, "clustername": "cluster1", "resourceversion": 0,
            "metadata": {"name": NAME, "namespace": "cluster1", "uid": ID},
            "data": {"manifests": [inner_work()], "manifestConfigs": [{"resourceIdentifier": identifier, "feedbackRules": rules}]}
        },
        "status": {
            "id": "s-1", "type": "io.open-cluster-management.works.v1alpha1.manifestbundles.status.update_request",
            "time": "2026-01-15T09:45:20Z", "resourceid": ID, "resourceversion": "1", "sequenceid": "2011736416307908608",
            "data": {
                "conditions": [condition("Applied", "True"), condition("Available", "True")],
                "resourceStatus": [{
                    "resourceMeta": meta, "conditions": [condition("Applied", "True"), condition("Available", "True")],
                    "statusFeedback": fed_back("status", &inner_status("True"))
                }]
            }
        }
    })
}

fn applied_work(outer: bool, resources: Value) -> Value {
    let hash = if outer { "a" } else { "b" }.repeat(64);
    let labels =
        if outer { json!({"cloudevents.open-cluster-management.io/originalsource": "maestro"}) } else { json!({}) };
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
        "metadata": {"name": applied_name(outer), "uid": format!("amw-{outer}"), "creationTimestamp": "2026-01-15T09:45:11Z", "labels": labels},
        "spec": {"hubHash": hash, "agentID": hash, "manifestWorkName": if outer { ID } else { NAME }},
        "status": {"appliedResources": resources}
    })
}

fn owned(mut object: Value, uid: &str, outer: bool) -> Value {
    object["metadata"]["uid"] = json!(uid);
    object["metadata"]["creationTimestamp"] = json!("2026-01-15T09:45:12Z");
    object["metadata"]["ownerReferences"] = json!([{"apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork", "name": applied_name(outer), "uid": "x"}]);
    object
}

fn listed(group: &str, resource: &str, namespace: &str, name: &str, uid: &str) -> Value {
    json!({"group": group, "version": "v1", "resource": resource, "namespace": namespace, "name": name, "uid": uid})
}

fn list(items: Value) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn night(folder: &Path) {
    let (db, kube) = (folder.join("db"), folder.join("kube/mgmt"));
    fs::create_dir_all(&db).unwrap();
    fs::create_dir_all(&kube).unwrap();
    fs::write(db.join("resources.jsonl"), outer_row().to_string()).unwrap();
    fs::write(db.join("consumers.jsonl"), json!({"id": "c-1", "name": "cluster1"}).to_string()).unwrap();
    let outer = json!([listed("work.open-cluster-management.io", "manifestworks", "local-cluster", NAME, "u-work")]);
    let inner = json!([
        listed("hypershift.openshift.io", "hostedclusters", "clusters", "abc", "u-hosted"),
        listed("", "configmaps", "clusters", "settings", "u-map"),
        listed("", "secrets", "clusters", "pull", "u-secret"),
    ]);
    let applied = json!([applied_work(true, outer), applied_work(false, inner)]);
    fs::write(kube.join("appliedmanifestworks.json"), list(applied)).unwrap();
    let mut work = owned(inner_work(), "u-work", true);
    work["status"] = inner_status("False");
    fs::write(kube.join("manifestworks.json"), list(json!([work]))).unwrap();
    let manifests = inner_manifests();
    let hosted = owned(manifests[0].clone(), "u-hosted", false);
    let mut map = owned(manifests[1].clone(), "u-map", false);
    map["data"]["size"] = json!("3");
    let mut secret = owned(manifests[2].clone(), "u-secret", false);
    secret["data"] = json!({"token": "b3Blbi1zZXNhbWU="});
    secret.as_object_mut().unwrap().remove("stringData");
    fs::write(kube.join("objects.json"), list(json!([hosted, map, secret]))).unwrap();
}

#[test]
fn a_work_inside_a_work_is_followed_one_level_down() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("night");
    night(&folder);
    let work = work_in(&folder, ID);
    assert_eq!(work["applied_works"], json!([applied_name(true)]), "the other agent's is not Maestro's");
    let outer = manifest(&work["manifests"], NAME);
    assert_eq!(outer["in"], json!(["payload", "applied_work", "object"]));
    assert_eq!((&outer["actual"], findings(outer)), (&json!("as_asked"), vec![]));
    assert_eq!(outer["evidence"][2], "manifest_works:1");
    let inner = &outer["inner"];
    assert_eq!(inner["applied_works"], json!([applied_name(false)]));
    assert_eq!(inner["conditions"][0]["type"], "Applied");
    let hosted = manifest(&inner["manifests"], "abc");
    assert_eq!((&hosted["kind"], &hosted["resource"]), (&json!("HostedCluster"), &json!("hostedclusters")));
    assert_eq!(hosted["in"], json!(["payload", "applied_work", "object"]));
    assert_eq!((&hosted["update_strategy"], &hosted["actual"]), (&json!("ServerSideApply"), &json!("as_asked")));
    assert_eq!(hosted["feedback"][0]["value"], json!({"conditions": [{"type": "Available", "status": "True"}]}));
    assert!(findings(hosted).is_empty());
    let settings = manifest(&inner["manifests"], "settings");
    assert_eq!(settings["differs"], json!([{"path": ".data.size", "desired": "2", "actual": "3"}]));
    assert_eq!(findings(settings), ["feedback_behind", "differs"]);
    let secret = manifest(&inner["manifests"], "pull");
    assert_eq!((&secret["actual"], findings(secret)), (&json!("as_asked"), vec![]));
    assert_eq!(secret["feedback"][0]["value"], "(hidden)");
    assert!(!work.to_string().contains("sesame"), "{work}");
    let text = run(dacapo().arg("trace").arg(folder.with_extension("dacapo")).arg(NAME)).stdout;
    let at =
        |words: &str| text.lines().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("  ManifestWork local-cluster/hosted-abc") < at("    ConfigMap clusters/settings"), "{text}");
    assert!(at("    ConfigMap clusters/settings") < at("      → it is not as asked: .data.size"), "{text}");
}

#[test]
fn what_is_fed_back_tells_where_nothing_else_does() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("night");
    night(&folder);
    fs::remove_dir_all(folder.join("kube")).unwrap();
    let work = work_in(&folder, NAME);
    let inner = &manifest(&work["manifests"], NAME)["inner"];
    let settings = manifest(&inner["manifests"], "settings");
    assert_eq!(settings["conditions"][1]["status"], "True");
    assert_eq!((&settings["applied"], &settings["actual"], findings(settings)), (&Value::Null, &Value::Null, vec![]));
}

#[test]
fn an_inner_work_is_known_by_its_object_where_the_row_is_gone() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("night");
    night(&folder);
    fs::remove_dir_all(folder.join("db")).unwrap();
    let work = work_in(&folder, ID);
    let outer = manifest(&work["manifests"], NAME);
    assert_eq!((&outer["kind"], &outer["in"]), (&json!("ManifestWork"), &json!(["applied_work", "object"])));
    let settings = manifest(&outer["inner"]["manifests"], "settings");
    assert_eq!(settings["conditions"][1]["status"], "False");
    assert_eq!(settings["differs"], json!([{"path": ".data.size", "desired": "2", "actual": "3"}]));
}
