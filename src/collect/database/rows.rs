//! A row's values to a row of our tables, whatever form the values came in.

use crate::collect::json::{Fields, Given};
use crate::collect::leads::Leads;
use crate::schema::{Consumer, Event, EventInstance, Json, Resource, ServerInstance, StatusEvent};

/// Where a row was read.
pub struct Place<'a> {
    pub file: &'a str,
    pub line: i64,
}

pub fn resource<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> Resource<'a> {
    let payload = row.json("payload").or_else(|| payload_of_manifests(row));
    let status = row.json_or_null("status");
    let mut leads = Leads::default();
    let spec = payload.as_ref().map(|payload| leads.spec(&payload.0)).unwrap_or_default();
    let reported = status.as_ref().map(|status| leads.status(&status.0)).unwrap_or_default();
    let (id, name) = (row.text("id").unwrap_or_default(), row.text("name"));
    // Without a payload the row's own name is all there is; it is the id unless somebody picked the work's name.
    let other_name = name.clone().filter(|name| payload.is_none() && *name != id);
    Resource {
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        source: row.text("source"),
        consumer_name: row.text("consumer_name"),
        version: row.int("version"),
        type_: row.text("type"),
        status_cloud_event_id: reported.event_id,
        manifest_paths: leads.manifest_paths(),
        label_pairs: leads.label_pairs(),
        status,
        work_name: spec.work_name.or_else(|| row.text("work_name")).or(other_name),
        op_id: spec.op_id.or_else(|| row.text("op_id")),
        spec_event_id: spec.event_id,
        id,
        name,
        payload,
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

/// People pick the manifests out of the payload; what they picked goes back to its place.
fn payload_of_manifests<'a>(row: &mut Fields<'a>) -> Option<Json<'a>> {
    let manifests = row.json("manifests")?;
    if !manifests.0.starts_with('[') {
        row.set("manifests", Given::Json(manifests.0));
        return None;
    }
    Some(Json(format!("{{\"data\": {{\"manifests\": {}}}}}", manifests.0).into()))
}

pub fn event<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> Event<'a> {
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

pub fn status_event<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> StatusEvent<'a> {
    let payload = row.json("payload");
    let status = row.json("status");
    let mut leads = Leads::default();
    let spec = payload.as_ref().map(|payload| leads.spec(&payload.0)).unwrap_or_default();
    let reported = status.as_ref().map(|status| leads.status(&status.0)).unwrap_or_default();
    StatusEvent {
        id: row.text("id").unwrap_or_default(),
        created_at: row.time("created_at"),
        updated_at: row.time("updated_at"),
        deleted_at: row.time("deleted_at"),
        resource_id: row.text("resource_id"),
        resource_source: row.text("resource_source"),
        resource_type: row.text("resource_type"),
        status_event_type: row.text("status_event_type"),
        reconciled_date: row.time("reconciled_date"),
        work_name: spec.work_name.or_else(|| row.text("work_name")),
        op_id: spec.op_id,
        spec_event_id: spec.event_id,
        status_cloud_event_id: reported.event_id,
        manifest_paths: leads.manifest_paths(),
        label_pairs: leads.label_pairs(),
        status,
        payload,
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

pub fn consumer<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> Consumer<'a> {
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

pub fn server_instance<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> ServerInstance<'a> {
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

pub fn event_instance<'a>(row: &mut Fields<'a>, place: &Place<'a>) -> EventInstance<'a> {
    EventInstance {
        event_id: row.text("event_id"),
        instance_id: row.text("instance_id"),
        spec_event_id: row.text("spec_event_id"),
        file: Some(place.file.into()),
        line: Some(place.line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Text;

    const PLACE: Place<'_> = Place { file: "f", line: 1 };

    #[test]
    fn text_and_time_stay_as_they_are() {
        let text = r#"{"id":"a","payload":{"b": 1,  "a":2},"created_at":"never"}"#;
        let mut row = Fields::parse(text).unwrap();
        let resource = resource(&mut row, &PLACE);
        assert_eq!(resource.payload, Some(Json(Text::from(r#"{"b": 1,  "a":2}"#))));
        assert_eq!(resource.created_at, None);
        let left: Vec<_> = row.left().collect();
        assert_eq!(left, [(Text::from("created_at"), Text::from("\"never\""))]);
    }

    #[test]
    fn manifests_that_somebody_picked_go_back_into_a_payload() {
        let mut row = Fields::parse(r#"{"id":"a","manifests":[{"kind":"Secret"}],"work_name":"w"}"#).unwrap();
        let found = resource(&mut row, &PLACE);
        assert_eq!(found.payload, Some(Json(Text::from(r#"{"data": {"manifests": [{"kind":"Secret"}]}}"#))));
        assert_eq!(found.work_name.as_deref(), Some("w"));
        let mut row = Fields::parse(r#"{"id":"a","manifests":null,"name":"w"}"#).unwrap();
        let found = resource(&mut row, &PLACE);
        assert_eq!((found.payload, found.work_name.as_deref()), (None, Some("w")));
    }
}
