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

/// Folders in which `oc adm inspect` and must-gather put objects.
const INSPECTED: &[&str] = &["namespaces", "cluster-scoped-resources"];

/// What clusters are called after.
const ROLES: &[&str] = &["svc", "service", "mgmt", "management", "hub", "spoke"];

/// `…/<cluster>/namespaces/…`, `…/<cluster>/cluster-scoped-resources/…`, `…/kube/<cluster>/…`, or a folder that is
/// called like a cluster.
pub fn of_objects(name: &str) -> Place {
    let parts: Vec<&str> = name.split('/').collect();
    let folders = parts.split_last().map_or(&[][..], |(_, folders)| folders);
    let inspected = folders.iter().position(|folder| INSPECTED.contains(folder));
    let above = inspected.and_then(|at| folders.get(..at)).filter(|above| !above.is_empty());
    let cluster = match (above, folders) {
        (Some(above), _) => inspected_cluster(above),
        (None, [.., "kube", cluster]) => Some(*cluster),
        (None, folders) => {
            let below = folders.iter().position(|folder| *folder == "kube").and_then(|at| folders.get(at + 1));
            below.or(folders.last().filter(|folder| is_role(folder))).copied()
        }
    };
    Place { cluster: cluster.map(str::to_owned), ..Place::default() }
}

/// The folder above says which cluster it is, unless a tool named it: `inspect.local.<n>`, `must-gather.local.<n>` and the
/// images in it are called differently each time, so two captures of one cluster would count as two.
fn inspected_cluster<'a>(above: &[&'a str]) -> Option<&'a str> {
    let is_image = |folder: &&str| folder.contains("-sha256-");
    let is_tools = |folder: &&str| folder.starts_with("inspect.local") || folder.starts_with("must-gather");
    let mut named = above.iter().rev().filter(|folder| !is_image(folder));
    let nearest = *named.next()?;
    match named.next().copied().filter(|folder| is_role(folder)) {
        _ if !is_tools(&nearest) => Some(nearest),
        better => better,
    }
}

/// `svc`, `mgmt-1`, `int-uksouth-mgmt-1`, `service-cluster`.
fn is_role(folder: &str) -> bool {
    let words = folder.split(['-', '_']);
    let mut words = words.rev().skip_while(|word| *word == "cluster" || word.bytes().all(|byte| byte.is_ascii_digit()));
    words.next().is_some_and(|word| ROLES.contains(&word))
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

    #[test]
    fn the_path_of_objects_names_their_cluster() {
        let cluster = |name: &str| of_objects(name).cluster.unwrap_or_default();
        assert_eq!(cluster("night/kube/mgmt/events.json"), "mgmt");
        assert_eq!(cluster("night/kube/eu-1/noise/events.json"), "eu-1");
        assert_eq!(cluster("night/inspect/eu-1/namespaces/noise/core/configmaps.yaml"), "eu-1");
        assert_eq!(cluster("night/inspect/eu-1/cluster-scoped-resources/core/nodes/one.yaml"), "eu-1");
        assert_eq!(cluster("mgmt/inspect.local.77/namespaces/noise/noise.yaml"), "mgmt");
        assert_eq!(cluster("inspect.local.77/namespaces/noise/noise.yaml"), "");
        let image = "quay-io-stolostron-must-gather-sha256-0f1e";
        assert_eq!(cluster(&format!("must-gather.local.12/{image}/namespaces/x/x.yaml")), "");
        assert_eq!(cluster(&format!("x/mgmt-2/must-gather.local.12/{image}/namespaces/x/x.yaml")), "mgmt-2");
        for role in ["svc", "mgmt-1", "service", "int-uksouth-mgmt-1", "management-cluster"] {
            assert_eq!(cluster(&format!("night/{role}/amw.yaml")), role);
        }
        assert_eq!(cluster("night/forms/amw.yaml"), "");
        assert_eq!(cluster("namespaces/noise/noise.yaml"), "");
        assert_eq!(cluster("kube/events.json"), "");
        assert_eq!(cluster(""), "");
    }
}
