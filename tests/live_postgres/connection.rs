//! The ways to a database: TLS, variables, the password file, a socket.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::postgres::Postgres;

use super::{Live, try_collect};

fn collect(address: &str, variables: &[(&str, &str)]) -> Live {
    try_collect(&["--database", address], |program| {
        program.envs(variables.iter().copied());
    })
}

fn assert_reads(live: &Live) {
    assert_eq!(live.answer.code, Some(0), "{}", live.answer.describe());
    assert_eq!(live.outcome("resources"), "ok");
}

fn assert_refused(live: &Live, why: &str) {
    assert_eq!(live.answer.code, Some(2), "{}", live.answer.describe());
    assert!(live.answer.stderr.contains(why), "{why:?} is not in {}", live.answer.stderr);
}

#[test]
fn a_server_must_prove_who_it_is() {
    let (Some(postgres), Some(other)) = (Postgres::start_with_tls(), Postgres::start_with_tls()) else { return };
    let address = |rest: &str| format!("user=maestro dbname=maestro port={} {rest}", postgres.port());
    let trusting = |authority: &Path, rest: &str| address(&format!("sslrootcert='{}' {rest}", authority.display()));
    let word = [("PGPASSWORD", "maestro-password")];
    let (right, wrong) = (postgres.authority(), other.authority());
    assert_reads(&collect(&trusting(&right, "host=127.0.0.1 sslmode=verify-full"), &word));
    assert!(postgres.log().contains("SSL enabled (protocol=TLSv1.3"), "{}", postgres.log());
    assert_refused(
        &collect(&trusting(&wrong, "host=127.0.0.1 sslmode=verify-full"), &word),
        "invalid peer certificate",
    );
    // libpq would not look at the certificate here.
    assert_refused(&collect(&trusting(&wrong, "host=127.0.0.1 sslmode=require"), &word), "invalid peer certificate");
    // Another name leads to the same server, whose certificate is for 127.0.0.1.
    assert_refused(&collect(&trusting(&right, "host=db.example hostaddr=127.0.0.1"), &word), "not valid for name");
    assert_refused(&collect(&address("host=127.0.0.1 sslmode=verify-full sslrootcert=/nowhere"), &word), "/nowhere");
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_asked_for() {
    let Some(postgres) = Postgres::start() else { return };
    let url = postgres.url("maestro");
    assert_refused(&collect(&format!("{url}?sslmode=require"), &[]), "server does not support TLS");
    assert_reads(&collect(&format!("{url}?sslmode=disable"), &[]));
    assert_reads(&collect(&url, &[]));
}

#[test]
fn everything_may_come_from_the_environment() {
    let Some(postgres) = Postgres::start() else { return };
    let variables = postgres.environment("maestro");
    let variables: Vec<(&str, &str)> = variables.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let live = collect("", &variables);
    assert_reads(&live);
    assert!(!live.answer.stderr.contains("can be seen"), "{}", live.answer.stderr);
}

#[test]
fn a_socket_is_a_way_too() {
    let Some(postgres) = Postgres::start() else { return };
    let socket = postgres.socket_folder().display();
    assert_reads(&collect(&format!("host={socket} port={} user=maestro dbname=maestro", postgres.port()), &[]));
}

#[test]
fn a_password_file_is_used_if_nobody_else_can_read_it() {
    let Some(postgres) = Postgres::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".pgpass");
    fs::write(&file, "# by host\n127.0.0.1:*:other:*:no\n127.0.0.1:*:maestro:maestro:maestro-password\n").unwrap();
    let url = postgres.url("maestro").replace(":maestro-password", "");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert_reads(&collect(&url, &[("PGPASSFILE", file.to_str().unwrap())]));
    assert_reads(&collect(&url, &[("HOME", folder.path().to_str().unwrap())]));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert_refused(&collect(&url, &[("HOME", folder.path().to_str().unwrap())]), "others may read it");
    let without = collect(&url, &[]);
    assert_refused(&without, "it asks for a password, and there is none in PGPASSWORD or the password file");
    assert_refused(&without, "postgres/server denied");
}

#[test]
fn a_database_that_is_not_there_is_told_from_one_that_does_not_answer() {
    let Some(postgres) = Postgres::start() else { return };
    let elsewhere = format!("{}?dbname=nothing", postgres.url("maestro"));
    assert_refused(&collect(&elsewhere, &[]), "database \"nothing\" does not exist (SQLSTATE 3D000)");
    let port = crate::support::process::free_port();
    let away = collect(&format!("postgres://maestro@127.0.0.1:{port}"), &[]);
    assert_refused(&away, "refused");
    assert_refused(&away, &format!("127.0.0.1 port {port}"));
    // It lacks no permission.
    assert!(!away.answer.stderr.contains("--check"), "{}", away.answer.stderr);
}
