//! Statements of strangers: whatever they try, they read the bundle and nothing else, end in time, and leave every later
//! answer as it was.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::support::{Answer, dacapo, run};
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
    for sql in ESCAPES {
        assert_refused(sql, &room.sql(sql));
        let second = format!("select 1; {sql}");
        let answer = room.sql(&second);
        assert_eq!(answer.code, Some(2), "{second}: {}", answer.describe());
    }
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
