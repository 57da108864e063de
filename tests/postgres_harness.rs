//! The PostgreSQL that tests of live collection start is what they take it for.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

use crate::support::postgres::Postgres;
use crate::support::unpack;

/// psql over 127.0.0.1, as a client of the server.
fn ask(postgres: &Postgres, url: &str) -> (bool, String) {
    let mut psql = Command::new("psql");
    psql.args(["-X", "-A", "-t", "-c", "SELECT current_user, ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"]);
    let output = psql.arg(url).env("PGSSLROOTCERT", postgres.authority()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success(), said + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_rows_of_a_scenario_are_stored_as_they_were() {
    let Some(postgres) = Postgres::start() else { return };
    let scenario = unpack("healthy-create");
    let folder = scenario.path().join("healthy-create");
    postgres.load(&folder);
    for table in ["consumers", "resources", "events", "status_events", "server_instances", "event_instances"] {
        let captured = std::fs::read_to_string(folder.join(format!("db/{table}.jsonl"))).unwrap();
        assert_eq!(
            postgres.psql(&format!("SELECT count(*) FROM {table}")),
            captured.lines().count().to_string(),
            "{table}"
        );
    }
    assert_eq!(postgres.psql("SELECT tableowner FROM pg_tables WHERE tablename = 'resources'"), "maestro");
}

#[test]
fn roles_come_in_with_their_password_and_what_they_ask_is_logged() {
    let Some(postgres) = Postgres::start() else { return };
    assert_eq!(ask(&postgres, &postgres.url("maestro")), (true, "maestro|f".to_owned()));
    let wrong = postgres.url("maestro").replace("maestro-password", "a-guess");
    let (let_in, said) = ask(&postgres, &wrong);
    assert!(!let_in && said.contains("password authentication failed"), "{said}");
    let log = postgres.log();
    assert!(log.contains("maestro@maestro psql LOG:  statement: SELECT current_user"), "{log}");
}

#[test]
fn a_server_with_tls_proves_who_it_is() {
    let Some(postgres) = Postgres::start_with_tls() else { return };
    let url = format!("{}?sslmode=verify-full", postgres.url("maestro"));
    assert_eq!(ask(&postgres, &url), (true, "maestro|t".to_owned()));
}
