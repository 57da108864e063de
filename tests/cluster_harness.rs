//! The cluster that tests of live collection start is what they take it for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::support::cluster::Cluster;

const POD: &str = "/api/v1/namespaces/maestro/pods/maestro-agent";

/// One for all tests that do not stop it.
fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    let cluster = SHARED.get_or_init(|| {
        let cluster = Cluster::start()?;
        cluster.crds();
        cluster.namespace("maestro");
        cluster.pod("maestro", "maestro-agent", &["agent", "silent"], 2);
        cluster.put_log("maestro", "maestro-agent", "agent", LOG);
        cluster.put_previous_log("maestro", "maestro-agent", "agent", "2026-03-01T09:00:00.5Z the life before\n");
        cluster.allow("collector", &["get", "list"], "", &["pods", "pods/log"], None);
        cluster.allow("restricted", &["list"], "", &["pods"], Some("maestro"));
        Some(cluster)
    });
    cluster.as_ref()
}

const LOG: &str = "\
2026-03-01T10:00:00.000000001Z started
2026-03-01T10:00:01.5Z goroutine 1 [running]:
\tmain.main()
2026-03-01T10:00:02Z 2026-03-01T10:00:02Z INFO a text that begins with a time
";

fn ask(cluster: &Cluster, user: &str, path: &str) -> (u16, String) {
    let answer = cluster.get(user, path).unwrap();
    (answer.code, answer.body)
}

fn json_of(cluster: &Cluster, path: &str) -> Value {
    let (code, body) = ask(cluster, "admin", path);
    assert_eq!(code, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn objects_are_stored_with_their_status() {
    let Some(cluster) = shared() else { return };
    let pod = json_of(cluster, POD);
    assert_eq!(pod["status"]["phase"], "Running");
    assert_eq!(pod["status"]["containerStatuses"][0]["restartCount"], 2);
    let listed = json_of(cluster, "/api/v1/pods?labelSelector=app%3Dagent");
    let named = |item: &Value| item["metadata"]["name"] == "maestro-agent";
    assert!(listed["items"].as_array().unwrap().iter().any(named), "{listed}");
}

#[test]
fn works_are_stored_with_any_fields_and_replaced() {
    let Some(cluster) = shared() else { return };
    let group = "/apis/work.open-cluster-management.io/v1";
    let mut work = json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
        "metadata": {"name": "hub-web", "uid": "of-another-cluster", "resourceVersion": "7"},
        "spec": {"hubHash": "hub", "manifestWorkName": "web"},
        "status": {"appliedResources": [{"name": "web"}]},
    });
    cluster.apply(&work);
    work["status"]["appliedResources"] = json!([]);
    cluster.apply(&json!({"kind": "List", "items": [work]}));
    let stored = json_of(cluster, &format!("{group}/appliedmanifestworks/hub-web"));
    assert_eq!((&stored["spec"], &stored["status"]), (&work["spec"], &work["status"]));
    assert_ne!(stored["metadata"]["uid"], "of-another-cluster");

    work["kind"] = "ManifestWork".into();
    work["metadata"]["namespace"] = "maestro".into();
    cluster.apply(&work);
    let listed = json_of(cluster, &format!("{group}/namespaces/maestro/manifestworks"));
    assert_eq!(listed["items"][0]["metadata"]["name"], "hub-web");
}

#[test]
fn who_may_not_is_refused() {
    let Some(cluster) = shared() else { return };
    for (user, path, code) in [
        ("collector", "/api/v1/pods", 200),
        ("collector", "/api/v1/secrets", 403),
        ("restricted", "/api/v1/namespaces/maestro/pods", 200),
        ("restricted", "/api/v1/pods", 403),
        ("stranger", "/api/v1/namespaces/maestro/pods", 403),
        ("who", "/api/v1/pods", 401),
    ] {
        let (answered, body) = ask(cluster, user, path);
        assert_eq!(answered, code, "{user} {path}: {body}");
    }
}

#[test]
fn logs_come_from_the_kubelet() {
    let Some(cluster) = shared() else { return };
    let log = |query: &str| ask(cluster, "collector", &format!("{POD}/log?container=agent{query}"));
    let plain =
        "started\ngoroutine 1 [running]:\n\tmain.main()\n2026-03-01T10:00:02Z INFO a text that begins with a time\n";
    assert_eq!(log(""), (200, plain.to_owned()));
    let (_, timed) = log("&timestamps=true");
    assert_eq!(timed.lines().next(), Some("2026-03-01T10:00:00.000000001Z started"));
    assert_eq!(timed.lines().nth(2), Some("2026-03-01T10:00:01.500000000Z \tmain.main()"));
    assert_eq!(log("&tailLines=1").1.lines().count(), 1);
    assert_eq!(log("&sinceTime=2026-03-01T10:00:02Z").1.lines().count(), 1);
    assert_eq!(log("&sinceSeconds=1").1, "");
    assert_eq!(log("&limitBytes=4").1, "star");
    assert_eq!(log("&previous=true"), (200, "the life before\n".to_owned()));
}

#[test]
fn logs_that_are_not_there_are_refused_in_the_kubelets_words() {
    let Some(cluster) = shared() else { return };
    for (query, code, words) in [
        (
            "container=silent&previous=true",
            400,
            r#"previous terminated container \"silent\" in pod \"maestro-agent\" not found"#,
        ),
        ("container=silent", 400, "is waiting to start: ContainerCreating"),
        ("container=other", 400, "container other is not valid for pod maestro-agent"),
        ("", 400, "a container name must be specified for pod maestro-agent, choose one of: [agent silent]"),
    ] {
        let (answered, body) = ask(cluster, "collector", &format!("{POD}/log?{query}"));
        assert_eq!(answered, code, "{query}: {body}");
        assert!(body.contains(words), "{query}: {body}");
    }
}

#[test]
fn the_audit_tells_what_was_asked() {
    let Some(cluster) = shared() else { return };
    let path = format!("{POD}/log?container=agent&tailLines=2");
    assert_eq!(ask(cluster, "stranger", &path).0, 403);
    assert_eq!(ask(cluster, "collector", &path).0, 200);
    let asked = |user: &str| cluster.audit().into_iter().find(|event| event.user == user && event.uri == path);
    let refused = asked("stranger").unwrap();
    assert_eq!(
        (refused.verb.as_str(), refused.resource.as_str(), refused.subresource.as_str()),
        ("get", "pods", "log")
    );
    assert_eq!((refused.namespace.as_str(), refused.name.as_str(), refused.code), ("maestro", "maestro-agent", 403));
    assert_eq!(asked("collector").unwrap().code, 200);
}

#[test]
fn a_cluster_that_stopped_answers_nobody_until_it_is_back() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.namespace("kept");
    assert_eq!(ask(&cluster, "admin", "/api/v1/namespaces/maestro").0, 404, "clusters see nothing of each other");
    cluster.stop_api_server();
    assert!(cluster.get("admin", "/api/v1/namespaces").is_err());
    cluster.restart();
    assert_eq!(ask(&cluster, "admin", "/api/v1/namespaces/kept").0, 200);
}

/// Whoever asks cannot see it: the API server ends its own answer as if all were well.
#[test]
fn a_log_that_breaks_off_looks_like_a_shorter_one() {
    let Some(cluster) = shared() else { return };
    cluster.pod("maestro", "cut", &["agent"], 0);
    cluster.put_log("maestro", "cut", "agent", &"a line of a log\n".repeat(1000));
    cluster.cut_log("maestro", "cut", "agent");
    let half = "a line of a log\n".repeat(500);
    assert_eq!(ask(cluster, "admin", "/api/v1/namespaces/maestro/pods/cut/log"), (200, half));
}

#[test]
fn a_kubeconfig_names_server_context_and_token() {
    let Some(cluster) = shared() else { return };
    let text = std::fs::read_to_string(cluster.kubeconfig_as("collector", "mgmt")).unwrap();
    let config: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(config["current-context"], "mgmt");
    assert_eq!(config["clusters"][0]["cluster"]["server"], cluster.url());
    assert_eq!(config["users"][0]["user"]["token"], "collector-token");
}
