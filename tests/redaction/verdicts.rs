//! Every answer is the same from a redacted bundle and from a raw one.

use crate::support::truth::Truth;
use crate::support::{chosen_scenarios, dacapo, on_two_threads, run, trace_json, unpack};
use aho_corasick::AhoCorasick;
use serde_json::Value;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Puts something to take out into every line and every row, so that redaction has work to do everywhere.
fn salt(folder: &Path) {
    for file in WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|file| file.file_type().is_file()) {
        let name = file.file_name().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
        let salted = match name.as_str() {
            "resources.jsonl" => text.replace("\"manifests\": [{", "\"manifests\": [{\"password\": \"swordf1sh\", "),
            _ if name.ends_with(".log") => text.lines().map(salted_line).collect(),
            _ => continue,
        };
        std::fs::write(file.path(), salted).unwrap();
    }
}

/// A key that no statement looks at, behind all others. Blocks stay as they are.
fn salted_line(line: &str) -> String {
    let takes = line.starts_with(['I', 'W', 'E']) && line.ends_with('"') && line.contains("] \"");
    if takes { format!("{line} token=\"nightingale7\"\n") } else { format!("{line}\n") }
}

/// What pseudonyms stand for, as the map tells it.
#[derive(Default)]
struct Names(Vec<(String, String)>);

impl Names {
    fn read(map: &Path) -> Self {
        let lines = std::fs::read_to_string(map).unwrap();
        let pairs = lines.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            ["pseudonym", "original"].map(|key| line[key].as_str().unwrap().to_owned()).into()
        });
        Self(pairs.collect())
    }

    fn pseudonym(&self, original: &str) -> String {
        let known = self.0.iter().find(|(_, own)| own == original);
        known.map_or_else(|| original.to_owned(), |(pseudonym, _)| pseudonym.clone())
    }

    /// An answer with the names put back.
    fn original(&self, answer: &str) -> String {
        if self.0.is_empty() {
            return answer.to_owned();
        }
        let originals: Vec<&str> = self.0.iter().map(|(_, original)| original.as_str()).collect();
        AhoCorasick::new(self.0.iter().map(|(pseudonym, _)| pseudonym)).unwrap().replace_all(answer, &originals)
    }
}

fn collected(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let bundle = folder.with_file_name(name);
    let answer = run(dacapo().arg("collect").args(options).arg("--from").arg(folder).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    bundle
}

/// What was decided, without the words that prove it.
fn verdicts(bundle: &Path, truth: &Truth, names: &Names) -> Vec<String> {
    let mut told = Vec::new();
    for focus in &truth.focus {
        let mut arguments = focus.arguments();
        arguments[0] = names.pseudonym(&arguments[0]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        told.push(match trace_json(bundle, &arguments) {
            Ok((code, answer)) => format!("{} {code} {}", focus.name(), requests(&answer)),
            Err(why) => why,
        });
    }
    let answer = run(dacapo().arg("diagnose").arg(bundle).args(["--format", "json"]));
    let answer: Value = serde_json::from_str(&names.original(&answer.stdout)).unwrap();
    let findings =
        answer["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] != "bundle_unredacted");
    let line = |finding: &Value| format!("{} {} {}", finding["rule"], finding["severity"], in_order(&finding["works"]));
    let mut lines: Vec<String> = findings.map(line).collect();
    lines.sort();
    told.extend(lines);
    told
}

/// What is ordered by names has another order under other names.
fn in_order(list: &Value) -> Value {
    let mut items: Vec<Value> = list.as_array().cloned().unwrap_or_default();
    items.sort_by_key(Value::to_string);
    items.into()
}

fn requests(answer: &Value) -> String {
    let mut told = String::new();
    for request in answer["works"].as_array().unwrap().iter().flat_map(|work| work["requests"].as_array().unwrap()) {
        let hops: Vec<String> =
            request["hops"].as_array().unwrap().iter().map(|hop| format!("{}", hop["verdict"])).collect();
        let parts = ["request", "version", "outcome", "stops_at", "sentence"].map(|part| request[part].to_string());
        told += &format!("[{} {} {}]", parts.join(" "), hops.join(" "), in_order(&request["cause"]["evidence"]));
    }
    told
}

#[test]
fn redaction_and_pseudonyms_change_no_verdict() {
    let wrong = on_two_threads(&chosen_scenarios(), |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let truth = Truth::read(&folder);
        std::fs::remove_file(folder.join("truth.json")).unwrap();
        salt(&folder);
        let raw = collected(&folder, "raw.dacapo", &["--no-redact"]);
        let raw = verdicts(&raw, &truth, &Names::default());
        let redacted = collected(&folder, "redacted.dacapo", &[]);
        let (hidden, map) = (dir.path().join("hidden.dacapo"), dir.path().join("names.jsonl"));
        let mut redact = dacapo();
        redact.arg("redact").arg(&redacted).arg("-o").arg(&hidden).args(["--pseudonymise", "all", "--pseudonym-map"]);
        let answer = run(redact.arg(&map));
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        let hidden = verdicts(&hidden, &truth, &Names::read(&map));
        let redacted = verdicts(&redacted, &truth, &Names::default());
        let mut wrong = Vec::new();
        for (how, other) in [("redacted", &redacted), ("pseudonyms", &hidden)] {
            let differs = |(one, other): (&String, &String)| {
                (one != other).then(|| format!("{scenario}:\n  raw        {one}\n  {how:10} {other}"))
            };
            wrong.extend(raw.iter().zip(other).filter_map(differs));
            if raw.len() != other.len() {
                wrong.push(format!("{scenario}: {} findings raw, {} {how}", raw.len(), other.len()));
            }
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
