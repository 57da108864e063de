//! Names inside sentences: messages, reasons and error texts say in words what other lines say in
//! keys.
//!
//! Each function takes a text and gives the part of it that is the name, so that the caller can
//! borrow or own it.

use memchr::memchr_iter;

/// What stands before a resource id in an error text.
const BEFORE_RESOURCE: &[&str] = &[
    "resource ",
    "resource status update ",
    "resource status delete ",
    "Resource with id='",
    "resource is under deletion, id: ",
    "manifestwork \"",
    "manifestworks.work.open-cluster-management.io \"",
];

/// The text if it is a UUID as Maestro writes them.
pub(super) fn uuid(text: &str) -> Option<&str> {
    let is_uuid = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    is_uuid.then_some(text)
}

/// Every UUID in the text, each with what stands before it.
fn uuids(text: &str) -> impl Iterator<Item = (&str, &str)> {
    memchr_iter(b'-', text.as_bytes()).filter_map(|dash| {
        let (before, rest) = text.split_at_checked(dash.checked_sub(8)?)?;
        Some((before, uuid(rest.get(..36)?)?))
    })
}

/// The row of an event: the id alone, or the Go context of the controller that handles it.
pub(super) fn event_row(text: &str) -> Option<&str> {
    let handled = |before: &str| before.ends_with("ControllerHandlerContextKey, ");
    uuid(text).or_else(|| uuids(text).find_map(|(before, id)| handled(before).then_some(id)))
}

/// The resource that an error is about.
pub(super) fn failed_resource(error: &str) -> Option<&str> {
    let named = |before: &str| BEFORE_RESOURCE.iter().any(|words| before.ends_with(words));
    let named = uuids(error).find_map(|(before, id)| named(before).then_some(id));
    named.or_else(|| failed_broadcast(error))
}

/// `error handling status event StatusUpdate, <status event>, <resource>: …`
fn failed_broadcast(error: &str) -> Option<&str> {
    let mut parts = error.strip_prefix("error handling status event ")?.splitn(3, ", ");
    uuid(parts.nth(2)?.get(..36)?)
}

/// The work for whose sake an object was deleted.
pub(super) fn deleting_work(reason: &str) -> Option<&str> {
    let terminating = reason.strip_prefix("manifestwork ").and_then(|rest| rest.strip_suffix(" is terminating"));
    terminating.or_else(|| reason.strip_prefix("it is no longer maintained by manifestwork "))
}

/// The work in the name of an AppliedManifestWork, `<hash of the hub, 64 hexadecimal
/// digits>-<work>`.
pub(super) fn work_of_applied(name: &str) -> Option<&str> {
    let (hash, work) = name.split_at_checked(64)?;
    hash.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| work.strip_prefix('-'))?
}

/// `Receive the event ADDED for <work>`
pub(super) fn watched_work(message: &str) -> Option<&str> {
    message
        .strip_prefix("Receive the event ")?
        .split_once(" for ")
        .map(|(_, work)| work)
        .filter(|work| !work.is_empty())
}

/// The resource in the path of a REST request.
pub(super) fn requested_resource(url: &str) -> Option<&str> {
    let (collection, id) = url.split('?').next()?.rsplit_once('/')?;
    let resources = collection.ends_with("/resource-bundles") || collection.ends_with("/resources");
    resources.then(|| uuid(id))?
}

/// The topic itself, where the subscription that it is part of is printed: `{topic 1 0 false false}`.
pub(super) fn topic(subscription: &str) -> Option<&str> {
    let topic = subscription.strip_prefix('{').and_then(|rest| rest.split(' ').next()).unwrap_or(subscription);
    (!topic.is_empty()).then_some(topic)
}

/// The consumer in an MQTT topic, `sources/<source>/consumers/<consumer>/…`; servers subscribe to
/// all with `+`.
pub(super) fn topic_consumer(topic: &str) -> Option<&str> {
    let consumer = topic.split_once("/consumers/")?.1.split('/').next()?;
    (consumer != "+").then_some(consumer)
}

/// The part of a CloudEvent type that tells one event from another: `spec.create_request`.
pub(super) fn event_type(kind: &str) -> Option<&str> {
    let (before, _request) = kind.rsplit_once('.')?;
    let (before, direction) = before.rsplit_once('.')?;
    matches!(direction, "spec" | "status").then(|| kind.get(before.len() + 1..))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "aaaaaaaa-0000-5000-8000-000000000001";
    const OTHER: &str = "bbbbbbbb-0000-4000-8000-000000000002";

    #[test]
    fn an_error_names_its_resource() {
        let errors = [
            format!("failed to handle resource status update {ID}: unmatched consumer name {OTHER}"),
            format!("Failed to publish resource {ID}: the client is not ready"),
            format!("unmatched original source id other for resource {ID}"),
            format!("resource {ID} has not been marked as deleting"),
            format!("maestro-7: Resource with id='{ID}' not found"),
            format!("maestro-6: the resource is under deletion, id: {ID}"),
            format!("manifestworks.work.open-cluster-management.io \"{ID}\" not found"),
            format!("unable to sync manifestwork \"{ID}\": conflict"),
            format!("error handling status event StatusUpdate, {OTHER}, {ID}: failed to get status event {OTHER}: x"),
        ];
        for error in errors {
            assert_eq!(failed_resource(&error), Some(ID), "{error}");
        }
    }

    #[test]
    fn an_id_of_something_else_is_not_a_resource() {
        let errors = [
            format!("error handing event Resources-Create ({ID}): the client is not ready"),
            format!("Failed to publish resource overture: {ID}"),
            "resource bbbbbbbb-0000".to_owned(),
            "é-".to_owned(),
        ];
        for error in errors {
            assert_eq!(failed_resource(&error), None, "{error}");
        }
    }

    #[test]
    fn a_topic_for_all_consumers_names_none() {
        assert_eq!(topic_consumer("sources/maestro/consumers/hall/sourceevents"), Some("hall"));
        assert_eq!(topic_consumer("$share/group/sources/maestro/consumers/+/agentevents"), None);
    }

    #[test]
    fn only_a_resource_in_the_path_is_requested() {
        assert_eq!(requested_resource(&format!("/api/maestro/v1/resource-bundles/{ID}?x=/y/")), Some(ID));
        assert_eq!(requested_resource(&format!("/api/maestro/v1/consumers/{ID}")), None);
        assert_eq!(requested_resource("/api/maestro/v1/resource-bundles"), None);
    }
}
