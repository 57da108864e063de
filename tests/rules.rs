//! Every rule has a story on which it finds something, one on which it looks and finds nothing, and one on which it says that
//! it cannot tell: a captured scenario (`docs/scenarios.md`) or one that is made here.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod edits;
mod own;
mod stories;

use std::collections::BTreeMap;
use std::path::Path;

use dacapo::query::rules::{self, Rule};
use dacapo::store::{Datum, Store};

use crate::diagnose::{Said, diagnose_json, said};
use crate::support::{collect, dacapo, on_two_threads, run, unpack};
use stories::{STORIES, Story};

/// What a rule can never say, and why.
const NEVER: &[(&str, Said, &str)] = &[
    ("source_denied", Said::Unknown, "the account of its own collection is in every bundle"),
    ("bundle_unredacted", Said::Unknown, "the manifest of every bundle says whether it is redacted"),
];

/// What a rule says in a test of its own.
const ELSEWHERE: &[(&str, Said)] = &[("bundle_unredacted", Said::Found)];

fn told(story: &Story) -> BTreeMap<String, Said> {
    let dir = unpack(story.scenario);
    let folder = dir.path().join(story.scenario);
    (story.made)(&folder);
    let (_, answer) = diagnose_json(&collect(&folder), &[]);
    said(&answer)
}

#[test]
fn every_story_is_told_as_it_was_made() {
    let all = on_two_threads(STORIES, told);
    let mut wrong = Vec::new();
    for (story, said) in STORIES.iter().zip(all) {
        for (rules, words) in [
            (story.finds, &[Said::Found, Said::Info][..]),
            (story.clears, &[Said::Clear][..]),
            (story.cannot_tell, &[Said::Unknown][..]),
        ] {
            let odd = rules.iter().filter(|rule| !said.get(**rule).is_some_and(|said| words.contains(said)));
            wrong.extend(odd.map(|rule| format!("{}: {rule} says {:?}, not {words:?}", story.name, said.get(*rule))));
        }
        let told: Vec<&&str> = story.finds.iter().collect();
        let unasked = said.iter().filter(|(rule, said)| **said == Said::Found && !told.contains(&&rule.as_str()));
        wrong.extend(unasked.map(|(rule, _)| format!("{}: {rule} finds something nobody made", story.name)));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_story_for_each_of_its_three_answers() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenarios.md")).unwrap();
    let captured = crate::diagnose::stories(&page);
    let mut lacking = Vec::new();
    for Rule { name, .. } in Rule::all() {
        let captured = captured.get(&name).map_or(&[][..], Vec::as_slice);
        let made = |told: fn(&Story) -> &[&str]| STORIES.iter().any(|story| told(story).contains(&name.as_str()));
        let elsewhere = |word| ELSEWHERE.contains(&(name.as_str(), word));
        let never = |word| NEVER.iter().any(|(rule, never, _)| *rule == name && *never == word);
        let finds = captured.contains(&Said::Found) || captured.contains(&Said::Info) || made(|story| story.finds);
        let clears = captured.contains(&Said::Clear) || made(|story| story.clears);
        let cannot_tell = captured.contains(&Said::Unknown) || made(|story| story.cannot_tell);
        for (there, word) in [(finds, Said::Found), (clears, Said::Clear), (cannot_tell, Said::Unknown)] {
            if (there || elsewhere(word)) == never(word) {
                lacking.push(format!("{name}: {word:?} {}", if there { "happens after all" } else { "has no story" }));
            }
        }
    }
    assert!(lacking.is_empty(), "\n{}", lacking.join("\n"));
}

#[test]
fn a_bundle_that_was_not_redacted_is_known_as_such() {
    let dir = unpack("healthy-create");
    let bundle = dir.path().join("raw.dacapo");
    let folder = dir.path().join("healthy-create");
    let collected = run(dacapo().args(["collect", "--no-redact", "--from"]).arg(folder).arg("-o").arg(&bundle));
    assert_eq!(collected.code, Some(0), "{}", collected.describe());
    let (_, answer) = diagnose_json(&bundle, &["--rule", "bundle_unredacted"]);
    assert_eq!(said(&answer).get("bundle_unredacted"), Some(&Said::Info));
}

#[test]
fn a_consumer_that_was_let_go_after_its_works_went_well_is_worth_knowing_and_no_more() {
    let dir = unpack("healthy-create");
    let folder = dir.path().join("healthy-create");
    edits::keep_rows(&folder.join("db/consumers.jsonl"), |row| row["name"] != "cluster2");
    edits::take_away(&folder.join("logs/mgmt-2"));
    let (code, answer) = diagnose_json(&collect(&folder), &[]);
    assert_eq!((code, said(&answer).get("consumer_unknown")), (0, Some(&Said::Info)));
}

fn alike(one: &str, other: &str, consumers: [&str; 2]) -> bool {
    let store = Store::open().unwrap();
    rules::make(&store, &["alike".to_owned()]).unwrap();
    let told = store.select("try", "select alike($1, $3) = alike($2, $4)", &[one, other, consumers[0], consumers[1]]);
    told.unwrap().rows == [[Datum::Bool(true)]]
}

#[test]
fn stops_are_alike_whenever_they_happened_and_whatever_they_are_called() {
    let same = ["cluster1", "cluster1"];
    for (one, other) in [
        ("fails (18 times, last at 01:30:21.244850): not ready", "fails (once, last at 01:31:00.000001): not ready"),
        ("it was stored at 01:31:10.707423, nobody listened", "it was stored at 01:31:12.000000, nobody listened"),
        ("pods \"a\" is forbidden", "pods \"b\" is forbidden"),
        (
            "failed to update 496595f0-a531-5254-8ba1-38c71c30777e: no",
            "failed to update 249de7fc-eb87-5b33-9047-804002d52e33: no",
        ),
        ("version 2 is stored", "version 13 is stored"),
        ("ConfigMap team-1/a: Failed to apply manifest: no", "ConfigMap team-2/b.c: Failed to apply manifest: no"),
        ("Namespace a: Failed to apply manifest: no", "Namespace b: Failed to apply manifest: no"),
        (
            "ConfigMap a/b carries finalizer example.com/x; it waits",
            "Secret c/d carries finalizer example.com/x; it waits",
        ),
    ] {
        assert!(alike(one, other, same), "{one}, {other}");
        assert!(alike(one, other, ["cluster1", "cluster2"]), "{one}, {other}");
    }
    assert!(!alike("connection refused", "not authorized", same));
    assert!(!alike(
        "ConfigMap a/b carries finalizer example.com/x",
        "ConfigMap a/b carries finalizer other.com/y",
        same
    ));
    let away = |consumer: &str| format!("the agent of {consumer} shut down at 01:31:37.701916");
    assert!(!alike(&away("cluster1"), &away("cluster2"), ["cluster1", "cluster2"]));
    let id = |digit: char| format!("{}-0000-4000-8000-000000000001", String::from(digit).repeat(8));
    assert!(!alike(&away(&id('a')), &away(&id('b')), [&id('a'), &id('b')]));
}

/// In a fleet each name is taken once for every consumer, and works that collide have more than one object in common.
#[test]
fn what_many_names_and_objects_have_in_common_is_one_finding() {
    let dir = unpack("name-collision");
    let folder = dir.path().join("name-collision");
    edits::change_list(&folder.join("kube/mgmt/objects.json"), |objects| {
        let owners = |object: &serde_json::Value| object["metadata"]["ownerReferences"].as_array().map_or(0, Vec::len);
        let shared = objects.iter().find(|object| owners(object) > 1).unwrap();
        let mut another = shared.clone();
        another["metadata"]["name"] = "another".into();
        another["metadata"]["uid"] = "00000000-0000-4000-8000-000000000003".into();
        objects.push(another);
    });
    let mut names = ["noise-00", "noise-00", "noise-01", "noise-01"].into_iter();
    edits::change_rows(&folder.join("db/resources.jsonl"), |row| {
        if row["payload"]["metadata"]["name"].as_str().unwrap().starts_with("noise-") {
            row["payload"]["metadata"]["name"] = names.next().unwrap_or("noise-02").into();
        }
    });
    let (_, answer) = diagnose_json(&collect(&folder), &[]);
    for rule in ["object_owned_twice", "ambiguous_work_name"] {
        let found = answer["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == rule);
        let found: Vec<_> = found.collect();
        assert!(found.len() == 1 && found[0]["details"].as_array().unwrap().len() > 2, "{rule}: {found:?}");
    }
}

/// What nobody handed over makes nothing wrong.
#[test]
fn a_good_night_stays_one_whatever_is_not_handed_over() {
    let scenario = "healthy-create";
    let parts = [
        "db",
        "kube",
        "logs/svc/client",
        "logs/svc/maestro",
        "logs/mgmt",
        "kube/mgmt",
        "db/events.jsonl",
        "db/consumers.jsonl",
    ];
    let wrong = on_two_threads(&parts, |part| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        edits::take_away(&folder.join(part));
        let (_, answer) = diagnose_json(&collect(&folder), &[]);
        let found = said(&answer).into_iter().filter(|(_, said)| *said == Said::Found);
        found.map(|(rule, _)| format!("without {part}: {rule}")).collect::<Vec<_>>()
    });
    assert_eq!(wrong.concat(), Vec::<String>::new());
}
