//! Which program wrote a log: Maestro's server, its agent, a client of theirs, or something else.

use super::place::Place;
use memchr::memmem;

pub const SERVER: &str = "server";
pub const AGENT: &str = "agent";
pub const CLIENT: &str = "client";
pub const OTHER: &str = "other";

pub const ALL: [&str; 4] = [SERVER, AGENT, CLIENT, OTHER];

/// Neighbours of Maestro whose pods are called alike.
const OTHERS: &[&str] = &["maestro-mqtt", "maestro-db"];

/// What only one of the programs writes.
const PHRASES: &[(&str, &[u8])] = &[
    (SERVER, b"logger=\"maestro-server"),
    (SERVER, b"\"receive the event from client\""),
    (AGENT, b"logger=\"ManifestWork"),
    (AGENT, b"maestro-agent version"),
    (AGENT, b"component=\"manifestwork-controller\""),
    (CLIENT, b"\"subscribing events for source\""),
];

/// By container and pod name; where those say nothing, by what the log says.
pub fn of(place: &Place, head: &[u8]) -> &'static str {
    let pod = place.pod.as_deref().unwrap_or_default();
    let container = place.container.as_deref().unwrap_or_default();
    if OTHERS.iter().any(|other| pod.starts_with(other)) {
        return OTHER;
    }
    let named = match container {
        "maestro-agent" => Some(AGENT),
        "service" | "maestro-server" if pod.starts_with("maestro-") => Some(SERVER),
        _ if pod.starts_with("maestro-agent-") => Some(AGENT),
        _ => None,
    };
    let said = || PHRASES.iter().find(|(_, phrase)| memmem::find(head, phrase).is_some()).map(|(name, _)| *name);
    named.or_else(said).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod(pod: &str, container: &str) -> Place {
        Place { pod: Some(pod.into()), container: Some(container.into()), ..Place::default() }
    }

    #[test]
    fn names_tell_server_from_agent_from_broker() {
        assert_eq!(of(&pod("maestro-7d9c5b6f4-abcde", "service"), b""), SERVER);
        assert_eq!(of(&pod("maestro-agent-5f7d-xyz", "maestro-agent"), b""), AGENT);
        assert_eq!(of(&pod("maestro-mqtt-0", "service"), b""), OTHER);
    }

    #[test]
    fn a_log_without_a_name_tells_by_its_words() {
        let head = b"I0102 15:04:05.000000       1 x.go:1] \"x\" logger=\"maestro-server.maestro-controllers\"";
        assert_eq!(of(&Place::default(), head), SERVER);
        assert_eq!(of(&Place::default(), b"hello"), OTHER);
    }
}
