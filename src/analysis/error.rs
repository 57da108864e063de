//! Why there is no answer.

use crate::{bundle, store};
use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("nothing in the bundle is called {asked:?}")]
    NotFound { asked: String, searched: String, near: Vec<String> },
    #[error("the work {work} has no such request")]
    NoSuchRequest { work: String, there_are: Vec<String> },
    #[error("{reference:?} does not name a row of the bundle")]
    NoSuchRow { reference: String, because: String },
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Bundle(#[from] bundle::Error),
}
