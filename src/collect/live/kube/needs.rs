//! What is read of a cluster and the rights that it takes, in one table: requests, checks and roles come from it.

use super::resource::{
    APPLIED_WORKS, DEFINITIONS, DEPLOYMENTS, EVENTS, MANIFEST_WORKS, NAMESPACES, PODS, REPLICA_SETS, Resource,
    STATEFUL_SETS,
};
use std::collections::BTreeSet;
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

/// Kinds that works often carry, for whoever does not know yet which ones they do.
const CARRIED: &[(&str, &[&str])] = &[
    ("", &["configmaps", "serviceaccounts", "services"]),
    ("apps", &["daemonsets", "deployments", "statefulsets"]),
    ("batch", &["cronjobs", "jobs"]),
    ("hypershift.openshift.io", &["hostedclusters", "nodepools"]),
    ("rbac.authorization.k8s.io", &["clusterrolebindings", "clusterroles", "rolebindings", "roles"]),
];

/// Who collects, in the roles.
const NAME: &str = "dacapo-collector";

/// What is known of the cluster that roles are for.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Maestro's; where none is known, the one that its chart makes.
    pub namespaces: BTreeSet<String>,
    /// Kinds that works carry; where none is known, those that they often carry.
    pub carried: BTreeSet<Resource>,
}

/// The roles that give just these rights.
pub fn roles(found: &Found) -> String {
    let fallback = ["maestro".to_owned()].into();
    let namespaces = if found.namespaces.is_empty() { &fallback } else { &found.namespaces };
    let mut text = header("ClusterRole", None);
    rules(&mut text, needed(Scope::Cluster));
    carried(&mut text, &found.carried);
    binding(&mut text, "ClusterRoleBinding", "ClusterRole", None);
    for namespace in namespaces {
        text.push_str("---\n");
        text.push_str(&header("Role", Some(namespace)));
        rules(&mut text, needed(Scope::Maestro));
        binding(&mut text, "RoleBinding", "Role", Some(namespace));
    }
    text
}

/// All kinds, also those that may be listed already: a role that is applied takes the place of the one before.
fn carried(text: &mut String, found: &BTreeSet<Resource>) {
    text.push_str(match found.is_empty() {
        true => {
            "# The objects that works carry: leave out what yours do not, add what dacapo collect --check misses.\n"
        }
        false => {
            "# The objects that works carry here; what logs of agents name besides is not known before they are read.\n"
        }
    });
    text.push_str(
        "# Secrets are not among them: who may list them may read them, and dacapo wants their names only.\n",
    );
    if found.is_empty() {
        return CARRIED.iter().for_each(|(group, resources)| rule(text, "list", group, resources));
    }
    let listed = found.iter().filter(|resource| !resource.is_secret());
    rules(text, listed.map(|resource| ("list", &*resource.group, resource.plural.to_string())));
}

fn header(kind: &str, namespace: Option<&str>) -> String {
    format!("apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\n{}rules:\n", metadata(namespace))
}

fn metadata(namespace: Option<&str>) -> String {
    let namespace = namespace.map(|namespace| format!("  namespace: {}\n", scalar(namespace))).unwrap_or_default();
    format!("metadata:\n  name: {NAME}\n{namespace}")
}

/// Verb, group and resource of what is read there, in the order of the table.
fn needed(scope: Scope) -> impl Iterator<Item = (&'static str, &'static str, String)> {
    NEEDS.iter().filter(move |need| need.scope == scope).map(|need| {
        let part = need.part.map(|part| format!("/{part}")).unwrap_or_default();
        (need.verb, &*need.resource.group, format!("{}{part}", need.resource.plural))
    })
}

/// One rule for each verb and group.
fn rules<'r>(text: &mut String, needed: impl Iterator<Item = (&'r str, &'r str, String)>) {
    let mut rules: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (verb, group, resource) in needed {
        match rules.iter_mut().find(|(known, of, _)| (*known, *of) == (verb, group)) {
            // A kind may be served in several versions.
            Some((.., resources)) if resources.contains(&resource) => {}
            Some((.., resources)) => resources.push(resource),
            None => rules.push((verb, group, vec![resource])),
        }
    }
    for (verb, group, resources) in rules {
        rule(text, verb, group, &resources);
    }
}

fn rule(text: &mut String, verb: &str, group: &str, resources: &[impl AsRef<str>]) {
    let resources: Vec<String> = resources.iter().map(|resource| scalar(resource.as_ref())).collect();
    let resources = resources.join(", ");
    // Writing to a text does not fail.
    let _ = writeln!(text, "- apiGroups: [\"{group}\"]\n  resources: [{resources}]\n  verbs: [{verb}]");
}

/// Names that YAML has for other things.
const TRUTHS: &[&str] = &["y", "yes", "on", "true", "n", "no", "off", "false", "null"];

/// A name as YAML writes it: some would be read as numbers or truths.
fn scalar(name: &str) -> String {
    let is_text = name.starts_with(|sign: char| sign.is_ascii_lowercase()) && !TRUTHS.contains(&name);
    if is_text { name.to_owned() } else { format!("\"{name}\"") }
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

#[cfg(test)]
mod tests {
    use super::super::resource::SECRETS;
    use super::*;

    #[test]
    fn roles_are_for_what_was_found() {
        let of = |group: &str, version: &str, plural: &str| {
            Resource::new(group.to_owned(), version.to_owned(), plural.to_owned())
        };
        let carried = [
            of("", "v1", "configmaps"),
            of("example.com", "v1", "widgets"),
            of("example.com", "v1alpha1", "widgets"),
            SECRETS,
        ];
        let found = Found { namespaces: ["fleet-a".to_owned(), "007".to_owned()].into(), carried: carried.into() };
        let roles = roles(&found);
        assert_eq!(roles.matches("  namespace: fleet-a\n").count(), 2, "{roles}");
        assert_eq!(roles.matches("  namespace: \"007\"\n").count(), 2, "{roles}");
        assert!(roles.contains("- apiGroups: [\"\"]\n  resources: [configmaps]\n  verbs: [list]\n"), "{roles}");
        assert!(roles.contains("- apiGroups: [\"example.com\"]\n  resources: [widgets]\n"), "{roles}");
        assert!(
            !roles.contains("secrets") && !roles.contains("hypershift") && !roles.contains(": maestro\n"),
            "{roles}"
        );
    }
}
