//! Which of Maestro's tables a database has, and how each is copied.

use super::session::Session;
use super::statements;
use crate::collect::live::desk::Desk;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
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
    /// Why the copy may not have all of it.
    pub lacks: Vec<String>,
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
        let lacks = [
            windowed.map(|since| format!("only rows that were created from {since} on were asked for")),
            hidden.map(|columns| format!("the role may not read {columns}")),
            row.try_get::<_, bool>("filtered")?.then(|| "row-level security may keep rows from the role".to_owned()),
        ];
        Ok(Self { name, copy, lacks: lacks.into_iter().flatten().collect() })
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
    fn every_table_is_read_once() {
        let mut tables = TABLES.to_vec();
        let mut known: Vec<&str> = table_names().collect();
        tables.sort_unstable();
        known.sort_unstable();
        assert_eq!(tables, known);
        assert!(WINDOWED.iter().all(|table| TABLES.contains(table)));
    }
}
