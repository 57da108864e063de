//! A YAML file to its documents, and the list in a document to its elements, by the lines alone: what belongs
//! to a block is indented more than the block.

use crate::input::{Lines, PhysicalLine};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{BufRead, Result};
use std::mem;

/// A piece beyond this is handed out in parts that nobody is expected to read.
const LONGEST: usize = 32 << 20;

/// Hands out the pieces of a file in the order in which they end: a document comes after its elements.
pub struct Pieces<R> {
    lines: Lines<R>,
    splitter: Splitter,
    ended: bool,
}

impl<R: BufRead> Pieces<R> {
    /// `elements_of` is the key at the top of a document whose elements are handed out one by one.
    pub fn new(reader: R, elements_of: &'static str) -> Self {
        Self { lines: Lines::new(reader), splitter: Splitter::new(elements_of), ended: false }
    }

    /// The next piece, or `None` at the end. After an error there is what was read before it, and then the end.
    #[expect(clippy::should_implement_trait, reason = "an error is not an item")]
    pub fn next(&mut self) -> Result<Option<Piece>> {
        while self.splitter.ready.is_empty() && !self.ended {
            match self.lines.next() {
                Ok(Some(line)) => self.splitter.take(&line),
                Ok(None) => self.finish(),
                Err(error) => {
                    self.finish();
                    return Err(error);
                }
            }
        }
        Ok(self.splitter.ready.pop_front())
    }

    fn finish(&mut self) {
        self.ended = true;
        self.splitter.end_document(true);
    }
}

struct Splitter {
    elements_of: &'static str,
    longest: usize,
    document: Piece,
    elements: u64,
    element: Option<Piece>,
    within: Within,
    /// The document has a line that says something.
    begun: bool,
    ready: VecDeque<Piece>,
}

/// Where in a document the lines are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Document,
    /// After the key, before the first element.
    List,
    /// Among elements whose dash has this column.
    Elements(usize),
}

/// A document or an element, as text that can be read by itself.
#[derive(Debug, Default)]
pub struct Piece {
    pub part: Part,
    pub text: String,
    /// Which lines of the file the text is made of: a line of the text, and the line of the file it is.
    runs: Vec<(u64, u64)>,
    lines: u64,
    /// The first line that was not UTF-8; the text has replacement characters there.
    pub not_utf8: Option<u64>,
    /// The file ends with it.
    pub last: bool,
    /// The file ends in the middle of a line, and that line belongs to it.
    pub cut: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A document; its elements came before it and are not in its text.
    #[default]
    Document,
    /// A document that had so many elements.
    List(u64),
    Element,
    /// A part of a piece that is too long.
    TooLong,
}

impl Piece {
    /// The line of the file that a line of the text is.
    pub fn line_of(&self, line: u64) -> u64 {
        let run = self.runs.iter().rev().find(|(from, _)| *from <= line).or(self.runs.first());
        run.map_or(line, |(from, in_file)| in_file + line.saturating_sub(*from))
    }

    /// The line of the file it begins with.
    pub fn line(&self) -> u64 {
        self.line_of(1)
    }

    fn push(&mut self, line: &PhysicalLine<'_>, text: &str, lossy: bool) {
        if !line.is_rest {
            self.lines += 1;
            let follows = self.runs.last().is_some_and(|(from, in_file)| line.number - in_file == self.lines - from);
            if !follows {
                self.runs.push((self.lines, line.number));
            }
        }
        if lossy {
            self.not_utf8.get_or_insert(line.number);
        }
        self.text.push_str(text);
        self.cut = !line.ended;
        if line.ended {
            self.text.push('\n');
        }
    }
}

impl Splitter {
    fn new(elements_of: &'static str) -> Self {
        Self {
            elements_of,
            longest: LONGEST,
            document: Piece::default(),
            elements: 0,
            element: None,
            within: Within::Document,
            begun: false,
            ready: VecDeque::new(),
        }
    }

    fn take(&mut self, line: &PhysicalLine<'_>) {
        let text = String::from_utf8_lossy(line.bytes);
        let lossy = matches!(text, Cow::Owned(_));
        let text = if line.number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        if line.is_rest {
            return self.push(line, text, lossy);
        }
        match Looks::of(text) {
            Looks::Nothing | Looks::Directive if !self.begun && self.within == Within::Document => {}
            Looks::Nothing => self.push(line, text, lossy),
            Looks::DocumentStart(rest) => {
                self.end_document(false);
                if Looks::of(rest) != Looks::Nothing {
                    self.begun = true;
                    self.push(line, &format!("   {rest}"), lossy);
                }
            }
            Looks::DocumentEnd => self.end_document(false),
            Looks::Dash(column) if self.begins_element(column) => {
                self.end_element(false);
                self.begun = true;
                self.elements += 1;
                self.within = Within::Elements(column);
                self.element = Some(Piece { part: Part::Element, ..Piece::default() });
                self.push(line, &text.replacen('-', " ", 1), lossy);
            }
            Looks::Dash(column) | Looks::Other(column) => {
                if matches!(self.within, Within::Elements(dash) if column <= dash) {
                    self.end_element(false);
                    self.within = Within::Document;
                }
                self.begun = true;
                let list = column == 0 && self.opens_list(text);
                self.push(line, text, lossy);
                if list {
                    self.within = Within::List;
                } else if column == 0 {
                    self.within = Within::Document;
                }
            }
            Looks::Directive => self.push(line, text, lossy),
        }
    }

    /// A dash begins an element after the key, beside other elements, and at the top of a document.
    fn begins_element(&self, column: usize) -> bool {
        match self.within {
            Within::Document => !self.begun && column == 0,
            Within::List => true,
            Within::Elements(dash) => column == dash,
        }
    }

    fn opens_list(&self, text: &str) -> bool {
        let rest = text.strip_prefix(self.elements_of).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| Looks::of(rest) == Looks::Nothing)
    }

    fn push(&mut self, line: &PhysicalLine<'_>, text: &str, lossy: bool) {
        let piece = self.element.as_mut().unwrap_or(&mut self.document);
        if piece.text.len() + text.len() > self.longest {
            piece.part = Part::TooLong;
            if !piece.text.is_empty() {
                let next = Piece { part: Part::TooLong, ..Piece::default() };
                self.ready.push_back(mem::replace(piece, next));
            }
        }
        piece.push(line, text, lossy);
    }

    fn end_element(&mut self, last: bool) {
        if let Some(element) = self.element.take() {
            self.ready.push_back(Piece { last, ..element });
        }
    }

    fn end_document(&mut self, last: bool) {
        self.end_element(last);
        let document = mem::take(&mut self.document);
        let elements = mem::take(&mut self.elements);
        if mem::take(&mut self.begun) {
            let part = match document.part {
                Part::Document if elements > 0 => Part::List(elements),
                part => part,
            };
            self.ready.push_back(Piece { part, last, ..document });
        }
        self.within = Within::Document;
    }
}

/// What a line is by its first characters.
#[derive(Debug, PartialEq, Eq)]
enum Looks<'a> {
    /// Empty, or a comment.
    Nothing,
    /// `---`, and what follows it.
    DocumentStart(&'a str),
    /// `...`
    DocumentEnd,
    /// `%YAML 1.2`
    Directive,
    /// `- `, at a column.
    Dash(usize),
    Other(usize),
}

impl<'a> Looks<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim_end_matches('\r');
        let rest = text.trim_start_matches(' ');
        let column = text.len() - rest.len();
        let marker =
            |marker: &str| text.strip_prefix(marker).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        // A tab is no indentation, and nothing that a line of its own block could begin with.
        let column = if rest.starts_with('\t') { usize::MAX } else { column };
        if rest.trim_start().is_empty() || rest.trim_start().starts_with('#') {
            Self::Nothing
        } else if let Some(rest) = marker("---") {
            Self::DocumentStart(rest)
        } else if marker("...").is_some() {
            Self::DocumentEnd
        } else if text.starts_with('%') {
            Self::Directive
        } else if rest == "-" || rest.starts_with("- ") {
            Self::Dash(column)
        } else {
            Self::Other(column)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(file: &str, longest: usize) -> Vec<Piece> {
        let mut pieces = Pieces::new(file.as_bytes(), "items");
        pieces.splitter.longest = longest;
        let mut found = Vec::new();
        while let Some(piece) = pieces.next().unwrap() {
            found.push(piece);
        }
        found
    }

    fn outline(file: &str) -> Vec<(Part, u64, String)> {
        pieces(file, LONGEST).into_iter().map(|piece| (piece.part, piece.line(), piece.text)).collect()
    }

    #[test]
    fn a_list_is_handed_out_element_by_element() {
        let file =
            "---\napiVersion: v1\nitems:\n- a: |\n    - x\n    items:\n\n  b: 1\n- c:\n  - y\n# end\nkind: List\n";
        let expected = [
            (Part::Element, 4, "  a: |\n    - x\n    items:\n\n  b: 1\n"),
            (Part::Element, 9, "  c:\n  - y\n# end\n"),
            (Part::List(2), 2, "apiVersion: v1\nitems:\nkind: List\n"),
        ];
        assert_eq!(outline(file), expected.map(|(part, line, text)| (part, line, text.to_owned())));
        let list = pieces(file, LONGEST).pop().unwrap();
        assert_eq!((list.line_of(1), list.line_of(2), list.line_of(3)), (2, 3, 12));
    }

    #[test]
    fn elements_may_be_indented_and_a_document_may_be_a_list() {
        let file = "items:\r\n  - a: 1\r\n    b: 2\r\n  -\r\n    c: 3\r\nkind: List\r\n--- # next\n- d: 4\n- e: 5\n";
        let expected = [
            (Part::Element, 2, "    a: 1\r\n    b: 2\r\n"),
            (Part::Element, 4, "   \r\n    c: 3\r\n"),
            (Part::List(2), 1, "items:\r\nkind: List\r\n"),
            (Part::Element, 8, "  d: 4\n"),
            (Part::Element, 9, "  e: 5\n"),
            (Part::List(2), 1, ""),
        ];
        assert_eq!(outline(file), expected.map(|(part, line, text)| (part, line, text.to_owned())));
    }

    #[test]
    fn documents_are_told_apart_and_empty_ones_left_out() {
        let file = "\u{feff}# words\n%YAML 1.1\n---\n---\na: 1\n...\n---\n# nothing\n--- {b: 2}\n---x: 3\n";
        let expected = [(Part::Document, 5, "a: 1\n"), (Part::Document, 9, "    {b: 2}\n---x: 3\n")];
        assert_eq!(outline(file), expected.map(|(part, line, text)| (part, line, text.to_owned())));
        assert!(outline("").is_empty());
    }

    #[test]
    fn the_key_means_a_list_only_at_the_top_and_alone() {
        let file = "items: []\nspec:\n  items:\n  - a\nitems2:\n- b\n";
        assert_eq!(outline(file), [(Part::Document, 1, file.to_owned())]);
    }

    #[test]
    fn a_tab_does_not_end_a_list() {
        let found = outline("items:\n- a: 1\n\tb: 2\n- c: 3\n");
        assert_eq!(found[..2].iter().map(|(_, line, _)| *line).collect::<Vec<_>>(), [2, 4], "{found:?}");
    }

    #[test]
    fn the_end_of_the_file_is_told() {
        let ends = |file: &str| -> Vec<(bool, bool)> {
            pieces(file, LONGEST).iter().map(|piece| (piece.last, piece.cut)).collect()
        };
        assert_eq!(ends("items:\n- a: 1\n- b: 2\n"), [(false, false), (true, false), (true, false)]);
        assert_eq!(ends("items:\n- a: 1\n- b: "), [(false, false), (true, true), (true, false)]);
        assert_eq!(ends("a: 1\n---\nb"), [(false, false), (true, true)]);
    }

    #[test]
    fn a_piece_that_is_too_long_comes_in_parts() {
        let found = pieces("items:\n- a: 1234567\n  b: 1234567\n- c: 1\nkind: List\n", 20);
        let parts: Vec<_> = found.iter().map(|piece| (piece.part, piece.line(), piece.text.as_str())).collect();
        let expected = [
            (Part::TooLong, 2, "  a: 1234567\n"),
            (Part::TooLong, 3, "  b: 1234567\n"),
            (Part::Element, 4, "  c: 1\n"),
            (Part::List(2), 1, "items:\nkind: List\n"),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_named() {
        let mut pieces = Pieces::new(&b"a: 1\nb: \xff\n"[..], "items");
        let piece = pieces.next().unwrap().unwrap();
        assert_eq!((piece.text.as_str(), piece.not_utf8), ("a: 1\nb: \u{fffd}\n", Some(2)));
    }
}
