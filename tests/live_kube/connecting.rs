//! Which cluster is meant, and what happens when it cannot be reached.

use super::{Went, collect, path_of};
use crate::support::cluster::Cluster;
use crate::support::cluster::proxy::{Fate, Proxy};
use crate::support::{dacapo, process, rows, run};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

#[test]
fn a_cluster_is_called_like_its_context_and_two_are_told_apart() {
    let (Some(one), Some(two)) = (Cluster::start(), Cluster::start()) else { return };
    for cluster in [&one, &two] {
        cluster.crds();
        cluster.namespace("maestro");
    }
    let [first, second] = [&one, &two].map(|cluster| cluster.kubeconfig_as("admin", "fleet@mgmt:1"));
    let live = collect(["--mgmt-kubeconfig", &path_of(&first), "--mgmt-kubeconfig", &path_of(&second)]);
    let targets: Vec<String> = live.steps().into_iter().map(|step| step.target).collect();
    for name in ["fleet-mgmt-1", "fleet-mgmt-1-2"] {
        let target = format!("{name}/kube/{name}/appliedmanifestworks");
        assert!(targets.contains(&target), "{targets:#?}");
    }
    // The same cluster, named for both roles, is one cluster.
    let twice = collect(["--svc-kubeconfig", &path_of(&first), "--mgmt-kubeconfig", &path_of(&first)]);
    let steps = twice.steps();
    assert!(steps.iter().all(|step| step.target.starts_with("fleet-mgmt-1/")));
    // Agents run there too: that no work is applied means that.
    let works = |steps: &[Went]| {
        let works = steps.iter().find(|step| step.target.ends_with("/appliedmanifestworks")).unwrap();
        (works.rows, works.whole)
    };
    assert_eq!(works(&steps), (0, true));
    let service = collect(["--svc-kubeconfig", &path_of(&first)]);
    assert_eq!(works(&service.steps()), (0, false));
}

#[test]
fn a_context_that_is_not_there_names_those_that_are() {
    let Some(cluster) = Cluster::start() else { return };
    let config = path_of(&cluster.kubeconfig_as("admin", "mgmt-1"));
    let live = collect(["--mgmt-context", "mgmt-7", "--mgmt-kubeconfig", &config]);
    assert_eq!(live.answer.code, Some(2), "{}", live.answer.describe());
    assert!(live.answer.stderr.contains("no context \"mgmt-7\"; there are mgmt-1"), "{}", live.answer.stderr);
    assert!(!live.bundle.exists());
}

#[test]
fn one_cluster_that_is_away_does_not_cost_the_other() {
    let Some(cluster) = Cluster::start() else { return };
    let Some(away) = Cluster::start() else { return };
    cluster.crds();
    let [here, gone] =
        [(&cluster, "mgmt-1"), (&away, "mgmt-2")].map(|(cluster, name)| path_of(&cluster.kubeconfig_as("admin", name)));
    away.stop_api_server();
    let live = collect(["--mgmt-kubeconfig", &here, "--mgmt-kubeconfig", &gone]);
    assert_eq!(live.step("kube/mgmt-1/appliedmanifestworks").outcome, "ok");
    let steps = live.steps();
    let lost: Vec<_> = steps.iter().filter(|step| step.target.starts_with("mgmt-2/")).collect();
    assert_eq!(lost.len(), 1, "{lost:#?}");
    assert_eq!(lost[0].outcome, "failed");
    assert!(lost[0].error.contains("onnection refused"), "{lost:#?}");
    assert!(lost[0].error.starts_with(&format!("127.0.0.1:{}: ", away.port())), "{lost:#?}");
}

#[test]
fn who_is_not_known_is_denied() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let known = cluster.kubeconfig_as("admin", "mgmt-1");
    let text = fs::read_to_string(&known).unwrap().replace("admin-token", "nobody-token");
    let unknown = known.with_extension("unknown");
    fs::write(&unknown, text).unwrap();
    let live = collect(["--mgmt-kubeconfig", &path_of(&unknown)]);
    assert_eq!(live.answer.code, Some(2), "{}", live.answer.describe());
    assert!(live.answer.stderr.contains("401 Unauthorized"), "{}", live.answer.stderr);
}

/// A kubeconfig whose user gets its token from a command.
fn with_plugin(cluster: &Cluster, command: &str) -> String {
    let config = cluster.kubeconfig_as("admin", "mgmt-1");
    let mut text: Value = serde_json::from_str(&fs::read_to_string(&config).unwrap()).unwrap();
    text["users"][0]["user"] = json!({"exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": ["-c", command],
        "interactiveMode": "Never",
    }});
    fs::write(&config, text.to_string()).unwrap();
    path_of(&config)
}

#[test]
fn a_token_comes_from_a_plugin_and_again_when_it_is_over() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let folder = tempfile::tempdir().unwrap();
    let (answer, runs) = (folder.path().join("credential"), folder.path().join("runs"));
    let credential = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "status": {"token": "admin-token", "expirationTimestamp": "2020-01-01T00:00:00Z"},
    });
    fs::write(&answer, credential.to_string()).unwrap();
    let config = with_plugin(&cluster, &format!("echo run >> {}; cat {}", runs.display(), answer.display()));
    let live = collect(["--mgmt-kubeconfig", &config]);
    assert_eq!(live.step("kube/mgmt-1/appliedmanifestworks").outcome, "ok");
    assert!(fs::read_to_string(&runs).unwrap().lines().count() > 1);
}

#[test]
fn a_plugin_that_waits_is_not_waited_for() {
    let Some(cluster) = Cluster::start() else { return };
    let config = with_plugin(&cluster, "sleep 5 >/dev/null 2>&1");
    let live = collect(["--mgmt-kubeconfig", &config, "--request-timeout", "1s"]);
    assert_eq!(live.answer.code, Some(2), "{}", live.answer.describe());
    assert!(live.answer.stderr.contains("timed out: no answer within 1 s"), "{}", live.answer.stderr);
}

#[test]
fn a_clock_that_differs_is_told() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let proxy = Proxy::before(cluster, |_, path| match path {
        "/version" => Fate::Answered("200 OK\r\nDate: Thu, 15 Jan 2026 09:45:12 GMT"),
        _ => Fate::Passes,
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    let notes = live.reader().manifest().notes.join("\n");
    assert!(notes.contains("the clock of mgmt-1 was"), "{notes}");
}

/// Whoever refuses may be somebody on the way, with a clock of its own.
#[test]
fn a_refusal_does_not_tell_what_time_it_is() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let proxy = Proxy::before(cluster, |number, _| match number {
        1 => Fate::Answered("503 Service Unavailable\r\nDate: Thu, 15 Jan 2026 09:45:12 GMT"),
        _ => Fate::Passes,
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    assert_eq!(live.step("kube/mgmt-1/appliedmanifestworks").outcome, "ok");
    let notes = live.reader().manifest().notes.join("\n");
    assert!(!notes.contains("the clock of mgmt-1"), "{notes}");
}

#[test]
fn a_certificate_lets_in_as_well_as_a_token() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let config = cluster.kubeconfig_as("admin", "mgmt-1");
    let mut text: Value = serde_json::from_str(&fs::read_to_string(&config).unwrap()).unwrap();
    let [certificate, key] = ["admin.crt", "admin.key"].map(|name| cluster.file(name));
    text["users"][0]["user"] = json!({"client-certificate": certificate, "client-key": key});
    fs::write(&config, text.to_string()).unwrap();
    let live = collect(["--mgmt-kubeconfig", &path_of(&config)]);
    assert!(live.steps().iter().all(|step| step.outcome == "ok"), "{:#?}", live.steps());
    text["users"][0]["user"] = json!({});
    fs::write(&config, text.to_string()).unwrap();
    let nobody = collect(["--mgmt-kubeconfig", &path_of(&config)]);
    assert_eq!(nobody.answer.code, Some(2), "{}", nobody.answer.describe());
    assert!(nobody.answer.stderr.contains("system:anonymous"), "{}", nobody.answer.describe());
}

/// Puts what a pod finds there below /var/run, for one command and what it starts.
const IN_A_POD: &str = r#"
mount -t tmpfs none "$(readlink -f /var/run)"
place=/var/run/secrets/kubernetes.io/serviceaccount
mkdir -p "$place"
printf admin-token > "$place/token"
printf maestro > "$place/namespace"
cp "$1" "$place/ca.crt"
shift
exec "$@""#;

#[test]
fn in_a_pod_its_own_account_is_used() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let unshare = Command::new("unshare").args(["--map-root-user", "--mount", "true"]).output();
    if !unshare.is_ok_and(|output| output.status.success()) {
        return process::skip("unshare is not allowed to mount").unwrap_or_default();
    }
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("x.dacapo");
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-ec", IN_A_POD, "pod"]).arg(cluster.file("apiserver.crt"));
    command.arg(env!("CARGO_BIN_EXE_dacapo")).args(["collect", "--database", "none", "--mgmt-context", "", "-o"]);
    command.arg(&bundle).env_remove("KUBECONFIG").env("HOME", folder.path());
    command.env("KUBERNETES_SERVICE_HOST", "127.0.0.1").env("KUBERNETES_SERVICE_PORT", cluster.port().to_string());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let steps = rows::steps(&bundle);
    assert_eq!(steps["mgmt/kube/mgmt/appliedmanifestworks"]["outcome"], "ok", "{steps:#?}");
}

#[test]
fn a_dry_run_sends_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    let config = path_of(&cluster.kubeconfig_as("collector", "mgmt-1"));
    let answer =
        run(dacapo().args(["collect", "--dry-run", "--since", "2026-03-01T10:00:00Z", "--mgmt-kubeconfig", &config]));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    for request in [
        "GET /apis/work.open-cluster-management.io/v1/appliedmanifestworks?limit=500",
        "GET /api/v1/pods?limit=500&labelSelector=app%20in%20%28maestro%2Cmaestro-agent%29",
        "GET /api/v1/namespaces/<each namespace of Maestro>/events?limit=500",
        "&timestamps=true&previous=true&sinceTime=2026-03-01T10%3A00%3A00",
    ] {
        assert!(answer.stdout.contains(request), "{request}: {}", answer.stdout);
    }
    assert!(cluster.audit().iter().all(|event| event.user != "collector"));
}
