//! What a log covers, gathered while it is read: a line that is not there means something only where the log
//! would have shown it.

use super::component::{AGENT, Known};
use super::place::Place;
use crate::logs::PLAIN;
use crate::schema::{Coverage, LogLine, SHUTDOWN, Time};

/// Messages that are printed at verbosity 2 and above.
const AT_2: &[&str] = &[
    "Sending event",
    "Received event",
    "start the cloudevents receiver",
    "stop the cloudevents receiver",
    "Requeue manifestwork",
    "Patching resource",
    "Sending status resync batch",
    "purge status events on the ready instances",
];

/// Messages that are printed at verbosity 4 and above.
const AT_4: &[&str] = &["Received event from channel", "First status received from agent", "patching manifestwork"];

/// How a process says that it starts, or works.
const START: &[&str] =
    &["Starting worker of controller ...", "Starting gRPC server", "mqtt is connected", "grpc is connected"];

/// Messages that servers and agents write all the time and that say nothing of a work: queries for works drop them, so
/// an export that has one of them was not made by such a query.
const DROPPED_BY_FILTERS: &[&str] = &[
    "Event is already reconciled",
    "Event is processed by another worker",
    "Event should not be processed by this instance",
    "Starting listener",
    "Starting event broadcaster",
    "purge all reconciled events",
    "sync all unreconciled events",
    "registered a broadcaster client",
    "mqtt is connected",
    "grpc is connected",
    "subscribed to mqtt broker",
    "start the cloudevents receiver",
    "Starting worker of controller ...",
    "Patching resource",
    "Created resource because it was missing",
    "Resource is removed successfully",
    "Caches are synced",
];

/// Several processes in one stream are told by what only one of them can say, kept up to this many.
const ENOUGH_NAMES: usize = 2;

/// A clock that goes back so far, so often, is more than one clock.
const BACKWARDS: i64 = 1_000_000;
const OFTEN: u32 = 3;

/// Gathers what one log covers.
#[derive(Debug, Default)]
pub struct Gathering {
    first_at: Option<Time>,
    last_at: Option<Time>,
    latest_at: Option<Time>,
    silence: Option<(Time, Time)>,
    entries: i64,
    lines: i64,
    plain: i64,
    server_side_applies: i64,
    first_row: Option<i64>,
    verbosity: i64,
    consumers: Vec<String>,
    instances: Vec<String>,
    backwards: u32,
    started_at: Option<Time>,
    /// The first and the last word of a shutdown after the last start.
    shutdown: Option<(Time, Time)>,
    unfiltered: bool,
    newline: bool,
}

impl Gathering {
    /// An entry and the row of `log_lines` that it became, if it was not one already.
    pub fn saw(&mut self, entry: &LogLine<'_>, row_no: Option<i64>, newline: bool) {
        self.entries += 1;
        self.lines += entry.lines;
        self.plain += i64::from(entry.format == PLAIN);
        self.first_row = self.first_row.or(row_no);
        self.newline = newline;
        if let Some(at) = entry.logged_at.filter(|_| entry.time_from == "line") {
            self.saw_time(at);
        }
        let message = entry.message.as_deref().unwrap_or_default();
        self.server_side_applies += i64::from(message == "Server side applied");
        self.unfiltered = self.unfiltered || DROPPED_BY_FILTERS.contains(&message);
        self.verbosity = self.verbosity.max(proven_verbosity(message, entry));
        if SHUTDOWN.contains(&message) {
            self.saw_shutdown(entry.logged_at);
        } else if START.contains(&message) {
            self.saw_start(entry.logged_at);
        }
        if entry.component == AGENT {
            note(&mut self.consumers, entry.consumer.as_deref());
        }
        if message.starts_with("Broadcast ") {
            note(&mut self.instances, entry.instance_id.as_deref());
        }
    }

    /// Exports may not be in order, so times decide whether it started again.
    fn saw_shutdown(&mut self, at: Option<Time>) {
        if let Some(at) = at.filter(|at| Some(*at) > self.started_at) {
            let (first, last) = self.shutdown.unwrap_or((at, at));
            self.shutdown = Some((first.min(at), last.max(at)));
        }
    }

    fn saw_start(&mut self, at: Option<Time>) {
        self.started_at = self.started_at.max(at);
        self.shutdown = self.shutdown.and_then(|(first, last)| {
            let still_down = Some(last) > self.started_at;
            still_down.then_some((if Some(first) > self.started_at { first } else { last }, last))
        });
    }

    fn saw_time(&mut self, at: Time) {
        let before = self.last_at.replace(at);
        if let Some(before) = before {
            self.backwards += u32::from(before.since(at) > BACKWARDS);
            let longest = self.silence.map_or(0, |(from, to)| to.since(from));
            if at.since(before) > longest {
                self.silence = Some((before, at));
            }
        }
        self.first_at = Some(self.first_at.map_or(at, |first| first.min(at)));
        self.latest_at = self.latest_at.max(Some(at));
    }

    pub const fn latest_at(&self) -> Option<Time> {
        self.latest_at
    }

    /// Nothing in it is of a format that is read.
    pub const fn is_all_plain(&self) -> bool {
        self.plain == self.entries
    }

    /// It has lines that a query for works would have dropped.
    pub const fn is_unfiltered(&self) -> bool {
        self.unfiltered
    }

    /// Its last line is cut, so lines may be missing behind it.
    pub const fn is_cut(&self) -> bool {
        self.entries > 0 && !self.newline
    }

    /// Why silence in it means nothing, if it does not.
    pub fn blind(&self, export: bool, named: bool, complete: bool) -> Option<&'static str> {
        let several = self.consumers.len() >= ENOUGH_NAMES || self.instances.len() >= ENOUGH_NAMES;
        if self.plain > self.entries / 2 {
            Some("most of it is in a format that is not read")
        } else if !named && (export || several || self.backwards >= OFTEN) {
            Some("it does not say which pod wrote which line")
        } else if export && !complete {
            Some("it looks like the answer to a query that leaves lines out")
        } else {
            None
        }
    }

    pub fn coverage<'a>(&'a self, file: &'a str, place: &'a Place, known: &'a Known) -> Coverage<'a> {
        let text = |part: &'a Option<String>| part.as_deref().map(Into::into);
        let consumer = self.consumers.first().filter(|_| self.consumers.len() < ENOUGH_NAMES);
        Coverage {
            file: file.into(),
            wrapping: "".into(),
            cluster: text(&place.cluster),
            role: None,
            namespace: text(&place.namespace),
            pod: text(&place.pod),
            container: text(&place.container),
            component: known.component.into(),
            known_from: known.from.map(Into::into),
            first_at: self.first_at,
            last_at: self.latest_at,
            until: None,
            blind: None,
            silent_from: self.silence.map(|(from, _)| from),
            silent_to: self.silence.map(|(_, to)| to),
            previous: place.previous,
            entries: self.entries,
            lines: self.lines,
            plain: self.plain,
            server_side_applies: self.server_side_applies,
            first_row: self.first_row,
            verbosity: self.verbosity,
            configured_verbosity: None,
            subscription: None,
            client_id: None,
            consumer: consumer.map(|consumer| consumer.as_str().into()),
            shutdown_at: self.shutdown.map(|(first, _)| first),
            ends_with_newline: self.newline || self.entries == 0,
        }
    }
}

/// Keeps a name among the first few different ones.
fn note(names: &mut Vec<String>, name: Option<&str>) {
    if let Some(name) = name.filter(|name| names.len() < ENOUGH_NAMES && !names.iter().any(|known| known == name)) {
        names.push(name.to_owned());
    }
}

/// The verbosity without which this entry would not be there. An SDK line with the whole CloudEvent needs 5, and only
/// then has the CloudEvent's id; builds before December 2025 printed a part of it over many lines at 2.
fn proven_verbosity(message: &str, entry: &LogLine<'_>) -> i64 {
    match message {
        "Sending event" | "Received event" if entry.cloud_event_id.is_some() && entry.lines == 1 => 5,
        _ if AT_4.contains(&message) || message.starts_with("Receive the event ") => 4,
        _ if AT_2.contains(&message) || entry.request_method.is_some() => 2,
        _ => 0,
    }
}
