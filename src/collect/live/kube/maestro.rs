//! Where Maestro runs in a cluster.

use super::super::desk::Desk;
use super::super::trouble::Trouble;
use super::connection::Connection;
use super::pods::Pod;
use std::collections::BTreeSet;

/// A selector that finds server and agents, however their database is run.
pub const LABELS: &str = "app in (maestro,maestro-agent)";

/// Labels that charts put on pods to say what they are.
const TELLING: &[&str] = &["app", "name", "app.kubernetes.io/name", "app.kubernetes.io/instance"];

/// What Maestro's own things are called after.
const PREFIX: &str = "maestro";

/// Is it Maestro's: server, agent, database or broker?
pub fn owns(pod: &Pod) -> bool {
    let told = TELLING.iter().filter_map(|label| pod.labels.get(*label)).any(|value| value.starts_with(PREFIX));
    told || pod.name.starts_with(PREFIX)
}

impl Connection {
    /// The namespaces of Maestro, by its pods; where no pod tells, by their own names.
    pub async fn maestro_namespaces(
        &self,
        desk: &Desk<'_>,
        names: &BTreeSet<String>,
    ) -> Result<BTreeSet<String>, Trouble> {
        let pods = self.pods(desk, None, Some(LABELS)).await;
        let found: BTreeSet<String> = pods.iter().flatten().map(|pod| pod.namespace.clone()).collect();
        let called: BTreeSet<String> = names.iter().filter(|name| name.starts_with(PREFIX)).cloned().collect();
        match pods {
            Err(trouble) if called.is_empty() => Err(trouble),
            _ if found.is_empty() => Ok(called),
            _ => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_of_maestro_are_known_by_label_or_name() {
        let pod = |name: &str, label: &str, value: &str| Pod {
            name: name.to_owned(),
            labels: [(label.to_owned(), value.to_owned())].into(),
            ..Pod::default()
        };
        assert!(owns(&pod("x-1", "app", "maestro-agent")) && owns(&pod("x-1", "name", "maestro-db")));
        assert!(owns(&pod("maestro-mqtt-5d8", "tier", "broker")));
        assert!(!owns(&pod("web-1", "app", "web")) && !owns(&pod("web-1", "owner", "maestro")));
    }
}
