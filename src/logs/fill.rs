//! The pairs of a record to its [`Keys`]: which spelling means what, and which of several counts.

use std::borrow::Cow;

use super::Record;
use super::keys::Keys;
use super::object;
use super::prose;
use super::sentence::{self, uuid};
use super::value::Value;

type Text<'a> = Option<Cow<'a, str>>;

/// Fills the logger and the keys of a record. Of a key that is written twice the last one counts:
/// klog before 2.140 prints what was replaced as well.
pub(super) fn fill<'a>(record: &mut Record<'a>, pairs: impl Iterator<Item = (&'a str, Value<'a>)>) {
    let mut later = Later::default();
    for (key, value) in pairs {
        match key {
            "logger" => record.logger = value.named(),
            _ => later.take(&mut record.keys, key, value),
        }
    }
    if let Some(message) = &record.message {
        later.take_events(&mut record.keys, message);
        later.take_by_message(&mut record.keys, message);
        later.take_names(&mut record.keys);
        if message == "Unhandled Error" {
            prose::tell_unhandled(record);
        }
    }
}

/// Values whose meaning depends on the rest of the record; `meaning.rs` gives it to them.
#[derive(Default)]
pub(super) struct Later<'a> {
    pub work: Text<'a>,
    pub name: Text<'a>,
    pub key: Text<'a>,
    pub event_id: Text<'a>,
    pub event_source: Text<'a>,
    pub object_type: Text<'a>,
    pub object_name: Text<'a>,
    pub extensions: Option<Value<'a>>,
    pub event: Option<Value<'a>>,
    pub patch: Option<Value<'a>>,
}

impl<'a> Later<'a> {
    fn take(&mut self, keys: &mut Keys<'a>, key: &str, value: Value<'a>) {
        match key {
            "resourceID" => keys.resource_id = value.named(),
            "op-id" => keys.op_id = value.named(),
            "eventType" => keys.event_type = cut(&value.text(), sentence::event_type),
            "extensions" => self.extensions = Some(value),
            "event" | "context" => self.take_event(keys, value),
            "eventID" | "messageID" => self.event_id = value.named(),
            "eventSource" => self.event_source = value.named(),
            "status_event" => keys.event_id = value.named(),
            "extra" => keys.event_id = cut(&value.text(), uuid),
            "key" => self.key = value.named(),
            "name" => self.name = value.named(),
            "instanceID" => keys.instance_id = value.named(),
            "statusEventType" => keys.status_event_type = value.named(),
            "consumer" | "consumerName" | "clusterName" => keys.consumer = value.named(),
            "source" => keys.source = value.named(),
            "work" => keys.work_name = value.named(),
            "manifestWorkName" => self.work = value.named(),
            "appliedManifestWorkName" => keys.applied_work = value.named(),
            "foundVersion" => keys.found_version = value.integer(),
            "wantVersion" => keys.want_version = value.integer(),
            "foundSequenceID" => keys.found_sequence = value.named(),
            "wantSequenceID" => keys.want_sequence = value.named(),
            "err" | "error" => keys.error = value.named(),
            "gvr" => {
                let gvr = value.text();
                keys.object_group = cut(&gvr, object::group);
                keys.object_resource = cut(&gvr, object::resource);
            }
            "namespace/name" => {
                let object = value.text();
                keys.object_namespace = cut(&object, object::namespace);
                keys.object_name = cut(&object, object::name);
            }
            "object kind" => keys.object_resource = value.named(),
            "resourceNamespace" => keys.object_namespace = value.named(),
            "resourceName" => keys.object_name = value.named(),
            "objectType" => self.object_type = value.named(),
            "objectName" => self.object_name = value.named(),
            "patch" => self.patch = Some(value),
            "topic" => keys.topic = cut(&value.text(), sentence::topic),
            "channel" => keys.channel = value.named(),
            "reason" => keys.reason = value.named(),
            _ => {}
        }
    }

    /// `event` is a whole CloudEvent or the id of a row, and before klog 2.140 both on one line.
    /// `context` is the CloudEvent in builds of December 2025, and before that a Go context that
    /// holds the id of the row.
    fn take_event(&mut self, keys: &mut Keys<'a>, value: Value<'a>) {
        match value {
            Value::Block(_) => self.event = Some(value),
            Value::Quoted(quoted) if quoted.inner.starts_with('{') => self.event = Some(value),
            _ => {
                let row = cut(&value.text(), sentence::event_row);
                keys.event_id = row.or(keys.event_id.take());
            }
        }
    }
}

/// Fills what is still empty.
pub(super) fn or<T>(slot: &mut Option<T>, other: Option<T>) {
    if slot.is_none() {
        *slot = other;
    }
}

/// A part of a text: borrowed from the log if the text is, else owned.
pub(super) fn cut<'a>(text: &Cow<'a, str>, part: impl Fn(&str) -> Option<&str>) -> Text<'a> {
    match text {
        Cow::Borrowed(text) => part(text).map(Cow::Borrowed),
        Cow::Owned(text) => part(text).map(|part| Cow::Owned(part.to_owned())),
    }
}
