//! Text in other encodings: exports of Windows programs come in UTF-16, others begin with a byte order mark.

use super::peeked::Peeked;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::io::{BufRead, BufReader};

const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Enough of a file to tell text with a zero in every other byte from anything else.
const SAMPLE: usize = 4096;

/// The same text in UTF-8 without a mark, and what it was in if it was not that already.
pub fn to_utf8(mut data: Peeked<'_>) -> (Peeked<'_>, Option<&'static str>) {
    if data.head().starts_with(UTF_8_MARK) {
        data.consume(UTF_8_MARK.len());
        return (Peeked::new(Box::new(data)), Some("UTF-8 with a byte order mark"));
    }
    let Some(encoding) = utf_16(data.head()) else { return (data, None) };
    let decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).strip_bom(true).build(data);
    (Peeked::new(Box::new(BufReader::new(decoder))), Some(encoding.name()))
}

/// By its mark; without one, by the zeros that ASCII has in UTF-16.
fn utf_16(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let sample = head.get(..SAMPLE).unwrap_or(head);
    let pairs = || sample.chunks_exact(2).filter_map(|pair| pair.first_chunk::<2>());
    let count = pairs().count();
    let ascii = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let little = pairs().filter(|[low, high]| *high == 0 && ascii(*low)).count();
    let big = pairs().filter(|[high, low]| *high == 0 && ascii(*low)).count();
    let mostly = |found: usize| count >= 8 && found * 10 >= count * 9;
    if mostly(little) {
        Some(UTF_16LE)
    } else if mostly(big) {
        Some(UTF_16BE)
    } else {
        None
    }
}
