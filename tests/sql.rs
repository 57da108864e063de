//! `dacapo query`: its library on every evidence there is, its forms, its words.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dacapo::bundle::Reader;
use dacapo::query::{judged, sql};
use dacapo::store::{Limits, Part, Reading, Store};
use regex::Regex;
use serde_json::{Value, json};

use tempfile::TempDir;

use crate::support::process::on_a_terminal;
use crate::support::{Answer, chosen_scenarios, collect, dacapo, on_two_threads, run, trace_json, unpack};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("snapshots/{name}.dacapo"))
}

fn query(bundle: &Path, arguments: &[&str]) -> Answer {
    run(dacapo().arg("query").arg(bundle).args(arguments))
}

/// The rows of an answer as objects.
fn rows(bundle: &Path, arguments: &[&str]) -> Vec<Value> {
    let answer = query(bundle, &[arguments, &["--format", "json"]].concat());
    assert_eq!(answer.code, Some(0), "{arguments:?}: {}", answer.describe());
    let mut value: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(value["format"], "dacapo.query/1");
    serde_json::from_value(value["rows"].take()).unwrap()
}

/// A store as the cage has it.
fn store(bundle: &Path) -> Store {
    let mut store = Store::open_within(&Limits { bytes: 1 << 30, threads: 2, optimizes: true }).unwrap();
    let names: Vec<&str> = sql::view_names().collect();
    store.show_evidence(&Arc::new(Reader::open(bundle).unwrap()), &names).unwrap();
    sql::make_views(&store).unwrap();
    store
}

#[test]
fn every_statement_of_the_library_runs_on_all_evidence() {
    let failures = on_two_threads(&chosen_scenarios(), |scenario| {
        let dir = unpack(scenario);
        let reader = Arc::new(Reader::open(&collect(&dir.path().join(scenario))).unwrap());
        let mut store = Store::open_within(&Limits { bytes: 1 << 30, threads: 1, optimizes: true }).unwrap();
        store.show_evidence(&reader, &[]).unwrap();
        sql::make_views(&store).unwrap();
        let mut failures = Vec::new();
        for statement in sql::LIBRARY {
            assert_eq!(store.reading(statement.sql).unwrap(), Reading::One, "{}", statement.name);
            let named = statement.header().named.into_iter();
            let values: BTreeMap<String, String> =
                named.map(|named| (named.name, named.default.unwrap_or_else(|| "x".to_owned()))).collect();
            if let Err(error) = store.stream(statement.sql, &values, |_| ControlFlow::Continue(())) {
                let why = std::error::Error::source(&error).map(ToString::to_string);
                failures.push(format!("{scenario}: {}: {why:?}", statement.name));
            }
        }
        failures
    });
    assert!(failures.concat().is_empty(), "{}", failures.concat().join("\n"));
}

#[test]
fn every_header_names_what_its_statement_has() {
    let store = store(&sample("healthy"));
    for statement in sql::promised().chain(sql::LIBRARY) {
        let (name, header) = (statement.name, statement.header());
        assert!(!header.title.is_empty() && !header.answers.is_empty(), "{name} does not say what it is");
        assert!(!header.tables.is_empty(), "{name} names no tables");
        for table in &header.tables {
            assert!(dacapo::schema::table(table).is_some(), "{name} needs {table}, which is not declared");
        }
        let body: String = statement.sql.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
        for named in &header.named {
            assert!(body.contains(&format!("${}", named.name)), "{name} does not use {}", named.name);
            assert!(!named.about.is_empty(), "{name} does not say what {} is", named.name);
        }
        let is_table = name.starts_with("sql/") || name.starts_with("judged/");
        assert!(is_table || body.contains("\norder by "), "{name} has no order");
    }
    for view in sql::promised() {
        let mut found = Vec::new();
        let from = format!("from {}", view.short_name());
        let told = store.stream(&from, &BTreeMap::new(), |part| {
            if let Part::Columns(columns) = part {
                found = columns.into_iter().map(|(name, _)| name).collect();
            }
            ControlFlow::Break(())
        });
        told.unwrap();
        let said: Vec<String> = view.header().columns.into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, said, "{}", view.name);
    }
}

#[test]
fn a_table_in_sql_is_the_table_of_the_bundle() {
    let bundle = sample("stuck-in-delivery");
    let reader = Reader::open(&bundle).unwrap();
    for member in &reader.manifest().members {
        let Some(table) = member.table() else { continue };
        let counted = rows(&bundle, &["--sql", &format!("select count(*) as n, max(row_no) as last from {table}")]);
        let last = if member.rows == 0 { Value::Null } else { json!(member.rows) };
        assert_eq!(counted, [json!({"n": member.rows, "last": last})], "{table}");
    }
    let line = rows(&bundle, &["--sql", "select text, logged_at, component from log_lines where row_no = 137"]);
    let shown = run(dacapo().arg("show").arg(&bundle).args(["log_lines:137", "--format", "json"]));
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    for column in ["text", "logged_at", "component"] {
        assert_eq!(line[0][column], shown["rows"][0]["row"][column], "{column}");
    }
}

/// The steps people take by hand, on a work whose story is known.
#[test]
fn the_library_gives_the_answers_that_people_look_for_by_hand() {
    let bundle = sample("healthy");
    let all = rows(&bundle, &["works-named"]);
    let (name, id) = (all[0]["work_name"].as_str().unwrap(), all[0]["resource_id"].as_str().unwrap());
    let part = &name[1..name.len() - 1];
    assert!(rows(&bundle, &["works-named", &format!("name={part}")]).contains(&all[0]));
    let by_id = format!("id={id}");
    let manifests = rows(&bundle, &["work", &by_id]);
    assert!(!manifests.is_empty() && manifests.iter().all(|row| row["work_name"] == *name), "{manifests:?}");
    assert_eq!(manifests, rows(&bundle, &["work", &format!("id={name}")]));
    assert_eq!(rows(&bundle, &["payload", &by_id]).len(), 1);
    assert!(rows(&bundle, &["spec-events", &by_id]).iter().all(|row| !row["reconciled_date"].is_null()));
    let applied = rows(&bundle, &["applied-works", &by_id]);
    assert!(applied[0]["name"].as_str().unwrap().ends_with(id), "{applied:?}");
    let listed = rows(&bundle, &["applied-resources", &by_id]);
    let object = listed[0]["name"].as_str().unwrap();
    let owners = rows(&bundle, &["owner-of", &format!("name={object}")]);
    assert!(owners.iter().any(|row| row["resource_id"] == *id && row["work_name"] == *name), "{owners:?}");
    let lines = rows(&bundle, &["lines-of", &by_id]);
    assert!(!lines.is_empty());
    assert!(rows(&bundle, &["ids-in-logs", &format!("name={name}")]).iter().all(|row| row["resource_id"] == *id));
    assert!(
        rows(&bundle, &["conditions-of", &by_id]).iter().any(|row| row["type"] == "Applied" && row["status"] == "True")
    );
}

/// A work as clusters-service makes it: labelled, with a work inside whose status comes back as feedback.
fn with_labels_and_an_inner_work() -> (TempDir, PathBuf) {
    let dir = unpack("db-only");
    let db = dir.path().join("db-only/db");
    let text = std::fs::read_to_string(db.join("resources.jsonl")).unwrap();
    let mut row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    row["payload"]["metadata"]["labels"] = json!({"api.openshift.com/id": "2f7c9kq1"});
    let values = json!([{"name": "available", "fieldValue": {"type": "Boolean", "boolean": true}}]);
    let meta = json!({"kind": "HostedCluster", "namespace": "clusters", "name": "one"});
    let inner =
        json!({"resourceStatus": {"manifests": [{"resourceMeta": meta, "statusFeedback": {"values": values}}]}});
    let value = json!({"name": "status", "fieldValue": {"type": "JsonRaw", "jsonRaw": inner.to_string()}});
    row["status"]["data"]["resourceStatus"][0]["statusFeedback"]["values"] = json!([value]);
    std::fs::write(db.join("resources.jsonl"), format!("{row}\n")).unwrap();
    let metadata = json!({"name": "one", "namespace": "local-cluster", "labels": {"api.openshift.com/id": "2f7c9kq1"}});
    let work = json!({"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": metadata, "spec": {}});
    let kube = dir.path().join("db-only/kube/mgmt");
    std::fs::create_dir_all(&kube).unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [work]});
    std::fs::write(kube.join("manifestworks.json"), list.to_string()).unwrap();
    let bundle = collect(&dir.path().join("db-only"));
    (dir, bundle)
}

/// Each step of the table in `docs/sql.md` has an answer on evidence that holds one.
#[test]
fn every_statement_of_the_library_finds_what_it_looks_for() {
    let made = with_labels_and_an_inner_work();
    let broken = unpack("broker-down-create");
    let broken = collect(&broken.path().join("broker-down-create"));
    let healthy = sample("healthy");
    let id = rows(&healthy, &["--sql", "select resource_id from works where work_name = 'web-frontend'"]);
    let id = format!("id={}", id[0]["resource_id"].as_str().unwrap());
    for statement in sql::LIBRARY {
        let (bundle, values): (&Path, &[&str]) = match statement.short_name() {
            "works-labelled" | "manifest-works" => (&made.1, &["label=api.openshift.com/id=2f7c9kq1"]),
            "inner-feedback" => (&made.1, &[]),
            "known-errors" => (&broken, &["kind=publish"]),
            "owner-of" => (&healthy, &["name=frontend"]),
            "objects" => (&healthy, &["kind=deployment", "name=frontend"]),
            "ids-in-logs" => (&healthy, &["name=web-frontend"]),
            "agent-actions" => (&healthy, &["name=web-frontend-config"]),
            "work" | "payload" | "applied-resources" | "lines-of" => (&healthy, &[&id]),
            _ => (&healthy, &[]),
        };
        let found = rows(bundle, &[&[statement.short_name()], values].concat());
        assert!(!found.is_empty(), "{} {values:?} finds nothing", statement.name);
    }
    let inner = rows(&made.1, &["inner-feedback"]);
    assert_eq!(inner[0]["field"], "available");
    assert_eq!(inner[0]["name"], "one");
}

/// A step of the table finds nothing that its statement does not.
#[test]
fn a_statement_finds_every_line_that_the_grep_it_stands_for_finds() {
    let steps = sql::canned("known-errors").unwrap().header().instead_of;
    let mut tried = BTreeSet::new();
    for scenario in ["broker-down-create", "listen-killed", "client-gone", "broadcast-owner-dead"] {
        let dir = unpack(scenario);
        let bundle = collect(&dir.path().join(scenario));
        let all = ["--sql", "select 'log_lines:' || row_no as evidence, text from log_lines", "--max-rows", "100000"];
        let lines = rows(&bundle, &all);
        for step in &steps {
            let grep = Regex::new(step.by_hand.split('"').nth(1).unwrap()).unwrap();
            let found = rows(&bundle, &["known-errors", &step.values[0]]);
            let found: BTreeSet<&str> = found.iter().map(|row| row["evidence"].as_str().unwrap()).collect();
            for line in lines.iter().filter(|line| grep.is_match(line["text"].as_str().unwrap())) {
                assert!(found.contains(line["evidence"].as_str().unwrap()), "{scenario}: {}: {line}", step.by_hand);
                tried.insert(&step.by_hand);
            }
        }
    }
    assert!(tried.len() >= 4, "{tried:?}");
}

#[test]
fn an_answer_has_every_form() {
    let bundle = sample("healthy");
    let sql = "select 1 as a, 'x, y' as b, null as a, timestamp '2026-01-02 03:04:05' as at, 1.5::double as c, true as d, [1, 2] as e";
    let form = |form: &str| query(&bundle, &["--sql", sql, "--format", form]).stdout;
    assert_eq!(form("csv"), "a,b,a_1,at,c,d,e\n1,\"x, y\",,2026-01-02T03:04:05.000000Z,1.5,true,\"[1, 2]\"\n");
    assert_eq!(
        form("text"),
        "  a  b     a_1  at                           c    d     e\n  1  x, y       2026-01-02T03:04:05.000000Z  1.5  true  [1, 2]\n"
    );
    assert!(form("markdown").starts_with("| a | b | a_1 | at |"));
    let value: Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!(value["columns"][3], json!({"name": "at", "type": "time"}));
    assert_eq!(value["rows"][0]["a_1"], Value::Null);
    assert_eq!(query(&bundle, &["--sql", "select 1 where false"]).stdout, "no rows\n");
}

#[test]
fn parquet_has_types_and_needs_a_file() {
    use parquet::record::RowAccessor;
    let bundle = sample("healthy");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lines.parquet");
    let sql = "select row_no, text, logged_at, row_no / 2 as half from log_lines order by row_no";
    let answer = query(&bundle, &["--sql", sql, "--format", "parquet", "-o", file.to_str().unwrap()]);
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let reader = parquet::file::serialized_reader::SerializedFileReader::try_from(file.as_path()).unwrap();
    let found: Vec<_> = reader.into_iter().map(Result::unwrap).collect();
    let counted = rows(&bundle, &["--sql", "select count(*) as n from log_lines"]);
    assert_eq!(json!(found.len()), counted[0]["n"]);
    assert_eq!(found[1].get_long(0).unwrap(), 2);
    assert_eq!(found[1].get_double(3).unwrap(), 1.0);
    let refused = query(&bundle, &["--sql", sql, "--format", "parquet"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("parquet needs a file"), "{}", refused.stderr);
}

#[test]
fn mistakes_are_told_with_their_place_and_what_is_near() {
    let bundle = sample("healthy");
    let told = |arguments: &[&str]| {
        let answer = query(&bundle, arguments);
        assert_eq!(answer.code, Some(2), "{}", answer.describe());
        answer.stderr
    };
    let wrong = told(&["--sql", "select messag from log_lines"]);
    assert!(wrong.contains("LINE 1") && wrong.contains("\"message\"") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select 1 fro log_lines"]);
    assert!(wrong.contains("syntax error") && wrong.contains("LINE 1"), "{wrong}");
    let wrong = told(&["--sql", "select l.txt from log_lines l"]);
    assert!(wrong.contains("columns near it: text (log_lines"), "{wrong}");
    let wrong = told(&["--sql", "select payload->>'x' from works"]);
    assert!(wrong.contains("columns near it: payload (resources"), "{wrong}");
    let wrong = told(&["--sql", "select work_name from works where consumer = \"no-such-thing-at-all\""]);
    assert!(wrong.contains("single quotes"), "{wrong}");
    let wrong = told(&["--sql", "select count(*)\nfrom works group"]);
    assert!(wrong.contains("LINE 2: from works group\n") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select * from loglines"]);
    assert!(wrong.contains("Did you mean \"log_lines\"?") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select lenght(text) from log_lines"]);
    assert!(wrong.contains("Did you mean \"length\"?") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select consumer, count(*) from works"]);
    assert!(wrong.contains("group by all") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select payload.metadata.name from resources"]);
    assert!(wrong.contains("->>"), "{wrong}");
    let wrong = told(&["--sql", "select * from works where version = 'one'"]);
    assert!(wrong.contains("try_cast") && wrong.contains('^'), "{wrong}");
    let wrong = told(&["--sql", "select resource_id from works, events, manifests"]);
    assert!(wrong.contains("say whose column it is"), "{wrong}");
    let wrong = told(&["--sql", "select cast(repeat('x', 1000000) as integer)"]);
    assert!(wrong.len() < 2000, "{} bytes", wrong.len());
    let wrong = told(&["works-name"]);
    assert!(wrong.contains("near it: ") && wrong.contains("works-named"), "{wrong}");
    let wrong = told(&["works-named", "nam=x"]);
    assert!(wrong.contains("it has name, most"), "{wrong}");
    let wrong = told(&["work"]);
    assert!(wrong.contains("work needs id"), "{wrong}");
    let wrong = told(&["--sql", "  -- nothing\n ;"]);
    assert!(wrong.contains("there is no statement"), "{wrong}");
}

#[test]
fn statements_come_from_files_and_pipes_one_after_the_other() {
    let bundle = sample("healthy");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.sql");
    let text = "select 1 as one; -- and\nselect ';' as two;";
    std::fs::write(&file, text).unwrap();
    let expected = "one\n1\ntwo\n\";\"\n";
    assert_eq!(query(&bundle, &["--file", file.to_str().unwrap(), "--format", "csv"]).stdout, expected);
    let piped = run(dacapo().arg("query").arg(&bundle).args(["--format", "csv"]).write_stdin(text));
    assert_eq!(piped.stdout, expected);
}

/// Somebody types, makes a mistake, goes on and leaves with Ctrl-D, on a terminal.
#[test]
fn statements_are_typed_one_by_one() {
    let line = format!("{} query {}", assert_cmd::cargo::cargo_bin!("dacapo").display(), sample("healthy").display());
    let typed = "select 40 + 2 as answer;\nselect nothing from works;\nselect 'two'\n  || ' lines' as said;\n\u{4}";
    let shown = on_a_terminal(&line, typed.as_bytes());
    assert!(
        shown.contains("end a statement with ;") && shown.contains("dacapo> ") && shown.contains("   ...> "),
        "{shown}"
    );
    assert!(shown.contains("answer") && shown.contains("42"), "{shown}");
    assert!(shown.contains("the database does not answer") && shown.contains("\"nothing\" not found"), "{shown}");
    assert!(shown.contains("two lines"), "it goes on after a mistake: {shown}");
}

/// Whoever waits sees that something happens; in a pipe there is nothing of it.
#[test]
fn a_terminal_shows_that_an_answer_is_on_its_way() {
    let bundle = sample("healthy");
    let slow = "select count(*) from range(3000000000) where range % 7 = 8";
    let line =
        format!("{} query {} --sql '{slow}'", assert_cmd::cargo::cargo_bin!("dacapo").display(), bundle.display());
    let shown = on_a_terminal(&format!("{line} --timeout 3s"), b"");
    assert!(shown.contains("waiting for an answer"), "{shown}");
    let piped = query(&bundle, &["--sql", slow, "--timeout", "3s"]);
    assert!(!piped.stderr.contains("waiting"), "{}", piped.stderr);
}

/// Values are bound: no text of theirs is part of the statement.
#[test]
fn a_value_is_never_sql() {
    let bundle = sample("healthy");
    let sql = "select $a as a, $b as b, $missing as c";
    let found = rows(&bundle, &["--sql", sql, "a='; drop view log_lines; --", "b=1 or true"]);
    assert_eq!(found, [json!({"a": "'; drop view log_lines; --", "b": "1 or true", "c": null})]);
    assert!(rows(&bundle, &["works-named", "name=' or true --"]).is_empty());
}

#[test]
fn statements_that_read_are_answered() {
    let bundle = sample("healthy");
    for sql in [
        "from works",
        "with a as (select 1) select * from a",
        "values (1, 2)",
        "describe log_lines",
        "summarize resources",
        "show tables",
        "explain select * from log_lines",
        "EXPLAIN ANALYZE select count(*) from log_lines",
        "select * from (describe works)",
        "pivot log_lines on component in ('server', 'agent') using count(*)",
        "select count(*) from log_lines, events",
        "select l.row_no from log_lines l join coverage c on l.row_no = c.first_row",
        "select * from log_lines limit 1;",
    ] {
        let answer = query(&bundle, &["--sql", sql]);
        assert_eq!(answer.code, Some(0), "{sql}: {}", answer.describe());
        assert!(!answer.stdout.is_empty(), "{sql}");
    }
}

#[test]
fn the_examples_of_the_page_are_answered() {
    let page = include_str!("../docs/sql.md");
    let blocks = page.split("```sql\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    let examples: Vec<&str> = blocks.flat_map(|block| block.split_terminator(";\n")).collect();
    assert!(examples.len() > 5, "{examples:?}");
    for example in examples {
        let found = ["rejected-manifest", "stuck-in-delivery"].map(|name| rows(&sample(name), &["--sql", example]));
        assert!(!found.concat().is_empty(), "an example that shows nothing: {example}");
    }
}

/// What `requests` and `hops` say is what `trace` says, to the last column that both have.
#[test]
fn judged_requests_are_those_of_the_traces() {
    for (name, stopped) in [("stuck-in-delivery", 3), ("rejected-manifest", 4)] {
        let bundle = sample(name);
        let requests = rows(&bundle, &["--sql", "from requests order by resource_id, number"]);
        let hops = rows(&bundle, &["--sql", "from hops order by resource_id, number, hop"]);
        assert_eq!(hops.len(), requests.len() * 9);
        for (request, hops) in requests.iter().zip(hops.chunks(9)) {
            let (_, trace) = trace_json(&bundle, &[request["resource_id"].as_str().unwrap()]).unwrap();
            let place = request["number"].as_u64().unwrap() as usize - 1;
            let traced = &trace["works"][0]["requests"][place];
            for (column, field) in [
                ("request", "request"),
                ("version", "version"),
                ("life", "life"),
                ("op_id", "op_id"),
                ("requested_at", "at"),
                ("outcome", "outcome"),
                ("stops_at", "stops_at"),
                ("sentence", "sentence"),
            ] {
                assert_eq!(request[column], traced[field], "{name}: {column} of {request}");
            }
            assert_eq!(request["cause"], traced["cause"]["text"], "{name}: {request}");
            for (hop, traced) in hops.iter().zip(traced["hops"].as_array().unwrap()) {
                for (column, field) in
                    [("hop", "hop"), ("verdict", "verdict"), ("happened_at", "at"), ("place", "where"), ("why", "why")]
                {
                    assert_eq!(hop[column], traced[field], "{name}: {column} of {hop}");
                }
            }
        }
        let stops = rows(&bundle, &["--sql", "select stops_at from requests where outcome = 'stopped' and newest"]);
        assert_eq!(stops, [json!({"stops_at": stopped})], "{name}");
    }
}

#[test]
fn works_are_judged_only_for_statements_that_may_read_the_answer() {
    for sql in ["from requests", "select * from main.\"HOPS\" h", "with a as (from hops)from a", "from query('x')"] {
        assert!(judged::may_be_read_by(sql), "{sql}");
    }
    for sql in ["from works", "select my_requests from log_lines", "select 1"] {
        assert!(!judged::may_be_read_by(sql), "{sql}");
    }
}

/// The functions that take a name as a text see them filled as well.
#[test]
fn judged_requests_are_there_whoever_names_them() {
    let bundle = sample("healthy");
    let counted = rows(&bundle, &["--sql", "select count(*) as n from requests"]);
    assert!(counted[0]["n"].as_i64().unwrap() > 0, "{counted:?}");
    for sql in
        ["select count(*) as n from query_table('req' || 'uests')", "select count(*) as n from Memory.\"ReQuests\""]
    {
        let answer = query(&bundle, &["--sql", sql, "--format", "json"]);
        let found: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
        assert!(answer.code == Some(2) || found["rows"] == json!(counted), "{sql}: {}", answer.stdout);
    }
}
