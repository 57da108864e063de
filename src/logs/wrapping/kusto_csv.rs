//! A Kusto query exported as CSV: a log column and, in any order and case, time, pod, container, namespace and cluster;
//! with a heading or without.

use super::columns::{Column, Names, column, time};
use super::{Stop, Unwrap, Unwrapped, Who, Wrapping, is_log, name};
use crate::input::csv::{Next, Record, Records};
use crate::logs::Line;
use std::io::BufRead;

pub(super) struct KustoCsv;

impl Wrapping for KustoCsv {
    fn name(&self) -> &'static str {
        "Kusto CSV"
    }

    fn samples(&self) -> &'static [&'static str] {
        &[
            "pod_name,log\nstrings-7d9c-x2k4p,\"I0115 09:45:12.345600       1 main.go:12] \"\"started\"\" a=1\"\n",
            "\"log\",\"TIMESTAMP\",\"pod_name\"\r\n\"I0115 09:45:12.345600       1 main.go:12] started\",\"2026-01-15T09:45:12.3456789Z\",\"strings-7d9c-x2k4p\"\r\n",
            "2026-01-15T09:45:12.3456789Z,strings-7d9c-x2k4p,I0115 09:45:12.345600       1 main.go:12] started\n",
        ]
    }

    /// A column of log lines among records of one width. A log line alone is no CSV, even with commas in it: without a
    /// heading there must be a time or a pod beside it.
    fn claims(&self, head: &[u8]) -> bool {
        delimiter_of(head).is_some()
    }

    fn is_export(&self) -> bool {
        true
    }

    fn keeps_order(&self) -> bool {
        false
    }

    fn open<'r>(&self, input: &'r mut dyn BufRead) -> Box<dyn Unwrap + 'r> {
        let delimiter = input.fill_buf().ok().and_then(delimiter_of).unwrap_or(b',');
        Box::new(Rows { records: Records::new(input, delimiter), layout: None, names: Names::default() })
    }
}

/// What stands between the cells of such a table, if a file that begins like this is one.
fn delimiter_of(head: &[u8]) -> Option<u8> {
    b",;\t".iter().copied().find(|delimiter| is_table(head, *delimiter))
}

fn is_table(head: &[u8], delimiter: u8) -> bool {
    let mut records = Records::new(head, delimiter);
    let Ok(Some(Next::Record(first))) = records.next() else { return false };
    let Some((layout, has_heading)) = Layout::of(first, &mut Names::default()) else { return false };
    let beside = layout.has(Column::Time) || layout.has(Column::Pod);
    if !has_heading && !beside {
        return false;
    }
    records.expect(layout.columns.len());
    let (mut seen, mut fits, mut logs) = (0, 0, usize::from(!has_heading));
    while let Ok(Some(next)) = records.next() {
        seen += 1;
        if let Next::Record(record) = next
            && record.len() == layout.columns.len()
        {
            fits += 1;
            logs += usize::from(layout.cell(record, Column::Log).is_some_and(is_log));
        }
        if seen >= super::SAMPLE {
            break;
        }
    }
    // A heading and nothing else is an answer too.
    let empty = seen == 0 && layout.has(Column::Pod);
    fits * 2 >= seen && (logs > 0 || empty)
}

/// Which column is what.
struct Layout {
    columns: Vec<Option<Column>>,
}

impl Layout {
    /// By the names in the heading, or by what the cells of the first record hold; and whether it was a heading.
    fn of(first: Record<'_>, names: &mut Names) -> Option<(Self, bool)> {
        fn text(cell: &[u8]) -> &str {
            std::str::from_utf8(cell).unwrap_or_default()
        }
        let named: Vec<Option<Column>> = first.iter().map(|cell| names.column(text(cell).trim())).collect();
        if named.contains(&Some(Column::Log)) {
            return Some((Self { columns: named }, true));
        }
        let guess = |cell: &[u8]| match cell {
            cell if is_log(cell) => Some(Column::Log),
            cell if time(text(cell)).is_some() => Some(Column::Time),
            cell if name(cell).is_some_and(|name| name.contains('-')) => Some(Column::Pod),
            _ => None,
        };
        let columns: Vec<Option<Column>> = first.iter().map(guess).collect();
        *names = Names::default();
        columns.contains(&Some(Column::Log)).then_some((Self { columns }, false))
    }

    fn has(&self, column: Column) -> bool {
        self.columns.contains(&Some(column))
    }

    fn cell<'a>(&self, record: Record<'a>, column: Column) -> Option<&'a [u8]> {
        record.get(self.columns.iter().position(|found| *found == Some(column))?)
    }
}

/// A short record of names, a log column among them.
fn is_heading(record: Record<'_>) -> bool {
    let name = |cell| std::str::from_utf8(cell).ok().and_then(|name| column(name.trim()));
    let short = record.text.len() < 400 && record.iter().all(|cell| cell.len() < 40);
    short
        && record.iter().filter_map(name).count() * 2 > record.len()
        && record.iter().any(|cell| name(cell) == Some(Column::Log))
}

struct Rows<'r> {
    records: Records<&'r mut dyn BufRead>,
    layout: Option<Layout>,
    names: Names,
}

impl Unwrap for Rows<'_> {
    fn next(&mut self) -> Result<Option<Unwrapped<'_>>, Stop> {
        let line = self.records.line();
        let record = match self.records.next() {
            Ok(Some(Next::Record(record))) => record,
            Ok(Some(Next::Broken { line, text })) => {
                return Ok(Some(Unwrapped::Odd { line, text, why: "a quote that is never closed" }));
            }
            Ok(None) => return Ok(None),
            Err(error) => return Err(Stop::after(line, &error)),
        };
        // Exports that were put together have a heading each.
        if self.layout.is_none() || is_heading(record) {
            let (layout, is_heading) = Layout::of(record, &mut self.names).unzip();
            self.layout = layout;
            if is_heading == Some(true) {
                return Ok(Some(Unwrapped::Skipped));
            }
        }
        let layout = self.layout.get_or_insert_with(|| Layout { columns: Vec::new() });
        if record.len() != layout.columns.len() {
            let text = record.text;
            return Ok(Some(Unwrapped::Odd {
                line: record.line,
                text,
                why: "not as many columns as the first record",
            }));
        }
        let text = |column| layout.cell(record, column).and_then(|cell| std::str::from_utf8(cell).ok());
        let named = |column| text(column).filter(|cell| !cell.is_empty());
        let who = Who {
            cluster: named(Column::Cluster),
            namespace: named(Column::Namespace),
            pod: named(Column::Pod),
            container: named(Column::Container),
        };
        let bytes = layout.cell(record, Column::Log).unwrap_or_default();
        let at = text(Column::Time).and_then(time);
        Ok(Some(Unwrapped::Line(who, Line { number: record.line, lines: 1, bytes, at, ended: true })))
    }

    fn remarks(&mut self) -> Vec<String> {
        self.names.not_kept().into_iter().collect()
    }
}
