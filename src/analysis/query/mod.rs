//! Answers statements that people write, from a process that can do nothing but read the bundle.

mod cage;
mod frame;
mod inside;
mod refusal;
mod sheet;
mod split;

pub use cage::ask;
pub use frame::Refusal;
pub use inside::answer;
pub use sheet::write as write_parquet;
pub use split::Statements;

use crate::bundle::Limits;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The command under which the program answers inside of the cage.
pub const COMMAND: &str = "caged";

/// A statement with values for its parameters.
#[derive(Debug)]
pub struct Question<'a> {
    /// What it is called, where it is canned.
    pub name: Option<&'a str>,
    pub sql: &'a str,
    pub parameters: BTreeMap<String, String>,
}

/// What answering may take.
#[derive(Debug)]
pub struct Allowed {
    /// This program: it is started again to answer.
    pub program: PathBuf,
    /// All that the process sees of the environment.
    pub environment: Vec<(OsString, OsString)>,
    pub time: Duration,
    pub memory: u64,
    pub rows: u64,
    pub bytes: u64,
    /// What the bundle may claim.
    pub limits: Limits,
}

pub type Result<T> = std::result::Result<T, Error>;

/// Why a statement has no answer.
#[derive(Debug, Error)]
pub enum Error {
    #[error("the statement would do more than read")]
    NotReading,
    #[error("there are {count} statements in one")]
    Several { count: usize },
    #[error("the database does not answer")]
    Engine { refusal: Refusal },
    #[error("{}", causes.first().map_or("the statement cannot be answered", String::as_str))]
    Inside { causes: Vec<String> },
    #[error("there was no answer within {} s", after.as_secs())]
    Deadline { after: Duration },
    #[error("one row is longer than {bytes} bytes")]
    TooMuch { bytes: u64 },
    #[error("the process that answers ended too early")]
    Died { how: String },
    #[error("cannot start a process that answers")]
    Start(#[source] std::io::Error),
}
