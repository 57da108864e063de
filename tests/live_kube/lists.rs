//! Lists are read to their end, whatever happens on the way.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{collect, collect_as, path_of, work};
use crate::support::cluster::Cluster;
use crate::support::cluster::proxy::{Fate, Proxy};
use crate::support::on_two_threads;

const WORKS: usize = 2000;

/// One with many works, for tests that only read.
fn many() -> Option<&'static Cluster> {
    static MANY: OnceLock<Option<Cluster>> = OnceLock::new();
    let cluster = MANY.get_or_init(|| {
        let cluster = Cluster::start()?;
        cluster.crds();
        let numbers: Vec<usize> = (0..WORKS).collect();
        on_two_threads(&numbers, |number| {
            let name = format!("hub-work-{number}");
            cluster.apply(&work(&name, &[("", "v1", "configmaps", "demo", &name)]));
        });
        Some(cluster)
    });
    cluster.as_ref()
}

const LIST: &str = "/apis/work.open-cluster-management.io/v1/appliedmanifestworks?";

#[test]
fn a_long_list_comes_in_pages_and_is_whole() {
    let Some(cluster) = many() else { return };
    let live = collect_as(cluster, "admin", &[]);
    let step = live.step("kube/mgmt-1/appliedmanifestworks");
    assert_eq!((step.outcome.as_str(), step.rows, step.whole), ("ok", WORKS as i64, true), "{step:?}");
    let uids = live.column("applied_manifest_works", "uid");
    assert_eq!((uids.len(), uids.iter().collect::<BTreeSet<_>>().len()), (WORKS, WORKS));
    let pages = cluster.audit().into_iter().filter(|event| event.uri.starts_with(LIST) && event.verb == "list");
    assert!(pages.filter(|page| page.uri.contains("continue=")).count() >= 3);
}

#[test]
fn a_list_that_expired_is_begun_anew() {
    let Some(cluster) = many() else { return };
    let expired = AtomicBool::new(false);
    let proxy = Proxy::before(cluster, move |_, path| {
        let third = path.starts_with(LIST) && path.contains("continue=") && !expired.swap(true, Ordering::Relaxed);
        if third { Fate::Answered("410 Gone") } else { Fate::Passes }
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    let step = live.step("kube/mgmt-1/appliedmanifestworks");
    assert_eq!((step.outcome.as_str(), step.rows, step.whole), ("ok", WORKS as i64, true), "{step:?}");
    let first = proxy.asked().iter().filter(|path| path.starts_with(LIST) && !path.contains("continue=")).count();
    assert_eq!(first, 2);
}

/// All of a page is in memory; one that is too long comes again in smaller ones, and what came before stays.
#[test]
fn a_page_that_is_too_long_comes_in_smaller_ones() {
    let Some(cluster) = many() else { return };
    let proxy = Proxy::before(cluster, |_, path| {
        let second = path.starts_with(LIST) && path.contains("limit=500") && path.contains("continue=");
        if second { Fate::Long((256 << 20) + 1) } else { Fate::Passes }
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    let step = live.step("kube/mgmt-1/appliedmanifestworks");
    assert_eq!((step.outcome.as_str(), step.rows, step.whole), ("ok", WORKS as i64, true), "{step:?}");
    let uids = live.column("applied_manifest_works", "uid");
    assert_eq!(uids.iter().collect::<BTreeSet<_>>().len(), WORKS);
    let asked = |size: &str| proxy.asked().iter().filter(|path| path.starts_with(&format!("{LIST}{size}&"))).count();
    assert_eq!((asked("limit=500"), asked("limit=50")), (1, (WORKS - 500) / 50));
}

#[test]
fn pods_that_come_again_have_their_logs_once() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    cluster.namespace("maestro");
    cluster.pod("maestro", "maestro-agent-6f7d-abcde", &["maestro-agent"], 0);
    cluster.put_log("maestro", "maestro-agent-6f7d-abcde", "maestro-agent", "2026-03-01T10:00:00Z hello\n");
    let numbers: Vec<usize> = (0..500).collect();
    on_two_threads(&numbers, |number| {
        cluster.apply(&serde_json::json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": format!("web-{number}"), "namespace": "maestro"},
            "spec": {"containers": [{"name": "web", "image": "x"}]},
        }));
    });
    // Leaked on purpose: the proxy's thread lives as long as the tests.
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let expired = AtomicBool::new(false);
    let proxy = Proxy::before(cluster, move |_, path| {
        let second = path.starts_with("/api/v1/namespaces/maestro/pods?") && path.contains("continue=");
        let is_first_time = second && !expired.swap(true, Ordering::Relaxed);
        if is_first_time { Fate::Answered("410 Gone") } else { Fate::Passes }
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    assert_eq!(live.step("kube/mgmt-1/maestro/pods").rows, 501);
    let begun =
        |path: &&String| path.starts_with("/api/v1/namespaces/maestro/pods?limit=500") && !path.contains("continue=");
    assert_eq!(proxy.asked().iter().filter(begun).count(), 2);
    assert_eq!(proxy.asked().iter().filter(|path| path.contains("/log?")).count(), 1);
}

#[test]
fn pages_that_are_refused_for_a_moment_are_asked_for_again() {
    let Some(cluster) = many() else { return };
    let proxy = Proxy::before(cluster, |number, _| match number {
        2 => Fate::Answered("429 Too Many Requests\r\nRetry-After: 1"),
        4 => Fate::Lost,
        6 => Fate::Answered("503 Service Unavailable"),
        _ => Fate::Passes,
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config), "--parallel", "1"]);
    let step = live.step("kube/mgmt-1/appliedmanifestworks");
    assert_eq!((step.outcome.as_str(), step.rows), ("ok", WORKS as i64), "{step:?}");
    assert!(live.steps().iter().all(|step| step.outcome == "ok"), "{:#?}", live.steps());
}

#[test]
fn what_came_before_the_api_server_stopped_is_kept() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.crds();
    let numbers: Vec<usize> = (0..600).collect();
    on_two_threads(&numbers, |number| cluster.apply(&work(&format!("hub-work-{number}"), &[])));
    // Leaked on purpose: the proxy's thread lives as long as the tests.
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let proxy = Proxy::before(cluster, |_, path| {
        if path.starts_with(LIST) && path.contains("continue=") {
            cluster.stop_api_server();
        }
        Fate::Passes
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    let step = live.step("kube/mgmt-1/appliedmanifestworks");
    assert_eq!((step.outcome.as_str(), step.rows, step.whole), ("partial", 500, false), "{step:?}");
    assert!(!step.error.is_empty());
    let definitions = live.step("kube/mgmt-1/customresourcedefinitions.apiextensions.k8s.io");
    assert_eq!(definitions.outcome, "failed");
    assert!(live.answer.stderr.contains("appliedmanifestworks partial"), "{}", live.answer.stderr);
}
