//! Rows of works, read from the bundle by way of its index: those that name a work, then those that they lead to. The
//! database has no part in this, so that it can start in the meantime.

use super::super::error::Result;
use crate::bundle::{Columns, Hit, Piece, Reader, Rows};
use std::collections::{BTreeMap, BTreeSet};

/// Small tables that are read whole.
const WHOLE: &[&str] = &["coverage", "server_instances", "consumers", "collection"];

/// Columns of log lines that no statement of a trace names. The text is by far the longest; what quotes it asks for it.
pub const UNASKED: &[&str] =
    &["line", "lines", "container", "time_from", "format", "level", "code", "logger", "topic", "text", "bytes"];

/// Columns of lines and rows that lead to more.
const LEADING: &[&str] = &["id", "name", "message", "resource_id", "event_id", "op_id", "consumer", "work_name"];

/// Lines whose operation other lines may be about that name no work.
pub const OF_AN_OPERATION: &[&str] = &["user request error", "receive the event from client"];

/// An event that is refused again and again, an operation id that a client uses for everything.
pub const ENOUGH_OF_A_KEY: usize = 200;

/// Reads every row once.
pub struct RowReader<'a> {
    pub reader: &'a Reader,
    read: BTreeMap<String, BTreeSet<i64>>,
}

/// Keys to look up next.
#[derive(Default)]
struct Leads {
    /// Agents before 2026 wrote and made things under the name of a work, not its id.
    names: BTreeSet<String>,
    /// Event rows, status events, AppliedManifestWorks, operations.
    related: BTreeSet<String>,
}

impl<'a> RowReader<'a> {
    pub fn new(reader: &'a Reader) -> Self {
        Self { reader, read: BTreeMap::new() }
    }

    /// The rows of a table that were read.
    pub fn rows_of(&self, table: &str) -> Vec<i64> {
        self.read.get(table).into_iter().flatten().copied().collect()
    }

    /// The small tables.
    pub fn whole(&self, each: &mut dyn FnMut(Piece)) -> Result<()> {
        let mut read = |table: &&str| self.reader.pieces(table, &Rows::All, Columns::All, &mut *each);
        Ok(WHOLE.iter().try_for_each(&mut read)?)
    }

    /// The rows and lines of these works, then what those lead to. Lines come last and together: what costs most about them
    /// is to get at their pages.
    pub fn works(&mut self, ids: &[&str], each: &mut dyn FnMut(Piece)) -> Result<()> {
        let mut lines = BTreeSet::new();
        let hits = self.reader.find(ids)?;
        let leads = self.leads(&hits)?;
        self.but_lines(hits, &mut lines, each)?;
        let [named, related] = leads.among(self.reader.find(&leads.keys())?);
        let mut more = self.leads(&named)?;
        self.but_lines([named, related].concat(), &mut lines, each)?;
        more.related.retain(|key| !leads.related.contains(key));
        more.names.clear();
        let [_, related] = more.among(self.reader.find(&more.keys())?);
        self.but_lines(related, &mut lines, each)?;
        self.rows("log_lines", lines.into_iter().collect(), each)
    }

    /// What rows lead to, also those that were read for another work.
    fn leads(&self, hits: &[Hit]) -> Result<Leads> {
        let mut leads = Leads::default();
        for (table, rows) in by_table(hits) {
            let rows = if Leads::come_from(table) { rows } else { continue };
            self.reader.pieces(table, &Rows::These(rows), Columns::Only(LEADING), |piece| leads.add(&piece))?;
        }
        Ok(leads)
    }

    /// Rows that were found, and the numbers of lines.
    fn but_lines(&mut self, hits: Vec<Hit>, lines: &mut BTreeSet<i64>, each: &mut dyn FnMut(Piece)) -> Result<()> {
        let (found, others): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(|hit| hit.table == "log_lines");
        lines.extend(found.iter().map(|hit| hit.row_no));
        self.hits(&others, each)
    }

    /// Rows that were found.
    pub fn hits(&mut self, hits: &[Hit], each: &mut dyn FnMut(Piece)) -> Result<()> {
        by_table(hits).into_iter().try_for_each(|(table, rows)| self.rows(table, rows, each))
    }

    /// Rows of a table, those that were not read yet.
    pub fn rows(&mut self, table: &str, mut rows: Vec<i64>, each: &mut dyn FnMut(Piece)) -> Result<()> {
        let known = self.read.entry(table.to_owned()).or_default();
        rows.retain(|row| !WHOLE.contains(&table) && known.insert(*row));
        if rows.is_empty() {
            return Ok(());
        }
        let columns = if table == "log_lines" { Columns::But(UNASKED) } else { Columns::All };
        Ok(self.reader.pieces(table, &Rows::These(rows), columns, each)?)
    }
}

impl Leads {
    fn come_from(table: &str) -> bool {
        ["resources", "events", "status_events", "applied_manifest_works", "log_lines"].contains(&table)
    }

    fn add(&mut self, piece: &Piece) {
        let texts = |column| piece.texts(column).flatten().map(str::to_owned);
        match piece.table.as_str() {
            "resources" => self.names.extend(texts("work_name")),
            "events" => self.related.extend(texts("id")),
            "status_events" => {
                self.names.extend(texts("work_name"));
                self.related.extend(texts("id"));
            }
            "applied_manifest_works" => self.related.extend(texts("name")),
            _ => self.add_lines(piece),
        }
    }

    fn add_lines(&mut self, piece: &Piece) {
        let works = piece.texts("resource_id").zip(piece.texts("work_name")).zip(piece.texts("consumer"));
        let named = works.filter_map(|((id, name), consumer)| id.and(consumer).and(name));
        self.names.extend(named.map(str::to_owned));
        self.related.extend(piece.texts("event_id").flatten().map(str::to_owned));
        let operations = piece.texts("message").zip(piece.texts("op_id"));
        let leading = operations.filter(|(message, _)| message.is_some_and(|it| OF_AN_OPERATION.contains(&it)));
        self.related.extend(leading.filter_map(|(_, op_id)| op_id).map(str::to_owned));
    }

    fn keys(&self) -> Vec<&str> {
        self.names.union(&self.related).map(String::as_str).collect()
    }

    /// The hits of names, and those of what is related. A name may stand for anything, and counts in few places.
    fn among(&self, hits: Vec<Hit>) -> [Vec<Hit>; 2] {
        let named = |hit: &&Hit| {
            let in_place =
                hit.is_in("applied_manifest_works", "manifest_work_name") || hit.is_in("log_lines", "work_name");
            in_place && self.names.contains(&hit.key)
        };
        let named: Vec<Hit> = hits.iter().filter(named).cloned().collect();
        let related: Vec<Hit> = hits.into_iter().filter(|hit| self.related.contains(&hit.key)).collect();
        [named, related].map(|hits| ends_of_each_key(hits, ENOUGH_OF_A_KEY))
    }
}

fn by_table(hits: &[Hit]) -> BTreeMap<&str, Vec<i64>> {
    let mut tables: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for hit in hits {
        tables.entry(&hit.table).or_default().push(hit.row_no);
    }
    tables
}

/// The first and last rows of each key. What leads from a work to thousands of rows is not about that work alone.
pub fn ends_of_each_key(hits: Vec<Hit>, enough: usize) -> Vec<Hit> {
    ends_of_each(hits, enough, |one, other| one.key == other.key)
}

pub fn ends_of_each(hits: Vec<Hit>, enough: usize, same: impl Fn(&Hit, &Hit) -> bool) -> Vec<Hit> {
    let mut kept = Vec::new();
    for of_key in hits.chunk_by(same) {
        let middle = enough / 2..of_key.len().saturating_sub(enough / 2);
        let ends = of_key.iter().enumerate().filter(|(place, _)| !middle.contains(place));
        kept.extend(ends.map(|(_, hit)| hit.clone()));
    }
    kept
}
