//! Pods, as far as it takes to find Maestro and to ask for logs.

use super::super::desk::Desk;
use super::super::trouble::Trouble;
use super::connection::Connection;
use super::list::{List, Turn};
use super::object::Metadata;
use super::resource::PODS;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pod {
    pub namespace: String,
    pub name: String,
    pub labels: BTreeMap<String, String>,
    pub containers: Vec<Container>,
    /// The name of the one that commands are meant for, if the pod says so.
    pub default_container: Option<String>,
    /// `Running`
    pub phase: String,
    /// It says that it can serve.
    pub ready: bool,
    /// It was asked to go.
    pub leaves: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Container {
    pub name: String,
    /// It runs before the others.
    pub init: bool,
    pub restarts: u32,
}

impl Connection {
    /// The pods of a namespace, or of all, that have these labels.
    pub async fn pods(
        &self,
        desk: &Desk<'_>,
        namespace: Option<&str>,
        labels: Option<&str>,
    ) -> Result<Vec<Pod>, Trouble> {
        let list = List { labels: labels.map(str::to_owned), ..List::of(&PODS, namespace) };
        let mut pods = Vec::new();
        let end = self.pages(desk, &list, |turn| {
            match turn {
                Turn::Anew => pods.clear(),
                Turn::Page(page) => pods.extend(page.items().filter_map(Pod::read)),
            }
            Ok(())
        });
        end.await?;
        Ok(pods)
    }
}

impl Pod {
    /// The container that a command runs in, as `kubectl exec` chooses it.
    pub fn for_commands(&self) -> Option<&Container> {
        let is_default = |container: &&Container| Some(&container.name) == self.default_container.as_ref();
        let mut main = self.containers.iter().filter(|container| !container.init);
        self.containers.iter().find(is_default).or_else(|| main.next())
    }

    pub fn read(object: &str) -> Option<Self> {
        let PodObject { metadata, spec, status } = serde_json::from_str(object).ok()?;
        let started = |init: bool| if init { &status.init_container_statuses } else { &status.container_statuses };
        let container = |init: bool, name: String| {
            let known = started(init).iter().flatten().find(|known| known.name == name);
            Container { init, restarts: known.map_or(0, |known| known.restart_count), name }
        };
        let init = spec.init_containers.into_iter().flatten().map(|named| container(true, named.name));
        let main = spec.containers.into_iter().flatten().map(|named| container(false, named.name));
        Some(Self {
            containers: init.chain(main).collect(),
            namespace: metadata.namespace.unwrap_or_default(),
            name: metadata.name,
            labels: metadata.labels.unwrap_or_default(),
            default_container: metadata.annotations.unwrap_or_default().default_container,
            ready: status.conditions.iter().flatten().any(|is| is.kind == "Ready" && is.status == "True"),
            phase: status.phase,
            leaves: metadata.deletion_timestamp.is_some(),
        })
    }
}

#[derive(Deserialize)]
struct PodObject {
    metadata: Metadata,
    #[serde(default)]
    spec: Spec,
    #[serde(default)]
    status: PodStatus,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
    init_containers: Option<Vec<Named>>,
    containers: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PodStatus {
    phase: String,
    conditions: Option<Vec<Condition>>,
    init_container_statuses: Option<Vec<Started>>,
    container_statuses: Option<Vec<Started>>,
}

#[derive(Deserialize)]
struct Condition {
    #[serde(rename = "type")]
    kind: String,
    status: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Started {
    name: String,
    #[serde(default)]
    restart_count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_tells_its_containers_and_how_often_they_began() {
        let text = r#"{"metadata": {"name": "maestro-0", "namespace": "maestro", "labels": {"app": "maestro"}},
            "spec": {"initContainers": [{"name": "migration"}], "containers": [{"name": "service", "image": "x"}]},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
                "containerStatuses": [{"name": "service", "restartCount": 2}]}}"#;
        let pod = Pod::read(text).unwrap();
        let container = |name: &str, init, restarts| Container { name: name.to_owned(), init, restarts };
        assert_eq!(pod.containers, [container("migration", true, 0), container("service", false, 2)]);
        assert!(pod.ready && pod.labels.get("app").is_some_and(|app| app == "maestro") && !pod.leaves);
    }

    #[test]
    fn commands_run_in_the_container_that_the_pod_names_else_in_the_first() {
        let chosen = |annotations: &str| {
            let text = format!(
                r#"{{"metadata": {{"name": "db-0", "annotations": {annotations}}},
                "spec": {{"initContainers": [{{"name": "init"}}], "containers": [{{"name": "proxy"}}, {{"name": "postgres"}}]}}}}"#
            );
            Pod::read(&text).unwrap().for_commands().unwrap().name.clone()
        };
        assert_eq!(chosen("null"), "proxy");
        assert_eq!(chosen(r#"{"kubectl.kubernetes.io/default-container": "postgres", "a": "b"}"#), "postgres");
        assert_eq!(chosen(r#"{"kubectl.kubernetes.io/default-container": "gone"}"#), "proxy");
    }
}
