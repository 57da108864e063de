//! What older builds say in words, and the message that says it today. A name in braces is the key
//! under which today's line has the value; empty braces are a value that it does not have.

type Sentence = (&'static str, &'static str);

const STALE: &str = "Updating status for stale resource; disregard it";
const FAILED_SYNC: &str = "controller failed to sync";
const DATABASE: &str = "Listener: the state of the underlying database connection changes";

/// Specific before general: the first that fits counts.
pub(super) const SENTENCES: &[Sentence] = &[
    // The server, from the request to the broker.
    ("Publishing resource {resourceID} for db row insert", "Publishing resource for db row insert"),
    ("Publishing resource {resourceID} for db row update", "Publishing resource for db row update"),
    ("Publishing resource {resourceID} for db row delete", "Publishing resource for db row delete"),
    ("Failed to publish resource {resourceID}: {err}", "Failed to publish resource"),
    (
        "delete resource {resourceID} as it is not created on the agent yet",
        "delete resource as it is not created on the agent yet",
    ),
    (
        "Event with id ({event}) should not be processed by this instance",
        "Event should not be processed by this instance",
    ),
    ("Event with id ({event}) is already reconciled", "Event is already reconciled"),
    ("Event with id ({event}) is not found", "Event is not found"),
    ("Event {event} is processed by another worker", "Event is processed by another worker"),
    ("Failed to handle the event {key}, {err}", "Failed to handle the event"),
    ("Resyncing resource status from consumers {}", "Resyncing resource status from consumers"),
    // The server, from the broker to its subscribers.
    ("received action {} for resource {resourceID}", "received status update for resource"),
    (
        "skipping resource status update {resourceID} as it is not owned by the current instance",
        "skipping resource status update as it is not owned by the current instance",
    ),
    (
        "handle resource status update {resourceID} by the current instance",
        "handle resource status update by the current instance",
    ),
    ("skipping resource {resourceID} as it is not found", "skipping resource as it is not found"),
    ("Updating resource status, id={resourceID}", "Updating resource status"),
    (
        "Updating status for stale resource; disregard it: id={resourceID}, foundVersion={foundVersion}, \
         wantedVersion={wantVersion}",
        STALE,
    ),
    (
        "Updating status for stale resource; disregard it: id={resourceID}, foundSequenceID={foundSequenceID}, \
         wantedSequenceID={wantSequenceID}",
        STALE,
    ),
    ("resource {resourceID} status update event was sent", "resource status update event was sent"),
    ("resource {resourceID} status delete event was sent", "resource status delete event was sent"),
    (
        "Broadcast the resource status, id={resourceID}, source={source}, statusEventType={statusEventType}",
        "Broadcast the resource status",
    ),
    ("registered a broadcaster client {id} (source={source})", "registered a broadcaster client"),
    ("unregistered broadcaster client {id} (source={source})", "unregistered broadcaster client"),
    ("unregistered broadcaster client {id}", "unregistered broadcaster client"),
    ("failed to handle resource {resourceID}: {err}", "failed to handle resource"),
    ("failed to send heartbeat: {err}", "failed to send heartbeat"),
    ("failed to send event: {err}", "failed to send event"),
    (
        "failed to send event, unregister subscriber {subscriber}, error={err}",
        "failed to send event, unregister subscriber",
    ),
    // The server and its database.
    ("Starting listener for {channel}", "Starting listener"),
    ("Received event from channel [{channel}] : {extra}", "Received event from channel"),
    (
        "recreate the listener for channel [{channel}] due to the connection loss",
        "recreate the listener for channel due to the connection loss",
    ),
    ("recreate the listener due to ping failed, {error}", "recreate the listener due to ping failed"),
    ("Context cancelled, stopping channel [{channel}] monitor", "Context cancelled, stopping channel monitor"),
    ("Listener: the state of the underlying database connection changes, (eventType={}) {err}", DATABASE),
    ("purge status events on the ready instances: {}", "purge status events on the ready instances"),
    // The server begins.
    ("Serving gRPC service without TLS at {}", "Serving gRPC service without TLS"),
    ("Serving HealthCheck without TLS at {}", "Serving HealthCheck without TLS"),
    ("Serving Metrics without TLS at {}", "Serving Metrics without TLS at"),
    ("Serving without TLS at {}", "Serving without TLS"),
    // The CloudEvents SDK on both sides.
    ("Sending event: {context}", "Sending event"),
    ("subscribing to topics: [{topic}]", "subscribing to topics"),
    ("the cloudevents client is disconnected, {err}", "the cloudevents client is disconnected"),
    ("the cloudevents client reconnect failed, {err}", "the cloudevents client reconnect failed"),
    ("failed to close the cloudevents protocol, {err}", "failed to close the cloudevents protocol"),
    ("failed to receive cloudevents, {err}", "failed to receive cloudevents"),
    ("failed to decode spec, {err}", "failed to decode spec"),
    ("failed to decode status, {err}", "failed to decode status"),
    // The agent.
    ("Patching resource {gvr} {namespace/name} with patch {patch}", "Patching resource"),
    ("Resource {gvr} with key {namespace/name} is removed Successfully", "Resource is removed successfully"),
    ("Resource {gvr} with key {namespace/name} does not exist", "Resource with key does not exist"),
    ("Reconcile work {manifestWorkName} fails with err: {err}", FAILED_SYNC),
    ("apply work {manifestWorkName} fails with err: {error}", "apply work failed"),
    ("\"{}\" controller failed to sync \"{key}\", err: {err}", FAILED_SYNC),
    ("Waiting for caches to sync for {}", "Waiting for caches to sync"),
    ("Caches are synced for {}", "Caches are synced"),
    ("Starting #{} worker of {} controller ...", "Starting worker of controller ..."),
    ("Shutting down worker of {} controller ...", "Shutting down worker of controller ..."),
];

/// The reason and the text of an event that the agent records about its own work.
pub(super) const RECORDED: &[Sentence] = &[
    (
        "'Server Side Applied {object kind} {namespace/name}' Patched with field manager {fieldManager}, err {err}",
        "Server side applied",
    ),
    (
        "'{object kind} Created' Created {namespace/name} because it was missing",
        "Created resource because it was missing",
    ),
    ("'{object kind} Updated' Updated {namespace/name}", "Updated resource"),
    ("'ResourceDeleted' Deleted resource {gvr} with key {namespace/name} because {reason}.", "Deleted resource"),
    (
        "'AppliedManifestWorkEvicted' AppliedManifestWork {appliedManifestWorkName} evicted {}",
        "AppliedManifestWork evicted after eviction grace period",
    ),
];
