//! SHA-256 of a member, whole and block by block, on as many cores as there are.

use sha2::{Digest, Sha256};
use std::io::{self, Read};

const MIN_BLOCK: u64 = 64 << 10;
/// Blocks grow with the member, so that a manifest stays small whatever the bundle's size.
const MAX_BLOCKS: u64 = 4096;

/// What a file is read in. A whole piece is worth a thread.
const PIECE: usize = 1 << 20;

/// The block size for a member of that many bytes.
pub fn block_bytes(size: u64) -> u64 {
    let mut block = MIN_BLOCK;
    while size.div_ceil(block) > MAX_BLOCKS {
        block *= 2;
    }
    block
}

pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Sums of bytes that come in pieces.
pub struct Sums {
    whole: Sha256,
    blocks: Blocks,
    crc: crc32fast::Hasher,
}

impl Sums {
    pub fn new(block_bytes: u64) -> Self {
        let blocks = Blocks { sum: Sha256::new(), block_bytes, in_block: 0, done: Vec::new() };
        Self { whole: Sha256::new(), blocks, crc: crc32fast::Hasher::new() }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        let Self { whole, blocks, crc } = self;
        beside(
            bytes,
            || whole.update(bytes),
            || {
                blocks.update(bytes);
                crc.update(bytes);
            },
        );
    }

    /// CRC-32, SHA-256 of the whole, SHA-256 of each block.
    pub fn finish(mut self) -> (u32, String, Vec<String>) {
        self.blocks.close();
        (self.crc.finalize(), hex(&self.whole.finalize()), self.blocks.done)
    }
}

struct Blocks {
    sum: Sha256,
    block_bytes: u64,
    in_block: u64,
    done: Vec<String>,
}

impl Blocks {
    fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = usize::try_from(self.block_bytes - self.in_block).unwrap_or(usize::MAX).min(bytes.len());
            let (now, rest) = bytes.split_at(room);
            self.sum.update(now);
            self.in_block += room as u64;
            bytes = rest;
            if self.in_block == self.block_bytes {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        if self.in_block > 0 {
            self.done.push(hex(&self.sum.finalize_reset()));
            self.in_block = 0;
        }
    }
}

/// Reads so many bytes, piece by piece.
pub fn each_piece(input: &mut impl Read, length: u64, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = vec![0; PIECE];
    let mut left = length;
    while left > 0 {
        let room = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        let piece = buffer.get_mut(..room).unwrap_or_default();
        input.read_exact(piece)?;
        each(piece)?;
        left -= room as u64;
    }
    Ok(())
}

/// Does two things with a piece at the same time, if it is large enough to be worth a thread.
pub fn beside<T>(piece: &[u8], one: impl FnOnce() + Send, other: impl FnOnce() -> T) -> T {
    if piece.len() < PIECE {
        one();
        return other();
    }
    std::thread::scope(|scope| {
        scope.spawn(one);
        other()
    })
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_pieces() {
        let bytes: Vec<u8> = (0..PIECE * 2 + 12_345).map(|at| (at * at) as u8).collect();
        let block = MIN_BLOCK as usize;
        let expected = (crc32fast::hash(&bytes), sha256(&bytes), bytes.chunks(block).map(sha256).collect::<Vec<_>>());
        for piece in [1000, block, PIECE, bytes.len()] {
            let mut sums = Sums::new(MIN_BLOCK);
            bytes.chunks(piece).for_each(|piece| sums.update(piece));
            assert_eq!(sums.finish(), expected, "pieces of {piece}");
        }
    }
}
