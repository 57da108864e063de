//! What is kept of an object: all of it, or only that it is there.
//!
//! A list is kept to its last object, because only then what is not in it was not there. But objects that works do not
//! name are nobody's business: of those, and of Secrets, nothing but the metadata is kept. So are the values of a
//! container's variables left behind, unless a command names them.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Who wrote which field is no metadata of interest. The version is that of the whole object, which would be another row.
const NOT_KEPT: &[&str] = &["managedFields", "resourceVersion"];

/// Holds a copy of the object as it was applied, with all that is left out elsewhere.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Where what makes Pods has the Pod's own part, below its own: a CronJob makes Jobs first.
const TEMPLATES: &[&str] = &["/jobTemplate/spec/template/spec", "/template/spec"];

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, default)]
    metadata: Option<&'a RawValue>,
}

fn metadata(object: &str) -> Map<String, Value> {
    let object: Option<Object<'_>> = serde_json::from_str(object).ok();
    let metadata = object.and_then(|object| object.metadata);
    metadata.and_then(|metadata| serde_json::from_str(metadata.get()).ok()).unwrap_or_default()
}

fn with_metadata(metadata: Map<String, Value>) -> String {
    let object: Map<String, Value> = [("metadata".to_owned(), Value::Object(metadata))].into_iter().collect();
    Value::Object(object).to_string()
}

/// All of it.
pub fn whole(object: &str) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(object))
}

/// Only that it is there. The list says of what kind.
pub fn identity(object: &str) -> String {
    let mut metadata = metadata(object);
    metadata.retain(|key, _| !NOT_KEPT.contains(&key.as_str()));
    forget_last_applied(&mut metadata);
    with_metadata(metadata)
}

/// Only that a Secret is there. Some keep tokens in annotations.
pub fn secret(object: &str) -> String {
    let mut metadata = metadata(object);
    metadata.retain(|key, _| !NOT_KEPT.contains(&key.as_str()) && key != "annotations");
    with_metadata(metadata)
}

fn forget_last_applied(metadata: &mut Map<String, Value>) {
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.remove(LAST_APPLIED);
    }
}

/// A Pod, or what makes Pods, without the values of variables that nothing on its command line refers to.
pub fn workload(object: &str) -> Cow<'_, str> {
    if !object.contains("\"env\"") && !object.contains(LAST_APPLIED) {
        return Cow::Borrowed(object);
    }
    let Ok(Value::Object(mut whole)) = serde_json::from_str::<Value>(object) else { return Cow::Borrowed(object) };
    if let Some(Value::Object(metadata)) = whole.get_mut("metadata") {
        forget_last_applied(metadata);
    }
    let spec = whole.get_mut("spec");
    if let Some(spec) = spec {
        let place = TEMPLATES.iter().find(|place| spec.pointer(place).is_some());
        let pod = spec.pointer_mut(place.copied().unwrap_or_default());
        if let Some(Value::Object(pod)) = pod {
            for part in ["initContainers", "containers", "ephemeralContainers"] {
                pod.get_mut(part).and_then(Value::as_array_mut).into_iter().flatten().for_each(forget_values);
            }
        }
    }
    Cow::Owned(Value::Object(whole).to_string())
}

fn forget_values(container: &mut Value) {
    let words = |key: &str| container.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let line: Vec<Value> = words("command").into_iter().chain(words("args")).collect();
    let is_used = |name: &str| {
        let reference = format!("$({name})");
        line.iter().filter_map(Value::as_str).any(|word| word.contains(&reference))
    };
    let variables = container.get_mut("env").and_then(Value::as_array_mut).into_iter().flatten();
    for variable in variables.filter_map(Value::as_object_mut) {
        let used = variable.get("name").and_then(Value::as_str).is_some_and(is_used);
        if !used {
            variable.remove("value");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_secret_only_metadata_is_kept() {
        let text = r#"{"kind": "PartialObjectMetadata", "data": {"a": "c2VjcmV0"}, "metadata": {"name": "s",
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "c2VjcmV0", "a": "b"}}}"#;
        assert_eq!(secret(text), r#"{"metadata":{"name":"s"}}"#);
    }

    #[test]
    fn an_identity_has_no_content_and_no_version() {
        let text = r#"{"kind": "ConfigMap", "metadata": {"name": "c", "uid": "u", "resourceVersion": "7",
            "managedFields": [], "annotations": {"a": "b", "kubectl.kubernetes.io/last-applied-configuration": "c"}},
            "data": {"a": "b"}}"#;
        assert_eq!(identity(text), r#"{"metadata":{"name":"c","uid":"u","annotations":{"a":"b"}}}"#);
        assert_eq!(identity("?"), r#"{"metadata":{}}"#);
    }

    #[test]
    fn values_of_variables_stay_behind_unless_a_command_needs_them() {
        let pod = |prefix: &str, suffix: &str, password: &str| {
            format!(
                r#"{{"metadata":{{"name":"p"}},"spec":{prefix}{{"containers":[{{"name":"c","args":["-v=$(LEVEL)"],"env":[{{"name":"LEVEL","value":"4"}},{{"name":"PASSWORD"{password}}}]}}]}}{suffix}}}"#
            )
        };
        let value = r#","value":"hunter2""#;
        assert_eq!(workload(&pod("", "", value)), pod("", "", ""));
        let templates = [(r#"{"template":{"spec":"#, "}}"), (r#"{"jobTemplate":{"spec":{"template":{"spec":"#, "}}}}")];
        for (prefix, suffix) in templates {
            assert_eq!(workload(&pod(prefix, suffix, value)), pod(prefix, suffix, ""));
        }
        assert!(matches!(workload(r#"{"metadata":{"name":"p"}}"#), Cow::Borrowed(_)));
    }
}
