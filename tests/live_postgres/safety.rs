//! Nothing is written to the database, and nothing of a password is shown.

use crate::support::Answer;
use crate::support::postgres::Postgres;
use crate::support::rows;

use super::{collect, program, run, try_collect, with_rows};

/// The statements that the server ran for us, without the way they were sent.
pub fn statements(postgres: &Postgres) -> Vec<String> {
    let log = postgres.log();
    let ours = log.lines().filter_map(|line| line.split_once(" dacapo LOG:  ").map(|(_, said)| said));
    let sent =
        ours.filter_map(|said| said.strip_prefix("statement: ").or_else(|| said.split_once(": ").map(|at| at.1)));
    sent.map(str::to_owned).collect()
}

fn ask(arguments: &[&str]) -> Answer {
    let mut program = program();
    program.args(arguments);
    run(program)
}

#[test]
fn the_server_sees_one_transaction_that_reads() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    collect(&postgres.url("maestro"), &[]);
    let ran: Vec<String> = statements(&postgres).into_iter().filter(|said| !said.contains("user=maestro")).collect();
    assert_eq!(ran.first().map(String::as_str), Some("begin transaction isolation level repeatable read, read only"));
    assert_eq!(ran.last().map(String::as_str), Some("rollback"));
    let reads = ["begin ", "select", "with wanted as (", "copy (select ", "savepoint ", "rollback"];
    for statement in &ran {
        assert!(reads.iter().any(|way| statement.starts_with(way)), "{statement} in {ran:#?}");
        assert!(
            !statement.starts_with("copy") || statement.ends_with(") to stdout (format csv, header)"),
            "{statement}"
        );
    }
    assert_eq!(ran.iter().filter(|statement| statement.starts_with("copy")).count(), 6, "{ran:#?}");
    assert_eq!(ran.iter().filter(|statement| statement.starts_with("begin")).count(), 1, "{ran:#?}");
}

/// The role may write, also through a view that somebody planted; the transaction may not.
#[test]
fn a_role_that_may_write_cannot() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    postgres.psql(
        "SET ROLE maestro;
         CREATE FUNCTION plant() RETURNS text LANGUAGE sql VOLATILE AS
         $$ INSERT INTO consumers (id, name) VALUES ('planted', 'planted') RETURNING id $$;
         ALTER TABLE event_instances RENAME TO kept;
         CREATE VIEW event_instances AS SELECT event_id, plant() AS instance_id, spec_event_id FROM kept",
    );
    let planted = "SELECT count(*) FROM consumers WHERE id = 'planted'";
    let live = collect(&postgres.url("maestro"), &[]);
    let step = live.step("event_instances");
    assert_eq!(step["outcome"], "failed");
    assert!(step["error"].contains("read-only transaction (SQLSTATE 25006)"), "{step:#?}");
    assert_eq!(live.outcome("status_events"), "ok");
    assert_eq!(postgres.psql(planted), "0");
    // Without the read-only transaction the same view writes: the test would notice.
    postgres.psql("SET ROLE maestro; SELECT count(instance_id) FROM (SELECT * FROM event_instances LIMIT 1) AS one");
    assert_eq!(postgres.psql(planted), "1");
}

#[test]
fn a_password_is_in_no_message_and_in_no_bundle() {
    let Some(postgres) = with_rows("healthy-create") else { return };
    let live = collect(&postgres.url("maestro"), &[]);
    assert!(!live.answer.stderr.contains("maestro-password"), "{}", live.answer.stderr);
    assert!(live.answer.stderr.contains("the password in --database can be seen"), "{}", live.answer.stderr);
    assert!(live.answer.stderr.contains("PGPASSWORD or ~/.pgpass"));
    let steps = format!("{:?}", rows::steps(&live.bundle));
    assert!(!steps.contains("maestro-password"), "{steps}");
    let manifest = ask(&["inspect", "--format", "json", live.bundle.to_str().unwrap()]);
    assert!(!manifest.stdout.contains("maestro-password") && manifest.code == Some(0), "{}", manifest.describe());

    let wrong = postgres.url("maestro").replace("maestro-password", "a-wrong-guess");
    let refused = try_collect(&["--database", &wrong], |_| {}).answer;
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("password authentication failed for user \"maestro\" (SQLSTATE 28P01)"));
    assert!(!refused.stderr.contains("a-wrong-guess"), "{}", refused.stderr);
    for broken in ["postgres://maestro:a-wrong-guess@[", "password='a-wrong-guess", "password=a-wrong-guess sslmode=x"]
    {
        let refused = try_collect(&["--database", broken], |_| {}).answer;
        assert_eq!(refused.code, Some(2), "{}", refused.describe());
        assert!(!refused.stderr.contains("a-wrong-guess"), "{}", refused.stderr);
    }
}

#[test]
fn a_dry_run_sends_nothing_and_shows_no_password() {
    let Some(postgres) = Postgres::start() else { return };
    let answer = ask(&["collect", "--dry-run", "--database", &postgres.url("maestro")]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let flat = answer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for shown in [
        "read only",
        "copy (select <its columns> from <its schema>.status_events",
        "rollback",
        "as maestro, without TLS",
    ] {
        assert!(flat.contains(shown), "{shown:?} is not in {}", answer.stdout);
    }
    assert!(!answer.stdout.contains("maestro-password"));
    assert_eq!(statements(&postgres), Vec::<String>::new());
}

#[test]
fn nobody_is_asked_for_a_bundle_that_cannot_be_written() {
    let Some(postgres) = Postgres::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (output, because) in [(folder.path().to_owned(), "directory"), (folder.path().join("no/x.dacapo"), "No such")] {
        let refused = ask(&["collect", "--database", &postgres.url("maestro"), "-o", output.to_str().unwrap()]);
        assert_eq!(refused.code, Some(2), "{}", refused.describe());
        let told = refused.stderr;
        assert!(told.contains("error: cannot write bundle") && told.contains(because) && told.contains("-o"), "{told}");
    }
    assert_eq!(statements(&postgres), Vec::<String>::new());
}

#[test]
fn a_check_says_which_rights_are_missing_and_how_to_give_them() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.psql("CREATE ROLE dacapo LOGIN PASSWORD 'dacapo-password'; GRANT SELECT ON resources TO dacapo");
    let url = postgres.url("dacapo");
    let check = || ask(&["collect", "--check", "--database", &url]);
    let answer = check();
    assert_eq!(answer.code, Some(1), "{}", answer.describe());
    assert!(answer.stdout.contains("read events (SELECT)") && answer.stdout.contains("missing"), "{}", answer.stdout);
    assert!(answer.stdout.contains("public.consumers,"), "{}", answer.stdout);
    // What it says to apply is enough.
    postgres.psql(include_str!("../../queries/postgres/grants.sql"));
    let answer = check();
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
}
