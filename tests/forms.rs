//! The same evidence in every form in which people hand it over gives the same verdicts; where a form carries less, the
//! verdict is "unknown" with the reason, never another one.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::truth::{Focus, Truth};
use crate::support::{self, dacapo, evidence_folder, on_two_threads, run, trace_json, unpack, unpack_forms};

/// A way to hand over one scenario.
struct Variant {
    name: String,
    from: Vec<PathBuf>,
    /// It carries all that the plain form does, so nothing may be unknown that is not unknown there.
    complete: bool,
}

/// The scenarios that are there in other forms.
fn scenarios() -> Vec<String> {
    let packs = fs::read_dir(evidence_folder().join("forms")).unwrap();
    let names = packs.map(|pack| pack.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(".tar.zst").map(str::to_owned)).collect();
    names.sort();
    names
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Every log form with the plain rows and objects.
fn log_variants(plain: &Path, forms: &Path) -> Vec<Variant> {
    let mut variants = Vec::new();
    let mut add = |name: String, logs: Vec<PathBuf>, complete: bool| {
        if !logs.is_empty() {
            let from = [plain.join("db"), plain.join("kube")].into_iter().chain(logs).collect();
            variants.push(Variant { name, from, complete });
        }
    };
    for form in entries(&forms.join("logs")) {
        let name = name_of(&form);
        let filtered = |path: &PathBuf| name_of(path).contains("filtered");
        let (part, whole): (Vec<PathBuf>, Vec<PathBuf>) = entries(&form).into_iter().partition(filtered);
        // A must-gather of hcpctl names no pods, and of this answer there is no server.
        let complete = name != "hcpctl-must-gather" && name != "kusto-json-v1";
        add(format!("{name}, filtered"), part, false);
        add(name, whole, complete);
    }
    variants
}

/// Rows and objects in other forms, with the plain logs.
fn other_variants(plain: &Path, forms: &Path) -> Vec<Variant> {
    let (db, kube, logs) = (plain.join("db"), plain.join("kube"), plain.join("logs"));
    let mut variants = Vec::new();
    let mut add = |name: &str, from: Vec<PathBuf>, complete: bool| {
        if from.iter().all(|path| path.exists()) {
            variants.push(Variant { name: name.to_owned(), from, complete });
        }
    };
    for (name, complete) in [
        ("copy-csv-header", true),
        ("copy-text", true),
        ("pg_dump-data-only.sql", true),
        ("pg_dump-inserts.sql", false),
        ("psql-aligned.txt", false),
        ("psql-expanded.txt", false),
        ("psql-unaligned.txt", false),
        ("row_to_json-resources.txt", false),
    ] {
        add(name, vec![forms.join("db").join(name), kube.clone(), logs.clone()], complete);
    }
    add("rest", vec![forms.join("rest"), kube.clone(), logs.clone()], false);
    add("kube as YAML", vec![db.clone(), forms.join("kube"), logs.clone()], false);
    add("inspect", vec![db.clone(), forms.join("inspect"), logs.clone()], false);
    add("everything at once", vec![db, kube, logs, forms.to_owned()], false);
    variants
}

fn collect(from: &[PathBuf], folder: &Path, name: &str) -> PathBuf {
    let bundle = folder.join(format!("{}.dacapo", name.replace([' ', ',', '/'], "-")));
    let mut command = dacapo();
    command.arg("collect").arg("-o").arg(&bundle);
    for path in from {
        command.arg("--from").arg(path);
    }
    let answer = run(&mut command);
    assert_eq!(answer.code, Some(0), "{name}: {}", answer.describe());
    bundle
}

/// Where the request of one bundle is judged otherwise than that of another.
fn differences(focus: &Focus, expected: &Value, got: &Value, complete: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: String, expected: &Value, got: &Value, why: &Value| {
        let weaker = *got == "unknown" && !complete && (!why.is_null() || what == "outcome");
        if expected != got && !weaker {
            found.push(format!("{}: {what}: plain {expected}, here {got} ({why})", focus.name()));
        }
    };
    compare("outcome".into(), &expected["outcome"], &got["outcome"], &Value::Null);
    for (one, other) in expected["hops"].as_array().unwrap().iter().zip(got["hops"].as_array().unwrap()) {
        compare(format!("hop {}", one["hop"]), &one["verdict"], &other["verdict"], &other["why"]);
    }
    found
}

fn judged(bundle: &Path, focus: &Focus) -> Result<Value, String> {
    let arguments = focus.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    trace_json(bundle, &arguments).map(|(_, answer)| answer["works"][0]["requests"][0].clone())
}

#[test]
fn every_form_gives_the_same_verdicts() {
    let folder = TempDir::new().unwrap();
    for scenario in scenarios() {
        let (plain, forms) = (unpack(&scenario), unpack_forms(&scenario));
        let (plain, forms) = (plain.path().join(&scenario), forms.path().join(&scenario));
        // The forms carry no logs of clients, which can prove hops of their own.
        fs::remove_dir_all(plain.join("logs/svc/client")).unwrap();
        let truth = Truth::read(&plain);
        let plain_bundle =
            collect(&[plain.join("db"), plain.join("kube"), plain.join("logs")], folder.path(), &scenario);
        let variants: Vec<Variant> =
            log_variants(&plain, &forms).into_iter().chain(other_variants(&plain, &forms)).collect();
        assert!(variants.len() >= 3, "{scenario}: {} variants", variants.len());
        let wrong = on_two_threads(&variants, |variant| {
            let bundle = collect(&variant.from, folder.path(), &format!("{scenario}-{}", variant.name));
            let mut wrong = Vec::new();
            for focus in &truth.focus {
                let expected = judged(&plain_bundle, focus).unwrap();
                match judged(&bundle, focus) {
                    Ok(got) => wrong.extend(differences(focus, &expected, &got, variant.complete)),
                    Err(why) => wrong.push(format!("{}: {why}", focus.name())),
                }
            }
            wrong.into_iter().map(|line| format!("{scenario} as {}: {line}", variant.name)).collect::<Vec<_>>()
        });
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}

/// The log files of a scenario with pod and container, the log before a restart first.
fn pod_logs(folder: &Path) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.join("logs")];
    while let Some(next) = folders.pop() {
        for path in entries(&next) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let (pod, file) = (name_of(path.parent().unwrap()), name_of(&path));
            let container = file.split('.').next().unwrap().to_owned();
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((!file.contains(".previous."), pod, container, text));
        }
    }
    found.sort();
    found.into_iter().map(|(_, pod, container, text)| (pod, container, text)).collect()
}

/// One physical line a row, as a query of all columns exports them.
fn as_csv(logs: &[(String, String, String)]) -> String {
    let quoted = |line: &str| format!("\"{}\"", line.replace('"', "\"\""));
    let row = |pod: &str, container: &str, line: &str| format!("{container},{},{pod}\r\n", quoted(line));
    let rows = logs.iter().flat_map(|(pod, container, text)| text.lines().map(move |line| row(pod, container, line)));
    std::iter::once("Container_Name,LOG,pod_name\r\n".to_owned()).chain(rows).collect()
}

/// As a must-gather that forgets the pods: the lines of a container's pods together.
fn as_lines_without_pods(logs: &[(String, String, String)], container: &str) -> String {
    let own = logs.iter().filter(|(_, name, _)| name == container);
    let row = |line: &str| format!("{}\n", serde_json::json!({ "log": line }));
    own.flat_map(|(_, _, text)| text.lines().map(row)).collect()
}

/// An export carries less than the logs: it may end too early, be filtered, forget the pods. Then nothing may be said
/// that is not so.
#[test]
fn what_an_export_does_not_tell_is_unknown() {
    let scenarios = support::scenarios();
    let found = on_two_threads(&scenarios, |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let truth = Truth::read(&folder);
        let logs = pod_logs(&folder);
        if logs.is_empty() {
            return Vec::new();
        }
        let csv = dir.path().join("export.csv");
        fs::write(&csv, as_csv(&logs)).unwrap();
        let gathered = dir.path().join("gathered");
        fs::create_dir(&gathered).unwrap();
        for container in ["service", "maestro-agent"] {
            let lines = as_lines_without_pods(&logs, container);
            fs::write(gathered.join(format!("svc_maestro_{container}.jsonl")), lines).unwrap();
        }
        let rest: Vec<PathBuf> =
            ["db", "kube"].map(|part| folder.join(part)).into_iter().filter(|part| part.exists()).collect();
        let mut found = Vec::new();
        for export in [csv, gathered] {
            let name = name_of(&export);
            let from: Vec<PathBuf> = rest.iter().cloned().chain([export]).collect();
            let bundle = collect(&from, dir.path(), &name);
            // A request that left no row is not known without the lines that name it.
            let answers = truth.focus.iter().filter_map(|focus| Some((focus, judged(&bundle, focus).ok()?)));
            let answers = answers.filter(|(_, got)| !got.is_null());
            found.extend(
                answers.flat_map(|(focus, got)| focus.untrue(&got)).map(|line| format!("{scenario} as {name}: {line}")),
            );
        }
        found
    });
    let found: Vec<String> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
