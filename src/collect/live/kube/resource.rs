//! What kinds of objects are called in the paths of an API server.

use std::borrow::Cow;

/// A resource: `deployments` of `apps/v1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Resource {
    /// Empty for the core.
    pub group: Cow<'static, str>,
    pub version: Cow<'static, str>,
    pub plural: Cow<'static, str>,
}

const fn of(group: &'static str, version: &'static str, plural: &'static str) -> Resource {
    Resource { group: Cow::Borrowed(group), version: Cow::Borrowed(version), plural: Cow::Borrowed(plural) }
}

const WORK: &str = "work.open-cluster-management.io";

pub const APPLIED_WORKS: Resource = of(WORK, "v1", "appliedmanifestworks");
pub const MANIFEST_WORKS: Resource = of(WORK, "v1", "manifestworks");
pub const NAMESPACES: Resource = of("", "v1", "namespaces");
pub const DEFINITIONS: Resource = of("apiextensions.k8s.io", "v1", "customresourcedefinitions");
pub const PODS: Resource = of("", "v1", "pods");
pub const REPLICA_SETS: Resource = of("apps", "v1", "replicasets");
pub const DEPLOYMENTS: Resource = of("apps", "v1", "deployments");
pub const STATEFUL_SETS: Resource = of("apps", "v1", "statefulsets");
pub const EVENTS: Resource = of("", "v1", "events");
pub const SECRETS: Resource = of("", "v1", "secrets");

impl Resource {
    pub fn new(group: String, version: String, plural: String) -> Self {
        Self { group: group.into(), version: version.into(), plural: plural.into() }
    }

    pub fn path(&self, namespace: Option<&str>) -> String {
        let Self { group, version, plural } = self;
        let api = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        match namespace {
            Some(namespace) => format!("{api}/namespaces/{namespace}/{plural}"),
            None => format!("{api}/{plural}"),
        }
    }

    /// `pods`, `deployments.apps`: kinds of two groups may be called alike. Those of the works are known by one word.
    pub fn file(&self) -> String {
        let Self { group, plural, .. } = self;
        if group.is_empty() || group == WORK { plural.to_string() } else { format!("{plural}.{group}") }
    }

    /// Version and kind of its lists, of resources whose metadata alone is asked for.
    pub fn list_kind(&self) -> Option<(String, String)> {
        let known = [(SECRETS, "SecretList"), (DEFINITIONS, "CustomResourceDefinitionList")];
        let (_, kind) =
            known.iter().find(|(resource, _)| (&resource.group, &resource.plural) == (&self.group, &self.plural))?;
        let Self { group, version, .. } = self;
        let version = if group.is_empty() { version.to_string() } else { format!("{group}/{version}") };
        Some((version, (*kind).to_owned()))
    }

    /// May it be a kind that a CustomResourceDefinition defines? Those have groups that are names of domains.
    pub fn may_be_defined(&self) -> bool {
        self.group.contains('.')
    }

    pub fn is_secret(&self) -> bool {
        self.group.is_empty() && self.plural == SECRETS.plural
    }
}

/// May a word from outside stand between two slashes of a path?
pub fn is_plain(word: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    word.bytes().all(fits) && !matches!(word, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_elsewhere_is_not_plain() {
        assert!(["", "v1", "apps", "kube-system", "work.open-cluster-management.io"].into_iter().all(is_plain));
        assert!(![".", "..", "a/b", "a?b", "a%2e", "a b"].into_iter().any(is_plain));
    }

    #[test]
    fn a_resource_has_a_path_and_a_name() {
        assert_eq!(PODS.path(None), "/api/v1/pods");
        assert_eq!(DEPLOYMENTS.path(Some("maestro")), "/apis/apps/v1/namespaces/maestro/deployments");
        assert_eq!(DEPLOYMENTS.file(), "deployments.apps");
        assert_eq!(APPLIED_WORKS.file(), "appliedmanifestworks");
    }
}
