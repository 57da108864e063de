//! What the evidence of a scenario names, read without dacapo: each identifier and the works it belongs to.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which part of the evidence is not handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    Nothing,
    Clusters,
    Database,
}

/// An identifier, what it is and the works it names.
#[derive(Debug)]
pub struct Identifier {
    pub identifier: String,
    pub taken_for: &'static str,
    pub works: BTreeSet<String>,
}

pub struct Named {
    database: Identifiers,
    clusters: Identifiers,
    /// What an expert says about the requests; logs know all of it.
    truth: Identifiers,
    log: String,
}

type Identifiers = BTreeMap<(String, &'static str), BTreeSet<String>>;

/// Kind, plural, short name and group, as the manifests of the corpus have them.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("ConfigMap", "configmaps", "cm", ""),
    ("Deployment", "deployments", "deploy", "apps"),
    ("Namespace", "namespaces", "ns", ""),
    ("NetworkPolicy", "networkpolicies", "netpol", "networking.k8s.io"),
    ("Role", "roles", "role", "rbac.authorization.k8s.io"),
    ("RoleBinding", "rolebindings", "rolebinding", "rbac.authorization.k8s.io"),
    ("Secret", "secrets", "secret", ""),
    ("Service", "services", "svc", ""),
    ("ServiceAccount", "serviceaccounts", "sa", ""),
    ("Widget", "widgets", "widget", "example.com"),
];

impl Named {
    pub fn read(folder: &Path) -> Self {
        let log = files(&folder.join("logs")).iter().map(|log| fs::read_to_string(log).unwrap()).collect();
        let nothing = Identifiers::new;
        let mut named = Self { database: nothing(), clusters: nothing(), truth: nothing(), log };
        named.truth(&serde_json::from_str(&fs::read_to_string(folder.join("truth.json")).unwrap()).unwrap());
        let mut ids = BTreeMap::new();
        for row in rows(folder, "resources").iter().chain(&rows(folder, "status_events")) {
            named.row(row, &mut ids);
        }
        for row in rows(folder, "events") {
            named.in_database(&row["id"], "event id", text(&row["source_id"]));
        }
        for row in rows(folder, "status_events") {
            named.in_database(&row["id"], "status event id", text(&row["resource_id"]));
        }
        for object in objects(folder) {
            named.object(&object, &ids);
        }
        named
    }

    /// Everything that the evidence names, without a part of it.
    pub fn identifiers(&self, without: Without) -> Vec<Identifier> {
        let mut all = Identifiers::new();
        let database = (without != Without::Database).then_some(&self.database);
        let clusters = (without != Without::Clusters).then_some(&self.clusters);
        for (identifier, works) in database.into_iter().chain(clusters).chain([&self.truth]).flatten() {
            all.entry(identifier.clone()).or_default().extend(works.iter().cloned());
        }
        // That events are found by their own ids does not depend on what else is there.
        all.retain(|(_, taken_for), _| without == Without::Nothing || !taken_for.contains("vent id"));
        all.into_iter().map(|((identifier, taken_for), works)| Identifier { identifier, taken_for, works }).collect()
    }

    /// Does a line of a log have both the name of the manifest and the work? Then the work had it once.
    pub fn is_logged(&self, manifest: &str, work: &str) -> bool {
        let name = manifest.rsplit('/').next().unwrap_or_default();
        self.log.lines().any(|line| line.contains(name) && line.contains(work))
    }

    /// Ids and names of the requests that are told about, where a line of a log has both.
    fn truth(&mut self, truth: &Value) {
        for focus in truth["focus"].as_array().unwrap() {
            let id = text(&focus["resource_id"]);
            for (field, taken_for) in [("resource_id", "resource id"), ("work", "work name"), ("op_id", "op-id")] {
                let identifier = text(&focus[field]);
                if !identifier.is_empty() && self.is_logged(identifier, id) {
                    self.truth.entry((identifier.to_owned(), taken_for)).or_default().insert(id.to_owned());
                }
            }
        }
    }

    /// A row of `resources` or `status_events`; those of updates have no payload.
    fn row(&mut self, row: &Value, ids: &mut BTreeMap<String, String>) {
        let (payload, status) = (&row["payload"], &row["status"]);
        let id = if row["resource_id"].is_string() { text(&row["resource_id"]) } else { text(&row["id"]) };
        self.in_database(&Value::from(id), "resource id", id);
        if payload.is_null() {
            return;
        }
        ids.insert(text(&payload["metadata"]["name"]).to_owned(), id.to_owned());
        self.in_database(&payload["metadata"]["name"], "work name", id);
        self.in_database(&payload["metadata"]["annotations"]["logging.open-cluster-management.io/op-id"], "op-id", id);
        self.in_database(&payload["id"], "CloudEvent id", id);
        self.in_database(&status["id"], "CloudEvent id", id);
        for manifest in payload["data"]["manifests"].as_array().unwrap() {
            let metadata = &manifest["metadata"];
            for spelling in spellings(text(&manifest["kind"]), &metadata["namespace"], text(&metadata["name"])) {
                self.database.entry((spelling, "manifest")).or_default().insert(id.to_owned());
            }
        }
    }

    fn in_database(&mut self, identifier: &Value, taken_for: &'static str, work: &str) {
        if let Some(identifier) = identifier.as_str() {
            self.database.entry((identifier.to_owned(), taken_for)).or_default().insert(work.to_owned());
        }
    }

    /// An AppliedManifestWork, or an object that one owns. Agents before 2026 called a work by its name.
    fn object(&mut self, object: &Value, ids: &BTreeMap<String, String>) {
        let metadata = &object["metadata"];
        let known = |called: &str| ids.get(called).cloned().unwrap_or_else(|| called.to_owned());
        if object["kind"] == "AppliedManifestWork" {
            let work = known(text(&object["spec"]["manifestWorkName"]));
            let name = text(&metadata["name"]).to_owned();
            self.clusters.entry((name, "AppliedManifestWork")).or_default().insert(work.clone());
            for applied in object["status"]["appliedResources"].as_array().into_iter().flatten() {
                let kind = KINDS.iter().find(|kind| applied["resource"] == kind.1).unwrap().0;
                for spelling in spellings(kind, &applied["namespace"], text(&applied["name"])) {
                    self.clusters.entry((spelling, "manifest")).or_default().insert(work.clone());
                }
            }
        }
        for owner in metadata["ownerReferences"].as_array().into_iter().flatten() {
            if owner["kind"] == "AppliedManifestWork" {
                let work = known(&text(&owner["name"])[65..]);
                for spelling in spellings(text(&object["kind"]), &metadata["namespace"], text(&metadata["name"])) {
                    self.clusters.entry((spelling, "manifest")).or_default().insert(work.clone());
                }
            }
        }
    }
}

/// The ways to write a manifest.
fn spellings(kind: &str, namespace: &Value, name: &str) -> Vec<String> {
    let (_, plural, short, group) = KINDS.iter().find(|known| known.0 == kind).unwrap();
    let grouped = if group.is_empty() { (*plural).to_owned() } else { format!("{plural}.{group}") };
    let lower = kind.to_lowercase();
    match namespace.as_str().filter(|namespace| !namespace.is_empty()) {
        None => vec![format!("{kind}/{name}"), format!("{short}/{name}"), format!("{plural}/{name}")],
        Some(namespace) => vec![
            format!("{kind}/{namespace}/{name}"),
            format!("{lower}/{namespace}/{name}"),
            format!("{plural}/{namespace}/{name}"),
            format!("{grouped}/{namespace}/{name}"),
            format!("{short}/{namespace}/{name}"),
            format!("{kind}/{name}"),
            format!("{plural}/{name}"),
        ],
    }
}

fn rows(folder: &Path, table: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(format!("db/{table}.jsonl"))).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn objects(folder: &Path) -> Vec<Value> {
    let lists = files(&folder.join("kube"));
    let lists = lists.iter().map(|list| serde_json::from_str::<Value>(&fs::read_to_string(list).unwrap()).unwrap());
    lists.flat_map(|list| list["items"].as_array().unwrap().clone()).collect()
}

/// All files below a folder, none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
