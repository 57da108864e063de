//! Reads an unpacked scenario as templates: its pods' lines, its rows, its works.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::TABLES_OF_WORKS;
use super::clock::time_of;
use super::template::{Holes, Template};

/// One scenario, ready to be copied.
pub struct Capture {
    folder: PathBuf,
    /// When work begins in the fleet, that is in the first capture.
    pub start: i64,
    /// Relative paths; a pod's number is its place here: servers, agents, clients.
    pub log_files: Vec<PathBuf>,
    /// Per pod, the lines from before the first work.
    pub before: Vec<Vec<u8>>,
    pub records: Vec<Record>,
    pub rows: HashMap<&'static str, Vec<Template>>,
    pub works: Vec<CapturedWork>,
    /// How many ids (the works' first) and hashes a copy needs.
    pub ids: usize,
    pub hashes: usize,
}

/// A log line with those that continue it.
pub struct Record {
    pub pod: usize,
    /// Microseconds since the work begins; never less than that of the record before it in its pod.
    pub at: i64,
    pub lines: u64,
    pub template: Template,
}

/// A work as it was captured.
#[derive(Clone)]
pub struct CapturedWork {
    pub name: String,
    pub id: String,
    pub consumer: String,
    pub source: String,
}

impl Capture {
    /// The first scenario gives the fleet its pods and consumers, and the time at which it begins.
    pub fn read_all(folders: &[PathBuf]) -> io::Result<Vec<Self>> {
        let mut fleet = None;
        let read = |folder: &PathBuf| {
            let plan = Plan::read(folder)?;
            let capture = plan.capture(folder, fleet.as_ref().unwrap_or(&plan));
            fleet.get_or_insert(plan);
            capture
        };
        folders.iter().map(read).collect()
    }

    /// A table as it was captured.
    pub fn text_of(&self, table: &str) -> io::Result<String> {
        fs::read_to_string(self.folder.join(format!("db/{table}.jsonl")))
    }
}

/// What has to be known of a scenario before its lines can be taken apart.
struct Plan {
    log_files: Vec<PathBuf>,
    pods: Vec<String>,
    consumers: HashMap<String, String>,
    works: Vec<CapturedWork>,
    start: i64,
}

impl Plan {
    fn read(folder: &Path) -> io::Result<Self> {
        let truth: Value = serde_json::from_str(&fs::read_to_string(folder.join("truth.json"))?)?;
        let pods = pods_of(&truth["topology"]);
        let log_files = pods.iter().map(|pod| log_of(folder, pod)).collect::<io::Result<Vec<_>>>()?;
        let works = works_of(&truth);
        let text = fs::read_to_string(folder.join("db/consumers.jsonl"))?;
        let consumers = text.lines().filter_map(|row| serde_json::from_str::<Value>(row).ok());
        let consumers = consumers.map(|row| (text_in(&row, "name"), text_in(&row, "id"))).collect();
        // A header has no year: the time of the capture gives it, until the first work gives the
        // start.
        let taken = text_in(&truth, "taken_at").parse::<chrono::DateTime<chrono::Utc>>();
        let taken = taken.map_err(io::Error::other)?.timestamp_micros();
        let start = log_files.iter().filter_map(|log| first_work(&folder.join(log), &works, taken)).min();
        Ok(Self { log_files, pods, consumers, works, start: start.unwrap_or(taken) })
    }

    fn capture(&self, folder: &Path, fleet: &Self) -> io::Result<Capture> {
        let works: Vec<_> = self.works.iter().map(|work| (work.name.clone(), work.id.clone())).collect();
        let pods = self.pods.iter().cloned().zip(fleet.pods.iter().cloned());
        let consumers =
            self.consumers.iter().filter_map(|(name, id)| Some((id.clone(), fleet.consumers.get(name)?.clone())));
        let mut holes = Holes::new(&works, pods.chain(consumers).collect(), self.start);
        let mut before = Vec::new();
        let mut records = Vec::new();
        for (pod, log) in self.log_files.iter().enumerate() {
            let text = String::from_utf8_lossy(&fs::read(folder.join(log))?).into_owned();
            let mut start_lines = Vec::new();
            for (at, lines) in entries(&text, self.start) {
                match at < self.start {
                    true => start_lines.extend_from_slice(lines.as_bytes()),
                    false => records.push(record(pod, at - self.start, lines, &mut holes)),
                }
            }
            before.push(start_lines);
        }
        let mut rows = HashMap::new();
        for table in TABLES_OF_WORKS {
            let text = fs::read_to_string(folder.join(format!("db/{table}.jsonl")))?;
            rows.insert(table, text.split_inclusive('\n').map(|row| Template::new(row, &mut holes)).collect());
        }
        let (ids, hashes) = holes.counts();
        let (folder, log_files, start) = (folder.to_owned(), self.log_files.clone(), fleet.start);
        let works = self.works.clone();
        Ok(Capture { folder, start, log_files, before, records, rows, works, ids, hashes })
    }
}

fn record(pod: usize, at: i64, lines: &str, holes: &mut Holes) -> Record {
    let template = Template::new(lines, holes);
    Record { pod, at, lines: lines.matches('\n').count() as u64, template }
}

/// Servers, agents and clients, in the same order for every scenario.
fn pods_of(topology: &Value) -> Vec<String> {
    let servers = topology["replicas"].as_array().into_iter().flatten().filter_map(Value::as_str);
    // An instance is called after its pod, with the release's name before it.
    let servers = servers.map(|instance| instance.strip_prefix("maestro-").unwrap_or(instance).to_owned());
    let named = |of: &str| {
        let mut named: Vec<(String, String)> = topology[of]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, about)| (name.clone(), text_in(about, "pod")))
            .collect();
        named.sort();
        named.into_iter().map(|(_, pod)| pod)
    };
    servers.chain(named("agents")).chain(named("clients")).collect()
}

fn works_of(truth: &Value) -> Vec<CapturedWork> {
    let mut works: Vec<CapturedWork> = Vec::new();
    for work in ["focus", "noise"].iter().flat_map(|of| truth[of].as_array()).flatten() {
        let id = text_in(work, "resource_id");
        if works.iter().all(|known| known.id != id) {
            let (name, consumer) = (text_in(work, "work"), text_in(work, "consumer"));
            works.push(CapturedWork { name, id, consumer, source: text_in(work, "source") });
        }
    }
    works
}

fn text_in(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// `logs/<cluster>/<namespace>/<pod>/<container>.log`, relative to the folder.
fn log_of(folder: &Path, pod: &str) -> io::Result<PathBuf> {
    let below =
        |dir: PathBuf| -> io::Result<Vec<PathBuf>> { fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect() };
    for cluster in below(folder.join("logs"))? {
        for namespace in below(cluster)? {
            if let Some(log) = below(namespace.join(pod)).ok().and_then(|logs| logs.into_iter().min()) {
                return Ok(log.strip_prefix(folder).unwrap_or(&log).to_owned());
            }
        }
    }
    Err(io::Error::other(format!("no log of {pod} below {}", folder.display())))
}

/// The time of the first line that names a work.
fn first_work(log: &Path, works: &[CapturedWork], near: i64) -> Option<i64> {
    let text = String::from_utf8_lossy(&fs::read(log).ok()?).into_owned();
    let mut lines = text.lines();
    lines.find(|line| works.iter().any(|work| line.contains(&work.id))).and_then(|line| time_of(line, near))
}

/// Lines with those that follow without a header of their own, and a time that never goes back: two
/// goroutines may print in the other order than they took the time.
fn entries(text: &str, start: i64) -> Vec<(i64, &str)> {
    let mut entries: Vec<(i64, &str)> = Vec::new();
    let (mut from, mut latest, mut end) = (0, i64::MIN, 0);
    for line in text.split_inclusive('\n') {
        if let Some(at) = time_of(line, start) {
            if end > from {
                entries.push((latest, &text[from..end]));
            }
            from = end;
            latest = latest.max(at);
        }
        end += line.len();
    }
    entries.push((latest, &text[from..end]));
    entries
}
