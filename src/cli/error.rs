//! What a user is told when something cannot be done: the one place that decides kind and hints.

use crate::analysis;
use crate::bundle::{self, Damage, WriteError};
use crate::collect;
use crate::store;
use std::error::Error as StdError;

/// What sort of trouble it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be met as it was put.
    Usage,
    /// The bundle is damaged or not one.
    Bundle,
    /// Files, rights, space.
    Environment,
    /// A mistake of ours.
    Internal,
}

/// A failure, ready to be said.
#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    pub what: String,
    pub because: Vec<String>,
    pub hints: Vec<String>,
}

impl Failure {
    fn new(kind: Kind, error: &dyn StdError, hints: Vec<String>) -> Self {
        let mut because = Vec::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            because.push(error.to_string());
            cause = error.source();
        }
        because.dedup();
        Self { kind, what: error.to_string(), because, hints }
    }

    pub fn usage(what: String, because: String) -> Self {
        Self { kind: Kind::Usage, what, because: vec![because], hints: Vec::new() }
    }

    pub fn output(error: std::io::Error) -> Self {
        let because = vec![error.to_string()];
        Self { kind: Kind::Environment, what: "cannot write the answer".to_owned(), because, hints: Vec::new() }
    }
}

impl From<bundle::Error> for Failure {
    fn from(error: bundle::Error) -> Self {
        let (kind, hint) = match &error {
            bundle::Error::Open { source, .. } | bundle::Error::Read { source, .. } => damage(source),
            bundle::Error::Write { source, .. } => match source.as_ref() {
                WriteError::Folder(_) | WriteError::Io(_) => (Kind::Environment, "choose another place with -o"),
                WriteError::Encode(_) | WriteError::ReadBack(_) => (Kind::Internal, ""),
            },
        };
        let hints = if hint.is_empty() { Vec::new() } else { vec![hint.to_owned()] };
        Self::new(kind, &error, hints)
    }
}

fn damage(damage: &Damage) -> (Kind, &'static str) {
    match damage {
        Damage::Io(_) => (Kind::Environment, ""),
        Damage::NotABundle(_) => (Kind::Usage, "a bundle is made with: dacapo collect --from FOLDER -o x.dacapo"),
        Damage::NewerFormat { .. } => (Kind::Bundle, "use a newer dacapo"),
        Damage::Cut(_) => (Kind::Bundle, "copy the file again"),
        Damage::NoSuchTable(_) => (Kind::Bundle, ""),
        Damage::Container(_) | Damage::StrayMember(_) | Damage::MissingMember(_) => {
            (Kind::Bundle, "ask for the file as dacapo wrote it; unpacking and packing it again breaks its seal")
        }
        Damage::Manifest(_) | Damage::Block { .. } | Damage::Sum { .. } | Damage::Decode { .. } => {
            (Kind::Bundle, "the copy is damaged or was edited; ask for the original")
        }
    }
}

impl From<collect::Error> for Failure {
    fn from(error: collect::Error) -> Self {
        match error {
            collect::Error::Bundle(error) => error.into(),
            collect::Error::NothingRecognised { looked_at, .. } => {
                let because = vec![match looked_at {
                    0 => "there are no files in it".to_owned(),
                    count => format!("none of its {count} files is a database export, a Kubernetes list or a pod log"),
                }];
                let hints = vec!["docs/collecting.md tells which forms are read".to_owned()];
                Self { kind: Kind::Usage, what: error.to_string(), because, hints }
            }
            collect::Error::Input { .. } => Self::new(Kind::Environment, &error, Vec::new()),
            collect::Error::Pattern { .. } => Self::new(Kind::Usage, &error, Vec::new()),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Bundle(error) => error.into(),
            store::Error::Load { .. } => Self::new(Kind::Bundle, &error, Vec::new()),
            other => Self::new(Kind::Internal, &other, Vec::new()),
        }
    }
}

impl From<analysis::Error> for Failure {
    fn from(error: analysis::Error) -> Self {
        let what = error.to_string();
        match error {
            analysis::Error::Bundle(error) => error.into(),
            analysis::Error::Store(error) => error.into(),
            analysis::Error::NotFound { searched, near, .. } => {
                let because = vec![format!("it is not among {searched}")];
                let near = (!near.is_empty()).then(|| format!("near it: {}", near.join(", ")));
                let hints = near.into_iter().collect();
                Self { kind: Kind::Usage, what, because, hints }
            }
            analysis::Error::NoSuchRequest { there_are, .. } => {
                let because = vec![format!("its requests are: {}", there_are.join(", "))];
                Self { kind: Kind::Usage, what, because, hints: Vec::new() }
            }
            analysis::Error::NoSuchRow { because, .. } => Self::usage(what, because),
        }
    }
}
