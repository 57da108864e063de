//! For a terminal, and for what reads a terminal's text.

use super::document::{Block, Cell, Document, Tone};
use super::escape::for_terminal;
use anstyle::{AnsiColor, Effects, Style};
use std::io::{self, Write};
use tabled::builder::Builder;
use tabled::settings::{Padding, Style as Borders};

pub fn write(document: &Document, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    for block in &document.blocks {
        match block {
            Block::Headline(cell) => writeln!(out, "{}", paint(cell, colour))?,
            Block::Gap => writeln!(out)?,
            Block::Pairs(pairs) => {
                // A remark follows its value: a long value elsewhere must not push it off the screen.
                let width = pairs.iter().map(|[label, ..]| label.text.chars().count()).max().unwrap_or_default();
                for [label, value, remark] in pairs {
                    let line = format!("  {:<width$}  {}  {}", label.text, paint(value, colour), paint(remark, colour));
                    writeln!(out, "{}", line.trim_end())?;
                }
            }
            Block::Table { columns, rows } => {
                let head: Vec<Cell> = columns.iter().map(|name| Cell::toned(*name, Tone::Faint)).collect();
                let rows = rows.iter().map(Vec::as_slice);
                grid(std::iter::once(head.as_slice()).chain(rows), colour, out)?;
            }
            Block::Lines(label, lines) => {
                let width = label.len().max(6);
                for (line, label) in lines.iter().zip(std::iter::once(*label).chain(std::iter::repeat(""))) {
                    writeln!(out, "{label:<width$} {}", for_terminal(line))?;
                }
            }
        }
    }
    Ok(())
}

/// Columns without borders, indented.
fn grid<'a>(rows: impl Iterator<Item = &'a [Cell]>, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut builder = Builder::default();
    for row in rows {
        builder.push_record(row.iter().map(|cell| paint(cell, colour)));
    }
    let mut table = builder.build();
    table.with(Borders::empty()).with(Padding::new(0, 2, 0, 0));
    for line in table.to_string().lines() {
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
