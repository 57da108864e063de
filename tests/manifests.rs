//! Manifests from all sides: evidence is taken away or changed, and the answer says no more and no less than what is left.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod nested;

use std::fs;
use std::path::{Path, PathBuf};

use dacapo::bundle::{Columns, Reader, Rows};
use dacapo::store::{Datum, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{collect, dacapo, run, trace_json, unpack};

/// A captured scenario that can be changed before it is collected.
struct Night {
    dir: TempDir,
    name: &'static str,
}

impl Night {
    fn of(name: &'static str) -> Self {
        Self { dir: unpack(name), name }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(self.name).join(file)
    }

    fn without(self, file: &str) -> Self {
        let path = self.path(file);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
        self
    }

    /// Changes the items of a Kubernetes list.
    fn with_items(self, file: &str, change: impl FnOnce(&mut Vec<Value>)) -> Self {
        let path = self.path(file);
        let mut list: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(list["items"].as_array_mut().unwrap());
        fs::write(path, list.to_string()).unwrap();
        self
    }

    fn work(&self, name: &str) -> Value {
        work_in(&self.dir.path().join(self.name), name)
    }
}

fn work_in(folder: &Path, name: &str) -> Value {
    let (_, mut answer) = trace_json(&collect(folder), &[name]).unwrap();
    answer["works"][0].take()
}

fn manifest<'a>(manifests: &'a Value, name: &str) -> &'a Value {
    let found = manifests.as_array().into_iter().flatten().find(|manifest| manifest["name"] == name);
    found.unwrap_or_else(|| panic!("no manifest {name} in {manifests}"))
}

fn findings(manifest: &Value) -> Vec<&str> {
    let findings = manifest["findings"].as_array().into_iter().flatten();
    findings.filter_map(|finding| finding["finding"].as_str()).collect()
}

fn is_called(object: &Value, kind: &str, name: &str) -> bool {
    object["kind"] == kind && object["metadata"]["name"] == name
}

const OBJECTS: &str = "kube/mgmt/objects.json";
const CONFIG: &str = "web-frontend-config";

#[test]
fn the_best_source_that_is_left_has_the_manifests() {
    let from = |night: &Night, name: &str| {
        let work = night.work(name);
        let kinds = work["manifests"].as_array().unwrap().iter().map(|manifest| manifest["kind"].clone());
        (work["manifests_from"]["source"].clone(), kinds.collect::<Vec<_>>())
    };
    let both = || [json!("ConfigMap"), json!("Deployment")].to_vec();
    assert_eq!(from(&Night::of("healthy-create"), "web-frontend"), (json!("row"), both()));
    assert_eq!(from(&Night::of("healthy-delete"), "web-frontend"), (json!("status_delete"), both()));
    assert_eq!(from(&Night::of("healthy-v4").without("db"), "web-frontend"), (json!("log_line"), both()));
    let named = Night::of("healthy-create").without("db").without("logs");
    assert_eq!(from(&named, "496595f0-a531-5254-8ba1-38c71c30777e"), (json!("applied_work"), both()));
    let owned = Night::of("agent-broker-cut").without("db");
    assert_eq!(
        from(&owned, "web-frontend"),
        (json!("object"), vec![json!("ConfigMap")]),
        "the agent has not listed it"
    );
    let plurals = [json!("configmaps"), json!("deployments")].to_vec();
    let logs = Night::of("healthy-delete").without("db").without("kube");
    assert_eq!(from(&logs, "web-frontend"), (json!("agent_log"), plurals));
    assert_eq!(from(&Night::of("agent-down").without("db").without("kube"), "web-frontend"), (Value::Null, vec![]));
}

#[test]
fn a_log_line_tells_as_much_as_the_row() {
    let whole = Night::of("healthy-big-v5").work("big-work");
    let logs = Night::of("healthy-big-v5").without("db").work("big-work");
    let (row, line) = (manifest(&whole["manifests"], "big-config"), manifest(&logs["manifests"], "big-config"));
    for part in ["kind", "resource", "update_strategy", "applied", "actual", "conditions", "differs", "findings"] {
        assert_eq!(row[part], line[part], "{part}");
    }
    assert_eq!(logs["manifests_from"]["source"], "log_line");
}

/// Builds of 2025 print the data of a CloudEvent over many lines, below its attributes.
#[test]
fn a_log_of_an_older_build_may_print_the_manifests_too() {
    let id = "0b14ee1e-1543-5748-bba9-abb351ceff99";
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm1", "namespace": "default"}, "data": {"k": "v"}});
    let data = serde_json::to_string_pretty(&json!({"manifests": [map]})).unwrap().replace('\n', "\n  ");
    let log = format!(
        "2025-09-17T21:38:21.707Z\tDEBUG\tserver/grpc_server.go:186\treceive the event from client, evt=Context Attributes,\n  \
         specversion: 1.0\n  type: io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request\n  \
         source: mw-client-example\n  id: 1aaad717-7daa-4d33-b087-8e258dab9c5f\n  datacontenttype: application/json\nExtensions,\n  \
         clustername: cluster1\n  metadata: {{\"name\":\"nginx-work\",\"uid\":\"{id}\"}}\n  originalsource: \n  resourceid: {id}\n  \
         resourceversion: 0\nData,\n  {data}\n\n\
         2025-09-17T21:38:21.720Z\tINFO\tcloudevents/source_client.go:75\tPublishing resource {id} for db row insert\n"
    );
    let dir = TempDir::new().unwrap();
    let pod = dir.path().join("night/logs/svc/maestro/maestro-6f-1");
    fs::create_dir_all(&pod).unwrap();
    fs::write(pod.join("service.log"), log).unwrap();
    let work = work_in(&dir.path().join("night"), "nginx-work");
    assert_eq!(work["manifests_from"], json!({"source": "log_line", "evidence": "log_lines:1"}));
    assert_eq!(manifest(&work["manifests"], "cm1")["kind"], "ConfigMap");
}

#[test]
fn an_object_that_is_gone_is_missed_only_where_it_would_be_seen() {
    let gone = |night: Night| {
        night.with_items(OBJECTS, |objects| objects.retain(|object| !is_called(object, "ConfigMap", CONFIG)))
    };
    let work = gone(Night::of("healthy-create")).work("web-frontend");
    let found = manifest(&work["manifests"], CONFIG);
    assert_eq!((&found["actual"], findings(found)), (&json!("absent"), vec!["not_in_cluster"]));
    assert!(findings(manifest(&work["manifests"], "frontend")).is_empty());
    // One namespace was listed, and it was another.
    let other = gone(Night::of("healthy-create"))
        .with_items(OBJECTS, |objects| objects.retain(|object| object["metadata"]["namespace"] == "noise"));
    let work = other.work("web-frontend");
    let found = manifest(&work["manifests"], CONFIG);
    assert_eq!((&found["actual"], findings(found)), (&Value::Null, vec![]));
    let work = Night::of("healthy-create").without(OBJECTS).work("web-frontend");
    let found = manifest(&work["manifests"], CONFIG);
    assert_eq!((&found["actual"], findings(found)), (&Value::Null, vec![]));
}

#[test]
fn an_object_that_was_made_again_is_another() {
    let night = Night::of("healthy-create").with_items(OBJECTS, |objects| {
        let object = objects.iter_mut().find(|object| is_called(object, "ConfigMap", CONFIG)).unwrap();
        object["metadata"]["uid"] = json!("0f0f0f0f-0000-4000-8000-000000000000");
        object["metadata"]["ownerReferences"] = json!([]);
    });
    let work = night.work("web-frontend");
    let found = manifest(&work["manifests"], CONFIG);
    assert_eq!(findings(found), ["another_object"]);
    assert!(found["findings"][0]["text"].as_str().unwrap().ends_with("by somebody else"), "{found}");
}

#[test]
fn a_changed_object_tells_which_field() {
    let night = Night::of("healthy-many-manifests").with_items(OBJECTS, |objects| {
        for object in objects {
            if is_called(object, "Secret", "app") {
                object["data"]["password"] = json!("c3RvbGVu");
            }
            if is_called(object, "Deployment", "worker") {
                object["spec"]["replicas"] = json!(5);
            }
        }
    });
    let folder = night.dir.path().join(night.name);
    let work = work_in(&folder, "tenant-a");
    let named = |kind: &str, name: &str| {
        let all = work["manifests"].as_array().unwrap();
        all.iter().find(|manifest| manifest["kind"] == kind && manifest["name"] == name).unwrap()
    };
    let worker = named("Deployment", "worker");
    assert_eq!(worker["differs"], json!([{"path": ".spec.replicas", "desired": 1, "actual": 5}]));
    let secret = named("Secret", "app");
    assert_eq!(
        secret["differs"],
        json!([{"path": ".stringData.password", "desired": "(hidden)", "actual": "(hidden)"}])
    );
    assert!(findings(named("Deployment", "app")).is_empty());
    let text = run(dacapo().arg("trace").arg(folder.with_extension("dacapo")).arg("tenant-a"));
    for shown in [work.to_string(), text.stdout.clone()] {
        assert!(!shown.contains("lab-only-secret") && !shown.contains("c3RvbGVu"), "{shown}");
    }
    let lines: Vec<&str> = text.stdout.lines().collect();
    let first = lines.iter().position(|line| line.contains("in the cluster")).unwrap() + 1;
    assert!(lines[first].contains("Secret tenant-a/app") && lines[first].contains("differs"), "{}", text.stdout);
    assert!(text.stdout.contains("and 4 more"), "{}", text.stdout);
}

#[test]
fn what_the_database_does_not_ask_for_any_more_is_told() {
    let night = Night::of("healthy-create").with_items("kube/mgmt/appliedmanifestworks.json", |works| {
        let name = |work: &Value| work["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let work = works.iter_mut().find(|work| name(work).ends_with("-496595f0-a531-5254-8ba1-38c71c30777e")).unwrap();
        let old = json!({"group": "", "version": "v1", "resource": "services", "namespace": "demo", "name": "old", "uid": "u-1"});
        work["status"]["appliedResources"].as_array_mut().unwrap().push(old);
    });
    let work = night.work("web-frontend");
    let old = manifest(&work["manifests"], "old");
    assert_eq!(
        (&old["kind"], &old["in"], findings(old)),
        (&json!("services"), &json!(["applied_work"]), vec!["not_asked"])
    );
    assert!(findings(manifest(&work["manifests"], "frontend")).is_empty());
}

#[test]
fn what_stays_after_a_delete_is_left_behind() {
    let other = "f".repeat(64);
    let night = Night::of("delete-stuck-finalizer")
        .with_items("kube/mgmt/appliedmanifestworks.json", |works| {
            for work in works {
                work["metadata"].as_object_mut().unwrap().remove("deletionTimestamp");
                work["spec"]["hubHash"] = json!(other);
            }
        })
        .with_items(OBJECTS, |objects| {
            for object in objects {
                object["metadata"]
                    .as_object_mut()
                    .unwrap()
                    .retain(|key, _| key != "deletionTimestamp" && key != "finalizers");
            }
        });
    // The row is gone, and the status event of its delete is there.
    let rows = fs::read_to_string(night.path("db/resources.jsonl")).unwrap();
    let id = "496595f0-a531-5254-8ba1-38c71c30777e";
    let row =
        rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).find(|row| row["id"] == id).unwrap();
    let kept: Vec<&str> = rows.lines().filter(|line| !line.contains(&format!("\"id\":\"{id}\""))).collect();
    assert_eq!(kept.len() + 1, rows.lines().count());
    fs::write(night.path("db/resources.jsonl"), kept.join("\n")).unwrap();
    let event = json!({"id": "11111111-0000-4000-8000-000000000000", "created_at": row["deleted_at"], "resource_id": id,
        "resource_source": row["source"], "payload": row["payload"], "status": row["status"], "status_event_type": "StatusDelete"});
    let events = fs::read_to_string(night.path("db/status_events.jsonl")).unwrap();
    fs::write(night.path("db/status_events.jsonl"), format!("{events}{event}\n")).unwrap();
    let work = night.work(id);
    assert_eq!(work["manifests_from"]["source"], "status_delete");
    assert_eq!(findings(manifest(&work["manifests"], CONFIG)), ["left_behind"]);
    assert!(findings(manifest(&work["manifests"], "frontend")).is_empty());
}

#[test]
fn what_was_left_behind_belongs_to_whoever_owns_it_now() {
    let owner = format!("{}-somebody", "e".repeat(64));
    let night = Night::of("delete-orphan").with_items(OBJECTS, |objects| {
        let object = objects.iter_mut().find(|object| is_called(object, "ConfigMap", CONFIG)).unwrap();
        object["metadata"]["ownerReferences"] = json!([{"kind": "AppliedManifestWork", "name": owner, "uid": "u-1"}]);
    });
    let work = night.work("web-frontend");
    assert_eq!(findings(manifest(&work["manifests"], CONFIG)), ["owned_by_others"]);
    assert_eq!(findings(manifest(&work["manifests"], "frontend")), ["orphaned"]);
}

/// What an earlier life asked for is not asked for any more, but lines that name it are still about the work.
#[test]
fn a_work_that_is_made_again_keeps_the_names_of_its_earlier_life() {
    let night = Night::of("healthy-recreate");
    let id = "496595f0-a531-5254-8ba1-38c71c30777e";
    let file = night.path("db/status_events.jsonl");
    let events = fs::read_to_string(&file).unwrap();
    let renamed = events.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if let Some(manifest) = event.pointer_mut("/payload/data/manifests/0/metadata/name") {
            *manifest = json!("of-the-first-life");
        }
        event.to_string()
    });
    fs::write(&file, renamed.collect::<Vec<_>>().join("\n")).unwrap();
    let bundle = collect(&night.dir.path().join(night.name));
    let (_, answer) = trace_json(&bundle, &[id]).unwrap();
    let names = answer["works"][0]["manifests"].as_array().unwrap().iter().map(|manifest| &manifest["name"]);
    assert_eq!(names.collect::<Vec<_>>(), [CONFIG, "frontend"]);
    let (reader, store) = (Reader::open(&bundle).unwrap(), Store::open().unwrap());
    for table in ["resources", "status_events"] {
        store.load(&reader, table, &Rows::All, Columns::All).unwrap();
    }
    dacapo::query::make_views(&store, ["manifests"]).unwrap();
    let known = store
        .select("test", "select distinct name from manifests where resource_id = $1 order by name", &[id])
        .unwrap();
    let text = |name: &str| vec![Datum::Text(name.to_owned())];
    assert_eq!(known.rows, [text("frontend"), text("of-the-first-life"), text(CONFIG)]);
}
