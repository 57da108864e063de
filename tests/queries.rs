//! Every canned statement keeps the contract of its folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use dacapo::collect::live::postgres;
use dacapo::query::{self, Query};
use dacapo::schema;
use dacapo::store::{Datum, Store};
use std::collections::BTreeSet;
use std::path::Path;

fn registered() -> impl Iterator<Item = &'static Query> {
    query::VIEWS.iter().chain(query::all())
}

fn is_view(query: &Query) -> bool {
    query.name.starts_with("views/")
}

/// The statement without its comments.
fn body(query: &Query) -> String {
    query.sql.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_file_is_registered_and_every_name_has_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
    let mut files = BTreeSet::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let stem = name.strip_suffix(".sql").unwrap_or_else(|| panic!("{name} in queries/ is not SQL")).to_owned();
            files.insert(format!("{}/{stem}", folder.file_name().into_string().unwrap()));
        }
    }
    let for_others = || postgres::statements();
    let for_rules = || query::rules::VIEWS.iter().chain(query::rules::RULES).map(|query| query.name);
    let for_rules = || for_rules().chain(query::rules::QUERIES.iter().map(|query| query.name));
    let judged = || query::judged::TABLES.iter().chain(query::matrix::VIEWS).map(|query| query.name);
    let counted = || query::matrix::QUERIES.iter().map(|query| query.name);
    let for_people = || {
        query::sql::PARTS
            .iter()
            .chain(query::sql::VIEWS)
            .chain(query::sql::LIBRARY)
            .chain([&query::sql::NEAR])
            .map(|query| query.name)
    };
    let names = || {
        registered()
            .map(|query| query.name)
            .chain(for_others().map(|(name, _)| name))
            .chain(for_people())
            .chain(for_rules())
            .chain(judged())
            .chain(counted())
    };
    assert_eq!(files, names().map(str::to_owned).collect());
    assert_eq!(files.len(), names().count(), "a statement is registered twice");
}

#[test]
fn every_header_tells_title_tables_and_parameters() {
    for query in registered() {
        let header = query.header();
        assert!(!header.title.is_empty(), "{} has no title", query.name);
        // What is asked is not evidence.
        assert!(!header.tables.is_empty() || query.name == "views/asked", "{} names no tables", query.name);
        for table in &header.tables {
            assert!(schema::table(table).is_some(), "{} needs {table}, which is not declared", query.name);
        }
        for view in &header.views {
            let name = format!("views/{view}");
            let view = query::VIEWS.iter().find(|view| view.name == name).unwrap_or_else(|| panic!("no {name}"));
            let through_view = view.header().tables;
            let left_out: Vec<_> = through_view.iter().filter(|table| !header.tables.contains(table)).collect();
            assert!(left_out.is_empty(), "{} does not name {left_out:?}, which {name} is made of", query.name);
        }
        let used = (1..=9).filter(|number| body(query).contains(&format!("${number}"))).count();
        assert_eq!(used, header.parameters.len(), "{}: parameters of header and statement differ", query.name);
    }
}

#[test]
fn every_statement_runs_on_an_empty_store_and_answers_with_its_columns() {
    for query in registered().filter(|query| !is_view(query)) {
        // In a store of its own, so that its header has to name all that it needs.
        let store = Store::open().unwrap();
        let parameters = vec!["x"; query.header().parameters.len()];
        query::shape(&store, &[query]).unwrap();
        let answer = store.select(query.name, query.sql, &parameters).unwrap();
        assert_eq!(answer.columns, query.columns, "{}", query.name);
        assert!(answer.rows.is_empty(), "{} finds something in nothing", query.name);
    }
}

#[test]
fn every_view_answers_with_the_shape_that_it_declares() {
    for view in query::VIEWS {
        let store = Store::open().unwrap();
        query::shape(&store, &[view]).unwrap();
        let described = store.select(view.name, &format!("describe\n{}", view.sql), &[]).unwrap();
        let columns = described.rows.iter().map(|column| match column.as_slice() {
            [Datum::Text(name), Datum::Text(kind), ..] => format!("{name} {}", kind.to_lowercase()),
            other => panic!("{}: {other:?}", view.name),
        });
        assert_eq!(view.header().shape, columns.collect::<Vec<_>>().join(", "), "{}", view.name);
    }
}

#[test]
fn every_statement_is_one_and_has_an_order() {
    for query in registered() {
        let body = body(query);
        let ends = body.trim_end().trim_end_matches(';').lines().filter(|line| line.trim_end().ends_with(';')).count();
        assert_eq!(ends, 0, "{} is more than one statement", query.name);
        let last = body.trim_end().lines().last().unwrap_or_default().to_owned();
        assert!(is_view(query) || last.trim_start().starts_with("order by"), "{} has no order: {last}", query.name);
    }
}

/// What is sent to a database in production: one statement, which reads.
#[test]
fn statements_for_postgres_say_what_they_are_for_and_write_nothing() {
    for (name, file) in postgres::statements().filter(|(name, _)| *name != "postgres/grants") {
        assert!(file.starts_with("-- title: "), "{name} has no title");
        let body: Vec<&str> = file.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
        let body = body.join("\n");
        assert!(!body.contains(';'), "{name} is more than one statement");
        let first = body.split_whitespace().next().unwrap_or_default();
        assert!(
            ["begin", "select", "with", "copy", "savepoint", "rollback"].contains(&first),
            "{name} begins with {first}"
        );
    }
}
