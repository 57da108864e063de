//! From objects of a cluster to works, and what `dacapo resolve` computes.

use super::made::{Made, Work, applied_work, object};
use crate::support::{Answer, dacapo, run};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// `dacapo resolve … --format json`, held against its schema.
fn resolve(arguments: &[&str]) -> (i32, Value) {
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(include_str!("../../docs/resolve.schema.json")).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    });
    let answer: Answer = run(dacapo().arg("resolve").args(arguments).args(["--format", "json"]));
    let json: Value = serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.describe()));
    SCHEMA.validate(&json).unwrap_or_else(|error| panic!("{error} at {}: {json:#}", error.instance_path()));
    (answer.code.unwrap(), json)
}

#[test]
fn an_owner_of_an_owner_is_an_owner() {
    let work = Work::new("web", "mgmt-1");
    let applied = applied_work(&work.applied(), &work.id(), json!([]), json!({}));
    let deployment = object("apps/v1", "Deployment", "demo", "web", &[("AppliedManifestWork", &work.applied(), "u")]);
    let set = object("apps/v1", "ReplicaSet", "demo", "web-1", &[("Deployment", "web", "uid-of-Deployment-web")]);
    let pod = object("v1", "Pod", "demo", "web-1-a", &[("ReplicaSet", "web-1", "uid-of-ReplicaSet-web-1")]);
    let lonely = object("v1", "Pod", "demo", "lonely", &[("ReplicaSet", "gone", "uid-of-nothing")]);
    let bundle = Made::new().objects("mgmt", "objects", &[applied, deployment, set, pod, lonely]).bundle();
    for asked in ["deploy/web", "rs/demo/web-1", "po/web-1-a", "uid-of-Pod-web-1-a", "web-1-a"] {
        assert_eq!(bundle.resolve(asked).1, [work.id()], "{asked}");
    }
    assert_eq!(bundle.resolve("po/lonely").1, Vec::<String>::new());
}

#[test]
fn an_object_of_a_work_inside_a_work_leads_to_the_work_outside() {
    let outer = Work::new("outer", "mgmt-1");
    let inner_applied = format!("{}-inner", "cd".repeat(32));
    let objects = [
        applied_work(&outer.applied(), &outer.id(), json!([]), json!({})),
        applied_work(&inner_applied, "inner", json!([]), json!({})),
        object(
            "work.open-cluster-management.io/v1",
            "ManifestWork",
            "local-cluster",
            "inner",
            &[("AppliedManifestWork", &outer.applied(), "u1")],
        ),
        object("example.io/v1", "HostedThing", "clusters", "c1", &[("AppliedManifestWork", &inner_applied, "u2")]),
    ];
    let bundle = Made::new().objects("mgmt", "objects", &objects).bundle();
    for asked in ["hostedthing/clusters/c1", "manifestworks/local-cluster/inner", &inner_applied, &outer.applied()] {
        assert_eq!(bundle.resolve(asked).1, [outer.id()], "{asked}");
    }
}

#[test]
fn a_name_counts_in_the_cluster_of_its_consumer_only() {
    let works = [Work::new("web", "east"), Work::new("web", "west")];
    let rows: Vec<Value> = works.iter().map(Work::row).collect();
    let mut made = Made::new().table("resources", &rows);
    let resources = json!([{"group": "", "version": "v1", "resource": "secrets", "namespace": "demo", "name": "key"}]);
    for (consumer, hash) in [("east", "ab"), ("west", "cd")] {
        let applied = applied_work(&format!("{}-web", hash.repeat(32)), "web", resources.clone(), json!({}));
        let line = format!(
            r#"{{"level":"info","ts":1768470312.4,"logger":"fallback","caller":"v2/protocol.go:133","msg":"subscribing to topics: [{{sources/maestro/consumers/{consumer}/sourceevents 1 0 false false}}]"}}"#
        );
        let log = format!("logs/mgmt-{consumer}/maestro/maestro-agent-{hash}/maestro-agent.log");
        made = made.objects(&format!("mgmt-{consumer}"), "works", &[applied]).file(&log, &format!("{line}\n"));
    }
    let bundle = made.bundle();
    for (work, hash) in works.iter().zip(["ab", "cd"]) {
        let name = format!("{}-web", hash.repeat(32));
        let (code, json) = resolve(&[bundle.path.to_str().unwrap(), &name]);
        let found: Vec<&Value> =
            json["identifier"]["works"].as_array().unwrap().iter().map(|work| &work["resource_id"]).collect();
        assert_eq!((code, found), (0, vec![&json!(work.id())]), "{name}");
    }
    assert_eq!(bundle.resolve("secret/demo/key").1.len(), 2);
}

#[test]
fn a_definition_in_the_cluster_teaches_short_names() {
    let ox = json!([{"apiVersion": "farm.io/v1", "kind": "Ox", "metadata": {"name": "bella", "namespace": "barn"}}]);
    let definition = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "oxen.farm.io", "uid": "u", "resourceVersion": "1"},
        "spec": {"group": "farm.io", "names": {"kind": "Ox", "plural": "oxen", "shortNames": ["o"]}}});
    let rows = [Work::new("herd", "mgmt-1").with(ox).row()];
    let plain = Made::new().table("resources", &rows).bundle();
    assert_eq!(plain.resolve("ox/barn/bella").1, ["herd"]);
    assert_eq!(plain.resolve("oxen/barn/bella").1, Vec::<String>::new());
    let taught = Made::new().table("resources", &rows).objects("mgmt", "crds", &[definition]).bundle();
    for asked in ["ox/bella", "oxen/barn/bella", "o/bella", "oxen.farm.io/barn/bella"] {
        assert_eq!(taught.resolve(asked).1, ["herd"], "{asked}");
    }
    let (code, json) = resolve(&[taught.path.to_str().unwrap(), "--kind", "o"]);
    assert_eq!((code, &json["kinds"][0]["kind"], &json["kinds"][0]["known_from"]), (0, &json!("Ox"), &json!("bundle")));
}

#[test]
fn ids_follow_from_names() {
    let names = ["--source", "mw-client-example", "--consumer", "cluster1", "--work", "nginx-work"];
    let broker = ["--broker", "maestro-mqtt-agent.maestro:1883"];
    let (code, json) = resolve(&[&names[..], &broker[..]].concat());
    assert_eq!(code, 0);
    assert_eq!(json["resource_ids"][0]["resource_id"], "0b14ee1e-1543-5748-bba9-abb351ceff99");
    assert_eq!(json["resource_ids"][0]["in_bundle"], Value::Null);
    let hash = "f1d8a1049b93dffc1929d57a719c3a09a4dcbfe0cd6e42840325be3b2dde73c8";
    assert_eq!(json["applied_works"][0]["name"], format!("{hash}-0b14ee1e-1543-5748-bba9-abb351ceff99"));
    assert_eq!(json["applied_works"][1]["name"], format!("{hash}-nginx-work"));
    assert_eq!(json["applied_works"][1]["before_2026"], true);
    let (_, json) = resolve(&["--broker", "", "--resource-id", "x"]);
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(json["applied_works"][0]["name"], format!("{nothing}-x"));
}

#[test]
fn computed_ids_are_held_against_the_bundle() {
    let works = [Work::new("web", "mgmt-1"), Work::new("web", "mgmt-2"), Work::new("billing", "mgmt-2")];
    let rows: Vec<Value> = works.iter().map(Work::row).collect();
    let bundle = Made::new().table("resources", &rows).bundle();
    let path = bundle.path.to_str().unwrap();
    let (code, json) = resolve(&[path, "--work", "web"]);
    let ids: Vec<&str> =
        json["resource_ids"].as_array().unwrap().iter().map(|id| id["resource_id"].as_str().unwrap()).collect();
    assert_eq!((code, ids), (0, vec![works[0].id().as_str(), works[1].id().as_str()]));
    assert_eq!(json["resource_ids"][0]["evidence"], json!(["resources:1"]));
    let (code, json) = resolve(&[path, "--work", "billing", "--consumer", "mgmt-1"]);
    assert_eq!((code, &json["resource_ids"][0]["in_bundle"]), (1, &json!(false)));
    let (code, json) = resolve(&[path, "--work", "web", "--consumer", "mgmt-1", "--source", "other"]);
    assert_eq!((code, &json["resource_ids"][0]["in_bundle"]), (1, &json!(false)));
    let note = json["notes"][0].as_str().unwrap();
    assert!(note.contains(&format!("web on mgmt-1 is in the bundle as {}", works[0].id())), "{note}");
}

#[test]
fn a_label_names_a_kind() {
    let event = "io.open-cluster-management.works.v1alpha1.manifestbundles.status.update_request";
    for (label, kind, plural, group) in [
        ("deploy", "Deployment", "deployments", "apps"),
        ("apps/v1, Resource=deployments", "Deployment", "deployments", "apps"),
        ("/v1, Resource=configmaps", "ConfigMap", "configmaps", ""),
        ("NetworkPolicy", "NetworkPolicy", "networkpolicies", "networking.k8s.io"),
        (event, "ManifestWork", "manifestworks", "work.open-cluster-management.io"),
    ] {
        let (code, json) = resolve(&["--kind", label]);
        let found = &json["kinds"][0];
        let expected = json!([0, kind, plural, group, "built-in"]);
        assert_eq!(json!([code, found["kind"], found["plural"], found["group"], found["known_from"]]), expected);
    }
    let (code, json) = resolve(&["--kind", "gizmos", "--kind", event]);
    assert_eq!(
        (code, &json["kinds"][0]["kind"], &json["kinds"][0]["known_from"]),
        (1, &json!("Gizmo"), &json!("guess"))
    );
    assert_eq!(
        (&json["kinds"][1]["sub_resource"], &json["kinds"][1]["action"]),
        (&json!("status"), &json!("update_request"))
    );
    let (_, json) = resolve(&["--kind", "events"]);
    assert_eq!(json["kinds"].as_array().unwrap().len(), 2, "two groups have events");
}

#[test]
fn nothing_asked_and_nothing_told_is_said() {
    let works = [Work::new("web", "mgmt-1").row()];
    let bundle = Made::new().table("resources", &works).bundle();
    let says = |arguments: &[&str], said: &str| {
        let answer = run(dacapo().arg("resolve").args(arguments));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(answer.stderr.contains(said), "{said:?} is not in: {}", answer.stderr);
    };
    let path = bundle.path.to_str().unwrap();
    says(&[path], "error: nothing is asked for");
    says(&[path, ""], "error: \"\" is no identifier");
    says(&["--work", "web"], "because --source is missing");
    says(&["--work", "web", "--source", "s"], "because --consumer is missing");
    says(&["--source", "s"], "--work <NAME>");
    says(&["--kind", ""], "because it names no kind");
    says(&["absent.dacapo", "web"], "cannot open bundle");
    says(&[], "Usage: dacapo resolve");
    assert_eq!(bundle.run("resolve", &["web"]).code, Some(0));
    assert_eq!(bundle.run("resolve", &["we"]).code, Some(1));
    assert_eq!(bundle.run("resolve", &["nothing"]).code, Some(1));
    assert_eq!(bundle.run("resolve", &["web", "--work", "other"]).code, Some(1));
}
