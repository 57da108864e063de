//! Which works there are.

use super::super::error::Result;
use super::super::resolve::is_uuid;
use crate::bundle::Reader;
use std::collections::HashMap;

/// Where works are named, the largest table first: rows that are read together should lie together.
const COLUMNS: &[(&str, &str)] = &[
    ("log_lines", "resource_id"),
    ("resources", "id"),
    ("events", "source_id"),
    ("status_events", "resource_id"),
    AGENTS,
];

/// Agents name what they apply after the resource; those before 2026-01-14 did after the work, and a name is not an id.
const AGENTS: (&str, &str) = ("applied_manifest_works", "manifest_work_name");

/// A work, and how many rows and lines name it.
pub struct Named {
    pub id: String,
    pub rows: usize,
}

/// Every id that stands in one of these columns, in the order of its first row.
pub fn all(reader: &Reader) -> Result<Vec<Named>> {
    let mut works: Vec<Named> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for place in COLUMNS {
        let (table, column) = place;
        // Lines about one work stand together.
        let mut last: Option<usize> = None;
        reader.texts(table, column, |_, id| {
            if *place == AGENTS && !is_uuid(id) {
                return;
            }
            let again = last.and_then(|place| works.get_mut(place)).filter(|work| work.id == id);
            if let Some(work) = again {
                work.rows += 1;
                return;
            }
            let place = places.get(id).copied().unwrap_or_else(|| {
                places.insert(id.to_owned(), works.len());
                works.push(Named { id: id.to_owned(), rows: 0 });
                works.len() - 1
            });
            works.get_mut(place).into_iter().for_each(|work| work.rows += 1);
            last = Some(place);
        })?;
    }
    Ok(works)
}
