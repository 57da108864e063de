//! Typed access to `queries/*.sql`: one file a statement, one line in a registry, one row type.

mod docs;
mod header;
mod row;
pub mod sql;
pub mod timeline;
pub mod trace;

pub use docs::page;
pub use header::{Header, Named};
pub use row::Row;

use crate::store::{Answer, Error, Result, Store};

/// One canned statement.
#[derive(Debug)]
pub struct Query {
    /// Path below `queries/`, without ending.
    pub name: &'static str,
    pub sql: &'static str,
    /// The columns its row type expects.
    pub columns: &'static [&'static str],
}

/// `query!("trace/received" => Fact)`: the statement in that file, whose rows are of that type.
macro_rules! query {
    ($name:literal => $row:ty) => {
        $crate::query::Query {
            name: $name,
            sql: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/queries/", $name, ".sql")),
            columns: <$row as $crate::query::Row>::COLUMNS,
        }
    };
}
pub(crate) use query;

/// `statement!("views/manifests")`: the statement in that file, whose rows have no type here: it makes a view, or people ask
/// for it.
macro_rules! statement {
    ($name:literal) => {
        $crate::query::Query {
            name: $name,
            sql: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/queries/", $name, ".sql")),
            columns: &[],
        }
    };
}
use statement;

/// Views that other queries are written against. A view is made when a statement first needs it and kept until rows come
/// that it is made of: to plan it anew in every statement would cost more than all the rest of a trace.
pub static VIEWS: &[Query] = &[
    statement!("views/asked"),
    statement!("views/status_lines"),
    statement!("views/work_conditions"),
    statement!("views/manifest_conditions"),
    statement!("views/named_works"),
    statement!("views/applied_works"),
    statement!("views/agent_lines"),
    statement!("views/specs"),
    statement!("views/manifests"),
    statement!("views/object_lines"),
];

/// The view that is filled by whoever asks.
const ASKED: &str = "asked";

/// Every canned statement of a trace but the views.
pub fn all() -> impl Iterator<Item = &'static Query> {
    trace::QUERIES.iter().chain(timeline::QUERIES).copied()
}

/// Makes the views of these names in a store, as far as they are not there.
pub fn make_views<'a>(store: &Store, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    for name in names.into_iter().filter(|name| !store.has(name)) {
        let Some(view) = VIEWS.iter().find(|view| view.name.strip_prefix("views/") == Some(name)) else { continue };
        let header = view.header();
        make_needed(store, &header)?;
        store.derive(name, view.sql, header.tables)?;
    }
    Ok(())
}

/// Makes these the works that statements answer for.
pub fn ask(store: &Store, resource_ids: &[&str]) -> Result<()> {
    store.forget(ASKED);
    make_views(store, [ASKED])?;
    store.add_texts(ASKED, resource_ids)
}

/// Makes the tables and views that a statement with this header is written against.
fn make_needed(store: &Store, header: &Header) -> Result<()> {
    header.tables.iter().try_for_each(|table| store.make(table))?;
    make_views(store, header.views.iter().map(String::as_str))
}

impl Query {
    /// As people ask for it.
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit_once('/').map_or(self.name, |(_, name)| name)
    }

    pub fn header(&self) -> Header {
        Header::parse(self.sql)
    }

    /// The answer as it comes, after everything was made that the header names.
    pub fn answer(&self, store: &Store, parameters: &[&str]) -> Result<Answer> {
        make_needed(store, &self.header())?;
        store.select(self.name, self.sql, parameters)
    }

    pub fn run<R: Row>(&self, store: &Store, parameters: &[&str]) -> Result<Vec<R>> {
        let answer = self.answer(store, parameters)?;
        let expected = || R::COLUMNS.join(", ");
        let shape = |found: String| Error::Shape { query: self.name.to_owned(), found, expected: expected() };
        if answer.columns != R::COLUMNS {
            return Err(shape(answer.columns.join(", ")));
        }
        let rows = answer.rows.into_iter();
        rows.map(|row| R::from_row(row).ok_or_else(|| shape("a value of another type".into()))).collect()
    }
}
