//! What every format but JSON is made from. Text in it is as the evidence has it; each format escapes it.

use std::borrow::Cow;

/// An answer, laid out but not yet written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The first line answers.
    Headline(Cell),
    Gap,
    /// Labels with values and remarks.
    Pairs(Vec<[Cell; 3]>),
    Table(Table),
    /// A label, and lines that belong to it.
    Lines(&'static str, Vec<Line>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Cow<'static, str>>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: Vec<&'static str>, rows: Vec<Vec<Cell>>) -> Self {
        Self { columns: columns.into_iter().map(Cow::Borrowed).collect(), rows }
    }
}

/// Our own words, and those of somebody else that follow them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// A log line or a command, word for word.
    pub quote: Option<String>,
}

/// Text and the colour it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    pub tone: Tone,
    /// Somebody else's words, word for word.
    pub verbatim: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
    Unsure,
    Faint,
}

impl Cell {
    pub fn toned(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone, verbatim: false }
    }

    pub fn verbatim(text: impl Into<String>) -> Self {
        Self { text: text.into(), verbatim: true, ..Self::default() }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::toned(text, Tone::Plain)
    }
}

impl Line {
    pub fn quoting(text: impl Into<String>, quote: impl Into<String>) -> Self {
        Self { text: text.into(), quote: Some(quote.into()) }
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Self { text: text.into(), quote: None }
    }
}

impl Document {
    pub fn headline(&mut self, cell: impl Into<Cell>) {
        self.blocks.push(Block::Headline(cell.into()));
    }

    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    pub fn pairs(&mut self, pairs: Vec<[Cell; 3]>) {
        if !pairs.is_empty() {
            self.blocks.push(Block::Pairs(pairs));
        }
    }

    pub fn table(&mut self, columns: Vec<&'static str>, rows: Vec<Vec<Cell>>) {
        self.filled(Table::new(columns, rows));
    }

    /// A table, if it has rows.
    pub fn filled(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    pub fn lines<L: Into<Line>>(&mut self, label: &'static str, lines: Vec<L>) {
        if !lines.is_empty() {
            self.blocks.push(Block::Lines(label, lines.into_iter().map(Into::into).collect()));
        }
    }

    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }
}
