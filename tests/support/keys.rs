//! Keys for tests: made here, each from a number, so that signatures are the same every time.

use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};

pub fn private(seed: u8) -> PrivateKey {
    PrivateKey::from(Ed25519Keypair::from_seed(&[seed; 32]))
}

/// As it stands in the file of a key.
pub fn private_text(seed: u8) -> String {
    private(seed).to_openssh(LineEnding::LF).unwrap().to_string()
}

/// As it stands in a `.pub` file.
pub fn public_text(seed: u8) -> String {
    private(seed).public_key().to_openssh().unwrap()
}

pub fn fingerprint(seed: u8) -> String {
    private(seed).fingerprint(HashAlg::Sha256).to_string()
}

/// The signature of a manifest, for bundles or for something else.
pub fn signature(seed: u8, namespace: &str, manifest: &[u8]) -> Vec<u8> {
    let signature = private(seed).sign(namespace, HashAlg::Sha512, manifest).unwrap();
    signature.to_pem(LineEnding::LF).unwrap().into_bytes()
}
