//! What Maestro's processes were told when they were started, as Pods and what makes Pods say: how much they
//! log, whom an agent serves, how a server subscribes. A log shows little of that itself.

use super::component::{AGENT, SERVER};
use super::place::Place;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What one container of Maestro was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub by: By,
    /// Name of the Pod, ReplicaSet, StatefulSet or Deployment.
    pub name: String,
    pub namespace: Option<String>,
    pub cluster: Option<String>,
    pub container: String,
    /// `server` or `agent`.
    pub component: &'static str,
    /// `-v`; 0 where it is not given, nothing where it cannot be read.
    pub verbosity: Option<i64>,
    /// `--consumer-name`
    pub consumer: Option<String>,
    /// `--subscription-type`: `shared` or `broadcast`.
    pub subscription: Option<String>,
    /// `--client-id`, of an agent `--cloudevents-client-id`.
    pub client_id: Option<String>,
    /// `--message-broker-type`, of an agent `--workload-source-driver`.
    pub broker: Option<String>,
    /// `--server-hostname`
    pub server_hostname: Option<String>,
}

/// Which object says so. What is nearer to the process knows better: a Deployment may have changed since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    #[default]
    Deployment,
    StatefulSet,
    ReplicaSet,
    Pod,
}

impl By {
    fn called(kind: &str) -> Option<Self> {
        match kind {
            "Pod" => Some(Self::Pod),
            "ReplicaSet" => Some(Self::ReplicaSet),
            "StatefulSet" => Some(Self::StatefulSet),
            "Deployment" => Some(Self::Deployment),
            _ => None,
        }
    }

    /// Pods are called after what made them: `<deployment>-<hash>-<id>`, `<replica set>-<id>`, `<stateful set>-<n>`.
    fn made(self, name: &str, pod: &str) -> bool {
        // The API server makes ids of five characters.
        let without_id = pod.rsplit_once('-').filter(|(_, id)| id.len() == 5).map(|(rest, _)| rest);
        match self {
            Self::Pod => pod == name,
            Self::ReplicaSet => without_id == Some(name),
            Self::StatefulSet => {
                pod.rsplit_once('-').is_some_and(|(rest, number)| rest == name && number.parse::<u32>().is_ok())
            }
            Self::Deployment => without_id.and_then(|rest| rest.rsplit_once('-')).is_some_and(|(rest, _)| rest == name),
        }
    }
}

/// All that was found.
#[derive(Debug, Default)]
pub struct Processes {
    told: Vec<Told>,
}

impl Processes {
    /// Looks into an object of this kind.
    pub fn saw(&mut self, kind: &str, cluster: Option<&str>, object: &str) {
        for mut told in told(kind, object) {
            told.cluster = cluster.map(str::to_owned);
            if !self.told.contains(&told) {
                self.told.push(told);
            }
        }
    }

    /// What the process of a log was told; nothing if objects disagree, as those of two clusters may.
    pub fn of(&self, place: &Place) -> Option<&Told> {
        let pod = place.pod.as_deref()?;
        let fits = |known: Option<&str>, wanted: Option<&String>| match (known, wanted) {
            (Some(known), Some(wanted)) => known == wanted,
            _ => true,
        };
        let found = self.told.iter().filter(|told| {
            told.by.made(&told.name, pod)
                && fits(told.cluster.as_deref(), place.cluster.as_ref())
                && fits(told.namespace.as_deref(), place.namespace.as_ref())
                && fits(Some(&told.container), place.container.as_ref())
        });
        let mut found: Vec<&Told> = found.collect();
        let nearest = found.iter().map(|told| told.by).max()?;
        found.retain(|told| told.by == nearest);
        let first = *found.first()?;
        found.iter().all(|told| told.says_the_same(first)).then_some(first)
    }
}

impl Told {
    fn says_the_same(&self, other: &Self) -> bool {
        let anywhere = |told: &Self| Self { cluster: None, namespace: None, ..told.clone() };
        anywhere(self) == anywhere(other)
    }
}

/// What an object's containers of Maestro were told.
pub fn told(kind: &str, object: &str) -> Vec<Told> {
    let Some(by) = By::called(kind) else { return Vec::new() };
    let Ok(object) = serde_json::from_str::<Object>(object) else { return Vec::new() };
    let Object { metadata, spec } = object;
    let pod = spec.template.map_or(spec.pod, |template| template.spec);
    let own_name = (by == By::Pod).then_some(metadata.name.as_str());
    let containers = pod.containers.iter();
    containers
        .filter_map(|container| container.told(own_name))
        .map(|told| Told { by, name: metadata.name.clone(), namespace: metadata.namespace.clone(), ..told })
        .collect()
}

#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
    spec: Spec,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    namespace: Option<String>,
}

/// Of a Pod, or of something with the template of one.
#[derive(Deserialize)]
struct Spec {
    template: Option<Template>,
    #[serde(flatten)]
    pod: PodSpec,
}

#[derive(Deserialize)]
struct Template {
    #[serde(default)]
    spec: PodSpec,
}

#[derive(Default, Deserialize)]
struct PodSpec {
    #[serde(default)]
    containers: Vec<Container>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Container {
    name: String,
    image: String,
    command: Vec<String>,
    args: Vec<String>,
    env: Vec<Variable>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Variable {
    name: String,
    value: Option<String>,
    value_from: Option<ValueFrom>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ValueFrom {
    field_ref: Option<FieldRef>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldRef {
    field_path: String,
}

impl Container {
    /// `None` if it is no server and no agent of Maestro.
    fn told(&self, pod: Option<&str>) -> Option<Told> {
        let words = self.words(pod);
        let component = self.component(&words)?;
        let flags = Flags::of(&words);
        Some(Told {
            container: self.name.clone(),
            component,
            verbosity: match flags.get("v") {
                Some(level) => level.parse().ok(),
                None => Some(0),
            },
            consumer: flags.text("consumer-name"),
            subscription: flags.text("subscription-type"),
            client_id: flags.text("client-id").or_else(|| flags.text("cloudevents-client-id")),
            broker: flags.text("message-broker-type").or_else(|| flags.text("workload-source-driver")),
            server_hostname: flags.text("server-hostname"),
            ..Told::default()
        })
    }

    /// Command and arguments, with variables in place. A shell gets its command as one word.
    fn words(&self, pod: Option<&str>) -> Vec<String> {
        let mut variables: BTreeMap<&str, String> = BTreeMap::new();
        for variable in &self.env {
            let from = variable.value_from.as_ref().and_then(|from| from.field_ref.as_ref());
            let is_name = from.is_some_and(|field| field.field_path == "metadata.name");
            let value = variable.value.clone().or_else(|| pod.filter(|_| is_name).map(str::to_owned));
            if let Some(value) = value {
                variables.insert(&variable.name, value);
            }
        }
        let words = self.command.iter().chain(&self.args).map(|word| expand(word, &variables));
        words
            .flat_map(|word| match word.contains("maestro ") {
                true => word.split_whitespace().map(str::to_owned).collect(),
                false => vec![word],
            })
            .collect()
    }

    /// `/usr/local/bin/maestro server`; where the image has the program as entry point, the arguments begin with it.
    fn component(&self, words: &[String]) -> Option<&'static str> {
        let is_program = |word: &String| word.rsplit('/').next().is_some_and(|file| file == "maestro");
        let after = words.iter().position(is_program).map(|at| at + 1);
        let at = after.or_else(|| (self.command.is_empty() && self.image.contains("maestro")).then_some(0))?;
        match words.get(at)?.as_str() {
            "server" => Some(SERVER),
            "agent" => Some(AGENT),
            _ => None,
        }
    }
}

/// `$(NAME)` as Kubernetes puts variables into arguments; one that is not known stays as it is.
fn expand(word: &str, variables: &BTreeMap<&str, String>) -> String {
    let mut expanded = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once("$(") {
        expanded.push_str(before);
        match after.split_once(')') {
            Some((name, tail)) => {
                match variables.get(name) {
                    Some(value) => expanded.push_str(value),
                    None => expanded.extend(["$(", name, ")"]),
                }
                rest = tail;
            }
            None => {
                expanded.push_str("$(");
                rest = after;
            }
        }
    }
    expanded + rest
}

/// `--name=value`, `--name value`, `-v=2`, `-v 2`, `-v2`; of several the last one counts.
struct Flags<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Flags<'a> {
    fn of(words: &'a [String]) -> Self {
        let mut flags = BTreeMap::new();
        let mut words = words.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix('-') else { continue };
            let flag = flag.strip_prefix('-').unwrap_or(flag);
            let level = flag.strip_prefix('v').filter(|level| level.parse::<u8>().is_ok());
            let (name, value) = match (flag.split_once('='), level) {
                (Some(pair), _) => pair,
                (None, Some(level)) => ("v", level),
                (None, None) => (flag, words.next_if(|next| !next.starts_with('-')).unwrap_or_default()),
            };
            flags.insert(name, value);
        }
        Self(flags)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name).filter(|value| !value.is_empty()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVERS: &str = r#"{
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "maestro", "namespace": "maestro"},
        "spec": {"replicas": 2, "template": {"metadata": {"labels": {"app": "maestro"}}, "spec": {
            "initContainers": [{"name": "migration", "command": ["/usr/local/bin/maestro", "migration", "-v=9"]}],
            "containers": [{
                "name": "service", "image": "quay.io/x/maestro:1",
                "env": [{"name": "MAESTRO_ENV", "value": "production"},
                        {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                "command": ["/usr/local/bin/maestro", "server", "--client-id=maestro-$(POD_NAME)",
                    "--message-broker-type=mqtt", "--subscription-type=broadcast", "--server-hostname=0.0.0.0",
                    "--alsologtostderr", "-v=2"]
            }]
        }}}
    }"#;

    fn place(cluster: Option<&str>, pod: &str, container: Option<&str>) -> Place {
        Place {
            cluster: cluster.map(str::to_owned),
            namespace: Some("maestro".to_owned()),
            pod: Some(pod.to_owned()),
            container: container.map(str::to_owned),
            ..Place::default()
        }
    }

    fn agent(kind: &str, name: &str, words: &str) -> String {
        let spec = format!(r#"{{"containers": [{{"name": "maestro-agent", "image": "x/maestro", {words}}}]}}"#);
        let spec = if kind == "Pod" { spec } else { format!(r#"{{"template": {{"spec": {spec}}}}}"#) };
        format!(r#"{{"metadata": {{"name": "{name}", "namespace": "maestro"}}, "spec": {spec}}}"#)
    }

    fn one(kind: &str, words: &str) -> Told {
        let mut told = told(kind, &agent(kind, "maestro-agent", words));
        assert_eq!(told.len(), 1, "{words}");
        told.remove(0)
    }

    #[test]
    fn a_deployment_of_the_chart_says_how_its_servers_were_started() {
        let told = told("Deployment", SERVERS);
        let expected = Told {
            by: By::Deployment,
            name: "maestro".into(),
            namespace: Some("maestro".into()),
            cluster: None,
            container: "service".into(),
            component: SERVER,
            verbosity: Some(2),
            consumer: None,
            subscription: Some("broadcast".into()),
            client_id: Some("maestro-$(POD_NAME)".into()),
            broker: Some("mqtt".into()),
            server_hostname: Some("0.0.0.0".into()),
        };
        assert_eq!(told, [expected]);
    }

    #[test]
    fn a_pod_knows_its_own_name() {
        let pod = r#"{"kind": "Pod", "metadata": {"name": "maestro-7d9c5b6f4-abcde"}, "spec": {"containers": [
            {"name": "sidecar", "command": ["/bin/proxy"]},
            {"name": "service", "command": ["maestro"], "args": ["server", "--client-id", "maestro-$(POD_NAME)", "--v", "4"],
             "env": [{"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}]}}"#;
        let told = told("Pod", pod);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].client_id.as_deref(), Some("maestro-maestro-7d9c5b6f4-abcde"));
        assert_eq!((told[0].verbosity, told[0].by), (Some(4), By::Pod));
    }

    #[test]
    fn an_agent_is_told_whom_it_serves_in_many_ways() {
        let flags = r#""--consumer-name=cluster1", "--workload-source-driver=grpc", "--cloudevents-client-id=c-1""#;
        let told = one("Deployment", &format!(r#""command": ["/usr/local/bin/maestro", "agent", {flags}, "-v=5"]"#));
        assert_eq!((told.component, told.consumer.as_deref(), told.verbosity), (AGENT, Some("cluster1"), Some(5)));
        assert_eq!((told.broker.as_deref(), told.client_id.as_deref()), (Some("grpc"), Some("c-1")));
        let words = [
            (r#""args": ["agent", "--consumer-name", "cluster1", "-v", "3"]"#, Some(3)),
            (r#""args": ["agent", "-v=1", "--consumer-name=cluster1", "-v4"]"#, Some(4)),
            (r#""command": ["/bin/sh", "-c", "exec /usr/local/bin/maestro agent --consumer-name=cluster1"]"#, Some(0)),
            (
                r#""args": ["agent", "--consumer-name=$(NAME)", "-v=$(LEVEL)"], "env": [{"name": "NAME", "value": "cluster1"}]"#,
                None,
            ),
        ];
        for (words, verbosity) in words {
            let told = one("Pod", words);
            assert_eq!((told.consumer.as_deref(), told.verbosity), (Some("cluster1"), verbosity), "{words}");
        }
    }

    #[test]
    fn what_is_not_maestro_tells_nothing() {
        for object in ["", "[]", "{}", r#"{"metadata":{"name":"x"},"spec":{"containers":[{"command":["agent"]}]}}"#] {
            assert_eq!(told("Pod", object), [], "{object}");
        }
        assert_eq!(told("ConfigMap", SERVERS), []);
        assert_eq!(expand("$(A) $( $(B", &BTreeMap::from([("A", "a".to_owned())])), "a $( $(B");
    }

    #[test]
    fn a_log_finds_what_its_process_was_told() {
        let mut processes = Processes::default();
        processes.saw("Deployment", Some("svc"), SERVERS);
        let words = |level: u8| format!(r#""args": ["agent", "--consumer-name=cluster1", "-v={level}"]"#);
        processes.saw("Deployment", Some("mgmt"), &agent("Deployment", "maestro-agent", &words(2)));
        processes.saw("Deployment", Some("mgmt-2"), &agent("Deployment", "maestro-agent", &words(4)));
        processes.saw("ReplicaSet", Some("mgmt-2"), &agent("ReplicaSet", "maestro-agent-5f7d", &words(5)));
        let level = |cluster, pod, container| {
            processes.of(&place(cluster, pod, container)).map(|told| (told.component, told.verbosity))
        };
        assert_eq!(level(Some("svc"), "maestro-7d9c5b6f4-abcde", Some("service")), Some((SERVER, Some(2))));
        assert_eq!(level(None, "maestro-7d9c5b6f4-abcde", None), Some((SERVER, Some(2))));
        assert_eq!(level(Some("svc"), "maestro-7d9c5b6f4-abcde", Some("sidecar")), None);
        assert_eq!(level(Some("mgmt"), "maestro-agent-5f7d-abcde", Some("maestro-agent")), Some((AGENT, Some(2))));
        assert_eq!(level(Some("mgmt-2"), "maestro-agent-5f7d-abcde", None), Some((AGENT, Some(5))));
        assert_eq!(level(Some("mgmt-2"), "maestro-agent-9999-abcde", None), Some((AGENT, Some(4))));
        assert_eq!(level(None, "maestro-agent-9999-abcde", None), None, "two clusters disagree");
        assert_eq!(level(None, "maestro-mqtt-0", None), None);
    }
}
