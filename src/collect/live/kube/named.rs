//! Which objects works are about: those that AppliedManifestWorks list, and those that agents say they touched.

use super::resource::{Resource, is_plain};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// An object among those of its resource. What has no namespace belongs to the cluster.
pub type Key = (Option<String>, String);

/// Each kind is a list to ask for. So many are believed of logs, which anybody may write into.
const KINDS: usize = 200;

/// Objects, by resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    objects: BTreeMap<Resource, BTreeSet<Key>>,
    /// Logs name more kinds than are believed of them.
    left_out: bool,
}

impl Named {
    pub fn add(&mut self, resource: Resource, namespace: &str, name: &str) {
        let namespace = Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty());
        // These become parts of paths.
        let words = [&*resource.group, &resource.version, &resource.plural, namespace.as_deref().unwrap_or_default()];
        if words.iter().all(|word| is_plain(word)) && !resource.plural.is_empty() && !resource.version.is_empty() {
            self.objects.entry(resource).or_default().insert((namespace, name.to_owned()));
        }
    }

    /// What an AppliedManifestWork lists.
    pub fn add_applied(&mut self, work: &str) {
        let Ok(work) = serde_json::from_str::<Work>(work) else { return };
        for listed in work.status.applied_resources.into_iter().flatten() {
            let resource = Resource::new(listed.group, listed.version, listed.resource);
            self.add(resource, &listed.namespace, &listed.name);
        }
    }

    /// What a line of an agent says: `gvr="apps/v1, Resource=deployments" resourceNamespace="demo" resourceName="web"`.
    pub fn add_touched(&mut self, line: &str) {
        let value = |key: &str| line.split_once(key).and_then(|(_, rest)| rest.split_once('"')).map(|(value, _)| value);
        let Some((version, plural)) = value(" gvr=\"").and_then(|gvr| gvr.split_once(", Resource=")) else { return };
        let (Some((group, version)), Some(name)) = (version.split_once('/'), value(" resourceName=\"")) else { return };
        let [group, version, plural] = [group, version, plural].map(str::to_owned);
        let namespace = value(" resourceNamespace=\"").unwrap_or_default();
        let resource = Resource::new(group, version, plural);
        if self.has_room_for(&resource) {
            self.add(resource, namespace, name);
        }
    }

    /// Adds what a log names.
    pub fn join(&mut self, log: Self) {
        self.left_out |= log.left_out;
        for (resource, keys) in log.objects {
            if self.has_room_for(&resource) {
                self.objects.entry(resource).or_default().extend(keys);
            }
        }
    }

    fn has_room_for(&mut self, resource: &Resource) -> bool {
        let room = self.objects.len() < KINDS || self.objects.contains_key(resource);
        self.left_out |= !room;
        room
    }

    /// What a reader should know, if there is anything.
    pub fn remark(&self) -> Option<String> {
        self.left_out.then(|| format!("logs name more than {KINDS} kinds of objects; the others were not listed"))
    }

    pub fn has(&self, resource: &Resource, key: &Key) -> bool {
        self.objects.get(resource).is_some_and(|keys| keys.contains(key))
    }

    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.objects.keys()
    }

    /// The namespaces of all of them.
    pub fn namespaces(&self) -> BTreeSet<&str> {
        self.objects.values().flatten().filter_map(|(namespace, _)| namespace.as_deref()).collect()
    }

    /// Do its objects lie in namespaces?
    pub fn in_namespaces(&self, resource: &Resource) -> bool {
        self.objects.get(resource).is_some_and(|keys| keys.iter().any(|(namespace, _)| namespace.is_some()))
    }
}

#[derive(Deserialize)]
struct Work {
    #[serde(default)]
    status: WorkStatus,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WorkStatus {
    applied_resources: Option<Vec<Listed>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Listed {
    group: String,
    version: String,
    resource: String,
    namespace: String,
    name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(group: &str, plural: &str) -> Resource {
        Resource::new(group.into(), "v1".into(), plural.into())
    }

    #[test]
    fn works_and_agents_name_objects() {
        let mut named = Named::default();
        named.add_applied(
            r#"{"status": {"appliedResources": [
                {"group": "", "version": "v1", "resource": "configmaps", "namespace": "demo", "name": "web", "uid": "u"},
                {"group": "", "version": "v1", "resource": "namespaces", "name": "demo", "uid": "u"}]}}"#,
        );
        named.add_touched(
            "I0115 09:45:12.560003 1 x.go:1] \"Server side applied\" gvr=\"apps/v1, Resource=deployments\" \
             resourceNamespace=\"other\" resourceName=\"web\" fieldManager=\"work-agent\"",
        );
        named.add_touched("\"Server side applied\" gvr=\"/v1, Resource=configmaps\" resourceNamespace=\"demo\"");
        assert!(named.has(&resource("", "configmaps"), &(Some("demo".into()), "web".into())));
        assert!(named.has(&resource("", "namespaces"), &(None, "demo".into())));
        assert!(named.has(&resource("apps", "deployments"), &(Some("other".into()), "web".into())));
        assert_eq!(named.namespaces().into_iter().collect::<Vec<_>>(), ["demo", "other"]);
        assert_eq!(named.resources().count(), 3);
        assert!(!named.in_namespaces(&resource("", "namespaces")));
    }

    #[test]
    fn logs_cannot_name_kinds_without_end() {
        let line = |number: usize| format!(" gvr=\"g{number}/v1, Resource=things\" resourceName=\"a\"");
        let touched = |numbers: std::ops::Range<usize>| {
            let mut named = Named::default();
            numbers.for_each(|number| named.add_touched(&line(number)));
            named
        };
        let mut named = touched(0..KINDS);
        assert_eq!((named.resources().count(), named.remark()), (KINDS, None));
        named.join(touched(KINDS - 1..KINDS));
        assert_eq!(named.remark(), None);
        named.join(touched(KINDS..KINDS + 1));
        assert_eq!(named.resources().count(), KINDS);
        assert!(named.remark().unwrap().contains("more than 200 kinds"));
        assert!(touched(0..KINDS + 1).remark().is_some());
    }

    #[test]
    fn what_would_change_the_path_of_a_request_is_no_name() {
        let mut named = Named::default();
        named.add(resource("", "secrets?x"), "demo", "a");
        named.add(resource("", "configmaps"), "../kube-system", "a");
        named.add(resource("", "configmaps"), "..", "a");
        named.add(resource("..", "configmaps"), "demo", "a");
        named.add(resource("", "."), "demo", "a");
        named.add_applied("not JSON");
        assert_eq!(named, Named::default());
    }
}
