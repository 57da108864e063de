//! Pages that are made from code equal the committed ones. `UPDATE=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;
use std::path::Path;

pub fn equals_page(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&path, made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "docs/{name} is not what the code makes; run: UPDATE=1 cargo test --test all docs");
}

#[test]
fn the_schema_page_is_what_the_declarations_say() {
    equals_page("schema.md", &dacapo::schema::page());
}

#[test]
fn the_command_page_is_what_the_program_prints() {
    let mut page = String::from("# Commands\n\nMade from the program; `UPDATE=1 make test` writes it anew.\n");
    let mut program = dacapo::cli::definition().term_width(100);
    program.build();
    let mut section = |name: &str, help: String| {
        let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        let _ = write!(page, "\n## {name}\n\n```text\n{}\n```\n", help.join("\n"));
    };
    section("dacapo", program.render_long_help().to_string());
    for command in
        program.get_subcommands_mut().filter(|command| command.get_name() != "help" && !command.is_hide_set())
    {
        let name = format!("dacapo {}", command.get_name());
        section(&name, command.render_long_help().to_string());
    }
    equals_page("commands.md", &page);
}

/// The page is written by hand up to its views.
#[test]
fn the_page_about_sql_is_what_the_headers_say() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sql.md")).unwrap();
    let by_hand = page.split("## Views\n").next().unwrap();
    equals_page("sql.md", &format!("{by_hand}{}", dacapo::query::page()));
}

#[test]
fn the_page_of_rules_is_what_the_headers_say() {
    equals_page("rules.md", &dacapo::query::rules_page());
}

/// The roles are made from the table that says what is read.
#[test]
fn the_roles_of_the_page_are_those_that_a_collection_needs() {
    let page = include_str!("../docs/collecting.md");
    let (before, rest) = page.split_once("```yaml\n").unwrap();
    let (_, after) = rest.split_once("```\n").unwrap();
    let roles = dacapo::collect::live::roles(&Default::default());
    equals_page("collecting.md", &format!("{before}```yaml\n{roles}```\n{after}"));
}

/// What an administrator copies from the page is what `collect --check` says and what is tried in tests.
#[test]
fn the_page_has_the_grants_for_the_database() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/collecting.md")).unwrap();
    let (_, grants) = include_str!("../queries/postgres/grants.sql").split_once('\n').unwrap();
    assert!(page.contains(&format!("```sql\n{grants}```\n")));
    assert!(page.contains(&format!("```yaml\n{}```\n", include_str!("../src/collect/live/pods/role.yaml"))));
}
