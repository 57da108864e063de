//! Multi-line blocks: errors with line breaks, and events as builds before December 2025 print
//! them.

use super::*;

fn block(source: &str, short: &str) -> String {
    let (kind, metadata) = (kind(short), metadata("overture", ""));
    format!(
        "<\n\tContext Attributes,\n\t  specversion: 1.0\n\t  type: {kind}\n\t  source: {source}\n\t  id: {EVENT}\n\tExtensions,\n\
        \t  clustername: hall\n\t  metadata: {metadata}\n\t  originalsource: \n\t  resourceid: {RESOURCE}\n\t  resourceversion: 1\n >"
    )
}

#[test]
fn an_event_in_a_block_is_read() {
    let body = format!(r#""Received event" event={}"#, block("maestro", "spec.create_request"));
    for body in [body.replace('\n', "\r\n"), body] {
        keys!(body, {
            resource_id: RESOURCE, cloud_event_id: EVENT, consumer: "hall", work_name: "overture",
            event_type: "spec.create_request", resource_version: 1, deleting: false, finalizers:
            false,
        });
    }
}

#[test]
fn a_request_from_a_client_in_a_block_has_its_source() {
    let body = format!(r#""receive the event from client" context={}"#, block("orchestra", "spec.create_request"));
    assert_eq!(parse(&line(&body)).keys.source.as_deref(), Some("orchestra"));
}

#[test]
fn a_go_context_holds_the_row() {
    let context = format!("context.Background.WithValue(controllers.ControllerHandlerContextKey, {ROW})");
    let body = format!(r#""Sending event" context="{context}" event={}"#, block("maestro", "spec.create_request"));
    let line = line(&body);
    let keys = parse(&line).keys;
    assert_eq!((keys.event_id.as_deref(), keys.resource_id.as_deref()), (Some(ROW), Some(RESOURCE)));
}

#[test]
fn an_error_with_line_breaks_keeps_them() {
    let body = format!("\"controller failed to sync\" err=<\n\ttwo\n\tlines\n > key=\"{RESOURCE}\"");
    keys!(body, { error: "two\nlines", resource_id: RESOURCE });
}

#[test]
fn a_block_that_was_cut_gives_what_it_has() {
    let body = format!("\"Received event\" event=<\n\tContext Attributes,\n\t  id: {EVENT}\n\t  sou");
    keys!(body, { cloud_event_id: EVENT });
    keys!("\"Received event\" event=<", {});
}
