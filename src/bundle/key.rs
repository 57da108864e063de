//! Keys as people have them: files of OpenSSH and of age, and public keys as text.

use ssh_key::PrivateKey;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// What a key cannot be used for, and why.
#[derive(Debug, Error)]
#[error("cannot {purpose} {key}")]
pub struct KeyError {
    purpose: &'static str,
    /// What was given.
    key: String,
    #[source]
    pub trouble: KeyTrouble,
}

#[derive(Debug, Error)]
pub enum KeyTrouble {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is a public key, and the private key is needed")]
    Public,
    #[error("it is a private key, and the public key is needed")]
    Private,
    #[error("it holds no key")]
    NoKey,
    #[error("it is too large for a file with keys")]
    TooLarge,
    #[error("it is a key of the kind {0}, and only ssh-ed25519 keys sign")]
    CannotSign(String),
    #[error("it holds no ssh-ed25519 key that may sign bundles")]
    NoSigner,
    #[error("it is protected by a passphrase, and there is no terminal to ask for it")]
    NoPassphrase,
    #[error("the passphrase does not open it")]
    WrongPassphrase,
    #[error("{line:?} is no recipient: {reason}")]
    NoRecipient { line: String, reason: String },
    #[error("it cannot be read as a key: {0}")]
    Unreadable(String),
}

pub type Result<T> = std::result::Result<T, KeyTrouble>;

/// Asks for the passphrase of a key; `None` where there is nobody to ask.
pub type AskPassphrase<'a> = dyn Fn(&Path) -> Option<String> + 'a;

impl KeyError {
    pub fn new(purpose: &'static str, key: &str, trouble: KeyTrouble) -> Self {
        // A private key that was given in the wrong place is not repeated for everybody to see.
        let key = if is_private(key) { "the key that was given" } else { key };
        Self { purpose, key: key.to_owned(), trouble }
    }
}

/// Files with keys of many people have some hundred kilobytes.
const MAX_FILE: u64 = 1 << 20;

pub fn read_text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(KeyTrouble::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| KeyTrouble::NoKey)
}

/// Lines that say something.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

pub fn is_private(text: &str) -> bool {
    let text = text.trim_start();
    text.contains("PRIVATE KEY-----") || lines(text).any(|line| line.starts_with("AGE-SECRET-KEY-"))
}

/// Is it a public key itself, and no name of a file that holds some?
pub fn is_public(text: &str) -> bool {
    let kinds = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"];
    let ssh = kinds.iter().any(|kind| text.starts_with(kind)) && text.contains(' ');
    ssh || text.starts_with("age1")
}

/// A public key, or the text of a file with public keys.
pub fn public_text(given: &str) -> Result<String> {
    let text = match () {
        () if is_private(given) || is_public(given) => given.to_owned(),
        () => read_text(Path::new(given))?,
    };
    if is_private(&text) { Err(KeyTrouble::Private) } else { Ok(text) }
}

/// A private key of OpenSSH, opened with its passphrase where it has one.
pub fn private_ssh(path: &Path, text: &str, ask: &AskPassphrase<'_>) -> Result<PrivateKey> {
    let trimmed = text.trim();
    if lines(text).next().is_some_and(is_public) {
        return Err(KeyTrouble::Public);
    }
    if !is_private(text) {
        return Err(KeyTrouble::NoKey);
    }
    if !trimmed.starts_with("-----BEGIN OPENSSH PRIVATE KEY-----") {
        return Err(KeyTrouble::Unreadable("it is in an old format, and not in that of OpenSSH".to_owned()));
    }
    let unreadable = |error: ssh_key::Error| KeyTrouble::Unreadable(error.to_string());
    let key = PrivateKey::from_openssh(trimmed).map_err(unreadable)?;
    if !key.is_encrypted() {
        return Ok(key);
    }
    let passphrase = ask(path).ok_or(KeyTrouble::NoPassphrase)?;
    key.decrypt(passphrase).map_err(|_| KeyTrouble::WrongPassphrase)
}
