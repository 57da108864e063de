//! Small changes to a captured scenario's folder, as somebody's hands or another night would make them.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{Duration, NaiveDateTime};
use serde_json::{Value, json};

/// Rows of a table that was handed over as JSON lines.
pub fn rows(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn write_rows(file: &Path, rows: &[Value]) {
    fs::write(file, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).unwrap();
}

pub fn change_rows(file: &Path, change: impl FnMut(&mut Value)) {
    let mut changed = rows(file);
    changed.iter_mut().for_each(change);
    write_rows(file, &changed);
}

pub fn keep_rows(file: &Path, kept: impl Fn(&Value) -> bool) {
    let mut left = rows(file);
    left.retain(kept);
    assert!(!left.is_empty(), "nothing is left of {}", file.display());
    write_rows(file, &left);
}

/// Adds a row that is like another.
pub fn copy_row(file: &Path, like: impl Fn(&Value) -> bool, change: impl Fn(&mut Value)) {
    let mut all = rows(file);
    let mut copy = all.iter().find(|row| like(row)).unwrap().clone();
    change(&mut copy);
    all.push(copy);
    write_rows(file, &all);
}

/// Changes the items of a Kubernetes list.
pub fn change_list(file: &Path, change: impl FnOnce(&mut Vec<Value>)) {
    let mut list: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    change(list["items"].as_array_mut().unwrap());
    fs::write(file, list.to_string()).unwrap();
}

/// A ManifestWork that the first work of a cluster carries, made long ago, with these conditions.
pub fn manifest_work(cluster: &Path, conditions: Value) {
    let works: Value =
        serde_json::from_str(&fs::read_to_string(cluster.join("appliedmanifestworks.json")).unwrap()).unwrap();
    let owner = &works["items"][0]["metadata"];
    let object = json!({
        "apiVersion": "work.open-cluster-management.io/v1",
        "kind": "ManifestWork",
        "metadata": {
            "name": "inner", "namespace": "hosted", "uid": "00000000-0000-4000-8000-000000000002",
            "creationTimestamp": "2026-11-15T01:00:00Z",
            "ownerReferences": [{
                "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
                "name": owner["name"], "uid": owner["uid"],
            }],
        },
        "spec": {"workload": {"manifests": []}},
        "status": {"conditions": conditions},
    });
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [object]});
    fs::write(cluster.join("manifestworks.json"), list.to_string()).unwrap();
}

/// A row as Maestro's REST API shows it.
pub fn as_rest(row: Value) -> Value {
    json!({
        "id": row["id"], "kind": "ResourceBundle", "name": row["name"], "consumer_name": row["consumer_name"],
        "version": row["version"], "created_at": row["created_at"], "updated_at": row["updated_at"],
        "metadata": row["payload"]["metadata"], "manifests": row["payload"]["data"]["manifests"],
        "manifest_configs": row["payload"]["data"]["manifestConfigs"],
        "status": {
            "ObservedVersion": row["version"], "SequenceID": row["status"]["sequenceid"],
            "conditions": row["status"]["data"]["conditions"],
            "resourceStatus": row["status"]["data"]["resourceStatus"],
        },
    })
}

/// Takes everything away that is not at or below one of these paths.
pub fn without_all_but(folder: &Path, kept: &[&str]) {
    for (path, name) in files(folder) {
        if !kept.iter().any(|kept| name.starts_with(kept)) {
            fs::remove_file(path).unwrap();
        }
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.push((path, name));
            }
        }
    }
    found.sort();
    found
}

fn logs(folder: &Path, below: &str) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|(_, name)| name.starts_with(below)).map(|(path, _)| path).collect()
}

pub fn server_log(folder: &Path) -> PathBuf {
    logs(folder, "logs/svc/maestro").remove(0)
}

pub fn other_server_log(folder: &Path) -> PathBuf {
    logs(folder, "logs/svc/maestro").remove(1)
}

/// That of the first management cluster.
pub fn agent_log(folder: &Path) -> PathBuf {
    logs(folder, "logs/mgmt/maestro").remove(0)
}

/// Adds lines to a log, a hundredth of a second apart. `{}` stands for the time.
pub fn add_lines(log: &Path, lines: &[&str]) {
    let first = last_time(log);
    let timed = lines.iter().zip(1..).map(|(line, place)| at(line, first + Duration::milliseconds(10 * place)));
    append(log, timed);
}

/// Adds a line that comes again every so many seconds.
pub fn add_lines_every(log: &Path, line: &str, seconds: i64, times: i64) {
    let first = last_time(log);
    append(log, (1..=times).map(|place| at(line, first + Duration::seconds(seconds * place))));
}

fn append(log: &Path, lines: impl Iterator<Item = String>) {
    let text = fs::read_to_string(log).unwrap();
    fs::write(log, text + &lines.collect::<String>()).unwrap();
}

fn at(line: &str, time: NaiveDateTime) -> String {
    line.replacen("{}", &time.format("%m%d %H:%M:%S%.6f      ").to_string(), 1) + "\n"
}

/// The time of the last line that has one; klog prints no year, and the evidence is of this one.
fn last_time(log: &Path) -> NaiveDateTime {
    let text = fs::read_to_string(log).unwrap();
    let time =
        |line: &str| NaiveDateTime::parse_from_str(&format!("2026{}", line.get(1..21)?), "%Y%m%d %H:%M:%S%.f").ok();
    text.lines().rev().find_map(time).unwrap()
}

/// A file or a folder that nobody handed over.
pub fn take_away(path: &Path) {
    if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
}
