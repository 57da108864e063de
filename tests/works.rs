//! `works` tells of every work what `trace` tells of it, and leaves out what was not asked for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Contract, chosen_scenarios, collect, dacapo, on_two_threads, run, trace_json, unpack};

/// `works BUNDLE … --format json`: the exit code and the object, which keeps the documented contract.
fn works_json(bundle: &Path, arguments: &[&str]) -> (i32, Value) {
    static SCHEMA: LazyLock<Contract> = LazyLock::new(|| Contract::new("works.schema.json"));
    let answer = run(dacapo().arg("works").arg(bundle).args(arguments).args(["--format", "json"]));
    let Some(code @ (0 | 1)) = answer.code else { panic!("{}", answer.describe()) };
    let value: Value = serde_json::from_str(&answer.stdout).unwrap();
    SCHEMA.kept_by(&value).unwrap();
    (code, value)
}

fn listed(answer: &Value) -> &[Value] {
    answer["works"].as_array().unwrap()
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("snapshots/{name}.dacapo"))
}

/// `DACAPO_SCENARIOS=agent-down,missing-crd` tries only these.
#[test]
fn what_is_asked_for_and_not_there_is_said() {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/healthy.dacapo");
    for (option, value, words) in [
        ("--consumer", "cluster11", "no work is for consumer cluster11; near it: cluster1"),
        ("--source", "nobody", "no work is from source nobody"),
        ("--label", "a=b", "no work has the label a=b"),
    ] {
        for command in ["works", "matrix"] {
            let answer = run(dacapo().arg(command).arg(&bundle).args([option, value]));
            assert!(answer.code == Some(0) && answer.stderr.contains(words), "{}", answer.describe());
        }
    }
    for command in ["works", "matrix"] {
        let answer = run(dacapo().arg(command).arg(&bundle).args(["--consumer", "cluster1", "--stopped"]));
        assert_eq!(answer.stderr, "", "{}", answer.describe());
    }
}

#[test]
fn every_work_of_every_scenario_is_judged_as_its_trace_judges_it() {
    let scenarios = chosen_scenarios();
    let wrong: Vec<String> = on_two_threads(&scenarios, |scenario| {
        let dir = unpack(scenario);
        let bundle = collect(&dir.path().join(scenario));
        let wrong = differences(&bundle);
        wrong.into_iter().map(|line| format!("{scenario}: {line}")).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "\n{} wrong answers\n{}", wrong.len(), wrong.join("\n"));
}

fn differences(bundle: &Path) -> Vec<String> {
    let (code, answer) = works_json(bundle, &[]);
    let mut wrong = Vec::new();
    let mut all_well = true;
    for work in listed(&answer) {
        let id = work["resource_id"].as_str().unwrap();
        let trace = match trace_json(bundle, &[id]) {
            Ok((_, trace)) => trace,
            Err(why) => {
                wrong.push(format!("{id}: {why}"));
                continue;
            }
        };
        let traced = &trace["works"][0];
        let newest = &traced["requests"][0];
        all_well &= matches!(newest["outcome"].as_str(), Some("completed" | "in-progress" | "superseded"));
        let same = [
            ("work_name", &traced["work_name"]),
            ("resource_id", &traced["resource_id"]),
            ("consumer", &traced["consumer"]),
            ("source", &traced["source"]),
            ("deleted_at", &traced["deleted_at"]),
            ("request", &newest["request"]),
            ("life", &newest["life"]),
            ("version_wanted", &newest["version"]),
            ("outcome", &newest["outcome"]),
            ("stops_at", &newest["stops_at"]),
            ("sentence", &newest["sentence"]),
            ("why", &newest["why"]),
        ];
        let differing = same.iter().filter(|(field, traced)| work[*field] != **traced);
        wrong.extend(differing.map(|(field, traced)| format!("{id}: {field} is {}, not {traced}", work[*field])));
    }
    if listed(&answer).is_empty() {
        wrong.push("no work at all".to_owned());
    }
    if (code == 0) != all_well {
        wrong.push(format!("exit code {code}"));
    }
    wrong
}

#[test]
fn every_work_of_the_truth_is_listed() {
    for scenario in ["agent-down", "healthy-update"] {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let (_, answer) = works_json(&collect(&folder), &[]);
        let truth = crate::support::truth::Truth::read(&folder);
        for focus in &truth.focus {
            let id = Value::from(focus.resource_id.as_str());
            assert!(listed(&answer).iter().any(|work| work["resource_id"] == id), "{scenario}: {}", focus.name());
        }
    }
}

#[test]
fn what_is_stopped_comes_first_and_decides_the_exit_code() {
    let bundle = sample("stuck-in-delivery");
    let (code, all) = works_json(&bundle, &[]);
    assert_eq!(code, 1);
    assert_eq!(listed(&all)[0]["outcome"], "stopped");
    assert_eq!(listed(&all)[0]["work_name"], "web-frontend");
    assert_eq!(listed(&all)[0]["hop_reached"], 2);
    let (code, completed) = works_json(&bundle, &["--outcome", "completed,in-progress"]);
    assert_eq!(code, 0);
    assert_eq!(completed["total"], all["total"]);
    assert!(listed(&completed).len() < listed(&all).len());
    let (code, stopped) = works_json(&bundle, &["--stopped"]);
    assert_eq!(code, 1);
    assert!(listed(&stopped).iter().all(|work| work["outcome"] == "stopped") && !listed(&stopped).is_empty());
}

#[test]
fn works_are_chosen_by_what_they_are() {
    let bundle = sample("stuck-in-delivery");
    let (_, all) = works_json(&bundle, &[]);
    let focus = listed(&all).iter().find(|work| work["work_name"] == "web-frontend").unwrap();
    let text = |field: &str| focus[field].as_str().unwrap().to_owned();
    for (field, flag, value) in [
        ("consumer", "--consumer", text("consumer")),
        ("source", "--source", text("source")),
        ("hop_reached", "--hop", focus["hop_reached"].to_string()),
    ] {
        let (_, some) = works_json(&bundle, &[flag, &value]);
        let fitting: Vec<&Value> = listed(&all).iter().filter(|work| work[field] == focus[field]).collect();
        assert_eq!(listed(&some).iter().collect::<Vec<_>>(), fitting, "{flag} {value}");
        assert_eq!(
            works_json(&bundle, &[flag, "9"]).1["matched"].as_u64().unwrap(),
            count(&all, field, "9"),
            "{flag} 9"
        );
    }
    let (_, later) = works_json(&bundle, &["--since", &text("since")]);
    let (_, earlier) = works_json(&bundle, &["--until", &text("since")]);
    let both = listed(&later).iter().filter(|work| listed(&earlier).contains(work)).count();
    assert_eq!(both, listed(&all).iter().filter(|work| work["since"] == focus["since"]).count());
    assert_eq!(listed(&later).len() + listed(&earlier).len(), listed(&all).len() + both);
}

fn count(all: &Value, field: &str, value: &str) -> u64 {
    let number: Option<i64> = value.parse().ok();
    let same =
        |work: &&Value| work[field].as_str() == Some(value) || number.is_some() && work[field].as_i64() == number;
    listed(all).iter().filter(same).count() as u64
}

#[test]
fn works_are_chosen_by_the_labels_that_trace_knows() {
    let bundle = sample("healthy");
    let (_, none) = works_json(&bundle, &["--label", "nobody/has=this"]);
    assert_eq!((none["total"].as_u64(), listed(&none).len()), (Some(0), 0));
    let label = "cloudevents.open-cluster-management.io/originalsource=maestro";
    let (_, traced) = trace_json(&bundle, &[label]).unwrap();
    let ids = |works: &Value| -> Vec<Value> {
        works["works"].as_array().unwrap().iter().map(|work| work["resource_id"].clone()).collect()
    };
    let (_, some) = works_json(&bundle, &["--label", label, "--sort", "name"]);
    assert_eq!(ids(&some), ids(&traced));
    assert!(!ids(&some).is_empty());
}

#[test]
fn works_are_put_in_the_order_that_is_asked_for() {
    let bundle = sample("stuck-in-delivery");
    let (_, all) = works_json(&bundle, &[]);
    for (order, field) in [("name", "work_name"), ("since", "since"), ("hop", "hop_reached"), ("consumer", "consumer")]
    {
        let (_, sorted) = works_json(&bundle, &["--sort", order]);
        assert_eq!(listed(&sorted).len(), listed(&all).len());
        let keys: Vec<String> = listed(&sorted).iter().map(|work| work[field].to_string()).collect();
        assert!(keys.is_sorted(), "{order}: {keys:?}");
    }
    let (code, few) = works_json(&bundle, &["--limit", "1"]);
    assert_eq!((code, listed(&few).len()), (1, 1));
    assert_eq!((&few["matched"], &few["outcomes"]), (&all["matched"], &all["outcomes"]));
}

#[test]
fn evidence_without_works_lists_none() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("empty");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("consumers.csv"), "id,created_at,updated_at,deleted_at,name,labels\n").unwrap();
    let (code, answer) = works_json(&collect(&folder), &[]);
    assert_eq!((code, &answer["total"], listed(&answer).len()), (0, &Value::from(0), 0));
}

/// Names are a stranger's; so is the file that they are read from.
#[test]
fn a_hostile_name_is_harmless_in_every_format() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("hostile");
    std::fs::create_dir_all(&folder).unwrap();
    let row = serde_json::json!({
        "id": "0b14ee1e-1543-5748-bba9-abb351ceff99", "created_at": "2026-01-15T09:00:00Z",
        "updated_at": "2026-01-15T09:00:00Z", "deleted_at": null, "source": "=cmd|'/c calc'!A1", "consumer_name": "\u{1b}[31mred",
        "version": 1, "name": "x", "type": "Bundle",
        "payload": {"metadata": {"name": "<img src=x>|@team\u{202e}"}, "data": {"manifests": []}}, "status": null,
    });
    std::fs::write(folder.join("resources.json"), serde_json::json!([row]).to_string()).unwrap();
    let bundle = collect(&folder);
    let (_, answer) = works_json(&bundle, &[]);
    assert_eq!(answer["total"], 1);
    for format in ["text", "markdown", "csv"] {
        let answer = run(dacapo().arg("works").arg(&bundle).args(["--format", format, "--color", "never"]));
        let told = &answer.stdout;
        assert!(!told.contains(['\u{1b}', '\u{202e}']), "{format}: {told:?}");
        // Between back quotes nothing is a tag or a mention.
        assert!(
            format != "markdown" || told.contains("`<img src=x>\\|@team") && told.matches("<img").count() == 1,
            "{told}"
        );
        assert!(format != "csv" || !told.contains(",=cmd"), "{told}");
    }
}

#[test]
fn mistakes_get_no_answer() {
    let bundle = sample("healthy");
    for arguments in [
        &["--hop", "10"][..],
        &["--label", "novalue"],
        &["--outcome", "fine"],
        &["--since", "yesterday"],
        &["--stopped", "--outcome", "unknown"],
    ] {
        let answer = run(dacapo().arg("works").arg(&bundle).args(arguments));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    }
}
