//! Files that are cut, misnamed, in another encoding, or hold what no text holds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use super::{Case, gz, klog};
use crate::support::{dacapo, run};

const ID: &str = "0b14ee1e-1543-5748-bba9-abb351ceff99";
const AT: &str = "2026-01-15 09:45:12.345678+00";

#[test]
fn a_cut_gzip_gives_the_lines_before_the_cut_and_names_the_place() {
    let lines = klog(4000);
    let packed = gz((lines.join("\n") + "\n").as_bytes());
    let case = Case::new(&[("agent.log.gz", &packed[..packed.len() / 2])]);
    let answer = case.collect();
    let found = case.texts();
    assert!(found.len() > 1000, "{} lines", found.len());
    assert_eq!(found[..found.len() - 1], lines[..found.len() - 1]);
    assert!(lines[found.len() - 1].starts_with(found.last().unwrap()), "the beginning of the next line");
    let place = format!("after line {}: the gzip data is cut or damaged", found.len());
    assert!(case.error("in/agent.log.gz").starts_with(&place), "{}", case.error("in/agent.log.gz"));
    assert!(answer.stderr.contains(&place), "{}", answer.stderr);
}

#[test]
fn a_quote_too_many_in_a_table_of_log_lines_costs_its_line() {
    let row = |text: &str| format!("p-1,\"{}\"\n", text.replace('"', "\"\""));
    let lines = klog(6);
    let mut text = "pod_name,log\n".to_owned();
    lines[..3].iter().for_each(|line| text += &row(line));
    text += "p-1,\"I0115 09:45:13.000000       1 main.go:12] open\n";
    lines[3..].iter().for_each(|line| text += &row(line));
    let case = Case::new(&[("export.csv", text.as_bytes())]);
    case.collect();
    assert_eq!(case.texts(), lines);
    assert!(case.error("in/export.csv").starts_with("line 5: "), "{}", case.error("in/export.csv"));
    assert_eq!(case.step("in/export.csv")["unknown"], "1");
}

#[test]
fn a_quote_too_many_in_rows_of_the_database_costs_its_row() {
    let good = |name: &str| format!("{name},{AT},{AT},,{name},\n");
    let rows = [good("a"), format!("x,{AT},{AT},,\"open,\n"), good("b"), good("c")].concat();
    let text = format!("id,created_at,updated_at,deleted_at,name,labels\n{rows}");
    let case = Case::new(&[("consumers.csv", text.as_bytes())]);
    let answer = case.collect();
    assert_eq!(case.rows("consumers").len(), 3);
    assert!(answer.stderr.contains("line 3: "), "{}", answer.stderr);
    assert_eq!(case.rows("unknown").len(), 1);
    assert_eq!(case.step("in/consumers.csv")["unknown"], "1");
}

fn object(name: &str) -> String {
    format!(r#"{{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "{name}", "namespace": "n"}}}}"#)
}

#[test]
fn json_that_is_cut_gives_what_stands_before_the_cut() {
    let list = format!(
        "{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{},\n{},\n{}\n]}}\n",
        object("a"),
        object("b"),
        object("c")
    );
    let cut = list.find("\"c\"").unwrap();
    let row = |line: &str| serde_json::json!([line, "p-1"]).to_string();
    let lines = klog(3);
    let kusto = format!(
        "{{\"Tables\":[{{\"TableName\":\"T\",\"Columns\":[{{\"ColumnName\":\"log\"}},{{\"ColumnName\":\"pod_name\"}}],\"Rows\":[\n{},\n{},\n{}",
        row(&lines[0]),
        row(&lines[1]),
        &row(&lines[2])[..40]
    );
    let bundle =
        |id: &str| format!(r#"{{"id": "{id}", "kind": "ResourceBundle", "consumer_name": "c", "version": 1}}"#);
    let page = format!(
        "{{\"kind\": \"ResourceBundleList\", \"page\": 1, \"total\": 3, \"items\": [\n{},\n{}",
        bundle("r1"),
        &bundle("r2")[..30]
    );
    let single = r#"{"id": "r9", "kind": "ResourceBundle", "consumer_name": "c", "version": 1, "metadata": {"na"#;
    let case = Case::new(&[
        ("list.json", &list.as_bytes()[..cut]),
        ("kusto.json", kusto.as_bytes()),
        ("page.json", page.as_bytes()),
        ("single.json", single.as_bytes()),
    ]);
    case.collect();
    assert_eq!(case.rows("kube_objects").len(), 2);
    assert_eq!(case.texts(), lines[..2]);
    assert_eq!(case.rows("resources").len(), 1);
    for (name, line) in [("list.json", 4), ("kusto.json", 4), ("page.json", 3), ("single.json", 1)] {
        let step = case.step(&format!("in/{name}"));
        assert!(step["error"].as_str().unwrap().starts_with(&format!("line {line}: ")), "{step:#}");
        assert_eq!(step["unknown"], "1", "{step:#}");
    }
    let kept: Vec<String> = case.rows("unknown").iter().map(|row| row["value"].to_string()).collect();
    assert!(kept.iter().any(|text| text.contains("r9") && text.contains("consumer_name")), "{kept:?}");
}

/// The place of what is cut between two elements is that of the list, and nothing is kept twice.
#[test]
fn json_that_is_cut_between_elements_keeps_nothing_twice() {
    let list =
        format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{},\n{},\n", object("a"), object("b"));
    let case = Case::new(&[("list.json", list.as_bytes())]);
    case.collect();
    assert_eq!((case.rows("kube_objects").len(), case.rows("unknown").len()), (2, 0));
    assert_eq!(case.step("in/list.json")["outcome"], "partial");
}

#[test]
fn a_name_that_lies_is_not_believed() {
    let log = klog(5).join("\n") + "\n";
    let dump = format!(
        "--\n-- PostgreSQL database dump\n--\n\nCOPY public.consumers (id, created_at, updated_at, deleted_at, name, labels) FROM stdin;\n{ID}\t{AT}\t{AT}\t\\N\tcluster1\t\\N\n\\.\n\n--\n-- PostgreSQL database dump complete\n--\n\n"
    );
    let other = klog(9)[5..].join("\n") + "\n";
    let case = Case::new(&[
        ("pod.json", log.as_bytes()),
        ("dump.log", dump.as_bytes()),
        ("packed.txt", &gz(other.as_bytes())),
        ("objects.csv", object("a").as_bytes()),
    ]);
    case.collect();
    let odd: Vec<_> = case.rows("collection").into_iter().filter(|step| !step["error"].is_null()).collect();
    assert!(odd.is_empty(), "{odd:#?}");
    assert_eq!((case.texts().len(), case.rows("consumers").len(), case.rows("kube_objects").len()), (9, 1, 1));
}

#[test]
fn a_line_of_a_hundred_megabytes_is_one_row() {
    let mut text = (klog(1).remove(0) + " payload=").into_bytes();
    text.resize(100 << 20, b'x');
    text.extend_from_slice(b"\n");
    text.extend_from_slice((klog(2).remove(1) + "\n").as_bytes());
    let case = Case::new(&[("logs/mgmt/maestro/maestro-agent-1/maestro-agent.log", &text)]);
    case.collect();
    let shown = run(dacapo().arg("show").arg(case.bundle()).arg("log_lines:1"));
    assert_eq!(shown.code, Some(0), "{}", shown.describe());
    let shown = run(dacapo().arg("show").arg(case.bundle()).arg("log_lines:2"));
    assert!(shown.stdout.contains("n=1"), "{}", shown.describe());
    assert_eq!(case.step("in/logs/mgmt/maestro/maestro-agent-1/maestro-agent.log")["rows"], "2");
}

#[test]
fn empty_files_of_every_kind_are_left_out() {
    let endings = [
        "log", "txt", "json", "jsonl", "csv", "tsv", "sql", "yaml", "yml", "gz", "zst", "xz", "bz2", "tar", "zip",
        "tgz",
    ];
    let names: Vec<String> = endings.iter().map(|ending| format!("empty.{ending}")).collect();
    let log = klog(1).join("\n");
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    files.push(("pod.log", log.as_bytes()));
    let case = Case::new(&files);
    case.collect();
    for name in &names {
        assert_eq!(case.error(&format!("in/{name}")), "empty");
    }
    assert_eq!(case.texts(), [log], "a last line without its end is a line");
}

fn utf_16(text: &str) -> Vec<u8> {
    let windows = text.replace('\n', "\r\n");
    [0xff, 0xfe].into_iter().chain(windows.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

#[test]
fn exports_of_windows_programs_give_the_same_rows() {
    let quoted = |line: &String| format!("p-1,\"{}\"\n", line.replace('"', "\"\""));
    let kusto = "pod_name,log\n".to_owned() + &klog(20).iter().map(quoted).collect::<String>();
    let consumers = format!(
        "id,created_at,updated_at,deleted_at,name,labels\n{ID},{AT},{AT},,cluster1,\"{{\"\"a\"\": \"\"ü\"\"}}\"\n"
    );
    let plain = Case::new(&[("export.csv", kusto.as_bytes()), ("consumers.csv", consumers.as_bytes())]);
    let other = Case::new(&[("export.csv", &utf_16(&kusto)), ("consumers.csv", &utf_16(&consumers))]);
    plain.collect();
    other.collect();
    for table in ["log_lines", "consumers", "unknown", "coverage"] {
        assert_eq!(plain.rows(table), other.rows(table), "{table}");
    }
    assert_eq!((plain.rows("log_lines").len(), plain.rows("consumers").len()), (20, 1));
}

#[test]
fn line_ends_of_windows_change_no_key_and_bad_bytes_are_kept() {
    let lines = klog(5);
    let unix = Case::new(&[("a.log", (lines.join("\n") + "\n").as_bytes())]);
    let windows = Case::new(&[("a.log", (lines.join("\r\n") + "\r\n").as_bytes())]);
    unix.collect();
    windows.collect();
    for (one, other) in unix.rows("log_lines").iter().zip(windows.rows("log_lines")) {
        for key in ["logged_at", "level", "message", "resource_id", "line", "format", "code"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    let bad = [lines[0].as_bytes(), b" \xff\xfe bad=\"\xc3\x28\"\n", lines[1].as_bytes()].concat();
    let case = Case::new(&[("bad.log", &bad)]);
    case.collect();
    let rows = case.rows("log_lines");
    assert_eq!(rows.len(), 2);
    assert!(!rows[0]["bytes"].is_null() && rows[1]["bytes"].is_null(), "{rows:#?}");
    assert_eq!(rows[0]["format"], "klog");
}
