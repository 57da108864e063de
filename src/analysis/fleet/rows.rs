//! Which rows are about which work, for all works at once.
//!
//! The index tells it for one work. To ask it for every chunk of works would be to read most of it every time, so each
//! table is gone through once instead: a row is a work's if it names the work, or something that leads to it.

use super::super::error::Result;
use super::super::resolve::is_uuid;
use super::super::trace::{ENOUGH_OF_A_KEY, OF_AN_OPERATION};
use crate::bundle::{Hit, Reader};
use crate::schema::Cell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hasher};

/// Rows and lines that are looked at together: they are in memory at the same time, once for each thread.
const SHARE_ROWS: usize = 100_000;

/// Works that are asked about together, however little there is about each.
const SHARE_WORKS: usize = 2000;

/// A text that leads to works, shortened. That two texts are shortened to one would bring in a row too many, which
/// statements leave out again.
type Key = u64;

/// Bits of a number that are a row's; those above are its work's.
const ROW_BITS: u32 = 40;

/// Some works and all rows that are about them.
pub struct Share {
    pub ids: Vec<String>,
    pub rows: BTreeMap<&'static str, Vec<i64>>,
}

/// All works, in the order of time, in shares.
pub struct Rows {
    ids: Vec<String>,
    /// Where each share begins among the works, and where the last ends.
    starts: Vec<usize>,
    /// For each table, its rows with the works that they name, in the order of works.
    own: BTreeMap<&'static str, Vec<u64>>,
    /// For each table, the shares that rows lead to which name no work.
    led: BTreeMap<&'static str, BTreeSet<(usize, i64)>>,
    objects: HashMap<Key, Vec<(&'static str, i64)>>,
}

impl Rows {
    /// Of all works whose id is wanted.
    pub fn of(reader: &Reader, wanted: impl Fn(&str) -> bool) -> Result<Self> {
        let mut gatherer = Gatherer::default();
        gatherer.lines(reader)?;
        gatherer.tables(reader)?;
        let objects = objects(reader)?;
        Ok(gatherer.shared(wanted, objects))
    }

    pub fn works(&self) -> usize {
        self.ids.len()
    }

    pub fn shares(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn share(&self, number: usize) -> Share {
        let place = |at: usize| self.starts.get(at).copied().unwrap_or_default();
        let (from, to) = (place(number), place(number + 1));
        let mut rows: BTreeMap<&'static str, Vec<i64>> = BTreeMap::new();
        for (table, own) in &self.own {
            let start = own.partition_point(|packed| rank_of(*packed) < from);
            let end = own.partition_point(|packed| rank_of(*packed) < to);
            let found = own.get(start..end).unwrap_or_default().iter().map(|packed| row_of(*packed));
            rows.entry(table).or_default().extend(found);
        }
        for (table, led) in &self.led {
            let found = led.range((number, i64::MIN)..(number + 1, i64::MIN)).map(|(_, row)| *row);
            rows.entry(table).or_default().extend(found);
        }
        Share { ids: self.ids.get(from..to).unwrap_or_default().to_vec(), rows }
    }

    /// Objects that have one of these names or uids.
    pub fn objects(&self, keys: &[&str]) -> Vec<Hit> {
        let mut hits: Vec<Hit> = keys
            .iter()
            .flat_map(|text| self.objects.get(&key(text)).into_iter().flatten().map(move |found| (text, found)))
            .map(|(text, (table, row_no))| Hit {
                key: (*text).to_owned(),
                table: (*table).to_owned(),
                column: "name".to_owned(),
                row_no: *row_no,
            })
            .collect();
        hits.sort_unstable();
        hits
    }
}

#[derive(Default)]
struct Gatherer {
    works: Vec<Work>,
    numbers: HashMap<String, u32>,
    own: BTreeMap<&'static str, Vec<u64>>,
    loose: BTreeMap<&'static str, Vec<(Key, i64)>>,
    links: Links,
}

struct Work {
    id: String,
    rows: usize,
    first_at: i64,
    /// The name it was last linked by: lines tell the same again and again.
    name: Key,
    event: Key,
    operation: Key,
}

/// The works that keys lead to: nearly always one.
#[derive(Default)]
struct Links {
    first: HashMap<Key, u32>,
    more: HashMap<Key, Vec<u32>>,
}

impl Links {
    fn add(&mut self, key: Key, work: u32) {
        match self.first.entry(key) {
            Entry::Vacant(empty) => _ = empty.insert(work),
            Entry::Occupied(known) if *known.get() == work => {}
            Entry::Occupied(_) => {
                let more = self.more.entry(key).or_default();
                if more.last() != Some(&work) {
                    more.push(work);
                }
            }
        }
    }

    fn of(&self, key: Key) -> impl Iterator<Item = u32> {
        self.first.get(&key).into_iter().chain(self.more.get(&key).into_iter().flatten()).copied()
    }
}

impl Gatherer {
    fn lines(&mut self, reader: &Reader) -> Result<()> {
        const COLUMNS: [&str; 9] = [
            "resource_id",
            "event_id",
            "op_id",
            "work_name",
            "applied_work",
            "message",
            "component",
            "error",
            "logged_at",
        ];
        let (mut own, mut loose) = (Vec::new(), Vec::new());
        // Lines about one work stand together.
        let mut last: Option<u32> = None;
        reader.cells("log_lines", &COLUMNS, |row, cells| {
            let [id, event, operation, name, applied, message, component, error, at] = cells else { return };
            let Cell::Text(id) = id else {
                let keys = [event, operation, name, applied].into_iter().filter_map(key_of);
                loose.extend(keys.map(|key| (key, row)));
                return;
            };
            let number = last.filter(|number| self.work(*number).is_some_and(|work| work.id == *id));
            let number = number.unwrap_or_else(|| self.number(id));
            last = Some(number);
            own.push(packed(number as usize, row));
            let Some(work) = self.works.get_mut(number as usize) else { return };
            work.rows += 1;
            if let Cell::Time(at) = at {
                work.first_at = work.first_at.min(at.micros());
            }
            let opens = matches!(message, Cell::Text(message) if OF_AN_OPERATION.contains(message));
            let operation = key_of(operation);
            let told = [
                (key_of(event), &mut work.event),
                (key_of(name), &mut work.name),
                (operation.filter(|_| opens), &mut work.operation),
            ];
            for (key, before) in told {
                if let Some(key) = key.filter(|key| std::mem::replace(before, *key) != *key) {
                    self.links.add(key, number);
                }
            }
            // Why a request was refused stands in the line of a client, under the operation.
            if matches!((component, error), (Cell::Text("client"), Cell::Text(_))) {
                loose.extend(operation.map(|key| (key, row)));
            }
        })?;
        self.own.insert("log_lines", own);
        self.loose.insert("log_lines", loose);
        Ok(())
    }

    fn tables(&mut self, reader: &Reader) -> Result<()> {
        for (table, id, leading) in [
            ("resources", "id", ["work_name", ""]),
            ("events", "source_id", ["id", ""]),
            ("status_events", "resource_id", ["id", "work_name"]),
        ] {
            let columns = [&[id][..], &leading[..]].concat();
            reader.cells(table, &columns, |row, cells| {
                let Some((Cell::Text(id), leading)) = cells.split_first() else { return };
                let number = self.own_row(table, id, row);
                leading.iter().filter_map(key_of).for_each(|key| self.links.add(key, number));
            })?;
        }
        self.applied_works(reader)?;
        for (table, columns) in [
            ("event_instances", ["event_id", "spec_event_id"]),
            ("kube_objects", ["applied_works", ""]),
            ("manifest_works", ["applied_works", ""]),
        ] {
            let mut loose = Vec::new();
            reader.cells(table, &columns, |row, cells| {
                let words = cells.iter().filter_map(text_of).flat_map(|text| text.split(' '));
                loose.extend(words.map(|word| (key(word), row)));
            })?;
            self.loose.insert(table, loose);
        }
        Ok(())
    }

    /// Agents name what they apply after the resource; those before 2026-01-14 did after the work, and a name is not an id.
    fn applied_works(&mut self, reader: &Reader) -> Result<()> {
        let table = "applied_manifest_works";
        let mut named: Vec<(Key, Key)> = Vec::new();
        reader.cells(table, &["manifest_work_name", "name"], |row, cells| {
            let [Cell::Text(work), name] = cells else { return };
            if is_uuid(work) || self.numbers.contains_key(*work) {
                let number = self.own_row(table, work, row);
                key_of(name).into_iter().for_each(|key| self.links.add(key, number));
            } else {
                self.loose.entry(table).or_default().push((key(work), row));
                named.extend(key_of(name).map(|name| (key(work), name)));
            }
        })?;
        for (work, name) in named {
            let works: Vec<u32> = self.links.of(work).collect();
            works.into_iter().for_each(|number| self.links.add(name, number));
        }
        Ok(())
    }

    fn own_row(&mut self, table: &'static str, id: &str, row: i64) -> u32 {
        let number = self.number(id);
        self.own.entry(table).or_default().push(packed(number as usize, row));
        self.works.get_mut(number as usize).into_iter().for_each(|work| work.rows += 1);
        number
    }

    fn work(&self, number: u32) -> Option<&Work> {
        self.works.get(number as usize)
    }

    fn number(&mut self, id: &str) -> u32 {
        if let Some(number) = self.numbers.get(id) {
            return *number;
        }
        let number = u32::try_from(self.works.len()).unwrap_or(u32::MAX);
        self.numbers.insert(id.to_owned(), number);
        let id = id.to_owned();
        self.works.push(Work { id, rows: 0, first_at: i64::MAX, name: 0, event: 0, operation: 0 });
        number
    }

    /// In the order of time: lines of works that began together lie together in every log.
    fn shared(self, wanted: impl Fn(&str) -> bool, objects: HashMap<Key, Vec<(&'static str, i64)>>) -> Rows {
        let Self { mut works, own, loose, links, numbers: _ } = self;
        let mut order: Vec<usize> = (0..works.len()).collect();
        order.retain(|number| works.get(*number).is_some_and(|work| wanted(&work.id)));
        order.sort_by_key(|number| works.get(*number).map(|work| work.first_at));
        let mut ranks: Vec<Option<usize>> = vec![None; works.len()];
        for (rank, number) in order.iter().enumerate() {
            ranks.get_mut(*number).into_iter().for_each(|place| *place = Some(rank));
        }
        let rank = |number: usize| ranks.get(number).copied().flatten();
        let starts = starts(order.iter().filter_map(|number| works.get(*number)).map(|work| work.rows));
        let own = own.into_iter().map(|(table, rows)| {
            let ranked = rows.into_iter().filter_map(|row| Some(packed(rank(rank_of(row))?, row_of(row))));
            let mut ranked: Vec<u64> = ranked.collect();
            ranked.sort_unstable();
            (table, ranked)
        });
        let own = own.collect();
        let share = |number: u32| rank(number as usize).map(|rank| starts.partition_point(|start| *start <= rank) - 1);
        let led = loose.into_iter().map(|(table, rows)| (table, led(rows, &links, share)));
        let led = led.collect();
        let mut id = |number: &usize| works.get_mut(*number).map(|work| std::mem::take(&mut work.id));
        let ids = order.iter().filter_map(&mut id).collect();
        Rows { ids, starts, own, led, objects }
    }
}

/// The shares that rows belong to by what they name.
fn led(mut rows: Vec<(Key, i64)>, links: &Links, share: impl Fn(u32) -> Option<usize>) -> BTreeSet<(usize, i64)> {
    rows.retain(|(key, _)| links.first.contains_key(key));
    rows.sort_unstable();
    rows.dedup();
    let mut led = BTreeSet::new();
    for of_key in rows.chunk_by(|(one, _), (other, _)| one == other) {
        let shares: BTreeSet<usize> =
            of_key.first().into_iter().flat_map(|(key, _)| links.of(*key)).filter_map(&share).collect();
        let middle = ENOUGH_OF_A_KEY / 2..of_key.len().saturating_sub(ENOUGH_OF_A_KEY / 2);
        let ends = of_key.iter().enumerate().filter(|(place, _)| !middle.contains(place));
        for (_, (_, row)) in ends {
            led.extend(shares.iter().map(|share| (*share, *row)));
        }
    }
    led
}

/// Where shares begin that are not too large, and where the last ends.
fn starts(rows: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0];
    let (mut begun, mut held, mut total) = (0, 0, 0);
    for (place, rows) in rows.enumerate() {
        if place > begun && (held + rows > SHARE_ROWS || place - begun >= SHARE_WORKS) {
            starts.push(place);
            (begun, held) = (place, 0);
        }
        held += rows;
        total = place + 1;
    }
    if total > 0 {
        starts.push(total);
    }
    starts
}

/// Objects of clusters by name and by uid.
fn objects(reader: &Reader) -> Result<HashMap<Key, Vec<(&'static str, i64)>>> {
    let mut objects: HashMap<Key, Vec<(&'static str, i64)>> = HashMap::new();
    for table in ["kube_objects", "manifest_works"] {
        reader.cells(table, &["name", "uid"], |row, cells| {
            for key in cells.iter().filter_map(key_of) {
                objects.entry(key).or_default().push((table, row));
            }
        })?;
    }
    Ok(objects)
}

fn text_of<'a>(cell: &Cell<'a>) -> Option<&'a str> {
    if let Cell::Text(text) = cell { Some(text) } else { None }
}

fn key_of(cell: &Cell<'_>) -> Option<Key> {
    text_of(cell).map(key)
}

fn key(text: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

fn packed(work: usize, row: i64) -> u64 {
    ((work as u64) << ROW_BITS) | row.unsigned_abs()
}

fn rank_of(packed: u64) -> usize {
    (packed >> ROW_BITS) as usize
}

fn row_of(packed: u64) -> i64 {
    (packed & ((1 << ROW_BITS) - 1)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(rows: &[usize]) -> Vec<usize> {
        starts(rows.iter().copied()).windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    #[test]
    fn a_share_has_few_rows_or_one_work() {
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&[SHARE_ROWS * 3, 1, 1]), [1, 2]);
        assert_eq!(lengths(&[SHARE_ROWS / 2; 5]), [2, 2, 1]);
        assert_eq!(lengths(&vec![1; SHARE_WORKS + 1]), [SHARE_WORKS, 1]);
    }

    #[test]
    fn a_key_that_leads_to_several_works_leads_to_the_shares_of_all() {
        let mut links = Links::default();
        for (key, work) in [(7, 0), (7, 1), (7, 1), (7, 9), (8, 0)] {
            links.add(key, work);
        }
        let share = |work: u32| (work < 9).then_some(work as usize);
        let rows = vec![(7, 30), (8, 31), (9, 32)];
        assert_eq!(led(rows, &links, share), BTreeSet::from([(0, 30), (1, 30), (0, 31)]));
        let many = (0..1000).map(|row| (8, row)).collect();
        assert_eq!(led(many, &links, share).len(), ENOUGH_OF_A_KEY);
    }
}
