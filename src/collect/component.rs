//! Which program wrote a log: Maestro's server, its agent, a client of theirs, or something else.

use super::place::Place;
use super::process::Told;
use super::said::Said;
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
    (SERVER, b"receive the event from client"),
    (SERVER, b"\tservecmd/cmd.go:"),
    (AGENT, b"logger=\"ManifestWork"),
    (AGENT, b"maestro-agent version"),
    (AGENT, b"component=\"manifestwork-controller\""),
    (CLIENT, b"\"subscribing events for source\""),
];

/// Which program it is, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub component: &'static str,
    /// `said`, `deployment`, `name` or `content`.
    pub from: Option<&'static str>,
}

/// As the user says; as its process was told; by container and pod name; where those say nothing, by what the log says.
pub fn known(said: &Said, told: Option<&Told>, place: &Place, sample: &[u8]) -> Known {
    let said = said.component.as_deref().and_then(|said| ALL.into_iter().find(|component| *component == said));
    let known = |component, from| Known { component, from: Some(from) };
    said.map(|component| known(component, "said"))
        .or_else(|| told.map(|told| known(told.component, "deployment")))
        .or_else(|| by_name(place).map(|component| known(component, "name")))
        .unwrap_or_else(|| by_words(sample))
}

fn by_name(place: &Place) -> Option<&'static str> {
    let pod = place.pod.as_deref().unwrap_or_default();
    let container = place.container.as_deref().unwrap_or_default();
    match container {
        _ if OTHERS.iter().any(|other| pod.starts_with(other)) => Some(OTHER),
        "maestro-agent" => Some(AGENT),
        "maestro-server" => Some(SERVER),
        _ if pod.starts_with("maestro-agent-") => Some(AGENT),
        "service" | "" if pod.starts_with("maestro-") => Some(SERVER),
        _ => None,
    }
}

pub fn by_words(text: &[u8]) -> Known {
    let found = PHRASES.iter().find(|(_, phrase)| memmem::find(text, phrase).is_some());
    found.map_or(Known { component: OTHER, from: None }, |(component, _)| Known { component, from: Some("content") })
}

/// A server names itself when it broadcasts: `instanceID="maestro-<pod>"`.
pub fn pod_of_server(component: &str, sample: &[u8]) -> Option<String> {
    let mark = b"instanceID=\"";
    let rest = sample.get(memmem::find(sample, mark)? + mark.len()..)?;
    let id = std::str::from_utf8(rest.get(..memchr::memchr(b'"', rest)?)?).ok()?;
    let pod = id.strip_prefix("maestro-").filter(|pod| pod.starts_with("maestro-")).unwrap_or(id);
    (component == SERVER && !pod.is_empty()).then(|| pod.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod(pod: &str, container: &str) -> Place {
        Place { pod: Some(pod.into()), container: Some(container.into()), ..Place::default() }
    }

    #[test]
    fn names_tell_server_from_agent_from_broker() {
        assert_eq!(by_name(&pod("maestro-7d9c5b6f4-abcde", "service")), Some(SERVER));
        assert_eq!(by_name(&pod("maestro-7d9c5b6f4-abcde", "")), Some(SERVER));
        assert_eq!(by_name(&pod("maestro-agent-5f7d-xyz", "maestro-agent")), Some(AGENT));
        assert_eq!(by_name(&pod("maestro-mqtt-0", "service")), Some(OTHER));
        assert_eq!(by_name(&pod("orchestra-7d9c5b6f4-abcde", "service")), None);
    }

    #[test]
    fn a_server_names_itself_when_it_broadcasts() {
        let line = b"\"Broadcast the resource status\" instanceID=\"maestro-maestro-7d9c-abcde\" resourceID=\"r\"";
        assert_eq!(pod_of_server(SERVER, line).as_deref(), Some("maestro-7d9c-abcde"));
        assert_eq!(pod_of_server(AGENT, line), None);
        assert_eq!(pod_of_server(SERVER, b"instanceID=\"cut"), None);
    }

    #[test]
    fn a_log_without_a_name_tells_by_its_words() {
        let head = b"I0102 15:04:05.000000       1 x.go:1] \"x\" logger=\"maestro-server.maestro-controllers\"";
        let found = |sample| known(&Said::default(), None, &Place::default(), sample);
        assert_eq!(found(head), Known { component: SERVER, from: Some("content") });
        assert_eq!(found(b"hello"), Known { component: OTHER, from: None });
        let said = Said { component: Some(AGENT.into()), ..Said::default() };
        assert_eq!(known(&said, None, &Place::default(), head), Known { component: AGENT, from: Some("said") });
    }
}
