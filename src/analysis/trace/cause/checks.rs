//! What to look at next where a request stopped: the steps of Maestro's own runbook, as far as the bundle cannot
//! take them itself.

use crate::analysis::trace::requests::{Asked, Fate};
use crate::model::{HopName, RequestKind};

pub fn of(hop: HopName, asked: &Asked) -> Vec<&'static str> {
    match hop {
        HopName::Received => vec![
            "check if there is a gRPC publish error in the Maestro gRPC client (reason PublishError, \"Failed to publish resource\")",
        ],
        HopName::Published if asked.fate == Fate::Refused => {
            vec!["check the error that the client was given; the server does not log why it refuses"]
        }
        HopName::Published => vec![
            "check if there are resource and spec event records in the database; reconciled_date should not be null",
            "if the event is there, check for psql notification errors in the server log (\"recreate the listener\")",
        ],
        HopName::Delivered => vec![
            "check that the agent runs, is connected to the broker, and serves this consumer (--consumer-name)",
            "check for an mqtt publish error in the server log and a subscription error in the agent log",
        ],
        HopName::Applied if asked.kind == RequestKind::Delete => {
            vec!["check the finalizers of the objects that the AppliedManifestWork still lists"]
        }
        HopName::Applied => vec!["check the errors in the agent log and the Applied conditions of the manifests"],
        HopName::Reported => {
            vec!["check if there is an mqtt publish error in the agent log (\"Failed to publish resource\")"]
        }
        HopName::StatusReceived => vec![
            "check if there is an mqtt publish error in the agent log, or a subscribe error in the server log",
            "a status that is lost comes again with the next change, or after a status resync",
        ],
        HopName::StatusHandled => vec![
            "check for \"unmatched consumer name\" (--consumer-name of the agent), decode errors and database errors in the server log",
            "with --subscription-type=broadcast exactly one replica must handle it; the others say \"skipping resource status update\"",
        ],
        HopName::Broadcast => vec![
            "check if every replica is alive, and for database errors (\"failed to get status event\", \"failed to get resource\")",
        ],
        HopName::Sent => vec![
            "check the connection between the client and the servers; \"no clients registered on this instance\" on all of them means that none is subscribed",
            "check for \"failed to send heartbeat\" and \"failed to send event, unregister subscriber\"",
        ],
    }
}
