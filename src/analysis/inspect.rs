//! What a bundle holds and what it lacks, from its manifest and two small tables.

use super::error::Result;
use super::trace::pod_of;
use super::verify::seal;
use crate::bundle::{Reader, Rows};
use crate::model::{INSPECT_FORMAT, Inspection, LiveStep, LogCoverage, Problem, TableSummary};
use crate::schema::{Consumer, Coverage, ServerInstance, Step, table};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub fn inspect(reader: &Reader) -> Result<Inspection> {
    let manifest = reader.manifest();
    let steps = Steps::of(reader)?;
    let logs = logs(reader)?;
    let lacks = lacks(reader, &steps, &logs)?;
    let tables = manifest.members.iter().filter_map(|member| {
        let name = member.table()?;
        Some(TableSummary {
            table: name.to_owned(),
            rows: member.rows,
            bytes: member.bytes,
            from: member.window.from,
            to: member.window.to,
            unknown: table(name).is_none(),
        })
    });
    Ok(Inspection {
        format: INSPECT_FORMAT,
        bundle: reader.path().display().to_string(),
        bytes: reader.bytes(),
        bundle_format: manifest.format.clone(),
        tool: manifest.tool.clone(),
        collected_at: manifest.collected_at,
        collected_at_from: manifest.collected_at_from.clone(),
        from: manifest.window.from,
        to: manifest.window.to,
        redacted: manifest.redacted,
        pseudonyms: manifest.pseudonyms.clone(),
        seal: seal(reader, false),
        labels: manifest.labels.clone(),
        notes: manifest.notes.clone(),
        lacks,
        problems: steps.problems,
        live: LiveStep::in_order(steps.live.into_iter()),
        tables: tables.collect(),
        logs,
        left_out: steps.left_out,
        taken: steps.taken,
    })
}

/// What the steps of the collection say.
#[derive(Default)]
struct Steps {
    problems: Vec<Problem>,
    left_out: Vec<Problem>,
    live: Vec<LiveStep>,
    /// Files that are evidence.
    taken: Vec<String>,
    /// Tables that were found, and whether as a whole.
    tables: BTreeMap<String, bool>,
}

impl Steps {
    fn of(reader: &Reader) -> Result<Self> {
        let mut steps = Self::default();
        reader.records::<Step<'static>>(&Rows::All, |_, step| {
            steps.live.extend(LiveStep::of(&step));
            if let Some(table) = step.table_name {
                *steps.tables.entry(table.into_owned()).or_default() |= step.whole;
            }
            let target = step.target.into_owned();
            let problem = Problem {
                target: target.clone(),
                outcome: step.outcome.clone().into_owned(),
                reason: step.error.map(Into::into),
            };
            match step.outcome.as_ref() {
                "ok" => {}
                "left out" => return steps.left_out.push(problem),
                // Of a file with rows of several tables the problem is the same.
                _ if steps.problems.last().is_some_and(|last| last.target == target) => {}
                _ => steps.problems.push(problem),
            }
            if steps.taken.last() != Some(&target) {
                steps.taken.push(target);
            }
        })?;
        Ok(steps)
    }
}

/// Sources that would tell something and are not there.
fn lacks(reader: &Reader, steps: &Steps, logs: &[LogCoverage]) -> Result<Vec<String>> {
    let mut lacks = Vec::new();
    let (some, none): (Vec<&str>, Vec<&str>) = MAESTRO.iter().partition(|table| steps.tables.contains_key(**table));
    if some.is_empty() {
        lacks.push("Maestro's database".to_owned());
    } else if !none.is_empty() {
        lacks.push(format!("of Maestro's database: {}", none.join(", ")));
    }
    let partly: Vec<&str> = some.into_iter().filter(|table| steps.tables.get(*table) == Some(&false)).collect();
    if !partly.is_empty() {
        lacks.push(format!("all of {}: what is there may be a part", partly.join(", ")));
    }
    if !steps.tables.contains_key("applied_manifest_works") {
        lacks.push("AppliedManifestWorks of the management clusters".to_owned());
    }
    let (mut replicas, mut consumers) = (Vec::new(), Vec::new());
    reader.records::<ServerInstance<'static>>(&Rows::All, |_, instance| {
        if instance.ready == Some(true) {
            replicas.push(pod_of(&instance.id).to_owned());
        }
    })?;
    reader
        .records::<Consumer<'static>>(&Rows::All, |_, consumer| consumers.extend(consumer.name.map(Cow::into_owned)))?;
    let of = |component: &'static str| logs.iter().filter(move |log| log.component == component);
    if of("server").next().is_none() {
        lacks.push("a log of a Maestro server".to_owned());
    } else {
        replicas.retain(|pod| !of("server").any(|log| log.pod.as_ref() == Some(pod)));
        lacks.extend(few("a log of the replica", &replicas));
    }
    if of("agent").next().is_none() {
        lacks.push("a log of a Maestro agent".to_owned());
    } else {
        consumers.retain(|consumer| !of("agent").any(|log| log.consumer.as_ref() == Some(consumer)));
        lacks.extend(few("a log of the agent that serves", &consumers));
    }
    Ok(lacks)
}

/// The tables that a trace looks into.
const MAESTRO: [&str; 6] = ["resources", "events", "status_events", "consumers", "server_instances", "event_instances"];

/// Names that are listed; a fleet has hundreds of consumers.
const LISTED: usize = 5;

fn few(what: &str, names: &[String]) -> Option<String> {
    let listed = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        count if count <= LISTED => Some(format!("{what} {listed}")),
        count => Some(format!("{what} {listed} and {} more", count - LISTED)),
    }
}

fn logs(reader: &Reader) -> Result<Vec<LogCoverage>> {
    let mut logs = Vec::new();
    reader.records::<Coverage<'static>>(&Rows::All, |_, log| {
        logs.push(LogCoverage {
            file: log.file.into_owned(),
            component: log.component.into_owned(),
            wrapping: log.wrapping.into_owned(),
            cluster: log.cluster.map(Into::into),
            role: log.role.map(Into::into),
            pod: log.pod.map(Into::into),
            container: log.container.map(Into::into),
            known_from: log.known_from.map(Into::into),
            entries: log.entries,
            lines: log.lines,
            plain: log.plain,
            from: log.first_at,
            to: log.last_at,
            until: log.until,
            blind: log.blind.map(Into::into),
            silent_from: log.silent_from,
            silent_to: log.silent_to,
            verbosity: log.verbosity,
            configured_verbosity: log.configured_verbosity,
            subscription: log.subscription.map(Into::into),
            client_id: log.client_id.map(Into::into),
            consumer: log.consumer.map(Into::into),
            previous: log.previous,
            shutdown_at: log.shutdown_at,
        });
    })?;
    Ok(logs)
}
