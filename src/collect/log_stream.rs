//! The log of one process: who it is, its rows, and what it covers.

use super::candidate::Candidate;
use super::component::{self, Known};
use super::coverage::Gathering;
use super::form::Taking;
use super::place::{self, Place};
use super::process::{By, Told};
use super::said::Said;
use crate::logs::{RawEntry, Record, Who, Wrapping};
use crate::schema::{Bytes, Coverage, Json, LogLine, Time};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What is the same for every line of a file.
pub struct File<'a> {
    pub name: &'a str,
    pub wrapping: &'static dyn Wrapping,
    /// Its place among the logs that were read.
    pub number: u32,
    said: &'a Said,
    path: Place,
}

impl<'a> File<'a> {
    pub fn new(file: &'a Candidate, wrapping: &'static dyn Wrapping, path: Place, number: u32) -> Self {
        Self { name: &file.name, wrapping, number, said: &file.said, path }
    }

    /// Where a line comes from: the user knows best, then the line itself, then the path.
    pub fn place(&self, who: Who<'_>) -> Place {
        let first = |said: &Option<String>, line: Option<&str>, path: &Option<String>| {
            said.clone().or_else(|| line.map(str::to_owned)).or_else(|| path.clone())
        };
        Place {
            cluster: first(&self.said.cluster, who.cluster, &self.path.cluster),
            namespace: first(&self.said.namespace, who.namespace, &self.path.namespace),
            pod: first(&self.said.pod, who.pod, &self.path.pod),
            container: first(&self.said.container, who.container, &self.path.container),
            previous: self.path.previous,
        }
    }

    /// The components of which an export has lines that a filter for works would have dropped.
    pub fn complete_components(&self, streams: &[Stream]) -> BTreeSet<&'static str> {
        let telling = streams.iter().filter(|stream| stream.gathering.is_unfiltered());
        telling.map(|stream| stream.known.component).collect()
    }
}

/// What is known of a file when all of it was read.
pub struct End {
    /// The time of its last line.
    pub last_at: Option<Time>,
    /// The components of which it is complete.
    pub complete: BTreeSet<&'static str>,
    /// Some of it could not be read.
    pub broken: bool,
    /// There was more after the last line.
    pub cut: bool,
}

/// The process that a stream belongs to, as the lines name it.
#[derive(Default, PartialEq, Eq)]
struct Writer {
    cluster: Option<String>,
    namespace: Option<String>,
    pod: Option<String>,
    container: Option<String>,
}

pub struct Stream {
    pub place: Place,
    pub known: Known,
    /// What its process was told when it was started.
    told: Option<Told>,
    pub gathering: Gathering,
    /// Its lines may stand in another log too.
    pub may_repeat: bool,
    /// Number of its pod among all.
    pub number: Option<u32>,
    /// The time of the last entry that has one of its own.
    pub last_own: Option<Time>,
    writer: Writer,
    before: Option<Time>,
}

impl Stream {
    pub fn new(who: Who<'_>, mut place: Place, sample: &[u8], file: &File<'_>, taking: &Taking<'_>) -> Self {
        let told = taking.processes.of(&place).cloned();
        let known = component::known(file.said, told.as_ref(), &place, sample);
        if place.pod.is_none() && !file.wrapping.is_export() {
            place.pod = component::pod_of_server(known.component, sample);
        }
        let own = |name: Option<&str>| name.map(str::to_owned);
        let writer = Writer {
            cluster: own(who.cluster),
            namespace: own(who.namespace),
            pod: own(who.pod),
            container: own(who.container),
        };
        Self {
            may_repeat: taking.repeats.may_come(place.pod.as_deref()),
            place,
            known,
            told,
            gathering: Gathering::default(),
            number: None,
            last_own: None,
            writer,
            before: None,
        }
    }

    pub fn is_of(&self, who: Who<'_>) -> bool {
        let Writer { cluster, namespace, pod, container } = &self.writer;
        pod.as_deref() == who.pod
            && container.as_deref() == who.container
            && namespace.as_deref() == who.namespace
            && cluster.as_deref() == who.cluster
    }

    /// Does the carrier name the process?
    pub const fn is_named(&self) -> bool {
        self.writer.pod.is_some()
    }

    /// What a tool wrote among the lines of pods is not the log of a process.
    pub fn is_a_tool(&self) -> bool {
        !self.is_named() && self.gathering.is_all_plain()
    }

    /// What names do not tell, words may.
    pub fn listen(&mut self, text: &str) {
        if self.known.from.is_none() {
            self.known = component::by_words(text.as_bytes());
        }
    }

    /// When an entry was written, and where that comes from.
    pub fn time_of(
        &mut self,
        file: &File<'_>,
        own: Option<Time>,
        carried: Option<Time>,
    ) -> (Option<Time>, &'static str) {
        let before = self.before.filter(|_| file.wrapping.keeps_order());
        let (at, from) = match (own, carried, before) {
            (Some(own), _, _) => (Some(own), "line"),
            (None, Some(carried), _) => (Some(carried), file.wrapping.time_from()),
            (None, None, Some(before)) => (Some(before), "before"),
            (None, None, None) => (None, "none"),
        };
        self.before = at.or(self.before);
        (at, from)
    }

    /// What the log covers, given what is known of its file when all of it was read.
    pub fn coverage<'s>(&'s self, file: &'s File<'_>, end: &End) -> Coverage<'s> {
        let export = file.wrapping.is_export();
        let named = self.place.pod.is_some();
        let complete = end.complete.contains(self.known.component);
        let broken = end.broken.then_some("a part of it could not be read");
        let blind = broken.or_else(|| self.gathering.blind(export, named, complete));
        let mut coverage = self.gathering.coverage(file.name, &self.place, &self.known);
        coverage.wrapping = file.wrapping.name().into();
        coverage.role = place::role(self.place.cluster.as_deref(), self.known.component).map(Into::into);
        coverage.until =
            if export { end.last_at } else { coverage.last_at.filter(|_| end.cut || self.gathering.is_cut()) };
        if !file.wrapping.keeps_order() {
            (coverage.silent_from, coverage.silent_to) = (None, None);
        }
        coverage.blind = blind.map(Into::into);
        if let Some(told) = &self.told {
            let text = |part: &'s Option<String>| part.as_deref().map(Into::into);
            // A Deployment may have been changed since it made this pod.
            coverage.configured_verbosity = told.verbosity.filter(|_| told.by > By::Deployment);
            coverage.subscription = text(&told.subscription);
            coverage.client_id = text(&told.client_id);
            coverage.consumer = coverage.consumer.or(text(&told.consumer));
        }
        coverage
    }
}

/// The row of an entry.
pub fn row<'e>(
    file: &'e File<'_>,
    place: &'e Place,
    component: &'static str,
    entry: &RawEntry<'e>,
    text: &'e Cow<'e, str>,
    record: Record<'e>,
    (logged_at, time_from): (Option<Time>, &'static str),
) -> LogLine<'e> {
    let name = |part: &'e Option<String>| part.as_deref().map(Cow::Borrowed);
    // Text that had to be made is not what stands in the file.
    let broken = matches!(text, Cow::Owned(_)).then_some(Bytes(Cow::Borrowed(entry.bytes)));
    let keys = record.keys;
    LogLine {
        file: file.name.into(),
        line: entry.line as i64,
        lines: entry.lines as i64,
        cluster: name(&place.cluster),
        pod: name(&place.pod),
        container: name(&place.container),
        component: component.into(),
        logged_at,
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
        text: Cow::Borrowed(text),
        bytes: broken,
    }
}
