//! The same situation, logged by a Maestro of 2025 and by one of 2026: what the two say in words of their own is the
//! same to everything that comes after the logs' reader.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dacapo::logs::{Assembler, Keys, Line, PLAIN, RawEntry, parse};
use walkdir::WalkDir;

use crate::support::{collect, trace_json, unpack};

/// The way of a request and of a status through a server, each with its resource.
const OF_A_SERVER: &[&str] = &[
    "receive the event from client",
    "Publishing resource for db row insert",
    "Sending event",
    "received status update for resource",
    "handle resource status update by the current instance",
    "Updating resource status",
    "Updating status for stale resource; disregard it",
    "resource status update event was sent",
    "Broadcast the resource status",
    "send the event to status subscribers",
];

/// What an agent says with the work, by id or by name.
const OF_AN_AGENT: &[&str] = &["Sending event", "Patching resource"];

/// What one kind of message tells, over all its entries.
#[derive(Debug, Default)]
struct Kind {
    entries: usize,
    about_a_work: usize,
    /// The keys that every entry has.
    keys: BTreeSet<&'static str>,
}

#[derive(Debug, Default)]
struct Told {
    kinds: BTreeMap<String, Kind>,
    entries: usize,
    plain: usize,
    formats: BTreeSet<&'static str>,
}

/// What the logs say that are called so.
fn told(scenario: &str, container: &str) -> Told {
    let dir = unpack(scenario);
    let mut told = Told::default();
    for file in WalkDir::new(dir.path()).into_iter().map(Result::unwrap) {
        if file.file_name() == container {
            told.read(file.path());
        }
    }
    told
}

impl Told {
    fn read(&mut self, log: &Path) {
        let bytes = std::fs::read(log).unwrap();
        let mut assembler = Assembler::default();
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            let line = Line { number, lines: 1, bytes: line, at: None, ended: true };
            assembler.push(line).into_iter().flatten().for_each(|entry| self.take(entry));
        }
        assembler.finish().into_iter().for_each(|entry| self.take(entry));
    }

    fn take(&mut self, entry: RawEntry<'_>) {
        let text = entry.text();
        let record = parse(&text);
        self.entries += 1;
        self.plain += usize::from(record.format == PLAIN && !text.trim().is_empty());
        self.formats.insert(record.format);
        let is_resync = record.keys.event_type.as_deref().is_some_and(|kind| kind.ends_with("resync_request"));
        let Some(message) = record.message.filter(|_| !is_resync) else { return };
        let keys = names(&record.keys);
        let kind =
            self.kinds.entry(message.into_owned()).or_insert_with(|| Kind { keys: keys.clone(), ..Kind::default() });
        kind.entries += 1;
        kind.about_a_work += usize::from(record.keys.resource_id.or(record.keys.work_name).is_some());
        kind.keys.retain(|key| keys.contains(key));
    }
}

/// The keys that queries join by, as far as the entry has them.
fn names(keys: &Keys<'_>) -> BTreeSet<&'static str> {
    let has = [
        ("resource_id", keys.resource_id.is_some()),
        ("consumer", keys.consumer.is_some()),
        ("source", keys.source.is_some()),
        ("event_type", keys.event_type.is_some()),
        ("resource_version", keys.resource_version.is_some()),
        ("sequence_id", keys.sequence_id.is_some()),
        ("found", keys.found_version.is_some() || keys.found_sequence.is_some()),
        ("want", keys.want_version.is_some() || keys.want_sequence.is_some()),
        ("status_event_type", keys.status_event_type.is_some()),
        ("deleting", keys.deleting.is_some()),
        ("object_name", keys.object_name.is_some()),
    ];
    has.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

#[test]
fn a_server_that_logs_with_zap_tells_what_one_with_klog_tells() {
    for (old, new) in [("zap-healthy-create", "healthy-create"), ("zap-agent-down", "agent-down")] {
        let (old, new) = (told(old, "service.log"), told(new, "service.log"));
        assert_eq!(old.formats, BTreeSet::from(["klog", PLAIN, "zap", "zap json"]));
        for message in OF_A_SERVER {
            let (old, new) = (&old.kinds[*message], &new.kinds[*message]);
            assert_eq!((old.about_a_work, new.about_a_work), (old.entries, new.entries), "{message}");
            // The line before the status is stored names the resource only; the one before it has the rest.
            if *message != "Updating resource status" {
                assert_eq!(old.keys, new.keys, "{message}");
            }
        }
    }
}

#[test]
fn an_agent_that_speaks_in_prose_tells_what_one_with_keys_tells() {
    let (old, new) = (told("zap-healthy-create", "maestro-agent.log"), told("healthy-create", "maestro-agent.log"));
    for message in OF_AN_AGENT {
        let (old, new) = (&old.kinds[*message], &new.kinds[*message]);
        assert_eq!((old.about_a_work, new.about_a_work), (old.entries, new.entries), "{message}");
    }
    for message in ["Received event", "Server side applied", "Created resource because it was missing"] {
        assert_eq!(old.kinds[message].keys, new.kinds[message].keys, "{message}");
    }
    for message in ["Starting worker of controller ...", "Waiting for caches to sync", "Caches are synced"] {
        assert!(old.kinds.contains_key(message) && new.kinds.contains_key(message), "{message}");
    }
}

#[test]
fn what_no_format_claims_is_a_small_rest() {
    for scenario in ["zap-healthy-create", "zap-agent-down", "zap-apply-invalid-manifest", "zap-delete-stuck-finalizer"]
    {
        for container in ["service.log", "maestro-agent.log"] {
            let Told { entries, plain, .. } = told(scenario, container);
            assert!(plain * 50 < entries, "{scenario} {container}: {plain} of {entries} entries are plain");
        }
    }
}

/// Before 2026-01-14 an AppliedManifestWork was named after the work, and two clusters can have works of one name.
#[test]
fn an_applied_work_that_is_named_after_its_work_belongs_to_the_work_of_its_own_cluster() {
    let scenario = "zap-healthy-create";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let list = |cluster: &str| folder.join(format!("kube/{cluster}/appliedmanifestworks.json"));
    std::fs::copy(list("mgmt"), list("mgmt-2")).unwrap();
    let objects: serde_json::Value = serde_json::from_slice(&std::fs::read(list("mgmt")).unwrap()).unwrap();
    let bundle = collect(&folder);
    for object in objects["items"].as_array().unwrap() {
        let (applied, name) = (&object["metadata"]["name"], &object["spec"]["manifestWorkName"]);
        for asked in [applied, name] {
            let (_, answer) = trace_json(&bundle, &[asked.as_str().unwrap()]).unwrap();
            let works = answer["works"].as_array().unwrap();
            assert_eq!((works.len(), &works[0]["work_name"]), (1, name));
            assert_eq!(
                (&works[0]["consumer"], &works[0]["applied_works"]),
                (&"cluster1".into(), &vec![applied.clone()].into())
            );
        }
    }
}
