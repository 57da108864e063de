//! Names, ids, machines and addresses are nowhere in a bundle that has pseudonyms for them.

use super::{everything, found};
use crate::support::{dacapo, run, unpack};
use dacapo::bundle::Reader;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::WalkDir;

const MACHINE: &str = "mqtt-7.night.example";
const ADDRESS: &str = "10.77.31.9";
const OTHER_ADDRESS: &str = "fd12:3456::9";
const SCENARIOS: [&str; 3] = ["agent-down", "healthy-feedback", "zap-agent-down"];

/// A scenario whose processes talk to machines that have names, and everything in it that must go.
fn evidence(scenario: &str) -> (TempDir, PathBuf, BTreeSet<String>) {
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let truth = folder.join("truth.json");
    let mut names = BTreeSet::from([MACHINE, ADDRESS, OTHER_ADDRESS].map(str::to_owned));
    gather(&serde_json::from_str(&std::fs::read_to_string(&truth).unwrap()).unwrap(), "", &mut names);
    std::fs::remove_file(truth).unwrap();
    for file in WalkDir::new(&folder).into_iter().map(Result::unwrap).filter(|file| file.file_type().is_file()) {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let said = format!(
            "I1116 01:27:00.279388       1 dial.go:1] \"connected\" to=\"{MACHINE}:1883\" from=[{OTHER_ADDRESS}]:77\n"
        );
        let text = text.replace("127.0.0.1:", &format!("{ADDRESS}:"));
        let is_log = file.path().extension().is_some_and(|end| end == "log") && text.starts_with('I');
        std::fs::write(file.path(), if is_log { said + &text } else { text }).unwrap();
    }
    let folder = dir.path().join("night-shift-42");
    std::fs::rename(dir.path().join(scenario), &folder).unwrap();
    names.insert("night-shift-42".to_owned());
    (dir, folder, names)
}

/// Names and ids of the truth.
fn gather(truth: &Value, key: &str, names: &mut BTreeSet<String>) {
    match truth {
        Value::Object(fields) => {
            if ["agents", "clients"].contains(&key) {
                names.extend(fields.keys().cloned());
            }
            fields.iter().for_each(|(key, value)| gather(value, key, names));
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, key, names)),
        Value::String(name) => {
            let named = ["work", "resource_id", "consumer", "source", "op_id", "pod", "replicas"].contains(&key);
            let name = name.strip_prefix("maestro-").filter(|pod| pod.starts_with("maestro-")).unwrap_or(name);
            if named && name.len() >= 3 {
                names.insert(name.to_owned());
            }
        }
        _ => {}
    }
}

fn collected(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let bundle = folder.with_file_name(name);
    let answer = run(dacapo().arg("collect").args(options).arg("--from").arg(folder).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    bundle
}

fn survivors<'n>(bundle: &Path, names: &'n BTreeSet<String>) -> Vec<&'n str> {
    let bytes = everything(bundle).to_ascii_lowercase();
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let found = found(&bytes, lower.iter().map(String::as_str));
    names.iter().enumerate().filter(|(place, _)| found.contains(place)).map(|(_, name)| name.as_str()).collect()
}

#[test]
fn no_name_survives_in_any_byte_of_a_bundle_with_pseudonyms() {
    for scenario in SCENARIOS {
        let (_dir, folder, names) = evidence(scenario);
        // The test can fail: everything that is looked for is there without.
        let raw = collected(&folder, "raw.dacapo", &[]);
        let there = survivors(&raw, &names);
        assert!(there.len() * 10 >= names.len() * 9 && there.contains(&MACHINE), "{scenario}: {there:?} of {names:?}");
        let hidden = collected(&folder, "hidden.dacapo", &["--pseudonymise", "all"]);
        assert_eq!(survivors(&hidden, &names), Vec::<&str>::new(), "{scenario}");
        assert_eq!(Reader::open(&hidden).unwrap().manifest().pseudonyms, ["hosts", "ids", "ips", "names"]);
        let answer = run(dacapo().arg("verify").arg(&hidden));
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
    }
}

#[test]
fn pseudonyms_are_the_same_with_the_same_key_and_no_key_is_in_the_bundle() {
    let (dir, folder, _) = evidence("agent-down");
    let path = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let (key, map) = (path("team.key"), path("names.jsonl"));
    let options = ["--pseudonymize", "names,ips", "--pseudonym-key", &key];
    let first = collected(&folder, "first.dacapo", &[&options[..], &["--pseudonym-map", &map]].concat());
    let second = collected(&folder, "second.dacapo", &options);
    let other = collected(&folder, "other.dacapo", &options[..2]);
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
    assert_ne!(std::fs::read(&first).unwrap(), std::fs::read(&other).unwrap());
    let secret = std::fs::read_to_string(&key).unwrap();
    let listed = std::fs::read_to_string(&map).unwrap();
    assert!(found(&everything(&first), [secret.trim()].into_iter()).is_empty());
    let listed: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let work = listed.iter().find(|line| line["original"] == "web-frontend").unwrap();
    assert!(work["pseudonym"].as_str().unwrap().starts_with("work-"), "{work}");
    #[cfg(unix)]
    for file in [&key, &map] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
    let left: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".dacapo-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// What ids are made of stays joined: the name of an AppliedManifestWork, the instance of a server, a line about a work.
#[test]
fn derived_names_are_made_of_the_same_pseudonyms() {
    let (_dir, folder, _) = evidence("healthy-feedback");
    let bundle = collected(&folder, "hidden.dacapo", &["--pseudonymise", "all"]);
    let count = |sql: &str| {
        let answer = run(dacapo().arg("query").arg(&bundle).args(["--format", "csv", "--sql", sql]));
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        answer.stdout.lines().nth(1).unwrap().parse::<i64>().unwrap()
    };
    let applied =
        "select count(*) from applied_manifest_works a join resources r on a.name = a.hub_hash || '-' || r.id";
    assert!(count(applied) > 0);
    assert_eq!(count(applied), count("select count(*) from applied_manifest_works"));
    let instances = "from server_instances s where not exists (from log_lines l where 'maestro-' || l.pod = s.id)";
    assert_eq!(count(&format!("select count(*) {instances}")), 0);
    let works = "select count(*) from log_lines where work_name is not null and not contains(text, work_name)";
    assert_eq!(count(works), 0);
    assert!(count("select count(*) from log_lines where work_name like 'work-%'") > 0);
}

/// What statements compare with must not be hidden behind a pseudonym, whoever calls something so.
#[test]
fn words_that_statements_compare_with_are_everybodys() {
    let words: BTreeSet<&str> = include_str!("../../src/collect/pseudonym/vocabulary.txt").lines().collect();
    let mut missing = BTreeSet::new();
    for file in WalkDir::new("queries").into_iter().map(Result::unwrap).filter(|file| file.file_type().is_file()) {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let statement: String =
            text.lines().map(|line| line.split("--").next().unwrap()).collect::<Vec<_>>().join("\n");
        for literal in statement.split('\'').skip(1).step_by(2) {
            let words_of = literal.split(|character: char| !character.is_ascii_alphabetic());
            let used = words_of.map(str::to_lowercase).filter(|word| word.len() >= 3);
            missing.extend(used.filter(|word| !words.contains(word.as_str())));
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
