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
    /// The signature, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// A signature that is one of the bundle's manifest.
#[derive(Debug, Serialize)]
pub struct Seal {
    /// Of the key that made it, as `ssh-keygen -l` prints it.
    pub fingerprint: String,
    /// As it stands in a `.pub` file.
    pub key: String,
    /// It is one of the keys that the answer was asked with. Otherwise the signature proves nothing yet.
    pub compared: bool,
}

impl Seal {
    /// What the signature proves.
    pub fn meaning(&self) -> &'static str {
        if self.compared {
            "this is a key that it was compared with"
        } else {
            "this proves nothing until somebody compares the key: dacapo verify --signer KEY"
        }
    }
}
