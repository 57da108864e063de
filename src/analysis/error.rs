//! Why there is no answer.

use crate::{bundle, store};
use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("{asked:?} is no identifier")]
    NoIdentifier { asked: String, because: &'static str },
    #[error("No resource found with this ID/name: {asked:?}")]
    NotFound { asked: String, because: Vec<String>, near: Vec<String> },
    #[error("Work not applied to cluster: {asked}")]
    NotApplied { asked: String, because: Vec<String> },
    #[error("Manifest {asked} not found")]
    ManifestNotFound { asked: String, because: Vec<String>, near: Vec<String> },
    #[error("Not managed by any ManifestWork: {asked}")]
    NotManaged { asked: String, because: Vec<String> },
    #[error("a resource id is made of source, consumer and work name")]
    Untold { flag: &'static str },
    #[error("{combinations} combinations are too many")]
    TooMany { combinations: usize, most: usize },
    #[error("the work {work} has no such request")]
    NoSuchRequest { work: String, there_are: Vec<String> },
    #[error("{reference:?} does not name a row of the bundle")]
    NoSuchRow { reference: String, because: String },
    #[error("there is no rule {rule:?}")]
    NoSuchRule { rule: String, near: Vec<String> },
    #[error("{rule} cannot be a rule")]
    Rule { rule: String, because: String },
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
