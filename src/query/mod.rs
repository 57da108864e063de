//! Typed access to `queries/*.sql`: one file a statement, one line in a registry, one row type.

mod docs;
mod header;
pub mod judged;
pub mod matrix;
mod row;
mod rule_docs;
pub mod rules;
pub mod sql;
pub mod timeline;
pub mod trace;

pub use docs::page;
pub use header::{Header, Named};
pub use row::Row;
pub use rule_docs::rules_page;

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

/// Views that other queries are written against. A view is a table that is filled when a statement needs it and kept until
/// rows come that it is made of: to plan it anew in every statement would cost more than all the rest of a trace.
pub static VIEWS: &[Query] = &[
    statement!("views/asked"),
    statement!("views/asked_lines"),
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

fn view(name: &str) -> Option<&'static Query> {
    VIEWS.iter().find(|view| view.short_name() == name)
}

/// Makes the views of these names in a store, as far as they are not up to date.
pub fn make_views<'a>(store: &Store, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    for name in names.into_iter().filter(|name| !store.has(name)) {
        let Some(view) = view(name) else { continue };
        let header = view.header();
        make_needed(store, &header)?;
        store.shape(&[], &[(name, &header.shape)])?;
        store.answer_into(name, view.sql, [header.tables, header.views].concat())?;
    }
    Ok(())
}

/// Makes these the works that statements answer for.
pub fn ask(store: &Store, resource_ids: &[&str]) -> Result<()> {
    store.forget(ASKED);
    make_views(store, [ASKED])?;
    store.add_texts(ASKED, resource_ids)
}

/// Makes every table and view that these statements are written against, empty.
pub fn shape(store: &Store, queries: &[&Query]) -> Result<()> {
    let views = views_of(queries);
    let headers: Vec<Header> = queries.iter().chain(&views).map(|query| query.header()).collect();
    let tables: Vec<&str> = headers.iter().flat_map(|header| &header.tables).map(String::as_str).collect();
    let shapes = views.iter().zip(headers.iter().skip(queries.len()));
    let shapes: Vec<(&str, &str)> = shapes.map(|(view, header)| (view.short_name(), header.shape.as_str())).collect();
    store.shape(&tables, &shapes)
}

/// Plans a statement, or what fills a view, before there are rows. Everything must have its shape, for a new table undoes what
/// was planned.
pub fn plan(store: &Store, query: &Query) -> Result<()> {
    match view(query.short_name()).filter(|view| view.name == query.name) {
        Some(view) => store.plan_into(view.short_name(), view.sql),
        None => store.plan(query.name, query.sql),
    }
}

/// The views that statements are written against, each after those that it is made of.
pub fn views_of(queries: &[&Query]) -> Vec<&'static Query> {
    let mut views: Vec<&Query> = Vec::new();
    for name in queries.iter().flat_map(|query| query.header().views) {
        let Some(view) = view(&name) else { continue };
        for view in views_of(&[view]).into_iter().chain([view]) {
            if !views.iter().any(|known| known.name == view.name) {
                views.push(view);
            }
        }
    }
    views
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

    /// There can be an answer, if those tables have rows of which `has` says so.
    pub fn may_answer(&self, has: impl Fn(&str) -> bool) -> bool {
        let only_with = self.header().only_with;
        only_with.is_empty() || only_with.iter().any(|table| has(table))
    }

    /// The answer as it comes, after everything was made that the header names. Without rows in any table that it needs
    /// there is none, and nothing has to be made to know that.
    pub fn answer(&self, store: &Store, parameters: &[&str]) -> Result<Answer> {
        if !self.may_answer(|table| store.has_rows(table)) {
            let columns = self.columns.iter().map(|name| (*name).to_owned()).collect();
            return Ok(Answer { columns, rows: Vec::new() });
        }
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
