//! Values that mean different things on different lines, and names inside messages.

use std::borrow::Cow;

use super::cloudevent::CloudEvent;
use super::fill::{Later, cut, or};
use super::keys::Keys;
use super::lenient::Object;
use super::object::{Recorded, changed, recorded};
use super::payload::{Rest, owner};
use super::sentence::{self, uuid};
use super::value::Value;

impl<'a> Later<'a> {
    /// The CloudEvent, whichever way the line prints it, and the keys that it decides.
    pub fn take_events(&mut self, keys: &mut Keys<'a>, message: &str) {
        let blank = CloudEvent { wants_op_id: keys.op_id.is_none(), ..CloudEvent::default() };
        match (self.extensions, self.event) {
            (Some(Value::Json(json)), _) => self.take_cloud_event(keys, blank.read(json)),
            (_, Some(Value::Block(lines))) => self.take_cloud_event(keys, blank.read_attributes(lines)),
            (_, Some(event)) => self.take_cloud_event(keys, blank.read(&event.text()).into_owned()),
            _ => {}
        }
        // On the way to the subscribers `eventID` is the row of the status event, elsewhere the
        // CloudEvent.
        let is_row = message.starts_with("Broadcast ") || message.starts_with("Recorded resource status ");
        let slot = if is_row { &mut keys.event_id } else { &mut keys.cloud_event_id };
        *slot = self.event_id.take().or(slot.take());
        match message {
            "receive the event from client" => or(&mut keys.source, self.event_source.take()),
            // Here `source` is a column of the events table.
            "No controllers found" | "No handler functions found" => keys.source = None,
            _ => {}
        }
    }

    fn take_cloud_event(&mut self, keys: &mut Keys<'a>, event: CloudEvent<'a>) {
        or(&mut keys.resource_id, event.resource_id);
        or(&mut keys.consumer, event.consumer);
        or(&mut keys.op_id, event.op_id);
        or(&mut keys.event_type, event.kind.and_then(|kind| cut(&kind, sentence::event_type)));
        or(&mut self.event_source, event.source);
        keys.cloud_event_id = event.id;
        keys.resource_version = event.resource_version;
        keys.sequence_id = event.sequence_id;
        keys.conditions = event.conditions;
        keys.deleting = event.deletion_timestamp.then_some(true);
        if let Some(metadata) = event.metadata {
            keys.deleting = Some(event.deletion_timestamp || metadata.deleting);
            keys.finalizers = Some(metadata.finalizers);
            let name = metadata.name.filter(|name| keys.resource_id.as_deref() != Some(name));
            or(&mut keys.work_name, name.map(Cow::Owned));
        }
    }

    /// What only the message can tell: its own words, and keys that mean something else elsewhere.
    #[expect(clippy::ptr_arg, reason = "a part of a borrowed message is borrowed as well")]
    pub fn take_by_message(&mut self, keys: &mut Keys<'a>, message: &Cow<'a, str>) {
        match message.as_ref() {
            "controller failed to sync" => match self.key.take() {
                Some(key) if sentence::work_of_applied(&key).is_some() => keys.applied_work = Some(key),
                // Controllers of objects have `namespace/name`, those of nothing in particular `key`.
                Some(key) if !key.contains('/') && key != "key" => self.work = Some(key),
                _ => {}
            },
            "Failed to handle the event" => or(&mut keys.event_id, self.key.take().and_then(|key| cut(&key, uuid))),
            "Object is patched" => match self.object_type.as_deref() {
                Some("*v1.ManifestWork") => or(&mut self.work, self.object_name.take()),
                Some("*v1.AppliedManifestWork") => or(&mut keys.applied_work, self.object_name.take()),
                _ => {}
            },
            "failed to delete work" | "Requeue manifestwork" => or(&mut self.work, self.name.take()),
            "Patching resource" => {
                let owner = self.patch.and_then(|patch| owner(&patch.text()));
                or(&mut keys.applied_work, owner.map(Cow::Owned));
            }
            "Deleted resource" => {
                let reason = keys.reason.as_ref();
                or(&mut self.work, reason.and_then(|reason| cut(reason, sentence::deleting_work)));
            }
            text if text.starts_with('{') => {
                let rest = Rest::read(text);
                keys.request_method =
                    Some(rest.request_method.into_owned().into()).filter(|_| !rest.request_url.is_empty());
                keys.response_status = rest.response_status;
                self.work = sentence::requested_resource(&rest.request_url).map(|id| Cow::Owned(id.to_owned()));
            }
            text if text.starts_with("Receive the event ") => self.work = cut(message, sentence::watched_work),
            text if text.starts_with("sending message to ") => {
                keys.topic = cut(message, |text| text.strip_prefix("sending message to "));
            }
            text if text.starts_with("INFO: ") || text.starts_with("WARNING: ") || changed(text).is_some() => {
                let part = |pick: fn(Recorded<'_>) -> Option<&str>| {
                    cut(message, |text| recorded(text).or_else(|| changed(text)).and_then(pick))
                };
                keys.object_resource = part(|object| Some(object.kind));
                keys.object_group = part(|object| Some(object.group));
                keys.object_namespace = part(|object| object.namespace);
                keys.object_name = part(|object| Some(object.name));
                or(&mut keys.error, part(|object| object.error));
            }
            _ => {}
        }
    }

    /// The resource by the names of its work, else as an error names it; the consumer by its topic.
    pub fn take_names(&mut self, keys: &mut Keys<'a>) {
        let applied = keys.applied_work.as_ref().and_then(|applied| cut(applied, sentence::work_of_applied));
        for work in [self.work.take(), applied].into_iter().flatten() {
            // The agent calls a work by its resource id; before 2026 it used the name that the user
            // gave.
            let slot = if uuid(&work).is_some() { &mut keys.resource_id } else { &mut keys.work_name };
            or(slot, Some(work));
        }
        if keys.resource_id.is_none() {
            keys.resource_id = keys.error.as_ref().and_then(|error| cut(error, sentence::failed_resource));
        }
        if keys.consumer.is_none() {
            keys.consumer = keys.topic.as_ref().and_then(|topic| cut(topic, sentence::topic_consumer));
        }
    }
}
