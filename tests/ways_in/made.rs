//! Evidence of our own making, through the real collector: rows and objects that the captured scenarios do not have.

use crate::support::{Answer, collect, dacapo, run};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use uuid::Uuid;

pub const SOURCE: &str = "clusters-service";

/// A folder of evidence that is being written.
pub struct Made {
    dir: TempDir,
}

/// What a work is made of.
#[derive(Clone, Debug)]
pub struct Work {
    pub name: String,
    pub consumer: String,
    pub labels: Value,
    pub annotations: Value,
    pub manifests: Value,
}

impl Work {
    pub fn new(name: &str, consumer: &str) -> Self {
        let manifests = json!([config_map(name)]);
        Self { name: name.into(), consumer: consumer.into(), labels: json!({}), annotations: json!({}), manifests }
    }

    pub fn labelled(self, key: &str, value: &str) -> Self {
        Self { labels: json!({ key: value }), ..self }
    }

    pub fn annotated(self, key: &str, value: &str) -> Self {
        Self { annotations: json!({ key: value }), ..self }
    }

    pub fn with(self, manifests: Value) -> Self {
        Self { manifests, ..self }
    }

    pub fn id(&self) -> String {
        let text = format!("{SOURCE}-manifestworks.work.open-cluster-management.io-{}-{}", self.consumer, self.name);
        Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()).to_string()
    }

    fn payload(&self) -> Value {
        json!({
            "id": Uuid::new_v5(&Uuid::NAMESPACE_URL, self.id().as_bytes()).to_string(),
            "data": {"manifests": self.manifests},
            "time": "2026-01-15T09:45:12.308693Z",
            "type": "io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request",
            "source": SOURCE,
            "metadata": {"uid": self.id(), "name": self.name, "namespace": self.consumer, "labels": self.labels,
                "annotations": self.annotations, "resourceVersion": "0"},
            "resourceid": self.id(), "clustername": self.consumer, "specversion": "1.0", "resourceversion": 0
        })
    }

    /// Its row in `resources`.
    pub fn row(&self) -> Value {
        json!({"name": self.id(), "id": self.id(), "created_at": "2026-01-15T09:45:12.345678+00:00",
            "updated_at": "2026-01-15T09:45:12.345678+00:00", "deleted_at": null, "source": SOURCE,
            "consumer_name": self.consumer, "version": 1, "type": "", "payload": self.payload(), "status": null})
    }

    /// The row in `status_events` that remembers it when it is deleted.
    pub fn deleted(&self) -> Value {
        json!({"id": Uuid::new_v5(&Uuid::NAMESPACE_DNS, self.id().as_bytes()).to_string(),
            "created_at": "2026-01-15T09:46:12.345678+00:00", "updated_at": "2026-01-15T09:46:12.345678+00:00",
            "deleted_at": null, "resource_id": self.id(), "resource_source": SOURCE, "resource_type": "",
            "payload": self.payload(), "status": {"id": "s1", "data": {"conditions": []}},
            "status_event_type": "StatusDelete", "reconciled_date": null})
    }

    /// The name of its AppliedManifestWork.
    pub fn applied(&self) -> String {
        format!("{}-{}", "ab".repeat(32), self.id())
    }
}

impl Made {
    pub fn new() -> Self {
        let dir = TempDir::with_prefix("dacapo-test-").unwrap();
        fs::create_dir(dir.path().join("made")).unwrap();
        Self { dir }
    }

    /// A file of rows, one a line.
    pub fn table(self, name: &str, rows: &[Value]) -> Self {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        self.file(&format!("db/{name}.jsonl"), &lines)
    }

    /// A list of objects of a cluster.
    pub fn objects(self, cluster: &str, name: &str, objects: &[Value]) -> Self {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
        self.file(&format!("kube/{cluster}/{name}.json"), &list.to_string())
    }

    pub fn file(self, name: &str, text: &str) -> Self {
        let path = self.dir.path().join("made").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn bundle(self) -> Bundle {
        let path = collect(&self.dir.path().join("made"));
        Bundle { path, _dir: self.dir }
    }
}

/// A bundle and the folder in which it lies.
pub struct Bundle {
    pub path: PathBuf,
    _dir: TempDir,
}

impl Bundle {
    pub fn run(&self, command: &str, arguments: &[&str]) -> Answer {
        run(dacapo().arg(command).arg(&self.path).args(arguments))
    }

    /// What an identifier is taken for, and the names of the works it leads to.
    pub fn resolve(&self, identifier: &str) -> (String, Vec<String>) {
        let answer = self.run("resolve", &[identifier, "--format", "json"]);
        let found: Value = serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.describe()));
        let found = &found["identifier"];
        let name = |work: &Value| work["work_name"].as_str().or(work["resource_id"].as_str()).unwrap().to_owned();
        let works = found["works"].as_array().unwrap().iter().map(name).collect();
        (found["taken_for"].as_str().unwrap_or("nothing").to_owned(), works)
    }
}

pub fn config_map(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("{name}-config"), "namespace": "demo"}})
}

/// An AppliedManifestWork for a work that its agent calls so.
pub fn applied_work(name: &str, called: &str, resources: Value, labels: Value) -> Value {
    json!({"apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
        "metadata": {"name": name, "uid": format!("uid-of-{name}"), "resourceVersion": "1", "labels": labels,
            "creationTimestamp": "2026-01-15T09:45:13Z"},
        "spec": {"hubHash": &name[..64], "agentID": &name[..64], "manifestWorkName": called},
        "status": {"appliedResources": resources}})
}

/// An object with the owners that are given as kind, name and uid.
pub fn object(api_version: &str, kind: &str, namespace: &str, name: &str, owners: &[(&str, &str, &str)]) -> Value {
    let owners: Vec<Value> =
        owners.iter().map(|(kind, name, uid)| json!({"kind": kind, "name": name, "uid": uid})).collect();
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace,
        "uid": format!("uid-of-{kind}-{name}"), "resourceVersion": "1", "ownerReferences": owners,
        "creationTimestamp": "2026-01-15T09:45:13Z"}})
}
