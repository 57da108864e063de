//! What a file's path tells: cluster, namespace, pod, container.

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

/// `…/logs/<cluster>/<namespace>/<pod>/<container>[.previous].log`.
pub fn of_log(name: &str) -> Place {
    let parts: Vec<&str> = name.split('/').collect();
    let [.., "logs", cluster, namespace, pod, file] = parts.as_slice() else {
        return Place::default();
    };
    let stem = file.strip_suffix(".log").unwrap_or(file);
    let (container, previous) = match stem.strip_suffix(".previous") {
        Some(container) => (container, true),
        None => (stem, false),
    };
    let owned = |part: &str| Some(part.to_owned());
    Place {
        cluster: owned(cluster),
        namespace: owned(namespace),
        pod: owned(pod),
        container: owned(container),
        previous,
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
    of_log(name).cluster.or(of_objects(name).cluster)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_pod_log_names_its_pod() {
        let place = of_log("night/logs/mgmt-1/maestro/maestro-agent-5f/maestro-agent.previous.log");
        assert_eq!(place.cluster.as_deref(), Some("mgmt-1"));
        assert_eq!(place.namespace.as_deref(), Some("maestro"));
        assert_eq!(place.pod.as_deref(), Some("maestro-agent-5f"));
        assert_eq!(place.container.as_deref(), Some("maestro-agent"));
        assert!(place.previous);
    }

    #[test]
    fn another_path_names_nothing() {
        assert_eq!(of_log("night/server.log"), Place::default());
        assert_eq!(of_objects("night/objects.json"), Place::default());
    }
}
