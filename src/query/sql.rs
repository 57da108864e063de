//! SQL for people: views that take the JSON apart, and a library of statements that are asked again and again.

use super::row::row;
use super::{Query, judged, query, statement};
use crate::store::{Result, Store};

/// What the views are made of. Nobody is promised that it stays.
pub static PARTS: &[Query] = &[statement!("sql/stored"), statement!("sql/fed_back")];

/// Views of evidence under names that are a contract (`docs/sql.md`), in the order in which they can be made.
pub static VIEWS: &[Query] = &[
    statement!("sql/works"),
    statement!("sql/manifests"),
    statement!("sql/conditions"),
    statement!("sql/feedback"),
    statement!("sql/timeline"),
];

/// Statements with a name, in the order in which they are listed.
pub static LIBRARY: &[Query] = &[
    statement!("library/works-named"),
    statement!("library/work"),
    statement!("library/works-labelled"),
    statement!("library/payload"),
    statement!("library/conditions-of"),
    statement!("library/feedback-of"),
    statement!("library/inner-feedback"),
    statement!("library/spec-events"),
    statement!("library/status-events"),
    statement!("library/applied-works"),
    statement!("library/applied-resources"),
    statement!("library/owner-of"),
    statement!("library/objects"),
    statement!("library/manifest-works"),
    statement!("library/kube-events"),
    statement!("library/log"),
    statement!("library/lines-of"),
    statement!("library/ids-in-logs"),
    statement!("library/server-lines"),
    statement!("library/agent-lines"),
    statement!("library/agent-actions"),
    statement!("library/known-errors"),
    statement!("library/broker-connections"),
    statement!("library/errors"),
    statement!("library/logs"),
];

row! {
    /// A column that may be meant.
    NearColumn {
        column_name: String,
        /// Tables and views that have it.
        tables: String,
    }
}

/// What is asked when a statement names a column that is not there.
pub static NEAR: Query = query!("sql/near" => NearColumn);

/// The views, and tables of judged requests: what people are promised.
pub fn promised() -> impl Iterator<Item = &'static Query> {
    VIEWS.iter().chain(judged::TABLES)
}

/// Names that no table of a bundle can have.
pub fn view_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().chain(promised()).map(Query::short_name)
}

/// Makes the views in a store that shows evidence. Tables of judged requests are there and empty.
pub fn make_views(store: &Store) -> Result<()> {
    PARTS.iter().chain(promised()).try_for_each(|view| store.derive(view.short_name(), view.sql, Vec::new()))
}

/// The statement of that name.
pub fn canned(name: &str) -> Option<&'static Query> {
    LIBRARY.iter().find(|query| query.short_name() == name)
}
