//! Maestro's own tables, as PostgreSQL holds them, and where each row was read.

use super::record::record;
use super::{Json, Text, Time};

record! {
    /// Maestro's `resources`: one row is one ManifestWork. It is hard-deleted when the agent has reported
    /// the deletion, so a missing row is not a missing work.
    Resource in "resources" {
        /// Resource id: UUIDv5 of source, consumer and work name.
        #[identifier(id)] #[key] id: Text<'a>,
        /// Name in the database; the id unless a client gave another.
        #[identifier(work)] name: Option<Text<'a>>,
        /// When the row was written first.
        created_at: Option<Time>,
        /// When spec or status was written last.
        updated_at: Option<Time>,
        /// When a delete was asked for; the row stays until the agent has answered.
        deleted_at: Option<Time>,
        /// The client's source id.
        #[identifier(source)] source: Option<Text<'a>>,
        /// The consumer, that is the management cluster, it is for.
        #[identifier(consumer)] #[key] consumer_name: Option<Text<'a>>,
        /// Spec version: 1 at creation, one more with every accepted update.
        version: Option<i64>,
        /// Empty in rows of today; `Single` or `Bundle` in old ones.
        #[identifier(word)] type_ as "type": Option<Text<'a>>,
        /// The client's last accepted spec CloudEvent.
        #[manifest] payload: Option<Json<'a>>,
        /// The agent's last accepted status CloudEvent; JSON null before the first, nothing if it was not handed over.
        #[manifest] status: Option<Json<'a>>,
        /// Taken from the payload: the name the client gave the work.
        #[identifier(work)] #[key] work_name: Option<Text<'a>>,
        /// Taken from the payload: the operation id of the last create or update.
        #[identifier(id)] #[key] op_id: Option<Text<'a>>,
        /// Taken from the payload: id of the CloudEvent that carried the last create or update.
        #[identifier(id)] #[key] spec_event_id: Option<Text<'a>>,
        /// Taken from the status: id of the CloudEvent that carried it.
        #[identifier(id)] #[key] status_cloud_event_id: Option<Text<'a>>,
        /// Taken from payload and status: its manifests, each as `Kind.group/namespace/name`.
        #[identifier(manifests)] #[manifests] manifest_paths: Option<Text<'a>>,
        /// Taken from the payload: labels (and annotations that are identifiers) of work and manifests, as `key=value`.
        #[identifier(labels)] #[labels] label_pairs: Option<Text<'a>>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}

record! {
    /// Maestro's `events`: one row for each spec change that waits for, or went through, publishing.
    /// Reconciled rows are purged within hours and at any server start.
    Event in "events" {
        /// Row id; log lines call it `event`.
        #[identifier(id)] #[key] id: Text<'a>,
        /// When the change was stored.
        created_at: Option<Time>,
        /// When the row was changed last.
        updated_at: Option<Time>,
        /// Never set by Maestro.
        deleted_at: Option<Time>,
        /// Always `Resources`.
        #[identifier(word)] source: Option<Text<'a>>,
        /// The resource id.
        #[identifier(id)] #[key] source_id: Option<Text<'a>>,
        /// `Create`, `Update` or `Delete`.
        #[identifier(word)] event_type: Option<Text<'a>>,
        /// Set when the event was handled: published, in nearly every case.
        reconciled_date: Option<Time>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}

record! {
    /// Maestro's `status_events`: one row for each stored status, until every ready replica has broadcast it.
    StatusEvent in "status_events" {
        /// Row id; log lines call it `status_event`.
        #[identifier(id)] #[key] id: Text<'a>,
        /// When the status was stored.
        created_at: Option<Time>,
        /// When the row was changed last.
        updated_at: Option<Time>,
        /// Never set by Maestro.
        deleted_at: Option<Time>,
        /// The resource id.
        #[identifier(id)] #[key] resource_id: Option<Text<'a>>,
        /// The client's source id; only filled for deletes.
        #[identifier(source)] resource_source: Option<Text<'a>>,
        /// Only filled for deletes.
        #[identifier(word)] resource_type: Option<Text<'a>>,
        /// Last spec; only filled for deletes, and then the last copy of it.
        #[manifest] payload: Option<Json<'a>>,
        /// Last status; only filled for deletes.
        #[manifest] status: Option<Json<'a>>,
        /// `StatusUpdate` or `StatusDelete`.
        #[identifier(word)] status_event_type: Option<Text<'a>>,
        /// Never written by Maestro; see `event_instances`.
        reconciled_date: Option<Time>,
        /// Taken from the payload: the name the client gave the work.
        #[identifier(work)] #[key] work_name: Option<Text<'a>>,
        /// Taken from the payload: the operation id of the last create or update.
        #[identifier(id)] #[key] op_id: Option<Text<'a>>,
        /// Taken from the payload: id of the CloudEvent that carried the last create or update.
        #[identifier(id)] #[key] spec_event_id: Option<Text<'a>>,
        /// Taken from the status: id of the CloudEvent that carried it.
        #[identifier(id)] #[key] status_cloud_event_id: Option<Text<'a>>,
        /// Taken from payload and status: its manifests, as in `resources`.
        #[identifier(manifests)] #[manifests] manifest_paths: Option<Text<'a>>,
        /// Taken from the payload: its labels, as in `resources`.
        #[identifier(labels)] #[labels] label_pairs: Option<Text<'a>>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}

record! {
    /// Maestro's `consumers`: the management clusters it knows.
    Consumer in "consumers" {
        /// Row id.
        #[identifier(id)] #[key] id: Text<'a>,
        /// When the consumer was made known.
        created_at: Option<Time>,
        /// When it was changed last.
        updated_at: Option<Time>,
        /// Never set by Maestro.
        deleted_at: Option<Time>,
        /// The name that works and agents use.
        #[identifier(consumer)] #[key] name: Option<Text<'a>>,
        /// Labels.
        #[manifest] labels: Option<Json<'a>>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}

record! {
    /// Maestro's `server_instances`: one row for each server pod that ever started.
    ServerInstance in "server_instances" {
        /// `maestro-` and the pod's name.
        #[identifier(pod)] #[key] id: Text<'a>,
        /// When it started.
        created_at: Option<Time>,
        /// Follows the heartbeat.
        updated_at: Option<Time>,
        /// Never set by Maestro.
        deleted_at: Option<Time>,
        /// Last sign of life, every 15 seconds.
        last_heartbeat: Option<Time>,
        /// Counts as alive; stays true for 45 to 60 seconds after a death.
        ready: Option<bool>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}

record! {
    /// Maestro's `event_instances`: which replica has broadcast which status event.
    EventInstance in "event_instances" {
        /// The status event.
        #[identifier(id)] #[key] event_id: Option<Text<'a>>,
        /// The replica.
        #[identifier(pod)] instance_id: Option<Text<'a>>,
        /// Unused by Maestro.
        #[identifier(id)] spec_event_id: Option<Text<'a>>,
        /// File the row was read from.
        #[identifier(file)] file: Option<Text<'a>>,
        /// Line in that file.
        line: Option<i64>,
    }
}
