//! What nothing fits: the sentences that people know, what was searched, and what may be meant instead.

use super::made::{Made, Work, applied_work, object};
use crate::support::{Answer, collect, dacapo, keeps_contract, run, unpack};
use serde_json::{Value, json};

/// A refusal on stderr, and its lines.
fn refused(answer: &Answer) -> Vec<&str> {
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{}", answer.stderr);
    let lines: Vec<&str> = answer.stderr.lines().collect();
    assert!(lines[0].starts_with("error: ") && lines[1].starts_with("  because "), "{lines:?}");
    assert!(!answer.panicked() && !answer.stderr.contains('\u{1b}'), "{lines:?}");
    lines
}

#[test]
fn each_sentence_of_the_error_table_is_said() {
    let work = Work::new("web", "mgmt-1");
    let hash = "ab".repeat(32);
    let objects = [
        applied_work(&work.applied(), &work.id(), json!([]), json!({})),
        object("v1", "ConfigMap", "demo", "by-hand", &[]),
    ];
    let bundle = Made::new().table("resources", &[work.row()]).objects("mgmt", "objects", &objects).bundle();
    let error =
        |asked: &str| refused(&bundle.run("trace", &[asked])).into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(error("payments")[0], "error: No resource found with this ID/name: \"payments\"");
    assert_eq!(error("deploy/default/nginx")[0], "error: Manifest deploy/default/nginx not found");
    assert_eq!(error("cm/demo/by-hand")[0], "error: Not managed by any ManifestWork: cm/demo/by-hand");
    let absent = format!("{hash}-payments");
    assert_eq!(error(&absent)[0], format!("error: Work not applied to cluster: {absent}"));
    let because =
        "  because ConfigMap demo/by-hand of cluster mgmt (kube_objects:1) has no AppliedManifestWork among its owners";
    assert_eq!(error("cm/by-hand")[1], because);
    assert!(
        error("by-hand")[2].contains("ConfigMap demo/by-hand is in a cluster, and not managed by any ManifestWork")
    );
    assert!(error("deploy/demo/web-config")[2].ends_with("of that name there is ConfigMap demo/web-config"));
    assert_eq!(error("deploy/demo/wep-config").last().unwrap(), "hint: near it: ConfigMap demo/web-config");
    assert_eq!(error("wev").last().unwrap(), "hint: near it: web");
}

#[test]
fn an_applied_work_that_is_not_there_leads_to_its_work_all_the_same() {
    let (work, other) = (Work::new("web", "mgmt-1"), Work::new("other", "mgmt-1"));
    let applied = [applied_work(&other.applied(), &other.id(), json!([]), json!({}))];
    let bundle = Made::new().table("resources", &[work.row()]).objects("mgmt", "works", &applied).bundle();
    for called in [work.id(), "web".to_owned()] {
        let asked = format!("{}-{called}", "0f".repeat(32));
        assert_eq!(bundle.resolve(&asked), ("AppliedManifestWork".to_owned(), vec!["web".to_owned()]));
        let text = bundle.run("trace", &[&asked]).stdout;
        assert!(text.contains("is taken for an AppliedManifestWork\n"), "{text}");
        assert!(text.contains("Work not applied to cluster: the bundle has no AppliedManifestWork"), "{text}");
    }
}

#[test]
fn silence_about_a_cluster_that_nobody_asked_is_no_statement() {
    let bundle = Made::new().table("resources", &[Work::new("web", "mgmt-1").row()]).bundle();
    let asked = |called: &str| format!("{}-{called}", "0f".repeat(32));
    let text = bundle.run("trace", &[&asked("web")]).stdout;
    assert!(text.contains("no cluster was asked: the bundle has no AppliedManifestWork"), "{text}");
    let answer = bundle.run("trace", &[&asked("payments")]);
    assert!(refused(&answer)[0].starts_with("error: No resource found with this ID/name: "), "{}", answer.stderr);
}

#[test]
fn a_part_of_a_name_or_id_lists_what_has_it() {
    let works = [Work::new("web-frontend", "mgmt-1"), Work::new("web-backend", "mgmt-2"), Work::new("db", "mgmt-1")];
    let rows: Vec<Value> = works.iter().map(Work::row).collect();
    let bundle = Made::new().table("resources", &rows).bundle();
    for (asked, expected) in
        [("web-", 2), ("END", 2), ("backend", 1), (&works[2].id()[..8], 1), (&works[2].id()[20..], 1)]
    {
        let answer = bundle.run("trace", &[asked]);
        let lines = refused(&answer);
        assert_eq!(lines[0], format!("error: No resource found with this ID/name: {asked:?}"));
        assert!(lines[1].starts_with("  because it is taken for a part of a name or id ("), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("    ")).count(), expected, "{asked}: {lines:?}");
        let json = bundle.run("trace", &[asked, "--format", "json"]);
        let answered: Value = serde_json::from_str(&json.stdout).unwrap();
        keeps_contract(&answered).unwrap();
        let found = (json.code, answered["is_part"].as_bool(), answered["candidates"].as_array().unwrap().len());
        assert_eq!(found, (Some(2), Some(true), expected));
    }
}

#[test]
fn ids_that_only_logs_know_are_found_by_their_beginning() {
    let dir = unpack("logs-only");
    let bundle = collect(&dir.path().join("logs-only"));
    let id = "496595f0-a531-5254-8ba1-38c71c30777e";
    let answer = run(dacapo().arg("trace").arg(bundle).arg(&id[..13]));
    let lines = refused(&answer);
    assert!(lines.contains(&format!("    {id}  web-frontend on cluster1").as_str()), "{lines:?}");
}

#[test]
fn what_is_no_identifier_is_refused_and_nothing_breaks() {
    let bundle = Made::new().table("resources", &[Work::new("web", "mgmt-1").row()]).bundle();
    let long = "x".repeat(20_000);
    let longish = "x".repeat(900);
    let nested = "a/".repeat(600);
    for asked in [
        "",
        " ",
        "/",
        "//",
        "a/b/c/d",
        "/web",
        "web/",
        "=",
        "a=",
        "=b",
        "kind/",
        "deploy/ns/",
        "no-such-kind/web",
        "\u{1b}[31mred\u{1b}[0m",
        "a\nb",
        "a\u{0}b".trim_end_matches('\u{0}').split('\u{0}').next().unwrap(),
        "naïve/büro",
        "名前",
        "deploy/名前",
        "'",
        "\"",
        "%",
        "_",
        "\\",
        "' or 1=1 --",
        "..",
        "../../etc/passwd",
        "-",
        "💥",
        &long,
        &longish,
        &nested,
        "\u{202e}gnp",
    ] {
        let answer = bundle.run("trace", &["--", asked]);
        assert!(!answer.panicked(), "{asked:?}: {}", answer.describe());
        let lines = refused(&answer);
        assert!(lines.iter().all(|line| line.chars().count() < 2000), "{asked:.40?}");
        assert!(!answer.stderr.contains('\u{202e}'), "{asked:?}");
        let answer = bundle.run("resolve", &["--format", "json", "--", asked]);
        assert!(!answer.panicked() && matches!(answer.code, Some(1 | 2)), "{asked:?}: {}", answer.describe());
    }
}
