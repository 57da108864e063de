//! What is broken is named with its line and kept, and the rest is taken.

use super::{Quiet, Tables, rows_of};
use dacapo::collect::{Error, Outcome, Plan, collect};
use tempfile::TempDir;

const ID: &str = "0b14ee1e-1543-5748-bba9-abb351ceff99";
const AT: &str = "2026-01-15 09:45:12.345678+00";

/// The rows of a file, and what is said of it.
fn taken(name: &str, text: &str) -> (Tables, Vec<Outcome>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let (tables, summary) = rows_of(vec![path]);
    (tables, summary.steps)
}

fn error(steps: &[Outcome]) -> &str {
    steps.iter().find_map(|step| step.error.as_deref()).unwrap_or_default()
}

#[test]
fn a_quote_that_is_not_closed_is_named_with_the_line_of_its_record() {
    let good = format!("{ID},{AT},{AT},,cluster1,\n");
    let text = format!("id,created_at,updated_at,deleted_at,name,labels\n{good}x,{AT},{AT},,\"cluster2,\n{good}");
    let (tables, steps) = taken("consumers.csv", &text);
    assert_eq!(tables["consumers"].len(), 1);
    assert!(error(&steps).starts_with("line 3: a quote is opened"), "{steps:#?}");
    assert!(!steps[0].whole && steps[0].unknown == 1);
}

#[test]
fn rows_with_too_many_cells_are_kept_beside_the_others() {
    let text = format!("{ID}\t{AT}\t{AT}\t\\N\tcluster1\t\\N\n{ID}\ttoo few\n{ID}\t{AT}\t{AT}\t\\N\tcluster2\t{{}}\n");
    let (tables, steps) = taken("some.txt", &text);
    assert_eq!(tables["consumers"].len(), 2);
    assert_eq!(error(&steps), "line 2: 2 cells for 6 columns");
}

#[test]
fn a_row_that_was_cut_costs_only_itself() {
    let row = |name: &str| format!("{{\"id\":\"{name}\",\"name\":\"{name}\",\"labels\":{{\"a\":\"b\"}}}}\n");
    let cut = "{\"id\":\"x\",\"name\":\"y\",\"labels\":{\"a\":\"b\n";
    let (tables, steps) = taken("rows", &[row("a"), cut.to_owned(), row("b")].concat());
    assert_eq!(tables["consumers"].len(), 2);
    assert_eq!(error(&steps), "line 2: cut in the middle of the row that begins here");
}

/// The first 64 KB decide what a file is; the first row may be longer.
#[test]
fn a_row_that_is_longer_than_what_decides_is_taken() {
    let payload = format!("{{\"id\": \"e\", \"data\": \"{}\"}}", "x".repeat(3 << 20));
    let cells = [ID, ID, AT, AT, "", "s", "cluster1", "1", "t", &payload, "null"];
    let quoted = payload.replace('"', "\"\"");
    let names = "name,id,created_at,updated_at,deleted_at,source,consumer_name,version,type,payload,status";
    let csv = format!("{ID},{ID},{AT},{AT},,s,cluster1,1,t,\"{quoted}\",null\n");
    let json: String = names
        .split(',')
        .zip(cells)
        .map(|(name, cell)| match name {
            "payload" | "status" => format!(",\"{name}\":{cell}"),
            _ => format!(",\"{name}\":\"{cell}\""),
        })
        .collect();
    let copy = cells.join("\t").replace("\t\t", "\t\\N\t") + "\n";
    for text in [
        copy.clone(),
        csv.clone(),
        format!("{names}\n{csv}"),
        format!("{{{}}}\n", &json[1..]),
        format!("[{{{}}}]", &json[1..]),
    ] {
        let (tables, steps) = taken("long", &text);
        assert_eq!(tables["resources"].len(), 1, "{}", &text[..100]);
        assert_eq!(tables["resources"][0]["payload"], payload);
        assert_eq!(error(&steps), "");
    }
}

#[test]
fn a_dump_without_its_end_says_where_it_ends() {
    let text = format!(
        "--\n-- PostgreSQL database dump\n--\nCOPY public.migrations (id) FROM stdin;\n1\n2\n\\.\n\
         COPY public.consumers (id, name) FROM stdin;\n{ID}\tcluster1\n{ID}\tclus"
    );
    let (tables, steps) = taken("maestro.sql", &text);
    assert_eq!(tables["consumers"].len(), 1);
    assert_eq!((steps[0].seen, steps[0].skipped, steps[0].unknown, steps[0].whole), (4, 2, 1, false));
    assert!(error(&steps).starts_with("line 10: cut in the middle of the row"), "{steps:#?}");
    assert_eq!(steps[0].remarks, ["left out: 2 rows of migrations, which is no evidence"]);
}

#[test]
fn a_table_without_rows_is_there() {
    for (name, text) in [
        ("events.jsonl", ""),
        ("events.json", "[]\n"),
        ("any.csv", "id,created_at,source_id,event_type\n"),
        ("any.sql", "COPY public.events (id, source_id) FROM stdin;\n\\.\n"),
        (
            "x.sql",
            "-- PostgreSQL database dump\n-- Data for Name: events; Type: TABLE DATA\n-- PostgreSQL database dump complete\n",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let (tables, summary) = rows_of(vec![folder.path().join(name)]);
        assert!(tables["events"].is_empty());
        let step = &summary.steps[0];
        assert_eq!((step.table, step.whole, step.error.as_deref()), (Some("events"), true, None), "{name}: {step:#?}");
    }
}

#[test]
fn psql_results_of_several_tables_and_queries_are_told_apart() {
    let pretty = ["{", "    \"metadata\": {", "        \"name\": \"w\"", "    }"].map(|line| format!(" {line:<28}+\n"));
    let text = format!(
        "maestro=# SELECT jsonb_pretty(payload) FROM resources WHERE id = '{ID}';\n\
         \x20        jsonb_pretty          \n------------------------------\n{} }}\n(1 row)\n\n\
         maestro=# select id, ready, last_heartbeat from server_instances;\n\
         \x20id | ready | last_heartbeat \n----+-------+----------------\n m  | t     | {AT}\n(1 row)\n\n\
         maestro=# select count(*) from events;\n count \n-------\n     3\n(1 row)\n",
        pretty.concat()
    );
    let (tables, steps) = taken("paste.txt", &text);
    assert_eq!(tables["resources"][0]["payload"], "{\"metadata\": {\"name\": \"w\"}}");
    assert_eq!(tables["resources"][0]["work_name"], "w");
    assert_eq!(tables["server_instances"][0]["ready"], "Bool(true)");
    assert_eq!(steps.iter().map(|step| step.unknown).sum::<i64>(), 1, "{steps:#?}");
    assert!(steps.iter().all(|step| !step.whole));
}

#[test]
fn other_files_are_not_taken_for_rows() {
    for text in [
        "TIMESTAMP,pod_name,log\n2026-01-15,maestro,\"I0115 x\"\n",
        "a\tb\tc\n",
        "id,name\n1,2\n",
        "| id | name |\n|----|------|\n| 1  | x    |\n",
        "{\"log\":\"x\",\"stream\":\"stderr\",\"time\":\"2026-01-15T09:45:12Z\"}\n",
        "[1, 2]\n",
        "{\"kind\":\"Pod\",\"name\":\"x\"}\n",
    ] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, text).unwrap();
        let plan = Plan { from: vec![path.into()], output: folder.path().join("x.dacapo"), ..Plan::default() };
        match collect(&plan, &Quiet) {
            Err(Error::NothingRecognised { .. }) => {}
            other => panic!("{text}: {:#?}", other.map(|summary| summary.steps)),
        }
    }
}
