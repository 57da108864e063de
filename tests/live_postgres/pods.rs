//! The database through pods of the service cluster: psql runs there, and only reads.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::Answer;
use crate::support::cluster::Cluster;
use crate::support::postgres::Postgres;
use crate::support::rows::{self, Row};

use super::safety::statements;
use super::session::Session;
use super::{Live, TABLES, program, with_rows};

/// A cluster in which commands find this database.
pub struct Site {
    pub cluster: Cluster,
    postgres: Postgres,
    folder: TempDir,
}

const NAMESPACE: &str = "maestro";
const SCALE: &str = "/apis/apps/v1/namespaces/maestro/deployments/postgres-breakglass/scale";

impl Site {
    pub fn start() -> Option<Self> {
        let (postgres, cluster) = (with_rows("healthy-create")?, Cluster::start()?);
        cluster.namespace(NAMESPACE);
        Some(Self { cluster, postgres, folder: TempDir::new().unwrap() })
    }

    /// A pod that is ready, with a label and variables.
    fn pod(&self, name: &str, (label, value): (&str, &str), variables: &[(&str, &str)]) {
        let node = self.cluster.kubelet();
        let [proxy, container] =
            ["proxy", "postgres"].map(|name| json!({"name": name, "image": "registry.example.com/postgres:16"}));
        let state = json!({
            "name": "postgres", "image": "x", "imageID": "x", "containerID": format!("containerd://{name}"),
            "ready": true, "started": true, "restartCount": 0,
            "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}},
        });
        self.cluster.apply(&json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": {label: value}, "annotations": {
                "kubectl.kubernetes.io/default-container": "postgres",
            }},
            "spec": {"nodeName": node, "containers": [proxy, container]},
            "status": {
                "phase": "Running",
                "conditions": [{"type": "Ready", "status": "True"}],
                "containerStatuses": [state],
            },
        }));
        let owned = variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        self.cluster.put_environment(NAMESPACE, name, "postgres", &owned.collect::<Vec<_>>());
    }

    /// The database itself, set up as its image does.
    fn database_pod(&self, role: &str) {
        let (port, password) = (self.postgres.port().to_string(), format!("{role}-password"));
        let variables = [
            ("PGHOST", "127.0.0.1"),
            ("PGPORT", &port),
            ("POSTGRES_USER", role),
            ("POSTGRES_PASSWORD", &password),
            ("POSTGRES_DB", "maestro"),
        ];
        self.pod("maestro-db-7c9d-xk2lp", ("name", "maestro-db"), &variables);
    }

    /// A way to the database for emergencies, whose script knows the password.
    fn breakglass_pod(&self) {
        let script = self.folder.path().join("connect");
        fs::write(&script, "#!/bin/sh\nexport PGPASSWORD=maestro-password\nexec psql\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let port = self.postgres.port().to_string();
        let variables = [
            ("PATH", path.as_str()),
            ("PGHOST", "127.0.0.1"),
            ("PGPORT", &port),
            ("PGUSER", "maestro"),
            ("PGDATABASE", "maestro"),
        ];
        self.pod("postgres-breakglass-5f6b-q8wzn", ("app", "postgres-breakglass"), &variables);
    }

    /// The deployment of such pods; none of them comes by itself.
    pub fn breakglass_deployment(&self, replicas: u32) {
        let labels = json!({"app": "postgres-breakglass"});
        self.cluster.apply(&json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "postgres-breakglass", "namespace": NAMESPACE, "labels": labels},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "postgres", "image": "x"}]}},
            },
        }));
    }

    pub fn replicas(&self) -> u64 {
        let scale: Value = serde_json::from_str(&self.cluster.get("admin", SCALE).unwrap().body).unwrap();
        scale["spec"]["replicas"].as_u64().unwrap_or_default()
    }

    /// How often it was scaled.
    pub fn changes(&self) -> usize {
        let asked = self.cluster.audit().into_iter();
        asked.filter(|event| event.subresource == "scale" && event.verb != "get").count()
    }

    pub fn until_scaled(&self, replicas: u64) {
        let started = Instant::now();
        while self.replicas() != replicas {
            assert!(started.elapsed() < Duration::from_secs(60), "it is never scaled to {replicas}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// `collect` of the service cluster as this user.
    pub fn command(&self, user: &str, more: &[&str], live: &TempDir) -> Command {
        let mut command = program();
        command.arg("collect").arg("--svc-kubeconfig").arg(self.cluster.kubeconfig_as(user, "svc"));
        command.args(more).arg("-o").arg(live.path().join("live.dacapo")).env_remove("KUBECONFIG");
        command
    }

    fn collect(&self, more: &[&str], stdin: &str) -> Live {
        let folder = TempDir::new().unwrap();
        let mut command = self.command("admin", more, &folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let answer = Answer { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) };
        Live { answer, bundle: folder.path().join("live.dacapo"), _folder: folder }
    }
}

/// The step `svc/db/<name>`.
fn step(live: &Live, name: &str) -> Row {
    assert_eq!(live.answer.code, Some(0), "{}", live.answer.describe());
    let steps = rows::steps(&live.bundle);
    steps.get(&format!("svc/db/{name}")).unwrap_or_else(|| panic!("no step {name} in {steps:#?}")).clone()
}

#[test]
fn the_database_pod_gives_what_a_direct_connection_gives() {
    let Some(site) = Site::start() else { return };
    site.database_pod("maestro");
    // Rows that look like what is between the tables, and cells of many lines.
    site.postgres.psql(
        "INSERT INTO consumers (id, name, labels) VALUES
             (E'odd\\nid', E'dacapo-0 end consumers 00000\\n\"quoted\"\\n\\\\q', '{\"a\": \"line\\nline\"}')",
    );
    let live = site.collect(&[], "");
    for table in TABLES {
        let step = step(&live, table);
        assert_eq!((step["outcome"].as_str(), step["whole"].as_str()), ("ok", "Bool(true)"), "{step:#?}");
        assert_eq!(step["cluster"], "svc");
    }
    let direct = super::collect(&site.postgres.url("maestro"), &[]);
    assert_eq!(rows::database(&live.bundle), rows::database(&direct.bundle));
    let remark = step(&live, "server")["remark"].clone();
    for told in ["through pod maestro/maestro-db-7c9d-xk2lp", "role maestro", "search path public", "other connections"]
    {
        assert!(remark.contains(told), "{told:?} is not in {remark}");
    }
}

#[test]
fn what_cannot_be_read_through_a_pod_costs_only_itself() {
    let Some(site) = Site::start() else { return };
    site.postgres.psql(
        "CREATE ROLE reader LOGIN PASSWORD 'reader-password';
         GRANT SELECT ON consumers, resources, events, server_instances TO reader;
         DROP TABLE event_instances",
    );
    site.database_pod("reader");
    let holder = Session::begin(&site.postgres, "BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE;");
    let live = site.collect(&["--request-timeout", "4s"], "");
    drop(holder);
    for (table, outcome, why) in [
        ("consumers", "ok", ""),
        ("resources", "timed out", "lock timeout (SQLSTATE 55P03)"),
        ("events", "ok", ""),
        ("event_instances", "not found", "SQLSTATE 42P01"),
        ("status_events", "denied", "permission denied for table status_events (SQLSTATE 42501)"),
    ] {
        let step = step(&live, table);
        assert_eq!(step["outcome"], outcome, "{step:#?}");
        assert!(step.get("error").map_or("", String::as_str).contains(why), "{step:#?}");
    }
}

#[test]
fn a_policy_never_makes_a_part_look_whole_and_a_window_needs_no_column() {
    let Some(site) = Site::start() else { return };
    site.postgres.psql(
        "CREATE ROLE reader LOGIN PASSWORD 'reader-password';
         GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
         ALTER TABLE consumers ENABLE ROW LEVEL SECURITY;
         ALTER TABLE status_events DROP COLUMN created_at CASCADE",
    );
    site.database_pod("reader");
    let live = site.collect(&["--events-since", "2999-01-01T00:00:00Z"], "");
    let consumers = step(&live, "consumers");
    assert_eq!(consumers["outcome"], "denied", "{consumers:#?}");
    assert!(consumers["error"].contains("row-level security"), "{consumers:#?}");
    let (events, status_events) = (step(&live, "events"), step(&live, "status_events"));
    assert_eq!((events["rows"].as_str(), events["whole"].as_str()), ("Int(0)", "Bool(false)"), "{events:#?}");
    let all = format!("Int({})", site.postgres.psql("SELECT count(*) FROM status_events"));
    assert_eq!((status_events["rows"].as_str(), status_events["whole"].as_str()), (all.as_str(), "Bool(true)"));
}

#[test]
fn psql_that_fails_says_why() {
    let Some(site) = Site::start() else { return };
    site.postgres.psql("ALTER ROLE maestro PASSWORD 'another'");
    site.database_pod("maestro");
    let live = site.collect(&[], "");
    let step = step(&live, "resources");
    assert_eq!(step["outcome"], "denied");
    assert!(step["error"].contains("password authentication failed for user \"maestro\""), "{step:#?}");
    assert!(!format!("{:?}", rows::steps(&live.bundle)).contains("maestro-password"));
}

#[test]
fn nothing_is_written_through_a_pod_and_nothing_secret_is_in_a_request() {
    let Some(site) = Site::start() else { return };
    site.database_pod("maestro");
    let live = site.collect(&[], "");
    assert_eq!(step(&live, "resources")["outcome"], "ok");
    let ran = statements(&site.postgres);
    let reads = ["begin ", "select ", "copy (select * from ", "savepoint ", "rollback"];
    let ours: Vec<&String> = ran.iter().filter(|statement| !statement.contains("user=")).collect();
    assert!(ours[0].starts_with("begin transaction isolation level repeatable read, read only"), "{ran:#?}");
    assert_eq!(ours.iter().filter(|statement| statement.starts_with("copy (")).count(), 6, "{ran:#?}");
    for statement in ours {
        assert!(reads.iter().any(|way| statement.starts_with(way)), "{statement} in {ran:#?}");
    }
    let asked = site.cluster.audit();
    let exec: Vec<_> = asked.iter().filter(|event| event.subresource == "exec").collect();
    assert_eq!(exec.len(), 1, "{exec:#?}");
    assert!(!exec[0].uri.contains("copy") && !exec[0].uri.contains("maestro-password"), "{}", exec[0].uri);
}

#[test]
fn who_may_not_run_commands_is_told_so() {
    let Some(site) = Site::start() else { return };
    site.database_pod("maestro");
    site.cluster.allow("collector", &["list"], "", &["pods"], None);
    let folder = TempDir::new().unwrap();
    let started = Instant::now();
    loop {
        let answer = super::run(site.command("collector", &["--check"], &folder));
        let flat = answer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        // RBAC learns of a new role by watching.
        if flat.contains("create pods/exec in maestro missing") && flat.contains("resources: [pods/exec]") {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{}", answer.stdout);
    }
    let answer = super::run(site.command("collector", &[], &folder));
    let told = answer.stderr.lines().find(|line| line.starts_with("svc/db/resources ")).unwrap_or_default();
    assert!(told.contains("denied") && told.contains("403"), "{}", answer.stderr);
}

#[test]
fn a_critical_environment_is_asked_only_after_a_yes() {
    let Some(site) = Site::start() else { return };
    site.breakglass_pod();
    for silence in ["", "no\n", "y\n"] {
        let live = site.collect(&[], silence);
        let step = step(&live, "server");
        assert_eq!((step["outcome"].as_str(), step["error"].as_str()), ("cancelled", "nobody said yes"), "{silence:?}");
        assert!(live.answer.stderr.contains("CRITICAL ENVIRONMENT"), "{}", live.answer.stderr);
        assert_eq!(statements(&site.postgres), Vec::<String>::new());
    }
    let live = site.collect(&[], "yes\n");
    assert_eq!(step(&live, "resources")["outcome"], "ok");
    assert!(step(&live, "server")["remark"].contains("confirmed by the person who collected"));
    // What was shown is what ran.
    let shown: Vec<&str> = live.answer.stderr.lines().map(|line| line.trim_end_matches(';')).collect();
    for statement in statements(&site.postgres).iter().filter(|statement| !statement.contains("user=")) {
        assert!(shown.contains(&statement.trim_end_matches(';')), "{statement} was not shown: {shown:#?}");
    }
    let secret = format!("{:?}{}", rows::steps(&live.bundle), live.answer.stderr);
    assert!(!secret.contains("maestro-password"));
    let live = site.collect(&["--yes"], "");
    assert!(live.answer.stderr.contains("CRITICAL ENVIRONMENT"), "{}", live.answer.stderr);
    assert!(live.answer.stderr.contains("copy (select * from resources)"), "{}", live.answer.stderr);
    assert!(step(&live, "server")["remark"].contains("confirmed beforehand with --yes"));
    assert_eq!(step(&live, "resources")["outcome"], "ok");
}

#[test]
fn a_breakglass_at_rest_is_left_at_rest_unless_somebody_wants_it_started() {
    let Some(site) = Site::start() else { return };
    site.breakglass_deployment(0);
    let live = site.collect(&["--yes"], "");
    let told = step(&live, "server");
    assert_eq!(told["outcome"], "not found");
    // Whoever runs it may have chosen another cluster.
    let command = " --context svc -n maestro scale deployment postgres-breakglass --replicas 1";
    assert!(told["error"].contains(command) && told["error"].contains("--scale-breakglass"), "{told:#?}");
    // One yes is for the statements, the other for starting it.
    let live = site.collect(&["--scale-breakglass"], "yes\nno\n");
    assert_eq!(step(&live, "server")["outcome"], "cancelled");
    assert!(live.answer.stderr.contains(command), "{}", live.answer.stderr);
    assert_eq!(site.changes(), 0);

    let live = std::thread::scope(|scope| {
        let collecting = scope.spawn(|| site.collect(&["--scale-breakglass"], "yes\nyes\n"));
        site.until_scaled(1);
        site.breakglass_pod();
        collecting.join().unwrap()
    });
    assert_eq!(step(&live, "resources")["outcome"], "ok");
    assert!(step(&live, "postgres-breakglass")["remark"].contains("put back to 0 replicas"));
    assert_eq!(site.replicas(), 0);
    // Whoever looks who did that finds us.
    let audit = site.cluster.audit();
    let mut changes = audit.iter().filter(|event| event.verb == "patch" && event.subresource == "scale");
    assert!(changes.all(|event| event.agent.starts_with("dacapo/")), "{audit:#?}");
}

#[test]
fn a_breakglass_that_somebody_has_started_is_only_waited_for() {
    let Some(site) = Site::start() else { return };
    site.breakglass_deployment(3);
    let live = site.collect(&["--scale-breakglass", "--yes", "--timeout", "5s"], "");
    assert_eq!(step(&live, "server")["outcome"], "timed out");
    assert_eq!((site.replicas(), site.changes()), (3, 0));
}

#[test]
fn a_breakglass_that_was_started_is_put_back_whatever_happens() {
    let Some(site) = Site::start() else { return };
    site.breakglass_deployment(0);
    // Its pod never comes, and time is up.
    let live = site.collect(&["--scale-breakglass", "--yes", "--timeout", "5s"], "");
    assert_eq!(step(&live, "server")["outcome"], "timed out");
    assert_eq!(site.replicas(), 0);
    // Somebody presses Ctrl-C.
    let folder = TempDir::new().unwrap();
    let mut command = site.command("admin", &["--scale-breakglass", "--yes"], &folder);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    site.until_scaled(1);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(site.replicas(), 0);
    assert_eq!(site.changes(), 4, "up and down, twice");
}
