//! A running PostgreSQL is read like its dump, cannot be written to, and says why where it cannot be read.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod breakglass;
mod connection;
mod pods;
mod refusals;
mod safety;
mod session;
mod size;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::support::postgres::Postgres;
use crate::support::rows::{self, Row};
use crate::support::{self, Answer, unpack};

/// No collection of a test takes this long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A bundle that was collected from a running database, and what was said on the way.
struct Live {
    bundle: PathBuf,
    answer: Answer,
    _folder: TempDir,
}

impl Live {
    /// The step `postgres/<name>`.
    fn step(&self, name: &str) -> Row {
        let steps = rows::steps(&self.bundle);
        steps.get(&format!("postgres/{name}")).unwrap_or_else(|| panic!("no step {name} in {steps:#?}")).clone()
    }

    fn outcome(&self, name: &str) -> String {
        self.step(name)["outcome"].clone()
    }
}

/// `dacapo`, with nothing of the environment that says where a database is.
fn program() -> Command {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin!("dacapo"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
        program.env_remove(name);
    }
    program.env("NO_COLOR", "1").env("HOME", "/nowhere");
    program
}

/// Runs a command to its end; one that hangs fails.
fn run(program: Command) -> Answer {
    support::run(assert_cmd::Command::from_std(program).timeout(PATIENCE))
}

/// Collects with these arguments; `change` may add more.
fn try_collect(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Live {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("live.dacapo");
    let mut program = program();
    program.arg("collect").args(arguments).arg("-o").arg(&bundle);
    change(&mut program);
    Live { answer: run(program), bundle, _folder: folder }
}

fn collect(address: &str, more: &[&str]) -> Live {
    let live = try_collect(&[&["--database", address], more].concat(), |_| {});
    assert_eq!(live.answer.code, Some(0), "{}", live.answer.describe());
    live
}

/// A server with the rows of a scenario.
fn with_rows(scenario: &str) -> Option<Postgres> {
    let postgres = Postgres::start()?;
    let folder = unpack(scenario);
    postgres.load(&folder.path().join(scenario));
    Some(postgres)
}

fn pg_dump(postgres: &Postgres, file: &Path) {
    let mut dump = Command::new("pg_dump");
    dump.args(["-U", "postgres", "-d", "maestro", "-p", &postgres.port().to_string(), "-h"]);
    assert!(dump.arg(postgres.socket_folder()).arg("-f").arg(file).status().unwrap().success());
}

fn collect_files(folder: &Path) -> PathBuf {
    support::collect(folder)
}

const TABLES: [&str; 6] = ["consumers", "server_instances", "resources", "events", "event_instances", "status_events"];

#[test]
fn a_live_database_and_its_dump_hold_the_same() {
    for scenario in ["healthy-create", "agent-down"] {
        let Some(postgres) = with_rows(scenario) else { return };
        let live = collect(&postgres.url("maestro"), &[]);
        let found = rows::database(&live.bundle);
        assert!(found.values().filter(|rows| !rows.is_empty()).count() >= 5, "{scenario} has rows in most tables");
        for table in TABLES {
            let step = live.step(table);
            assert_eq!((step["outcome"].as_str(), step["whole"].as_str()), ("ok", "Bool(true)"), "{step:#?}");
            assert_eq!(step["rows"], format!("Int({})", found[table].len()));
        }
        let folder = TempDir::new().unwrap();
        let (dump, csv) = (folder.path().join("dump"), folder.path().join("csv"));
        std::fs::create_dir(&dump).unwrap();
        std::fs::create_dir(&csv).unwrap();
        pg_dump(&postgres, &dump.join("maestro.sql"));
        for table in TABLES {
            let rows = postgres.psql(&format!("COPY (SELECT * FROM {table}) TO STDOUT (FORMAT csv, HEADER)"));
            std::fs::write(csv.join(format!("{table}.csv")), rows + "\n").unwrap();
        }
        for form in [dump, csv] {
            assert_eq!(rows::database(&collect_files(&form)), found, "{scenario} {}", form.display());
        }
    }
}

#[test]
fn what_the_server_tells_about_itself_is_kept() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    let listener = session::Session::begin(&postgres, "LISTEN events;");
    let live = collect(&postgres.url("maestro"), &[]);
    drop(listener);
    let remark = live.step("server")["remark"].clone();
    let version = postgres.psql("SHOW server_version");
    for told in [
        format!("PostgreSQL {version}, database maestro, role maestro").as_str(),
        "search path public",
        "all tables as of ",
        "its clock agrees with ours",
        "1 other connections",
    ] {
        assert!(remark.contains(told), "{told:?} is not in {remark}");
    }
    // What a superuser runs is hidden from Maestro's role.
    assert!(remark.contains("of 1 the role may not see what they do"), "{remark}");
    postgres.psql("GRANT pg_read_all_stats TO maestro");
    let listener = session::Session::begin(&postgres, "LISTEN events;");
    let live = collect(&postgres.url("maestro"), &[]);
    drop(listener);
    assert!(live.step("server")["remark"].contains("1 listen to events"), "{:?}", live.step("server"));
}

#[test]
fn a_standby_gives_what_its_primary_gives_and_says_that_it_is_one() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    let standby = postgres.standby();
    let [first, second] = [&postgres, &standby].map(|server| collect(&server.url("maestro"), &[]));
    assert_eq!(rows::database(&second.bundle), rows::database(&first.bundle));
    TABLES.iter().for_each(|table| assert_eq!(second.outcome(table), "ok"));
    assert!(!first.step("server")["remark"].contains("standby"));
    assert!(second.step("server")["remark"].contains("it is a standby, which may lag behind"));
}

#[test]
fn nothing_and_an_empty_text_stay_different() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.psql(
        "INSERT INTO consumers (id, name) VALUES ('c', 'cluster1');
         INSERT INTO resources (id, name, version, source, consumer_name, type, payload)
         VALUES ('a', 'a', 1, '', 'cluster1', NULL, 'null'), ('b', 'b', 1, NULL, 'cluster1', '', NULL)",
    );
    let found = rows::database(&collect(&postgres.url("maestro"), &[]).bundle);
    let of = |id: &str| found["resources"].iter().find(|row| row["id"] == id).unwrap();
    let cell = |id: &str, column: &str| of(id).get(column).map(String::as_str);
    assert_eq!((cell("a", "source"), cell("b", "source")), (Some(""), None));
    assert_eq!((cell("a", "type"), cell("b", "type")), (None, Some("")));
}

#[test]
fn a_column_that_nobody_knows_is_kept() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    postgres.psql("ALTER TABLE consumers ADD COLUMN colour text; UPDATE consumers SET colour = 'green, \"light\"'");
    postgres.psql("ALTER TABLE events DROP COLUMN reconciled_date");
    let live = collect(&postgres.url("maestro"), &[]);
    assert_eq!((live.outcome("consumers").as_str(), live.outcome("events").as_str()), ("ok", "ok"));
    let unknown = rows::unknown(&live.bundle);
    let colours: Vec<&Row> = unknown.iter().filter(|row| row["column_name"] == "colour").collect();
    let count: usize = postgres.psql("SELECT count(*) FROM consumers").parse().unwrap();
    assert!(count > 0 && colours.len() == count, "{unknown:#?}");
    assert!(colours.iter().all(|row| row["value"] == r#""green, \"light\"""#), "{colours:#?}");
}

#[test]
fn a_window_is_told_as_one() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    let middle = postgres.psql("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY created_at) FROM events");
    let since = postgres.psql(&format!(
        "SELECT to_char('{middle}'::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    ));
    let live = collect(&postgres.url("maestro"), &["--events-since", &since]);
    for table in ["events", "status_events"] {
        let expected = postgres.psql(&format!("SELECT count(*) FROM {table} WHERE created_at >= '{since}'"));
        let step = live.step(table);
        assert_eq!(step["rows"], format!("Int({expected})"), "{step:#?}");
        assert_eq!((step["outcome"].as_str(), step["whole"].as_str()), ("ok", "Bool(false)"), "{step:#?}");
        assert!(step["remark"].contains(&since), "{step:#?}");
    }
    let all: usize = postgres.psql("SELECT count(*) FROM events").parse().unwrap();
    assert!(rows::database(&live.bundle)["events"].len() < all);
    assert_eq!(live.step("resources")["whole"], "Bool(true)");
}
