//! A captured line or row with holes where a copy gets its own id, name, hash or time.

use std::collections::HashMap;
use std::rc::Rc;

use super::clock::{Written, header, put_header, put_time, time};

/// What the holes of one capture are filled with in one copy. Times are microseconds.
#[derive(Default)]
pub struct Copy {
    /// The time at which the fleet's work begins.
    pub start: i64,
    /// How far this copy is from that.
    pub shift: i64,
    /// Irregularities: from which time since the start on, how much later. One for all times of a
    /// copy, because lines and rows repeat each other's.
    pub drift: Rc<[(i64, i64)]>,
    pub ids: Vec<String>,
    pub names: Vec<String>,
    pub hashes: Vec<String>,
}

impl Copy {
    /// A time of the capture, in this copy.
    fn time(&self, since: i64) -> i64 {
        let later = self.drift.partition_point(|(from, _)| *from <= since);
        let drift = later.checked_sub(1).map_or(0, |known| self.drift[known].1);
        self.start + self.shift + since + drift
    }
}

/// Which id, name or hash fills which hole: the same for all lines and rows of a capture.
#[derive(Default)]
pub struct Holes {
    ids: HashMap<String, usize>,
    hashes: HashMap<String, usize>,
    /// Work names with their number, longest first: one may begin another.
    names: Vec<(String, usize)>,
    /// Ids and pod names of the capture's servers, agents and consumers, and those of the fleet.
    same: Vec<(String, String)>,
    /// When the capture's work begins.
    start: i64,
}

impl Holes {
    /// `works` are pairs of name and resource id; their number is their hole.
    pub fn new(works: &[(String, String)], same: Vec<(String, String)>, start: i64) -> Self {
        let ids = works.iter().enumerate().map(|(number, (_, id))| (id.clone(), number)).collect();
        let mut names: Vec<_> = works.iter().enumerate().map(|(number, (name, _))| (name.clone(), number)).collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { ids, hashes: HashMap::new(), names, same, start }
    }

    /// How many different ids and hashes were met.
    pub fn counts(&self) -> (usize, usize) {
        (self.ids.len(), self.hashes.len())
    }

    fn id(&mut self, text: &str) -> usize {
        let next = self.ids.len();
        *self.ids.entry(text.to_owned()).or_insert(next)
    }

    fn hash(&mut self, text: &str) -> usize {
        let next = self.hashes.len();
        *self.hashes.entry(text.to_owned()).or_insert(next)
    }
}

enum Piece {
    Text(Vec<u8>),
    Id(usize),
    Name(usize),
    Hash(usize),
    /// A status sequence: milliseconds in the upper bits, counted from somewhere.
    Sequence(i64),
    /// `1116 01:27:03.276400`, a klog header's; since the start.
    Header(i64),
    /// `2026-11-16T01:27:03.28204`; since the start, and how it is written.
    Time(i64, Written),
}

/// A text with holes.
pub struct Template(Vec<Piece>);

impl Template {
    pub fn new(text: &str, holes: &mut Holes) -> Self {
        let mut text = text.to_owned();
        for (own, fleet) in &holes.same {
            text = text.replace(own, fleet);
        }
        let mut pieces = Vec::new();
        let (mut plain, mut at) = (0, 0);
        while at < text.len() {
            match piece_at(&text, at, holes) {
                Some((piece, length)) => {
                    pieces.push(Piece::Text(text.as_bytes()[plain..at].to_vec()));
                    pieces.push(piece);
                    at += length;
                    plain = at;
                }
                None => at += 1,
            }
        }
        pieces.push(Piece::Text(text.as_bytes()[plain..].to_vec()));
        Self(pieces)
    }

    pub fn render(&self, copy: &Copy, out: &mut Vec<u8>) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Id(hole) => out.extend_from_slice(copy.ids[*hole].as_bytes()),
                Piece::Name(hole) => out.extend_from_slice(copy.names[*hole].as_bytes()),
                Piece::Hash(hole) => out.extend_from_slice(copy.hashes[*hole].as_bytes()),
                Piece::Sequence(number) => {
                    out.extend_from_slice((number + ((copy.shift / 1000) << 22)).to_string().as_bytes())
                }
                Piece::Header(since) => put_header(copy.time(*since), out),
                Piece::Time(since, written) => put_time(copy.time(*since), written, out),
            }
        }
    }
}

/// The hole that begins here, and how much text it takes the place of.
fn piece_at(text: &str, at: usize, holes: &mut Holes) -> Option<(Piece, usize)> {
    let bytes = &text.as_bytes()[at..];
    let inside_word = at > 0 && text.as_bytes()[at - 1].is_ascii_alphanumeric();
    if let Some((micros, length)) = header(text, at, holes.start) {
        return Some((Piece::Header(micros - holes.start), length));
    }
    if inside_word {
        return None;
    }
    match bytes[0] {
        b'0'..=b'9' | b'a'..=b'f' if is_uuid(bytes) => Some((Piece::Id(holes.id(&text[at..at + 36])), 36)),
        b'0'..=b'9' if sequence(text, at).is_some() => sequence(text, at).map(|number| (Piece::Sequence(number), 19)),
        b'0'..=b'9' | b'a'..=b'f' if is_hash(bytes) => Some((Piece::Hash(holes.hash(&text[at..at + 64])), 64)),
        b'0'..=b'9' => {
            let (since, written, length) = time(bytes, holes.start)?;
            Some((Piece::Time(since, written), length))
        }
        _ => {
            let (name, number) = holes.names.iter().find(|(name, _)| bytes.starts_with(name.as_bytes()))?;
            Some((Piece::Name(*number), name.len()))
        }
    }
}

fn is_hex(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_uuid(bytes: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..36) else {
        return false;
    };
    [8, 13, 18, 23].iter().all(|dash| bytes[*dash] == b'-') && bytes.split(|b| *b == b'-').all(is_hex)
}

/// SHA-256 of a status. One before a dash is a hub's, which stays the same for all works of an
/// agent.
fn is_hash(bytes: &[u8]) -> bool {
    bytes.len() > 64 && is_hex(&bytes[..64]) && bytes[64] != b'-' && !is_hex(&bytes[64..65])
}

/// A 19-digit number whose name says what it is, however often its quotes are escaped.
fn sequence(text: &str, at: usize) -> Option<i64> {
    let name = text[..at].trim_end_matches(['"', '\\', ':', ' ', '=']);
    name.ends_with("sequenceid").then(|| text.get(at..at + 19)?.parse().ok()).flatten()
}
