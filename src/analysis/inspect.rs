//! What a bundle holds and what it lacks, from its manifest and two small tables.

use super::error::Result;
use crate::bundle::{Reader, Rows};
use crate::model::{INSPECT_FORMAT, Inspection, LogCoverage, Problem, TableSummary};
use crate::schema::{Coverage, Step, table};

pub fn inspect(reader: &Reader) -> Result<Inspection> {
    let manifest = reader.manifest();
    let (mut problems, mut left_out) = (Vec::new(), Vec::new());
    reader.records::<Step<'static>>(&Rows::All, |_, step| {
        let problem = Problem {
            target: step.target.into_owned(),
            outcome: step.outcome.clone().into_owned(),
            reason: step.error.map(Into::into),
        };
        match step.outcome.as_ref() {
            "ok" => {}
            "left out" => left_out.push(problem),
            _ => problems.push(problem),
        }
    })?;
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
        labels: manifest.labels.clone(),
        notes: manifest.notes.clone(),
        problems,
        tables: tables.collect(),
        logs: logs(reader)?,
        left_out,
    })
}

fn logs(reader: &Reader) -> Result<Vec<LogCoverage>> {
    let mut logs = Vec::new();
    reader.records::<Coverage<'static>>(&Rows::All, |_, log| {
        logs.push(LogCoverage {
            file: log.file.into_owned(),
            component: log.component.into_owned(),
            cluster: log.cluster.map(Into::into),
            pod: log.pod.map(Into::into),
            entries: log.entries,
            from: log.first_at,
            to: log.last_at,
            verbosity: log.verbosity,
            consumer: log.consumer.map(Into::into),
            previous: log.previous,
            shutdown_at: log.shutdown_at,
        });
    })?;
    Ok(logs)
}
