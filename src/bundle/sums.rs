//! SHA-256 of a member, whole and block by block.

use sha2::{Digest, Sha256};

const MIN_BLOCK: u64 = 64 << 10;
/// Blocks grow with the member, so that a manifest stays small whatever the bundle's size.
const MAX_BLOCKS: u64 = 4096;

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
    block: Sha256,
    block_bytes: u64,
    in_block: u64,
    blocks: Vec<String>,
    crc: crc32fast::Hasher,
}

impl Sums {
    pub fn new(block_bytes: u64) -> Self {
        let (whole, block) = (Sha256::new(), Sha256::new());
        Self { whole, block, block_bytes, in_block: 0, blocks: Vec::new(), crc: crc32fast::Hasher::new() }
    }

    pub fn update(&mut self, mut bytes: &[u8]) {
        self.whole.update(bytes);
        self.crc.update(bytes);
        while !bytes.is_empty() {
            let room = usize::try_from(self.block_bytes - self.in_block).unwrap_or(usize::MAX).min(bytes.len());
            let (now, rest) = bytes.split_at(room);
            self.block.update(now);
            self.in_block += room as u64;
            bytes = rest;
            if self.in_block == self.block_bytes {
                self.close_block();
            }
        }
    }

    /// CRC-32, SHA-256 of the whole, SHA-256 of each block.
    pub fn finish(mut self) -> (u32, String, Vec<String>) {
        if self.in_block > 0 {
            self.close_block();
        }
        (self.crc.finalize(), hex(&self.whole.finalize()), self.blocks)
    }

    fn close_block(&mut self) {
        self.blocks.push(hex(&self.block.finalize_reset()));
        self.in_block = 0;
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
