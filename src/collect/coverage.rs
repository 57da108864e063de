//! What a log covers, gathered while it is read: a line that is not there means something only where the log
//! would have shown it.

use super::component::AGENT;
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

/// Gathers the coverage of one file.
#[derive(Debug, Default)]
pub struct Gathering {
    first_at: Option<Time>,
    last_at: Option<Time>,
    entries: i64,
    lines: i64,
    plain: i64,
    server_side_applies: i64,
    first_row: Option<i64>,
    verbosity: i64,
    consumer: Option<String>,
    shutdown_at: Option<Time>,
}

impl Gathering {
    pub fn saw(&mut self, entry: &LogLine<'_>) {
        self.entries += 1;
        self.lines += entry.lines;
        self.plain += i64::from(entry.format == PLAIN);
        if entry.logged_at.is_some() && entry.time_from == "line" {
            self.first_at = self.first_at.into_iter().chain(entry.logged_at).min();
            self.last_at = self.last_at.into_iter().chain(entry.logged_at).max();
        }
        let message = entry.message.as_deref().unwrap_or_default();
        self.server_side_applies += i64::from(message == "Server side applied");
        self.verbosity = self.verbosity.max(proven_verbosity(message, entry));
        if SHUTDOWN.contains(&message) {
            self.shutdown_at = self.shutdown_at.or(entry.logged_at);
        } else if START.contains(&message) {
            self.shutdown_at = None;
        }
        if entry.component == AGENT && self.consumer.is_none() {
            self.consumer = entry.consumer.as_deref().map(str::to_owned);
        }
    }

    /// The row of `log_lines` that the entry became.
    pub fn stored(&mut self, row_no: i64) {
        self.first_row.get_or_insert(row_no);
    }

    pub fn last_at(&self) -> Option<Time> {
        self.last_at
    }

    pub fn finish<'a>(self, file: &'a str, place: &'a Place, component: &'a str, newline: bool) -> Coverage<'a> {
        let text = |part: &'a Option<String>| part.as_deref().map(Into::into);
        Coverage {
            file: file.into(),
            wrapping: "plain".into(),
            cluster: text(&place.cluster),
            role: None,
            namespace: text(&place.namespace),
            pod: text(&place.pod),
            container: text(&place.container),
            component: component.into(),
            known_from: None,
            first_at: self.first_at,
            last_at: self.last_at,
            until: None,
            blind: None,
            silent_from: None,
            silent_to: None,
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
            consumer: self.consumer.map(Into::into),
            shutdown_at: self.shutdown_at,
            ends_with_newline: newline,
        }
    }
}

/// The verbosity without which this entry would not be there. An SDK line with the whole CloudEvent needs 5,
/// and only then has the CloudEvent's id.
fn proven_verbosity(message: &str, entry: &LogLine<'_>) -> i64 {
    match message {
        "Sending event" | "Received event" if entry.cloud_event_id.is_some() => 5,
        _ if AT_4.contains(&message) || message.starts_with("Receive the event ") => 4,
        _ if AT_2.contains(&message) || entry.request_method.is_some() => 2,
        _ => 0,
    }
}
