//! Takes the rows of one file and keeps the account of them.

use super::rows::{self, Place};
use super::tables::{self, Shape};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Taken, Taking};
use crate::collect::json::{Fields, Given};
use crate::schema::{Json, Text, Unknown};

pub struct Intake<'a, 'w> {
    pub file: &'a Candidate,
    pub taking: &'a mut Taking<'w>,
    pub taken: Taken,
}

impl<'a, 'w> Intake<'a, 'w> {
    pub fn new(file: &'a Candidate, taking: &'a mut Taking<'w>) -> Self {
        Self { file, taking, taken: Taken::default() }
    }

    /// Stores a row. What no column takes is kept beside it.
    pub fn row<'r>(&mut self, shape: &Shape, mut row: Fields<'r>, line: u64) -> Result<()>
    where
        'a: 'r,
    {
        self.taken.seen += 1;
        let line = line_number(line);
        let place = Place { file: &self.file.name, line };
        let key = row.look("id").or_else(|| row.look("event_id")).map(Text::into_owned);
        let table = shape.table.name;
        let new = match table {
            "resources" => self.taking.row(&rows::resource(&mut row, &place))?,
            "events" => self.taking.row(&rows::event(&mut row, &place))?,
            "status_events" => self.taking.row(&rows::status_event(&mut row, &place))?,
            "consumers" => self.taking.row(&rows::consumer(&mut row, &place))?,
            "server_instances" => self.taking.row(&rows::server_instance(&mut row, &place))?,
            _ => self.taking.row(&rows::event_instance(&mut row, &place))?,
        };
        self.taken.count(table, new);
        for (column, value) in row.left() {
            self.taking.row(&Unknown {
                file: place.file.into(),
                line: Some(line),
                table_name: Some(table.into()),
                row_key: key.as_deref().map(Text::from),
                column_name: Some(column),
                value: Some(Json(value)),
            })?;
        }
        Ok(())
    }

    /// Stores a row of text cells under the names of its columns.
    pub fn cells<'r, S: AsRef<str>>(
        &mut self,
        shape: &Shape,
        columns: &[S],
        cells: Vec<Option<Text<'r>>>,
        line: u64,
    ) -> Result<()>
    where
        'a: 'r,
    {
        let names = columns.iter().map(|name| Text::from(name.as_ref().to_owned()));
        let row = names.zip(cells.into_iter().map(Given::Cell)).collect();
        self.row(shape, row, line)
    }

    /// Stores a JSON object as a row, or keeps it.
    pub fn object<'r>(&mut self, text: &'r str, line: u64) -> Result<()>
    where
        'a: 'r,
    {
        let mut row = match Fields::parse(text) {
            Ok(row) => row,
            Err(error) => return self.unknown(text, line, &error.to_string()),
        };
        for (alias, column) in tables::ALIASES {
            row.rename(alias, column);
        }
        let names: Vec<&str> = row.names().collect();
        let called = tables::of_file(&self.file.name).map(|shape| shape.table.name);
        match tables::of_columns(&names, called) {
            Some(shape) => self.row(shape, row, line),
            None => self.unknown(text, line, "no table has these columns"),
        }
    }

    /// Keeps what cannot be read, and says why.
    pub fn unknown(&mut self, text: &str, line: u64, reason: &str) -> Result<()> {
        self.taken.problem(format!("line {line}: {reason}"));
        self.kept(text, line)
    }

    /// Keeps what is no row, where that is no surprise.
    pub fn kept(&mut self, text: &str, line: u64) -> Result<()> {
        self.taken.seen += 1;
        self.taken.unknown += 1;
        self.taking.keep(&self.file.name, Some(line_number(line)), text)
    }

    /// Counts what is understood and not evidence.
    pub fn skip(&mut self) {
        self.taken.seen += 1;
        self.taken.skipped += 1;
    }

    /// The file ends too early: what is not in it may have been in the rest.
    pub fn cut(&mut self, reason: String) {
        self.taken.problem(reason);
        self.taken.whole = false;
    }
}

pub fn line_number(line: u64) -> i64 {
    i64::try_from(line).unwrap_or(i64::MAX)
}
