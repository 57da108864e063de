//! The objects that works name: listed by kind, and not there where they are not.

use serde_json::json;

use super::{collect, collect_as, config_map, path_of, work};
use crate::support::cluster::Cluster;
use crate::support::cluster::proxy::{Fate, Proxy};

#[test]
fn kinds_are_listed_once_however_many_objects_are_named() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    ["one", "two"].iter().for_each(|name| cluster.namespace(name));
    for number in 0..30 {
        let (name, namespace) = (format!("map-{number}"), if number % 2 == 0 { "one" } else { "two" });
        cluster.apply(&config_map(namespace, &name));
        cluster.apply(&work(&format!("hub-{number}"), &[("", "v1", "configmaps", namespace, &name)]));
    }
    let live = collect_as(&cluster, "admin", &[]);
    let asked = cluster.audit().into_iter().filter(|event| event.resource == "configmaps" && event.user == "admin");
    let asked: Vec<_> = asked.filter(|event| matches!(event.verb.as_str(), "get" | "list")).collect();
    assert_eq!(asked.len(), 1, "{asked:#?}");
    let step = live.step("kube/mgmt-1/configmaps");
    assert!(step.whole && step.rows >= 30, "{step:?}");
    assert!((0..30).all(|number| live.holds(&format!("\"of\":\"map-{number}\""))));
}

#[test]
fn who_may_not_list_a_kind_everywhere_may_where_it_is_named() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    ["one", "two"].iter().for_each(|name| cluster.namespace(name));
    for namespace in ["one", "two"] {
        cluster.apply(&config_map(namespace, "web"));
        cluster.apply(&work(&format!("hub-{namespace}"), &[("", "v1", "configmaps", namespace, "web")]));
    }
    cluster.allow("restricted", &["list"], "work.open-cluster-management.io", &["*"], None);
    cluster.allow("restricted", &["list"], "", &["configmaps"], Some("one"));
    while cluster.get("restricted", "/api/v1/namespaces/one/configmaps").unwrap().code != 200 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let live = collect_as(&cluster, "restricted", &[]);
    let outcomes = ["", "one/", "two/"].map(|place| live.step(&format!("kube/mgmt-1/{place}configmaps")).outcome);
    assert_eq!(outcomes, ["denied", "ok", "denied"]);
    assert_eq!(live.step("kube/mgmt-1/one/configmaps").rows, 1);
}

#[test]
fn a_kind_that_the_cluster_does_not_know_is_not_found() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.namespace("demo");
    // Neither has the cluster the kinds of works.
    let live = collect_as(&cluster, "admin", &[]);
    for kind in ["appliedmanifestworks", "manifestworks"] {
        let step = live.step(&format!("kube/mgmt-1/{kind}"));
        assert_eq!((step.outcome.as_str(), step.rows), ("not found", 0), "{step:?}");
    }
    cluster.crds();
    cluster.apply(&config_map("demo", "web"));
    let applied = [("gone.example.com", "v1", "widgets", "demo", "a"), ("", "v1", "configmaps", "demo", "web")];
    cluster.apply(&work("hub-web", &applied));
    let live = collect_as(&cluster, "admin", &[]);
    let step = live.step("kube/mgmt-1/widgets.gone.example.com");
    assert_eq!(step.outcome, "not found", "{step:?}");
    assert_eq!(live.step("kube/mgmt-1/configmaps").outcome, "ok");
}

#[test]
fn owners_of_what_works_name_are_there_too() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    cluster.namespace("demo");
    let meta = |name: &str| json!({"name": name, "namespace": "demo"});
    let labels = json!({"app": "web"});
    let pod = json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "x"}]}});
    cluster.apply(&json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta("web"),
        "spec": {"selector": {"matchLabels": labels}, "template": pod}}));
    let mut map = config_map("demo", "owned");
    map["metadata"]["ownerReferences"] = json!([{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "00000000-0000-0000-0000-000000000001"}]);
    cluster.apply(&map);
    cluster.apply(&work("hub-web", &[("", "v1", "configmaps", "demo", "owned")]));
    let live = collect_as(&cluster, "admin", &[]);
    let step = live.step("kube/mgmt-1/demo/deployments.apps");
    assert_eq!((step.outcome.as_str(), step.rows), ("ok", 1));
}

/// What is in a list of Maestro's namespace is left out of the list of its kind; but only if that list came.
#[test]
fn what_a_list_of_maestro_did_not_bring_comes_with_its_kind() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    ["maestro", "demo"].iter().for_each(|name| cluster.namespace(name));
    cluster.pod("maestro", "maestro-agent-6f7d-abcde", &["maestro-agent"], 0);
    let labels = json!({"app": "maestro-agent"});
    let pod = json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "x"}]}});
    cluster.apply(&json!({"apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "maestro-agent", "namespace": "maestro"},
        "spec": {"selector": {"matchLabels": labels}, "template": pod}}));
    cluster.apply(&work("hub-web", &[("apps", "v1", "deployments", "demo", "gone")]));
    // Leaked on purpose: the proxy's thread lives as long as the tests.
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    for (denied, outcome, rows) in [(false, "ok", 0), (true, "denied", 1)] {
        let proxy = Proxy::before(cluster, move |_, path| {
            let is_it = path.starts_with("/apis/apps/v1/namespaces/maestro/deployments?");
            if denied && is_it { Fate::Answered("403 Forbidden") } else { Fate::Passes }
        });
        let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
        assert_eq!(live.step("kube/mgmt-1/maestro/deployments.apps").outcome, outcome);
        let kind = live.step("kube/mgmt-1/deployments.apps");
        assert_eq!((kind.outcome.as_str(), kind.rows), ("ok", rows), "{kind:?}");
        let names = live.column("kube_objects", "name");
        assert_eq!(names.iter().filter(|name| *name == "maestro-agent").count(), 1, "{names:?}");
    }
}
