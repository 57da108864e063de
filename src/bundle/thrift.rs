//! Thrift's compact protocol, in which Parquet writes its footers, indexes and page headers, walked without believing it.
//!
//! The decoder makes room for as many elements as a list says it has. So every length is held against the bytes that are
//! there before the decoder sees them: each element takes at least one.

/// Parquet's own structures are far less deep.
const MAX_DEPTH: usize = 16;

/// Whether these bytes begin with a structure whose lengths are all true.
pub fn is_sound(bytes: &[u8]) -> bool {
    walk(bytes, |_, _, _| {}).is_some()
}

/// Walks the structure that these bytes begin with, tells its numbers (with the field that they stand in, 0 at the top,
/// and their own), and returns its length.
pub fn walk(bytes: &[u8], mut each: impl FnMut(i16, i16, i64)) -> Option<usize> {
    let mut walk = Walk { rest: bytes, each: &mut each };
    walk.fields(0, 0)?;
    Some(bytes.len() - walk.rest.len())
}

struct Walk<'a, 'e> {
    rest: &'a [u8],
    each: &'e mut dyn FnMut(i16, i16, i64),
}

impl Walk<'_, '_> {
    fn fields(&mut self, depth: usize, inside: i16) -> Option<()> {
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            let (delta, kind) = (head >> 4, head & 15);
            if kind == 0 {
                return Some(());
            }
            id = match delta {
                0 => i16::try_from(self.signed()?).ok()?,
                delta => id.checked_add(i16::from(delta))?,
            };
            match kind {
                1 | 2 => (self.each)(inside, id, i64::from(kind == 1)),
                4..=6 => {
                    let number = self.signed()?;
                    (self.each)(inside, id, number);
                }
                other => self.value(other, depth, id)?,
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize, id: i16) -> Option<()> {
        match kind {
            1..=3 => self.byte().map(drop),
            4..=6 => self.signed().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.unsigned()?;
                self.skip(usize::try_from(length).ok()?)
            }
            9 | 10 => self.list(depth, id),
            12 if depth < MAX_DEPTH => self.fields(depth + 1, id),
            _ => None,
        }
    }

    fn list(&mut self, depth: usize, id: i16) -> Option<()> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.unsigned()?,
            few => u64::from(few),
        };
        if count > self.rest.len() as u64 || depth >= MAX_DEPTH {
            return None;
        }
        (0..count).try_for_each(|_| self.value(head & 15, depth + 1, id))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let (number, length) = varint(self.rest)?;
        self.skip(length)?;
        Some(number)
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

/// A number that is written seven bits at a time, and how many bytes it takes.
pub fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0_u64;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f).checked_shl(at as u32 * 7)?;
        if byte & 0x80 == 0 {
            return Some((number, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_with_their_places() {
        // { 1: 5, 2: { 1: -1, 7: true }, 3: [1, 2] }
        let bytes = [0x15, 10, 0x1c, 0x15, 1, 0x61, 0, 0x19, 0x25, 2, 4, 0, 99];
        let mut seen = Vec::new();
        assert_eq!(walk(&bytes, |inside, id, value| seen.push((inside, id, value))), Some(bytes.len() - 1));
        assert_eq!(seen, [(0, 1, 5), (2, 1, -1), (2, 7, 1)]);
    }

    #[test]
    fn lengths_that_are_not_true_are_noticed() {
        let huge = [0xff, 0xff, 0xff, 0xff, 0x07];
        let list = [&[0x19, 0xf5][..], &huge, &[0]].concat();
        let text = [&[0x18][..], &huge, &[0]].concat();
        let deep = [0x1c; 100];
        for lie in [&list[..], &text, &deep, &[0x15], &[0x1b, 0, 0], &[]] {
            assert!(!is_sound(lie), "{lie:?}");
        }
        assert!(is_sound(&[0]));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_walked_to_an_end(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
            if let Some(length) = walk(&bytes, |_, _, _| {}) {
                proptest::prop_assert!(length <= bytes.len());
            }
        }
    }
}
