//! Events that are printed for people, line by line and without a closing mark, and stack traces.

use super::*;

const ZAP: &str = "2025-01-02T15:04:05.000Z\tINFO\tserver/grpc_server.go:186\t";

fn printed(source: &str, short: &str) -> String {
    let (kind, metadata) = (kind(short), metadata("overture", ""));
    let tracing = format!(r#"{{"logging.open-cluster-management.io/op-id":"{OP}"}}"#);
    format!(
        "Context Attributes,\n  specversion: 1.0\n  type: {kind}\n  source: {source}\n  id: {EVENT}\n  \
         time: 2025-01-02T15:04:05Z\n  datacontenttype: application/json\nExtensions,\n  clustername: hall\n  \
         logtracing: {tracing}\n  metadata: {metadata}\n  originalsource: \n  resourceid: {RESOURCE}\n  resourceversion: 1"
    )
}

/// The rows of a block that the export of an incident kept: those that hold what was searched for.
fn filtered(block: &str) -> String {
    let kept = |line: &&str| !line.starts_with("  ") || line.contains("  type: ") || line.contains("metadata");
    let kept = block.lines().filter(kept).filter(|line| !matches!(*line, "Extensions," | "Context Attributes,"));
    kept.collect::<Vec<_>>().join("\n")
}

fn entries(file: &str) -> Vec<String> {
    let mut assembler = Assembler::default();
    let mut found = Vec::new();
    for (line, number) in file.strip_suffix('\n').unwrap_or(file).split('\n').zip(1..) {
        let line = Line { number, lines: 1, bytes: line.as_bytes(), at: None, ended: true };
        found.extend(assembler.push(line).into_iter().flatten().map(|entry| entry.text().into_owned()));
    }
    found.extend(assembler.finish().map(|entry| entry.text().into_owned()));
    found
}

fn whole(source: Option<&str>) -> Keys<'_> {
    Keys {
        resource_id: Some(RESOURCE.into()),
        cloud_event_id: Some(EVENT.into()),
        op_id: Some(OP.into()),
        consumer: Some("hall".into()),
        work_name: Some("overture".into()),
        source: source.map(Into::into),
        event_type: Some("spec.create_request".into()),
        resource_version: Some(1),
        deleting: Some(false),
        finalizers: Some(false),
        ..Keys::default()
    }
}

#[test]
fn an_event_after_a_sentence_is_one_entry() {
    let event = printed("orchestra", "spec.create_request");
    let data = format!("{event}\nData,\n  {{\n    \"id\": \"other\"\n  }}");
    let requests = [
        format!("{ZAP}receive the event from client, {event}\n"),
        format!("{ZAP}receive the event from client, evt={data}\n"),
        format!("{ZAP}receive the event from client, {event}\n").replace('\n', "\r\n") + "\r",
    ];
    for request in requests {
        let next = format!("{ZAP}Starting gRPC server");
        let found = entries(&format!("before\n{request}\n{next}\n"));
        assert_eq!(found, ["before", &request, &next]);
        let record = parse(&found[1]);
        assert_eq!(record.message.as_deref(), Some("receive the event from client"));
        assert_eq!(record.keys, whole(Some("orchestra")));
    }
}

#[test]
fn an_event_in_one_line_of_json_is_read() {
    let msg = quote(&format!("receive the event from client, {}", printed("orchestra", "spec.create_request")));
    let line = format!(r#"{{"level":"info","ts":1739785512.310001,"caller":"server/grpc_server.go:170","msg":{msg}}}"#);
    let record = parse(&line);
    assert_eq!((record.format, record.stamp), ("zap json", Stamp::Full(1_739_785_512_310_001)));
    assert_eq!(record.message.as_deref(), Some("receive the event from client"));
    assert_eq!(record.keys, whole(Some("orchestra")));
}

#[test]
fn the_sdk_prints_an_event_after_klogs_header() {
    let event = printed("maestro", "spec.create_request");
    let context = format!("context.Background.WithValue(controllers.ControllerHandlerContextKey, {ROW})");
    let received = line(&format!("Received event: {event}"));
    let sending = line(&format!("Sending event: {context}\n{event}"));
    let noise = "\r\n2026/01/02 15:04:05 \u{1b}[32m/pkg/dao/generic.go:57";
    let found = entries(&format!("{received}\n{sending}\n{noise}\n"));
    assert_eq!(found[..2], [received, sending]);
    assert_eq!(found.len(), 4, "noise is not swallowed: {found:?}");
    let (received, sending) = (parse(&found[0]), parse(&found[1]));
    assert_eq!(
        (received.message.as_deref(), sending.message.as_deref()),
        (Some("Received event"), Some("Sending event"))
    );
    assert_eq!(received.keys, whole(None));
    assert_eq!(sending.keys, Keys { event_id: Some(ROW.into()), ..whole(None) });
}

#[test]
fn an_event_that_cannot_be_handled_has_its_error_after_it() {
    let event = printed("hall-work-agent", "spec.create_request");
    let text = line(&format!("failed to handle spec event {event}\n, not found"));
    assert_eq!(entries(&text), [text.as_str()]);
    let record = parse(&text);
    assert_eq!(record.message.as_deref(), Some("failed to handle spec event"));
    assert_eq!(record.keys, Keys { error: Some("not found".into()), ..whole(None) });
}

#[test]
fn rows_that_an_export_kept_are_joined_and_give_what_they_have() {
    let event = printed("orchestra", "spec.create_request");
    let request = filtered(&format!("{ZAP}receive the event from client, {event}"));
    let sending = filtered(&line(&format!("Sending event: context.Background\n{event}")));
    let received = filtered(&line(&format!("Received event: {event}")));
    assert_eq!(request.lines().count(), 3);
    let sql = "\u{1b}[0m\u{1b}[33m[0.4ms] SELECT metadata";
    let json = r#"{"metadata":{"name":"other"}}"#;
    let found = entries(&[&request, &request, sql, &sending, json, &received, "metadata"].join("\n"));
    assert_eq!(found, [&request, &request, sql, &sending, json, &received, "metadata"]);
    let expected = Keys {
        resource_id: Some(RESOURCE.into()),
        work_name: Some("overture".into()),
        event_type: Some("spec.create_request".into()),
        deleting: Some(false),
        finalizers: Some(false),
        ..Keys::default()
    };
    for entry in [&request, &sending, &received] {
        assert_eq!(parse(entry).keys, expected, "{entry}");
    }
}

#[test]
fn a_klog_block_without_its_end_leaves_other_lines_alone() {
    let block = line("\"Received event\" event=<\n\t  type: a.spec.create_request\n\t  metadata: {}");
    let sql = "\u{1b}[0m SELECT metadata";
    assert_eq!(entries(&format!("{block}\n{sql}\n  metadata: {{}}")), [&block, sql, "  metadata: {}"]);
}

#[test]
fn a_stack_trace_belongs_to_its_error() {
    let trace = "k8s.io/klog/v2.(*loggingT).output\n\t/go/klog.go:882\nmain.main\n\t/src/main.go:49";
    let error = format!(
        "2025-01-02T15:04:05.000Z\tERROR\tserver/file.go:9\tFailed to publish resource {RESOURCE}: no\n{trace}"
    );
    let found = entries(&format!("{error}\nplain text.\n{error}\n{ZAP}next"));
    assert_eq!(found, [error.as_str(), "plain text.", &error, &format!("{ZAP}next")]);
    assert_eq!(parse(&error).keys.error.as_deref(), Some("no"));
    let warning = "2025-01-02T15:04:05.000Z\tWARN\tf.go:9\tm\n\r\n2025/01/02 15:04:05 \u{1b}[32m/f.go:5";
    assert_eq!(entries(warning).len(), 3);
}
