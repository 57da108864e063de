//! Which of Maestro's tables a database has, and how each is copied.

use super::session::Session;
use super::statements;
use crate::collect::live::desk::Desk;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use crate::model::Right;
use tokio_postgres::Row;

/// In the order in which they are read: what is small and tells much comes first.
pub const TABLES: &[&str] =
    &["consumers", "server_instances", "resources", "events", "event_instances", "status_events"];
/// Tables that grow without end, of which a part may be asked for.
pub const WINDOWED: &[&str] = &["events", "status_events"];

/// One of Maestro's tables as it is.
pub struct Table {
    pub name: String,
    /// The statement that copies it, or why there is none.
    pub copy: Result<String, Trouble>,
    /// Only a part of it was asked for.
    window: Option<String>,
    /// Columns that the role may not read.
    hidden: Option<String>,
    /// Row-level security may keep rows from the role.
    filtered: bool,
}

/// Whether a trouble tells that a right is missing. Whoever did not get that far knows nothing about rights.
pub fn refused(trouble: &Trouble) -> Option<bool> {
    (trouble.status == Status::Denied).then_some(false)
}

pub async fn read(session: &Session, desk: &Desk<'_>) -> Result<Vec<Table>, Trouble> {
    let since = desk.window.events_since.map(|since| since.to_string());
    let rows = session.query(desk, &statements::CATALOGUE, &[&TABLES, &WINDOWED, &since]).await?;
    rows.iter().map(|row| Table::of(row, since.as_deref()).map_err(Trouble::from)).collect()
}

impl Table {
    fn of(row: &Row, since: Option<&str>) -> Result<Self, tokio_postgres::Error> {
        let name: String = row.try_get("name")?;
        let hidden: Option<String> = row.try_get("hidden")?;
        let copy = row.try_get::<_, Option<String>>("statement")?;
        let copy = match copy {
            Some(statement) => Ok(statement),
            None => Err(why_not(row, &name)?),
        };
        let windowed = row.try_get::<_, bool>("windowed")?.then_some(since).flatten();
        let window = windowed.map(|since| format!("only rows that were created from {since} on were asked for"));
        Ok(Self { name, copy, window, hidden, filtered: row.try_get("filtered")? })
    }

    /// Why the copy may not have all of it.
    pub fn lacks(&self) -> impl Iterator<Item = String> {
        self.window.clone().into_iter().chain(self.kept_back())
    }

    /// What the role does not get to see.
    fn kept_back(&self) -> impl Iterator<Item = String> {
        let hidden = self.hidden.as_ref().map(|columns| format!("the role may not read {columns}"));
        let filtered = self.filtered.then(|| "row-level security may keep rows from the role".to_owned());
        hidden.into_iter().chain(filtered)
    }

    /// Whether the role may read all of it.
    pub fn right(&self) -> Right {
        let what = format!("read {} (SELECT)", self.name);
        if let Err(trouble) = &self.copy {
            return Right { what, granted: refused(trouble), why: Some(trouble.why.clone()) };
        }
        let granted = match (&self.hidden, self.filtered) {
            (Some(_), _) => Some(false),
            (None, true) => None,
            (None, false) => Some(true),
        };
        let why: Vec<String> = self.kept_back().collect();
        Right { what, granted, why: Some(why.join("; ")).filter(|why| !why.is_empty()) }
    }
}

fn why_not(row: &Row, name: &str) -> Result<Trouble, tokio_postgres::Error> {
    let elsewhere: Option<String> = row.try_get("elsewhere")?;
    if row.try_get("is_there")? {
        return Ok(Trouble::new(Status::Denied, format!("the role has no SELECT on {name}")));
    }
    Ok(match elsewhere {
        Some(schemas) if row.try_get("barred")? => {
            Trouble::new(Status::Denied, format!("{name} is in a schema that the role has no USAGE on: {schemas}"))
        }
        Some(schemas) => {
            let why =
                format!("{name} is not on the search path but in {schemas}; name it with options=-csearch_path=…");
            Trouble::new(Status::NotFound, why)
        }
        None => Trouble::new(Status::NotFound, format!("the database has no table {name}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::database::table_names;

    #[test]
    fn a_right_is_missing_only_where_that_is_known() {
        let table = |copy, hidden: Option<&str>, filtered| Table {
            name: "events".to_owned(),
            copy,
            window: Some("only some".to_owned()),
            hidden: hidden.map(str::to_owned),
            filtered,
        };
        let well = || Ok("copy".to_owned());
        let trouble = |status| Err(Trouble::new(status, "why"));
        let granted = |table: Table| (table.right().granted, table.right().why.unwrap_or_default());
        assert_eq!(granted(table(well(), None, false)), (Some(true), String::new()));
        assert_eq!(granted(table(well(), Some("payload"), true)).0, Some(false));
        assert_eq!(granted(table(well(), None, true)).0, None);
        assert!(granted(table(well(), None, true)).1.contains("row-level security"));
        assert_eq!(granted(table(trouble(Status::Denied), None, false)), (Some(false), "why".to_owned()));
        assert_eq!(granted(table(trouble(Status::NotFound), None, false)), (None, "why".to_owned()));
    }

    #[test]
    fn every_table_is_read_once() {
        let mut tables = TABLES.to_vec();
        let mut known: Vec<&str> = table_names().collect();
        tables.sort_unstable();
        known.sort_unstable();
        assert_eq!(tables, known);
        assert!(WINDOWED.iter().all(|table| TABLES.contains(table)));
    }
}
