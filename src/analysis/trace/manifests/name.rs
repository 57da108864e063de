//! How an object is called, by whoever calls it.

use crate::query::trace::{AgentObject, ObjectRow};
use serde::Deserialize;
use serde_json::Value;

/// Manifests have kinds, lists and logs have plurals; some have neither group nor version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub group: Option<String>,
    pub version: Option<String>,
    pub resource: Option<String>,
    pub kind: Option<String>,
    pub namespace: Option<String>,
    pub name: String,
}

/// As statuses, lists and rules name an object. Empty is not known, except for the group.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Reference {
    pub group: Option<String>,
    pub version: Option<String>,
    pub resource: Option<String>,
    pub kind: Option<String>,
    pub namespace: Option<String>,
    pub name: String,
    pub uid: Option<String>,
}

impl Name {
    pub fn of_manifest(manifest: &Value) -> Option<Self> {
        let text = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_str);
        let (group, version) = text("/apiVersion").map(api_version).unwrap_or_default();
        Some(Self {
            group,
            version,
            resource: None,
            kind: text("/kind").map(str::to_owned),
            namespace: text("/metadata/namespace").and_then(known),
            name: text("/metadata/name")?.to_owned(),
        })
    }

    pub fn of_object(object: &ObjectRow) -> Self {
        let (group, version) = object.api_version.as_deref().map(api_version).unwrap_or_default();
        Self {
            group,
            version,
            resource: None,
            kind: Some(object.kind.clone()),
            namespace: object.namespace.clone(),
            name: object.name.clone(),
        }
    }

    pub fn of_logged(object: &AgentObject) -> Self {
        Self {
            group: object.group.clone(),
            version: None,
            resource: object.resource.clone(),
            kind: None,
            namespace: object.namespace.as_deref().and_then(known),
            name: object.name.clone(),
        }
    }

    /// Do both mean the same object, as far as they tell?
    pub fn is(&self, other: &Self) -> bool {
        let agree = |one: &Option<String>, other: &Option<String>| one.is_none() || other.is_none() || one == other;
        self.name == other.name
            && self.namespace == other.namespace
            && agree(&self.group, &other.group)
            && match (&self.kind, &other.kind, &self.resource, &other.resource) {
                (Some(one), Some(other), ..) => one == other,
                (_, _, Some(one), Some(other)) => one == other,
                (Some(kind), _, _, Some(resource)) | (_, Some(kind), Some(resource), _) => is_plural(resource, kind),
                _ => true,
            }
    }

    /// Takes over what the other knows besides.
    pub fn learn(&mut self, other: &Self) {
        let take = |own: &mut Option<String>, others: &Option<String>| {
            if own.is_none() {
                own.clone_from(others);
            }
        };
        take(&mut self.group, &other.group);
        take(&mut self.version, &other.version);
        take(&mut self.resource, &other.resource);
        take(&mut self.kind, &other.kind);
    }
}

impl Reference {
    pub fn name(&self) -> Name {
        let known = |text: &Option<String>| text.as_deref().and_then(known);
        Name {
            group: self.group.clone(),
            version: known(&self.version),
            resource: known(&self.resource),
            kind: known(&self.kind),
            namespace: known(&self.namespace),
            name: self.name.clone(),
        }
    }

    /// Is this rule about that object? `*` stands for anything.
    pub fn covers(&self, name: &Name) -> bool {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let fits = |rule: &str, own: &str| rule == own || matches_pattern(rule, own);
        let resource = match (&name.resource, &name.kind) {
            (Some(resource), _) => fits(&text(&self.resource), resource),
            (None, Some(kind)) => is_plural(&text(&self.resource), kind),
            (None, None) => true,
        };
        resource
            && fits(&text(&self.group), &text(&name.group))
            && fits(&text(&self.namespace), &text(&name.namespace))
            && fits(&self.name, &name.name)
    }
}

fn known(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// `apps/v1` is group and version, `v1` the version of the group without a name.
fn api_version(text: &str) -> (Option<String>, Option<String>) {
    let (group, version) = text.split_once('/').unwrap_or(("", text));
    (Some(group.to_owned()), known(version))
}

/// Kubernetes makes plurals by rule, not by English.
fn is_plural(resource: &str, kind: &str) -> bool {
    let kind = kind.to_lowercase();
    let plural = match kind.strip_suffix('y') {
        Some(stem) if !kind.ends_with("ey") => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| kind.ends_with(end)) => format!("{kind}es"),
        _ => format!("{kind}s"),
    };
    resource == plural || resource == kind || resource == format!("{kind}s")
}

/// `*` stands for any text. Each star takes as little as it can, and more only where the rest does not fit.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn manifest(api_version: &str, kind: &str) -> Name {
        let metadata = json!({"namespace": "demo", "name": "app"});
        Name::of_manifest(&json!({"apiVersion": api_version, "kind": kind, "metadata": metadata})).unwrap()
    }

    fn listed(group: &str, resource: &str) -> Name {
        let text = json!({"group": group, "version": "v1", "resource": resource, "namespace": "demo", "name": "app"});
        serde_json::from_value::<Reference>(text).unwrap().name()
    }

    #[test]
    fn a_plural_is_told_from_other_plurals() {
        for (kind, resource) in [
            ("Deployment", "deployments"),
            ("NetworkPolicy", "networkpolicies"),
            ("Ingress", "ingresses"),
            ("Endpoints", "endpoints"),
            ("Gateway", "gateways"),
        ] {
            assert!(is_plural(resource, kind), "{kind} {resource}");
        }
        assert!(!is_plural("roles", "RoleBinding"));
        assert!(manifest("v1", "Service").is(&listed("", "services")));
        assert!(!manifest("v1", "Service").is(&listed("", "serviceaccounts")));
        assert!(!manifest("serving.example.com/v1", "Service").is(&listed("", "services")));
    }

    #[test]
    fn a_rule_may_leave_parts_open() {
        let rule = |name: &str, namespace: &str| Reference {
            group: Some("apps".into()),
            resource: Some("deployments".into()),
            namespace: Some(namespace.into()),
            name: name.into(),
            ..Reference::default()
        };
        let name = manifest("apps/v1", "Deployment");
        assert!(rule("app", "demo").covers(&name));
        assert!(rule("*", "*").covers(&name));
        assert!(rule("a*p", "de*").covers(&name));
        assert!(!rule("a*x", "demo").covers(&name));
        assert!(!rule("app", "other").covers(&name));
        assert!(!rule("app", "demo").covers(&manifest("apps/v1", "StatefulSet")));
    }

    #[test]
    fn a_name_learns_what_others_know() {
        let mut name = manifest("apps/v1", "Deployment");
        name.learn(&listed("apps", "deployments"));
        assert_eq!((name.resource.as_deref(), name.kind.as_deref()), (Some("deployments"), Some("Deployment")));
    }
}
