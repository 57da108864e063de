//! What can go wrong with a bundle. Each message names its own step; the cause is the source.

use super::limits::Limit;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("cannot open bundle {}", path.display())]
    Open { path: PathBuf, source: Box<Damage> },
    #[error("cannot read bundle {}", path.display())]
    Read { path: PathBuf, source: Box<Damage> },
    #[error("cannot write bundle {}", path.display())]
    Write { path: PathBuf, source: Box<WriteError> },
    #[error("cannot trust bundle {}", path.display())]
    Signer { path: PathBuf, source: Box<Damage> },
}

/// What is wrong with the bytes of a bundle.
#[derive(Debug, Error)]
pub enum Damage {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is not a dacapo bundle: {0}")]
    NotABundle(String),
    #[error("it is cut short, or something was added to it: {0}")]
    Cut(String),
    #[error("its archive was changed or packed again: {0}")]
    Container(String),
    #[error("its manifest was changed: {0}")]
    Manifest(String),
    #[error("its format is {found}; this dacapo reads dacapo.bundle/{known} and older")]
    NewerFormat { found: String, known: u32 },
    #[error("the manifest names {} which the archive does not hold in that size", .0)]
    MissingMember(String),
    #[error("the archive holds {} which the manifest does not name", .0)]
    StrayMember(String),
    #[error("{member} was changed: block {block} has another SHA-256 than the manifest says")]
    Block { member: String, block: u64 },
    #[error("{member} was changed: it has another {what} than the manifest says")]
    Sum { member: String, what: &'static str },
    #[error("{member} cannot be decoded: {reason}")]
    Decode { member: String, reason: String },
    #[error("{part} claims {claimed} {}; more than {most} are not read", limit.unit())]
    Beyond { part: String, claimed: u64, most: u64, limit: Limit },
    #[error("there is no table {0} in it")]
    NoSuchTable(String),
    #[error("its signature was changed or made up: {0}")]
    Seal(String),
    #[error(
        "its signature is not one of its manifest: it was edited after it was signed, or the signature is that of another bundle"
    )]
    SealOfAnother,
    #[error("it is not signed")]
    NotSealed,
    #[error("it is signed by {found}, and not by {wanted}")]
    OtherSigner { found: String, wanted: String },
    #[error("it is encrypted to {to}")]
    Encrypted { to: String },
    #[error("it is encrypted with a passphrase, and not to recipients")]
    Passphrase,
    #[error("it is encrypted to {to}, and no identity that was given is one of them")]
    OtherIdentity { to: String },
    #[error("its ciphertext was changed: {0}")]
    Envelope(String),
    #[error("its ciphertext is cut short")]
    EnvelopeCut,
    #[error("the end of its ciphertext cannot be decrypted: it is cut short, or was changed")]
    EnvelopeEnd,
}

#[derive(Debug, Error)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("a table could not be encoded: {0}")]
    Encode(String),
    #[error("what was written does not read back")]
    ReadBack(#[source] Box<Error>),
    #[error("it cannot be signed: {0}")]
    Sign(String),
    #[error("the folder cannot be written to")]
    Folder(#[source] io::Error),
}
