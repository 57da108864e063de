//! Puts pseudonyms where names, ids, machines and addresses stand, the same ones everywhere.
//!
//! What is a name is learnt from the whole bundle first (`learner.rs`): from columns that hold names, and from texts that
//! give them away (`spoken.rs`). Then every text of every row is gone through: learnt words (`words.rs`), and ids and addresses by
//! their looks (`shapes.rs`), are replaced by what a key makes of them (`key.rs`). What a text becomes depends on nothing
//! but the text, so what was equal stays equal, wherever it stands.

mod key;
mod kind;
mod learner;
mod ledger;
mod shapes;
mod spoken;
mod vocabulary;
mod words;

pub use key::Key;
pub use kind::{Kind, Kinds};
pub use learner::Learner;
pub use ledger::Ledger;

use super::error::Result;
use crate::schema::{Cell, Changes, Class, Names, Row, markers};
use learner::Learnt;
use shapes::Shape;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::Ipv4Addr;
use words::{Place, pieces};

/// Texts of columns that are remembered with what became of them: most come again in the next row.
const LONGEST_REMEMBERED: usize = 256;

pub struct Pseudonyms {
    kinds: Kinds,
    key: Key,
    learnt: Learnt,
    /// The pseudonym of each learnt name, where it was met already.
    words: Vec<Option<String>>,
    addresses: HashMap<Ipv4Addr, Ipv4Addr>,
    taken: HashSet<Ipv4Addr>,
    ledger: Option<Ledger>,
    /// Of each column the text before, and what became of it.
    before: HashMap<(&'static str, usize), Before>,
    counts: BTreeMap<(&'static str, &'static str, Kind), i64>,
}

#[derive(Default)]
struct Before {
    text: String,
    instead: Option<Swapped>,
}

/// A text with pseudonyms in it, and how many there are of each kind.
#[derive(Clone, Debug, Default)]
struct Swapped {
    text: String,
    kinds: Vec<(Kind, i64)>,
}

/// What stands in a text and must not.
enum Found {
    Word(Place),
    Shape(usize, usize, Shape),
}

impl Pseudonyms {
    pub fn new(kinds: Kinds, key: Key, learner: Learner<'_>, ledger: Option<Ledger>) -> Self {
        let learnt = learner.learnt();
        Self {
            kinds,
            key,
            words: vec![None; learnt.names.len()],
            learnt,
            addresses: HashMap::new(),
            taken: HashSet::new(),
            ledger,
            before: HashMap::new(),
            counts: BTreeMap::new(),
        }
    }

    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Names that stay because they are words of everybody's.
    pub fn common(&self) -> &BTreeSet<String> {
        &self.learnt.common
    }

    /// How often each kind was replaced, by table and column.
    pub fn counts(&self) -> &BTreeMap<(&'static str, &'static str, Kind), i64> {
        &self.counts
    }

    pub fn publish(&mut self) -> Result<()> {
        self.ledger.take().map_or(Ok(()), Ledger::publish)
    }

    /// Adds to the changes of a row what its names must be instead.
    pub fn row(&mut self, row: &impl Row, changes: &mut Changes) -> Result<()> {
        let table = row.table();
        let mut texts = Vec::new();
        row.cells(|place, own| {
            let Some(column) = table.columns.get(place) else { return };
            let in_files = match column.class {
                Class::NotText | Class::Plain => return,
                Class::Identifier(Names::File) => true,
                // What is said about files names them.
                Class::FreeText => table.name == "collection",
                _ => false,
            };
            match changes.cell(place, own) {
                Cell::Text(text) if !text.is_empty() => texts.push((place, in_files, text.to_owned())),
                Cell::Bytes(bytes) => texts.push((place, in_files, String::from_utf8_lossy(bytes).into_owned())),
                _ => {}
            }
        });
        for (place, in_files, text) in texts {
            let Some(swapped) = self.remembered((table.name, place), &text, in_files)? else { continue };
            let Some(column) = table.columns.get(place) else { continue };
            for (kind, count) in &swapped.kinds {
                *self.counts.entry((table.name, column.name, *kind)).or_default() += count;
            }
            // Bytes that are no text cannot be shown without what is in them.
            let is_bytes = column.kind == crate::schema::Kind::Bytes;
            changes.set(place, (!is_bytes).then_some(swapped.text));
        }
        Ok(())
    }

    /// A text that stands in no table, but in that field of the manifest.
    pub fn text(&mut self, text: &str, field: &'static str) -> Result<Option<String>> {
        let Some(swapped) = self.swapped(text, true)? else { return Ok(None) };
        for (kind, count) in &swapped.kinds {
            *self.counts.entry(("manifest", field, *kind)).or_default() += count;
        }
        Ok(Some(swapped.text))
    }

    fn remembered(&mut self, place: (&'static str, usize), text: &str, in_files: bool) -> Result<Option<Swapped>> {
        if text.len() > LONGEST_REMEMBERED {
            return self.swapped(text, in_files);
        }
        if let Some(before) = self.before.get(&place).filter(|before| before.text == text) {
            return Ok(before.instead.clone());
        }
        let instead = self.swapped(text, in_files)?;
        self.before.insert(place, Before { text: text.to_owned(), instead: instead.clone() });
        Ok(instead)
    }

    fn swapped(&mut self, text: &str, in_files: bool) -> Result<Option<Swapped>> {
        let found = self.find(text, in_files);
        if found.is_empty() {
            return Ok(None);
        }
        let mut swapped = Swapped { text: String::with_capacity(text.len()), kinds: Vec::new() };
        let mut at = 0;
        for found in found {
            let (start, end) = found.place();
            swapped.text.push_str(text.get(at..start).unwrap_or_default());
            let (kind, pseudonym) = self.pseudonym(&found, text.get(start..end).unwrap_or_default())?;
            swapped.text.push_str(&pseudonym);
            match swapped.kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, count)) => *count += 1,
                None => swapped.kinds.push((kind, 1)),
            }
            at = end;
        }
        swapped.text.push_str(text.get(at..).unwrap_or_default());
        Ok(Some(swapped))
    }

    /// What there is in a text, in order. A word counts where it holds a whole id or address, and not where it is a part of
    /// one; in a marker nothing counts.
    fn find(&self, text: &str, in_files: bool) -> Vec<Found> {
        let words = if in_files { &self.learnt.in_files } else { &self.learnt.everywhere };
        let shapes = shapes::find(text, |kind| self.kinds.has(kind)).into_iter();
        let mut closed: Vec<(usize, usize, Option<Shape>)> =
            shapes.map(|(start, end, shape)| (start, end, Some(shape))).collect();
        closed.extend(markers(text).map(|(start, end, _)| (start, end, None)));
        closed.sort_by_key(|(start, ..)| *start);
        let mut closed = closed.into_iter().peekable();
        let (mut found, mut at) = (Vec::new(), 0);
        loop {
            let next = closed.peek().copied();
            let begins_first = |start: usize| next.is_none_or(|(from, ..)| start <= from);
            let piece = pieces(text, at).filter(|(start, ..)| !words.is_empty() && begins_first(*start));
            if let Some((_, end, starts)) = piece {
                let whole = |word: &Place| next.is_none_or(|(from, to, _)| word.end <= from || to <= word.end);
                let word = words.at(text, starts.into_iter()).filter(whole);
                if word.is_some() || begins_first(end) {
                    at = word.map_or(end, |word| word.end);
                    found.extend(word.map(Found::Word));
                    while closed.next_if(|(start, ..)| *start < at).is_some() {}
                    continue;
                }
            }
            let Some((start, end, shape)) = closed.next() else { return found };
            found.extend(shape.map(|shape| Found::Shape(start, end, shape)));
            at = end;
        }
    }

    fn pseudonym(&mut self, found: &Found, original: &str) -> Result<(Kind, String)> {
        let (kind, pseudonym) = match found {
            Found::Word(place) => self.word(place.word),
            Found::Shape(.., shape) => (shape.kind(), self.shape(*shape, original)),
        };
        if let Some(ledger) = &mut self.ledger {
            ledger.add(kind, &pseudonym, original)?;
        }
        Ok((kind, pseudonym))
    }

    fn word(&mut self, number: usize) -> (Kind, String) {
        let (Some(name), Some(made)) = (self.learnt.names.get(number), self.words.get_mut(number)) else {
            unreachable!("every word has a number that it was given")
        };
        let make = || {
            let (component, _) = name.component();
            match name.is_hash() {
                true => self.key.digits(&name.word),
                false => format!("{component}{}-{}", name.sort.prefix(), self.key.tag(&name.word)),
            }
        };
        (name.sort.kind(), made.get_or_insert_with(make).clone())
    }

    fn shape(&mut self, shape: Shape, original: &str) -> String {
        match shape {
            Shape::Uuid => {
                let uuid = self.key.uuid(original);
                let upper = original.bytes().any(|byte| byte.is_ascii_uppercase());
                if upper { uuid.to_uppercase() } else { uuid }
            }
            Shape::Ipv4(address) => self.address(address).to_string(),
            Shape::Dashed(address) => self.address(address).to_string().replace('.', "-"),
            Shape::Ipv6(address) => self.key.ipv6(address).to_string(),
        }
    }

    /// Two addresses never become one.
    fn address(&mut self, address: Ipv4Addr) -> Ipv4Addr {
        if let Some(known) = self.addresses.get(&address) {
            return *known;
        }
        let free = (0..).map(|attempt| self.key.ipv4(address, attempt)).find(|made| self.taken.insert(*made));
        let made = free.unwrap_or(address);
        self.addresses.insert(address, made);
        made
    }
}

impl Found {
    const fn place(&self) -> (usize, usize) {
        match self {
            Self::Word(place) => (place.start, place.end),
            Self::Shape(start, end, _) => (*start, *end),
        }
    }
}

#[cfg(test)]
mod tests;
