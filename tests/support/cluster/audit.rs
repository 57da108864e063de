//! What the API server was asked, by its own account.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// One request that was answered. What a request has none of is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    pub user: String,
    /// `list`, `get`, `create`, …; for what is no resource the HTTP method in lower case.
    pub verb: String,
    /// `pods`; empty for `/readyz` and the like.
    pub resource: String,
    /// `log`
    pub subresource: String,
    pub namespace: String,
    pub name: String,
    /// Path and query as they were asked.
    pub uri: String,
    /// The program that asked, as it calls itself.
    pub agent: String,
    pub code: u64,
}

pub fn read(log: &Path) -> Vec<AuditEvent> {
    let text = fs::read_to_string(log).unwrap_or_default();
    // A last line without its end is still being written.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(|line| event(&serde_json::from_str(line).unwrap())).collect()
}

fn event(line: &Value) -> AuditEvent {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let object = &line["objectRef"];
    AuditEvent {
        user: text(&line["user"]["username"]),
        verb: text(&line["verb"]),
        resource: text(&object["resource"]),
        subresource: text(&object["subresource"]),
        namespace: text(&object["namespace"]),
        name: text(&object["name"]),
        uri: text(&line["requestURI"]),
        agent: text(&line["userAgent"]),
        code: line["responseStatus"]["code"].as_u64().unwrap_or_default(),
    }
}
