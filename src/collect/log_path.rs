//! What the path of a log tells: cluster, namespace, pod, container. Each tool has its own way to name files.

use super::place::{Place, looks_like_cluster};

type Layout = fn(&[&str]) -> Option<Place>;

/// The ways, the most telling first. Each sees the parts of the path.
const LAYOUTS: &[Layout] =
    &[inspected, by_folders, kubelet, containers, docker, hcpctl, snapshot, role_and_container, named_after_pod];

/// Containers of Maestro; in a name that joins pod and container with `-` they tell where the pod ends.
const CONTAINERS: &[&str] = &["maestro-agent", "maestro-server", "service", "client"];

/// Everything that the path tells.
pub fn place_of(name: &str) -> Place {
    let parts: Vec<&str> = name.split('/').collect();
    let mut place = LAYOUTS.iter().find_map(|layout| layout(&parts)).unwrap_or_default();
    let folders = parts.split_last().map_or(&[][..], |(_, folders)| folders);
    place.cluster = place.cluster.or_else(|| {
        let named = folders.iter().rev().find(|folder| looks_like_cluster(folder));
        named.map(|folder| (*folder).to_owned())
    });
    place
}

fn owned(part: &str) -> Option<String> {
    Some(part.to_owned()).filter(|part| !part.is_empty())
}

/// `oc adm inspect`: `namespaces/<namespace>/pods/<pod>/<container>/<container>/logs/current.log`, where rotated files
/// lie one folder deeper.
fn inspected(parts: &[&str]) -> Option<Place> {
    let at = parts.windows(3).position(|three| matches!(three, ["namespaces", _, "pods"]))?;
    let [_, namespace, _, pod, container, rest @ ..] = parts.get(at..)? else { return None };
    let file = rest.last()?;
    rest.contains(&"logs").then(|| Place {
        cluster: at
            .checked_sub(1)
            .and_then(|at| parts.get(at))
            .filter(|name| looks_like_cluster(name))
            .map(|name| (*name).to_owned()),
        namespace: owned(namespace),
        pod: owned(pod),
        container: owned(container),
        previous: file.starts_with("previous"),
    })
}

/// `logs/<cluster>/<namespace>/<pod>/<container>[.previous].log`.
fn by_folders(parts: &[&str]) -> Option<Place> {
    let [.., "logs", cluster, namespace, pod, file] = parts else { return None };
    let (container, previous) = stem(file);
    let [cluster, namespace, pod, container] = [cluster, namespace, pod, container].map(owned);
    Some(Place { cluster, namespace, pod, container, previous })
}

/// `<namespace>_<pod>_<uid>/<container>/<number>.log`, below `/var/log/pods`.
fn kubelet(parts: &[&str]) -> Option<Place> {
    let [.., folder, container, file] = parts else { return None };
    let (namespace, rest) = folder.split_once('_')?;
    let (pod, uid) = rest.split_once('_')?;
    let numbered = file.split('.').next().is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
    let is_uid = uid.len() >= 8 && uid.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    (numbered && is_uid).then(|| Place {
        namespace: owned(namespace),
        pod: owned(pod),
        container: owned(container),
        ..Place::default()
    })
}

/// `<pod>_<namespace>_<container>-<id>.log`, below `/var/log/containers`.
fn containers(parts: &[&str]) -> Option<Place> {
    let stem = parts.last()?.strip_suffix(".log")?;
    let (rest, id) = stem.rsplit_once('-')?;
    let mut names = rest.split('_');
    let (pod, namespace, container) = (names.next()?, names.next()?, names.next()?);
    let is_id = id.len() == 64 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
    (is_id && names.next().is_none()).then(|| Place {
        namespace: owned(namespace),
        pod: owned(pod),
        container: owned(container),
        ..Place::default()
    })
}

/// `<pod>-<container>-json.log`.
fn docker(parts: &[&str]) -> Option<Place> {
    let stem = parts.last()?.strip_suffix("-json.log")?;
    let split =
        CONTAINERS.iter().find_map(|container| Some((stem.strip_suffix(container)?.strip_suffix('-')?, *container)));
    let (pod, container) = split?;
    is_pod(pod).then(|| Place { pod: owned(pod), container: owned(container), ..Place::default() })
}

/// hcpctl must-gather: `<cluster>_<namespace>_<container>.jsonl`, the pods of a container together.
fn hcpctl(parts: &[&str]) -> Option<Place> {
    let (stem, ending) = parts.last()?.rsplit_once('.')?;
    let mut names = stem.split('_');
    let (cluster, namespace, container) = (names.next()?, names.next()?, names.next()?);
    let fits = matches!(ending, "jsonl" | "json" | "log" | "csv") && names.next().is_none();
    (fits && !is_pod(cluster) && CONTAINERS.contains(&container)).then(|| Place {
        cluster: owned(cluster),
        namespace: owned(namespace),
        container: owned(container),
        ..Place::default()
    })
}

/// hcpctl snapshot: `maestro/serverLogs.md`, `maestro/agentLogs.md`.
fn snapshot(parts: &[&str]) -> Option<Place> {
    let container = match parts {
        [.., "maestro", "serverLogs.md"] => "maestro-server",
        [.., "maestro", "agentLogs.md"] => "maestro-agent",
        _ => return None,
    };
    Some(Place { namespace: owned("maestro"), container: owned(container), ..Place::default() })
}

/// hcpctl must-gather before March 2026: `<Role>-<namespace>-<container>.log`, the pods of a container together.
fn role_and_container(parts: &[&str]) -> Option<Place> {
    let stem = parts.last()?.strip_suffix(".log")?;
    let (role, rest) = stem.split_once('-')?;
    let container = CONTAINERS.iter().find(|container| rest.ends_with(*container))?;
    let namespace = rest.strip_suffix(container)?.strip_suffix('-')?;
    role.starts_with(|letter: char| letter.is_ascii_uppercase()).then(|| Place {
        namespace: owned(namespace),
        container: owned(container),
        ..Place::default()
    })
}

/// `<pod>.log`, `<pod>.previous.log`, `<pod>_<container>.log`, `<pod>/<container>.log`.
fn named_after_pod(parts: &[&str]) -> Option<Place> {
    let (name, previous) = stem(parts.last()?);
    let (pod, container) = name.split_once('_').map_or((name, None), |(pod, container)| (pod, owned(container)));
    if is_pod(pod) {
        return Some(Place { pod: owned(pod), container, previous, ..Place::default() });
    }
    let [.., folder, _] = parts else { return None };
    is_pod(folder).then(|| Place { pod: owned(folder), container: owned(name), previous, ..Place::default() })
}

/// A file's name without its endings, and whether it is the log before a restart.
fn stem(file: &str) -> (&str, bool) {
    let stem = [".log", ".txt", ".jsonl"].iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(file);
    let previous = [".previous", "-previous", "_previous"].iter().find_map(|ending| stem.strip_suffix(ending));
    previous.map_or((stem, false), |stem| (stem, true))
}

/// A pod of a Deployment (`name-<hash>-<5 characters>`), or of a StatefulSet of Maestro (`maestro…-<number>`).
fn is_pod(name: &str) -> bool {
    let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let Some((rest, last)) = name.rsplit_once('-') else { return false };
    if !last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit()) {
        return rest.starts_with("maestro");
    }
    rest.rsplit_once('-').is_some_and(|(name, hash)| {
        !name.is_empty() && last.len() == 5 && word(last) && (5..=10).contains(&hash.len()) && word(hash)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cluster, namespace, pod and container, with a `-` for each that is not told, and whether it is the log before.
    fn told(name: &str) -> String {
        let place = place_of(name);
        let parts = [place.cluster, place.namespace, place.pod, place.container];
        let parts = parts.map(|part| part.unwrap_or_else(|| "-".to_owned())).join(" ");
        if place.previous { format!("{parts} previous") } else { parts }
    }

    #[test]
    fn each_tool_names_files_in_its_own_way() {
        let pod = "maestro-agent-7d9c5b6f4-abcde";
        let id = "0123456789abcdef".repeat(4);
        let names = [
            (
                format!("night/logs/mgmt-1/maestro/{pod}/maestro-agent.previous.log"),
                format!("mgmt-1 maestro {pod} maestro-agent previous"),
            ),
            (
                format!("mg/mgmt/namespaces/maestro/pods/{pod}/maestro-agent/maestro-agent/logs/current.log"),
                format!("mgmt maestro {pod} maestro-agent"),
            ),
            (
                format!("mg/image-sha256-1/namespaces/maestro/pods/{pod}/c/c/logs/previous.insecure.log"),
                format!("- maestro {pod} c previous"),
            ),
            (
                format!("mg/x/namespaces/maestro/pods/{pod}/c/c/logs/rotated/0.log.20260115-101010"),
                format!("- maestro {pod} c"),
            ),
            (
                format!("svc/maestro_{pod}_8eb1377e-1111-4222-8333-444444444444/service/0.log"),
                format!("svc maestro {pod} service"),
            ),
            (format!("{pod}_maestro_maestro-agent-{id}.log"), format!("- maestro {pod} maestro-agent")),
            (format!("mgmt-2/{pod}-maestro-agent-json.log"), format!("mgmt-2 - {pod} maestro-agent")),
            (
                "int-uksouth-svc-1_maestro_maestro-server.jsonl".into(),
                "int-uksouth-svc-1 maestro - maestro-server".into(),
            ),
            ("test/resources/a/maestro/agentLogs.md".into(), "- maestro - maestro-agent".into()),
            ("Service-maestro-maestro-server.log".into(), "- maestro - maestro-server".into()),
            (format!("{pod}.log"), format!("- - {pod} -")),
            (format!("{pod}_maestro-agent-previous.log"), format!("- - {pod} maestro-agent previous")),
            (format!("{pod}/maestro-agent.log"), format!("- - {pod} maestro-agent")),
            ("maestro-0.log".into(), "- - maestro-0 -".into()),
            ("night/server.log".into(), "- - - -".into()),
            ("svc/server.log".into(), "svc - - -".into()),
        ];
        for (name, expected) in names {
            assert_eq!(told(&name), expected, "{name}");
        }
    }
}
