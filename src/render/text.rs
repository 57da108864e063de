//! For a terminal, and for what reads a terminal's text.

use super::document::{Block, Cell, Document, Line, Table, Tone};
use super::escape::for_terminal;
use super::{Present, Renderer};
use anstyle::{AnsiColor, Effects, Style};
use std::io::{self, Write};
use tabled::builder::Builder;
use tabled::settings::{Padding, Style as Borders};

pub(super) struct Text;

impl Renderer for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "For people"
    }

    fn write(&self, answer: &dyn Present, colour: bool, out: &mut dyn Write) -> io::Result<Option<String>> {
        write(&answer.document(), colour, out).map(|()| None)
    }
}

fn write(document: &Document, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    for block in &document.blocks {
        match block {
            Block::Headline(cell) => writeln!(out, "{}", paint(cell, colour))?,
            Block::Gap => writeln!(out)?,
            Block::Pairs(pairs) => {
                // A remark follows its value: a long value elsewhere must not push it off the screen.
                let labels: Vec<String> = pairs.iter().map(|[label, ..]| for_terminal(&label.text)).collect();
                let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default();
                for (label, [_, value, remark]) in labels.iter().zip(pairs) {
                    let line = format!("  {label:<width$}  {}  {}", paint(value, colour), paint(remark, colour));
                    writeln!(out, "{}", line.trim_end())?;
                }
            }
            Block::Table(Table { columns, rows }) => {
                let head: Vec<Cell> = columns.iter().map(|name| Cell::toned(&**name, Tone::Faint)).collect();
                let rows = rows.iter().map(Vec::as_slice);
                grid(std::iter::once(head.as_slice()).chain(rows), colour, out)?;
            }
            Block::Lines(label, lines) => {
                let width = label.len().max(6);
                for (line, label) in lines.iter().zip(std::iter::once(*label).chain(std::iter::repeat(""))) {
                    writeln!(out, "{label:<width$} {}", for_terminal(&whole(line)))?;
                }
            }
        }
    }
    Ok(())
}

fn whole(line: &Line) -> String {
    match &line.quote {
        Some(quote) if line.text.is_empty() => quote.clone(),
        Some(quote) => format!("{}  {quote}", line.text),
        None => line.text.clone(),
    }
}

/// Columns without borders, indented. A row with nothing but its first cell is a line of its own, however long.
fn grid<'a>(rows: impl Iterator<Item = &'a [Cell]>, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut builder = Builder::default();
    let mut lines: Vec<Option<String>> = Vec::new();
    for row in rows {
        let first =
            row.split_first().filter(|(_, rest)| !rest.is_empty() && rest.iter().all(|cell| cell.text.is_empty()));
        match first {
            Some((first, _)) => lines.push(Some(paint(first, colour))),
            None => {
                builder.push_record(row.iter().map(|cell| paint(cell, colour)));
                lines.push(None);
            }
        }
    }
    let mut table = builder.build();
    table.with(Borders::empty()).with(Padding::new(0, 2, 0, 0));
    let table = table.to_string();
    let mut columns = table.lines();
    for line in &lines {
        let line = line.as_deref().or_else(|| columns.next()).unwrap_or_default();
        writeln!(out, "  {}", line.trim_end())?;
    }
    Ok(())
}

fn paint(cell: &Cell, colour: bool) -> String {
    let text = for_terminal(&cell.text);
    let style = match cell.tone {
        Tone::Plain => return text,
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Bad => AnsiColor::Red.on_default().effects(Effects::BOLD),
        Tone::Unsure => AnsiColor::Yellow.on_default(),
        Tone::Faint => Style::new().effects(Effects::DIMMED),
    };
    if colour { format!("{style}{text}{style:#}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_one_cell_does_not_push_the_columns_apart() {
        let row = |cells: [&str; 3]| cells.iter().map(|text| Cell::from(*text)).collect();
        let rows = vec![row(["a", "1", ""]), row(["  said of a, at some length", "", ""]), row(["bb", "2", "x"])];
        let mut document = Document::default();
        document.table(vec!["name", "n", "m"], rows);
        let mut out = Vec::new();
        write(&document, false, &mut out).unwrap();
        let expected = "  name  n  m\n  a     1\n    said of a, at some length\n  bb    2  x\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
