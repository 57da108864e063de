//! The server's lines on the way from the client's request to the broker.

use super::*;

fn from_client() -> String {
    fields(&metadata("overture", ""), "0", "")
}

fn to_agent() -> String {
    fields(&metadata(RESOURCE, ""), "1", "")
}

#[test]
fn a_request_from_a_client_has_its_source_and_the_name_of_the_work() {
    let kind = kind("spec.create_request");
    let extensions = from_client();
    let v2 = format!(
        r#""receive the event from client" op-id="{OP}" eventID="{EVENT}" eventType="{kind}" eventSource="orchestra" extensions={{{extensions}}}"#
    );
    let event = event("orchestra", "spec.create_request", r#"{"manifests":[{"conditions":"no"}]}"#, &extensions);
    let v4 = format!(r#""receive the event from client" op-id="{OP}" {event}"#);
    for body in [v2, v4] {
        keys!(body, {
            resource_id: RESOURCE, cloud_event_id: EVENT, op_id: OP, consumer: "hall", work_name:
            "overture", source: "orchestra",
            event_type: "spec.create_request", resource_version: 0, deleting: false, finalizers:
            false,
        });
    }
}

#[test]
fn a_request_for_statuses_has_the_source_of_the_client() {
    let kind = kind("status.resync_request");
    let body = format!(
        r#""receive the event from client" eventID="{EVENT}" eventType="{kind}" eventSource="orchestra" extensions={{"clustername":"hall"}}"#
    );
    keys!(body, { cloud_event_id: EVENT, source: "orchestra", consumer: "hall", event_type: "status.resync_request" });
}

#[test]
fn a_rest_request_names_method_and_resource() {
    for method in ["GET", "DELETE"] {
        let url = format!("/api/maestro/v1/resource-bundles/{RESOURCE}");
        let request =
            format!(r#"{{"request_method":"{method}","request_url":"{url}","request_remote_ip":"10.0.0.1:5"}}"#);
        let body = format!(r#"{} op-id="{OP}""#, quote(&request));
        keys!(body, { op_id: OP, request_method: method, resource_id: RESOURCE });
    }
    let list = quote(r#"{"request_method":"GET","request_url":"/api/maestro/v1/consumers"}"#);
    keys!(list, { request_method: "GET" });
}

#[test]
fn a_rest_response_has_a_status() {
    let body = format!(r#"{} op-id="{OP}""#, quote(r#"{"response_status":404,"elapsed":"1.4ms"}"#));
    keys!(body, { op_id: OP, response_status: 404 });
    let error = format!("maestro-7: Resource with id='{RESOURCE}' not found");
    keys!(format!(r#""user request error" op-id="{OP}" error="{error}""#), { op_id: OP, error: error, resource_id: RESOURCE });
}

#[test]
fn a_notification_names_its_row() {
    let body = format!(r#""Received event from channel" logger="maestro-server" channel="events" extra="{ROW}""#);
    keys!(body, { channel: "events", event_id: ROW });
    let body = r#""Received event from channel" channel="server_instances" extra="maestro-1""#;
    keys!(body, { channel: "server_instances" });
}

#[test]
fn lines_of_the_event_queue_name_the_row() {
    let messages = ["Event is processed by another worker", "Event is already reconciled", "Event is not found"];
    for message in messages {
        keys!(format!(r#""{message}" logger="maestro-server" event="{ROW}""#), { event_id: ROW });
    }
    let body = format!(r#""Publishing resource for db row insert" event="{ROW}" resourceID="{RESOURCE}""#);
    keys!(body, { event_id: ROW, resource_id: RESOURCE });
    let error = format!("error handing event Resources-Create ({ROW}): the client is not ready");
    keys!(format!(r#""Failed to handle the event" err="{error}" key="{ROW}""#), { event_id: ROW, error: error });
}

#[test]
fn sending_a_spec_has_row_and_resource_and_no_name() {
    let (kind, extensions) = (kind("spec.create_request"), to_agent());
    let body = format!(
        r#""Sending event" logger="l" event="{ROW}" resourceID="{RESOURCE}" op-id="{OP}" eventType="{kind}" extensions={{{extensions}}}"#
    );
    keys!(body, {
        event_id: ROW, resource_id: RESOURCE, op_id: OP, consumer: "hall", event_type:
        "spec.create_request",
        resource_version: 1, deleting: false, finalizers: false,
    });
}

#[test]
fn an_embedded_event_leaves_the_row_that_older_klog_prints_too() {
    let event = event("maestro", "spec.create_request", "{}", &to_agent());
    for (before, row) in [(String::new(), None), (format!(r#"event="{ROW}" "#), Some(ROW))] {
        let line = line(&format!(r#""Sending event" {before}resourceID="{RESOURCE}" {event}"#));
        let keys = parse(&line).keys;
        assert_eq!(keys.event_id.as_deref(), row);
        assert_eq!((keys.cloud_event_id.as_deref(), keys.source), (Some(EVENT), None));
        // The line has no op-id of its own here; the event's tracing has.
        assert_eq!(keys.op_id.as_deref(), Some(OP));
    }
}

#[test]
fn a_deletion_is_told_by_the_extension_or_the_metadata() {
    let timestamp = r#","deletionTimestamp":"2026-01-15T10:01:02Z""#;
    let extension = fields(&metadata(RESOURCE, ""), "1", r#","deletiontimestamp":"2026-01-15T10:01:02Z""#);
    let (kind, metadata) = (kind("spec.delete_request"), fields(&metadata(RESOURCE, timestamp), "1", ""));
    for extensions in [extension, metadata] {
        keys!(format!(r#""Sending event" eventType="{kind}" extensions={{{extensions}}}"#), {
            resource_id: RESOURCE, op_id: OP, consumer: "hall", event_type: "spec.delete_request",
            resource_version: 1,
            deleting: true, finalizers: false,
        });
    }
}

#[test]
fn a_request_for_specs_is_of_no_resource() {
    let kind = kind("spec.resync_request");
    let body =
        format!(r#""Received event" eventType="{kind}" extensions={{"clustername":"hall","originalsource":""}}"#);
    keys!(body, { consumer: "hall", event_type: "spec.resync_request" });
}

#[test]
fn a_column_of_the_events_table_is_not_a_source() {
    keys!(r#""No controllers found" source="Resources" eventType="Create""#, {});
}

#[test]
fn an_event_type_that_is_a_number_is_none() {
    let body = r#""Listener: the state of the underlying database connection changes" err="EOF" eventType=1"#;
    keys!(body, { error: "EOF" });
}

#[test]
fn a_detector_names_consumer_and_source() {
    let body = format!(
        r#""Re-published undelivered resource" resourceID="{RESOURCE}" consumerName="hall" source="orchestra""#
    );
    keys!(body, { resource_id: RESOURCE, consumer: "hall", source: "orchestra" });
}

#[test]
fn subscriptions_name_topic_consumer_or_source() {
    let topic = "sources/maestro/consumers/hall/sourceevents";
    keys!(format!(r#""subscribed to mqtt broker" topic="{topic}" QoS=1"#), { topic: topic, consumer: "hall" });
    keys!(format!(r#""sending message to {topic}""#), { topic: topic, consumer: "hall" });
    let all = "$share/statussubscribers/sources/maestro/consumers/+/agentevents";
    keys!(format!(r#""subscribed to mqtt broker" topic="{all}" QoS=1"#), { topic: all });
    keys!(r#""registered a broadcaster client" id="1" source="orchestra""#, { source: "orchestra" });
    keys!(r#""registering subscriber" clusterName="hall" subID="1""#, { consumer: "hall" });
    let batch = r#""Sending status resync batch" consumers=["hall","="] consumer="hall" batch="1/1" bytes=712"#;
    keys!(batch, { consumer: "hall" });
}
