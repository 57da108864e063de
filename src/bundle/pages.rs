//! Pages on their way to the decoder. Each is looked at first: what its header claims, and how much its values can become.
//! It is unpacked here, into no more room than it may take, and handed on plain.

use super::error::Damage;
use super::footer::{Chunk, Footer};
use super::limits::{Limit, Limits};
use super::member::VerifiedMember;
use super::thrift::{varint, walk};
use bytes::{Buf, Bytes};
use parquet::file::reader::{ChunkReader, Length};
use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zstd::bulk::Decompressor;

/// Numbers that Parquet gives to kinds of pages and to encodings.
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;
const DELTA_LENGTHS: i64 = 6;
const DELTA_TEXTS: i64 = 7;

/// A dictionary writes a long value once and names it in many rows: so many columns may do that at once.
const DICTIONARIES: u64 = 8;

#[derive(Clone)]
pub struct Pages {
    member: VerifiedMember,
    footer: Arc<Footer>,
    limits: Limits,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    unpacker: Decompressor<'static>,
    /// Rows that the decoder puts into a batch.
    rows: u64,
    /// Bytes of pages that were unpacked for the batch so far.
    bytes: u64,
    /// The batch would become too large. With fewer rows it would not.
    is_full: bool,
}

/// What the header of a page says.
#[derive(Default)]
struct Header {
    length: usize,
    kind: i64,
    plain: i64,
    packed: i64,
    values: i64,
    encoding: i64,
    /// Bytes before the values, which are not packed.
    levels: i64,
    is_plain: bool,
    /// The fields that say more about a kind of page; one of them, that of its kind.
    told_by: u16,
}

impl Pages {
    pub fn new(member: VerifiedMember, footer: Arc<Footer>, limits: Limits) -> Self {
        Self { member, footer, limits, state: Arc::default() }
    }

    pub fn member(&self) -> &VerifiedMember {
        &self.member
    }

    /// A batch of so many rows comes next.
    pub fn begin(&self, rows: usize) {
        let mut state = self.state();
        (state.rows, state.bytes, state.is_full) = (rows as u64, 0, false);
    }

    /// Whether a batch of fewer rows would have been read.
    pub fn is_full(&self) -> bool {
        self.state().is_full
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn page(&self, start: u64, length: usize) -> Result<Bytes, Damage> {
        let chunks = &self.footer.chunks;
        let before = chunks.partition_point(|chunk| chunk.place.start <= start);
        let chunk = before.checked_sub(1).and_then(|at| chunks.get(at));
        let chunk =
            chunk.filter(|chunk| start < chunk.place.end).ok_or_else(|| self.refused("a page has no column"))?;
        let bytes = self.member.bytes(start, length)?;
        let header = Header::read(&bytes).ok_or_else(|| self.refused("the header of a page is not one"))?;
        let rows = self.footer.rows_at(chunk, start);
        if rows != (header.kind != DICTIONARY_PAGE).then_some(header.values) {
            return Err(self.refused("a page has another number of rows than the page index says"));
        }
        self.limits.check(Limit::Page, &self.member.about().name, u64::try_from(header.plain).unwrap_or(u64::MAX))?;
        let mut state = self.state();
        let so_far = state.bytes.saturating_add(header.plain as u64);
        state.bytes = so_far;
        self.check_batch(&mut state, so_far)?;
        let page = self.unpacked(&mut state, chunk, &header, &bytes)?;
        let values = page.get(header.length..).unwrap_or_default();
        let most = self.largest_batch(&header, chunk, values, state.rows)?;
        self.check_batch(&mut state, most)?;
        Ok(page.into())
    }

    /// What a batch takes. One row may take twice the limit: a long value, and the others beside it.
    fn check_batch(&self, state: &mut State, bytes: u64) -> Result<(), Damage> {
        if bytes <= self.limits.page || (state.rows <= 1 && bytes / 2 <= self.limits.page) {
            return Ok(());
        }
        state.is_full = state.rows > 1;
        self.limits.check(Limit::Page, &self.member.about().name, bytes)
    }

    /// The header as it is, and behind it the page as it was before it was packed.
    fn unpacked(&self, state: &mut State, chunk: &Chunk, header: &Header, bytes: &[u8]) -> Result<Vec<u8>, Damage> {
        let wrong = || self.refused("a page has another size than its header says");
        let (plain, packed) = (header.plain as usize, usize::try_from(header.packed).map_err(|_| wrong())?);
        let levels = usize::try_from(header.levels).ok().filter(|levels| *levels <= plain).ok_or_else(wrong)?;
        let body = bytes.get(header.length..).filter(|body| body.len() == packed).ok_or_else(wrong)?;
        let mut page = Vec::with_capacity(header.length + plain);
        page.extend_from_slice(bytes.get(..header.length).unwrap_or_default());
        if !chunk.is_packed || header.is_plain {
            page.extend_from_slice(body);
        } else {
            let (before, values) = body.split_at_checked(levels).ok_or_else(wrong)?;
            page.extend_from_slice(before);
            if plain > levels {
                let end = page.len() as u64;
                let mut cursor = Cursor::new(page);
                cursor.set_position(end);
                state.unpacker.decompress_to_buffer(values, &mut cursor).map_err(|_| wrong())?;
                page = cursor.into_inner();
            }
        }
        if page.len() == header.length + plain { Ok(page) } else { Err(wrong()) }
    }

    /// How many bytes a batch can get out of this page. Some encodings say in few bytes what takes many.
    fn largest_batch(&self, header: &Header, chunk: &Chunk, page: &[u8], rows: u64) -> Result<u64, Damage> {
        let lie = || self.refused("a page claims more values than it has");
        let values = u64::try_from(header.values).map_err(|_| lie())?;
        if header.kind == DICTIONARY_PAGE {
            if values > page.len() as u64 {
                return Err(lie());
            }
            let longest = if chunk.is_text { longest(page) } else { 0 };
            return Ok(longest.saturating_mul(rows).saturating_mul(DICTIONARIES));
        }
        if !matches!(header.encoding, DELTA_LENGTHS | DELTA_TEXTS) {
            return Ok(0);
        }
        let levels = match header.kind {
            DATA_PAGE_V2 => header.levels as usize,
            _ if chunk.is_nullable => levels_before(page),
            _ => 0,
        };
        let mut rest = page.get(levels..).ok_or_else(lie)?;
        // Where no row has a value, not even their number is written.
        if rest.is_empty() {
            return Ok(0);
        }
        for _ in DELTA_LENGTHS..=header.encoding {
            rest = behind_numbers(rest, values).ok_or_else(lie)?;
        }
        // Each value can repeat the one before it, and so all of the page.
        let repeats = if header.encoding == DELTA_TEXTS { rows.min(values) } else { 0 };
        Ok((rest.len() as u64).saturating_mul(repeats))
    }

    fn refused(&self, reason: &str) -> Damage {
        self.member.undecodable(reason)
    }
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut header = Self::default();
        let length = walk(bytes, |inside, field, value| {
            header.told_by |= 1 << inside.clamp(0, 15);
            match (inside, field) {
                (0, 1) => header.kind = value,
                (0, 2) => header.plain = value,
                (0, 3) => header.packed = value,
                (5 | 7 | 8, 1) => header.values = value,
                (5, 2) | (8, 4) => header.encoding = value,
                (8, 5 | 6) => header.levels = header.levels.saturating_add(value.max(0)),
                (8, 7) => header.is_plain = value == 0,
                _ => {}
            }
        })?;
        // Two descriptions would be read by us and by the decoder, each in its way.
        let teller = match header.kind {
            DATA_PAGE => 5,
            DICTIONARY_PAGE => 7,
            DATA_PAGE_V2 => 8,
            _ => return None,
        };
        let is_told_once = header.told_by & (1 << 5 | 1 << 6 | 1 << 7 | 1 << 8) == 1 << teller;
        is_told_once.then_some(Self { length, ..header })
    }
}

/// The longest of the texts in a dictionary, each with its length before it.
fn longest(mut page: &[u8]) -> u64 {
    let mut longest = 0;
    while let Some((length, rest)) = page.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length);
        longest = longest.max(u64::from(length));
        page = rest.get(length as usize..).unwrap_or_default();
    }
    longest
}

/// How many bytes of an older page say which values are absent.
fn levels_before(page: &[u8]) -> usize {
    let length = page.first_chunk::<4>().map_or(0, |length| u32::from_le_bytes(*length));
    (length as usize).saturating_add(4)
}

/// What follows a run of delta-packed numbers that holds no more than `most`.
fn behind_numbers(bytes: &[u8], most: u64) -> Option<&[u8]> {
    let mut rest = bytes;
    let mut number = || -> Option<u64> {
        let (number, length) = varint(rest)?;
        rest = rest.get(length..)?;
        Some(number)
    };
    let (block, parts, count, _first) = (number()?, number()?, number()?, number()?);
    let in_part = block.checked_div(parts)?;
    if count > most || in_part == 0 {
        return None;
    }
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let (_least, length) = varint(rest)?;
        let (widths, mut behind) = rest.get(length..)?.split_at_checked(usize::try_from(parts).ok()?)?;
        for width in widths {
            if left == 0 {
                break;
            }
            let bytes = in_part.checked_mul(u64::from(*width))? / 8;
            behind = behind.get(usize::try_from(bytes).ok()?..)?;
            left = left.saturating_sub(in_part);
        }
        rest = behind;
    }
    Some(rest)
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.member.len()
    }
}

impl ChunkReader for Pages {
    type T = bytes::buf::Reader<Bytes>;

    /// Pages are found by the page index, never one after the other.
    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(self.get_bytes(start, 0)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        self.page(start, length).map_err(|damage| self.member.remember(damage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_of_a_dictionary_is_found() {
        let page =
            [&3_u32.to_le_bytes()[..], b"abc", &5_u32.to_le_bytes(), b"abcde", &1_u32.to_le_bytes(), b"a"].concat();
        assert_eq!(longest(&page), 5);
        assert_eq!(longest(&[0xff; 9]), u64::from(u32::MAX));
        assert_eq!(longest(&[]), 0);
    }

    #[test]
    fn a_run_of_numbers_ends_where_its_blocks_end() {
        // Blocks of 128 in 4 parts; 3 numbers, the first 0; least difference 0, widths 1, 9, 9, 9: four bytes of the first part.
        let run = [&[0x80, 1, 4, 3, 0, 0, 1, 9, 9, 9][..], &[3, 0, 0, 0], b"rest"].concat();
        assert_eq!(behind_numbers(&run, 3), Some(&b"rest"[..]));
        assert_eq!(behind_numbers(&run, 2), None, "it has more than it may");
        let one = [&[0x80, 1, 4, 1, 14][..], b"rest"].concat();
        assert_eq!(behind_numbers(&one, 1), Some(&b"rest"[..]), "one number is told before the blocks, and has none");
        assert_eq!(behind_numbers(&[0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 7, 0], 10), None);
        assert_eq!(behind_numbers(&[0x80, 1, 0, 1, 0], 10), None, "no parts");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_looked_at_without_harm(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            longest(&bytes);
            levels_before(&bytes);
            behind_numbers(&bytes, 1000);
            Header::read(&bytes);
        }
    }
}
