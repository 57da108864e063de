//! Kubernetes objects as the agent names them: by resource in a key, by kind inside a message.

/// `apps` and `deployments` of `apps/v1, Resource=deployments`.
pub(super) fn group(gvr: &str) -> Option<&str> {
    gvr.split_once('/').map(|(group, _)| group)
}

pub(super) fn resource(gvr: &str) -> Option<&str> {
    gvr.split_once(", Resource=").map(|(_, resource)| resource)
}

/// `hall` and `stage` of `hall/stage`; what belongs to no namespace is `stage` or `/stage`.
pub(super) fn namespace(object: &str) -> Option<&str> {
    object.split_once('/').map(|(namespace, _)| namespace).filter(|namespace| !namespace.is_empty())
}

pub(super) fn name(object: &str) -> Option<&str> {
    object.rsplit('/').next().filter(|name| !name.is_empty())
}

/// An object as the agent's event recorder writes it: `Role.rbac.authorization.k8s.io/name -n
/// namespace`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded<'a> {
    pub kind: &'a str,
    pub group: &'a str,
    pub name: &'a str,
    pub namespace: Option<&'a str>,
    /// Why it could not be applied.
    pub error: Option<&'a str>,
}

/// `INFO: Created ConfigMap/cm1 -n default because it was missing`, `WARNING: Failed to create …:
/// why`.
pub(super) fn recorded(message: &str) -> Option<Recorded<'_>> {
    let failed = message.strip_prefix("WARNING: Failed to ");
    let (verb, object) = failed.or_else(|| message.strip_prefix("INFO: "))?.split_once(' ')?;
    let known = matches!(verb, "Created" | "Updated" | "Deleted" | "create" | "update" | "delete");
    let (named, rest) = known.then(|| word(object))?;
    let (kind, name) = named.split_once('/')?;
    let (kind, group) = kind.split_once('.').unwrap_or((kind, ""));
    let (namespace, rest) = match rest.strip_prefix(" -n ").map(word) {
        Some((namespace, rest)) => (Some(namespace), rest),
        None => (None, rest),
    };
    let error = failed.and_then(|_| rest.strip_prefix(": "));
    Some(Recorded { kind, group, name, namespace, error })
}

/// `ConfigMap "hall/cm" changes: {…}`, which stands before `INFO: Updated …`.
pub(super) fn changed(message: &str) -> Option<Recorded<'_>> {
    let (kind, rest) = message.split_once(" \"")?;
    let (object, _) = rest.split_once("\" changes: ")?;
    let known = kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(|c| c.is_ascii_alphanumeric());
    known.then(|| Recorded {
        kind,
        name: name(object).unwrap_or(object),
        namespace: namespace(object),
        ..Recorded::default()
    })
}

/// Up to a blank or to the colon that ends a clause (RBAC names may hold a colon themselves).
fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\n']).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    match word.strip_suffix(':') {
        Some(word) => text.split_at_checked(word.len()).unwrap_or((text, "")),
        None => (word, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_object_is_taken_apart() {
        let object = |kind, name, namespace| Some(Recorded { kind, name, namespace, ..Recorded::default() });
        assert_eq!(changed(r#"ConfigMap "hall/cm" changes: {"data":1}"#), object("ConfigMap", "cm", Some("hall")));
        assert_eq!(changed(r#"Namespace "hall" changes: {}"#), object("Namespace", "hall", None));
        for other in [r#"the "hall" changes: {}"#, r#"Two Words "hall" changes: {}"#, r#"ConfigMap "hall/cm" is new"#] {
            assert_eq!(changed(other), None, "{other}");
        }
    }

    #[test]
    fn a_recorded_object_is_taken_apart() {
        let object = |kind, group, name, namespace, error| Some(Recorded { kind, group, name, namespace, error });
        let missing = recorded("INFO: Created ConfigMap/cm -n hall because it was missing");
        assert_eq!(missing, object("ConfigMap", "", "cm", Some("hall"), None));
        let changed = recorded("INFO: Updated ConfigMap/cm -n hall:\ncause by changes in data.k");
        assert_eq!(changed, object("ConfigMap", "", "cm", Some("hall"), None));
        let global = recorded("INFO: Created ClusterRole.rbac.authorization.k8s.io/a:b because it was missing");
        assert_eq!(global, object("ClusterRole", "rbac.authorization.k8s.io", "a:b", None, None));
        let failed = recorded("WARNING: Failed to create Namespace/hall: namespaces is forbidden: no");
        assert_eq!(failed, object("Namespace", "", "hall", None, Some("namespaces is forbidden: no")));
        for other in ["INFO: ready", "INFO: tuned strings/brass", "Created ConfigMap/cm", "WARNING: Failed to create"] {
            assert_eq!(recorded(other), None, "{other}");
        }
    }
}
