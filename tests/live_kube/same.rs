//! The same incident, collected from running clusters and from exported files, gets the same verdicts.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Live, collect};
use crate::support::cluster::Cluster;
use crate::support::postgres::Postgres;
use crate::support::truth::Truth;
use crate::support::{dacapo, run, trace_json, unpack};

/// Works that went through, that stopped on the way to an agent, in it, and on the way back; objects that are there,
/// absent, of an unknown kind, and waiting for their deletion. `DACAPO_SCENARIOS=one,other` tries others.
const SCENARIOS: &[&str] = &[
    "healthy-create",
    "agent-down",
    "apply-rbac-denied",
    "missing-crd",
    "delete-stuck-finalizer",
    "agent-killed-after-apply",
    "healthy-many-manifests",
];

#[test]
fn live_and_exported_evidence_mean_the_same() {
    let mut differences = Vec::new();
    let chosen = std::env::var("DACAPO_SCENARIOS").unwrap_or_else(|_| SCENARIOS.join(","));
    for scenario in chosen.split(',') {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let taken_at = read(&folder.join("truth.json"))["taken_at"].as_str().unwrap().to_owned();
        let Some(live) = live(&folder, &taken_at) else { return };
        let files = dir.path().join("files.dacapo");
        let mut command = dacapo();
        command.args(["collect", "--taken-at", &taken_at, "--from"]).arg(&folder).arg("-o").arg(&files);
        let answer = run(&mut command);
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        live.reader();
        let truth = Truth::read(&folder);
        let works: BTreeSet<&str> = truth
            .focus
            .iter()
            .map(|focus| focus.resource_id.as_str())
            .chain(truth.noise.iter().map(|work| work.resource_id.as_str()))
            .collect();
        assert!(works.len() > 1);
        for work in works {
            let [exported, asked] = [&files, &live.bundle].map(|bundle| verdicts(bundle, work));
            if exported != asked {
                differences.push(format!("{scenario}, {work}: from files\n{exported:#}\nlive\n{asked:#}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// What is said of a work, without the rows that prove it: those have other numbers.
fn verdicts(bundle: &Path, work: &str) -> Value {
    let Ok((code, answer)) = trace_json(bundle, &[work]) else { return Value::Null };
    let pick = |value: &Value, fields: &[&str]| -> Value {
        fields.iter().map(|field| ((*field).to_owned(), value[field].clone())).collect::<serde_json::Map<_, _>>().into()
    };
    let each = |value: &Value, fields: &[&str]| -> Value {
        value.as_array().into_iter().flatten().map(|item| pick(item, fields)).collect()
    };
    let request = |request: &Value| {
        let mut picked = pick(request, &["request", "version", "life", "outcome", "stops_at", "sentence"]);
        picked["hops"] = each(&request["hops"], &["hop", "verdict", "at"]);
        picked["cause"] = pick(&request["cause"], &["text"]);
        picked
    };
    // What is in a Secret is not read from a cluster, so whether it is as asked is not known.
    let manifests = |manifests: &Value| {
        let mut picked = each(manifests, &["group", "kind", "namespace", "name", "applied", "actual", "differs"]);
        for manifest in picked.as_array_mut().into_iter().flatten() {
            if manifest["kind"] == "Secret" && manifest["actual"] == "as_asked" {
                manifest["actual"] = "there".into();
            }
        }
        picked
    };
    let works = answer["works"].as_array().unwrap().iter().map(|work| {
        json!({
            "id": work["resource_id"],
            "requests": work["requests"].as_array().unwrap().iter().map(request).collect::<Vec<Value>>(),
            "manifests": manifests(&work["manifests"]),
        })
    });
    json!({"code": code, "works": works.collect::<Vec<Value>>()})
}

/// Fills clusters and a database with what was captured, and collects them all at once.
fn live(folder: &Path, taken_at: &str) -> Option<Live> {
    let postgres = Postgres::start()?;
    postgres.load(folder);
    let names: BTreeSet<String> = ["kube", "logs"].iter().flat_map(|part| entries(&folder.join(part))).collect();
    let clusters: Vec<(String, Cluster)> =
        names.into_iter().map(|name| Some((name, Cluster::start()?))).collect::<Option<_>>()?;
    let mut arguments: Vec<OsString> =
        ["--taken-at", taken_at, "--namespace", "maestro", "--namespace", "client"].map(Into::into).to_vec();
    arguments.extend(["--database".into(), postgres.url("maestro").into()]);
    for (name, cluster) in &clusters {
        fill(cluster, &folder.join("kube").join(name));
        write_logs(cluster, &folder.join("logs").join(name), &taken_at[..4]);
        let role = if name == "svc" { "--svc-kubeconfig" } else { "--mgmt-kubeconfig" };
        arguments.extend([role.into(), cluster.kubeconfig_as("admin", name).into()]);
    }
    Some(collect(arguments))
}

/// Definitions of kinds were captured without their versions, so these are made anew.
fn fill(cluster: &Cluster, folder: &Path) {
    let files: Vec<String> =
        entries(folder).into_iter().filter(|file| file != "customresourcedefinitions.json").collect();
    if !files.is_empty() {
        cluster.crds();
    }
    for file in files {
        cluster.restore(&read(&folder.join(file)));
    }
}

/// Every log becomes one of a pod that is there.
fn write_logs(cluster: &Cluster, folder: &Path, year: &str) {
    for namespace in entries(folder) {
        if cluster.get("admin", &format!("/api/v1/namespaces/{namespace}")).unwrap().code != 200 {
            cluster.namespace(&namespace);
        }
        for pod in entries(&folder.join(&namespace)) {
            let files = entries(&folder.join(&namespace).join(&pod));
            let previous = files.iter().any(|file| file.ends_with(".previous.log"));
            let containers: BTreeSet<&str> = files.iter().filter_map(|file| file.split('.').next()).collect();
            let containers: Vec<&str> = containers.into_iter().collect();
            cluster.pod(&namespace, &pod, &containers, u32::from(previous));
            for file in &files {
                let text = fs::read_to_string(folder.join(&namespace).join(&pod).join(file)).unwrap();
                let text = as_the_node_got_it(&text, year);
                let container = file.split('.').next().unwrap();
                match file.ends_with(".previous.log") {
                    true => cluster.put_previous_log(&namespace, &pod, container, &text),
                    false => cluster.put_log(&namespace, &pod, container, &text),
                }
            }
        }
    }
}

/// A node notes when it got a line: the moment at which it was written.
fn as_the_node_got_it(text: &str, year: &str) -> String {
    let mut last = format!("{year}-01-01T00:00:00Z");
    let mut stored = String::new();
    for line in text.lines() {
        // `I1116 01:27:01.929052       1 cmd.go:257] …`
        if let (Some(month), Some(day), Some(time)) = (line.get(1..3), line.get(3..5), line.get(6..21))
            && month.parse::<u8>().is_ok()
            && day.parse::<u8>().is_ok()
            && time.as_bytes().get(2) == Some(&b':')
        {
            last = format!("{year}-{month}-{day}T{time}Z");
        }
        stored.push_str(&format!("{last} {line}\n"));
    }
    stored
}

fn entries(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}
