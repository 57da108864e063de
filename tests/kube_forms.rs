//! The forms of Kubernetes objects: whatever people take them with, the rows are the same.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod any;

use crate::support::{unpack, unpack_forms};
use dacapo::bundle::{Columns, Reader, Rows};
use dacapo::collect::{Outcome, Plan, Progress, Status, collect};
use dacapo::store::{Datum, Store};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const TABLES: [&str; 4] = ["applied_manifest_works", "manifest_works", "kube_events", "kube_objects"];

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn file(&self, _: &str) {}
}

/// A row: its columns but for its number and its file, and its object as a value.
type Row = BTreeMap<String, Value>;

/// What a folder of objects gives.
struct Found {
    steps: Vec<Outcome>,
    tables: BTreeMap<&'static str, Vec<Row>>,
    unknown: usize,
}

impl Found {
    fn rows(&self) -> usize {
        self.tables.values().map(Vec::len).sum()
    }

    /// The names in a table.
    fn names(&self, table: &str) -> Vec<&str> {
        self.tables[table].iter().map(|row| row["name"].as_str().unwrap()).collect()
    }

    /// The only file's outcome.
    fn step(&self) -> &Outcome {
        &self.steps[0]
    }

    /// What a file says of itself adds up, and all that was not understood is kept.
    fn assert_accounted(&self) {
        let sum = |of: fn(&Outcome) -> i64| self.steps.iter().map(of).sum::<i64>();
        let rows = sum(|step| step.rows);
        assert_eq!(sum(|step| step.seen), rows + sum(|step| step.duplicates + step.unknown + step.skipped));
        assert_eq!(rows, self.rows() as i64, "{:?}", self.steps);
        assert_eq!(sum(|step| step.unknown), self.unknown as i64, "{:?}", self.steps);
    }
}

fn collected(folder: &Path) -> Found {
    let bundle = TempDir::new().unwrap();
    let output = bundle.path().join("objects.dacapo");
    let plan = Plan { from: vec![folder.to_owned().into()], output: output.clone(), ..Plan::default() };
    let summary = collect(&plan, &Silent).unwrap();
    let reader = Reader::open(&output).unwrap();
    let store = Store::open().unwrap();
    let select = |table: &str| {
        store.load(&reader, table, &Rows::All, Columns::All).unwrap();
        store.select(table, &format!("select * from {table} order by row_no"), &[]).unwrap()
    };
    let tables = TABLES.map(|table| {
        let answer = select(table);
        let row = |row: Vec<Datum>| -> Row {
            let cells = answer.columns.iter().cloned().zip(row.into_iter().map(value));
            let cells = cells.filter(|(column, _)| !matches!(column.as_str(), "row_no" | "file"));
            cells.map(|(column, cell)| parsed(column, cell)).collect()
        };
        (table, answer.rows.into_iter().map(row).collect())
    });
    let unknown = select("unknown").rows.len();
    let found = Found { steps: summary.steps, tables: tables.into_iter().collect(), unknown };
    found.assert_accounted();
    found
}

fn value(datum: Datum) -> Value {
    match datum {
        Datum::Text(text) => text.into(),
        Datum::Int(value) => value.into(),
        Datum::Time(at) => at.micros().into(),
        Datum::Null => Value::Null,
        other => panic!("no column of objects has {other:?}"),
    }
}

/// JSON is the same whatever the order of its keys.
fn parsed(column: String, cell: Value) -> (String, Value) {
    let json = matches!(column.as_str(), "object" | "applied_resources" | "finalizers");
    let cell = match cell {
        Value::String(text) if json => serde_json::from_str(&text).unwrap(),
        cell => cell,
    };
    (column, cell)
}

/// One file in a folder.
fn collect_file(name: &str, content: impl AsRef<[u8]>) -> Found {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("night").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    collected(&dir.path().join("night"))
}

/// kubectl hides who manages a field unless it is asked.
fn without_managed_fields(mut row: Row) -> Row {
    if let Some(metadata) = row.get_mut("object").and_then(|object| object["metadata"].as_object_mut()) {
        metadata.remove("managedFields");
    }
    row
}

fn sorted(rows: impl IntoIterator<Item = Row>) -> Vec<String> {
    let mut rows: Vec<String> = rows.into_iter().map(|row| serde_json::to_string(&canonical(&row)).unwrap()).collect();
    rows.sort();
    rows
}

/// With sorted keys all the way down.
fn canonical(row: &Row) -> BTreeMap<&str, Value> {
    fn sort(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let sorted: BTreeMap<String, Value> =
                    map.iter().map(|(key, value)| (key.clone(), sort(value))).collect();
                Value::Object(sorted.into_iter().collect())
            }
            Value::Array(values) => values.iter().map(sort).collect(),
            value => value.clone(),
        }
    }
    row.iter().map(|(column, value)| (column.as_str(), sort(value))).collect()
}

/// Takes only some files of a scenario, below the same folder name.
fn only(dir: &TempDir, scenario: &str, keep: &str) -> TempDir {
    let target = TempDir::new().unwrap();
    copy(&dir.path().join(scenario).join(keep), &target.path().join("night").join(keep));
    target
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn night(dir: &TempDir) -> std::path::PathBuf {
    dir.path().join("night")
}

#[test]
fn yaml_gives_the_rows_that_json_gives() {
    for scenario in ["agent-down", "healthy-create"] {
        let json = collected(&night(&only(&unpack(scenario), scenario, "kube")));
        let yaml = collected(&night(&only(&unpack_forms(scenario), scenario, "kube")));
        let rows = |found: &Found, table: &str| sorted(found.tables[table].iter().cloned().map(without_managed_fields));
        let works = rows(&yaml, "applied_manifest_works");
        assert!(works.len() >= 8, "{works:?}");
        assert_eq!(works, rows(&json, "applied_manifest_works"), "{scenario}");
        let known = rows(&json, "kube_objects");
        for object in rows(&yaml, "kube_objects") {
            assert!(known.contains(&object), "{scenario}: {object}");
        }
    }
}

#[test]
fn an_inspected_cluster_gives_the_rows_that_lists_give() {
    for scenario in ["agent-down", "healthy-create"] {
        let json = collected(&night(&only(&unpack(scenario), scenario, "kube")));
        let inspected = collected(&night(&only(&unpack_forms(scenario), scenario, "inspect")));
        let rows = |found: &Found, table: &str| sorted(found.tables[table].iter().cloned());
        assert_eq!(rows(&inspected, "applied_manifest_works"), rows(&json, "applied_manifest_works"), "{scenario}");
        // Objects of which the lists have a row by this name are the same; a ServiceAccount is only there.
        let known = rows(&json, "kube_objects");
        let mut same = 0;
        for row in &inspected.tables["kube_objects"] {
            let text = sorted([row.clone()]).remove(0);
            let twin = json.tables["kube_objects"]
                .iter()
                .any(|other| other["uid"] == row["uid"] && other["cluster"] == row["cluster"]);
            assert_eq!(known.contains(&text), twin, "{scenario}: {text}");
            same += usize::from(twin);
        }
        assert!(same >= 4, "{scenario}: {same}");
        let clusters: Vec<&Value> = inspected.tables["kube_objects"].iter().map(|row| &row["cluster"]).collect();
        assert!(clusters.iter().all(|cluster| matches!(cluster.as_str(), Some("mgmt" | "mgmt-2"))), "{clusters:?}");
    }
}

#[test]
fn a_table_for_people_is_kept_and_is_no_evidence() {
    let found = collected(&night(&only(&unpack_forms("healthy-create"), "healthy-create", "kube")));
    let tables: Vec<&Outcome> = found.steps.iter().filter(|step| step.target.ends_with(".txt")).collect();
    assert_eq!(tables.len(), 4);
    for step in tables {
        assert_eq!((step.status, step.rows, step.whole), (Status::Failed, 0, false), "{step:?}");
        assert!(step.unknown > 0 && step.error.as_ref().unwrap().contains("-o yaml"), "{step:?}");
    }
}

const WORK: &str =
    r#"{"apiVersion":"work.open-cluster-management.io/v1","kind":"AppliedManifestWork","metadata":{"name":"w-1"}}"#;
const MAP: &str = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m-1","namespace":"demo"}}"#;

#[test]
fn json_comes_in_many_arrangements() {
    let typed = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"m-1"}}]}"#;
    let sorted = r#"{"apiVersion":"v1","items":[{"metadata":{"name":"m-1"}}],"kind":"ConfigMapList"}"#;
    let list = format!(r#"{{"apiVersion":"v1","items":[{WORK},{MAP}],"kind":"List"}}"#);
    let cases = [
        (WORK.to_owned(), 1, 0, false),
        (format!("{WORK}\n{MAP}\n"), 1, 1, false),
        (format!("[{WORK},\n{MAP}]"), 1, 1, false),
        (list.clone(), 1, 1, true),
        (format!("{list}\n{typed}"), 1, 2, true),
        (format!("[{list},{typed}]"), 1, 2, true),
        (format!("{list}{WORK}"), 1, 1, false),
        (typed.to_owned(), 0, 1, true),
        (sorted.to_owned(), 0, 1, true),
    ];
    for (content, works, maps, whole) in cases {
        let found = collect_file("objects.json", &content);
        let names = (found.names("applied_manifest_works").len(), found.names("kube_objects").len());
        assert_eq!(names, (works, maps), "{content}");
        assert!(found.steps.iter().all(|step| step.status == Status::Ok && step.whole == whole), "{:?}", found.steps);
        for row in &found.tables["kube_objects"] {
            assert_eq!(
                (row["kind"].as_str(), row["api_version"].as_str()),
                (Some("ConfigMap"), Some("v1")),
                "{content}"
            );
        }
    }
}

#[test]
fn yaml_comes_in_many_arrangements() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m-1\n";
    let typed = "apiVersion: v1\nitems:\n- metadata:\n    name: m-1\nkind: ConfigMapList\nmetadata: {}\n";
    let flow = format!("apiVersion: v1\nkind: List\nitems: [{MAP}]\n");
    let cases = [
        (map.to_owned(), false),
        (format!("# taken at night\n---\n{map}---\n\n---\n# nothing\n"), false),
        (typed.to_owned(), true),
        (format!("{typed}---\n{}", typed.replace("m-1", "m-2")), true),
        (flow, true),
        (typed.replace("\n", "\r\n"), true),
        (format!("- {}", map.replace("\n", "\n  ")), false),
    ];
    for (content, whole) in cases {
        let found = collect_file("objects.yaml", &content);
        assert_eq!(found.step().status, Status::Ok, "{content}: {:?}", found.steps);
        assert_eq!(found.step().whole, whole, "{content}");
        assert_eq!(found.names("kube_objects")[0], "m-1");
        let row = &found.tables["kube_objects"][0];
        assert_eq!((row["kind"].as_str(), row["api_version"].as_str()), (Some("ConfigMap"), Some("v1")), "{content}");
    }
}

#[test]
fn an_empty_list_says_which_table_is_empty() {
    let json = r#"{"apiVersion":"v1","items":[],"kind":"List","metadata":{}}"#;
    let yaml = "apiVersion: v1\nitems: []\nkind: List\n";
    let typed = "apiVersion: work.open-cluster-management.io/v1\nitems: []\nkind: AppliedManifestWorkList\n";
    let works = "cluster-scoped-resources/work.open-cluster-management.io/appliedmanifestworks.yaml";
    let cases = [
        ("kube/mgmt/appliedmanifestworks.json", json, "applied_manifest_works"),
        (works, yaml, "applied_manifest_works"),
        ("x.yaml", typed, "applied_manifest_works"),
        ("namespaces/demo/core/events.yaml", yaml, "kube_events"),
        ("namespaces/demo/core/configmaps.yaml", "---\napiVersion: v1\nitems:\nkind: ConfigMapList\n", "kube_objects"),
    ];
    for (name, content, table) in cases {
        let found = collect_file(name, content);
        let step = found.step();
        assert_eq!((step.table, step.rows, step.seen, step.whole), (Some(table), 0, 0, true), "{name}");
    }
}

#[test]
fn absence_means_something_only_in_a_whole_list() {
    let yaml =
        "---\napiVersion: work.open-cluster-management.io/v1\nkind: AppliedManifestWork\nmetadata:\n  name: w-1\n";
    assert!(!collect_file("one.yaml", yaml).step().whole);
    let folder = "inspect/mgmt/cluster-scoped-resources/work.open-cluster-management.io/appliedmanifestworks/w-1.yaml";
    assert!(collect_file(folder, yaml).step().whole);
    let page = format!(r#"{{"apiVersion":"v1","items":[{WORK}],"kind":"List","metadata":{{"continue":"abc"}}}}"#);
    assert!(!collect_file("page.json", page).step().whole);
}

#[test]
fn events_of_both_apis_are_events_and_audit_events_are_not() {
    let old = r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"e-1"},"involvedObject":{"kind":"Pod","name":"p"},
        "message":"old","firstTimestamp":"2026-01-15T09:45:12Z","lastTimestamp":null,"eventTime":null,
        "series":{"count":3,"lastObservedTime":"2026-01-15T09:46:12.123456Z"}}"#;
    let new = r#"{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e-2"},"regarding":{"kind":"Pod","name":"p"},
        "note":"new","deprecatedFirstTimestamp":"2026-01-15T09:45:12Z","deprecatedCount":2,
        "deprecatedLastTimestamp":"2026-01-15T09:46:12Z"}"#;
    let found = collect_file("events.json", format!("{old}{new}"));
    assert_eq!(found.names("kube_events"), ["e-1", "e-2"]);
    for (row, message, count) in [(0, "old", 3), (1, "new", 2)] {
        let row = &found.tables["kube_events"][row];
        let told = (row["message"].as_str(), row["count"].as_i64(), row["object_name"].as_str());
        assert_eq!(told, (Some(message), Some(count), Some("p")));
        assert!(row["last_at"].as_i64() > row["first_at"].as_i64(), "{row:?}");
    }
}

#[test]
fn a_list_that_is_cut_gives_what_is_before_the_cut() {
    let work = |name: &str| format!("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: {name}\n");
    let yaml = format!("apiVersion: v1\nitems:\n{}{}{}", work("m-1"), work("m-2"), work("m-3"));
    let json =
        format!("{{\n\"apiVersion\": \"v1\",\n\"items\": [\n{MAP},\n{},\n{}", MAP.replace("m-1", "m-2"), &MAP[..40]);
    for (name, content, line) in [("maps.yaml", yaml, "line 11"), ("maps.json", json, "line 6")] {
        let found = collect_file(name, content);
        let step = found.step();
        assert_eq!(found.names("kube_objects"), ["m-1", "m-2"]);
        assert_eq!((step.status, step.unknown, step.whole), (Status::Partial, 1, false), "{step:?}");
        assert!(step.error.as_ref().unwrap().contains(line), "{step:?}");
    }
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_taken() {
    let list = |middle: &str| {
        let good = |name: &str| format!("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: {name}\n");
        format!("apiVersion: v1\nitems:\n{}{middle}{}kind: List\n", good("m-1"), good("m-2"))
    };
    let deep = format!("- a: {}{}\n", "[".repeat(200_000), "]".repeat(200_000));
    let cases = [
        ("- kind: ConfigMap\n\tmetadata: x\n", "line 7"),
        ("- kind: ConfigMap\n  kind: ConfigMap\n", "line 8: has the key kind"),
        ("- kind: ConfigMap\n  metadata: {}\n", "line 7: a ConfigMap without a name"),
        ("- just words\n", "line 7"),
        ("- metadata:\n    name: x\n", "line 7: an object that does not say its kind"),
        ("- kind: \"ConfigMap\n", "line 7"),
        ("- &a [*a]\n", "line 7"),
        ("-\n", "line 7"),
        (deep.as_str(), "line 7"),
    ];
    for (middle, error) in cases {
        let found = collect_file("maps.yaml", list(middle));
        let step = found.step();
        let shown: String = middle.chars().take(60).collect();
        assert_eq!(found.names("kube_objects"), ["m-1", "m-2"], "{shown}: {step:?}");
        assert_eq!((step.status, step.unknown, step.whole), (Status::Partial, 1, false), "{shown}: {step:?}");
        assert!(step.error.as_ref().unwrap().starts_with(error), "{shown}: {step:?}");
    }
    let mut bytes = list("").into_bytes();
    bytes.extend(b"x: \xff\xfe\n");
    let found = collect_file("maps.yaml", bytes);
    assert_eq!(found.names("kube_objects"), ["m-1", "m-2"]);
    assert!(found.step().error.as_ref().unwrap().contains("not UTF-8"), "{:?}", found.steps);
}

#[test]
fn an_answer_that_is_an_error_is_not_an_object() {
    let status = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server is away","code":404}"#;
    let found = collect_file("amw.json", status);
    assert_eq!(found.step().status, Status::Failed);
    assert!(found.step().error.as_ref().unwrap().contains("the server is away"));
    let found =
        collect_file("mixed.json", format!("{MAP}\nError from server (NotFound): pods \"x\" not found\n{WORK}\n"));
    assert_eq!(found.rows(), 2);
    assert!(found.step().error.as_ref().unwrap().starts_with("line 2: not an object: Error from"), "{:?}", found.steps);
    let deep = format!(
        r#"{{"apiVersion":"v1","kind":"X","metadata":{{"name":"x"}},"spec":{}{}}}"#,
        "[".repeat(9_000),
        "]".repeat(9_000)
    );
    assert!(collect_file("deep.json", deep).step().error.as_ref().unwrap().contains("deeper"));
}

#[test]
fn a_work_inside_a_work_is_a_manifest_and_no_object() {
    let inner = r#"{"apiVersion":"work.open-cluster-management.io/v1","kind":"ManifestWork","metadata":{"name":"inner","namespace":"local-cluster"}}"#;
    let outer = inner
        .replace("inner", "outer")
        .replace("}}", &format!(r#"}},"spec":{{"workload":{{"manifests":[{inner}]}}}}}}"#));
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("night");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("works.json"), outer).unwrap();
    let row =
        format!(r#"{{"id":"r-1","consumer_name":"c","version":1,"payload":{{"data":{{"manifests":[{inner}]}}}}}}"#);
    fs::write(folder.join("resources.jsonl"), row).unwrap();
    let output = dir.path().join("night.dacapo");
    collect(&Plan { from: vec![folder.into()], output: output.clone(), ..Plan::default() }, &Silent).unwrap();
    let (reader, store) = (Reader::open(&output).unwrap(), Store::open().unwrap());
    for table in ["resources", "manifest_works"] {
        store.load(&reader, table, &Rows::All, Columns::All).unwrap();
    }
    dacapo::query::make_views(&store, ["manifests"]).unwrap();
    let select = |sql: &str| store.select("works", sql, &[]).unwrap().rows;
    let text = |text: &str| Datum::Text(text.to_owned());
    assert_eq!(select("select name from manifest_works"), [[text("outer")]]);
    assert_eq!(select("select kind, name from manifests"), [[text("ManifestWork"), text("inner")]]);
}

#[test]
fn files_that_only_look_like_objects_are_left_out() {
    let files = [
        ("chart.yaml", "apiVersion: v2\nname: maestro\nversion: 1.0.0\n"),
        ("template.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n"),
        ("helper.yaml", "{{- if .Values.on }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n{{- end }}\n"),
        ("compose.yaml", "version: '3'\nservices:\n  web:\n    image: x\n"),
        ("ci.yaml", "name: ci\non: [push]\njobs:\n  build:\n    kind: x\n"),
        ("config", "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\n"),
        ("config.json", r#"{"apiVersion":"v1","kind":"Config","clusters":[],"users":[]}"#),
        ("words.txt", "Dear all,\napiVersion: v1\nkind: List\nmetadata: none\n"),
        ("audit.log", "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\"}\n"),
        ("rubbish.yaml", "\u{0}\u{1}\u{2}apiVersion"),
        ("brackets.json", &"[".repeat(200_000)),
    ];
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("night");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("one.json"), MAP).unwrap();
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    let found = collected(&folder);
    let taken: Vec<&str> =
        found.steps.iter().filter(|step| step.status != Status::LeftOut).map(|step| step.target.as_str()).collect();
    assert_eq!(taken, ["night/one.json"]);
}
