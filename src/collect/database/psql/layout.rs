//! How psql lays out results: tables with a header, records one below the other, cells between bars.

use crate::collect::database::tables::{self, SHAPES, Shape};
use crate::input::json::Scan;
use crate::schema::Kind;

/// A table with a header, whose columns a line of dashes marks.
pub struct Aligned {
    pub columns: Vec<String>,
    /// Where the bars stand.
    bars: Vec<usize>,
    width: usize,
    row: Option<Row>,
}

/// A row that is being put together.
#[derive(Default)]
pub struct Row {
    pub line: u64,
    pub raw: String,
    pub cells: Vec<String>,
    /// Cells that go on in the next line.
    more: Vec<bool>,
}

impl Aligned {
    /// `---+---` below a header.
    pub fn new(header: &str, dashes: &str) -> Option<Self> {
        let dashes = dashes.trim_end();
        if dashes.len() < 2 || !dashes.starts_with('-') || !dashes.chars().all(|c| matches!(c, '-' | '+')) {
            return None;
        }
        let bars = dashes.match_indices('+').map(|(at, _)| at).collect();
        let mut aligned = Self { columns: Vec::new(), bars, width: dashes.len(), row: None };
        aligned.columns = aligned.slots(header)?.into_iter().map(|(text, _)| tables::column(&text)).collect();
        Some(aligned)
    }

    /// Adds a line, and gives back the row that is complete by then.
    pub fn line(&mut self, line: &str, number: u64) -> Result<Option<Row>, ()> {
        let slots = self.slots(line).ok_or(())?;
        let goes_on = self.goes_on();
        let done = if goes_on { None } else { self.row.take() };
        let row = self.row.get_or_insert_with(Row::default);
        row.raw.push_str(line);
        row.raw.push('\n');
        if !goes_on {
            row.line = number;
            row.cells = slots.iter().map(|(text, _)| text.clone()).collect();
            row.more = slots.iter().map(|(_, more)| *more).collect();
            return Ok(done);
        }
        for ((cell, more), (text, goes_on)) in row.cells.iter_mut().zip(&mut row.more).zip(slots) {
            if *more {
                cell.push('\n');
                cell.push_str(&text);
            }
            *more = goes_on;
        }
        Ok(done)
    }

    pub fn goes_on(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.more.contains(&true))
    }

    pub fn end(&mut self) -> Option<Row> {
        self.row.take()
    }

    /// The texts between the bars, and whether they go on below.
    fn slots(&self, line: &str) -> Option<Vec<(String, bool)>> {
        let characters: Vec<char> = line.chars().collect();
        let mut slots = Vec::new();
        let mut from = 0;
        for bar in self.bars.iter().copied().chain([self.width]) {
            let last = bar == self.width;
            if !last && characters.get(bar) != Some(&'|') {
                return self.loose(line);
            }
            let end = if last { characters.len() } else { bar };
            let slot = characters.get(from..end)?;
            let more = slot.last() == Some(&'+') && slot.len() == bar - from;
            let text = slot.get(1..slot.len() - usize::from(more)).unwrap_or_default();
            slots.push((text.iter().collect::<String>().trim_end().to_owned(), more));
            from = bar + 1;
        }
        Some(slots)
    }

    /// Wide characters push the bars to the right.
    fn loose(&self, line: &str) -> Option<Vec<(String, bool)>> {
        let cells: Vec<(String, bool)> = line.split('|').map(|cell| (cell.trim().to_owned(), false)).collect();
        (cells.len() == self.bars.len() + 1).then_some(cells)
    }
}

/// Records one below the other, a column a line.
#[derive(Default)]
pub struct Expanded {
    pub line: u64,
    pub raw: String,
    pub columns: Vec<String>,
    pub cells: Vec<String>,
    bar: Option<usize>,
}

impl Expanded {
    /// `-[ RECORD 1 ]-+-----`
    pub fn new(line: &str, number: u64) -> Option<Self> {
        let (record, rest) = line.strip_prefix("-[ RECORD ")?.split_once(']')?;
        record.trim().parse::<u64>().ok()?;
        let bar = line.find('+').filter(|_| rest.contains('+'));
        Some(Self { line: number, raw: format!("{line}\n"), bar, ..Self::default() })
    }

    /// Adds a line; false if it is none of a record.
    pub fn line(&mut self, line: &str) -> bool {
        let bar = self.bar.filter(|bar| line.get(*bar..).is_some_and(|rest| rest.starts_with('|')));
        let Some((name, value)) = bar.or_else(|| line.find('|')).and_then(|bar| line.split_at_checked(bar)) else {
            return false;
        };
        let value = value.strip_prefix('|').map_or(value, |value| value.strip_prefix(' ').unwrap_or(value));
        let name = name.trim();
        if name.contains(char::is_whitespace) {
            return false;
        }
        self.raw.push_str(line);
        self.raw.push('\n');
        match (name.is_empty(), self.cells.last_mut()) {
            (true, Some(cell)) => {
                // The plus at the end of the line before said that this one would come.
                let length = cell.trim_end().strip_suffix('+').map_or(cell.len(), |text| text.trim_end().len());
                cell.truncate(length);
                cell.push('\n');
                cell.push_str(value);
            }
            (true, None) => return false,
            (false, _) => {
                self.columns.push(tables::column(name));
                self.cells.push(value.to_owned());
            }
        }
        true
    }
}

/// Splits cells between bars. JSON may hold bars itself, so its own end counts.
pub fn between_bars<'a>(line: &'a str, kinds: &[Kind]) -> Option<Vec<Option<&'a str>>> {
    let mut cells = Vec::new();
    let mut rest = Some(line);
    for kind in kinds {
        let text = rest?;
        let start = text.trim_start();
        let json = *kind == Kind::Json && start.starts_with(['{', '[']);
        let end = if json {
            text.len() - start.len() + Scan::default().feed(start.as_bytes())?
        } else {
            text.find('|').unwrap_or(text.len())
        };
        let (cell, tail) = text.split_at_checked(end)?;
        let tail = tail.trim_start();
        rest = tail.strip_prefix('|');
        if rest.is_none() && !tail.is_empty() {
            return None;
        }
        let cell = cell.trim();
        cells.push((!cell.is_empty()).then_some(cell));
    }
    rest.is_none().then_some(cells)
}

/// A row without header: the one table it fits.
pub fn without_header(line: &str) -> Option<(&'static Shape, Vec<Option<&str>>)> {
    SHAPES.iter().find_map(|shape| {
        let kinds: Vec<Kind> = shape.columns.iter().map(|column| shape.kind(column)).collect();
        let cells = between_bars(line, &kinds).filter(|cells| shape.fits(cells))?;
        Some((shape, cells))
    })
}

/// What `jsonb_pretty` spread over lines, as the database prints it otherwise.
pub fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            compact.push(c);
            in_string = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
        } else if !c.is_whitespace() {
            compact.push(c);
            if matches!(c, ',' | ':') {
                compact.push(' ');
            }
            in_string = c == '"';
        }
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_over_several_lines_is_one() {
        let mut aligned = Aligned::new(" id |  data  | n ", "----+--------+---").unwrap();
        assert_eq!(aligned.columns, ["id", "data", "n"]);
        assert!(aligned.line(" a  | {     +| 1", 3).unwrap().is_none());
        assert!(aligned.line("    |   \"x\" +| ", 4).unwrap().is_none());
        assert!(aligned.line("    | }      | ", 5).unwrap().is_none());
        let row = aligned.line(" b  |        | 22", 6).unwrap().unwrap();
        assert_eq!((row.line, row.cells), (3, vec!["a".to_owned(), "{\n  \"x\"\n}".to_owned(), "1".to_owned()]));
        assert_eq!(aligned.end().unwrap().cells, ["b", "", "22"]);
        assert!(Aligned::new("a", "--+ -").is_none());
    }

    #[test]
    fn a_record_has_a_column_a_line() {
        let mut record = Expanded::new("-[ RECORD 1 ]-+------", 1).unwrap();
        assert!(record.line("id            | a|b"));
        assert!(record.line("jsonb_pretty  | {    +"));
        assert!(record.line("              | }"));
        assert!(!record.line("(1 row)"));
        assert_eq!(record.cells, ["a|b", "{\n}"]);
        assert!(Expanded::new("-[ RECORD x ]", 1).is_none());
    }

    #[test]
    fn bars_within_json_do_not_split() {
        let kinds = [Kind::Text, Kind::Json, Kind::Text];
        assert_eq!(between_bars("a|{\"x\": \"}|\"}|", &kinds), Some(vec![Some("a"), Some("{\"x\": \"}|\"}"), None]));
        assert_eq!(between_bars("a|b", &kinds), None);
        assert_eq!(between_bars("a||b|c", &kinds), None);
    }

    #[test]
    fn pretty_json_becomes_what_the_database_prints() {
        let pretty = "{\n    \"a\": [\n        1,\n        \"x: \\\" ,y\"\n    ],\n    \"b\": {\n    }\n}";
        assert_eq!(compact(pretty), r#"{"a": [1, "x: \" ,y"], "b": {}}"#);
    }
}
