//! Logs come line by line, with their limits, and say where they end.

use super::{Live, collect, collect_as, path_of};
use crate::support::cluster::Cluster;
use crate::support::cluster::proxy::{Fate, Proxy};
use crate::support::{dacapo, run};
use dacapo::bundle::Rows;
use dacapo::schema::{Coverage, LogLine};

const POD: &str = "maestro-agent-6f7d-abcde";
const LOG: &str = "logs/mgmt-1/maestro/maestro-agent-6f7d-abcde/maestro-agent.log";

fn line(second: u32) -> String {
    format!("2026-03-01T10:00:{second:02}.5Z I0301 10:00:{second:02}.500000       1 x.go:1] \"line {second}\"\n")
}

fn cluster(seconds: u32) -> Option<Cluster> {
    let cluster = Cluster::start()?;
    cluster.crds();
    cluster.namespace("maestro");
    cluster.pod("maestro", POD, &["maestro-agent"], 0);
    cluster.put_log("maestro", POD, "maestro-agent", &(0..seconds).map(line).collect::<String>());
    Some(cluster)
}

fn messages(live: &Live) -> Vec<String> {
    let mut messages = Vec::new();
    let each = |_, line: LogLine<'_>| messages.push(line.message.unwrap_or_default().into_owned());
    live.reader().records::<LogLine<'static>>(&Rows::All, each).unwrap();
    messages
}

#[test]
fn a_log_is_taken_from_and_up_to_a_time() {
    let Some(cluster) = cluster(30) else { return };
    assert_eq!(messages(&collect_as(&cluster, "admin", &[])).len(), 30);
    let live = collect_as(&cluster, "admin", &["--since", "2026-03-01T10:00:10Z", "--until", "2026-03-01T10:00:20Z"]);
    let messages = messages(&live);
    assert_eq!((messages.len(), messages[0].as_str(), messages[9].as_str()), (10, "line 10", "line 19"));
    let step = live.step(LOG);
    assert_eq!((step.outcome.as_str(), step.whole), ("ok", false));
    assert!(step.remark.contains("from 2026-03-01T10:00:10") && step.remark.contains("after 2026-03-01T10:00:20"));
    // Silence after the last line that was asked for means nothing.
    let mut ends = Vec::new();
    let each = |_, cover: Coverage<'_>| ends.push(cover.last_at.map(|at| at.to_string()));
    live.reader().records::<Coverage<'static>>(&Rows::All, each).unwrap();
    assert_eq!(ends, [Some("2026-03-01T10:00:19.500000Z".to_owned())]);
}

#[test]
fn a_log_that_is_too_long_is_cut_between_lines() {
    let Some(cluster) = cluster(30) else { return };
    let live = collect_as(&cluster, "admin", &["--max-bytes", "1k"]);
    let step = live.step(LOG);
    assert!(step.rows > 5 && step.rows < 20, "{step:?}");
    assert!(step.remark.contains("after 1024 bytes"), "{step:?}");
    assert!(messages(&live).iter().all(|message| message.starts_with("line ")));
}

#[test]
fn a_log_that_breaks_off_is_kept_as_far_as_it_came() {
    let Some(cluster) = cluster(50) else { return };
    cluster.cut_log("maestro", POD, "maestro-agent");
    let live = collect_as(&cluster, "admin", &[]);
    let step = live.step(LOG);
    assert_eq!((step.outcome.as_str(), step.whole), ("partial", false), "{step:?}");
    let messages = messages(&live);
    assert!(!messages.is_empty() && messages.len() < 50);
    let expected: Vec<String> = (0..messages.len()).map(|number| format!("line {number}")).collect();
    let whole = messages.len() - 1;
    assert_eq!(messages[..whole], expected[..whole], "only the last line may be half of one");
}

#[test]
fn a_log_that_never_ends_is_left_in_time() {
    let Some(cluster) = cluster(5) else { return };
    // The API server hands on what fills its buffers.
    let text: String = (0..5000).map(|number| line(number % 60)).collect();
    cluster.put_log("maestro", POD, "maestro-agent", &text);
    cluster.stall_log("maestro", POD, "maestro-agent");
    let live = collect_as(&cluster, "admin", &["--request-timeout", "2s"]);
    let step = live.step(LOG);
    assert_eq!(step.outcome, "partial", "{step:?}");
    assert!(step.rows > 0 && !step.whole && step.error.contains("no answer within 2 s"), "{step:?}");
    let all = collect_as(&cluster, "admin", &["--timeout", "3s"]);
    let step = all.step(LOG);
    assert!(step.error.contains("the 3 s for the whole collection were over"), "{step:?}");
}

#[test]
fn a_log_that_is_not_there_is_not_found() {
    let Some(cluster) = cluster(5) else { return };
    cluster.pod("maestro", "maestro-agent-6f7d-waits", &["maestro-agent"], 1);
    let live = collect_as(&cluster, "admin", &[]);
    for (file, words) in
        [("maestro-agent.log", "is waiting to start"), ("maestro-agent.previous.log", "previous terminated container")]
    {
        let step = live.step(&format!("logs/mgmt-1/maestro/maestro-agent-6f7d-waits/{file}"));
        assert_eq!(step.outcome, "not found", "{step:?}");
        assert!(step.error.contains(words), "{step:?}");
    }
    assert_eq!(live.step(LOG).outcome, "ok");
}

#[test]
fn a_pod_that_goes_before_its_log_is_read_is_not_found() {
    let Some(cluster) = cluster(5) else { return };
    cluster.pod("maestro", "maestro-agent-6f7d-goes", &["maestro-agent"], 0);
    // Leaked on purpose: the proxy's thread lives as long as the tests.
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let proxy = Proxy::before(cluster, |_, path| {
        if path.contains("/pods/maestro-agent-6f7d-goes/log?") {
            cluster.delete("/api/v1/namespaces/maestro/pods/maestro-agent-6f7d-goes");
        }
        Fate::Passes
    });
    let live = collect(["--mgmt-kubeconfig", &path_of(&proxy.config)]);
    let step = live.step("logs/mgmt-1/maestro/maestro-agent-6f7d-goes/maestro-agent.log");
    assert_eq!(step.outcome, "not found", "{step:?}");
    assert!(step.error.contains("404"), "{step:?}");
    assert_eq!(live.step(LOG).outcome, "ok");
}

#[test]
fn a_line_that_is_longer_than_anything_comes_whole() {
    let Some(cluster) = cluster(1) else { return };
    let long = "x".repeat(3 << 20);
    let text = format!("{}2026-03-01T10:00:01Z I0301 10:00:01.000000       1 x.go:1] \"{long}\"\n{}", line(0), line(2));
    cluster.put_log("maestro", POD, "maestro-agent", &text);
    let live = collect_as(&cluster, "admin", &[]);
    let found: i64 = messages(&live).iter().map(|message| message.matches('x').count() as i64).sum();
    assert_eq!((live.step(LOG).outcome.as_str(), found), ("ok", 3 << 20));
}

#[test]
fn inspect_tells_how_each_log_was_read() {
    let Some(cluster) = cluster(3) else { return };
    let live = collect_as(&cluster, "admin", &[]);
    let answer = run(dacapo().arg("inspect").arg(&live.bundle));
    assert!(answer.stdout.contains("maestro-agent.log"), "{}", answer.stdout);
}
