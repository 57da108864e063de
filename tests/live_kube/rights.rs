//! Who may not read something loses that and nothing else, and is told before.

use super::reading::small;
use super::{collect_as, path_of, work};
use crate::support::cluster::Cluster;
use crate::support::{Answer, dacapo, run};

const WORK: &str = "work.open-cluster-management.io";

/// What a collection lists and gets, one right each: group, resource, and the step that needs it.
const RIGHTS: &[(&str, &str, &str)] = &[
    (WORK, "appliedmanifestworks", "kube/mgmt-1/appliedmanifestworks"),
    (WORK, "manifestworks", "kube/mgmt-1/manifestworks"),
    ("", "namespaces", "kube/mgmt-1/namespaces"),
    ("apiextensions.k8s.io", "customresourcedefinitions", "kube/mgmt-1/customresourcedefinitions.apiextensions.k8s.io"),
    ("", "pods", "kube/mgmt-1/maestro/pods"),
    ("", "events", "kube/mgmt-1/maestro/events"),
    ("apps", "replicasets", "kube/mgmt-1/maestro/replicasets.apps"),
    ("apps", "deployments", "kube/mgmt-1/maestro/deployments.apps"),
    ("apps", "statefulsets", "kube/mgmt-1/maestro/statefulsets.apps"),
    ("", "configmaps", "kube/mgmt-1/configmaps"),
    ("", "secrets", "kube/mgmt-1/secrets"),
    ("", "pods/log", "logs/mgmt-1/maestro/maestro-agent-6f7d-abcde/maestro-agent.log"),
];

#[test]
fn each_right_that_is_missing_costs_what_it_is_for_and_no_more() {
    let Some(cluster) = small() else { return };
    for (lacking, target) in RIGHTS.iter().map(|(_, resource, target)| (*resource, *target)) {
        for (group, resource, _) in RIGHTS {
            let verbs: &[&str] = if *resource == lacking { &["nothing"] } else { &["get", "list"] };
            allow(&cluster, verbs, group, resource);
        }
        // RBAC learns of changed roles by watching.
        until_refused(&cluster, lacking);
        let live = collect_as(&cluster, "restricted", &[]);
        let steps = live.steps();
        let depends = |target: &str| match lacking {
            // Without works nothing is named; without pods no log is.
            "appliedmanifestworks" => ["configmaps", "secrets"].iter().any(|kind| target.ends_with(kind)),
            "pods" => target.contains("/logs/") || target.contains("/serviceaccounts"),
            _ => false,
        };
        let denied: Vec<&str> =
            steps.iter().filter(|step| step.outcome == "denied").map(|step| step.target.as_str()).collect();
        assert!(denied.contains(&format!("mgmt-1/{target}").as_str()), "{lacking}: {steps:#?}");
        let step = live.step(target);
        assert!(step.error.contains("forbidden") && step.error.contains("403"), "{step:?}");
        for (_, resource, other) in RIGHTS.iter().filter(|(_, resource, _)| *resource != lacking) {
            let found = steps.iter().find(|step| step.target == format!("mgmt-1/{other}"));
            let well = found.is_some_and(|step| step.outcome == "ok");
            assert!(well || found.is_none() && depends(&format!("/{other}")), "{lacking}, {resource}: {steps:#?}");
        }
    }
}

/// The same role each time, so that what is taken away is gone.
fn allow(cluster: &Cluster, verbs: &[&str], group: &str, resource: &str) {
    let name = format!("restricted-{}", resource.replace('/', "."));
    let api = "rbac.authorization.k8s.io";
    cluster.apply(&serde_json::json!({
        "apiVersion": format!("{api}/v1"), "kind": "ClusterRole", "metadata": {"name": name},
        "rules": [{"apiGroups": [group], "resources": [resource], "verbs": verbs}],
    }));
    cluster.apply(&serde_json::json!({
        "apiVersion": format!("{api}/v1"), "kind": "ClusterRoleBinding", "metadata": {"name": name},
        "subjects": [{"kind": "User", "name": "restricted", "apiGroup": api}],
        "roleRef": {"kind": "ClusterRole", "name": name, "apiGroup": api},
    }));
}

/// Waits until the API server knows the roles as they are now.
fn until_refused(cluster: &Cluster, lacking: &str) {
    let path = |group: &str, resource: &str| match resource {
        "pods/log" => "/api/v1/namespaces/maestro/pods/maestro-agent-6f7d-abcde/log".to_owned(),
        _ if group.is_empty() => format!("/api/v1/{resource}"),
        _ => format!("/apis/{group}/v1/{resource}"),
    };
    for (group, resource, _) in RIGHTS {
        let expected = if *resource == lacking { 403 } else { 200 };
        while cluster.get("restricted", &path(group, resource)).unwrap().code != expected {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

fn check(cluster: &Cluster, user: &str) -> Answer {
    let config = path_of(&cluster.kubeconfig_as(user, "mgmt-1"));
    run(dacapo().args(["collect", "--check", "--database", "none", "--mgmt-kubeconfig", &config]))
}

#[test]
fn rights_are_checked_before_anything_is_read() {
    let Some(cluster) = small() else { return };
    let all = check(&cluster, "admin");
    assert_eq!(all.code, Some(0), "{}", all.describe());
    assert!(all.stdout.contains("every permission that a collection needs is there"), "{}", all.stdout);
    for right in ["list appliedmanifestworks", "get pods/log in maestro", "list configmaps", "list deployments.apps"] {
        assert!(all.stdout.contains(right), "{right}: {}", all.stdout);
    }
    cluster.allow("collector", &["list"], WORK, &["appliedmanifestworks"], None);
    cluster.allow("collector", &["list"], "", &["pods", "namespaces"], None);
    while cluster.get("collector", "/api/v1/namespaces").unwrap().code != 200 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let some = check(&cluster, "collector");
    assert_eq!(some.code, Some(1), "{}", some.describe());
    assert!(some.stdout.contains("missing") && some.stdout.contains("kind: ClusterRole"), "{}", some.stdout);
    let ours = cluster.audit().into_iter().filter(|event| event.user == "collector");
    let odd: Vec<_> = ours
        .filter(|event| event.verb != "list" && event.verb != "get" && event.resource != "selfsubjectaccessreviews")
        .collect();
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn nothing_is_granted_in_a_cluster_that_does_not_answer() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.stop_api_server();
    let config = path_of(&cluster.kubeconfig_as("admin", "svc"));
    let away = run(dacapo().args(["collect", "--check", "--svc-kubeconfig", &config]));
    assert_eq!(away.code, Some(1), "{}", away.describe());
    assert_eq!(away.stdout.matches("reach the API server").count(), 2, "once for each source: {}", away.stdout);
    assert!(!away.stdout.contains(" list ") && !away.stdout.contains("kind: "), "{}", away.stdout);
}

/// Stores roles as an administrator would, for one user instead of the group.
fn grant(cluster: &Cluster, roles: &str, user: &str) {
    for document in roles.split("---\n") {
        let value = |key: &str| document.lines().find_map(|line| line.strip_prefix(key));
        let place = value("  namespace: ").map(|name| format!("namespaces/{name}/")).unwrap_or_default();
        let plural = format!("{}s", value("kind: ").expect("a role has a kind").to_lowercase());
        let named = document.replace("kind: Group\n  name: dacapo-collectors", &format!("kind: User\n  name: {user}"));
        cluster.create_from_yaml(&format!("/apis/rbac.authorization.k8s.io/v1/{place}{plural}"), &named);
    }
}

/// They are for the namespaces that Maestro is in here and for the kinds that works carry here.
#[test]
fn the_roles_that_a_check_prints_are_enough() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    ["fleet-a", "fleet-b", "demo"].iter().for_each(|name| cluster.namespace(name));
    cluster.pod("fleet-a", "agent-1", &["maestro-agent"], 0);
    cluster.pod("fleet-b", "agent-2", &["maestro-agent"], 0);
    cluster.apply(&work("hub-web", &[("coordination.k8s.io", "v1", "leases", "demo", "web")]));
    // So much it takes to see what else is needed.
    cluster.allow("collector", &["list"], WORK, &["appliedmanifestworks"], None);
    cluster.allow("collector", &["list"], "", &["pods"], None);
    let path = format!("/apis/{WORK}/v1/appliedmanifestworks");
    while ["/api/v1/pods", &path].iter().any(|path| cluster.get("collector", path).unwrap().code != 200) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let some = check(&cluster, "collector");
    assert_eq!(some.code, Some(1), "{}", some.describe());
    let (_, roles) = some.stdout.split_once("apiVersion: ").expect("it prints roles");
    assert!(roles.contains("resources: [leases]") && !roles.contains("configmaps"), "{roles}");
    grant(&cluster, &format!("apiVersion: {roles}"), "collector");
    let mut all = check(&cluster, "collector");
    // RBAC learns of new roles by watching.
    for _ in 0..100 {
        if all.code == Some(0) {
            break;
        }
        all = check(&cluster, "collector");
    }
    assert_eq!(all.code, Some(0), "{}", all.describe());
}

/// The roles that are documented are enough for everything but Secrets, which they are not meant to open.
#[test]
fn the_roles_of_the_documentation_are_enough() {
    let Some(cluster) = small() else { return };
    let page = include_str!("../../docs/collecting.md");
    let yaml = page
        .split("```yaml\n")
        .find_map(|block| block.starts_with("apiVersion: rbac").then(|| block.split("```").next().unwrap()));
    grant(&cluster, yaml.expect("docs/collecting.md has the roles"), "restricted");
    while cluster.get("restricted", "/api/v1/namespaces/maestro/pods").unwrap().code != 200
        || cluster.get("restricted", "/api/v1/configmaps").unwrap().code != 200
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let live = collect_as(&cluster, "restricted", &[]);
    let missed: Vec<String> =
        live.steps().into_iter().filter(|step| step.outcome != "ok").map(|step| step.target).collect();
    assert_eq!(missed, ["mgmt-1/kube/mgmt-1/demo/secrets", "mgmt-1/kube/mgmt-1/secrets"]);
}
