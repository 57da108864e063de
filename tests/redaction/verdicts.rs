//! Every answer is the same from a redacted bundle and from a raw one.

use crate::support::truth::Truth;
use crate::support::{chosen_scenarios, dacapo, on_two_threads, run, trace_json, unpack};
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

fn collected(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let bundle = folder.with_file_name(name);
    let answer = run(dacapo().arg("collect").args(options).arg("--from").arg(folder).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    bundle
}

/// What was decided, without the words that prove it.
fn verdicts(bundle: &Path, truth: &Truth) -> Vec<String> {
    let mut told = Vec::new();
    for focus in &truth.focus {
        let arguments = focus.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        told.push(match trace_json(bundle, &arguments) {
            Ok((code, answer)) => format!("{} {code} {}", focus.name(), requests(&answer)),
            Err(why) => why,
        });
    }
    let answer = run(dacapo().arg("diagnose").arg(bundle).args(["--format", "json"]));
    let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
    let findings =
        answer["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] != "bundle_unredacted");
    told.extend(findings.map(|finding| format!("{} {} {}", finding["rule"], finding["severity"], finding["works"])));
    told
}

fn requests(answer: &Value) -> String {
    let mut told = String::new();
    for request in answer["works"].as_array().unwrap().iter().flat_map(|work| work["requests"].as_array().unwrap()) {
        let hops: Vec<String> =
            request["hops"].as_array().unwrap().iter().map(|hop| format!("{}", hop["verdict"])).collect();
        let parts = ["request", "version", "outcome", "stops_at", "sentence"].map(|part| request[part].to_string());
        told += &format!("[{} {} {}]", parts.join(" "), hops.join(" "), request["cause"]["evidence"]);
    }
    told
}

#[test]
fn redaction_changes_no_verdict() {
    let wrong = on_two_threads(&chosen_scenarios(), |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let truth = Truth::read(&folder);
        std::fs::remove_file(folder.join("truth.json")).unwrap();
        salt(&folder);
        let raw = verdicts(&collected(&folder, "raw.dacapo", &["--no-redact"]), &truth);
        let redacted = verdicts(&collected(&folder, "redacted.dacapo", &[]), &truth);
        let differs = |(one, other): (&String, &String)| {
            (one != other).then(|| format!("{scenario}:\n  raw      {one}\n  redacted {other}"))
        };
        let mut wrong: Vec<String> = raw.iter().zip(&redacted).filter_map(differs).collect();
        if raw.len() != redacted.len() {
            wrong.push(format!("{scenario}: {} findings raw, {} redacted", raw.len(), redacted.len()));
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
