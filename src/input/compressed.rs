//! Compressed files, told by their first bytes.

use super::peeked::Peeked;
use flate2::bufread::MultiGzDecoder;
use liblzma::stream::{CONCATENATED, Stream};
use std::io::{self, Read};

/// A codec: its name, how its data begins, and its decoder.
pub struct Codec {
    pub name: &'static str,
    magic: &'static [u8],
    decoder: for<'r> fn(Peeked<'r>) -> io::Result<Box<dyn Read + 'r>>,
}

pub const CODECS: &[Codec] = &[
    Codec { name: "gzip", magic: b"\x1f\x8b\x08", decoder: |data| Ok(Box::new(MultiGzDecoder::new(data))) },
    Codec { name: "zstd", magic: b"\x28\xb5\x2f\xfd", decoder: zstd },
    Codec { name: "xz", magic: b"\xfd7zXZ\0", decoder: xz },
    Codec { name: "bzip2", magic: b"BZh", decoder: |data| Ok(Box::new(bzip2::bufread::MultiBzDecoder::new(data))) },
];

/// What decoding xz may take; `xz -9` asks for 65 MB.
const XZ_MEMORY: u64 = 256 << 20;

impl Codec {
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        let found = CODECS.iter().find(|codec| head.starts_with(codec.magic))?;
        // "BZh" could begin a word; a block of bzip2 begins with the digits of pi.
        let is_word = found.name == "bzip2" && head.get(4..10) != Some(b"\x31\x41\x59\x26\x53\x59");
        (!is_word).then_some(found)
    }

    pub fn decode<'r>(&self, data: Peeked<'r>) -> io::Result<Box<dyn Read + 'r>> {
        (self.decoder)(data)
    }
}

fn zstd<'r>(data: Peeked<'r>) -> io::Result<Box<dyn Read + 'r>> {
    Ok(Box::new(zstd::stream::read::Decoder::with_buffer(data)?))
}

fn xz<'r>(data: Peeked<'r>) -> io::Result<Box<dyn Read + 'r>> {
    let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED).map_err(io::Error::other)?;
    Ok(Box::new(liblzma::bufread::XzDecoder::new_stream(data, stream)))
}

/// A name without the ending that a compressed file has.
pub fn bare(name: &str) -> &str {
    let endings = [".gz", ".zst", ".xz", ".bz2"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}
