//! Labels that name a type: a kind, its plural, a line's `apps/v1, Resource=deployments`, the type of a CloudEvent.

use super::kinds::{KindName, is_version};

/// The types of CloudEvents that carry works: one with a bundle of manifests, an old one with a single manifest.
const WORK_TYPES: &[&str] = &["manifestbundles", "manifests"];
const WORK_TYPE_GROUP: &str = "io.open-cluster-management.works";

/// What a label says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TypeLabel {
    pub kind: String,
    /// None where the label does not tell; empty for the core group.
    pub group: Option<String>,
    pub version: Option<String>,
    /// `spec` or `status` of a CloudEvent's type.
    pub sub_resource: Option<String>,
    /// `create_request` and so on.
    pub action: Option<String>,
}

impl TypeLabel {
    pub fn parse(label: &str) -> Self {
        let label = label.trim().trim_matches('"');
        Self::printed(label)
            .or_else(|| Self::event(label))
            .or_else(|| Self::go_type(label))
            .unwrap_or_else(|| Self::name(label))
    }

    /// How to look the kind up.
    pub fn kind_name(&self) -> KindName {
        KindName { name: self.kind.to_lowercase(), group: self.group.clone() }
    }

    /// `apps/v1, Resource=deployments` and `apps/v1, Kind=Deployment`, as Go prints them; `apps/v1/deployments`.
    fn printed(label: &str) -> Option<Self> {
        let (api, kind) = match label.split_once(", ") {
            Some((api, named)) => (api, named.strip_prefix("Resource=").or_else(|| named.strip_prefix("Kind="))?),
            None => label.rsplit_once(['/', ' '])?,
        };
        let (group, version) = api.rsplit_once('/').unwrap_or(("", api));
        let told = Self {
            kind: kind.to_owned(),
            group: Some(group.to_owned()),
            version: Some(version.to_owned()),
            ..Self::default()
        };
        is_version(version).then_some(told)
    }

    /// `io.example.things.v1.boxes`, with `.spec.create_request` behind it or not.
    fn event(label: &str) -> Option<Self> {
        let parts: Vec<&str> = label.split('.').collect();
        let at = parts.iter().position(|part| is_version(part))?;
        let (group, rest) = parts.split_at_checked(at)?;
        let (version, resource, sub_resource, action) = match rest {
            [version, resource] if group.len() > 1 => (version, resource, None, None),
            [version, resource, sub @ ("spec" | "status"), action] => (version, resource, Some(*sub), Some(*action)),
            _ => return None,
        };
        let group = group.join(".");
        let is_work = group == WORK_TYPE_GROUP && WORK_TYPES.contains(resource);
        Some(Self {
            kind: if is_work { "ManifestWork".to_owned() } else { (*resource).to_owned() },
            group: is_work.then(|| "work.open-cluster-management.io".to_owned()),
            version: Some((*version).to_owned()),
            sub_resource: sub_resource.map(str::to_owned),
            action: action.map(str::to_owned),
        })
    }

    /// `*v1.Deployment`
    fn go_type(label: &str) -> Option<Self> {
        let (version, kind) = label.trim_start_matches('*').split_once('.')?;
        let told = Self { kind: kind.to_owned(), version: Some(version.to_owned()), ..Self::default() };
        is_version(version).then_some(told)
    }

    /// `deploy`, `deployments.apps`, `deployments.v1.apps`
    fn name(label: &str) -> Self {
        let KindName { name, group } = KindName::parse(label);
        let version = label.split('.').nth(1).filter(|part| is_version(part)).map(str::to_owned);
        // A kind keeps the case in which it was written.
        let kind = label.get(..name.len()).filter(|written| written.to_lowercase() == name).unwrap_or(&name);
        Self { kind: kind.to_owned(), group, version, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(label: &str) -> (String, Option<String>, Option<String>) {
        let told = TypeLabel::parse(label);
        (told.kind, told.group, told.version)
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn types_are_read_as_they_are_printed() {
        let deployments = ("deployments".to_owned(), some("apps"), some("v1"));
        for label in ["apps/v1, Resource=deployments", "apps/v1/deployments", "deployments.v1.apps"] {
            assert_eq!(told(label), deployments, "{label}");
        }
        assert_eq!(told("/v1, Resource=configmaps"), ("configmaps".to_owned(), some(""), some("v1")));
        assert_eq!(told("apps/v1, Kind=Deployment"), ("Deployment".to_owned(), some("apps"), some("v1")));
        assert_eq!(told("*v1.ManifestWork"), ("ManifestWork".to_owned(), None, some("v1")));
        assert_eq!(told("Deployment"), ("Deployment".to_owned(), None, None));
        assert_eq!(told("deployments.apps"), ("deployments".to_owned(), some("apps"), None));
    }

    #[test]
    fn the_type_of_a_cloud_event_tells_what_is_asked() {
        let work = TypeLabel::parse("io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request");
        assert_eq!((work.kind.as_str(), work.version.as_deref()), ("ManifestWork", Some("v1alpha1")));
        assert_eq!((work.sub_resource.as_deref(), work.action.as_deref()), (Some("spec"), Some("create_request")));
        assert_eq!(TypeLabel::parse("io.open-cluster-management.works.v1alpha1.manifestbundles").kind, "ManifestWork");
        let other = TypeLabel::parse("io.open-cluster-management.cluster.v1.managedclusters.status.update_request");
        assert_eq!((other.kind.as_str(), other.group), ("managedclusters", None));
    }
}
