//! What a whole cluster gives, and that reading it is all that happens.

use serde_json::json;

use super::{collect, collect_as, config_map, path_of, work};
use crate::support::cluster::Cluster;
use crate::support::rows;

/// A cluster with an agent, a work and what the work carries.
pub fn small() -> Option<Cluster> {
    let cluster = Cluster::start()?;
    cluster.crds();
    ["maestro", "demo", "elsewhere"].iter().for_each(|name| cluster.namespace(name));
    cluster.pod("maestro", "maestro-agent-6f7d-abcde", &["maestro-agent"], 1);
    let line = |time: &str, text: &str| format!("2026-03-01T{time}Z I0301 {time}       1 x.go:1] {text}\n");
    let log = [
        line("10:00:00.000001", "\"Starting worker of controller ...\""),
        line(
            "10:00:01.000001",
            "\"Server side applied\" gvr=\"/v1, Resource=serviceaccounts\" resourceNamespace=\"demo\" resourceName=\"touched\" fieldManager=\"work-agent\"",
        ),
    ];
    cluster.put_log("maestro", "maestro-agent-6f7d-abcde", "maestro-agent", &log.concat());
    let before = line("09:00:00.000001", "\"the life before\"");
    cluster.put_previous_log("maestro", "maestro-agent-6f7d-abcde", "maestro-agent", &before);
    let carried = [
        ("", "v1", "configmaps", "demo", "web"),
        ("", "v1", "secrets", "demo", "key"),
        ("apps", "v1", "deployments", "demo", "gone"),
    ];
    cluster.apply(&work("hub-web", &carried));
    cluster.apply(&config_map("demo", "web"));
    cluster.apply(&config_map("demo", "other"));
    cluster.apply(&config_map("elsewhere", "web"));
    cluster.apply(
        &json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "touched", "namespace": "demo"}}),
    );
    cluster.apply(&json!({
        "apiVersion": "v1", "kind": "Secret", "stringData": {"password": "hunter2"},
        "metadata": {"name": "key", "namespace": "demo", "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "{\"stringData\":{\"password\":\"hunter2\"}}",
        }},
    }));
    cluster.apply(&json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "web.1", "namespace": "demo"}, "reason": "Odd",
        "type": "Warning", "message": "something", "involvedObject": {"kind": "ConfigMap", "name": "web", "namespace": "demo"},
    }));
    Some(cluster)
}

#[test]
fn a_cluster_is_read_whole_and_nothing_is_written() {
    let Some(cluster) = small() else { return };
    // Everything, as long as it is reading: what would be refused cannot be seen to be left alone.
    cluster.allow("collector", &["*"], "*", &["*"], None);
    let live = collect_as(&cluster, "collector", &[]);
    assert!(live.steps().iter().all(|step| step.outcome == "ok"), "{:#?}", live.steps());
    for target in [
        "kube/mgmt-1/appliedmanifestworks",
        "kube/mgmt-1/manifestworks",
        "kube/mgmt-1/namespaces",
        "kube/mgmt-1/maestro/pods",
        "kube/mgmt-1/maestro/deployments.apps",
        "kube/mgmt-1/maestro/events",
        "kube/mgmt-1/configmaps",
        "kube/mgmt-1/secrets",
        "kube/mgmt-1/serviceaccounts",
        "kube/mgmt-1/demo/events",
        "logs/mgmt-1/maestro/maestro-agent-6f7d-abcde/maestro-agent.log",
        "logs/mgmt-1/maestro/maestro-agent-6f7d-abcde/maestro-agent.previous.log",
    ] {
        assert!(live.step(target).whole, "{target}");
    }
    let clusters = live.column("kube_objects", "cluster");
    assert!(clusters.iter().all(|cluster| cluster == "mgmt-1"), "{clusters:?}");

    let ours: Vec<_> = cluster.audit().into_iter().filter(|event| event.user == "collector").collect();
    assert!(ours.len() > 10);
    let written: Vec<_> =
        ours.iter().filter(|event| !matches!(event.verb.as_str(), "get" | "list" | "watch")).collect();
    assert!(written.is_empty(), "{written:#?}");
}

/// Every answer lies in a file of its own.
#[test]
fn what_there_is_no_file_for_is_told_and_the_rest_is_kept() {
    let Some(cluster) = small() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("x.dacapo");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 140; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_dacapo")]);
    command.args(["collect", "--database", "none", "--mgmt-kubeconfig"]).arg(cluster.kubeconfig_as("admin", "mgmt-1"));
    let output = command.arg("-o").arg(&bundle).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let steps = rows::steps(&bundle);
    assert_eq!(steps["mgmt-1/kube/mgmt-1/appliedmanifestworks"]["outcome"], "ok", "{steps:#?}");
    let last = &steps["mgmt-1/kube/mgmt-1/customresourcedefinitions.apiextensions.k8s.io"];
    assert_eq!(last["outcome"], "failed", "{last:#?}");
    assert!(last["error"].contains("lets no more files be open"), "{last:#?}");
}

#[test]
fn secrets_and_what_works_do_not_name_stay_behind() {
    let Some(cluster) = small() else { return };
    let live = collect_as(&cluster, "admin", &[]);
    assert!(!live.holds("hunter2") && !live.holds("aHVudGVyMg"), "the Secret's data is in the bundle");
    let names = live.column("kube_objects", "name");
    assert!(names.contains(&"key".to_owned()), "its name is evidence: {names:?}");
    let map = |name: &str| {
        let objects = live.column("kube_objects", "object");
        objects.iter().any(|object| object.contains(&format!("\"of\":\"{name}\"")))
    };
    assert!(map("web") && !map("other"), "only the object that the work names is kept whole");
    assert!(names.contains(&"other".to_owned()), "that another is there is kept");
    let full: Vec<_> = cluster
        .audit()
        .into_iter()
        .filter(|event| event.resource == "secrets" && event.user == "admin" && event.verb == "list")
        .collect();
    assert_eq!(full.len(), 1, "{full:#?}");
}

/// A definition is as long as the kind has fields.
#[test]
fn definitions_are_asked_for_whole_only_where_works_carry_such_kinds() {
    let Some(cluster) = small() else { return };
    let crds = "kube/mgmt-1/customresourcedefinitions.apiextensions.k8s.io";
    let live = collect_as(&cluster, "admin", &[]);
    let names = || live.column("kube_objects", "kind").into_iter().filter(|kind| kind == "CustomResourceDefinition");
    assert_eq!((live.step(crds).rows, names().count()), (2, 2));
    assert!(!live.holds("x-kubernetes-preserve-unknown-fields"));
    cluster.apply(&work("hub-inner", &[("work.open-cluster-management.io", "v1", "manifestworks", "demo", "inner")]));
    let whole = collect_as(&cluster, "admin", &[]);
    assert!(whole.holds("x-kubernetes-preserve-unknown-fields") && whole.step(crds).rows == 2);
}

#[test]
fn variables_of_containers_stay_behind() {
    let Some(cluster) = small() else { return };
    let container = json!({
        "name": "service", "image": "x", "args": ["server", "-v=$(LEVEL)"],
        "env": [{"name": "LEVEL", "value": "4"}, {"name": "PASSWORD", "value": "hunter3"}],
    });
    let labels = json!({"app": "maestro"});
    cluster.apply(&json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "maestro", "namespace": "maestro"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}}},
    }));
    let live = collect_as(&cluster, "admin", &[]);
    assert!(live.holds("$(LEVEL)") && live.holds("PASSWORD") && !live.holds("hunter3"));
}

#[test]
fn a_namespace_that_the_user_names_is_read_as_a_whole() {
    let Some(cluster) = small() else { return };
    cluster.namespace("tools");
    cluster.pod("tools", "client-1", &["client"], 0);
    cluster.put_log("tools", "client-1", "client", "2026-03-01T10:00:00Z hello\n");
    let config = path_of(&cluster.kubeconfig_as("admin", "mgmt-1"));
    let live = collect(["--mgmt-kubeconfig", &config, "--namespace", "tools", "--namespace", "tolos"]);
    // Its lists are empty, like those of a namespace that is at rest.
    assert!(live.step("namespaces of Maestro").remark.contains("there is no namespace tolos here"));
    assert_eq!(live.step("logs/mgmt-1/tools/client-1/client.log").outcome, "ok");
    assert!(live.steps().iter().all(|step| !step.target.contains("/maestro/")), "{:#?}", live.steps());
}
