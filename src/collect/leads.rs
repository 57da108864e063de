//! What leads to a work besides its own ids: the manifests it carries, and the labels that it and they have.

use super::loose::{Items, Loose, Pairs, Word};
use crate::schema::{ManifestPath, Text, is_arm_id, label_word, plurals};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Where the operation id is kept; it has a column of its own.
const TRACING: &str = "logging.open-cluster-management.io/";

/// Annotations hold anything, whole objects too. No identifier is longer, but for those of Azure.
const LONGEST_IDENTIFIER: usize = 128;

/// Manifests and labels, each once and in order.
#[derive(Debug, Default)]
pub struct Leads {
    manifests: BTreeSet<String>,
    labels: BTreeSet<String>,
}

/// The ids and names that a stored CloudEvent has.
#[derive(Debug, Default)]
pub struct Told {
    pub event_id: Option<Text<'static>>,
    pub work_name: Option<Text<'static>>,
    pub op_id: Option<Text<'static>>,
}

impl Leads {
    /// Of the last spec, as the database stores it or as a ManifestWork object holds it.
    pub fn spec(&mut self, text: &str) -> Told {
        let Spec { id, logtracing, metadata: Loose(metadata), data: Loose(data), spec: Loose(spec) } =
            serde_json::from_str(text).unwrap_or_default();
        self.metadata(&metadata);
        self.manifest(&data.manifest.0);
        data.manifests.0.iter().chain(&spec.workload.0.manifests.0).for_each(|manifest| self.manifest(manifest));
        // A REST answer has only the annotation; the stored event has both.
        let traced = logtracing.text().and_then(|text| op_id(&serde_json::from_str(text).ok()?));
        let op_id = traced.or_else(|| op_id(&metadata.annotations));
        Told { event_id: id.0.map(Cow::Owned), work_name: metadata.name.0.map(Cow::Owned), op_id }
    }

    /// Of the last status. It tells which plural belongs to which kind, where that is not the usual one.
    pub fn status(&mut self, text: &str) -> Told {
        let status: Status = serde_json::from_str(text).unwrap_or_default();
        for Loose(about) in status.data.0.resource_status.0.iter().map(|status| &status.resource_meta) {
            self.place(about, &about.kind);
            let named = about.kind.text().zip(about.resource.text());
            if named.is_some_and(|(kind, plural)| !plurals(&kind.to_lowercase()).iter().any(|usual| usual == plural)) {
                self.place(about, &about.resource);
            }
        }
        Told { event_id: status.id.0.map(Cow::Owned), ..Told::default() }
    }

    /// Of the agent's own list, `status.appliedResources`.
    pub fn applied(&mut self, text: &str) {
        let applied: Items<Place> = serde_json::from_str(text).unwrap_or_default();
        applied.0.iter().for_each(|resource| self.place(resource, &resource.resource));
    }

    /// Of an object's own metadata.
    pub fn labels(&mut self, labels: Option<&str>, annotations: Option<&str>) {
        let pairs = |text: Option<&str>| text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let (labels, annotations) = (pairs(labels), pairs(annotations));
        self.metadata(&Metadata { labels, annotations, ..Metadata::default() });
    }

    pub fn manifest_paths(&self) -> Option<Text<'static>> {
        words(&self.manifests)
    }

    pub fn label_pairs(&self) -> Option<Text<'static>> {
        words(&self.labels)
    }

    /// A manifest, and the manifests in it where it is a work itself.
    fn manifest(&mut self, manifest: &Manifest) {
        let Metadata { name, namespace, .. } = &manifest.metadata.0;
        let api_version = manifest.api_version.text().unwrap_or_default();
        let path = manifest.kind.text().zip(name.text()).and_then(|(kind, name)| {
            let group = api_version.split_once('/').map(|(group, _)| group);
            ManifestPath { kind, group, namespace: namespace.text(), name }.word()
        });
        self.manifests.extend(path);
        self.metadata(&manifest.metadata.0);
        if manifest.kind.text() == Some("ManifestWork") {
            manifest.spec.0.workload.0.manifests.0.iter().for_each(|inner| self.manifest(inner));
        }
    }

    fn place(&mut self, place: &Place, kind: &Word) {
        let (group, namespace) = (place.group.text(), place.namespace.text());
        let path = kind.text().zip(place.name.text());
        let word = path.and_then(|(kind, name)| ManifestPath { kind, group, namespace, name }.word());
        self.manifests.extend(word);
    }

    fn metadata(&mut self, metadata: &Metadata) {
        let annotations = metadata
            .annotations
            .0
            .iter()
            .filter(|(key, value)| !key.starts_with(TRACING) && (is_arm_id(value) || is_identifier(value)));
        let pairs = metadata.labels.0.iter().chain(annotations);
        self.labels.extend(pairs.filter_map(|(key, value)| label_word(key, value)));
    }
}

fn op_id(annotations: &Pairs) -> Option<Text<'static>> {
    let op_id = annotations.0.iter().find(|(key, _)| key.strip_prefix(TRACING) == Some("op-id"));
    op_id.map(|(_, value)| Cow::Owned(value.clone()))
}

fn words(words: &BTreeSet<String>) -> Option<Text<'static>> {
    (!words.is_empty()).then(|| Cow::Owned(words.iter().map(String::as_str).collect::<Vec<_>>().join(" ")))
}

fn is_identifier(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@".contains(&byte);
    !value.is_empty() && value.len() <= LONGEST_IDENTIFIER && value.bytes().all(plain)
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Spec {
    id: Word,
    logtracing: Word,
    metadata: Loose<Metadata>,
    data: Loose<Carried>,
    spec: Loose<WorkSpec>,
}

/// The data of a spec CloudEvent; old ones have one manifest.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Carried {
    manifests: Items<Manifest>,
    manifest: Loose<Manifest>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WorkSpec {
    workload: Loose<Workload>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Workload {
    manifests: Items<Manifest>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Manifest {
    kind: Word,
    api_version: Word,
    metadata: Loose<Metadata>,
    spec: Loose<WorkSpec>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    name: Word,
    namespace: Word,
    labels: Pairs,
    annotations: Pairs,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    id: Word,
    data: Loose<StatusData>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StatusData {
    resource_status: Items<ResourceStatus>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceStatus {
    resource_meta: Loose<Place>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Place {
    group: Word,
    kind: Word,
    resource: Word,
    namespace: Word,
    name: Word,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(read: impl FnOnce(&mut Leads)) -> String {
        let mut leads = Leads::default();
        read(&mut leads);
        leads.manifest_paths().unwrap_or_default().into_owned()
    }

    fn spec(text: &str) -> String {
        paths(|leads| drop(leads.spec(text)))
    }

    #[test]
    fn a_spec_leads_by_its_manifests_and_labels() {
        let mut leads = Leads::default();
        leads.spec(
            r#"{"metadata": {"name": "w", "labels": {"example.io/cluster-id": "abc123", "n": 1},
                "annotations": {"logging.open-cluster-management.io/op-id": "o1", "example.io/note": "two words",
                    "example.io/arm": "/Subscriptions/1/resourceGroups/R"}},
              "data": {"manifests": [
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "demo"}},
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "demo", "labels": {"tier": "one"}}},
                {"kind": "Secret"}, null]}}"#,
        );
        assert_eq!(leads.manifest_paths().as_deref(), Some("Deployment.apps/demo/web Namespace/demo"));
        let labels = "example.io/arm=/subscriptions/1/resourcegroups/r example.io/cluster-id=abc123 tier=one";
        assert_eq!(leads.label_pairs().as_deref(), Some(labels));
    }

    #[test]
    fn a_spec_tells_work_name_and_operation() {
        let told = |text: &str| Leads::default().spec(text);
        let spec = told(
            r#"{"id":"e1","metadata":{"name":"nginx-work"},"logtracing":"{\"logging.open-cluster-management.io/op-id\":\"o1\"}"}"#,
        );
        assert_eq!((spec.event_id.as_deref(), spec.work_name.as_deref()), (Some("e1"), Some("nginx-work")));
        assert_eq!(spec.op_id.as_deref(), Some("o1"));
        let annotated = told(r#"{"metadata":{"annotations":{"logging.open-cluster-management.io/op-id":"o2"}}}"#);
        assert_eq!(annotated.op_id.as_deref(), Some("o2"));
        assert_eq!(told("[]").op_id, None);
        assert_eq!(Leads::default().status(r#"{"id": "s1", "data": 7}"#).event_id.as_deref(), Some("s1"));
    }

    #[test]
    fn manifests_of_works_inside_works_lead_too() {
        let inner = r#"{"apiVersion": "example.io/v1beta1", "kind": "HostedThing", "metadata": {"name": "c", "namespace": "n"}}"#;
        let work = format!(
            r#"{{"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
                "metadata": {{"name": "w", "namespace": "local"}}, "spec": {{"workload": {{"manifests": [{inner}]}}}}}}"#
        );
        let expected = "HostedThing.example.io/n/c";
        let both = format!("{expected} ManifestWork.work.open-cluster-management.io/local/w");
        assert_eq!(spec(&format!(r#"{{"data": {{"manifests": [{work}]}}}}"#)), both);
        assert_eq!(spec(&work), expected);
        assert_eq!(spec(&format!(r#"{{"data": {{"manifest": {inner}}}}}"#)), expected);
    }

    #[test]
    fn a_status_adds_plurals_that_nobody_would_guess() {
        let about = |kind: &str, plural: &str| {
            format!(r#"{{"resourceMeta": {{"kind": "{kind}", "resource": "{plural}", "name": "a", "group": ""}}}}"#)
        };
        let list = [about("ConfigMap", "configmaps"), about("Policy", "policies"), about("Ox", "oxen")].join(", ");
        let status = format!(r#"{{"data": {{"resourceStatus": [{list}]}}}}"#);
        assert_eq!(paths(|leads| drop(leads.status(&status))), "ConfigMap/a Ox/a Policy/a oxen/a");
    }

    #[test]
    fn an_agents_list_leads_by_plurals() {
        let list =
            r#"[{"group": "apps", "version": "v1", "resource": "deployments", "namespace": "d", "name": "w"}, 7]"#;
        let mut leads = Leads::default();
        leads.applied(list);
        leads.labels(Some(r#"{"a": "b"}"#), Some("null"));
        assert_eq!(leads.manifest_paths().as_deref(), Some("deployments.apps/d/w"));
        assert_eq!(leads.label_pairs().as_deref(), Some("a=b"));
        for odd in ["", "null", "{", "[[]]", "7"] {
            leads = Leads::default();
            leads.applied(odd);
            drop((leads.spec(odd), leads.status(odd)));
            assert_eq!(leads.manifest_paths(), None, "{odd:?}");
        }
    }
}
