//! What cannot be read costs nothing else, and says why.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::postgres::Postgres;
use crate::support::rows;

use super::{TABLES, collect, program, session::Session, try_collect, with_rows};

/// Makes a table answer slowly: it becomes a view whose every row takes its time.
fn slow_down(postgres: &Postgres, table: &str, rows: u32) {
    postgres.psql(&format!(
        "INSERT INTO consumers (id, name) VALUES ('slow', 'slow');
         INSERT INTO {table} (id, name, version, consumer_name, payload)
         SELECT 'slow-' || i, 'slow-' || i, 1, 'slow', jsonb_build_object('text', repeat('x', 2000))
         FROM generate_series(1, {rows}) AS i;
         ALTER TABLE {table} RENAME TO {table}_kept;
         CREATE VIEW {table} AS
         SELECT {table}_kept.* FROM {table}_kept, LATERAL (SELECT pg_sleep(0.05), {table}_kept.id) AS slow;
         GRANT SELECT ON {table} TO maestro"
    ));
}

/// Waits until a copy of the table has run for so many seconds.
fn until_copied_for(postgres: &Postgres, table: &str, seconds: f64) {
    let started = Instant::now();
    let running = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'copy%.{table})%' AND state = 'active'
         AND clock_timestamp() - query_start > interval '{seconds} s'"
    );
    while postgres.psql(&running) == "0" {
        assert!(started.elapsed() < Duration::from_secs(60), "{table} is never copied");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// No statement of ours goes on.
fn until_idle(postgres: &Postgres) {
    let started = Instant::now();
    while postgres.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dacapo'") != "0" {
        assert!(started.elapsed() < Duration::from_secs(30), "a session is left");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn tables_without_a_right_or_not_there_cost_only_themselves() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    postgres.psql(
        "CREATE ROLE reader LOGIN PASSWORD 'reader-password';
         GRANT SELECT ON consumers, resources, events, server_instances TO reader;
         GRANT SELECT (id, resource_id, created_at) ON status_events TO reader;
         REVOKE ALL ON events FROM reader;
         DROP TABLE event_instances",
    );
    let live = collect(&postgres.url("reader"), &[]);
    let step = |name: &str| live.step(name);
    assert_eq!(step("events")["outcome"], "denied");
    assert!(step("events")["error"].contains("no SELECT on events"));
    assert_eq!(step("event_instances")["outcome"], "not found");
    assert!(step("event_instances")["error"].contains("no table event_instances"));
    assert_eq!((step("resources")["outcome"].as_str(), step("consumers")["outcome"].as_str()), ("ok", "ok"));
    // Some columns are better than none, and not the whole.
    let part = step("status_events");
    assert_eq!((part["outcome"].as_str(), part["whole"].as_str()), ("ok", "Bool(false)"), "{part:#?}");
    assert!(part["remark"].contains("may not read") && part["remark"].contains("payload"), "{part:#?}");
    assert!(!rows::database(&live.bundle)["status_events"].is_empty());
    let strict = try_collect(&["--database", &postgres.url("reader"), "--strict"], |_| {});
    assert_eq!(strict.answer.code, Some(1), "{}", strict.answer.describe());
}

#[test]
fn tables_of_a_schema_that_is_barred_or_not_searched_are_found_all_the_same() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    postgres.psql(
        "CREATE ROLE reader LOGIN PASSWORD 'reader-password';
         CREATE SCHEMA hidden; ALTER TABLE events SET SCHEMA hidden; GRANT SELECT ON hidden.events TO reader;
         CREATE SCHEMA aside; ALTER TABLE consumers SET SCHEMA aside; GRANT USAGE ON SCHEMA aside TO reader;
         GRANT SELECT ON aside.consumers, resources TO reader",
    );
    let live = collect(&postgres.url("reader"), &[]);
    let (events, consumers) = (live.step("events"), live.step("consumers"));
    assert_eq!(events["outcome"], "denied");
    assert!(events["error"].contains("no USAGE on: hidden"), "{events:#?}");
    assert_eq!(consumers["outcome"], "not found");
    assert!(consumers["error"].contains("but in aside"), "{consumers:#?}");
    let searched = format!("{}?options=-csearch_path%3Dpublic,aside", postgres.url("reader"));
    assert_eq!(collect(&searched, &[]).outcome("consumers"), "ok");
}

#[test]
fn a_lock_that_somebody_holds_costs_one_table() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    let holder = Session::begin(&postgres, "BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE;");
    let live = collect(&postgres.url("maestro"), &["--request-timeout", "2s"]);
    drop(holder);
    let resources = live.step("resources");
    assert_eq!(resources["outcome"], "timed out");
    assert!(resources["error"].contains("lock timeout (SQLSTATE 55P03)"), "{resources:#?}");
    for table in TABLES.into_iter().filter(|table| *table != "resources") {
        assert_eq!(live.outcome(table), "ok", "{table}");
    }
}

#[test]
fn a_connection_that_is_cut_leaves_what_came_before() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    slow_down(&postgres, "resources", 400);
    let live = std::thread::scope(|scope| {
        let collecting = scope.spawn(|| collect(&postgres.url("maestro"), &[]));
        until_copied_for(&postgres, "resources", 2.0);
        postgres.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dacapo'");
        collecting.join().unwrap()
    });
    let resources = live.step("resources");
    assert_eq!((resources["outcome"].as_str(), resources["whole"].as_str()), ("partial", "Bool(false)"));
    assert!(resources["error"].contains("terminating connection due to administrator command (SQLSTATE 57P01)"));
    let rows = rows::database(&live.bundle);
    assert!(!rows["resources"].is_empty() && rows["resources"].len() < 400, "{}", rows["resources"].len());
    assert_eq!((live.outcome("consumers").as_str(), live.outcome("server_instances").as_str()), ("ok", "ok"));
    for table in ["events", "event_instances", "status_events"] {
        let step = live.step(table);
        assert_eq!(step["outcome"], "failed", "{table}");
        assert!(step["error"].contains("57P01") || step["error"].contains("closed"), "{step:#?}");
    }
}

#[test]
fn when_time_is_up_the_server_is_told_to_stop() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    slow_down(&postgres, "resources", 2000);
    let live = collect(&postgres.url("maestro"), &["--timeout", "4s"]);
    let resources = live.step("resources");
    assert_eq!((resources["outcome"].as_str(), resources["whole"].as_str()), ("partial", "Bool(false)"));
    assert!(resources["error"].contains("for the whole collection were over"), "{resources:#?}");
    assert_eq!(live.outcome("status_events"), "timed out");
    assert_eq!(live.outcome("consumers"), "ok");
    until_idle(&postgres);
    assert!(postgres.log().contains("canceling statement due to user request"), "{}", postgres.log());
}

#[test]
fn ctrl_c_keeps_what_came_before_if_that_is_wanted() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    slow_down(&postgres, "resources", 2000);
    let folder = tempfile::tempdir().unwrap();
    for (keep, code) in [(true, 0), (false, 2)] {
        let bundle = folder.path().join(format!("{keep}.dacapo"));
        let mut command = program();
        command.args(["collect", "--database", &postgres.url("maestro")]).arg("-o").arg(&bundle);
        if keep {
            command.arg("--keep-partial");
        }
        let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        until_copied_for(&postgres, "resources", 1.0);
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(bundle.exists(), keep);
        until_idle(&postgres);
    }
    let steps = rows::steps(&folder.path().join("true.dacapo"));
    assert_eq!(steps["postgres/resources"]["outcome"], "partial");
    assert_eq!(steps["postgres/events"]["outcome"], "cancelled");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

/// In a pipe each step is a line; on a terminal there is a bar that says what is being read.
#[test]
fn a_terminal_shows_what_is_being_read() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    slow_down(&postgres, "resources", 40);
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("x.dacapo");
    let dacapo = assert_cmd::cargo::cargo_bin!("dacapo").display();
    let line = format!("{dacapo} collect --database '' -o {}", bundle.display());
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("TERM", "xterm").env("HOME", "/nowhere");
    script.envs(postgres.environment("maestro")).stdin(std::process::Stdio::null());
    let output = script.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && bundle.exists(), "{shown}");
    assert!(shown.contains(" read  ") && shown.contains("postgres/resources"), "{shown}");
    assert!(!shown.contains("postgres/resources ok"), "the bar has shown it: {shown}");
}
