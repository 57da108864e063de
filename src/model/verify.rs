//! The answer to "is this bundle whole": `dacapo.verify/1`.

use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.verify/1";

#[derive(Debug, Serialize)]
pub struct Verified {
    pub format: &'static str,
    pub bundle: String,
    pub bytes: u64,
    pub members: usize,
    /// Of the whole file, as `sha256sum` prints it.
    pub sha256: String,
}
