//! What builds before December 2025 say in words gives the message and the keys of today's lines,
//! whichever form carries the words.

use super::*;

/// The message and the keys of a sentence are these, and no others, in every form that carried it.
macro_rules! says {
    ($sentence:expr, $message:expr, { $($key:ident: $value:expr),* $(,)? }) => {{
        let sentence: String = $sentence.into();
        let forms = [
            ("zap", format!("2025-01-02T15:04:05.000Z\tINFO\tserver/file.go:12\t{sentence}")),
            ("zap", format!("2025-01-02T15:04:05.000+0000\tERROR\tcontroller\tfile.go:12\t{sentence}\nmain.main\n\t/f.go:1")),
            ("zap json", format!(r#"{{"level":"info","ts":1.5,"caller":"file.go:12","msg":{}}}"#, quote(&format!(" {sentence}")))),
            ("klog", line(&sentence)),
            ("klog", line(&format!(" {sentence}"))),
        ];
        for (format, line) in forms {
            let record = parse(&line);
            let expected = Keys { $($key: Some($value.into()),)* ..Default::default() };
            assert_eq!(record.message.as_deref(), Some($message), "{line}");
            assert_eq!(record.keys, expected, "{line}");
            assert_eq!(record.format, format, "{line}");
        }
    }};
}

#[test]
fn publishing_is_told_with_its_resource() {
    for change in ["insert", "update", "delete"] {
        let message = format!("Publishing resource for db row {change}");
        says!(format!("Publishing resource {RESOURCE} for db row {change}"), message.as_str(), { resource_id: RESOURCE });
    }
    says!(format!("Failed to publish resource {RESOURCE}: no: not ready"), "Failed to publish resource", {
        resource_id: RESOURCE, error: "no: not ready",
    });
    let message = "delete resource as it is not created on the agent yet";
    says!(format!("delete resource {RESOURCE} as it is not created on the agent yet"), message, { resource_id: RESOURCE });
}

#[test]
fn the_event_queue_names_its_row() {
    says!(format!("Event with id ({ROW}) should not be processed by this instance"),
        "Event should not be processed by this instance", { event_id: ROW });
    says!(format!("Event {ROW} is processed by another worker"), "Event is processed by another worker", { event_id: ROW });
    says!(format!("Event with id ({ROW}) is already reconciled"), "Event is already reconciled", { event_id: ROW });
    says!(format!("Event with id ({ROW}) is not found"), "Event is not found", { event_id: ROW });
    let error = format!("error handing event Resources-Create ({ROW}): not ready");
    says!(format!("Failed to handle the event {ROW}, {error}"), "Failed to handle the event", { event_id: ROW, error: error.as_str() });
}

#[test]
fn every_step_of_a_status_names_the_resource() {
    says!(format!("received action STATUSMODIFIED for resource {RESOURCE}"),
        "received status update for resource", { resource_id: RESOURCE });
    says!(format!("skipping resource status update {RESOURCE} as it is not owned by the current instance"),
        "skipping resource status update as it is not owned by the current instance", { resource_id: RESOURCE });
    says!(format!("handle resource status update {RESOURCE} by the current instance"),
        "handle resource status update by the current instance", { resource_id: RESOURCE });
    says!(format!("skipping resource {RESOURCE} as it is not found"),
        "skipping resource as it is not found", { resource_id: RESOURCE });
    says!(format!("Updating resource status, id={RESOURCE}"), "Updating resource status", { resource_id: RESOURCE });
    for change in ["update", "delete"] {
        let message = format!("resource status {change} event was sent");
        says!(format!("resource {RESOURCE} status {change} event was sent"), message.as_str(), { resource_id: RESOURCE });
    }
    says!(format!("Broadcast the resource status, id={RESOURCE}, source=orchestra, statusEventType=StatusUpdate"),
        "Broadcast the resource status",
        { resource_id: RESOURCE, source: "orchestra", status_event_type: "StatusUpdate" });
    says!("no clients registered on this instance", "no clients registered on this instance", {});
    says!(format!("failed to handle resource {RESOURCE}: empty"), "failed to handle resource", {
        resource_id: RESOURCE, error: "empty",
    });
}

#[test]
fn a_stale_status_tells_what_was_found_and_wanted() {
    let message = "Updating status for stale resource; disregard it";
    says!(format!("{message}: id={RESOURCE}, foundVersion=2, wantedVersion=1"), message, {
        resource_id: RESOURCE, found_version: 2, want_version: 1,
    });
    says!(format!("{message}: id={RESOURCE}, foundSequenceID={SEQUENCE}, wantedSequenceID=7"), message, {
        resource_id: RESOURCE, found_sequence: SEQUENCE, want_sequence: "7",
    });
}

#[test]
fn subscribers_come_and_go() {
    says!(format!("registered a broadcaster client {EVENT} (source=orchestra)"), "registered a broadcaster client", {
        source: "orchestra",
    });
    says!(format!("unregistered broadcaster client {EVENT}"), "unregistered broadcaster client", {});
    says!("failed to send heartbeat: EOF", "failed to send heartbeat", { error: "EOF" });
    says!("failed to send event: EOF", "failed to send event", { error: "EOF" });
    says!(format!("failed to send event, unregister subscriber {EVENT}, error=EOF"),
        "failed to send event, unregister subscriber", { error: "EOF" });
}

#[test]
fn listeners_name_their_channel() {
    says!("Starting listener for events", "Starting listener", { channel: "events" });
    says!(format!("Received event from channel [events] : {ROW}"), "Received event from channel", {
        channel: "events", event_id: ROW,
    });
    says!("recreate the listener for channel [events] due to the connection loss",
        "recreate the listener for channel due to the connection loss", { channel: "events" });
    says!("recreate the listener due to ping failed, EOF", "recreate the listener due to ping failed", { error: "EOF" });
    says!("Context cancelled, stopping channel [events] monitor", "Context cancelled, stopping channel monitor", {
        channel: "events",
    });
    says!("Listener: the state of the underlying database connection changes, (eventType=1) EOF",
        "Listener: the state of the underlying database connection changes", { error: "EOF" });
}

#[test]
fn what_a_server_does_by_itself_has_the_message_of_today() {
    says!("Resyncing resource status from consumers [hall stage]", "Resyncing resource status from consumers", {});
    says!("purge status events on the ready instances: []", "purge status events on the ready instances", {});
    says!("Serving gRPC service without TLS at 8090", "Serving gRPC service without TLS", {});
    says!("Starting gRPC server", "Starting gRPC server", {});
    let error = format!("maestro-7: Resource with id='{RESOURCE}' not found");
    says!(error.clone(), "user request error", { error: error.as_str(), resource_id: RESOURCE });
}

#[test]
fn connections_are_told_with_their_errors() {
    says!("the cloudevents client is disconnected, EOF", "the cloudevents client is disconnected", { error: "EOF" });
    says!("the cloudevents client reconnect failed, EOF", "the cloudevents client reconnect failed", { error: "EOF" });
    says!("failed to receive cloudevents, EOF", "failed to receive cloudevents", { error: "EOF" });
    let topic = "sources/maestro/consumers/hall/sourceevents";
    says!(format!("subscribing to topics: [{{{topic} 1 0 false false}}]"), "subscribing to topics", {
        topic: topic, consumer: "hall",
    });
}

#[test]
fn a_request_that_glog_tagged_has_its_operation() {
    says!(format!("[opid={OP}][accountID=a][tx_id=7] Publishing resource {RESOURCE} for db row insert"),
        "Publishing resource for db row insert", { op_id: OP, resource_id: RESOURCE });
}

/// What the agent's event recorder writes.
fn recorded(kind: &str, reason: &str, text: &str) -> String {
    let agent = r#"Kind:"Deployment", Namespace:"maestro", Name:"maestro-agent", UID:"u", APIVersion:"apps/v1""#;
    format!("Event(v1.ObjectReference{{{agent}}}): type: '{kind}' reason: '{reason}' {text}")
}

#[test]
fn an_applied_object_is_told_by_the_recorder() {
    let text = "Patched with field manager work-agent, err <nil>";
    says!(recorded("Normal", "Server Side Applied ConfigMap hall/cm", text), "Server side applied", {
        object_resource: "ConfigMap", object_namespace: "hall", object_name: "cm",
    });
    let text = "Patched with field manager work-agent, err conflict";
    says!(recorded("Normal", "Server Side Applied Namespace /hall", text), "Server side applied", {
        object_resource: "Namespace", object_name: "hall", error: "conflict",
    });
    says!(recorded("Normal", "Deployment Created", "Created hall/stage because it was missing"),
        "Created resource because it was missing",
        { object_resource: "Deployment", object_namespace: "hall", object_name: "stage" });
    says!(recorded("Normal", "Deployment Updated", "Updated hall/stage"), "Updated resource", {
        object_resource: "Deployment", object_namespace: "hall", object_name: "stage",
    });
    says!(recorded("Normal", "ConfigMapCreated", "Created ConfigMap/cm -n hall because it was missing"),
    "INFO: Created ConfigMap/cm -n hall because it was missing", {
        object_resource: "ConfigMap", object_group: "", object_namespace: "hall", object_name: "cm",
        reason: "ConfigMapCreated",
    });
    says!(recorded("Warning", "ConfigMapCreateFailed", "Failed to create ConfigMap/cm -n hall: no"),
    "WARNING: Failed to create ConfigMap/cm -n hall: no", {
        object_resource: "ConfigMap", object_group: "", object_namespace: "hall", object_name: "cm",
        reason: "ConfigMapCreateFailed", error: "no",
    });
}

#[test]
fn a_deleted_object_is_told_by_the_recorder() {
    let deleted = |work: &str| {
        let because = format!("because manifestwork {work} is terminating.");
        recorded(
            "Normal",
            "ResourceDeleted",
            &format!("Deleted resource apps/v1, Resource=deployments with key hall/stage {because}"),
        )
    };
    says!(deleted("over.ture"), "Deleted resource", {
        object_resource: "deployments", object_group: "apps", object_namespace: "hall", object_name: "stage",
        work_name: "over.ture", reason: "manifestwork over.ture is terminating",
    });
    says!(deleted(RESOURCE), "Deleted resource", {
        object_resource: "deployments", object_group: "apps", object_namespace: "hall", object_name: "stage",
        resource_id: RESOURCE, reason: format!("manifestwork {RESOURCE} is terminating"),
    });
    says!("Resource /v1, Resource=configmaps with key hall/cm is removed Successfully",
        "Resource is removed successfully",
        { object_resource: "configmaps", object_group: "", object_namespace: "hall", object_name: "cm" });
    let evicted = recorded("Normal", "AppliedManifestWorkEvicted", "AppliedManifestWork w evicted by agent a");
    says!(evicted, "AppliedManifestWork evicted after eviction grace period", { applied_work: "w" });
}

#[test]
fn an_owner_is_set_by_a_patch_in_words() {
    let applied = format!("{}-overture", "0123456789abcdef".repeat(4));
    let patch =
        format!(r#"{{"metadata":{{"ownerReferences":[{{"kind":"AppliedManifestWork","name":"{applied}"}}]}}}}"#);
    says!(format!("Patching resource /v1, Resource=configmaps hall/cm with patch {patch}"), "Patching resource", {
        object_resource: "configmaps", object_group: "", object_namespace: "hall", object_name: "cm",
        applied_work: applied.as_str(), work_name: "overture",
    });
}

#[test]
fn a_work_that_fails_is_named_as_the_user_called_it() {
    says!("Reconcile work overture fails with err: no", "controller failed to sync", { work_name: "overture", error: "no" });
    let error = r#""ManifestWorkAgent" controller failed to sync "overture", err: Deployment.apps "d" is invalid"#;
    let expected = Keys {
        work_name: Some("overture".into()),
        error: Some(r#"Deployment.apps "d" is invalid"#.into()),
        ..Keys::default()
    };
    for body in [format!(r#""Unhandled Error" err={} logger="UnhandledError""#, quote(error)), error.to_owned()] {
        let line = line(&body);
        let record = parse(&line);
        assert_eq!((record.message.as_deref(), &record.keys), (Some("controller failed to sync"), &expected), "{line}");
    }
    keys!(r#""Unhandled Error" err="no sentence of ours""#, { error: "no sentence of ours" });
}

#[test]
fn controllers_start_and_stop_with_the_words_of_today() {
    says!("Starting #10 worker of ManifestWorkAgent controller ...", "Starting worker of controller ...", {});
    says!("Shutting down worker of ManifestWorkAgent controller ...", "Shutting down worker of controller ...", {});
    assert!(crate::schema::SHUTDOWN.contains(&"Shutting down worker of controller ..."));
    says!("Receive the event ADDED for overture", "Receive the event ADDED for overture", { work_name: "overture" });
}
