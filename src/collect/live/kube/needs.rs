//! What is read of a cluster and the rights that it takes, in one table: requests, checks and roles come from it.

use super::resource::{
    APPLIED_WORKS, DEFINITIONS, DEPLOYMENTS, EVENTS, MANIFEST_WORKS, NAMESPACES, PODS, REPLICA_SETS, Resource,
    STATEFUL_SETS,
};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole cluster.
    Cluster,
    /// The namespaces that Maestro's pods are in.
    Maestro,
}

pub struct Need {
    pub verb: &'static str,
    pub resource: Resource,
    /// A part of the resource that has rights of its own.
    pub part: Option<&'static str>,
    pub scope: Scope,
}

const fn need(verb: &'static str, resource: Resource, part: Option<&'static str>, scope: Scope) -> Need {
    Need { verb, resource, part, scope }
}

pub const NEEDS: &[Need] = &[
    need("list", APPLIED_WORKS, None, Scope::Cluster),
    need("list", MANIFEST_WORKS, None, Scope::Cluster),
    need("list", NAMESPACES, None, Scope::Cluster),
    need("list", DEFINITIONS, None, Scope::Cluster),
    need("list", PODS, None, Scope::Cluster),
    need("list", EVENTS, None, Scope::Cluster),
    need("list", PODS, None, Scope::Maestro),
    need("list", REPLICA_SETS, None, Scope::Maestro),
    need("list", DEPLOYMENTS, None, Scope::Maestro),
    need("list", STATEFUL_SETS, None, Scope::Maestro),
    need("list", EVENTS, None, Scope::Maestro),
    need("get", PODS, Some("log"), Scope::Maestro),
];

/// Kinds that works often carry. Which ones they do carry only the cluster knows.
const CARRIED: &[(&str, &[&str])] = &[
    ("", &["configmaps", "serviceaccounts", "services"]),
    ("apps", &["daemonsets", "deployments", "statefulsets"]),
    ("batch", &["cronjobs", "jobs"]),
    ("hypershift.openshift.io", &["hostedclusters", "nodepools"]),
    ("rbac.authorization.k8s.io", &["clusterrolebindings", "clusterroles", "rolebindings", "roles"]),
];

/// Who collects, in the roles.
const NAME: &str = "dacapo-collector";

/// The roles that give just these rights.
pub fn roles(namespaces: &[String]) -> String {
    let fallback = ["maestro".to_owned()];
    let namespaces = if namespaces.is_empty() { &fallback } else { namespaces };
    let mut text = header("ClusterRole", None);
    rules(&mut text, Scope::Cluster);
    text.push_str(
        "# The objects that works carry: leave out what yours do not, add what dacapo collect --check misses.\n",
    );
    text.push_str(
        "# Secrets are not among them: who may list them may read them, and dacapo wants their names only.\n",
    );
    for (group, resources) in CARRIED {
        rule(&mut text, "list", group, resources);
    }
    binding(&mut text, "ClusterRoleBinding", "ClusterRole", None);
    for namespace in namespaces {
        text.push_str("---\n");
        text.push_str(&header("Role", Some(namespace)));
        rules(&mut text, Scope::Maestro);
        binding(&mut text, "RoleBinding", "Role", Some(namespace));
    }
    text
}

fn header(kind: &str, namespace: Option<&str>) -> String {
    format!("apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\n{}rules:\n", metadata(namespace))
}

fn metadata(namespace: Option<&str>) -> String {
    let namespace = namespace.map(|namespace| format!("  namespace: {namespace}\n")).unwrap_or_default();
    format!("metadata:\n  name: {NAME}\n{namespace}")
}

/// One rule for each verb and group, in the order of the table.
fn rules(text: &mut String, scope: Scope) {
    let mut rules: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for need in NEEDS.iter().filter(|need| need.scope == scope) {
        let resource = need
            .part
            .map_or_else(|| need.resource.plural.to_string(), |part| format!("{}/{part}", need.resource.plural));
        let (verb, group) = (need.verb, &*need.resource.group);
        match rules.iter_mut().find(|(known, of, _)| (*known, *of) == (verb, group)) {
            Some((.., resources)) => resources.push(resource),
            None => rules.push((verb, group, vec![resource])),
        }
    }
    for (verb, group, resources) in rules {
        rule(text, verb, group, &resources);
    }
}

fn rule(text: &mut String, verb: &str, group: &str, resources: &[impl AsRef<str>]) {
    let resources: Vec<&str> = resources.iter().map(AsRef::as_ref).collect();
    let resources = resources.join(", ");
    // Writing to a text does not fail.
    let _ = writeln!(text, "- apiGroups: [\"{group}\"]\n  resources: [{resources}]\n  verbs: [{verb}]");
}

fn binding(text: &mut String, kind: &str, role: &str, namespace: Option<&str>) {
    let metadata = metadata(namespace);
    let _ = write!(
        text,
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\n{metadata}roleRef:\n  apiGroup: \
         rbac.authorization.k8s.io\n  kind: {role}\n  name: {NAME}\nsubjects:\n- apiGroup: \
         rbac.authorization.k8s.io\n  kind: Group\n  name: {NAME}s\n"
    );
}
