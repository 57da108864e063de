//! Answers of Kusto and Log Analytics as JSON. All are tables of columns and rows somewhere in a document, so one reader
//! walks them; they differ in where the tables are and how a failure is told.

use super::columns::{Column, Names, Row};
use super::json_lines::{row, value_of};
use super::{Stop, Unwrap, Unwrapped, Wrapping, is_log};
use crate::input::json::{self, Json};
use memchr::memmem;
use serde_json::value::RawValue;
use std::io::BufRead;

pub(super) struct KustoJson {
    name: &'static str,
    samples: &'static [&'static str],
    /// How the document begins, and a word that must come early in it.
    opens: u8,
    marks: &'static [&'static str],
}

/// `{"Tables": [{"Columns": […], "Rows": [[…], …]}]}`
pub(super) const VERSION_1: KustoJson = KustoJson {
    name: "Kusto JSON v1",
    samples: &[
        r#"{"Tables":[{"TableName":"Table_0","Columns":[{"ColumnName":"log","DataType":"String"}],"Rows":[["I0115 09:45:12.345600       1 main.go:12] started"]]}]}"#,
    ],
    opens: b'{',
    marks: &["\"Tables\"", "\"Columns\""],
};

/// `[{"FrameType": "DataSetHeader", …}, {"FrameType": "DataTable", "TableKind": "PrimaryResult", …}, …]`
pub(super) const VERSION_2: KustoJson = KustoJson {
    name: "Kusto JSON v2",
    samples: &[
        r#"[{"FrameType":"DataSetHeader","Version":"v2.0"},{"FrameType":"DataTable","TableKind":"PrimaryResult","Columns":[{"ColumnName":"log","ColumnType":"string"}],"Rows":[["I0115 09:45:12.345600       1 main.go:12] started"]]}]"#,
    ],
    opens: b'[',
    marks: &["\"FrameType\""],
};

/// `{"tables": [{"name": "PrimaryResult", "columns": […], "rows": [[…], …]}]}`
pub(super) const LOG_ANALYTICS: KustoJson = KustoJson {
    name: "Log Analytics JSON",
    samples: &[
        r#"{"tables":[{"name":"PrimaryResult","columns":[{"name":"LogMessage","type":"string"}],"rows":[["I0115 09:45:12.345600       1 main.go:12] started"]]}]}"#,
    ],
    opens: b'{',
    marks: &["\"tables\"", "\"columns\""],
};

/// `[{"TimeGenerated": …, "PodName": …, "LogMessage": …}, …]`, as the Azure command line prints it.
pub(super) const ROWS: KustoJson = KustoJson {
    name: "log rows in JSON",
    samples: &[
        "[\n  {\n    \"LogMessage\": \"I0115 09:45:12.345600       1 main.go:12] started\",\n    \"PodName\": \"strings-7d9c-x2k4p\"\n  }\n]\n",
    ],
    opens: b'[',
    marks: &[],
};

impl Wrapping for KustoJson {
    fn name(&self) -> &'static str {
        self.name
    }

    fn samples(&self) -> &'static [&'static str] {
        self.samples
    }

    fn claims(&self, head: &[u8]) -> bool {
        let begins = head.trim_ascii_start().first() == Some(&self.opens);
        let marked = self.marks.iter().all(|mark| memmem::find(head, mark.as_bytes()).is_some());
        begins && marked && (!self.marks.is_empty() || holds_a_log(head))
    }

    fn is_export(&self) -> bool {
        true
    }

    fn keeps_order(&self) -> bool {
        false
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        Box::new(Tables::new(Json::new(input), self.marks.is_empty()))
    }
}

/// Other arrays of objects are not logs.
fn holds_a_log(mut head: &[u8]) -> bool {
    let mut tables = Tables::new(Json::new(&mut head as &mut dyn BufRead), true);
    for _ in 0..super::SAMPLE {
        match tables.next() {
            Ok(Some(Unwrapped::Line(_, line))) if is_log(line.bytes) => return true,
            Ok(Some(Unwrapped::Odd { .. } | Unwrapped::Line(..) | Unwrapped::Skipped)) => {}
            Ok(None) | Err(_) => return false,
        }
    }
    false
}

/// Walks a document from table to table and from row to row.
struct Tables<'r> {
    json: Json<&'r mut dyn BufRead>,
    /// The objects and arrays that were entered.
    inside: Vec<Inside>,
    /// The rows are what stands in the array at the top, and not in tables.
    bare: bool,
    names: Names,
    /// What each column of the table that was met last holds.
    columns: Vec<Option<Column>>,
    row: Row<'static>,
    /// Rows so far: in a document of one line they are what can be counted.
    count: u64,
    problems: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Array,
    Object,
    Rows,
}

/// What was reached in the document.
enum Reached {
    Row,
    Odd(&'static str),
    Skipped,
    End,
}

impl<'r> Tables<'r> {
    fn new(json: Json<&'r mut dyn BufRead>, bare: bool) -> Self {
        Self {
            json,
            inside: Vec::new(),
            bare,
            names: Names::default(),
            columns: Vec::new(),
            row: Row::default(),
            count: 0,
            problems: Vec::new(),
        }
    }

    fn advance(&mut self) -> json::Result<Reached> {
        loop {
            match self.inside.last() {
                None if self.json.peek()?.is_none() => return Ok(Reached::End),
                None => {
                    if !self.enter()? {
                        self.json.skip()?;
                        return Ok(Reached::Skipped);
                    }
                }
                Some(Inside::Object) => self.member()?,
                Some(inside) => {
                    let rows = *inside == Inside::Rows;
                    if !self.json.more()? {
                        self.inside.pop();
                    } else if rows {
                        self.json.value()?;
                        self.count += 1;
                        return Ok(self.take_row());
                    } else if !self.enter()? {
                        self.json.skip()?;
                    }
                }
            }
        }
    }

    /// Goes into what comes next, if it is an object or array.
    fn enter(&mut self) -> json::Result<bool> {
        let inside = match self.json.peek()? {
            Some(b'[') if self.bare && self.inside.is_empty() => Inside::Rows,
            Some(b'[') => Inside::Array,
            _ => Inside::Object,
        };
        let entered = self.json.enter()?;
        if entered {
            self.inside.push(inside);
        }
        Ok(entered)
    }

    /// The next member of a table, a frame or the document.
    fn member(&mut self) -> json::Result<()> {
        let Some(key) = self.json.key()? else {
            self.inside.pop();
            return Ok(());
        };
        match key.to_ascii_lowercase().as_str() {
            "tables" if self.json.peek()? == Some(b'[') => {
                self.enter()?;
            }
            "rows" if self.json.peek()? == Some(b'[') => {
                self.json.enter()?;
                self.inside.push(Inside::Rows);
            }
            "columns" => {
                let columns = columns(self.json.value()?);
                self.columns = columns.iter().map(|name| self.names.column(name)).collect();
            }
            "haserrors" => {
                if self.json.value()? == b"true" {
                    self.failed("the answer says that it has errors");
                }
            }
            "error" | "oneapierrors" | "exceptions" => {
                let text = String::from_utf8_lossy(self.json.value()?).into_owned();
                if !matches!(text.as_str(), "null" | "[]" | "{}") {
                    self.failed(&text);
                }
            }
            _ => self.json.skip()?,
        }
        Ok(())
    }

    /// A row is an array of cells or an object; an object among arrays tells of a failure.
    fn take_row(&mut self) -> Reached {
        let text = self.json.fragment();
        let is_object = text.first() == Some(&b'{');
        if is_object && !self.bare {
            let text = String::from_utf8_lossy(text).into_owned();
            self.failed(&text);
            return Reached::Skipped;
        }
        if !is_object && !self.columns.contains(&Some(Column::Log)) {
            return Reached::Skipped;
        }
        let row = if is_object { row(text, &mut self.names) } else { cells(text, &self.columns) };
        let Some(row) = row else { return Reached::Odd("not a row") };
        if row.log.is_none() {
            return Reached::Odd("no log line in it");
        }
        self.row = row.into_owned();
        Reached::Row
    }

    fn failed(&mut self, why: &str) {
        let why: String = why.chars().take(300).collect();
        self.problems.push(format!("the query failed in part: {why}"));
    }
}

/// The names of columns, however each kind of answer calls a name.
fn columns(text: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        #[serde(alias = "ColumnName", alias = "Name")]
        name: String,
    }
    let named: Vec<Named> = serde_json::from_slice(text).unwrap_or_default();
    named.into_iter().map(|column| column.name).collect()
}

fn cells<'a>(text: &'a [u8], columns: &[Option<Column>]) -> Option<Row<'a>> {
    let cells: Vec<&RawValue> = serde_json::from_slice(text).ok()?;
    let mut row = Row::default();
    for (cell, column) in cells.into_iter().zip(columns) {
        if let Some(column) = column {
            value_of(cell, *column).into_iter().for_each(|value| row.set(*column, value));
        }
    }
    Some(row)
}

impl Unwrap for Tables<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        match self.advance() {
            Ok(Reached::End) => Ok(None),
            Ok(Reached::Skipped) => Ok(Some(Unwrapped::Skipped)),
            Ok(Reached::Odd(why)) => Ok(Some(Unwrapped::Odd { line: self.count, text: self.json.fragment(), why })),
            Ok(Reached::Row) => Ok(Some(self.row.line(self.count, true))),
            Err(error) if error.is_final() => Err(Stop::in_json(&error, self.json.line(), self.json.fragment())),
            Err(_) => Ok(Some(Unwrapped::Odd { line: self.count, text: self.json.fragment(), why: "too long" })),
        }
    }

    fn remarks(&mut self) -> Vec<String> {
        self.names.not_kept().into_iter().collect()
    }

    fn problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }
}
