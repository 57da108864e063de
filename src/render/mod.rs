//! Answers to bytes. An answer lays itself out once ([`Present`]); a format writes any layout ([`Renderer`]). JSON
//! is the machine's contract and is the model itself.

mod catalogue;
mod checks;
mod collected;
mod csv;
mod detail;
mod diagnose;
mod document;
mod escape;
mod explain;
mod inspect;
mod json;
mod junit;
mod live;
mod manifests;
mod markdown;
mod matrix;
mod query;
mod resolve;
mod sheet;
mod show;
mod text;
mod timeline;
mod trace;
mod verify;
mod works;

pub use checks::{Case, Checks, Ended};
pub use document::{Block, Cell, Document, Line, Table, Tone};
pub use escape::{for_terminal, is_harmless};
pub use inspect::size;

use serde::Serialize;
use std::io::{self, Write};

/// Every form that an answer can have.
pub static FORMATS: &[&dyn Renderer] = &[TEXT, &json::Json, &markdown::Markdown, &csv::Csv];

/// Forms of an answer that says what it checked, beside the others.
pub static CHECK_FORMATS: &[&dyn Renderer] = &[&junit::Junit];

/// What people see unless they ask for another.
pub const TEXT: &dyn Renderer = &text::Text;

/// An answer that can be shown.
pub trait Present: Serialised {
    /// Laid out for people.
    fn document(&self) -> Document;

    /// For a spreadsheet: one table, with every row and value whole. Without it, the document's first.
    fn sheet(&self) -> Option<Table> {
        None
    }

    /// What was checked, where that is what the answer is about.
    fn checks(&self) -> Option<Checks> {
        None
    }
}

/// An answer as a program reads it.
pub trait Serialised {
    fn serialise(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: Serialize> Serialised for T {
    fn serialise(&self, out: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(out, self)?)
    }
}

/// A form that any answer can have. Text from evidence is a stranger's: each form makes it harmless, once.
pub trait Renderer: Sync {
    /// As it is asked for, and as its file is called.
    fn name(&self) -> &'static str;

    /// For the help page.
    fn about(&self) -> &'static str;

    /// A program reads it, gets everything and chooses for itself.
    fn is_for_programs(&self) -> bool {
        false
    }

    /// Writes an answer. What it has no room for comes back as a note to the reader.
    fn write(&self, answer: &dyn Present, colour: bool, out: &mut dyn Write) -> io::Result<Option<String>>;
}

#[cfg(test)]
mod tests;
