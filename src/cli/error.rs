//! What a user is told when something cannot be done: the one place that decides kind and hints.

use super::opening::option;
use crate::analysis;
use crate::analysis::query;
use crate::bundle::{self, Damage, KeyError, KeyTrouble, WriteError};
use crate::collect;
use crate::model::{Candidate, Meaning, Trace};
use crate::query::sql;
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
    /// What may be meant instead.
    pub candidates: Vec<String>,
    pub hints: Vec<String>,
}

/// Works that are listed where many fit.
const LISTED: usize = 20;

const CHECK_NAME: &str = "check it for typos; a part of a name or id lists what has it";
const CHECK_MANIFEST: &str = "check kind, namespace and name; it may be deleted already";
const STANDALONE: &str = "it is a standalone resource: somebody other than Maestro made it";
const CHECK_CLUSTER: &str =
    "check if the work was deleted, and with dacapo inspect if the bundle holds the right cluster";

impl Failure {
    /// What was asked for is not there: names that are near, or what else to check.
    fn absent(what: String, because: Vec<String>, near: &[String], check: &str) -> Self {
        let hint = if near.is_empty() { check.to_owned() } else { format!("near it: {}", near.join(", ")) };
        Self { kind: Kind::Usage, what, because, candidates: Vec::new(), hints: vec![hint] }
    }

    fn new(kind: Kind, error: &dyn StdError, hints: Vec<String>) -> Self {
        let mut because = Vec::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            because.push(error.to_string());
            cause = error.source();
        }
        because.dedup();
        Self { kind, what: error.to_string(), because, candidates: Vec::new(), hints }
    }

    /// Works fit that cannot all be meant.
    pub fn unclear(trace: &Trace) -> Self {
        let meaning = trace.meanings.first();
        let fits = meaning.map_or(0, |meaning| meaning.works);
        let what = match trace.is_part {
            true => format!("No resource found with this ID/name: {:?}", trace.query),
            false => format!("Multiple resources found: {:?} fits {fits} works", trace.query),
        };
        let because = format!("it is taken for {}", meaning.map(Meaning::phrase).unwrap_or_default());
        let mut candidates: Vec<String> = trace.candidates.iter().take(LISTED).map(introduced).collect();
        if fits > candidates.len() {
            candidates.push(format!("and {} more", fits - candidates.len()));
        }
        let hints = vec!["name one of these works, or more of what is meant".to_owned()];
        Self { candidates, hints, ..Self::usage(what, because) }
    }

    pub fn no_such_query(name: &str) -> Self {
        let names: Vec<String> = sql::LIBRARY.iter().map(|query| query.short_name().to_owned()).collect();
        let near = analysis::near(name, names.iter());
        let because = vec!["the library has no such name".to_owned()];
        let list = "dacapo query --list lists them; SQL of your own goes behind --sql";
        Self::absent(format!("there is no statement {name:?}"), because, &near, list)
    }

    pub fn no_such_parameter(query: &str, key: &str, known: &[&str]) -> Self {
        let because = match known {
            [] => "it has none".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        Self::usage(format!("{query} has no parameter {key:?}"), because)
    }

    pub fn no_value(query: &str, parameter: &str, about: &str) -> Self {
        let hints = vec![format!("add {parameter}=VALUE: {about}")];
        Self {
            hints,
            ..Self::usage(format!("{query} needs {parameter}"), format!("{parameter} has no value of its own"))
        }
    }

    pub fn usage(what: String, because: String) -> Self {
        Self { kind: Kind::Usage, what, because: vec![because], candidates: Vec::new(), hints: Vec::new() }
    }

    pub fn output(error: std::io::Error) -> Self {
        let what = "cannot write the answer".to_owned();
        Self { kind: Kind::Environment, ..Self::usage(what, error.to_string()) }
    }
}

fn introduced(work: &Candidate) -> String {
    let name = work.work_name.as_deref().unwrap_or("(no name)");
    let consumer = work.consumer.as_deref().map(|consumer| format!(" on {consumer}")).unwrap_or_default();
    format!("{}  {name}{consumer}", work.resource_id)
}

impl From<bundle::Error> for Failure {
    fn from(error: bundle::Error) -> Self {
        let (kind, hint) = match &error {
            bundle::Error::Open { source, .. }
            | bundle::Error::Read { source, .. }
            | bundle::Error::Signer { source, .. } => damage(source),
            bundle::Error::Write { source, .. } => match source.as_ref() {
                WriteError::Folder(_) | WriteError::Io(_) => (Kind::Environment, "choose another place with -o"),
                WriteError::Encode(_) | WriteError::ReadBack(_) | WriteError::Sign(_) => (Kind::Internal, ""),
            },
        };
        let mut hints = if hint.is_empty() { Vec::new() } else { vec![hint.to_owned()] };
        hints.extend(raising(&error));
        Self::new(kind, &error, hints)
    }
}

/// A limit is there against lies; who knows that none is told can raise it.
fn raising(error: &bundle::Error) -> Option<String> {
    let (bundle::Error::Open { source, .. } | bundle::Error::Read { source, .. }) = error else { return None };
    let Damage::Beyond { limit, .. } = source.as_ref() else { return None };
    Some(format!("if you know who made it, {} raises the limit", option(*limit)))
}

fn damage(damage: &Damage) -> (Kind, &'static str) {
    match damage {
        Damage::Io(_) => (Kind::Environment, ""),
        Damage::NotABundle(_) => (Kind::Usage, "a bundle is made with: dacapo collect --from FOLDER -o x.dacapo"),
        Damage::NewerFormat { .. } => (Kind::Bundle, "use a newer dacapo"),
        Damage::Cut(_) => (Kind::Bundle, "copy the file again"),
        Damage::NoSuchTable(_) | Damage::Beyond { .. } => (Kind::Bundle, ""),
        Damage::Container(_) | Damage::StrayMember(_) | Damage::MissingMember(_) => {
            (Kind::Bundle, "ask for the file as dacapo wrote it; unpacking and packing it again breaks its seal")
        }
        Damage::Manifest(_) | Damage::Block { .. } | Damage::Sum { .. } | Damage::Decode { .. } => {
            (Kind::Bundle, "the copy is damaged or was edited; ask for the original")
        }
        Damage::Seal(_) | Damage::SealOfAnother => (Kind::Bundle, "do not trust it; ask for the original"),
        Damage::NotSealed => (Kind::Bundle, "ask whoever took it for one that is signed: dacapo collect --sign KEY"),
        Damage::OtherSigner { .. } => (Kind::Bundle, "do not trust it before you know whose key that is"),
        Damage::Encrypted { .. } => (Kind::Usage, "--identity FILE opens it, with the private key of a recipient"),
        Damage::Passphrase => (Kind::Usage, "decrypt it first: age --decrypt -o x.dacapo FILE"),
        Damage::OtherIdentity { .. } => (Kind::Usage, "--identity FILE can be given several times"),
        Damage::Envelope(_) | Damage::EnvelopeCut | Damage::EnvelopeEnd => (Kind::Bundle, "copy the file again"),
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        let (kind, hint) = match &error.trouble {
            KeyTrouble::Io(_) => (Kind::Environment, ""),
            KeyTrouble::Public => (Kind::Usage, "name the file without .pub"),
            KeyTrouble::Private => (Kind::Usage, "name the file with .pub, and keep the private key to yourself"),
            KeyTrouble::CannotSign(_) => (Kind::Usage, "ssh-keygen -t ed25519 -f FILE makes a key that signs"),
            KeyTrouble::NoPassphrase => (Kind::Usage, "run it in a terminal, or use a key without a passphrase"),
            KeyTrouble::WrongPassphrase => (Kind::Usage, "try again"),
            KeyTrouble::NoSigner => {
                (Kind::Usage, "a line is: ssh-ed25519 AAAA… or, in allowed_signers, NAME ssh-ed25519 AAAA…")
            }
            KeyTrouble::NoKey | KeyTrouble::TooLarge | KeyTrouble::NoRecipient { .. } | KeyTrouble::Unreadable(_) => {
                (Kind::Usage, "docs/security.md tells which keys are read")
            }
        };
        let hints = (!hint.is_empty()).then(|| hint.to_owned());
        Self::new(kind, &error, hints.into_iter().collect())
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
                Self { because, ..Self::new(Kind::Usage, &error, hints) }
            }
            collect::Error::NothingAnswered { why, denied } => {
                let what = "nothing could be read".to_owned();
                let check = denied.then(|| "dacapo collect --check says which permissions are missing".to_owned());
                let hints = check.into_iter().collect();
                Self { kind: Kind::Environment, what, because: why, candidates: Vec::new(), hints }
            }
            collect::Error::Leaks { ref places, count } => {
                let more = count.saturating_sub(places.len() as u64);
                let more = (more > 0).then(|| format!("{more} more"));
                let because = places.iter().cloned().chain(more).map(|place| format!("there is {place}")).collect();
                let hints = vec!["look there; if it may go out, add --allow-leaks".to_owned()];
                Self { because, ..Self::new(Kind::Usage, &error, hints) }
            }
            collect::Error::PolicyKey { ref key, known, .. } => {
                let names: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
                let near = analysis::near(key, names.iter());
                Self::absent(error.to_string(), Vec::new(), &near, &format!("it may have {}", known.join(", ")))
            }
            collect::Error::Drop { ref name, ref known } => {
                let near = analysis::near(name, known.iter());
                let because = vec!["the bundle has no such table or column".to_owned()];
                Self::absent(error.to_string(), because, &near, "dacapo inspect lists the tables of a bundle")
            }
            collect::Error::Policy { ref because, .. } | collect::Error::PolicyPattern { ref because, .. } => {
                let hints = vec!["docs/security.md shows what a policy may have".to_owned()];
                Self { hints, ..Self::usage(error.to_string(), because.clone()) }
            }
            collect::Error::Kind { .. } => {
                let kinds: Vec<&str> = collect::policy::kinds().collect();
                Self::usage(error.to_string(), format!("they stand for {}", kinds.join(", ")))
            }
            collect::Error::Needed { .. } => {
                Self::usage(error.to_string(), "an answer could not be told from a lack of evidence".to_owned())
            }
            collect::Error::SameFile { .. } => {
                let hints = vec!["choose another place with -o".to_owned()];
                Self { hints, ..Self::usage(error.to_string(), "what is taken out cannot be put back".to_owned()) }
            }
            collect::Error::Random(_) | collect::Error::Key { .. } | collect::Error::Map { .. } => {
                Self::new(Kind::Environment, &error, Vec::new())
            }
            collect::Error::Stopped { live } => {
                let hint = "with --keep-partial, Ctrl-C writes what was read of running systems so far";
                Self::new(Kind::Environment, &error, live.then(|| hint.to_owned()).into_iter().collect())
            }
            collect::Error::Runtime(_) | collect::Error::Live { .. } => {
                Self::new(Kind::Environment, &error, Vec::new())
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
            store::Error::Load { .. } | store::Error::Unreadable(_) => Self::new(Kind::Bundle, &error, Vec::new()),
            other => Self::new(Kind::Internal, &other, Vec::new()),
        }
    }
}

const READING: &str = "select, with, from, values, describe, summarize, show and explain are answered";
const LESS: &str = "ask for less, or give more with --memory";

impl From<query::Error> for Failure {
    fn from(error: query::Error) -> Self {
        let what = error.to_string();
        let usage = |because: &str, hint: &str| Self {
            hints: vec![hint.to_owned()],
            ..Self::usage(what.clone(), because.to_owned())
        };
        match error {
            query::Error::NotReading => usage("evidence stays as it is", READING),
            query::Error::Several { .. } => usage("one statement has one answer", "ask them one after the other"),
            query::Error::Engine { refusal } => engine(what, &refusal),
            query::Error::Inside { causes } => {
                let because = causes.into_iter().skip(1).collect();
                Self { kind: Kind::Bundle, what, because, candidates: Vec::new(), hints: Vec::new() }
            }
            query::Error::Deadline { .. } => usage("it was still at work", "ask for less, or give more with --timeout"),
            query::Error::TooMuch { .. } => usage("an answer is held back at that", "take fewer or shorter columns"),
            query::Error::Died { how } => Self { kind: Kind::Environment, ..usage(&how, LESS) },
            query::Error::Start(_) => Self::new(Kind::Environment, &error, Vec::new()),
        }
    }
}

const LISTS: &str = "dacapo query BUNDLE --sql \"show tables\" lists tables, \"describe NAME\" columns; docs/sql.md tells what they mean";

/// What helps against what the database says in such words; the first that fits.
const REMEDIES: &[(&str, &str)] = &[
    ("Out of Memory", LESS),
    ("disabled", "a statement can read the bundle and nothing else"),
    ("locked", "a statement can read the bundle and nothing else"),
    ("must appear in the GROUP BY", "group by all groups by every column that is not an aggregate"),
    ("Cannot extract field", "JSON is text and is taken apart with ->>, as in payload->>'$.metadata.name'"),
    ("Could not convert string", "a text that is not always a number or a time is read with try_cast(… as …)"),
    ("Ambiguous reference", "say whose column it is: works.resource_id"),
];

/// The database's own words: the first line says what is wrong, the others where.
fn engine(what: String, refusal: &query::Refusal) -> Failure {
    let mut lines = refusal.message.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned);
    let because = lines.next().unwrap_or_default();
    let remedy = REMEDIES.iter().find(|(words, _)| because.contains(words)).map(|(_, remedy)| *remedy);
    let no_column = because.contains("Referenced column");
    let near = (!refusal.near.is_empty()).then(|| format!("columns near it: {}", refusal.near.join(", ")));
    let quotes = (no_column && near.is_none()).then(|| "a text stands in single quotes: 'cluster1'".to_owned());
    let mut hints: Vec<String> = near.or(quotes).or_else(|| remedy.map(str::to_owned)).into_iter().collect();
    if remedy.is_none() {
        hints.push(LISTS.to_owned());
    }
    // What the engine proposes then, a statement cannot do here.
    let place = if remedy == Some(LESS) { Vec::new() } else { lines.collect() };
    Failure { candidates: place, hints, ..Failure::usage(what, because) }
}

impl From<analysis::Error> for Failure {
    fn from(error: analysis::Error) -> Self {
        let what = error.to_string();
        match error {
            analysis::Error::Bundle(error) => error.into(),
            analysis::Error::Store(error) => error.into(),
            analysis::Error::NoIdentifier { because, .. } => Self {
                hints: vec!["dacapo trace --help lists what an identifier can be".to_owned()],
                ..Self::usage(what, because.to_owned())
            },
            analysis::Error::Untold { flag } => Self {
                hints: vec![format!("give {flag}, or a bundle to try all that it knows")],
                ..Self::usage(what, format!("{flag} is missing"))
            },
            analysis::Error::TooMany { most, .. } => Self {
                hints: vec!["give --source and --consumer".to_owned()],
                ..Self::usage(what, format!("at most {most} are tried"))
            },
            analysis::Error::NotFound { because, near, .. } => Self::absent(what, because, &near, CHECK_NAME),
            analysis::Error::ManifestNotFound { because, near, .. } => {
                Self::absent(what, because, &near, CHECK_MANIFEST)
            }
            analysis::Error::NotManaged { because, .. } => Self::absent(what, because, &[], STANDALONE),
            analysis::Error::NotApplied { because, .. } => Self::absent(what, because, &[], CHECK_CLUSTER),
            analysis::Error::NoSuchRequest { there_are, .. } => {
                Self::usage(what, format!("its requests are: {}", there_are.join(", ")))
            }
            analysis::Error::NoSuchRule { near, .. } => {
                Self::absent(what, Vec::new(), &near, "dacapo explain lists them all")
            }
            analysis::Error::Rule { because, .. } => Self {
                hints: vec!["docs/diagnose.md tells what a rule must have".to_owned()],
                ..Self::usage(what, because)
            },
            analysis::Error::NoSuchRow { because, .. } => Self::usage(what, because),
        }
    }
}
