//! What the database says of a statement that is wrong, made easier to mend.

use super::frame::Refusal;
use crate::query::sql::{NEAR, NearColumn};
use crate::store::Store;

/// A value may stand in a message, however long; nobody reads more of a line.
const LINE_CHARACTERS: usize = 400;

/// Before the name of a column that is not there.
const NO_COLUMN: &[&str] = &["Referenced column \"", "does not have a column named \"", "Column with name \""];

impl Refusal {
    pub fn of(store: &Store, sql: &str, message: &str) -> Self {
        let mut lines: Vec<String> = message.lines().map(shortened).collect();
        if message.trim_end().ends_with("at end of input") {
            lines.extend(end_of(sql).into_iter().flatten());
        }
        let near = absent_column(message).map(|name| near(store, name)).unwrap_or_default();
        Self { message: lines.join("\n"), near }
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARACTERS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The place as the database shows others: it shows none where there is nothing after it.
fn end_of(sql: &str) -> Option<[String; 2]> {
    let sql = sql.trim_end();
    let last = sql.lines().last()?;
    let start = format!("LINE {}: ", sql.lines().count());
    let shown: Vec<char> = last.chars().rev().take(LINE_CHARACTERS / 4).collect();
    let place = " ".repeat(start.chars().count() + shown.len());
    Some([format!("{start}{}", shown.iter().rev().collect::<String>()), format!("{place}^")])
}

fn absent_column(message: &str) -> Option<&str> {
    let named = NO_COLUMN.iter().find_map(|before| message.split_once(before))?;
    named.1.split('"').next().filter(|name| !name.is_empty())
}

/// To help is worth a try and no error of its own.
fn near(store: &Store, name: &str) -> Vec<String> {
    let columns = NEAR.run::<NearColumn>(store, &[name]).unwrap_or_default();
    columns.into_iter().map(|column| format!("{} ({})", column.column_name, column.tables)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_end_has_a_place() {
        let store = Store::open().unwrap();
        let refusal = Refusal::of(&store, "from\nworks group\n", "Parser Error: syntax error at end of input");
        let expected = "Parser Error: syntax error at end of input\nLINE 2: works group\n                   ^";
        assert_eq!(refusal.message, expected);
    }

    #[test]
    fn a_long_value_in_a_message_is_cut() {
        let message = format!("Conversion Error: Could not convert string '{}' to INT32", "x".repeat(1_000_000));
        let refusal = Refusal::of(&Store::open().unwrap(), "values (1)", &message);
        assert_eq!(refusal.message.chars().count(), LINE_CHARACTERS + 1);
    }
}
