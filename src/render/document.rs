//! What every format but JSON is made from. Text in it is as the evidence has it; each format escapes it.

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
    Table {
        columns: Vec<&'static str>,
        rows: Vec<Vec<Cell>>,
    },
    /// A label, and lines that belong to it.
    Lines(&'static str, Vec<String>),
}

/// Text and the colour it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    pub tone: Tone,
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
        Self { text: text.into(), tone }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::toned(text, Tone::Plain)
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
        if !rows.is_empty() {
            self.blocks.push(Block::Table { columns, rows });
        }
    }

    pub fn lines(&mut self, label: &'static str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.blocks.push(Block::Lines(label, lines));
        }
    }
}
