//! Brings into the store what a trace needs, and nothing else: the index leads from ids to rows.

use super::super::error::Result;
use super::busy::Busy;
use super::rows::{ENOUGH_OF_A_KEY, RowReader, ends_of_each, ends_of_each_key};
use super::skew::Clock;
use super::told::{self, Told, tell};
use crate::bundle::{Hit, Piece, Reader, Rows};
use crate::model::HopName;
use crate::query;
use crate::query::timeline::{TIMELINE_KEYS, TimelineKey};
use crate::query::trace::{
    COLLECTED, CONSUMERS, CollectedTable, GlobalLine, KnownConsumer, LOGS, Log, QUOTE, QuotedLine, WANTED_OBJECTS,
    WantedObject,
};
use crate::schema::{Coverage, SHUTDOWN, Time};
use crate::store::Store;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Where the objects of clusters are.
const OBJECTS: &[&str] = &["kube_objects", "manifest_works"];

/// An agent names an object whenever it looks at it, for years; a name like `config` is that of many.
const ENOUGH_OF_AN_OBJECT: usize = 20_000;

/// Objects that are loaded rather than looked at for whether they are needed.
const FEW_OBJECTS: usize = 16;

/// A flapping connection can write any number of lines; of each log and message the latest tell.
const ENOUGH_OF_A_LOG: usize = 300;

/// Lines at the end of a log that are looked at for works, and how many of those are enough.
const TAIL: i64 = 2048;
const ENOUGH_WORKS: usize = 4;

/// What the tables say that are read whole. It is the same for every work.
pub struct Surroundings {
    pub logs: Arc<Vec<Log>>,
    pub consumers: Arc<Vec<KnownConsumer>>,
    pub collected: Arc<Vec<CollectedTable>>,
}

/// What was found out on behalf of one work and is true for others too.
#[derive(Default)]
pub struct Learnt {
    /// Clocks of pods, by the works that their logs end with.
    pub clocks: BTreeMap<String, Option<Clock>>,
    /// How long the hops of a work took at most, where it is healthy, in microseconds.
    pub paces: BTreeMap<String, [i64; HopName::ALL.len()]>,
    /// What processes tell of themselves, by their own clocks.
    pub lines: Option<Arc<Vec<GlobalLine>>>,
    /// Replicas that hang.
    pub busy: Option<Arc<Vec<Busy>>>,
}

/// A store that is filled with what is asked for.
pub struct Loader<'a> {
    pub store: Store,
    /// The same store, for another thread.
    beside: Store,
    pub surroundings: Surroundings,
    pub learnt: Learnt,
    rows: RowReader<'a>,
    /// The lines whose texts are there.
    texts: BTreeSet<i64>,
    told: BTreeMap<String, Told>,
}

impl<'a> Loader<'a> {
    /// Brings the small tables into an empty store.
    pub fn new(reader: &'a Reader, store: Store) -> Result<Self> {
        let (rows, beside) = (RowReader::new(reader), store.beside()?);
        putting(&store, |put| rows.whole(put))?;
        Self::over(rows, store, beside)
    }

    /// The same with another store, which has nothing about works yet; what was learnt is kept.
    pub fn anew(self, store: Store) -> Result<Self> {
        let (rows, beside) = (RowReader::new(self.rows.reader), store.beside()?);
        putting(&store, |put| rows.whole(put))?;
        Ok(Self { store, beside, rows, texts: BTreeSet::new(), told: BTreeMap::new(), ..self })
    }

    /// A new one that takes these pieces, the small tables among them. It starts the database while they are on their way,
    /// and plans statements whenever it would have to wait for the next.
    pub fn taking(reader: &'a Reader, pieces: &Receiver<Piece>) -> Result<Self> {
        let store = Store::open()?;
        let beside = store.beside()?;
        let mut plans = told::plans(&store, &beside, |table| rows_in(reader, table) > 0)?;
        loop {
            match pieces.try_recv() {
                Ok(piece) => store.put(&piece)?,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => match plans.next() {
                    Some((store, query)) => query::plan(store, query)?,
                    None => break,
                },
            }
        }
        drop(plans);
        pieces.iter().try_for_each(|piece| store.put(&piece))?;
        Self::over(RowReader::new(reader), store, beside)
    }

    fn over(rows: RowReader<'a>, store: Store, beside: Store) -> Result<Self> {
        let surroundings = Surroundings {
            logs: Arc::new(LOGS.run(&store, &[])?),
            consumers: Arc::new(CONSUMERS.run(&store, &[])?),
            collected: Arc::new(COLLECTED.run(&store, &[])?),
        };
        let (learnt, told, texts) = (Learnt::default(), BTreeMap::new(), BTreeSet::new());
        Ok(Self { store, beside, surroundings, learnt, rows, texts, told })
    }

    /// What the evidence says about works whose rows somebody else has read.
    pub fn tell_of(&mut self, rows: RowReader<'a>, ids: &[String]) -> Result<()> {
        self.rows = rows;
        self.bring_wanted_objects()?;
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        self.told.extend(tell(&self.store, &mut self.beside, &ids)?);
        Ok(())
    }

    /// The bundle's "now".
    pub fn collected_at(&self) -> Option<Time> {
        self.rows.reader.manifest().collected_at
    }

    /// The works that the logs of a pod name last.
    pub fn last_works_of(&self, pod: &str) -> Result<Vec<String>> {
        let mut tail = Vec::new();
        self.rows.reader.records::<Coverage<'static>>(&Rows::All, |_, log| {
            if let (true, Some(first)) = (log.pod.as_deref() == Some(pod), log.first_row) {
                let end = first + log.entries;
                tail.extend(first.max(end - TAIL)..end);
            }
        })?;
        let mut named = BTreeMap::new();
        self.rows.reader.texts_of("log_lines", "resource_id", &Rows::These(tail), &mut |row, id| {
            named.insert(id.to_owned(), row);
        })?;
        let mut works: Vec<(i64, String)> = named.into_iter().map(|(id, row)| (row, id)).collect();
        works.sort_unstable_by_key(|(row, _)| Reverse(*row));
        Ok(works.into_iter().take(ENOUGH_WORKS).map(|(_, id)| id).collect())
    }

    /// Lines that name no work and can still be the reason: of shutdowns, and those with one of these messages.
    pub fn bring_messages(&mut self, messages: &[&str]) -> Result<()> {
        let hits = self.rows.reader.find(&[messages, SHUTDOWN].concat())?;
        self.bring(latest_of_each_log(self.rows.reader, hits)?)
    }

    /// Everything about these works, and what it says about them.
    pub fn bring_works(&mut self, resource_ids: &[String]) -> Result<()> {
        let ids: BTreeSet<&str> = resource_ids.iter().map(String::as_str).collect();
        let new: Vec<&str> = ids.into_iter().filter(|id| !self.told.contains_key(*id)).collect();
        if !new.is_empty() {
            self.bring_rows_of(&new)?;
            self.told.extend(tell(&self.store, &mut self.beside, &new)?);
        }
        Ok(())
    }

    /// The same where it is known which rows are about which work, so that nothing has to be looked up; `objects` finds those of
    /// clusters by names and uids.
    pub fn bring_share(
        &mut self,
        resource_ids: &[String],
        rows: BTreeMap<&str, Vec<i64>>,
        objects: impl FnOnce(&[&str]) -> Vec<Hit>,
    ) -> Result<()> {
        rows.into_iter().try_for_each(|(table, rows)| self.bring_rows(table, rows))?;
        if self.has_objects() {
            let wanted: Vec<WantedObject> = WANTED_OBJECTS.run(&self.store, &[])?;
            let hits = objects(&keys_of(&wanted));
            self.bring_found(&wanted, hits)?;
        }
        let ids: Vec<&str> = resource_ids.iter().map(String::as_str).collect();
        self.told.extend(tell(&self.store, &mut self.beside, &ids)?);
        Ok(())
    }

    /// What the evidence says about a work that was brought; to be told once.
    pub fn take_told(&mut self, resource_id: &str) -> Told {
        self.told.remove(resource_id).unwrap_or_default()
    }

    /// What the evidence says about a work that was brought.
    pub fn told(&self, resource_id: &str) -> Told {
        self.told.get(resource_id).cloned().unwrap_or_default()
    }

    fn bring_rows_of(&mut self, ids: &[&str]) -> Result<()> {
        putting(&self.store, |put| self.rows.works(ids, put))?;
        self.bring_wanted_objects()
    }

    fn bring_wanted_objects(&mut self) -> Result<()> {
        if !self.has_objects() {
            return Ok(());
        }
        let wanted: Vec<WantedObject> = WANTED_OBJECTS.run(&self.store, &[])?;
        self.bring_objects(&wanted)
    }

    /// Somebody looked into a cluster.
    fn has_objects(&self) -> bool {
        OBJECTS.iter().any(|table| rows_in(self.rows.reader, table) > 0)
    }

    /// Objects by kind, namespace and name, or by uid. A name like `nginx` stands in many.
    pub fn bring_objects(&mut self, wanted: &[WantedObject]) -> Result<()> {
        if !self.has_objects() {
            return Ok(());
        }
        let hits = self.rows.reader.find(&keys_of(wanted))?;
        self.bring_found(wanted, hits)
    }

    /// Of what was found, the objects that are wanted.
    fn bring_found(&mut self, wanted: &[WantedObject], mut hits: Vec<Hit>) -> Result<()> {
        hits.retain(|hit| OBJECTS.contains(&hit.table.as_str()));
        if hits.len() > FEW_OBJECTS {
            let rows =
                Rows::These(hits.iter().filter(|hit| hit.table == "kube_objects").map(|hit| hit.row_no).collect());
            let (kinds, namespaces) = (self.texts("kind", &rows)?, self.texts("namespace", &rows)?);
            let wanted: BTreeSet<(&str, Option<&String>, Option<&String>)> =
                wanted.iter().map(|it| (it.key.as_str(), it.kind.as_ref(), it.namespace.as_ref())).collect();
            let full_name = |hit: &Hit| (hit.key.clone(), kinds.get(&hit.row_no), namespaces.get(&hit.row_no));
            hits.retain(|hit| {
                let (key, kind, namespace) = full_name(hit);
                let fits = wanted.contains(&(&key, kind, namespace)) || wanted.contains(&(&key, None, None));
                hit.table == "manifest_works" || fits
            });
            // Many works may have a `config`, each in a namespace of its own.
            hits.sort_by_cached_key(|hit| (full_name(hit), hit.clone()));
            let ends = ends_of_each(hits, ENOUGH_OF_A_KEY, |one, other| full_name(one) == full_name(other));
            return self.bring(ends);
        }
        self.bring(ends_of_each_key(hits, ENOUGH_OF_A_KEY))
    }

    /// Lines and Kubernetes Events that name an object, an event or an operation of a work, and not the work. Names the
    /// keys of which there were too many.
    pub fn bring_nameless(&mut self, resource_id: &str) -> Result<BTreeSet<String>> {
        let keys: Vec<TimelineKey> = TIMELINE_KEYS.run(&self.store, &[resource_id])?;
        let wanted: BTreeSet<(&str, &str)> =
            keys.iter().map(|key| (key.key.as_str(), key.column_name.as_str())).collect();
        let mut hits = self.rows.reader.find(&keys.iter().map(|key| key.key.as_str()).collect::<Vec<_>>())?;
        hits.retain(|hit| {
            ["log_lines", "kube_events"].contains(&hit.table.as_str())
                && wanted.contains(&(hit.key.as_str(), hit.column.as_str()))
        });
        let too_many = hits.chunk_by(|one, other| one.key == other.key).filter(|hits| hits.len() > ENOUGH_OF_AN_OBJECT);
        let too_many = too_many.filter_map(|hits| hits.first()).map(|hit| hit.key.clone()).collect();
        self.bring(ends_of_each_key(hits, ENOUGH_OF_AN_OBJECT))?;
        Ok(too_many)
    }

    /// Rows in whose column one of these keys stands.
    pub fn bring_keys(&mut self, keys: &[&str], table: &str, column: &str) -> Result<()> {
        let mut hits = self.rows.reader.find(keys)?;
        hits.retain(|hit| hit.is_in(table, column));
        self.bring(ends_of_each_key(hits, ENOUGH_OF_A_KEY))
    }

    /// The texts of all lines that are there.
    pub fn bring_texts(&mut self) -> Result<()> {
        self.bring_texts_of(&self.rows.rows_of("log_lines"))
    }

    /// The texts of lines that are there.
    pub fn bring_texts_of(&mut self, rows: &[i64]) -> Result<()> {
        let wanted: Vec<i64> = rows.iter().copied().filter(|row| self.texts.insert(*row)).collect();
        Ok(self.store.fill(self.rows.reader, "log_lines", "text", &Rows::These(wanted))?)
    }

    /// A line that is there, word for word.
    pub fn quote(&mut self, row_no: i64) -> Result<Vec<QuotedLine>> {
        self.bring_texts_of(&[row_no])?;
        Ok(QUOTE.run(&self.store, &[&row_no.to_string()])?)
    }

    /// A column of some objects, by row.
    pub fn texts(&self, column: &str, rows: &Rows) -> Result<BTreeMap<i64, String>> {
        let mut texts = BTreeMap::new();
        self.each_text(column, rows, |row, text| {
            texts.insert(row, text.to_owned());
        })?;
        Ok(texts)
    }

    /// A column of objects, value by value.
    pub fn each_text(&self, column: &str, rows: &Rows, mut each: impl FnMut(i64, &str)) -> Result<()> {
        Ok(self.rows.reader.texts_of("kube_objects", column, rows, &mut each)?)
    }

    fn bring(&mut self, hits: Vec<Hit>) -> Result<()> {
        putting(&self.store, |put| self.rows.hits(&hits, put))
    }

    /// Rows of a table, those that are not there yet.
    pub fn bring_rows(&mut self, table: &str, rows: Vec<i64>) -> Result<()> {
        putting(&self.store, |put| self.rows.rows(table, rows, put))
    }
}

/// Puts what is read into a store, piece by piece.
fn putting(store: &Store, read: impl FnOnce(&mut dyn FnMut(Piece)) -> Result<()>) -> Result<()> {
    let mut outcome = Ok(());
    read(&mut |piece| {
        if outcome.is_ok() {
            outcome = store.put(&piece);
        }
    })?;
    Ok(outcome?)
}

fn keys_of(wanted: &[WantedObject]) -> Vec<&str> {
    let keys: BTreeSet<&str> = wanted.iter().map(|object| object.key.as_str()).collect();
    keys.into_iter().collect()
}

fn rows_in(reader: &Reader, table: &str) -> u64 {
    reader.manifest().table(table).map_or(0, |member| member.rows)
}

fn latest_of_each_log(reader: &Reader, mut hits: Vec<Hit>) -> Result<Vec<Hit>> {
    hits.retain(|hit| hit.is_in("log_lines", "message"));
    hits.sort_by_key(|hit| Reverse(hit.row_no));
    let mut starts = Vec::new();
    reader.records::<Coverage<'static>>(&Rows::All, |_, log| starts.extend(log.first_row))?;
    starts.sort_unstable();
    let mut kept: BTreeMap<(usize, String), usize> = BTreeMap::new();
    hits.retain(|hit| {
        let log = starts.partition_point(|start| *start <= hit.row_no);
        let count = kept.entry((log, hit.key.clone())).or_default();
        *count += 1;
        *count <= ENOUGH_OF_A_LOG
    });
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use super::super::rows::UNASKED;
    use super::*;

    #[test]
    fn no_statement_names_a_column_that_is_not_loaded() {
        let store = Store::open().unwrap();
        store.make("log_lines").unwrap();
        let dropped = UNASKED.iter().filter(|column| **column != "text");
        let sql: String = dropped.map(|column| format!("alter table log_lines drop column {column};")).collect();
        store.derive("narrowed", &sql, Vec::new()).unwrap();
        for query in crate::query::all() {
            let parameters = vec!["1"; query.header().parameters.len()];
            crate::query::shape(&store, &[query]).unwrap();
            store.select(query.name, query.sql, &parameters).unwrap();
        }
    }
}
