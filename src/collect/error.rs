//! What stops a collection. A file that cannot be read does not: it becomes a row of `collection`.

use crate::bundle;
use std::path::PathBuf;
use thiserror::Error;

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
    #[error("the collection was stopped, and nothing was written")]
    Stopped { live: bool },
    #[error("the bundle is not written: it would hold what must not go out")]
    Leaks { places: Vec<String>, count: u64 },
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
