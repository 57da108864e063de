//! The library of statements: `dacapo.queries/1`.

use serde::Serialize;

/// The name of the JSON contract.
pub const FORMAT: &str = "dacapo.queries/1";

#[derive(Debug, Serialize)]
pub struct Catalogue {
    pub format: &'static str,
    pub queries: Vec<Canned>,
}

/// A statement that can be asked for by name.
#[derive(Debug, Serialize)]
pub struct Canned {
    pub name: String,
    pub title: String,
    /// What it is good for.
    pub answers: String,
    pub parameters: Vec<CannedParameter>,
}

#[derive(Debug, Serialize)]
pub struct CannedParameter {
    pub name: String,
    /// Without one, it has to be given.
    pub default: Option<String>,
    pub about: String,
}
