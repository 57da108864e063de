//! What an agent reports on each manifest: conditions, and values that it was asked to feed back.

use super::super::difference::{HIDDEN, without_secrets};
use super::name::{Name, Reference};
use crate::model::{Condition, Feedback};
use crate::schema::Time;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The status of an object can be long; its beginning tells.
const LONGEST_VALUE: usize = 16 << 10;

#[derive(Default)]
pub struct Status {
    pub version: Option<i64>,
    pub evidence: String,
    pub manifests: Vec<ManifestStatus>,
}

pub struct ManifestStatus {
    pub name: Name,
    pub conditions: Vec<Condition>,
    values: Vec<FedBack>,
}

/// A value as it was fed back, decoded.
struct FedBack {
    name: String,
    kind: String,
    value: Value,
}

impl Status {
    /// From a JSON list, as the database and log lines have it.
    pub fn of_text(text: Option<&str>, version: Option<i64>, evidence: &str) -> Option<Self> {
        let list = serde_json::from_str(text?).ok()?;
        Some(Self { version, evidence: evidence.to_owned(), manifests: manifests(&list) })
    }

    /// The status of a ManifestWork object, or what was fed back of it.
    pub fn of_work(status: &Value, evidence: &str) -> Option<Self> {
        let list = status.pointer("/resourceStatus/manifests")?;
        Some(Self { version: None, evidence: evidence.to_owned(), manifests: manifests(list) })
    }
}

impl ManifestStatus {
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// The values as they may be shown.
    pub fn feedback(&self) -> Vec<Feedback> {
        let secret = self.name.kind.as_deref() == Some("Secret");
        self.values.iter().map(|value| value.shown(secret)).collect()
    }

    /// The status of a ManifestWork among the values: a work inside a work.
    pub fn inner_status(&self) -> Option<&Value> {
        let values = self.values.iter().map(|fed_back| &fed_back.value);
        values.flat_map(|value| [Some(value), value.get("status")]).flatten().find(|value| is_work_status(value))
    }
}

fn is_work_status(value: &Value) -> bool {
    value.pointer("/resourceStatus/manifests").is_some_and(Value::is_array)
}

impl FedBack {
    fn shown(&self, secret: bool) -> Feedback {
        let value = if secret { Value::from(HIDDEN) } else { without_fed_back_secrets(&without_secrets(&self.value)) };
        let feedback = |value, cut| Feedback { name: self.name.clone(), kind: self.kind.clone(), value, cut };
        let text = match &value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if text.len() <= LONGEST_VALUE {
            return feedback(value, false);
        }
        let end = (0..=LONGEST_VALUE).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        feedback(text.get(..end).unwrap_or_default().into(), true)
    }
}

/// What is fed back of a work has what that work feeds back of its Secrets.
fn without_fed_back_secrets(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let secret = value.pointer("/resourceMeta/kind").and_then(Value::as_str) == Some("Secret");
            let hides = |key: &str| secret && key.starts_with("statusFeedback");
            let shown = |(key, value): (&String, &Value)| {
                let value = if hides(key) { Value::from(HIDDEN) } else { without_fed_back_secrets(value) };
                (key.clone(), value)
            };
            Value::Object(fields.iter().map(shown).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(without_fed_back_secrets).collect(),
        plain => plain.clone(),
    }
}

fn manifests(list: &Value) -> Vec<ManifestStatus> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| RawStatus::deserialize(item).ok()).map(RawStatus::read).collect()
}

/// In the order in which they come about, whoever wrote them down.
pub fn conditions(list: Option<&Value>) -> Vec<Condition> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    let read = items.filter_map(|item| RawCondition::deserialize(item).ok()).map(RawCondition::read);
    let mut conditions: Vec<Condition> = read.collect();
    let order = |kind: &str| ["Applied", "Available"].iter().position(|known| *known == kind).unwrap_or(2);
    conditions.sort_by_key(|condition| order(&condition.kind));
    conditions
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawStatus {
    resource_meta: Reference,
    #[serde(default)]
    conditions: Value,
    #[serde(default, alias = "statusFeedbacks")]
    status_feedback: Option<RawValues>,
}

#[derive(Default, Deserialize)]
struct RawValues {
    #[serde(default)]
    values: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawCondition {
    r#type: String,
    status: String,
    reason: Option<String>,
    message: Option<String>,
    observed_generation: Option<i64>,
    last_transition_time: Option<String>,
}

impl RawStatus {
    fn read(self) -> ManifestStatus {
        let values = self.status_feedback.and_then(|feedback| feedback.values).unwrap_or_default();
        ManifestStatus {
            name: self.resource_meta.name(),
            conditions: conditions(Some(&self.conditions)),
            values: values.iter().filter_map(fed_back).collect(),
        }
    }
}

impl RawCondition {
    fn read(self) -> Condition {
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        Condition {
            kind: self.r#type,
            status: self.status,
            reason: said(self.reason),
            message: said(self.message),
            observed_generation: self.observed_generation,
            at: self.last_transition_time.as_deref().and_then(Time::parse),
        }
    }
}

fn fed_back(item: &Value) -> Option<FedBack> {
    let field = item.get("fieldValue")?;
    let kind = field.get("type").and_then(Value::as_str).unwrap_or_default();
    let value = match kind {
        "JsonRaw" => {
            let text = field.get("jsonRaw").and_then(Value::as_str)?;
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        "Integer" => field.get("integer").cloned()?,
        "Boolean" => field.get("boolean").cloned()?,
        _ => field.get("string").cloned()?,
    };
    let name = item.get("name").and_then(Value::as_str)?.to_owned();
    Some(FedBack { name, kind: kind.to_owned(), value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn status(kind: &str, raw: &Value) -> ManifestStatus {
        let field = json!({"type": "JsonRaw", "jsonRaw": raw.to_string()});
        let list = json!([{"resourceMeta": {"kind": kind, "name": "x"}, "conditions": [{"type": "Applied", "status": "True"}],
            "statusFeedback": {"values": [{"name": "status", "fieldValue": field}, {"name": "odd"}]}}, 7]);
        let mut status = Status::of_text(Some(&list.to_string()), None, "resources:1").unwrap();
        assert_eq!(status.manifests.len(), 1);
        status.manifests.remove(0)
    }

    #[test]
    fn json_that_is_fed_back_as_text_is_decoded() {
        let feedback = status("Deployment", &json!({"replicas": 1})).feedback();
        assert_eq!(feedback.len(), 1);
        assert_eq!((&feedback[0].value, feedback[0].cut), (&json!({"replicas": 1}), false));
    }

    #[test]
    fn a_long_value_is_cut_and_marked() {
        let feedback = status("ConfigMap", &json!({"text": "ü".repeat(LONGEST_VALUE)})).feedback();
        assert!(feedback[0].cut);
        let shown = feedback[0].value.as_str().unwrap();
        assert!(shown.len() <= LONGEST_VALUE && shown.starts_with("{\"text\":\"üü"));
    }

    #[test]
    fn what_is_fed_back_of_a_secret_is_hidden() {
        let data = json!({"password": "sesame"});
        let inner = json!({"resourceStatus": {"manifests": [{"resourceMeta": {"kind": "Secret"},
            "statusFeedback": {"values": [{"name": "data", "fieldValue": {"type": "JsonRaw", "jsonRaw": data.to_string()}}]}}]}});
        for status in [status("Secret", &data), status("ManifestWork", &inner)] {
            let shown = format!("{:?}", status.feedback());
            assert!(shown.contains(HIDDEN) && !shown.contains("sesame"), "{shown}");
        }
    }

    #[test]
    fn the_status_of_an_inner_work_is_found_among_the_values() {
        let inner = json!({"resourceStatus": {"manifests": []}});
        assert_eq!(status("ManifestWork", &inner).inner_status(), Some(&inner));
        assert_eq!(status("ManifestWork", &json!({"status": inner})).inner_status(), Some(&inner));
        assert_eq!(status("Deployment", &json!({"replicas": 1})).inner_status(), None);
    }
}
