//! Looks at every text of a row and replaces what is secret.

use super::extra::Extra;
use super::hints::Hints;
use super::pem;
use super::span::{Kind, Span, Written};
use super::tags::Tags;
use crate::schema::{Cell, Changes, Class, LogLine, Record, Row, Table, is_declared};
use std::collections::BTreeMap;

/// Where a log line was found. Its other columns are taken from its text.
const PLACES: &[&str] = &["file", "cluster", "pod", "container"];

/// Lines of a private key that is logged line by line.
const KEY_LINES: u32 = 200;

/// So often a text is looked at again after something has gone.
const ROUNDS: usize = 8;

pub struct Redactor {
    hints: Hints,
    extra: Extra,
    tags: Tags,
    plans: Vec<Plan>,
    open_key: Option<OpenKey>,
}

/// How the columns of a table are looked at.
struct Plan {
    table: &'static Table,
    columns: Vec<Look>,
    /// Of each column a text without hints, which comes again in most cases.
    clean: Vec<String>,
    /// Rows are lines, and so may be a line of a key.
    text: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Never,
    Always,
    /// Mostly the same as in the row before.
    Place,
    /// Only if the text of the line has a hint: there is nothing in it that is not there.
    WithText,
}

/// A private key of which not all lines have come.
struct OpenKey {
    place: Vec<String>,
    lines: u32,
}

/// What a row has instead of its secrets.
#[derive(Debug, Default)]
pub struct Redacted {
    pub changes: Changes,
    pub notes: Vec<Note>,
}

/// So many secrets of a kind were in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    pub column: &'static str,
    pub kind: &'static str,
    pub count: i64,
}

/// What decides how the texts of a row are read.
#[derive(Clone, Copy, Default)]
struct Manner {
    hinted: bool,
    /// It is a Secret, which may say so only in a column.
    of_secret: bool,
    /// It is a line of a private key.
    of_key: bool,
}

impl Plan {
    fn new(table: &'static Table) -> Self {
        let is_log = table.name == LogLine::TABLE.name;
        let text = table.columns.iter().position(|column| is_log && column.name == "text");
        let look = |place: usize| {
            let column = table.columns.get(place)?;
            Some(match column.class {
                Class::NotText | Class::Plain => Look::Never,
                _ if text.is_none() || text == Some(place) => Look::Always,
                // Nobody knows where its values come from.
                _ if !is_declared(table.name, column.name) => Look::Always,
                _ if PLACES.contains(&column.name) => Look::Place,
                _ => Look::WithText,
            })
        };
        let columns: Vec<Look> = (0..table.columns.len()).filter_map(look).collect();
        Self { table, clean: vec![String::new(); columns.len()], columns, text }
    }

    /// Where a line was found, and its text.
    fn line(&self, record: &impl Row) -> Option<(Vec<String>, String)> {
        let wanted = self.text?;
        let (mut place, mut line) = (Vec::new(), None);
        record.cells(|column, cell| match cell {
            Cell::Text(text) if self.columns.get(column) == Some(&Look::Place) => place.push(text.to_owned()),
            Cell::Text(text) if column == wanted => line = Some(text.to_owned()),
            _ => {}
        });
        line.map(|line| (place, line))
    }

    fn class(&self, column: usize) -> Class {
        self.table.columns.get(column).map_or(Class::NotText, |column| column.class)
    }
}

impl Redactor {
    #[cfg(test)]
    pub fn new() -> Self {
        Self::with(Extra::default(), crate::schema::TABLES.iter())
    }

    /// Looks at rows of these tables.
    pub fn with(extra: Extra, tables: impl Iterator<Item = &'static Table>) -> Self {
        let plans = tables.map(Plan::new).collect();
        Self { hints: Hints::new(), extra, tags: Tags::default(), plans, open_key: None }
    }

    /// Markers have been given out up to this number.
    pub fn counts_from(&mut self, number: u32) {
        self.tags.counts_from(number);
    }

    /// What a row must have instead of its secrets; nothing if it has none.
    pub fn row(&mut self, record: &impl Row) -> Option<Redacted> {
        let table = self.plans.iter().position(|plan| plan.table.name == record.table().name)?;
        let mut row = self.look(table, record);
        row.of_key = self.open_key.is_some() && self.goes_on_with(table, record);
        if !row.hinted && !row.of_key {
            return None;
        }
        row.of_secret = is_secret(record);
        let mut redacted = Redacted::default();
        let mut bytes = None;
        record.cells(|column, cell| match cell {
            Cell::Text(text) => self.cell((table, column), text, row, &mut redacted),
            Cell::Bytes(_) => bytes = Some(column),
            _ => {}
        });
        if row.hinted {
            self.open(table, record);
        }
        // The same line once more, with bytes that are no text: it cannot be shown without what was in it.
        if let Some(column) = bytes.filter(|_| !redacted.changes.is_empty()) {
            redacted.changes.set(column, None);
        }
        (!redacted.changes.is_empty()).then_some(redacted)
    }

    /// A text that stands in no table.
    pub fn text(&mut self, text: &str) -> Option<(String, BTreeMap<&'static str, i64>)> {
        let spans = if self.has_hint(text) { super::find(text, false, &self.extra) } else { Vec::new() };
        self.replace(text, spans)
    }

    fn has_hint(&self, text: &str) -> bool {
        self.hints.any(text) || self.extra.has_hint(text)
    }

    /// Has any text of the row a hint? This is all that nearly every row needs.
    fn look(&mut self, table: usize, record: &impl Row) -> Manner {
        let mut row = Manner::default();
        let Some(Plan { columns, clean, .. }) = self.plans.get_mut(table) else { return row };
        let (hints, extra) = (&self.hints, &self.extra);
        let has_hint = |text: &str| hints.any(text) || extra.has_hint(text);
        record.cells(|column, cell| {
            let (Cell::Text(text), Some(look)) = (cell, columns.get(column)) else { return };
            match (look, clean.get_mut(column)) {
                (Look::Always, _) => row.hinted |= has_hint(text),
                (Look::Place, Some(clean)) if clean != text => {
                    let hinted = has_hint(text);
                    row.hinted |= hinted;
                    if !hinted {
                        text.clone_into(clean);
                    }
                }
                _ => {}
            }
        });
        row
    }

    /// A private key may begin in this line and go on in the next.
    fn open(&mut self, table: usize, record: &impl Row) {
        let line = self.plans.get(table).and_then(|plan| plan.line(record));
        if let Some((place, _)) = line.filter(|(_, text)| pem::stays_open(text)) {
            self.open_key = Some(OpenKey { place, lines: 0 });
        }
    }

    /// Is the row a line of the private key that began before it?
    fn goes_on_with(&mut self, table: usize, record: &impl Row) -> bool {
        let line = self.plans.get(table).and_then(|plan| plan.line(record));
        let (Some((place, text)), Some(key)) = (line, &mut self.open_key) else { return false };
        if place != key.place {
            return false;
        }
        key.lines += 1;
        let inside = pem::is_inside(&text);
        if !inside || pem::is_end(&text) || key.lines > KEY_LINES {
            self.open_key = None;
        }
        inside
    }

    fn cell(&mut self, (table, column): (usize, usize), text: &str, row: Manner, redacted: &mut Redacted) {
        let Some(plan) = self.plans.get(table) else { return };
        let (class, name) = (plan.class(column), plan.table.columns.get(column).map_or("", |column| column.name));
        let whole = |kind: Kind| vec![Span { start: 0, end: text.len(), kind, written: Written::AsItIs }];
        let spans = match class {
            Class::NotText | Class::Plain => return,
            Class::Secret => whole(Kind::Secret),
            Class::FreeText if row.of_key && pem::is_inside(text) => whole(Kind::PrivateKey),
            Class::Manifest if row.of_secret => super::find(text, true, &self.extra),
            _ if self.has_hint(text) => super::find(text, false, &self.extra),
            _ => return,
        };
        if let Some((instead, kinds)) = self.replace(text, spans) {
            redacted.changes.set(column, Some(instead));
            redacted.notes.extend(kinds.into_iter().map(|(kind, count)| Note { column: name, kind, count }));
        }
    }

    /// The text with markers in place of what was found; and again, until nothing more is found: with a secret gone, what
    /// stood beside it may be seen for what it is.
    fn replace(&mut self, text: &str, spans: Vec<Span>) -> Option<(String, BTreeMap<&'static str, i64>)> {
        if spans.is_empty() {
            return None;
        }
        let mut kinds = BTreeMap::new();
        let mut clean = self.replace_once(text, &spans, &mut kinds);
        for _ in 0..ROUNDS {
            let more = super::find(&clean, false, &self.extra);
            if more.is_empty() {
                break;
            }
            clean = self.replace_once(&clean, &more, &mut kinds);
        }
        Some((clean, kinds))
    }

    fn replace_once(&mut self, text: &str, spans: &[Span], kinds: &mut BTreeMap<&'static str, i64>) -> String {
        let mut clean = String::with_capacity(text.len());
        let mut at = 0;
        for span in spans {
            clean.push_str(text.get(at..span.start).unwrap_or_default());
            clean.push_str(&self.tags.marker(text, *span));
            *kinds.entry(span.kind.name()).or_default() += 1;
            at = span.end;
        }
        clean + text.get(at..).unwrap_or_default()
    }
}

/// An object that is a Secret by the column that tells its kind.
fn is_secret(record: &impl Row) -> bool {
    let mut secret = false;
    record.cells(|column, cell| {
        let named = record.table().columns.get(column).is_some_and(|column| column.name == "kind");
        secret |= named && cell == Cell::Text("Secret");
    });
    secret
}
