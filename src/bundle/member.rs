//! One member, read block by block: no byte leaves here before its block's SHA-256 was checked.

use super::error::Damage;
use super::source::Source;
use super::sums::sha256;
use bytes::{Buf, Bytes};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Checked bytes that are kept: pages of neighbouring columns often share a block.
const KEPT_BYTES: u64 = 16 << 20;

#[derive(Clone)]
pub struct VerifiedMember(Arc<Inner>);

struct Inner {
    source: Source,
    /// Where the member begins in the file.
    start: u64,
    about: super::manifest::Member,
    blocks: Mutex<VecDeque<(u64, Bytes)>>,
    /// The first damage met: parquet's errors are texts and would lose it.
    damage: Mutex<Option<Damage>>,
}

impl VerifiedMember {
    pub fn new(source: Source, start: u64, about: super::manifest::Member) -> Self {
        Self(Arc::new(Inner { source, start, about, blocks: Mutex::default(), damage: Mutex::default() }))
    }

    pub fn about(&self) -> &super::manifest::Member {
        &self.0.about
    }

    /// A sentence about this member.
    pub fn undecodable(&self, reason: &str) -> Damage {
        Damage::Decode { member: self.0.about.name.clone(), reason: reason.to_owned() }
    }

    /// Keeps damage for [`Self::take_damage`] and gives it the form of an error of Parquet.
    pub fn remember(&self, damage: Damage) -> ParquetError {
        let text = damage.to_string();
        *self.0.damage.lock().unwrap_or_else(PoisonError::into_inner) = Some(damage);
        ParquetError::General(text)
    }

    pub fn take_damage(&self) -> Option<Damage> {
        self.0.damage.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Bytes of the member, all of them from checked blocks.
    pub fn bytes(&self, start: u64, length: usize) -> Result<Bytes, Damage> {
        let end = start.checked_add(length as u64).filter(|end| *end <= self.0.about.bytes);
        let end = end.ok_or_else(|| self.undecodable("it points behind its end"))?;
        if length == 0 {
            return Ok(Bytes::new());
        }
        let size = self.0.about.block_bytes;
        let (first, last) = (start / size, (end - 1) / size);
        if first == last {
            let offset = (start - first * size) as usize;
            return Ok(self.0.block(first)?.slice(offset..offset + length));
        }
        let mut joined = Vec::with_capacity(length);
        for index in first..=last {
            let block = self.0.block(index)?;
            let from = start.saturating_sub(index * size) as usize;
            let to = ((end - index * size) as usize).min(block.len());
            joined.extend_from_slice(block.get(from..to).unwrap_or_default());
        }
        Ok(joined.into())
    }
}

impl Inner {
    fn block(&self, index: u64) -> Result<Bytes, Damage> {
        let mut kept = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, block)) = kept.iter().find(|(number, _)| *number == index) {
            return Ok(block.clone());
        }
        let start = index * self.about.block_bytes;
        let length = self.about.block_bytes.min(self.about.bytes.saturating_sub(start));
        let mut block = vec![0; length as usize];
        self.source.read_exact_at(&mut block, self.start + start)?;
        let expected = usize::try_from(index).ok().and_then(|index| self.about.blocks.get(index));
        if expected != Some(&sha256(&block)) {
            return Err(Damage::Block { member: self.about.name.clone(), block: index });
        }
        let block = Bytes::from(block);
        if (kept.len() as u64 + 1) * self.about.block_bytes > KEPT_BYTES {
            kept.pop_front();
        }
        kept.push_back((index, block.clone()));
        Ok(block)
    }
}

impl Length for VerifiedMember {
    fn len(&self) -> u64 {
        self.0.about.bytes
    }
}

impl ChunkReader for VerifiedMember {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        // Footers are asked for by their place and length; only the last few bytes are read this way.
        let length = self.0.about.bytes.saturating_sub(start).min(1 << 16);
        Ok(self.get_bytes(start, length as usize)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        self.bytes(start, length).map_err(|damage| self.remember(damage))
    }
}
