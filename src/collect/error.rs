//! What stops a collection. A file that cannot be read does not: it becomes a row of `collection`.

use crate::bundle;
use std::path::PathBuf;
use thiserror::Error;

pub type RandomError = getrandom::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("cannot collect from {}", path.display())]
    Input { path: PathBuf, source: std::io::Error },
    #[error("there is no evidence in {}", paths.join(", "))]
    NothingRecognised { paths: Vec<String>, looked_at: usize },
    #[error("the pattern {pattern:?} cannot be read")]
    Pattern { pattern: String, source: globset::Error },
    #[error("cannot start to read running systems")]
    Runtime(#[source] std::io::Error),
    #[error("cannot {step}")]
    Live { step: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("nothing could be read")]
    NothingAnswered { why: Vec<String>, denied: bool },
    #[error("it was stopped, and nothing was written")]
    Stopped { live: bool },
    #[error("the bundle is not written: it would hold what must not go out")]
    Leaks { places: Vec<String>, count: u64 },
    #[error("there is no randomness for a key")]
    Random(#[source] RandomError),
    #[error("cannot use the key {}", path.display())]
    Key { path: PathBuf, source: std::io::Error },
    #[error("cannot write the map {}", path.display())]
    Map { path: PathBuf, source: std::io::Error },
    #[error("cannot use the policy {}", path.display())]
    Policy { path: PathBuf, because: String },
    #[error("the policy {} has a key {key:?}, which means nothing", path.display())]
    PolicyKey { path: PathBuf, key: String, known: &'static [&'static str] },
    #[error("the pattern {pattern:?} of the policy cannot be used")]
    PolicyPattern { pattern: String, because: String },
    #[error("pseudonyms cannot stand for {name:?}")]
    Kind { name: String },
    #[error("there is no {name:?} to leave out")]
    Drop { name: String, known: Vec<String> },
    #[error("{name} cannot be left out: no row can be without it")]
    Needed { name: String },
    #[error("{} is read and cannot be written over", path.display())]
    SameFile { path: PathBuf },
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
