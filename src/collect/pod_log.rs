//! Logs of pods, as `kubectl logs` prints them.

use super::candidate::Candidate;
use super::component;
use super::coverage::Gathering;
use super::form::{Form, Taken, Taking};
use super::place::{self, Place};
use crate::input::Lines;
use crate::logs::{self, Assembler, Line, RawEntry, Record, Stamp};
use crate::schema::{Bytes, Json, LogLine, Time};
use std::borrow::Cow;
use std::io::BufRead;

pub struct PodLog;

impl Form for PodLog {
    fn name(&self) -> &'static str {
        "pod log"
    }

    /// A log that begins with other lines is still one if its path says which pod wrote it.
    fn claims(&self, file: &Candidate) -> bool {
        let head = &file.head;
        let named = !head.contains(&0) && place::of_log(&file.bare).container.is_some();
        named || logs::recognise(head).is_some()
    }

    fn needs_year(&self) -> bool {
        true
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> super::error::Result<Taken> {
        let mut taken = Taken::default();
        taken.has("log_lines");
        let place = place::of_log(&file.bare);
        let stream = Stream { file: &file.name, place: &place, component: component::of(&place, &file.head) };
        let mut gathering = Gathering::default();
        let mut newline = true;
        let mut before = None;
        let mut assembler = Assembler::default();
        let mut lines = Lines::new(input);
        let mut store = |entry: RawEntry<'_>, taking: &mut Taking<'_>| -> super::error::Result<()> {
            newline = entry.ends_with_newline;
            let text = entry.text();
            let row = stream.row(&entry, &text, logs::parse(&text), &mut before, taking);
            gathering.saw(&row);
            gathering.stored(taking.writer.append(&row)?);
            taken.seen += row.lines;
            taken.count("log_lines", true);
            Ok(())
        };
        let failed = loop {
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => break None,
                Err(error) => break Some(format!("after line {}: {error}", lines.number())),
            };
            let line = Line { number: line.number, bytes: line.bytes, at: None, ended: line.ended };
            for entry in assembler.push(line).into_iter().flatten() {
                store(entry, taking)?;
            }
        };
        if let Some(entry) = assembler.finish() {
            store(entry, taking)?;
        }
        if let Some(problem) = failed {
            taken.problem(problem);
        }
        taking.line_at(gathering.last_at());
        taking.writer.append(&gathering.finish(&file.name, &place, stream.component, newline))?;
        Ok(taken)
    }
}

/// What is the same for every entry of a file.
struct Stream<'a> {
    file: &'a str,
    place: &'a Place,
    component: &'static str,
}

impl<'a> Stream<'a> {
    fn row(
        &self,
        entry: &RawEntry<'a>,
        text: &'a str,
        record: Record<'a>,
        before: &mut Option<Time>,
        taking: &mut Taking<'_>,
    ) -> LogLine<'a> {
        let own = match record.stamp {
            Stamp::Full(micros) => Some(Time::from_micros(micros)),
            Stamp::Yearless { month, day, micros } => taking.clock.with_year(month, day, micros),
            Stamp::None => None,
        };
        let time_from = match (own, *before) {
            (Some(_), _) => "line",
            (None, Some(_)) => "before",
            (None, None) => "none",
        };
        *before = own.or(*before);
        let broken = (text.as_bytes() != entry.bytes).then_some(Bytes(Cow::Borrowed(entry.bytes)));
        let keys = record.keys;
        LogLine {
            file: self.file.into(),
            line: entry.line as i64,
            lines: entry.lines as i64,
            cluster: self.place.cluster.as_deref().map(Cow::Borrowed),
            pod: self.place.pod.as_deref().map(Cow::Borrowed),
            container: self.place.container.as_deref().map(Cow::Borrowed),
            component: self.component.into(),
            logged_at: *before,
            time_from: time_from.into(),
            format: record.format.into(),
            level: record.level.map(Cow::Borrowed),
            code: record.code.map(Cow::Borrowed),
            message: record.message,
            logger: record.logger,
            resource_id: keys.resource_id,
            event_id: keys.event_id,
            cloud_event_id: keys.cloud_event_id,
            op_id: keys.op_id,
            applied_work: keys.applied_work,
            consumer: keys.consumer,
            work_name: keys.work_name,
            source: keys.source,
            instance_id: keys.instance_id,
            event_type: keys.event_type,
            resource_version: keys.resource_version,
            sequence_id: keys.sequence_id,
            found: keys.found_sequence.or(keys.found_version.map(|version| version.to_string().into())),
            want: keys.want_sequence.or(keys.want_version.map(|version| version.to_string().into())),
            error: keys.error,
            object_resource: keys.object_resource,
            object_group: keys.object_group,
            object_namespace: keys.object_namespace,
            object_name: keys.object_name,
            status_event_type: keys.status_event_type,
            deleting: keys.deleting,
            finalizers: keys.finalizers,
            conditions: keys.conditions.map(Json),
            topic: keys.topic,
            channel: keys.channel,
            reason: keys.reason,
            request_method: keys.request_method,
            text: text.into(),
            bytes: broken,
        }
    }
}
