//! Clusters are read through a real API server, as a user would: with the built program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod connecting;
mod lists;
mod logs;
mod objects;
mod reading;
mod rights;
mod same;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dacapo::bundle::{Reader, Rows};
use dacapo::schema::Step;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::cluster::Cluster;
use crate::support::{Answer, dacapo, run};

/// A collection, and what came of it.
struct Live {
    answer: Answer,
    bundle: PathBuf,
    _folder: TempDir,
}

/// How one step went.
#[derive(Debug)]
struct Went {
    target: String,
    outcome: String,
    rows: i64,
    whole: bool,
    error: String,
    remark: String,
}

/// `collect` with these arguments, and without a database unless they name one.
fn collect<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Live {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let database: &[&str] = if arguments.contains(&"--database".into()) { &[] } else { &["--database", "none"] };
    let folder = TempDir::with_prefix("dacapo-live-").unwrap();
    let bundle = folder.path().join("x.dacapo");
    let mut command = dacapo();
    command.arg("collect").args(database).args(&arguments).arg("-o").arg(&bundle);
    command.env_remove("KUBECONFIG").env("HOME", folder.path());
    Live { answer: run(&mut command), bundle, _folder: folder }
}

/// Collects one cluster as this user.
fn collect_as(cluster: &Cluster, user: &str, more: &[&str]) -> Live {
    let config = cluster.kubeconfig_as(user, "mgmt-1");
    let named = [OsString::from("--mgmt-kubeconfig"), config.into()];
    collect(named.into_iter().chain(more.iter().map(OsString::from)))
}

impl Live {
    fn reader(&self) -> Reader {
        assert_eq!(self.answer.code, Some(0), "{}", self.answer.describe());
        let reader = Reader::open(&self.bundle).unwrap();
        reader.verify().unwrap();
        reader
    }

    fn steps(&self) -> Vec<Went> {
        let mut steps = Vec::new();
        let text = |text: Option<std::borrow::Cow<'_, str>>| text.map(std::borrow::Cow::into_owned);
        let each = |_, step: Step<'_>| {
            assert!(step.started_at.is_some(), "{} does not say when it was read", step.target);
            steps.push(Went {
                target: step.target.into_owned(),
                outcome: step.outcome.into_owned(),
                rows: step.rows,
                whole: step.whole,
                error: text(step.error).unwrap_or_default(),
                remark: text(step.remark).unwrap_or_default(),
            });
        };
        self.reader().records::<Step<'static>>(&Rows::All, each).unwrap();
        steps
    }

    /// The step of a target below the cluster.
    fn step(&self, target: &str) -> Went {
        let target = format!("mgmt-1/{target}");
        let mut steps = self.steps();
        let names: Vec<String> = steps.iter().map(|step| format!("{} {}", step.target, step.outcome)).collect();
        let at = steps.iter().position(|step| step.target == target);
        steps.swap_remove(at.unwrap_or_else(|| panic!("there is no step {target}: {names:#?}")))
    }

    /// A column of a table.
    fn column(&self, table: &str, column: &str) -> Vec<String> {
        let mut texts = Vec::new();
        self.reader().texts(table, column, |_, text| texts.push(text.to_owned())).unwrap();
        texts
    }

    /// Every byte that any table holds as text.
    fn holds(&self, text: &str) -> bool {
        ["kube_objects", "applied_manifest_works", "manifest_works", "kube_events", "unknown"].iter().any(|table| {
            let column = if *table == "unknown" { "value" } else { "object" };
            self.column(table, column).iter().any(|object| object.contains(text))
        })
    }
}

/// An AppliedManifestWork that lists these: `(group, version, plural, namespace, name)`.
fn work(name: &str, applied: &[(&str, &str, &str, &str, &str)]) -> Value {
    let listed = |(group, version, plural, namespace, name): &(&str, &str, &str, &str, &str)| json!({"group": group, "version": version, "resource": plural, "namespace": namespace, "name": name, "uid": "u"});
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork",
        "metadata": {"name": name},
        "spec": {"hubHash": "hub", "agentID": "agent", "manifestWorkName": name},
        "status": {"appliedResources": applied.iter().map(listed).collect::<Vec<Value>>()},
    })
}

fn config_map(namespace: &str, name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": {"of": name}})
}

fn path_of(file: &Path) -> String {
    file.display().to_string()
}
