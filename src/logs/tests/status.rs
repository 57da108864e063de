//! The way of a status, from the agent through the server to the client.

use super::*;

fn status(metadata: &str, version: &str) -> String {
    let sequence = format!(r#","sequenceid":"{SEQUENCE}","statushash":"7e55""#);
    fields(metadata, version, &sequence)
}

fn data() -> String {
    format!(
        r#"{{"manifestBundle":{{"manifests":[]}},"conditions":{CONDITIONS},"resourceStatus":[{{"conditions":[]}}]}}"#
    )
}

#[test]
fn an_agent_sends_and_the_server_receives_a_status() {
    let kind = kind("status.update_request");
    for (message, version) in [("Sending event", "1"), ("Received event", r#""1""#)] {
        let fields = status(&metadata(RESOURCE, r#","finalizers":["cleanup"]"#), version);
        let v2 = format!(r#""{message}" logger="l" op-id="{OP}" eventType="{kind}" extensions={{{fields}}}"#);
        keys!(v2, {
            resource_id: RESOURCE, op_id: OP, consumer: "hall", event_type: "status.update_request",
            resource_version: 1,
            sequence_id: SEQUENCE, deleting: false, finalizers: true,
        });
        let event = event("hall-work-agent", "status.update_request", &data(), &fields);
        keys!(format!(r#""{message}" op-id="{OP}" {event}"#), {
            resource_id: RESOURCE, cloud_event_id: EVENT, op_id: OP, consumer: "hall", event_type:
            "status.update_request",
            resource_version: 1, sequence_id: SEQUENCE, deleting: false, finalizers: true,
            conditions: CONDITIONS,
        });
    }
}

#[test]
fn the_last_status_of_a_deleted_work_has_no_finalizers() {
    let fields = status(&metadata(RESOURCE, r#","deletionTimestamp":"2026-01-15T10:01:02Z","finalizers":[]"#), "1");
    let line = line(&format!(r#""Sending event" extensions={{{fields}}}"#));
    assert_eq!((parse(&line).keys.deleting, parse(&line).keys.finalizers), (Some(true), Some(false)));
}

#[test]
fn the_server_names_the_resource_at_every_step() {
    let messages = [
        "received status update for resource",
        "skipping resource status update as it is not owned by the current instance",
        "handle resource status update by the current instance",
        "skipping resource as it is not found",
        "resource status update event was sent",
        "resource status delete event was sent",
    ];
    for message in messages {
        let body = format!(r#""{message}" logger="maestro-server" op-id="{OP}" resourceID="{RESOURCE}""#);
        keys!(body, { op_id: OP, resource_id: RESOURCE });
    }
    let body =
        format!(r#""First status received from agent" resourceID="{RESOURCE}" consumer="hall" source="orchestra""#);
    keys!(body, { resource_id: RESOURCE, consumer: "hall", source: "orchestra" });
}

#[test]
fn a_stored_and_a_sent_status_have_the_work_name_and_not_the_agent_as_source() {
    let (kind, fields) = (kind("status.update_request"), status(&metadata("overture", ""), r#""1""#));
    for message in ["Updating resource status", "send the event to status subscribers"] {
        let v2 = format!(
            r#""{message}" op-id="{OP}" eventID="{EVENT}" eventType="{kind}" eventSource="hall-work-agent" extensions={{{fields}}}"#
        );
        keys!(v2, {
            resource_id: RESOURCE, cloud_event_id: EVENT, op_id: OP, consumer: "hall", work_name:
            "overture",
            event_type: "status.update_request", resource_version: 1, sequence_id: SEQUENCE,
            deleting: false, finalizers: false,
        });
        let event = event("hall-work-agent", "status.update_request", &data(), &fields);
        keys!(format!(r#""{message}" op-id="{OP}" {event}"#), {
            resource_id: RESOURCE, cloud_event_id: EVENT, op_id: OP, consumer: "hall", work_name:
            "overture",
            event_type: "status.update_request", resource_version: 1, sequence_id: SEQUENCE,
            deleting: false, finalizers: false,
            conditions: CONDITIONS,
        });
    }
}

#[test]
fn a_stale_status_tells_what_was_found_and_wanted() {
    let message = "Updating status for stale resource; disregard it";
    let body = format!(r#""{message}" resourceID="{RESOURCE}" foundVersion=2 wantVersion=1"#);
    keys!(body, { resource_id: RESOURCE, found_version: 2, want_version: 1 });
    let body = format!(r#""{message}" resourceID="{RESOURCE}" foundSequenceID="{SEQUENCE}" wantSequenceID="7""#);
    keys!(body, { resource_id: RESOURCE, found_sequence: SEQUENCE, want_sequence: "7" });
}

#[test]
fn a_broadcast_names_the_row_of_the_status_event() {
    let keys = format!(r#"status_event="{ROW}" resourceID="{RESOURCE}" instanceID="maestro-1" eventID="{ROW}""#);
    let body = format!(r#""Broadcast the resource status" {keys} source="orchestra" statusEventType="StatusDelete""#);
    keys!(body, {
        event_id: ROW, resource_id: RESOURCE, instance_id: "maestro-1", source: "orchestra",
        status_event_type: "StatusDelete",
    });
    let body =
        format!(r#""Recorded resource status processing time metric" {keys} consumer="hall" source="orchestra""#);
    keys!(body, {
        event_id: ROW, resource_id: RESOURCE, instance_id: "maestro-1", source: "orchestra",
        consumer: "hall",
    });
    keys!(r#""no clients registered on this instance" logger="maestro-server""#, {});
}

#[test]
fn a_status_that_cannot_be_handled_names_its_resource_in_the_error() {
    let error = format!("failed to handle resource status update {RESOURCE}: unmatched consumer name stage");
    let kind = kind("status.update_request");
    let body = format!(r#""failed to handle status event" err="{error}" op-id="{OP}" eventType="{kind}""#);
    keys!(body, { error: error, op_id: OP, event_type: "status.update_request", resource_id: RESOURCE });
}

#[test]
fn a_client_names_work_consumer_and_event() {
    keys!(format!(r#""publishing event" messageID="{EVENT}""#), { cloud_event_id: EVENT });
    keys!(r#""client ready" source="orchestra" grpc="127.0.0.1:1""#, { source: "orchestra" });
    let error = "Failed to publish resource overture: the cloudevents client is not ready";
    let body =
        format!(r#""request failed" err="{error}" request="create" consumer="hall" work="overture" op-id="{OP}""#);
    keys!(body, { error: error, consumer: "hall", work_name: "overture", op_id: OP });
}
