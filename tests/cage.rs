//! Statements of strangers: whatever they try, they read the bundle and nothing else, end in time, and leave every later
//! answer as it was.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::support::{Answer, dacapo, on_two_threads, run};
use tempfile::TempDir;

/// What must be refused, and does not even begin.
const ESCAPES: &[&str] = &[
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('/etc/passwd')",
    "select * from read_json('/etc/passwd')",
    "select * from read_parquet('/etc/passwd')",
    "select * from '/etc/passwd'",
    "select * from 'file.csv'",
    "select * from glob('/etc/*')",
    "select * from read_csv('https://example.com/x.csv')",
    "select * from read_csv('s3://bucket/x.csv')",
    "select * from parquet_metadata('/etc/passwd')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from read_duckdb('/etc/passwd')",
    "select * from query('copy log_lines to ''out.csv''')",
    "select * from query_table('/etc/passwd')",
    "select getenv('HOME')",
    "copy (select 1) to 'out.csv'",
    "copy log_lines to '/dev/stderr'",
    "copy (select 1) to 'out.parquet' (format parquet)",
    "export database 'out'",
    "import database 'out'",
    "attach 'out.duckdb'",
    "attach 'out.duckdb' as other (type sqlite)",
    "detach memory",
    "use memory.main",
    "install httpfs",
    "load httpfs",
    "load '/tmp/evil.duckdb_extension'",
    "force install spatial from community",
    "set enable_external_access = true",
    "set memory_limit = '100GB'",
    "set temp_directory = 'spill'",
    "set lock_configuration = false",
    "reset memory_limit",
    "pragma temp_directory = 'spill'",
    "pragma enable_profiling",
    "pragma database_list",
    "set variable x = 1",
    "create secret s (type s3, key_id 'a', secret 'b')",
    "create table stolen as select * from log_lines",
    "create or replace view log_lines as select 1 as row_no",
    "create or replace macro contains(a, b) as true",
    "create function lower(x) as 'no'",
    "create type mood as enum ('a')",
    "drop view log_lines",
    "alter view log_lines rename to gone",
    "insert into log_lines select * from log_lines",
    "update resources set id = 'x'",
    "delete from resources",
    "begin transaction",
    "checkpoint",
    "vacuum",
    "call pragma_version()",
    "prepare p as select 1",
    "execute p",
    "explain analyze delete from resources",
    "explain copy (select 1) to 'out.csv'",
    "with gone as (delete from resources returning *) select * from gone",
    "select * from read_json_objects('/etc/passwd')",
    "select * from read_ndjson_objects('/etc/passwd')",
    "select * from read_csv_auto('/etc/passwd', sep=':')",
    "select * from parquet_schema('/etc/passwd')",
    "select * from parquet_file_metadata('/etc/passwd')",
    "select * from parquet_kv_metadata('e.dacapo')",
    "select * from parquet_bloom_probe('e.dacapo', 'a', 1)",
    "select * from 'e.dacapo'",
    "select * from \"/proc/self/environ\"",
    "select * from '/proc/self/environ.csv'",
    "select * from 'https://example.com/x.parquet'",
    "select * from read_text('http://169.254.169.254/latest/meta-data')",
    "select * from read_text('file:///etc/passwd')",
    "select * from read_text(['/etc/passwd', '/etc/hostname'])",
    "select content from read_blob('/proc/self/mem')",
    "select (select content from read_text('/etc/passwd'))",
    "with t as materialized (select * from read_text('/etc/passwd')) select * from t",
    "select * from (values ('/etc/passwd')) f(p), lateral read_text(f.p)",
    "select * from sqlite_scan('x.db', 't')",
    "select * from postgres_scan('host=localhost', 'public', 't')",
    "select * from mysql_query('x', 'select 1')",
    "select * from iceberg_scan('s3://bucket/t')",
    "select * from delta_scan('s3://bucket/t')",
    "select * from st_read('/etc/passwd')",
    "select * from read_xlsx('x.xlsx')",
    "select http_get('http://localhost')",
    "select * from query('select * from read_text(''/etc/passwd'')')",
    "select * from query('set memory_limit=''9GB''')",
    "select * from query_table('e.dacapo')",
    "select * from query_table(['log_lines', '/etc/passwd'])",
    "select * from evidence(1, 'log_lines')",
    "select * from evidence(-1, 'log_lines')",
    "select * from evidence(99999999, 'log_lines')",
    "select * from evidence(9223372036854775807, 'x')",
    "select * from duckdb_secrets()",
    "select * from which_secret('s3://bucket', 's3')",
    "select * from pragma_storage_info('/etc/passwd')",
    "call enable_logging()",
    "call enable_profiling()",
    "call force_checkpoint('memory')",
    "call load_aws_credentials()",
    "pragma enable_object_cache",
    "pragma import_database('out')",
    "pragma add_parquet_key('k', '0123456789112345')",
    "pragma custom_user_agent = 'x'",
    "set file_search_path = '/etc'",
    "set home_directory = '/tmp'",
    "set extension_directory = '/tmp'",
    "set custom_extension_repository = 'http://localhost'",
    "set allow_unsigned_extensions = true",
    "set log_query_path = 'out.log'",
    "set profiling_output = 'out.json'",
    "set global threads = 64",
    "set session schema = 'temp'",
    "reset all",
    "set enable_external_access to default",
    "create temp table t as select 1",
    "create persistent secret s (type http)",
    "create macro m() as table select * from read_text('/etc/passwd')",
    "create sequence s",
    "create index i on requests (resource_id)",
    "create schema other",
    "comment on view log_lines is 'x'",
    "copy log_lines from '/etc/passwd'",
    "copy (select 1) to 'out' (format csv, partition_by (x))",
    "copy from database memory to other",
    "attach ':memory:' as other",
    "attach 'http://localhost/x.duckdb' as other (read_only)",
    "attach 'e.dacapo' as other (type duckdb)",
    "update extensions",
    "merge into resources using events on true when matched then delete",
    "truncate resources",
    "deallocate p",
    "deallocate all",
    "rollback",
    "commit",
    "analyze",
    "reindex",
    "summarize 'x.csv'",
    "describe 'x.csv'",
    "describe select * from read_text('/etc/passwd')",
    "explain select * from read_text('/etc/passwd')",
    "explain analyze select * from read_text('/etc/passwd')",
    "explain analyze copy (select 1) to 'out.csv'",
    "pivot 'x.csv' on a",
    "unpivot '/etc/passwd' on columns(*)",
    "from 'x.json'",
    "table '/etc/passwd'",
    "select error(content) from read_text('/etc/passwd')",
    "select cast(content as integer) from read_text('/etc/passwd')",
    "select nextval('s')",
    "select * from glob('/proc/self/fd/*')",
    "select read_text('/etc/passwd')",
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select system('id')",
    "select load_extension('x')",
];

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/stuck-in-delivery.dacapo")
}

/// A folder of its own to run in, so that what is left behind is seen.
struct Room {
    dir: TempDir,
    bundle: PathBuf,
}

impl Room {
    fn new() -> Self {
        let dir = TempDir::with_prefix("dacapo-cage-").unwrap();
        let bundle = dir.path().join("evidence.dacapo");
        std::fs::copy(sample(), &bundle).unwrap();
        Self { dir, bundle }
    }

    fn ask(&self, arguments: &[&str]) -> Answer {
        run(dacapo().current_dir(self.dir.path()).arg("query").arg(&self.bundle).args(arguments))
    }

    fn sql(&self, sql: &str) -> Answer {
        self.ask(&["--sql", sql])
    }

    /// Names, sizes and times of everything that is there.
    fn files(&self) -> BTreeMap<PathBuf, (u64, SystemTime)> {
        let entries = std::fs::read_dir(self.dir.path()).unwrap().map(|entry| entry.unwrap());
        let told = entries.map(|entry| {
            let about = entry.metadata().unwrap();
            (entry.path(), (about.len(), about.modified().unwrap()))
        });
        told.collect()
    }
}

/// One clear sentence, a reason and a way on; nothing that could be taken for an answer.
fn assert_refused(case: &str, answer: &Answer) {
    let told = format!("{case}: {}\n{}", answer.describe(), answer.stdout);
    assert!(!answer.panicked(), "{told}");
    assert_eq!(answer.code, Some(2), "{told}");
    assert_eq!(answer.stdout, "", "{told}");
    assert_eq!(answer.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{told}");
    assert!(answer.stderr.contains("\n  because ") && answer.stderr.contains("\nhint: "), "{told}");
}

const CONTROL: &str =
    "select count(*), min(text), max(row_no), hash(string_agg(text, '' order by row_no)) from log_lines";

#[test]
fn no_statement_gets_out_or_changes_a_later_answer() {
    let room = Room::new();
    let before = (room.sql(CONTROL), room.files());
    assert_eq!(before.0.code, Some(0), "{}", before.0.describe());
    on_two_threads(ESCAPES, |sql| {
        assert_refused(sql, &room.sql(sql));
        let second = format!("select 1; {sql}");
        let answer = room.sql(&second);
        assert_eq!(answer.code, Some(2), "{second}: {}", answer.describe());
    });
    assert_eq!((room.sql(CONTROL), room.files()), before);
}

#[test]
fn one_text_with_all_of_them_leaves_the_answers_as_they_were() {
    let room = Room::new();
    let before = (room.sql(CONTROL), room.files());
    std::fs::write(room.dir.path().join("all.sql"), ESCAPES.join(";\n")).unwrap();
    assert_refused("all", &room.ask(&["--file", "all.sql"]));
    std::fs::remove_file(room.dir.path().join("all.sql")).unwrap();
    assert_eq!((room.sql(CONTROL), room.files()), before);
}

#[test]
fn a_statement_without_end_is_ended() {
    let room = Room::new();
    let endless = "select count(*) from range(10000000) a, range(10000000) b where a.range + b.range = -1";
    let answer = room.ask(&["--sql", endless, "--timeout", "2s"]);
    assert_refused(endless, &answer);
    assert!(answer.stderr.contains("within 2 s") && answer.stderr.contains("--timeout"), "{}", answer.stderr);
}

#[test]
fn a_statement_that_wants_all_memory_is_refused() {
    let room = Room::new();
    for hungry in [
        "select list(a.range || repeat('x', 1000)) from range(100000000) a",
        "select count(*) from (select distinct md5(range::varchar) from range(1000000000))",
        "select length(repeat(repeat('x', 1000000), 100000))",
    ] {
        assert_refused(hungry, &room.ask(&["--sql", hungry, "--memory", "200MB", "--timeout", "100s"]));
    }
}

/// Small statements that grow: rows without end, texts, lists, patterns, text of the statement itself.
#[test]
fn bombs_are_defused() {
    let room = Room::new();
    let cross: Vec<String> = (1..40).map(|n| format!("t{n} as (select a.x from t{0} a, t{0} b)", n - 1)).collect();
    let cross = format!("with t0 as (select 1 as x union all select 2), {} select count(*) from t39", cross.join(", "));
    let deep = format!("select {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let lists = format!("select {}1{}", "[".repeat(3000), "]".repeat(3000));
    let sum = format!("select 1{}", " + 1".repeat(50_000));
    let views = (1..200).fold("select 1 as x".to_owned(), |inner, _| format!("select * from ({inner})"));
    let bombs = [
        "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t",
        "with recursive t(s) as (select 'x' union all select s || s from t) select max(length(s)) from t",
        "select list_sum(generate_series(1, 10000000000))",
        "select count(*) from generate_series(1, 10000000000000)",
        "select length(repeat('x', 1000000000000))",
        "select length(lpad('x', 2000000000, 'y'))",
        "select length(printf('%1000000000d', 1))",
        "select regexp_replace(repeat('a', 10000000), 'a', repeat('b', 1000), 'g')",
        "select regexp_matches(repeat('a', 100000), '((a{1,100}){1,100}){1,100}b')",
        "select string_agg(text, '') from log_lines, range(1000000)",
        "select array_agg(l) from log_lines l, range(10000000)",
        "select list_resize([1], 4000000000)",
        "select bitstring('0101', 2000000000)::varchar",
        "select string_split(repeat('a,', 500000000), ',')",
        "select repeat('[', 100000)::json",
        "select json_extract(repeat('[', 50000000), '$')",
        "select sleep_ms(1000000)",
        "select count(*) from log_lines a, log_lines b, log_lines c, log_lines d",
        "select error(repeat('x', 100000000))",
        &cross,
        &deep,
        &lists,
        &sum,
    ];
    let numbered: Vec<(usize, &str)> = bombs.into_iter().enumerate().collect();
    on_two_threads(&numbered, |(number, bomb)| {
        let file = format!("bomb-{number}.sql");
        std::fs::write(room.dir.path().join(&file), bomb).unwrap();
        let started = std::time::Instant::now();
        let answer = room.ask(&["--file", &file, "--memory", "200MB", "--timeout", "2s"]);
        let shown: String = bomb.chars().take(60).collect();
        assert_refused(&shown, &answer);
        assert!(answer.stderr.len() < 4000, "{shown}: {} bytes", answer.stderr.len());
        assert!(started.elapsed().as_secs() < 30, "{shown}: {:?}", started.elapsed());
    });
    // Deep is not wrong.
    assert_eq!(room.sql(&views).code, Some(0));
}

/// No file is read, wherever it lies: neither where a database would spill, nor one that is called like the database. And no
/// message shows what stands in one.
#[test]
fn no_file_is_read_or_shown() {
    let room = Room::new();
    std::fs::create_dir_all(room.dir.path().join(".tmp")).unwrap();
    std::fs::create_dir_all(room.dir.path().join(".duckdb/stored_secrets")).unwrap();
    for name in ["secret.csv", ".tmp/secret.csv", ":memory:", ":memory:.wal", ".duckdb/stored_secrets/secret.csv"] {
        let path = room.dir.path().join(name);
        std::fs::write(&path, "a,b\nhunter2,2\n").unwrap();
        for path in [name, path.to_str().unwrap()] {
            for sql in [
                format!("select * from read_text('{path}')"),
                format!("select error(content) from read_text('{path}')"),
                format!("select cast(content as integer) from read_text('{path}')"),
                format!("select * from read_csv('{path}', columns = {{'a': 'integer'}})"),
                format!("select * from read_json('{path}')"),
                format!("select * from '{path}'"),
                format!("select * from glob('{path}*')"),
                format!("attach '{path}' as other"),
                format!("copy (select 1) to '{path}'"),
            ] {
                let answer = room.sql(&sql);
                assert_refused(&sql, &answer);
                assert!(!answer.stderr.contains("hunter2"), "{sql}: {}", answer.stderr);
            }
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\nhunter2,2\n");
    }
}

/// What may be asked and tells nothing: settings and functions about the database itself.
#[test]
fn what_is_told_about_the_process_is_nothing() {
    let room = Room::new();
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".to_owned());
    for sql in [
        "select string_agg(value, ' ') from duckdb_settings()",
        "select current_setting('home_directory'), current_setting('temp_directory')",
        "from duckdb_logs()",
        "from duckdb_databases()",
        "from duckdb_variables()",
        "from duckdb_memory()",
        "from duckdb_temporary_files()",
        "select version(), current_user, current_database()",
        "select getvariable('x'), write_log('x')",
        "from evidence(0, '../../etc/passwd')",
    ] {
        let answer = room.sql(sql);
        let told = format!("{}{}", answer.stdout, answer.stderr);
        assert!(!answer.panicked(), "{sql}: {}", answer.describe());
        assert!(!told.contains(&home) && !told.contains(room.dir.path().to_str().unwrap()), "{sql}: {told}");
        assert!(!told.contains("root:"), "{sql}: {told}");
    }
}

/// Words of a statement cannot reach what the library asks, and values of one are only ever values.
#[test]
fn values_of_the_library_are_bound() {
    let room = Room::new();
    let before = room.ask(&["works-named"]);
    for value in [
        "'; drop view works; --",
        "' union select content from read_text('/etc/passwd') --",
        "$name",
        "%",
        "\\",
        "{\"a\": 1}",
    ] {
        let answer = room.ask(&["works-named", &format!("name={value}")]);
        assert_eq!(answer.code, Some(0), "{value}: {}", answer.describe());
        assert!(!answer.stdout.contains("root:"), "{value}: {}", answer.stdout);
    }
    assert_eq!(room.ask(&["works-named"]), before);
}

#[test]
fn an_answer_without_end_is_cut_and_says_so() {
    let room = Room::new();
    let answer = room.ask(&["--sql", "select range from range(1000000000000)", "--max-rows", "3", "--format", "csv"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "range\n0\n1\n2\n"), "{}", answer.describe());
    assert!(answer.stderr.contains("more than these 3 rows"), "{}", answer.stderr);
    let wide = "select repeat('x', 10000) as wide from range(1000000000)";
    let answer = room.ask(&["--sql", wide, "--format", "csv"]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    assert!(answer.stdout.len() < 200 << 20 && answer.stderr.contains("bytes"), "{}", answer.stderr);
    assert_refused("one row", &room.sql("select repeat('x', 300000000)"));
}

/// A block that is not what was written is noticed in the middle of an answer, and no answer is given.
#[test]
fn a_damaged_bundle_gives_no_answer() {
    let room = Room::new();
    let mut bytes = std::fs::read(&room.bundle).unwrap();
    let place = bytes.windows(4).position(|four| four == b"PAR1").unwrap() + 2000;
    let length = bytes.len();
    let mut refused = 0;
    for position in (place..length - 30_000).step_by((length - place) / 20) {
        *bytes.get_mut(position).unwrap() ^= 1;
        std::fs::write(&room.bundle, &bytes).unwrap();
        let sql = "select count(distinct t::varchar) from (from log_lines) t union all select count(distinct t::varchar) from (from resources) t";
        let answer = room.sql(sql);
        *bytes.get_mut(position).unwrap() ^= 1;
        assert!(!answer.panicked(), "{position}: {}", answer.describe());
        if answer.code != Some(0) {
            assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{position}: {}", answer.describe());
            assert!(answer.stderr.contains("evidence.dacapo"), "{position}: {}", answer.stderr);
            refused += 1;
        }
    }
    assert!(refused > 0, "something of what was changed is read");
    std::fs::write(&room.bundle, bytes.get(..length - 100).unwrap()).unwrap();
    assert_eq!(room.sql("select 1").code, Some(2));
}

#[test]
fn values_of_strangers_cannot_take_over_a_terminal_or_a_sheet() {
    let room = Room::new();
    let hostile = "select chr(27) || '[31mred' as \"a\u{1b}[2J|b\", '=1+1' as formula, '<img src=x>' as html";
    for form in ["text", "markdown", "csv"] {
        let answer = room.ask(&["--sql", hostile, "--format", form]);
        assert_eq!(answer.code, Some(0), "{}", answer.describe());
        assert!(!answer.stdout.contains('\u{1b}'), "{form}: {}", answer.stdout);
    }
    assert!(room.ask(&["--sql", hostile, "--format", "csv"]).stdout.contains("\"'=1+1\""));
}

/// The process that answers does not stay when whoever asked is gone.
#[test]
fn nobody_is_left_behind() {
    let room = Room::new();
    let program = assert_cmd::cargo::cargo_bin!("dacapo");
    let endless = "select count(*) from range(10000000) a, range(10000000) b where a.range + b.range = -1";
    let mut asking = std::process::Command::new(program)
        .args(["query", room.bundle.to_str().unwrap(), "--sql", endless])
        .spawn()
        .unwrap();
    let caged = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        let line = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
        line.filter(|line| line.contains("\0caged\0") && line.contains(room.bundle.to_str().unwrap())).count()
    };
    if cfg!(target_os = "linux") {
        let wait = |wanted: usize| {
            (0..600).any(|_| {
                caged() == wanted || {
                    std::thread::sleep(std::time::Duration::from_millis(50));
                    false
                }
            })
        };
        assert!(wait(1), "it was started");
        asking.kill().unwrap();
        assert!(wait(0), "it ended");
    }
    let _ = asking.kill();
    asking.wait().unwrap();
}
