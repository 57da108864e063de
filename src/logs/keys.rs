//! What links a log entry to the rest of the evidence.

use std::borrow::Cow;

/// A text borrowed from the log wherever nothing had to be unescaped.
type Text<'a> = Option<Cow<'a, str>>;

/// The identifiers and facts of one entry, under one name each: the programs spell the same thing
/// in many ways (`resourceID=`, `"resourceid":`, the end of an applied work's name), and one
/// spelling may mean several things.
///
/// What the entry does not say, or leaves empty, is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys<'a> {
    /// `resources.id` in the database, the name of the ManifestWork on the agent.
    pub resource_id: Text<'a>,
    /// The row in `events` or `status_events`.
    pub event_id: Text<'a>,
    /// The CloudEvent's own id, as in `resources.payload` and `resources.status`.
    pub cloud_event_id: Text<'a>,
    /// The operation that the client named.
    pub op_id: Text<'a>,
    /// The AppliedManifestWork, `<hash of the hub>-<work>`.
    pub applied_work: Text<'a>,
    /// The consumer, which is a cluster.
    pub consumer: Text<'a>,
    /// The name that the user gave the work, where it is not the resource id.
    pub work_name: Text<'a>,
    /// The client that owns the work; never an agent's client id.
    pub source: Text<'a>,
    /// The server instance.
    pub instance_id: Text<'a>,
    /// The end of the CloudEvent type that tells, such as `spec.create_request`.
    pub event_type: Text<'a>,
    /// The version of the resource that the event is about.
    pub resource_version: Option<i64>,
    /// The sequence number of a status.
    pub sequence_id: Text<'a>,
    /// The version that the database had when it refused a status as stale.
    pub found_version: Option<i64>,
    /// The version that the refused status was for.
    pub want_version: Option<i64>,
    /// The sequence number that the database had when it refused a status as stale.
    pub found_sequence: Text<'a>,
    /// The sequence number of the refused status.
    pub want_sequence: Text<'a>,
    /// The text of the error.
    pub error: Text<'a>,
    /// The object's resource (`deployments`), or its kind where the message names a kind
    /// (`ConfigMap`).
    pub object_resource: Text<'a>,
    /// The object's API group; empty for the core group.
    pub object_group: Text<'a>,
    /// The object's namespace.
    pub object_namespace: Text<'a>,
    /// The object's name.
    pub object_name: Text<'a>,
    /// `StatusUpdate` or `StatusDelete`.
    pub status_event_type: Text<'a>,
    /// Whether the event's work is being deleted.
    pub deleting: Option<bool>,
    /// Whether the event's work still has finalizers; a deleting work without any is gone.
    pub finalizers: Option<bool>,
    /// The conditions in an embedded status event, as JSON.
    pub conditions: Text<'a>,
    /// The MQTT topic.
    pub topic: Text<'a>,
    /// The PostgreSQL channel.
    pub channel: Text<'a>,
    /// The reason given for a deletion or an apply.
    pub reason: Text<'a>,
    /// The method of a REST request.
    pub request_method: Text<'a>,
    /// The HTTP status of a REST response.
    pub response_status: Option<i64>,
}

impl<'a> Keys<'a> {
    /// The same, free of the text that it was read from.
    pub(super) fn into_owned(self) -> Keys<'static> {
        let own = |text: Text<'a>| text.map(|text| Cow::Owned(text.into_owned()));
        Keys {
            resource_id: own(self.resource_id),
            event_id: own(self.event_id),
            cloud_event_id: own(self.cloud_event_id),
            op_id: own(self.op_id),
            applied_work: own(self.applied_work),
            consumer: own(self.consumer),
            work_name: own(self.work_name),
            source: own(self.source),
            instance_id: own(self.instance_id),
            event_type: own(self.event_type),
            resource_version: self.resource_version,
            sequence_id: own(self.sequence_id),
            found_version: self.found_version,
            want_version: self.want_version,
            found_sequence: own(self.found_sequence),
            want_sequence: own(self.want_sequence),
            error: own(self.error),
            object_resource: own(self.object_resource),
            object_group: own(self.object_group),
            object_namespace: own(self.object_namespace),
            object_name: own(self.object_name),
            status_event_type: own(self.status_event_type),
            deleting: self.deleting,
            finalizers: self.finalizers,
            conditions: own(self.conditions),
            topic: own(self.topic),
            channel: own(self.channel),
            reason: own(self.reason),
            request_method: own(self.request_method),
            response_status: self.response_status,
        }
    }
}
