//! What psql prints for people, pasted from a terminal: with prompts and queries, aligned, expanded or unaligned, several
//! results in one file. Best effort: such output is made to be looked at.

mod layout;
mod query;

use super::intake::Intake;
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::collect::json::Fields;
use crate::input::Lines;
use crate::schema::{Kind, Text};
use layout::{Aligned, Expanded, between_bars, compact, without_header};
use query::Query;
use std::io::BufRead;

pub struct PsqlOutput;

const REMARK: &str = "read from psql output made for people: an empty text and no value look alike in it";

impl Form for PsqlOutput {
    fn name(&self) -> &'static str {
        "psql output"
    }

    fn claims(&self, file: &Candidate) -> bool {
        let mut session = Session::default();
        let mut found = Vec::new();
        let head = String::from_utf8_lossy(&file.head);
        for (number, line) in head.lines().enumerate() {
            session.line(line, number as u64 + 1, &mut found);
        }
        session.end(&mut found);
        let rows = found.iter().filter(|found| found.row().is_some()).count();
        let prose = found.iter().filter(|found| found.columns.is_empty()).count();
        // A document may quote a result, and a core dump may hold one.
        let quotes = is_document(&head) && prose >= rows;
        rows > 0 && !quotes && !file.head.contains(&0)
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut intake = Intake::new(file, taking);
        intake.taken.whole = false;
        intake.taken.remarks.push(REMARK.to_owned());
        let mut session = Session::default();
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        loop {
            match lines.next() {
                Ok(Some(line)) => {
                    let text = String::from_utf8_lossy(line.bytes);
                    session.line(text.trim_end_matches('\r'), line.number, &mut found);
                }
                Ok(None) => break,
                Err(error) => {
                    intake.taken.stopped(format!("line {}: {error}", lines.broken()));
                    break;
                }
            }
            for found in found.drain(..) {
                store(found, &mut intake)?;
            }
        }
        session.end(&mut found);
        found.into_iter().try_for_each(|found| store(found, &mut intake))?;
        Ok(intake.taken)
    }
}

fn store(found: Found, intake: &mut Intake<'_, '_>) -> Result<()> {
    if let Some(problem) = &found.problem {
        return intake.unknown(found.raw.trim_end(), found.line, problem);
    }
    match found.row() {
        Some(Place::Cells(shape, columns)) => {
            let cells = found.cells.iter().map(|cell| cell.as_deref().map(Text::from));
            let mut cells: Vec<Option<Text<'_>>> = cells.collect();
            let asked = columns.iter().skip(cells.len()).map(|column| found.query.says(column).map(Text::from));
            cells.extend(asked.collect::<Vec<_>>());
            intake.cells(shape, &columns, cells, found.line)
        }
        Some(Place::Object(text)) => intake.object(text, found.line),
        None if found.columns.is_empty() => intake.kept(found.raw.trim_end(), found.line),
        None => intake.unknown(found.raw.trim_end(), found.line, "no table has these columns"),
    }
}

/// A row as it was printed, or a line that is none.
struct Found {
    line: u64,
    raw: String,
    columns: Vec<String>,
    cells: Vec<Option<String>>,
    query: Query,
    problem: Option<String>,
}

enum Place<'a> {
    Cells(&'static Shape, Vec<String>),
    Object(&'a str),
}

impl Found {
    /// Where the row belongs.
    fn row(&self) -> Option<Place<'_>> {
        if let ([column], [Some(cell)]) = (self.columns.as_slice(), self.cells.as_slice())
            && ["row_to_json", "to_json", "to_jsonb", "json_build_object"].contains(&column.as_str())
        {
            return is_row(cell).then_some(Place::Object(cell));
        }
        let pretty = |name: &String| match name.as_str() {
            "jsonb_pretty" => self.query.pretty().map_or_else(|| name.clone(), str::to_owned),
            _ => name.clone(),
        };
        let mut columns: Vec<String> = self.columns.iter().map(pretty).collect();
        if columns.is_empty() {
            return None;
        }
        // What was asked for by a value is often not among what was printed.
        for asked in ["id", "source_id", "resource_id"] {
            if columns.iter().all(|column| column != asked) && self.query.says(asked).is_some() {
                columns.push(asked.to_owned());
            }
        }
        let asked = self.query.table();
        let shape = tables::of_columns(&columns, asked).or_else(|| {
            // The query says which table it is; columns that were computed are kept beside the row.
            let shape = asked.and_then(tables::called)?;
            let known = columns.iter().filter(|column| shape.columns.contains(&column.as_str())).count();
            (known > 1 && columns.iter().any(|column| column == "id")).then_some(shape)
        })?;
        Some(Place::Cells(shape, columns))
    }
}

/// Reads a file line by line.
#[derive(Default)]
struct Session {
    query: Query,
    mode: Mode,
    /// A line that may turn out to be a header.
    last: Option<(u64, String)>,
}

#[derive(Default)]
enum Mode {
    #[default]
    Between,
    Aligned(Aligned),
    Expanded(Expanded),
    /// Cells between bars under a header.
    Bars(Vec<String>, Vec<Kind>),
}

impl Session {
    fn line(&mut self, line: &str, number: u64, found: &mut Vec<Found>) {
        let mode = std::mem::take(&mut self.mode);
        let taken = match mode {
            Mode::Between => false,
            Mode::Aligned(mut aligned) => {
                let ours = aligned.goes_on() || line.starts_with(' ');
                match ours.then(|| aligned.line(line, number)) {
                    Some(Ok(row)) => {
                        self.aligned_row(&aligned.columns, row, found);
                        self.mode = Mode::Aligned(aligned);
                        true
                    }
                    Some(Err(())) => {
                        let row = aligned.end();
                        self.aligned_row(&aligned.columns, row, found);
                        self.odd(line, number, "the cells do not stand below the header", found);
                        self.mode = Mode::Aligned(aligned);
                        true
                    }
                    None => {
                        let row = aligned.end();
                        self.aligned_row(&aligned.columns, row, found);
                        false
                    }
                }
            }
            Mode::Expanded(mut record) => {
                let ours = !line.starts_with("-[") && record.line(line);
                if ours {
                    self.mode = Mode::Expanded(record);
                } else {
                    self.record(record, found);
                }
                ours
            }
            Mode::Bars(columns, kinds) => self.bars(line, number, columns, kinds, found),
        };
        if !taken {
            self.between(line, number, found);
        }
    }

    fn between(&mut self, line: &str, number: u64, found: &mut Vec<Found>) {
        if let Some(aligned) = self.last.as_ref().and_then(|(_, header)| Aligned::new(header, line)) {
            self.last = None;
            self.query.close();
            self.mode = Mode::Aligned(aligned);
            return;
        }
        if let Some(record) = Expanded::new(line, number) {
            self.flush(found);
            self.query.close();
            self.mode = Mode::Expanded(record);
            return;
        }
        if self.header(line) || self.bare(line, number, found) {
            return;
        }
        self.flush(found);
        if is_footer(line) || self.query.takes(line) {
            return;
        }
        self.last = Some((number, line.to_owned()));
    }

    /// Names of columns between bars: what `psql -A` prints first. An aligned header has a line of dashes below it.
    fn header(&mut self, line: &str) -> bool {
        if line.starts_with(' ') || !line.contains('|') {
            return false;
        }
        let columns: Vec<String> = line.split('|').map(tables::column).collect();
        if columns.iter().any(String::is_empty) {
            return false;
        }
        let Some(shape) = tables::of_columns(&columns, self.query.table()) else { return false };
        let kinds = columns.iter().map(|column| shape.kind(column)).collect();
        self.query.close();
        self.mode = Mode::Bars(columns, kinds);
        true
    }

    /// A row without any header, between bars or as JSON.
    fn bare(&mut self, line: &str, number: u64, found: &mut Vec<Found>) -> bool {
        let json = line.trim_start().starts_with("{\"") && is_row(line);
        let row = without_header(line).map(|(shape, cells)| {
            let columns = shape.columns.iter().map(|column| (*column).to_owned()).collect();
            (columns, cells.into_iter().map(|cell| cell.map(str::to_owned)).collect())
        });
        let object = || (vec!["row_to_json".to_owned()], vec![Some(line.trim().to_owned())]);
        let Some((columns, cells)) = row.or_else(|| json.then(object)) else { return false };
        self.flush(found);
        self.push(number, line, columns, cells, found);
        true
    }

    fn bars(
        &mut self,
        line: &str,
        number: u64,
        columns: Vec<String>,
        kinds: Vec<Kind>,
        found: &mut Vec<Found>,
    ) -> bool {
        if is_footer(line) || line.trim().is_empty() || self.query.clone().takes(line) && !line.contains('|') {
            return false;
        }
        match between_bars(line, &kinds) {
            Some(cells) => {
                let cells = cells.into_iter().map(|cell| cell.map(str::to_owned)).collect();
                self.push(number, line, columns.clone(), cells, found);
            }
            None => self.odd(line, number, "the cells do not fit the header", found),
        }
        self.mode = Mode::Bars(columns, kinds);
        true
    }

    fn aligned_row(&self, columns: &[String], row: Option<layout::Row>, found: &mut Vec<Found>) {
        if let Some(row) = row {
            let cells = row.cells.iter().map(|cell| value(cell)).collect();
            self.push(row.line, &row.raw, columns.to_vec(), cells, found);
        }
    }

    fn record(&self, record: Expanded, found: &mut Vec<Found>) {
        let cells = record.cells.iter().map(|cell| value(cell)).collect();
        self.push(record.line, &record.raw, record.columns, cells, found);
    }

    fn push(&self, line: u64, raw: &str, columns: Vec<String>, cells: Vec<Option<String>>, found: &mut Vec<Found>) {
        let query = self.query.clone();
        found.push(Found { line, raw: raw.to_owned(), columns, cells, query, problem: None });
    }

    fn odd(&self, raw: &str, line: u64, problem: &str, found: &mut Vec<Found>) {
        let (columns, cells) = (Vec::new(), Vec::new());
        let problem = Some(problem.to_owned());
        found.push(Found { line, raw: raw.to_owned(), columns, cells, query: Query::default(), problem });
    }

    /// The line that might have been a header is none.
    fn flush(&mut self, found: &mut Vec<Found>) {
        if let Some((line, raw)) = self.last.take().filter(|(_, raw)| !raw.trim().is_empty()) {
            self.push(line, &raw, Vec::new(), Vec::new(), found);
        }
    }

    fn end(&mut self, found: &mut Vec<Found>) {
        self.flush(found);
        match std::mem::take(&mut self.mode) {
            Mode::Aligned(mut aligned) => {
                let cut = aligned.goes_on();
                let row = aligned.end();
                match (cut, row) {
                    (true, Some(row)) => {
                        self.odd(&row.raw, row.line, "cut in the middle of the row that begins here", found)
                    }
                    (_, row) => self.aligned_row(&aligned.columns, row, found),
                }
            }
            Mode::Expanded(record) => self.record(record, found),
            Mode::Between | Mode::Bars(..) => {}
        }
    }
}

/// Is it a row as JSON?
fn is_row(text: &str) -> bool {
    let row = Fields::parse(text).ok();
    row.is_some_and(|row| tables::of_columns(&row.names().map(tables::column).collect::<Vec<_>>(), None).is_some())
}

/// Markdown: it begins with a heading, or has text between fences.
fn is_document(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(|line| line.starts_with("# ") || line.starts_with("```"))
        || lines.any(|line| line.starts_with("```"))
}

/// `(2 rows)`
fn is_footer(line: &str) -> bool {
    let inner = line.trim().strip_prefix('(').and_then(|line| line.strip_suffix(')'));
    inner
        .and_then(|inner| inner.strip_suffix(" rows").or_else(|| inner.strip_suffix(" row")))
        .is_some_and(|count| count == "No" || count.parse::<u64>().is_ok())
}

/// A cell's value. JSON over several lines becomes one line, as the database prints it otherwise.
fn value(cell: &str) -> Option<String> {
    let text = cell.trim();
    let spread = text.contains('\n') && text.starts_with(['{', '[']);
    let text = if spread { compact(text) } else { text.to_owned() };
    (!text.is_empty()).then_some(text)
}
