//! What a work asks for.

use super::super::difference::Difference;
use super::name::{Name, Reference};
use crate::model::ManifestsFrom;
use crate::query::trace::{PrintedEvent, SpecRow};
use serde::Deserialize;
use serde_json::Value;

pub struct Spec {
    pub source: ManifestsFrom,
    pub evidence: String,
    pub work_name: Option<String>,
    pub version: Option<i64>,
    pub asked: Vec<Asked>,
    configs: Vec<Config>,
    delete_option: DeleteOption,
}

/// One manifest, as it was sent.
pub struct Asked {
    pub name: Name,
    pub manifest: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Config {
    resource_identifier: Reference,
    update_strategy: Option<UpdateStrategy>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct UpdateStrategy {
    r#type: String,
    server_side_apply: Option<ServerSideApply>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ServerSideApply {
    ignore_fields: Vec<IgnoreField>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct IgnoreField {
    json_paths: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DeleteOption {
    propagation_policy: String,
    selectively_orphans: Option<SelectivelyOrphans>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SelectivelyOrphans {
    orphaning_rules: Vec<Reference>,
}

impl Spec {
    pub fn of_row(row: SpecRow) -> Self {
        let source = if row.source == "row" { ManifestsFrom::Row } else { ManifestsFrom::StatusDelete };
        let parts = [row.manifests, row.manifest_configs, row.delete_option].map(parsed);
        Self { work_name: row.work_name, ..Self::of_parts(source, row.evidence, row.version, parts) }
    }

    pub fn of_line(line: PrintedEvent) -> Self {
        let parts = [line.manifests, line.manifest_configs, line.delete_option].map(parsed);
        Self::of_parts(ManifestsFrom::LogLine, line.evidence, line.version, parts)
    }

    /// A ManifestWork that is itself a manifest, or an object.
    pub fn of_work(work: &Value, source: ManifestsFrom, evidence: String) -> Option<Self> {
        let part = |pointer: &str| work.pointer(pointer).cloned().unwrap_or_default();
        let parts = ["/spec/workload/manifests", "/spec/manifestConfigs", "/spec/deleteOption"].map(part);
        work.pointer("/spec/workload/manifests")?;
        Some(Self::of_parts(source, evidence, None, parts))
    }

    fn of_parts(source: ManifestsFrom, evidence: String, version: Option<i64>, parts: [Value; 3]) -> Self {
        let [manifests, configs, delete_option] = parts;
        let named = |manifest: Value| Name::of_manifest(&manifest).map(|name| Asked { name, manifest });
        Self {
            source,
            evidence,
            work_name: None,
            version,
            asked: items(manifests).filter_map(named).collect(),
            configs: items(configs).filter_map(|config| serde_json::from_value(config).ok()).collect(),
            delete_option: serde_json::from_value(delete_option).unwrap_or_default(),
        }
    }

    /// How the agent is to apply it.
    pub fn strategy(&self, name: &Name) -> &str {
        let strategy = self.config(name).and_then(|config| config.update_strategy.as_ref());
        strategy.map(|strategy| strategy.r#type.as_str()).filter(|name| !name.is_empty()).unwrap_or("Update")
    }

    /// The object is to stay when the work goes.
    pub fn is_orphaned(&self, name: &Name) -> bool {
        let DeleteOption { propagation_policy, selectively_orphans } = &self.delete_option;
        let mut rules = selectively_orphans.iter().flat_map(|rules| &rules.orphaning_rules);
        match propagation_policy.as_str() {
            "Orphan" => true,
            "SelectivelyOrphan" => rules.any(|rule| rule.covers(name)),
            _ => false,
        }
    }

    /// The agent leaves this field as it finds it.
    pub fn ignores(&self, name: &Name, difference: &Difference) -> bool {
        let strategy = self.config(name).and_then(|config| config.update_strategy.as_ref());
        let fields = strategy.and_then(|strategy| strategy.server_side_apply.as_ref());
        let mut paths = fields.iter().flat_map(|fields| &fields.ignore_fields).flat_map(|field| &field.json_paths);
        paths.any(|path| {
            let rest = difference.path.strip_prefix(fixed_part(path));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    fn config(&self, name: &Name) -> Option<&Config> {
        let exact = self.configs.iter().find(|config| config.resource_identifier.name().is(name));
        exact.or_else(|| self.configs.iter().find(|config| config.resource_identifier.covers(name)))
    }
}

/// A JSON path up to where it becomes a search.
fn fixed_part(path: &str) -> &str {
    let path = path.trim_start_matches('$');
    let end = path.find(['[', '*']).or_else(|| path.find("..")).unwrap_or(path.len());
    path.get(..end).unwrap_or_default().trim_end_matches('.')
}

fn parsed(text: Option<String>) -> Value {
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn items(value: Value) -> impl Iterator<Item = Value> {
    let items = if let Value::Array(items) = value { items } else { Vec::new() };
    items.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spec(configs: Value, delete_option: Value) -> Spec {
        let map =
            |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "n"}});
        let work = json!({"spec": {
            "workload": {"manifests": [map("one"), map("two"), "no manifest", {"kind": "X"}]},
            "manifestConfigs": configs, "deleteOption": delete_option
        }});
        Spec::of_work(&work, ManifestsFrom::Row, "resources:1".to_owned()).unwrap()
    }

    fn rule(name: &str) -> Value {
        json!({"group": "", "resource": "configmaps", "namespace": "n", "name": name})
    }

    #[test]
    fn a_strategy_belongs_to_the_manifest_it_names() {
        let configs = json!([
            {"resourceIdentifier": rule("*"), "updateStrategy": {"type": "CreateOnly"}},
            {"resourceIdentifier": rule("one"), "updateStrategy": {"type": "ReadOnly"}},
            "rubbish"
        ]);
        let spec = spec(configs, Value::Null);
        let strategies: Vec<&str> = spec.asked.iter().map(|asked| spec.strategy(&asked.name)).collect();
        assert_eq!(strategies, ["ReadOnly", "CreateOnly"]);
    }

    #[test]
    fn a_work_says_what_stays_when_it_goes() {
        let orphaned = |option: Value| {
            let spec = spec(Value::Null, option);
            spec.asked.iter().map(|asked| spec.is_orphaned(&asked.name)).collect::<Vec<_>>()
        };
        assert_eq!(orphaned(Value::Null), [false, false]);
        assert_eq!(orphaned(json!({"propagationPolicy": "Orphan"})), [true, true]);
        let rules = json!({"orphaningRules": [rule("two")]});
        assert_eq!(
            orphaned(json!({"propagationPolicy": "SelectivelyOrphan", "selectivelyOrphans": rules})),
            [false, true]
        );
    }

    #[test]
    fn fields_that_the_agent_leaves_alone_may_differ() {
        let apply =
            json!({"ignoreFields": [{"condition": "OnSpokeChange", "jsonPaths": [".data.color", "$.spec.list[*].x"]}]});
        let strategy = json!({"type": "ServerSideApply", "serverSideApply": apply});
        let spec = spec(json!([{"resourceIdentifier": rule("one"), "updateStrategy": strategy}]), Value::Null);
        let ignored = |path: &str| {
            let difference = Difference { path: path.to_owned(), asked: Value::Null, found: Value::Null };
            spec.asked.first().is_some_and(|asked| spec.ignores(&asked.name, &difference))
        };
        assert!(ignored(".data.color") && ignored(".spec.list[a].x"));
        assert!(!ignored(".data.colors") && !ignored(".data"));
    }
}
