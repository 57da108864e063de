//! The seal: a signature over the manifest, which has the sums of everything else.
//!
//! It is one of OpenSSH (SSHSIG), so whoever has `ssh-keygen` can check it without dacapo.

use super::container::Entry;
use super::error::Damage;
use super::key::{self, AskPassphrase, KeyError, KeyTrouble};
use super::source::Source;
use ssh_key::{Algorithm, Fingerprint, HashAlg, LineEnding, PrivateKey, PublicKey, SshSig};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The member behind the manifest.
pub const SEAL: &str = "manifest.json.sig";

/// What the signature is for: one that the same key made for something else means nothing here.
const NAMESPACE: &str = "dacapo";

/// A signature has some 300 bytes.
const MAX_SEAL: u64 = 4096;

/// Who signs.
#[derive(Clone)]
pub struct Signer(Arc<PrivateKey>);

impl Signer {
    pub fn read(path: &Path, ask: &AskPassphrase<'_>) -> Result<Self, KeyError> {
        let read = || {
            let key = key::private_ssh(path, &key::read_text(path)?, ask)?;
            match key.algorithm() {
                Algorithm::Ed25519 => Ok(Self(Arc::new(key))),
                other => Err(KeyTrouble::CannotSign(other.to_string())),
            }
        };
        read().map_err(|trouble| KeyError::new("sign with", &path.display().to_string(), trouble))
    }

    pub fn fingerprint(&self) -> String {
        self.0.fingerprint(HashAlg::Sha256).to_string()
    }

    /// The same key and the same manifest give the same signature.
    pub fn sign(&self, manifest: &[u8]) -> Result<String, ssh_key::Error> {
        self.0.sign(NAMESPACE, HashAlg::Sha512, manifest)?.to_pem(LineEnding::LF)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.fingerprint())
    }
}

/// Who signed: whoever holds the private key of this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedBy {
    pub fingerprint: String,
    /// As it stands in a `.pub` file.
    pub key: String,
}

impl SignedBy {
    /// The seal of an archive, which must be one of its manifest.
    pub fn read(source: &Source, entries: &[Entry], manifest: &[u8]) -> Result<Option<Self>, Damage> {
        let Some(entry) = entries.iter().find(|entry| entry.name == SEAL) else { return Ok(None) };
        if entry.size > MAX_SEAL {
            return Err(Damage::Seal(format!("it has {} bytes, and none has more than {MAX_SEAL}", entry.size)));
        }
        let mut text = vec![0; entry.size as usize];
        source.read_exact_at(&mut text, entry.data())?;
        if crc32fast::hash(&text) != entry.crc {
            return Err(Damage::Seal("its checksum does not fit".to_owned()));
        }
        Self::of(&text, manifest).map(Some)
    }

    /// Who made this signature of this manifest.
    pub fn of(signature: &[u8], manifest: &[u8]) -> Result<Self, Damage> {
        let no_seal = |reason: &str| Damage::Seal(reason.to_owned());
        let seal = SshSig::from_pem(signature).map_err(|_| no_seal("it is no signature of OpenSSH"))?;
        match seal.to_pem(LineEnding::LF) {
            Ok(text) if text.as_bytes() == signature => {}
            _ => return Err(no_seal("it is not as dacapo writes it")),
        }
        if seal.algorithm() != Algorithm::Ed25519 {
            return Err(no_seal(&format!("it was made with a key of the kind {}, not ssh-ed25519", seal.algorithm())));
        }
        if seal.namespace() != NAMESPACE {
            return Err(no_seal(&format!("it was made for {:?}, not for a bundle", seal.namespace())));
        }
        let key = PublicKey::from(seal.public_key().clone());
        key.verify(NAMESPACE, manifest, &seal).map_err(|_| Damage::SealOfAnother)?;
        let line = key.to_openssh().map_err(|_| no_seal("its key cannot be written down"))?;
        Ok(Self { fingerprint: key.fingerprint(HashAlg::Sha256).to_string(), key: line })
    }
}

/// Who is expected to have signed: any of some keys.
#[derive(Clone, Debug)]
pub struct Signers {
    fingerprints: BTreeSet<String>,
}

impl Signers {
    /// Each is a fingerprint, a public key, or a file with public keys: `.pub`, authorized_keys or allowed_signers.
    pub fn read(given: &[String]) -> Result<Self, KeyError> {
        let mut fingerprints = BTreeSet::new();
        for given in given {
            let fail = |trouble| KeyError::new("compare the signer with", given, trouble);
            fingerprints.extend(fingerprints_of(given).map_err(fail)?);
        }
        Ok(Self { fingerprints })
    }

    /// Refuses what none of them signed.
    pub fn check(&self, signed_by: Option<&SignedBy>) -> Result<(), Damage> {
        let signed_by = signed_by.ok_or(Damage::NotSealed)?;
        if self.fingerprints.contains(&signed_by.fingerprint) {
            return Ok(());
        }
        let wanted = self.fingerprints.iter().cloned().collect::<Vec<_>>().join(", ");
        Err(Damage::OtherSigner { found: signed_by.fingerprint.clone(), wanted })
    }
}

fn fingerprints_of(given: &str) -> key::Result<BTreeSet<String>> {
    if given.starts_with("SHA256:") {
        let fingerprint: Fingerprint = given.parse().map_err(|_| KeyTrouble::NoKey)?;
        return Ok([fingerprint.to_string()].into());
    }
    let fingerprints: BTreeSet<String> = key::lines(&key::public_text(given)?).filter_map(signer).collect();
    if fingerprints.is_empty() { Err(KeyTrouble::NoSigner) } else { Ok(fingerprints) }
}

/// The key of a line, if it may sign bundles: `[names] [options] ssh-ed25519 AAAA… [comment]`. A key that signs other keys, one
/// that is only for a time (a signature has none) and one for something else are none.
fn signer(line: &str) -> Option<String> {
    let words = words(line);
    let at = words.iter().position(|word| word == Algorithm::Ed25519.as_str())?;
    let (before, key) = (words.get(..at)?, words.get(at + 1)?);
    let options = before.iter().flat_map(|word| word.split(',').zip(std::iter::repeat(word)));
    for (option, word) in options {
        let option = option.to_ascii_lowercase();
        let closes = ["cert-authority", "valid-after=", "valid-before="].iter().any(|no| option.starts_with(no));
        if closes || option.starts_with("namespaces=") && !is_for_bundles(word) {
            return None;
        }
    }
    let key = PublicKey::from_openssh(&format!("{} {key}", Algorithm::Ed25519.as_str())).ok()?;
    Some(key.fingerprint(HashAlg::Sha256).to_string())
}

/// `namespaces="file,dacapo"`, perhaps among other options.
fn is_for_bundles(options: &str) -> bool {
    let Some((_, rest)) = options.split_once("namespaces=") else { return false };
    let list = rest.trim_start_matches('"').split('"').next().unwrap_or_default();
    list.split(',').any(|namespace| namespace == NAMESPACE || namespace == "*")
}

/// Words between blanks; a quoted text is part of one word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        quoted ^= letter == '"';
        match words.last_mut() {
            Some(word) if quoted || !letter.is_whitespace() => word.push(letter),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
