//! Which of Maestro's tables it is: by the names of the columns, or by what the cells look like.

use crate::schema::{Consumer, Event, EventInstance, Kind, Record, Resource, ServerInstance, StatusEvent, Table, Time};

/// One of Maestro's tables as PostgreSQL has it.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    pub table: Table,
    /// In the order of the schema, which is the order of `SELECT *` and of a dump without names.
    pub columns: &'static [&'static str],
    /// Columns that give the table away.
    signature: &'static [&'static str],
}

/// What people call a column where they pick it out of the payload, and what it is.
pub const ALIASES: &[(&str, &str)] = &[("user_work_name", "work_name")];

/// Names that a picked column of `resources` may have besides its own.
const PICKED: &[&str] = &["work_name", "user_work_name", "manifests", "op_id"];

/// Names that tables of anything may have: they tell nothing unless another name does.
const COMMON: &[&str] =
    &["id", "name", "created_at", "updated_at", "deleted_at", "source", "version", "type", "status", "labels", "ready"];

/// Specific before general.
#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape {
        table: StatusEvent::TABLE,
        columns: &[
            "id", "created_at", "updated_at", "deleted_at", "resource_id", "resource_source", "resource_type",
            "payload", "status", "status_event_type", "reconciled_date",
        ],
        signature: &["id", "resource_id", "status_event_type"],
    },
    Shape {
        table: Event::TABLE,
        columns: &[
            "id", "created_at", "updated_at", "deleted_at", "source", "source_id", "event_type", "reconciled_date",
        ],
        signature: &["id", "source_id", "event_type"],
    },
    Shape {
        table: Resource::TABLE,
        columns: &[
            "name", "id", "created_at", "updated_at", "deleted_at", "source", "consumer_name", "version", "type",
            "payload", "status",
        ],
        signature: &["id", "consumer_name", "version"],
    },
    Shape {
        table: ServerInstance::TABLE,
        columns: &["id", "created_at", "updated_at", "deleted_at", "last_heartbeat", "ready"],
        signature: &["id", "last_heartbeat", "ready"],
    },
    Shape {
        table: EventInstance::TABLE,
        columns: &["event_id", "instance_id", "spec_event_id"],
        signature: &["event_id", "instance_id"],
    },
    Shape {
        table: Consumer::TABLE,
        columns: &["id", "created_at", "updated_at", "deleted_at", "name", "labels"],
        signature: &["id", "name", "labels"],
    },
];

impl Shape {
    pub fn kind(&self, column: &str) -> Kind {
        self.table.columns.iter().find(|known| known.name == column).map_or(Kind::Text, |known| known.kind)
    }

    fn knows(&self, column: &str) -> bool {
        self.columns.contains(&column) || self.table.name == "resources" && PICKED.contains(&column)
    }

    /// Do these cells, in the order of the schema, make a row of this table?
    pub fn fits(&self, cells: &[Option<&str>]) -> bool {
        let fits = |(column, cell): (&&str, &Option<&str>)| match (*column, cell) {
            ("id" | "event_id" | "instance_id" | "created_at", None) => false,
            (_, None) => true,
            ("event_id" | "spec_event_id" | "source_id" | "resource_id", Some(text)) => is_uuid(text),
            ("id" | "instance_id" | "consumer_name", Some(text)) => is_word(text),
            (column, Some(text)) => is_of(self.kind(column), text),
        };
        cells.len() == self.columns.len() && self.columns.iter().zip(cells).all(fits)
    }
}

/// The table that has these columns. All of a signature will do, with others beside it; fewer must belong to one table,
/// which a name (of the file, or in the query) may settle.
pub fn of_columns<S: AsRef<str>>(columns: &[S], called: Option<&str>) -> Option<&'static Shape> {
    let has = |column: &&str| columns.iter().any(|found| found.as_ref() == *column);
    if let Some(shape) = SHAPES.iter().find(|shape| shape.signature.iter().all(&has)) {
        return Some(shape);
    }
    let keyed = has(&"id") || has(&"event_id");
    if !keyed || columns.len() < 2 {
        return None;
    }
    let all = |shape: &&Shape| columns.iter().all(|column| shape.knows(column.as_ref()));
    let mut fitting = SHAPES.iter().filter(all);
    let named = fitting.clone().find(|shape| Some(shape.table.name) == called);
    let telling = columns.iter().any(|column| !COMMON.contains(&column.as_ref()));
    let only = fitting.next().filter(|_| telling && fitting.next().is_none());
    named.or(only)
}

/// The one table into which all these rows fit.
pub fn of_rows(rows: &[Vec<Option<&str>>], called: Option<&str>) -> Option<&'static Shape> {
    let fits = |shape: &&Shape| rows.iter().all(|row| shape.fits(row));
    let named = SHAPES.iter().filter(fits).find(|shape| Some(shape.table.name) == called);
    named.or_else(|| SHAPES.iter().find(fits)).filter(|_| !rows.is_empty())
}

/// The table of a row whose end is not at hand, because it is longer than what decides.
pub fn of_beginning(row: &[Option<&str>]) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| {
        let missing = shape.columns.len().checked_sub(row.len()).filter(|_| row.len() > 3);
        missing.is_some_and(|missing| shape.fits(&[row, &vec![None; missing]].concat()))
    })
}

pub fn called(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.table.name == name)
}

/// The table that a file is called like.
pub fn of_file(name: &str) -> Option<&'static Shape> {
    let file = name.rsplit('/').next()?;
    called(file.split_once('.').map_or(file, |(stem, _)| stem))
}

/// A column's name as it stands in a header.
pub fn column(text: &str) -> String {
    let name = text.trim().trim_start_matches('\u{feff}').trim_matches('"').to_lowercase();
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, column)| (*column).to_owned())
}

pub fn is_uuid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

fn is_of(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::Time => Time::parse(text).is_some(),
        Kind::Int => text.parse::<i64>().is_ok(),
        Kind::Bool => matches!(text, "t" | "f" | "true" | "false"),
        // A cell may be cut with the head, so its end is not looked at.
        Kind::Json => text == "null" || text.starts_with(['{', '[']),
        Kind::Text | Kind::Bytes => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(columns: &[&str], file: Option<&str>) -> Option<&'static str> {
        of_columns(columns, file).map(|shape| shape.table.name)
    }

    #[test]
    fn each_table_is_known_by_its_columns() {
        for shape in SHAPES {
            assert_eq!(named(shape.columns, None), Some(shape.table.name));
            assert_eq!(named(shape.signature, None), Some(shape.table.name));
            assert!(shape.columns.iter().all(|column| shape.table.columns.iter().any(|known| known.name == *column)));
        }
    }

    #[test]
    fn a_few_columns_will_do_where_only_one_table_has_them() {
        assert_eq!(named(&["id", "event_type", "reconciled_date"], None), Some("events"));
        assert_eq!(named(&["id", "user_work_name", "manifests", "created_at"], None), Some("resources"));
        assert_eq!(named(&["id", "payload", "status"], Some("resources")), Some("resources"));
        assert_eq!(named(&["id", "created_at"], None), None);
        assert_eq!(named(&["id", "name", "status", "created_at"], None), None, "anybody's list of tasks");
        assert_eq!(named(&["id", "created_at"], Some("consumers")), Some("consumers"));
        assert_eq!(named(&["id", "created_at", "colour"], Some("consumers")), None);
        assert_eq!(named(&["version"], Some("resources")), None);
    }

    #[test]
    fn cells_without_names_fit_one_table() {
        let id = "0b14ee1e-1543-5748-bba9-abb351ceff99";
        let at = Some("2026-01-15 09:45:12.345678+00");
        let of = |row: Vec<Option<&str>>| of_rows(&[row], None).map(|shape| shape.table.name);
        assert_eq!(of(vec![Some("maestro-1"), at, at, None, at, Some("t")]), Some("server_instances"));
        assert_eq!(of(vec![Some(id), at, at, None, Some("cluster1"), None]), Some("consumers"));
        assert_eq!(of(vec![Some(id), Some("maestro-1"), None]), Some("event_instances"));
        assert_eq!(of(vec![Some("a"), Some("b"), Some("c")]), None);
        assert_eq!(of(vec![Some(id), at, at, None, Some("Resources"), Some(id), Some("Create"), at]), Some("events"));
        assert_eq!(of_rows(&[], None), None);
        let long = [Some(id), Some(id), at, at, None, Some("s"), Some("c"), Some("1"), Some(""), Some("{\"cut")];
        assert_eq!(of_beginning(&long).map(|shape| shape.table.name), Some("resources"));
        assert_eq!(of_beginning(&[Some(id), Some("maestro-1"), None]), None);
    }
}
