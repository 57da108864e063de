//! Answers to bytes. An answer lays itself out once ([`Present`]); a format writes any layout. JSON is the
//! machine's contract and is the model itself.

mod collected;
mod document;
mod escape;
mod inspect;
mod show;
mod text;
mod trace;
mod verify;

pub use document::{Block, Cell, Document, Tone};
pub use escape::for_terminal;
pub use inspect::size;

use serde::Serialize;
use std::io::{self, Write};

/// An answer that can be shown.
pub trait Present: Serialize {
    fn document(&self) -> Document;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text { colour: bool },
    Json,
}

pub fn write(answer: &impl Present, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text { colour } => text::write(&answer.document(), colour, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, answer)?;
            writeln!(out)
        }
    }
}
