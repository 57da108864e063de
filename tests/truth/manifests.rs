//! What is found about manifests in the captured scenarios: all that is there, and nothing where all is in order.

use serde_json::Value;

/// Scenario, work and manifest, and what is found about it. About everything else nothing is.
const FOUND: &[(&str, &str, &str, &[&str])] = &[
    // It cannot be as asked before the new version has arrived.
    ("agent-stale-update", "web-frontend", "frontend", &["differs"]),
    ("status-stale-version", "web-frontend", "web-frontend-config", &["differs"]),
    // The agent lists objects last: after the status is sent, and when it could look at all of them.
    ("agent-broker-cut", "web-frontend", "web-frontend-config", &["not_listed"]),
    ("agent-killed-after-apply", "web-frontend", "web-frontend-config", &["not_listed"]),
    ("apply-rbac-denied", "web-frontend", "web-frontend-config", &["not_listed"]),
    ("missing-crd", "widget-work", "widget-config", &["not_listed"]),
    ("apply-rbac-denied", "web-frontend", "frontend", &["apply_failed"]),
    ("missing-crd", "widget-work", "w1", &["apply_failed"]),
    ("apply-invalid-manifest", "bad-deploy", "bad-deploy", &["apply_failed"]),
    ("zap-apply-invalid-manifest", "bad-deploy", "bad-deploy", &["apply_failed"]),
    ("two-faults", "work-b", "work-b", &["apply_failed"]),
    ("apply-conflict", "ssa-work", "shared-config", &["apply_failed", "differs"]),
    ("feedback-too-long", "fb-work", "fb-config", &["feedback_not_synced"]),
    ("name-collision", "team-a", "shared", &["differs", "owned_by_others"]),
    ("name-collision", "team-b", "shared", &["owned_by_others"]),
    ("amw-evicting", "web-frontend", "web-frontend-config", &["evicting"]),
    ("amw-evicting", "web-frontend", "frontend", &["evicting"]),
    ("delete-orphan", "web-frontend", "web-frontend-config", &["orphaned"]),
    ("delete-orphan", "web-frontend", "frontend", &["orphaned"]),
    ("delete-stuck-finalizer", "web-frontend", "web-frontend-config", &["held_by_finalizer"]),
    ("zap-delete-stuck-finalizer", "web-frontend", "web-frontend-config", &["held_by_finalizer"]),
];

/// Words that a finding must have: it names what it is about.
const NAMED: &[(&str, &str, &str)] = &[
    ("apply-conflict", "apply_failed", "other-operator"),
    ("apply-conflict", "differs", ".data.owner"),
    ("apply-rbac-denied", "apply_failed", "is forbidden"),
    ("missing-crd", "apply_failed", "Widget"),
    ("feedback-too-long", "feedback_not_synced", "larger than the maximum length"),
    ("delete-stuck-finalizer", "held_by_finalizer", "example.com/never"),
    ("agent-stale-update", "differs", "has not reported on version 2"),
];

/// Works of which two AppliedManifestWorks with different hub hashes are left.
const TWO_HASHES: &str = "amw-hubhash-changed";

/// Everything that is wrong about the manifests of a work, one line each.
pub fn wrong_about_manifests(scenario: &str, name: &str, work: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let manifests = work["manifests"].as_array().map(Vec::as_slice).unwrap_or_default();
    let two_hashes = scenario == TWO_HASHES && work["applied_works"].as_array().is_some_and(|works| works.len() == 2);
    for manifest in manifests {
        let called = manifest["name"].as_str().unwrap_or_default();
        let listed = FOUND.iter().find(|row| (row.0, row.1, row.2) == (scenario, name, called)).map(|row| row.3);
        let expected = if two_hashes { &["two_hub_hashes"][..] } else { listed.unwrap_or_default() };
        let findings = manifest["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
        let found: Vec<&str> = findings.iter().filter_map(|finding| finding["finding"].as_str()).collect();
        if found != expected {
            wrong.push(format!("manifest {called}: expected {expected:?}, found {findings:?}"));
        }
        let by_design = ["ReadOnly", "CreateOnly"].map(Value::from).contains(&manifest["update_strategy"]);
        let differs = manifest["differs"].as_array().is_some_and(|differs| !differs.is_empty());
        if differs != expected.contains(&"differs") && !by_design {
            wrong.push(format!("manifest {called} differs: {}", manifest["differs"]));
        }
        if (differs && by_design) != manifest["by_design"].is_string() {
            wrong.push(format!("manifest {called}: by_design is {}", manifest["by_design"]));
        }
        if manifest["in"].as_array().map(Vec::len) != manifest["evidence"].as_array().map(Vec::len) {
            wrong.push(format!("manifest {called}: each place needs its evidence: {manifest}"));
        }
    }
    let said = manifests.iter().flat_map(|manifest| manifest["findings"].as_array()).flatten();
    let said: Vec<(&str, &str)> =
        said.filter_map(|finding| Some((finding["finding"].as_str()?, finding["text"].as_str()?))).collect();
    for (_, finding, word) in NAMED.iter().filter(|row| row.0 == scenario) {
        let speaks = said.iter().filter(|(found, _)| found == finding);
        wrong.extend(
            speaks.filter(|(_, text)| !text.contains(word)).map(|(_, text)| format!("{word} is not in {text:?}")),
        );
    }
    let absent = FOUND.iter().filter(|row| (row.0, row.1) == (scenario, name));
    let absent = absent.filter(|row| !manifests.iter().any(|manifest| manifest["name"] == row.2));
    wrong.extend(absent.map(|row| format!("manifest {} is not there", row.2)));
    wrong
}
