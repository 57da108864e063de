//! The rules can fail: each is shown what it must find and what it must let pass.

use super::rules::{Finding, directions, doors, empty_names, lengths, mentions, mouths, notes, sql, unfinished};
use super::source::Source;
use super::{FILE_LINES, FUNCTION_LINES, NOTES};

fn lines(path: &str, text: &str, find: fn(&Source) -> Vec<Finding>) -> Vec<usize> {
    find(&Source::new(path, text)).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn directions_see_every_way_to_name_a_word() {
    let text = "use crate::store::Store;
use crate::{
    schema,
    render::{html, text},
};
fn f() { super::cli::run(); dacapo::cli::run(); }";
    assert_eq!(lines("src/bundle/mod.rs", text, directions), [1, 4, 6, 6]);
    assert_eq!(lines("src/cli/mod.rs", text, directions), [0_usize; 0]);
}

#[test]
fn directions_let_vocabulary_comments_and_own_names_pass() {
    let text = "use crate::schema::Table; // crate::cli
use crate::bundle::Reader;
use super::store;
pub(crate) use crate::Error;";
    assert_eq!(lines("src/bundle/reader.rs", text, directions), [0_usize; 0]);
    assert_eq!(lines("src/render/text.rs", "use crate::bundle::Reader;", directions), [1]);
}

#[test]
fn directions_ask_for_a_row_for_a_new_word() {
    assert_eq!(lines("src/report/mod.rs", "", directions), [1]);
}

#[test]
fn doors_see_a_dependency_outside_its_house() {
    let text = "use duckdb::Connection;
let x = ::duckdb::params![];
use duckdb;
#[clap(long)]
use duckdb as d;";
    assert_eq!(lines("src/query/mod.rs", text, doors), [4, 1, 2, 3, 5]);
    assert_eq!(lines("src/store/mod.rs", "use duckdb::Connection;", doors), [0_usize; 0]);
}

#[test]
fn doors_let_other_paths_and_words_pass() {
    let text = "use crate::query::duckdb::x; // duckdb::y\nlet arrow = \"duckdb::z\";\nlet my_duckdb = 1;";
    assert_eq!(lines("src/query/mod.rs", text, doors), [0_usize; 0]);
    assert_eq!(lines("src/bundle/mod.rs", "use parquet::arrow::ArrowWriter;", doors), [0_usize; 0]);
}

#[test]
fn lengths_count_files_and_functions() {
    let long = format!("fn f(x: [u8; 2]) {{\n{}}}\n", "    g();\n".repeat(FUNCTION_LINES));
    let text = format!("trait T {{\n    fn declared(&self);\n}}\n{long}const P: fn() = f;\n");
    assert_eq!(lines("src/a.rs", &text, lengths), [4]);
    assert_eq!(lines("src/a.rs", &text.replacen("    g();\n    g();\n", "", 1), lengths), [0_usize; 0]);
    assert_eq!(lines("src/a.rs", &"\n".repeat(FILE_LINES + 1), lengths), [FILE_LINES + 1]);
}

#[test]
fn empty_names_are_seen_in_paths_and_modules() {
    assert_eq!(lines("src/utils.rs", "", empty_names), [1]);
    assert_eq!(lines("src/store/common/x.rs", "", empty_names), [1]);
    assert_eq!(lines("src/store/x.rs", "\nmod helpers {}", empty_names), [2]);
    assert_eq!(lines("src/store/x.rs", "let common = 1; mod support {}", empty_names), [0_usize; 0]);
}

#[test]
fn unfinished_code_is_seen_and_prose_about_it_is_not() {
    let text = r#"todo!();
#[ignore = "slow"]
unimplemented!("later"); // todo!()
let s = "todo!()";"#;
    assert_eq!(lines("src/a.rs", text, unfinished), [1, 3, 2]);
}

#[test]
fn notes_need_an_issue() {
    let note = NOTES[0];
    let text = format!("// {note}: later\n// {note} #12: later\nlet x{note} = 1;\n// todo list\n# {note} heading");
    assert_eq!(lines("src/a.rs", &text, notes), [1, 5]);
}

#[test]
fn sql_is_told_from_english() {
    let text = r##"f("SELECT 1");
f("\n  with x as (select 1)");
f(r#"Create Or Replace view v"#);
f("create"); f("with 2 pods"); f("create v1"); f("insert"); f("selected");"##;
    assert_eq!(lines("src/analysis/a.rs", text, sql), [1, 2, 3]);
    assert_eq!(lines("src/store/a.rs", text, sql), [0_usize; 0]);
}

#[test]
fn mouths_are_seen_outside_the_command_line() {
    let text = r#"println!("x");
io::stdout().lock();
let stdout = 1; // print!()
writeln!(out, "print!");
eprint!("x");"#;
    assert_eq!(lines("src/render/a.rs", text, mouths), [1, 5, 2]);
    assert_eq!(lines("src/cli/a.rs", text, mouths), [0_usize; 0]);
    assert_eq!(lines("src/main.rs", text, mouths), [0_usize; 0]);
}

#[test]
fn mentions_see_a_scenario_anywhere_in_a_file() {
    let source = Source::new("queries/a.sql", "select 1\n-- as in broken-agent, not broken-agents\n");
    assert_eq!(mentions(&source, &["broken-agent".into()]).len(), 1);
    assert!(mentions(&source, &["whole-agent".into()]).is_empty());
}
