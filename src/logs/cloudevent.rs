//! CloudEvents inside log lines: `extensions={…}`, or `event="{…}"` at a verbosity that prints
//! whole events.
//!
//! Both are one JSON object with the same names in it; the event only adds its id, source, type and
//! data.

use std::borrow::Cow;

use serde::de::MapAccess;
use serde_json::value::RawValue;

use super::lenient::{Lenient, Object, skip, value};

type Text<'a> = Option<Cow<'a, str>>;

/// What a log record can take from a CloudEvent.
#[derive(Debug, Default)]
pub(super) struct CloudEvent<'a> {
    pub id: Text<'a>,
    pub source: Text<'a>,
    pub kind: Text<'a>,
    pub consumer: Text<'a>,
    pub resource_id: Text<'a>,
    pub resource_version: Option<i64>,
    pub sequence_id: Text<'a>,
    pub op_id: Text<'a>,
    pub metadata: Option<Metadata>,
    pub deletion_timestamp: bool,
    pub conditions: Text<'a>,
    /// The op-id is JSON within JSON and the line usually names it already, so it is read on
    /// demand.
    pub wants_op_id: bool,
}

impl<'a> CloudEvent<'a> {
    /// The same, free of the text that it was read from.
    pub fn into_owned(self) -> CloudEvent<'static> {
        let own = |text: Text<'a>| text.map(|text| Cow::Owned(text.into_owned()));
        CloudEvent {
            id: own(self.id),
            source: own(self.source),
            kind: own(self.kind),
            consumer: own(self.consumer),
            resource_id: own(self.resource_id),
            sequence_id: own(self.sequence_id),
            op_id: own(self.op_id),
            conditions: own(self.conditions),
            resource_version: self.resource_version,
            metadata: self.metadata,
            deletion_timestamp: self.deletion_timestamp,
            wants_op_id: self.wants_op_id,
        }
    }
}

impl<'a> Object<'a> for CloudEvent<'a> {
    fn take<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "id" => self.id = value(map)?,
            "source" => self.source = value(map)?,
            "type" => self.kind = value(map)?,
            "clustername" => self.consumer = value(map)?,
            "resourceid" => self.resource_id = value(map)?,
            "resourceversion" => self.resource_version = value(map)?,
            "sequenceid" => self.sequence_id = value(map)?,
            "logtracing" if self.wants_op_id => self.op_id = value::<Tracing, A>(map)?.op_id.map(Cow::Owned),
            "metadata" => self.metadata = value(map)?,
            "deletiontimestamp" => self.deletion_timestamp = value(map)?,
            "data" => self.conditions = value::<Data, A>(map)?.conditions.map(Cow::Borrowed),
            _ => skip(map)?,
        }
        Ok(())
    }
}

/// The metadata of the work, which travels as JSON in a string.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// The name that the user gave, where the server has not replaced it by the id.
    pub name: Option<String>,
    pub deleting: bool,
    pub finalizers: bool,
}

impl Lenient<'_> for Option<Metadata> {
    fn text(json: &str) -> Self {
        let fields = MetadataFields::default().read(json);
        let name = fields.name.filter(|name| fields.uid.as_ref() != Some(name));
        Some(Metadata { name: name.map(Cow::into_owned), deleting: fields.deleting, finalizers: fields.finalizers })
    }
}

#[derive(Default)]
pub(super) struct MetadataFields<'a> {
    name: Text<'a>,
    /// The resource.
    pub uid: Text<'a>,
    deleting: bool,
    finalizers: bool,
}

impl<'a> Object<'a> for MetadataFields<'a> {
    fn take<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "name" => self.name = value(map)?,
            "uid" => self.uid = value(map)?,
            "deletionTimestamp" => self.deleting = value(map)?,
            "finalizers" => self.finalizers = value(map)?,
            _ => skip(map)?,
        }
        Ok(())
    }
}

/// The annotations for tracing, which also travel as JSON in a string.
#[derive(Default)]
pub(super) struct Tracing {
    pub op_id: Option<String>,
}

impl Lenient<'_> for Tracing {
    fn text(json: &str) -> Self {
        Tracing::default().read(json)
    }
}

impl<'a> Object<'a> for Tracing {
    fn take<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "logging.open-cluster-management.io/op-id" => self.op_id = value::<Text, A>(map)?.map(Cow::into_owned),
            _ => skip(map)?,
        }
        Ok(())
    }
}

/// The conditions of a status, verbatim: what a condition means is not for a log reader to say.
#[derive(Default)]
struct Data<'a> {
    conditions: Option<&'a str>,
}

impl<'a> Lenient<'a> for Data<'a> {
    fn object<A: MapAccess<'a>>(map: A) -> Result<Self, A::Error> {
        let mut data = Data::default();
        data.take_all(map).map(|()| data)
    }
}

impl<'a> Object<'a> for Data<'a> {
    fn take<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "conditions" => self.conditions = Some(map.next_value::<&RawValue>()?.get()).filter(|json| *json != "null"),
            _ => skip(map)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_was_cut_off_gives_what_came_before_the_cut() {
        let event = CloudEvent::default().read(r#"{"id":"e-1","clustername":"stage","data":{"manifests":[{"a"#);
        assert_eq!((event.id.as_deref(), event.consumer.as_deref()), (Some("e-1"), Some("stage")));
    }

    #[test]
    fn a_field_of_another_type_does_not_spoil_the_rest() {
        let json = r#"{"id":{"a":[1]},"resourceid":7,"data":"text","metadata":null,"source":[],"type":1.5,"sequenceid":true,
            "resourceversion":"3","deletiontimestamp":null,"logtracing":{},"clustername":"stage"}"#;
        let event = CloudEvent { wants_op_id: true, ..CloudEvent::default() }.read(json);
        assert_eq!((event.id, event.source, event.kind, event.sequence_id), (None, None, None, None));
        assert_eq!((event.resource_id.as_deref(), event.resource_version), (Some("7"), Some(3)));
        assert_eq!((event.metadata, event.deletion_timestamp, event.conditions), (None, false, None));
        assert_eq!((event.op_id, event.consumer.as_deref()), (None, Some("stage")));
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        let event =
            CloudEvent::default().read(r#"{"clustername":"stage","data":{"conditions":[ {"type": "Applied"} ]}}"#);
        assert!(matches!(event.consumer, Some(Cow::Borrowed("stage"))));
        assert!(matches!(event.conditions, Some(Cow::Borrowed(r#"[ {"type": "Applied"} ]"#))));
    }
}
