//! Rules of somebody's own: what they may not do, and what is said about it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::diagnose::diagnose_json;
use crate::support::{Answer, dacapo, run};

const HEADER: &str = "-- title: x\n-- means: y\n-- severity: warning\n";

/// A row that keeps the contract, with this text and from there.
fn selecting(text: &str, from: &str) -> String {
    format!(
        "{HEADER}select 'found' as answer, null as severity, null as work, null as consumer, null as place, null as \"at\", \
         {text} as text, null as shares, null as evidence, null as cause {from}"
    )
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/healthy.dacapo")
}

fn folder_with(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

fn asked(rules: &Path) -> Answer {
    let limit = ["--rule", "mine", "--rule-timeout", "20s"];
    run(dacapo().arg("diagnose").arg(sample()).args(limit).arg("--rules").arg(rules))
}

/// Says no, in these words, and what to do.
fn refused(rules: &Path, words: &str) {
    let answer = asked(rules);
    assert_eq!(answer.code, Some(2), "{words}: {}", answer.describe());
    assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
    assert!(!answer.stderr.contains("please report it"), "{}", answer.stderr);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
}

#[test]
fn a_folder_that_holds_no_rules_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    refused(folder.path(), "no file that ends in .sql");
    refused(&folder.path().join("absent"), "cannot read rules");
    fs::write(folder.path().join("mine.sql"), "select 1").unwrap();
    refused(&folder.path().join("mine.sql"), "give the folder");
    refused(folder_with("mine.sql", &[0xff, 0xfe, 0, 1]).path(), "not text in UTF-8");
    refused(folder_with("mine.sql", &vec![b' '; (1 << 20) + 1]).path(), "longer than 1 MiB");
    refused(folder_with("mine.sql", b"").path(), "-- title:");
}

#[test]
fn a_rule_that_does_not_keep_the_contract_is_refused() {
    for (sql, words) in [
        (format!("{HEADER}create table t (a int)"), "more than read"),
        (format!("{HEADER}delete from resources"), "more than read"),
        (format!("{HEADER}copy (select 1) to 'x.csv'"), "more than read"),
        (format!("{HEADER}attach 'x.duckdb'"), "more than read"),
        (format!("{HEADER}set memory_limit = '100GB'"), "more than read"),
        (format!("{HEADER}install httpfs"), "more than read"),
        (format!("{HEADER}select 1; drop table resources"), "more than read"),
        (format!("{}; select 1", selecting("'x'", "")), "2 statements"),
        (format!("{HEADER}selec 1"), "syntax error"),
        (format!("{HEADER}select 1 as answer"), "is expected"),
        (selecting("nothing", "from resources"), "nothing"),
        (selecting("'x'", "").replace("'found'", "'Found'"), "Found"),
        (selecting("'x'", "").replace("null as severity", "'bad' as severity"), "bad"),
        (selecting("'x'", "").replace("null as \"at\"", "'soon' as \"at\""), "soon"),
        (selecting("'x'", "from read_csv('/etc/passwd')"), "disabled"),
        (selecting("content", "from read_text('/etc/hostname')"), "disabled"),
        (selecting("'x'", "from range(2000000)"), "more than 1000000 rows"),
        (selecting("'x'", "").replace("-- means", "-- explains: nobody\n-- means"), "nobody"),
        (selecting("'x'", "").replace("-- means", "-- views: nowhere\n-- means"), "nowhere"),
    ] {
        refused(folder_with("mine.sql", sql.as_bytes()).path(), words);
    }
}

#[test]
fn a_rule_of_another_name_than_one_can_say_is_refused() {
    let good = selecting("'x'", "");
    for (name, words) in
        [("a b.sql", "small letters"), ("Ä'\".sql", "small letters"), ("agent_silent.sql", "of that name already")]
    {
        refused(folder_with(name, good.as_bytes()).path(), words);
    }
    let near = run(dacapo().arg("diagnose").arg(sample()).args(["--rule", "agent_silnt"]));
    assert_eq!(near.code, Some(2));
    assert!(near.stderr.contains("agent_silent"), "{}", near.stderr);
}

/// Neither time nor memory is taken without end.
#[test]
fn a_rule_that_never_ends_is_ended() {
    let endless = selecting("count(*)::varchar", "from range(99999) a, range(99999) b, range(99999) c");
    refused(folder_with("mine.sql", endless.as_bytes()).path(), "still at work after 20 s");
    let greedy = selecting("count(*)::varchar", "from range(9999999999) a, range(9999999999) b");
    refused(folder_with("mine.sql", greedy.as_bytes()).path(), "more memory");
}

#[test]
fn a_rule_sees_evidence_as_it_is_whatever_was_asked_before() {
    let folder = folder_with("mine.sql", selecting("count(*) || ' lines'", "from log_lines").as_bytes());
    let (code, answer) =
        diagnose_json(&sample(), &["--rule", "mine", "--rules", folder.path().to_str().unwrap(), "--fail-on", "error"]);
    assert_eq!((code, answer["findings"][0]["severity"].as_str()), (0, Some("warning")));
    assert!(answer["findings"][0]["text"].as_str().unwrap().ends_with(" lines"), "{answer}");
}
