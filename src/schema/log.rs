//! Log lines, and how much of the time each log covers.

use super::record::record;
use super::{Bytes, Json, Text, Time};

/// How a process says that it goes down.
pub const SHUTDOWN: &[&str] = &[
    "Received SIGTERM or SIGINT signal, shutting down controller.",
    "Shutting down worker of controller ...",
    "Context cancelled, stopping channel monitor",
];

record! {
    /// Every entry of every log, parsed or not, with its verbatim text. An entry over several lines is one row.
    LogLine in "log_lines" {
        /// File it stands in.
        #[identifier(file)] file: Text<'a>,
        /// First line in that file.
        line: i64,
        /// How many lines the entry has.
        lines: i64,
        /// Cluster.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// Pod.
        #[identifier(pod)] pod: Option<Text<'a>>,
        /// Container.
        #[identifier(word)] container: Option<Text<'a>>,
        /// `server`, `agent`, `client` or `other`.
        #[plain] component: Text<'a>,
        /// When it was written. The year is the evidence's; klog does not print one.
        logged_at: Option<Time>,
        /// Where the time comes from: `line`, `row` (of an export), `cri`, `before` (its predecessor's) or `none`.
        #[plain] time_from: Text<'a>,
        /// Log format: `klog`, `zap` and so on, or `plain` for what no format claims.
        #[plain] format: Text<'a>,
        /// `info`, `warning`, `error` or `fatal`; a line for debugging is `info`.
        #[identifier(word)] level: Option<Text<'a>>,
        /// Source file and line that wrote it.
        #[identifier(word)] code: Option<Text<'a>>,
        /// The message without its keys.
        #[free_text] #[alone] message: Option<Text<'a>>,
        /// Name of the logger.
        #[identifier(word)] logger: Option<Text<'a>>,
        /// The resource it is about.
        #[identifier(id)] #[key] resource_id: Option<Text<'a>>,
        /// Row in `events` or `status_events`.
        #[identifier(id)] #[key] event_id: Option<Text<'a>>,
        /// CloudEvent id.
        #[identifier(id)] #[key] cloud_event_id: Option<Text<'a>>,
        /// Operation id, chosen by the client.
        #[identifier(id)] #[key] op_id: Option<Text<'a>>,
        /// AppliedManifestWork.
        #[identifier(applied_works)] #[key] applied_work: Option<Text<'a>>,
        /// Consumer name.
        #[identifier(consumer)] consumer: Option<Text<'a>>,
        /// The name the client gave the work.
        #[identifier(work)] #[key] work_name: Option<Text<'a>>,
        /// The client's source id.
        #[identifier(source)] source: Option<Text<'a>>,
        /// Server instance.
        #[identifier(pod)] instance_id: Option<Text<'a>>,
        /// `spec.create_request`, `status.update_request` and so on.
        #[identifier(word)] event_type: Option<Text<'a>>,
        /// Version of the spec that is carried or reported on.
        resource_version: Option<i64>,
        /// Sequence id of a status.
        #[identifier(word)] sequence_id: Option<Text<'a>>,
        /// Version or sequence the database had, where a stale status is disregarded.
        #[identifier(word)] found: Option<Text<'a>>,
        /// Version or sequence the status had.
        #[identifier(word)] want: Option<Text<'a>>,
        /// Error text.
        #[free_text] error: Option<Text<'a>>,
        /// Resource (plural) or kind of the object it is about.
        #[identifier(word)] object_resource: Option<Text<'a>>,
        /// API group of that object.
        #[identifier(word)] object_group: Option<Text<'a>>,
        /// Namespace of that object.
        #[identifier(namespace)] object_namespace: Option<Text<'a>>,
        /// Name of that object.
        #[identifier(object)] #[key] object_name: Option<Text<'a>>,
        /// `StatusUpdate` or `StatusDelete`.
        #[identifier(word)] status_event_type: Option<Text<'a>>,
        /// The CloudEvent's metadata carries a deletion time.
        deleting: Option<bool>,
        /// The CloudEvent's metadata carries finalizers.
        finalizers: Option<bool>,
        /// Conditions of a status CloudEvent that is printed whole.
        #[manifest] conditions: Option<Json<'a>>,
        /// Broker topic.
        #[identifier(other)] topic: Option<Text<'a>>,
        /// Database channel.
        #[identifier(word)] channel: Option<Text<'a>>,
        /// Reason.
        #[free_text] reason: Option<Text<'a>>,
        /// HTTP method of a REST request.
        #[identifier(word)] request_method: Option<Text<'a>>,
        /// The entry as it stands in the file, without its last line end.
        #[free_text] text: Text<'a>,
        /// The entry's bytes, where they are not valid UTF-8 and `text` shows replacement characters.
        #[free_text] bytes: Option<Bytes<'a>>,
    }
}

record! {
    /// What each log covers: a missing line means something only where a log would have shown it.
    Coverage in "coverage" {
        /// File.
        #[identifier(file)] file: Text<'a>,
        /// How its lines are wrapped: `plain`, `cri`, `kusto csv` and so on.
        #[plain] wrapping: Text<'a>,
        /// Cluster.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// What the cluster is for: `service` or `management`.
        #[plain] role: Option<Text<'a>>,
        /// Namespace.
        #[identifier(namespace)] namespace: Option<Text<'a>>,
        /// Pod.
        #[identifier(pod)] #[key] pod: Option<Text<'a>>,
        /// Container.
        #[identifier(word)] container: Option<Text<'a>>,
        /// `server`, `agent`, `client` or `other`.
        #[plain] component: Text<'a>,
        /// How pod and component are known: `said`, `deployment`, `name` or `content`; none where they are not.
        #[plain] known_from: Option<Text<'a>>,
        /// Time of the first entry.
        first_at: Option<Time>,
        /// Time of the last entry.
        last_at: Option<Time>,
        /// It is complete only up to this time; none where it was taken with the rest of the evidence.
        until: Option<Time>,
        /// Why its silence means nothing: a filter, several pods without names, a format that is not read.
        #[plain] blind: Option<Text<'a>>,
        /// Beginning of the longest time without an entry.
        silent_from: Option<Time>,
        /// End of that time.
        silent_to: Option<Time>,
        /// It is the log of the container before a restart.
        previous: bool,
        /// Entries.
        entries: i64,
        /// Lines.
        lines: i64,
        /// Entries of no known format.
        plain: i64,
        /// Lines of an agent that say it applied something server side; such an apply can fail without a word.
        server_side_applies: i64,
        /// Row of the first entry in `log_lines`.
        first_row: Option<i64>,
        /// The highest verbosity that some entry proves: 0, 2, 4 or 5.
        verbosity: i64,
        /// The verbosity in the arguments of its process, where a Deployment or Pod tells them.
        configured_verbosity: Option<i64>,
        /// The status subscription in those arguments: `shared` or `broadcast`.
        #[identifier(word)] subscription: Option<Text<'a>>,
        /// The client id in those arguments.
        #[identifier(source)] client_id: Option<Text<'a>>,
        /// The consumer that an agent serves.
        #[identifier(consumer)] consumer: Option<Text<'a>>,
        /// When the process wrote that it shuts down, if it does not start again in the same log.
        shutdown_at: Option<Time>,
        /// The file ends with a line end.
        ends_with_newline: bool,
    }
}
