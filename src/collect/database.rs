//! Rows of Maestro's tables, one JSON object a line, as `row_to_json` prints them.

use super::candidate::Candidate;
use super::form::{Form, Taken, Taking};
use super::json::Fields;
use crate::schema::{
    Consumer, Event, EventInstance, Json, Record, Resource, ServerInstance, StatusEvent, Table, Unknown,
};
use serde::Deserialize;
use std::borrow::Cow;
use std::io::BufRead;

pub struct DatabaseRows;

/// The tables and the columns that give each away, specific before general.
const SIGNATURES: &[(Table, &[&str])] = &[
    (StatusEvent::TABLE, &["id", "resource_id", "status_event_type"]),
    (Event::TABLE, &["id", "source_id", "event_type"]),
    (Resource::TABLE, &["id", "consumer_name", "version"]),
    (ServerInstance::TABLE, &["id", "last_heartbeat", "ready"]),
    (EventInstance::TABLE, &["event_id", "instance_id"]),
    (Consumer::TABLE, &["id", "name", "labels"]),
];

impl Form for DatabaseRows {
    fn name(&self) -> &'static str {
        "database rows (JSON lines)"
    }

    /// An empty file that is called like a table is that table without rows: psql writes nothing then.
    fn claims(&self, file: &Candidate) -> bool {
        let head = &file.head;
        if head.is_empty() {
            return table_called(&file.name).is_some();
        }
        let first = head.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
        let Some(text) = first.and_then(|line| std::str::from_utf8(line).ok()) else { return false };
        match Fields::parse(text) {
            Ok(fields) => table_of(&fields).is_some(),
            // A row may be longer than the head; then its first columns must do.
            Err(_) => !file.whole && text.starts_with('{') && text.contains("\"consumer_name\":"),
        }
    }

    fn take(&self, file: &Candidate, lines: &mut dyn BufRead, taking: &mut Taking<'_>) -> super::error::Result<Taken> {
        let mut taken = Taken::default();
        if let Some(table) = table_called(&file.name) {
            taken.has(table);
        }
        let mut buffer = Vec::new();
        for line in 1.. {
            buffer.clear();
            match lines.read_until(b'\n', &mut buffer) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    taken.problem(format!("line {line}: {error}"));
                    break;
                }
            }
            let text = String::from_utf8_lossy(&buffer);
            let text = text.trim();
            if !text.is_empty() {
                taken.seen += 1;
                take_row(text, file, line, taking, &mut taken)?;
            }
        }
        Ok(taken)
    }
}

fn take_row(
    text: &str,
    file: &Candidate,
    line: i64,
    taking: &mut Taking<'_>,
    taken: &mut Taken,
) -> super::error::Result<()> {
    let place = Row { file: &file.name, line };
    let row = Fields::parse(text).map_err(|error| error.to_string());
    let row = row.and_then(|row| table_of(&row).map(|table| (table, row)).ok_or("no table has these columns".into()));
    let (table, mut row) = match row {
        Ok(row) => row,
        Err(reason) => {
            taken.problem(format!("line {line}: {reason}"));
            taken.unknown += 1;
            return taking.keep(place.file, Some(line), text);
        }
    };
    let new = match table.name {
        "resources" => taking.row(&resource(&mut row, &place))?,
        "events" => taking.row(&event(&mut row, &place))?,
        "status_events" => taking.row(&status_event(&mut row, &place))?,
        "consumers" => taking.row(&consumer(&mut row, &place))?,
        "server_instances" => taking.row(&server_instance(&mut row, &place))?,
        _ => taking.row(&event_instance(&mut row, &place))?,
    };
    taken.count(table.name, new);
    for (column, value) in row.left() {
        taking.row(&Unknown {
            file: place.file.into(),
            line: Some(line),
            table_name: Some(table.name.into()),
            row_key: row_key(text).map(Cow::Owned),
            column_name: Some(column),
            value: Some(Json(value.into())),
        })?;
    }
    Ok(())
}

struct Row<'a> {
    file: &'a str,
    line: i64,
}

fn table_of(row: &Fields<'_>) -> Option<&'static Table> {
    SIGNATURES.iter().find(|(_, columns)| row.has(columns)).map(|(table, _)| table)
}

fn table_called(name: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next()?;
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    SIGNATURES.iter().map(|(table, _)| table.name).find(|table| *table == stem)
}

/// Asked for only where a row has columns that no declaration knows, since it reads the row again.
fn row_key(text: &str) -> Option<String> {
    Fields::parse(text).ok()?.text("id").map(Cow::into_owned)
}

fn resource<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> Resource<'a> {
    let payload = row.json("payload");
    let spec = payload.as_ref().map(|payload| Spec::parse(&payload.0)).unwrap_or_default();
    Resource {
        id: row.text("id").unwrap_or_default(),
        name: row.text("name"),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        source: row.text("source"),
        consumer_name: row.text("consumer_name"),
        version: row.int("version"),
        type_: row.text("type"),
        status: row.json("status"),
        work_name: spec.work_name().map(Cow::Owned),
        op_id: spec.op_id().map(Cow::Owned),
        spec_event_id: spec.id.map(Cow::Owned),
        payload,
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

fn event<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> Event<'a> {
    Event {
        id: row.text("id").unwrap_or_default(),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        source: row.text("source"),
        source_id: row.text("source_id"),
        event_type: row.text("event_type"),
        reconciled_date: row.time("reconciled_date"),
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

fn status_event<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> StatusEvent<'a> {
    let payload = row.json("payload");
    let spec = payload.as_ref().map(|payload| Spec::parse(&payload.0)).unwrap_or_default();
    StatusEvent {
        id: row.text("id").unwrap_or_default(),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        resource_id: row.text("resource_id"),
        resource_source: row.text("resource_source"),
        resource_type: row.text("resource_type"),
        status: row.json("status"),
        status_event_type: row.text("status_event_type"),
        reconciled_date: row.time("reconciled_date"),
        work_name: spec.work_name().map(Cow::Owned),
        payload,
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

fn consumer<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> Consumer<'a> {
    Consumer {
        id: row.text("id").unwrap_or_default(),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        name: row.text("name"),
        labels: row.json("labels"),
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

fn server_instance<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> ServerInstance<'a> {
    ServerInstance {
        id: row.text("id").unwrap_or_default(),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        last_heartbeat: row.time("last_heartbeat"),
        ready: row.bool("ready"),
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

fn event_instance<'a>(row: &mut Fields<'a>, place: &Row<'a>) -> EventInstance<'a> {
    EventInstance {
        event_id: row.text("event_id"),
        instance_id: row.text("instance_id"),
        spec_event_id: row.text("spec_event_id"),
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

/// The few things of a spec CloudEvent that lead to other evidence.
#[derive(Default, Deserialize)]
struct Spec {
    id: Option<String>,
    #[serde(default)]
    metadata: SpecMetadata,
    logtracing: Option<String>,
}

#[derive(Default, Deserialize)]
struct SpecMetadata {
    name: Option<String>,
}

impl Spec {
    fn parse(payload: &str) -> Self {
        serde_json::from_str(payload).unwrap_or_default()
    }

    fn work_name(&self) -> Option<String> {
        self.metadata.name.clone()
    }

    fn op_id(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Tracing {
            #[serde(rename = "logging.open-cluster-management.io/op-id")]
            op_id: Option<String>,
        }
        serde_json::from_str::<Tracing>(self.logtracing.as_deref()?).ok()?.op_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Text;

    #[test]
    fn each_table_is_known_by_its_columns() {
        for (table, columns) in SIGNATURES {
            let row = columns.iter().map(|column| format!("\"{column}\":null")).collect::<Vec<_>>().join(",");
            let row = format!("{{{row}}}");
            assert_eq!(table_of(&Fields::parse(&row).unwrap()).map(|table| table.name), Some(table.name));
        }
    }

    #[test]
    fn the_spec_tells_work_name_and_operation() {
        let spec = Spec::parse(
            r#"{"id":"e1","metadata":{"name":"nginx-work"},"logtracing":"{\"logging.open-cluster-management.io/op-id\":\"o1\"}"}"#,
        );
        assert_eq!(spec.work_name().as_deref(), Some("nginx-work"));
        assert_eq!(spec.op_id().as_deref(), Some("o1"));
        assert_eq!(Spec::parse("[]").op_id(), None);
    }

    #[test]
    fn text_and_time_stay_as_they_are() {
        let text = r#"{"id":"a","payload":{"b": 1,  "a":2},"created_at":"never"}"#;
        let mut row = Fields::parse(text).unwrap();
        let place = Row { file: "f", line: 1 };
        let resource = resource(&mut row, &place);
        assert_eq!(resource.payload, Some(Json(Text::from(r#"{"b": 1,  "a":2}"#))));
        assert_eq!(resource.created_at, None);
        let left: Vec<_> = row.left().collect();
        assert_eq!(left, [(Text::from("created_at"), "\"never\"")]);
    }
}
