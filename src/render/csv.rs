//! For spreadsheets: one table, quoted as RFC 4180 says.

use super::document::Table;
use super::escape::for_terminal;
use super::{Present, Renderer};
use std::io::{self, Write};

pub(super) struct Csv;

impl Renderer for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "For spreadsheets: one table of the answer"
    }

    fn is_for_programs(&self) -> bool {
        true
    }

    fn write(&self, answer: &dyn Present, _: bool, out: &mut dyn Write) -> io::Result<Option<String>> {
        if let Some(sheet) = answer.sheet() {
            return write(&sheet, out).map(|()| None);
        }
        let document = answer.document();
        if let Some(first) = document.tables().next() {
            write(first, out)?;
        }
        let count = document.tables().count();
        Ok((count > 1).then(|| format!("csv is the first of {count} tables; the other formats have them all")))
    }
}

fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    write_row(table.columns.iter().map(AsRef::as_ref), out)?;
    table.rows.iter().try_for_each(|row| write_row(row.iter().map(|cell| cell.text.as_str()), out))
}

fn write_row<'a>(cells: impl Iterator<Item = &'a str>, out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<String> = cells.map(escape).collect();
    // A line without anything is no row to some readers.
    let row = if cells.concat().is_empty() {
        "\"\"".to_owned() + &",".repeat(cells.len().saturating_sub(1))
    } else {
        cells.join(",")
    };
    writeln!(out, "{row}")
}

/// A value of one line, in quotes where it needs them.
fn escape(text: &str) -> String {
    let text = defused(for_terminal(text));
    let plain = !text.contains(['"', ',', ';', '\'']) && text.trim() == text;
    if plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A spreadsheet runs what begins like a formula, unless an apostrophe stands before it.
fn defused(text: String) -> String {
    let formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if formula && text.parse::<f64>().is_err() { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text_and_numbers_are_numbers() {
        assert_eq!(escape("=1+1"), "\"'=1+1\"");
        assert_eq!(escape("\t@SUM(A1)"), "\"' @SUM(A1)\"");
        assert_eq!(escape("-15000"), "-15000");
        assert_eq!(escape("-15 ms"), "\"'-15 ms\"");
        assert_eq!(escape("log_lines:9"), "log_lines:9");
    }

    #[test]
    fn what_separates_is_quoted() {
        assert_eq!(escape("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(escape("one\ntwo"), "one\\ntwo");
    }
}
