//! A breakglass deployment that was started is put back, however long that takes and whoever wants to leave.

use std::io::Write;
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

/// Other sources go on while a person thinks.
#[test]
fn nothing_is_written_over_a_question() {
    let Some(site) = Site::start() else { return };
    site.breakglass_deployment(0);
    let folder = TempDir::new().unwrap();
    let command = site.command("admin", &["--scale-breakglass"], &folder);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ");
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("TERM", "xterm").env("HOME", "/nowhere");
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut person = child.stdin.take().unwrap();
    // The last that each source asks for.
    let asked = |what: &str| {
        site.cluster.audit().iter().any(|event| event.agent.starts_with("dacapo/") && event.uri.contains(what))
    };
    let started = Instant::now();
    while !(asked("/postgres-breakglass/scale") && asked("/customresourcedefinitions?")) {
        assert!(started.elapsed() < Duration::from_secs(60), "it was not read");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    person.write_all(b"never\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let (_, after) = shown.split_once("Execute them? (yes/no): ").unwrap_or_else(|| panic!("{shown}"));
    assert!(after.starts_with("never"), "{after}");
}
