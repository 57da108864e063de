//! Whether every byte of a bundle is as it was written.

use super::error::Result;
use crate::bundle::Reader;
use crate::model::{VERIFY_FORMAT, Verified};

pub fn verify(reader: &Reader) -> Result<Verified> {
    let whole = reader.verify()?;
    Ok(Verified {
        format: VERIFY_FORMAT,
        bundle: reader.path().display().to_string(),
        bytes: whole.bytes,
        members: reader.manifest().members.len(),
        sha256: whole.sha256,
    })
}
