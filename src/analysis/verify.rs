//! Whether every byte of a bundle is as it was written.

use super::error::Result;
use crate::bundle::{Reader, SignedBy};
use crate::model::{Seal, VERIFY_FORMAT, Verified};

/// With `is_compared` the signer was held against keys that somebody trusts.
pub fn verify(reader: &Reader, is_compared: bool) -> Result<Verified> {
    let whole = reader.verify()?;
    Ok(Verified {
        format: VERIFY_FORMAT,
        bundle: reader.path().display().to_string(),
        bytes: whole.bytes,
        members: reader.manifest().members.len(),
        sha256: whole.sha256,
        seal: seal(reader, is_compared),
    })
}

/// Who signed the bundle.
pub fn seal(reader: &Reader, is_compared: bool) -> Option<Seal> {
    let SignedBy { fingerprint, key } = reader.signed_by()?.clone();
    Some(Seal { fingerprint, key, compared: is_compared })
}
