//! Evidence as it would have been under other circumstances.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::{DateTime, Duration, NaiveDateTime};
use regex::{Captures, Regex};

/// Copies a scenario's evidence file by file; what is not text stays as it is.
pub fn rewrite(folder: &Path, target: &Path, change: impl Fn(&Path, &str) -> String) {
    let mut folders: Vec<PathBuf> = ["db", "kube", "logs"].map(|part| folder.join(part)).to_vec();
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap();
            let copy = target.join(name);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            match fs::read_to_string(&path) {
                Ok(text) => fs::write(copy, change(name, &text)).unwrap(),
                Err(_) => drop(fs::copy(&path, copy).unwrap()),
            }
        }
    }
}

/// Every UUID becomes another one, the same everywhere.
pub fn under_other_ids(text: &str) -> String {
    static UUID: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b([0-9a-f])([0-9a-f]{7}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b").unwrap()
    });
    let other = |found: &Captures<'_>| {
        let digit = u32::from_str_radix(&found[1], 16).unwrap();
        format!("{:x}{}", (digit + 7) % 16, &found[2])
    };
    UUID.replace_all(text, other).into_owned()
}

/// Server lines print the CloudEvent whole from verbosity 4 on, lines of the SDK from 5 on.
pub fn at_verbosity(text: &str, verbosity: u8) -> String {
    static CARRIES: LazyLock<Regex> = LazyLock::new(|| {
        let keys = r#"( eventID="(?<id>[^"]*)")?( eventType="(?<type>[^"]*)")( eventSource="(?<source>[^"]*)")?"#;
        Regex::new(&format!(r#"^(?<before>.*?){keys} extensions=\{{(?<extensions>.+)\}}$"#)).unwrap()
    });
    static ROW: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#" event="[0-9a-f-]{36}""#).unwrap());
    let louder = |line: &str| {
        let of_sdk = line.contains("baseclient.go:");
        let Some(found) = CARRIES.captures(line).filter(|_| verbosity >= 5 || !of_sdk) else { return line.to_owned() };
        let key = |name: &str| found.name(name).map(|found| found.as_str()).unwrap_or_default();
        let named =
            |name: &str, key: &str| if key.is_empty() { String::new() } else { format!("\"{name}\":\"{key}\",") };
        let event = format!(
            "{{\"specversion\":\"1.0\",{}{}\"type\":\"{}\",{}}}",
            named("id", key("id")),
            named("source", key("source")),
            key("type"),
            key("extensions")
        );
        // The row of the event has the same key as the event itself, which then wins.
        let before = if of_sdk { ROW.replace(key("before"), "") } else { key("before").into() };
        format!("{before} event={}", serde_json::to_string(&event).unwrap())
    };
    text.split('\n').map(louder).collect::<Vec<_>>().join("\n")
}

/// Without all that a work left behind once it was published.
pub fn undelivered(file: &Path, text: &str, id: &str) -> String {
    let name = file.to_string_lossy();
    let of_agent = name.contains("maestro-agent") || name.contains("client") || name.contains("status_events");
    let kept = text.lines().filter_map(|line| match line.contains(id) {
        true if of_agent || line.contains("status") && name.contains("service") => None,
        true if name.ends_with("resources.jsonl") => {
            let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["status"] = serde_json::Value::Null;
            row["updated_at"] = row["created_at"].clone();
            Some(row.to_string())
        }
        _ => Some(line.to_owned()),
    });
    kept.map(|line| line + "\n").collect()
}

/// All that an agent dates itself: its log, and the time of its statuses.
pub fn by_another_clock(file: &Path, text: &str, seconds: i64) -> String {
    static KLOG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^([IWEF])(\d{4} \d{2}:\d{2}:\d{2}\.\d{6})").unwrap());
    static STATUS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"("time": ?")([^"]+)(", ?"type": ?"[^"]*\.status\.)"#).unwrap());
    let shift = Duration::seconds(seconds);
    if file.to_string_lossy().contains("maestro-agent") {
        let moved = |found: &Captures<'_>| {
            let at = NaiveDateTime::parse_from_str(&format!("2026{}", &found[2]), "%Y%m%d %H:%M:%S%.6f").unwrap();
            format!("{}{}", &found[1], (at + shift).format("%m%d %H:%M:%S%.6f"))
        };
        return KLOG.replace_all(text, moved).into_owned();
    }
    let moved = |found: &Captures<'_>| {
        let at = DateTime::parse_from_rfc3339(&found[2]).unwrap() + shift;
        format!("{}{}{}", &found[1], at.to_rfc3339(), &found[3])
    };
    STATUS.replace_all(text, moved).into_owned()
}

#[test]
fn a_louder_line_carries_the_event_whole() {
    let line = r#"I0115 09:45:12.310001       1 grpc_server.go:205] "receive the event from client" op-id="o" eventID="e" eventType="a.spec.create_request" eventSource="s" extensions={"clustername":"c","logtracing":"{\"x\":\"y\"}"}"#;
    let louder = r#"I0115 09:45:12.310001       1 grpc_server.go:205] "receive the event from client" op-id="o" event="{\"specversion\":\"1.0\",\"id\":\"e\",\"source\":\"s\",\"type\":\"a.spec.create_request\",\"clustername\":\"c\",\"logtracing\":\"{\\\"x\\\":\\\"y\\\"}\"}""#;
    assert_eq!(at_verbosity(line, 4), louder);
}
