//! What psql is told on its standard input: the statements of a direct connection, and marks that tell the answers apart.

use crate::collect::live::postgres::catalogue::{TABLES, WINDOWED};
use crate::collect::live::postgres::session;
use crate::collect::live::postgres::statements::{self, Statement, literal};
use crate::collect::live::wanted::{Limits, Window};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// Answers that are no table.
pub const SERVER: &str = "server";
pub const ACTIVITY: &str = "activity";
pub const LOCKS: &str = "locks";

/// How psql is to write: rows as `column|value` lines, nothing else.
const MANNERS: &[&str] = &[
    r"\set QUIET on",
    r"\set ON_ERROR_STOP on",
    r"\pset pager off",
    r"\pset format unaligned",
    r"\pset fieldsep '|'",
    r"\pset tuples_only on",
    r"\pset expanded on",
    r"\pset null ''",
];

/// From here on an answer that fails costs only itself.
const CAREFULLY: &str = r"\set ON_ERROR_STOP off";

pub struct Script {
    /// How every mark begins. No row can hold it: it was made up after the rows were.
    pub mark: String,
    pub text: String,
}

impl Script {
    pub fn new(limits: &Limits, window: &Window) -> Self {
        let mark = mark();
        let limits = session::patience(limits).map(|limit| literal(&limit));
        let mut lines: Vec<String> = MANNERS.iter().map(|line| (*line).to_owned()).collect();
        lines.push(ended(&statements::BEGIN));
        lines.push(format!("{};", statements::LIMITS.with(&limits.each_ref().map(String::as_str))));
        lines.push(ended(&statements::UNFILTERED));
        lines.extend(marked(&mark, SERVER, &ended(&statements::SERVER)));
        lines.extend([ended(&statements::SAVEPOINT), CAREFULLY.to_owned()]);
        for table in TABLES {
            lines.extend(marked(&mark, table, &format!("{};", copy(table, window))));
            lines.push(ended(&statements::BACK));
        }
        lines.extend(marked(&mark, ACTIVITY, &ended(&statements::ACTIVITY)));
        lines.extend(marked(&mark, LOCKS, &ended(&statements::ADVISORY_LOCKS)));
        lines.push(ended(&statements::ROLLBACK));
        // Its input may stay open for as long as it runs.
        lines.push(r"\q".to_owned());
        Self { text: lines.join("\n") + "\n", mark }
    }

    /// The statements alone, for a person to read.
    pub fn statements(&self) -> String {
        let sent = self.text.lines().filter(|line| !line.starts_with('\\'));
        sent.collect::<Vec<_>>().join("\n")
    }
}

/// Copies a table with all its columns.
fn copy(table: &str, window: &Window) -> String {
    match window.events_since.filter(|_| WINDOWED.contains(&table)) {
        Some(since) => statements::COPY_PART.with(&[table, &literal(&since.to_string())]),
        None => statements::COPY.with(&["*", table]),
    }
}

fn ended(statement: &Statement) -> String {
    format!("{};", statement.in_one_line())
}

/// A statement between two marks; the second says how it went.
fn marked(mark: &str, name: &str, statement: &str) -> [String; 3] {
    [
        format!(r"\echo {mark} begin {name}"),
        statement.to_owned(),
        format!(r"\echo {mark} end {name} :SQLSTATE :LAST_ERROR_MESSAGE"),
    ]
}

/// The keys of a hasher come from the system's source of randomness.
fn mark() -> String {
    let random = || RandomState::new().hash_one("mark");
    format!("dacapo-{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_one_transaction_and_no_two_have_the_same_marks() {
        let script = || Script::new(&Limits::default(), &Window::default());
        let (one, other) = (script(), script());
        assert_ne!(one.mark, other.mark);
        assert_eq!(one.statements(), other.statements());
        let statements = one.statements();
        assert!(statements.starts_with("begin transaction isolation level repeatable read, read only;\n"));
        assert!(statements.ends_with("\nrollback;"));
        assert!(!(1..=9).any(|number| statements.contains(&format!("${number}"))), "{statements}");
        assert_eq!(statements.matches("copy (select * from ").count(), TABLES.len());
        let unfiltered = statements.find("set_config('row_security', 'off', true)").unwrap();
        assert!(unfiltered < statements.find("copy (").unwrap());
    }
}
