//! Transcripts: every sample bundle through every command that only reads. A change of a golden is a change
//! that users see; `INSTA_UPDATE=always cargo test --test all golden` accepts it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::support::{collect, dacapo, unpack};
use std::path::{Path, PathBuf};

/// A sample bundle, the captured scenario it is made from and the work it tells about.
struct Sample {
    name: &'static str,
    scenario: &'static str,
    work: &'static str,
}

const SAMPLES: &[Sample] = &[
    Sample { name: "healthy", scenario: "healthy-create", work: "web-frontend" },
    Sample { name: "stuck-in-delivery", scenario: "agent-down", work: "web-frontend" },
    Sample { name: "rejected-manifest", scenario: "apply-invalid-manifest", work: "bad-deploy" },
];

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

/// Command, exit code, stdout and stderr, as a reader would see them.
fn transcript(arguments: &[&str]) -> String {
    let output = dacapo().current_dir(snapshots()).args(arguments).output().unwrap();
    let code = output.status.code().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let version = concat!("dacapo ", env!("CARGO_PKG_VERSION"));
    format!("$ dacapo {}\n{out}{err}exit {code}\n", arguments.join(" ")).replace(version, "dacapo VERSION")
}

fn check(name: &str, arguments: &[&str]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, transcript(arguments)));
}

#[test]
fn samples_are_told_as_before() {
    for Sample { name: sample, work, .. } in SAMPLES {
        let bundle = format!("{sample}.dacapo");
        check(&format!("{sample}-inspect"), &["inspect", &bundle]);
        check(&format!("{sample}-verify"), &["verify", &bundle]);
        check(&format!("{sample}-trace"), &["trace", &bundle, work]);
        check(&format!("{sample}-trace-json"), &["trace", &bundle, work, "--format", "json"]);
        check(&format!("{sample}-trace-detail"), &["trace", &bundle, work, "--detail"]);
        check(&format!("{sample}-trace-timeline"), &["trace", &bundle, work, "--timeline"]);
        check(&format!("{sample}-trace-markdown"), &["trace", &bundle, work, "--format", "markdown"]);
        check(&format!("{sample}-trace-csv"), &["trace", &bundle, work, "--format", "csv"]);
        check(&format!("{sample}-diagnose"), &["diagnose", &bundle]);
        for format in ["json", "markdown", "csv", "junit"] {
            check(&format!("{sample}-diagnose-{format}"), &["diagnose", &bundle, "--format", format]);
        }
        check(&format!("{sample}-matrix"), &["matrix", &bundle]);
        check(&format!("{sample}-matrix-json"), &["matrix", &bundle, "--format", "json"]);
        check(&format!("{sample}-show"), &["show", &bundle, "resources:1", "events:1"]);
    }
}

#[test]
fn every_command_has_every_format() {
    for format in ["markdown", "csv"] {
        check(&format!("healthy-inspect-{format}"), &["inspect", "healthy.dacapo", "--format", format]);
        check(&format!("healthy-verify-{format}"), &["verify", "healthy.dacapo", "--format", format]);
        let timeline = ["trace", "healthy.dacapo", "web-frontend", "--timeline", "--only", "agent", "--raw"];
        check(&format!("healthy-trace-timeline-{format}"), &[&timeline[..], &["--format", format]].concat());
        check(&format!("healthy-resolve-{format}"), &["resolve", "healthy.dacapo", "noise", "--format", format]);
        let by_pod = ["matrix", "healthy.dacapo", "--by", "pod", "--show", "p95", "--format", format];
        check(&format!("healthy-matrix-{format}"), &by_pod);
        check(&format!("healthy-show-{format}"), &["show", "healthy.dacapo", "events:1", "--format", format]);
    }
}

#[test]
fn identifiers_are_resolved_as_before() {
    check("resolve-manifest", &["resolve", "healthy.dacapo", "deploy/demo/frontend"]);
    check("resolve-namespace", &["resolve", "healthy.dacapo", "noise"]);
    check("resolve-nothing", &["resolve", "healthy.dacapo", "svc/demo/frontent"]);
    check("resolve-work-in-bundle", &["resolve", "healthy.dacapo", "--work", "web-frontend"]);
    let names = ["--source", "mw-client-example", "--consumer", "cluster1", "--work", "nginx-work"];
    let broker = ["--broker", "maestro-mqtt-agent.maestro:1883"];
    check("resolve-names", &[&["resolve"][..], &names[..], &broker[..]].concat());
    let event = "io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request";
    let kinds = ["resolve", "--kind", "deploy", "--kind", "apps/v1, Resource=deployments", "--kind", event];
    check("resolve-kinds", &kinds);
    check("resolve-kinds-json", &["resolve", "--kind", "gizmos", "--format", "json"]);
}

#[test]
fn rules_are_explained_as_before() {
    check("explain-rule", &["explain", "published_not_delivered"]);
    for format in ["json", "markdown", "csv"] {
        check(&format!("explain-rule-{format}"), &["explain", "not_available", "--format", format]);
    }
    check("explain-two-rules", &["explain", "agent_silent", "bundle_unredacted"]);
}

#[test]
fn mistakes_are_answered_as_before() {
    check("mistake-no-such-work", &["trace", "healthy.dacapo", "web-fronted"]);
    check("mistake-part-of-a-name", &["trace", "healthy.dacapo", "noise-0"]);
    check("mistake-no-such-manifest", &["trace", "healthy.dacapo", "deploy/default/frontend"]);
    check("mistake-not-managed", &["trace", "healthy.dacapo", "ns/demo"]);
    check("mistake-no-identifier", &["trace", "healthy.dacapo", "a/b/c/d"]);
    check("mistake-no-such-version", &["trace", "healthy.dacapo", "web-frontend", "--version", "7"]);
    check("mistake-no-such-time", &["trace", "healthy.dacapo", "web-frontend", "--timeline", "--since", "yesterday"]);
    check("mistake-no-such-row", &["show", "healthy.dacapo", "log_lines:999999"]);
    check("mistake-no-such-table", &["show", "healthy.dacapo", "nothing:1"]);
    check("mistake-not-a-bundle", &["inspect", "README.md"]);
    check("mistake-no-such-rule", &["explain", "status_behind"]);
    check("mistake-no-rule-like-it", &["diagnose", "healthy.dacapo", "--rule", "x"]);
    check("mistake-no-rules-in-it", &["diagnose", "healthy.dacapo", "--rules", "."]);
    check("mistake-no-such-file", &["verify", "absent.dacapo"]);
}

#[test]
fn every_sample_has_a_story_and_a_golden() {
    let readme = std::fs::read_to_string(snapshots().join("README.md")).unwrap();
    for entry in std::fs::read_dir(snapshots()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(sample) = name.strip_suffix(".dacapo") {
            assert!(readme.contains(&format!("`{name}`")), "snapshots/README.md does not tell of {name}");
            assert!(SAMPLES.iter().any(|known| known.name == sample), "{name} has no golden");
        }
    }
}

/// The samples are what this version makes, so that they never show a dacapo that is not there any more.
/// `UPDATE=1` makes them anew.
#[test]
fn samples_are_what_dacapo_makes() {
    for Sample { name, scenario, .. } in SAMPLES {
        let folder = unpack(scenario);
        // Paths in a bundle begin with the folder's name; the truth is not evidence.
        let evidence = folder.path().join(name);
        std::fs::rename(folder.path().join(scenario), &evidence).unwrap();
        std::fs::remove_file(evidence.join("truth.json")).unwrap();
        let made = std::fs::read(collect(&evidence)).unwrap();
        let committed = snapshots().join(format!("{name}.dacapo"));
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            std::fs::write(&committed, &made).unwrap();
        }
        let same = std::fs::read(&committed).is_ok_and(|committed| committed == made);
        assert!(same, "{name}.dacapo differs; run: UPDATE=1 cargo test --test all golden, and review the transcripts");
    }
}
