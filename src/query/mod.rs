//! Typed access to `queries/*.sql`: one file a statement, one line in a registry, one row type.

mod header;
mod row;
pub mod timeline;
pub mod trace;

pub use header::Header;
pub use row::Row;

use crate::store::{Error, Result, Store};

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

/// `view!("views/manifests")`: a statement that makes a view and has no rows of its own.
macro_rules! view {
    ($name:literal) => {
        Query {
            name: $name,
            sql: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/queries/", $name, ".sql")),
            columns: &[],
        }
    };
}

/// Views that other queries are written against.
pub static VIEWS: &[Query] = &[
    view!("views/status_lines"),
    view!("views/work_conditions"),
    view!("views/manifest_conditions"),
    view!("views/named_works"),
    view!("views/applied_works"),
    view!("views/agent_lines"),
    view!("views/specs"),
    view!("views/manifests"),
    view!("views/object_lines"),
];

/// Every canned statement but the views.
pub fn all() -> impl Iterator<Item = &'static Query> {
    trace::QUERIES.iter().chain(timeline::QUERIES).copied()
}

/// Makes the views in a store.
pub fn define_views(store: &Store) -> Result<()> {
    VIEWS.iter().try_for_each(|view| store.define(view.name, view.sql))
}

impl Query {
    pub fn header(&self) -> Header {
        Header::parse(self.sql)
    }

    pub fn run<R: Row>(&self, store: &Store, parameters: &[&str]) -> Result<Vec<R>> {
        let answer = store.select(self.name, self.sql, parameters)?;
        let expected = || R::COLUMNS.join(", ");
        let shape = |found: String| Error::Shape { query: self.name.to_owned(), found, expected: expected() };
        if answer.columns != R::COLUMNS {
            return Err(shape(answer.columns.join(", ")));
        }
        let rows = answer.rows.into_iter();
        rows.map(|row| R::from_row(row).ok_or_else(|| shape("a value of another type".into()))).collect()
    }
}
