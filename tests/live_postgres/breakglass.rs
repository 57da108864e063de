//! A breakglass deployment that was started is put back, however long that takes and whoever wants to leave.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::cluster::proxy::{Fate, Proxy};
use crate::support::rows;

use super::pods::Site;
use super::program;

const SCALE: &str = "PATCH /apis/apps/v1/namespaces/maestro/deployments/postgres-breakglass/scale?";

/// A deployment at rest behind a proxy that is so late with its first change and its second.
fn at_rest(late: [Duration; 2]) -> Option<(&'static Site, Proxy)> {
    // Leaked on purpose: the proxy's thread lives as long as the tests.
    let site: &'static Site = Box::leak(Box::new(Site::start()?));
    site.breakglass_deployment(0);
    let late = std::sync::Mutex::new(late.into_iter());
    let proxy = Proxy::before(&site.cluster, move |_, path| {
        let change = path.starts_with(SCALE).then(|| late.lock().unwrap().next()).flatten();
        change.map_or(Fate::Passes, Fate::Late)
    });
    Some((site, proxy))
}

fn collect(proxy: &Proxy, more: &[&str], folder: &TempDir) -> Child {
    let mut command = program();
    command.args(["collect", "--scale-breakglass", "--yes", "--svc-kubeconfig"]).arg(&proxy.config);
    command.args(more).arg("-o").arg(folder.path().join("x.dacapo")).env_remove("KUBECONFIG");
    command.stderr(Stdio::piped()).spawn().unwrap()
}

fn until_changed(proxy: &Proxy, times: usize) {
    let started = Instant::now();
    while proxy.asked().iter().filter(|path| path.starts_with(SCALE)).count() < times {
        assert!(started.elapsed() < Duration::from_secs(60), "{:#?}", proxy.asked());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_signal_ends_what_puts_it_back() {
    let Some((site, proxy)) = at_rest([Duration::ZERO, Duration::from_secs(3)]) else { return };
    let folder = TempDir::new().unwrap();
    let child = collect(&proxy, &[], &folder);
    site.until_scaled(1);
    let signal =
        |name: &str| assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    signal("-INT");
    // The change back is on its way now, and takes a while.
    until_changed(&proxy, 2);
    for name in ["-INT", "-INT", "-HUP", "-TERM"] {
        signal(name);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(site.replicas(), 1, "the change back came before the signals");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(site.replicas(), 0);
}

/// Ten seconds are waited for the answer to a change; this one is made after twelve.
#[test]
fn a_start_that_comes_late_is_put_back_as_well() {
    let Some((site, proxy)) = at_rest([Duration::from_secs(12), Duration::ZERO]) else { return };
    let folder = TempDir::new().unwrap();
    let output = collect(&proxy, &[], &folder).wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("it may start all the same"), "{told}");
    assert_eq!((site.replicas(), site.changes()), (0, 2), "up, late, and down");
    let steps = rows::steps(&folder.path().join("x.dacapo"));
    assert_eq!(steps["mgmt-1/db/server"]["error"], "no answer within 10 s", "{steps:#?}");
    assert!(steps["mgmt-1/db/postgres-breakglass"]["remark"].contains("put back to 0 replicas"), "{steps:#?}");
}
