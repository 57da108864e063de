//! What a file's path tells: cluster, namespace, pod, container.

use super::component;
use std::path::Path;

/// Where a log or an object comes from, as far as its path tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub cluster: Option<String>,
    pub namespace: Option<String>,
    pub pod: Option<String>,
    pub container: Option<String>,
    /// It is the log of the container before a restart.
    pub previous: bool,
}

/// Input name and path within it, with `/` on every system.
pub fn display_path(source: &str, within: &Path) -> String {
    let parts = within.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once(source.to_owned()).chain(parts).collect::<Vec<_>>().join("/")
}

/// Is a folder called like a cluster of a service: `svc`, `mgmt-1`, `int-uksouth-svc-1`?
pub fn looks_like_cluster(folder: &str) -> bool {
    let roles = ["svc", "mgmt", "service-cluster", "management-cluster", "mc", "sc"];
    let words: Vec<&str> = folder.split(['-', '_', '.']).collect();
    let numbered = |word: &str, role: &str| {
        word.strip_prefix(role).is_some_and(|rest| rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let first = |role: &str| words.first().is_some_and(|word| numbered(word, role));
    roles.iter().any(|role| first(role) || folder == *role) || words.iter().any(|word| matches!(*word, "svc" | "mgmt"))
}

/// What a cluster is for, by its name or by what runs there.
pub fn role(cluster: Option<&str>, component: &str) -> Option<&'static str> {
    let named = |words: [&str; 3]| {
        cluster.is_some_and(|cluster| cluster.split(['-', '_', '.']).any(|word| words.contains(&word)))
    };
    match component {
        _ if named(["svc", "service", "sc"]) => Some("service"),
        _ if named(["mgmt", "management", "mc"]) => Some("management"),
        component::SERVER => Some("service"),
        component::AGENT => Some("management"),
        _ => None,
    }
}

/// `…/kube/<cluster>/<file>`.
pub fn of_objects(name: &str) -> Place {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [.., "kube", cluster, _] => Place { cluster: Some((*cluster).to_owned()), ..Place::default() },
        _ => Place::default(),
    }
}

/// The cluster that a path names, whatever the file is.
pub fn cluster_of(name: &str) -> Option<String> {
    of_objects(name).cluster.or_else(|| super::log_path::place_of(name).cluster)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_path_names_nothing() {
        assert_eq!(of_objects("night/objects.json"), Place::default());
    }
}
