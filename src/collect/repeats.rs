//! Lines that were exported twice are kept once.

use super::log_stream::{File, Stream};
use crate::schema::Time;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Lines that are remembered, in two generations: about 100 MB when both are full.
const GENERATION: usize = 1 << 20;

/// Lines of the same 17 seconds (2^24 µs) are kept together: logs are read in the order of time, and what lies close
/// together in memory is found faster.
const SPAN: u32 = 24;

/// A span without any line takes as much memory as so many lines.
const SPAN_COST: usize = 8;

/// What was seen of the lines so far.
///
/// A line counts as the same if its process, its own time to the microsecond, its length and a sum over its text are;
/// one without a time if it also follows the same line. Within one file only the answer to a query holds a line twice; a
/// process may write the same line again.
#[derive(Default)]
pub struct Repeats {
    young: Generation,
    old: Generation,
    pods: HashMap<String, u32>,
    /// How many logs each pod has, as far as that is known before they are read.
    logs: HashMap<String, u32>,
    /// There are logs of which only their lines tell whose they are.
    any: bool,
    forgot: bool,
}

type Key = (i64, u64);
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// In which file each line was seen, by the span of its time.
#[derive(Default)]
struct Generation {
    spans: Map<i64, Map<Key, u32>>,
    size: usize,
}

impl Generation {
    fn get(&self, key: &Key) -> Option<u32> {
        self.spans.get(&(key.0 >> SPAN))?.get(key).copied()
    }

    fn insert(&mut self, key: Key, file: u32) {
        let Self { spans, size } = self;
        let lines = spans.entry(key.0 >> SPAN).or_insert_with(|| {
            *size += SPAN_COST;
            Map::default()
        });
        *size += usize::from(lines.insert(key, file).is_none());
    }
}

impl Repeats {
    /// There will be a log of this pod and nobody else, or of pods that are not known yet.
    pub fn announce(&mut self, pod: Option<String>) {
        match pod {
            Some(pod) => *self.logs.entry(pod).or_default() += 1,
            None => self.any = true,
        }
    }

    /// Can a line of this pod be in two logs?
    pub fn may_come(&self, pod: Option<&str>) -> bool {
        self.any || pod.and_then(|pod| self.logs.get(pod)) != Some(&1)
    }

    /// Was this line stored before? If not, remembers it.
    pub fn has(&mut self, file: &File<'_>, stream: &mut Stream, own: Option<Time>, text: &str) -> bool {
        if !stream.may_repeat {
            return false;
        }
        let follows = stream.last_own.filter(|_| own.is_none() && file.wrapping.keeps_order());
        stream.last_own = own.or(stream.last_own);
        let Some(at) = own.or(follows) else { return false };
        let pods = &mut self.pods;
        let pod = *stream.number.get_or_insert_with(|| {
            let next = pods.len() as u32;
            *pods.entry(stream.place.pod.clone().unwrap_or_default()).or_insert(next)
        });
        let sum = u64::from(crc32fast::hash(text.as_bytes()));
        let key = (at.micros(), sum << 32 | u64::from(text.len() as u32 ^ pod.wrapping_mul(0x9e37_79b9)));
        let before = self.young.get(&key).or_else(|| self.old.get(&key));
        let may_repeat = own.is_some() && file.wrapping.is_export();
        if before.is_some_and(|number| number != file.number || may_repeat) {
            return true;
        }
        self.young.insert(key, file.number);
        if self.young.size >= GENERATION {
            self.forgot |= self.old.size > 0;
            self.old = std::mem::take(&mut self.young);
        }
        false
    }

    /// There were more lines than are remembered, so some may be there twice.
    pub const fn forgot(&self) -> bool {
        self.forgot
    }
}

/// The keys are sums already; a multiplication spreads them.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(29) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_in_two_logs_is_remembered() {
        let mut repeats = Repeats::default();
        for pod in ["agent", "server", "server"] {
            repeats.announce(Some(pod.to_owned()));
        }
        assert!(!repeats.may_come(Some("agent")));
        assert!(repeats.may_come(Some("server")));
        assert!(repeats.may_come(Some("never announced")) && repeats.may_come(None));
        repeats.announce(None);
        assert!(repeats.may_come(Some("agent")));
    }
}
