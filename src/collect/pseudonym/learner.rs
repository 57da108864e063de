//! Learns from a whole bundle what the names in it are, so that each can be replaced wherever it stands.

use super::kind::{Kinds, Sort};
use super::shapes;
use super::spoken;
use super::vocabulary::{is_common, is_public};
use super::words::Words;
use crate::schema::{Cell, Class, LogLine, ManifestPath, Names, Record, Row, is_declared};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A shorter word is a part of too many others, and a longer one is no name.
const SHORTEST: usize = 3;
const LONGEST: usize = 512;

/// Hexadecimal digits of a hub hash; its pseudonym has as many.
const HASH: usize = 64;

/// Components whose pods have names that begin like this: nothing to hide, and much to read.
const COMPONENTS: &[&str] = &["maestro-agent-", "maestro-server-", "maestro-"];

/// Ends of names of files that say only what is inside.
const ENDS: &[&str] = &[
    "log", "json", "jsonl", "csv", "yaml", "yml", "txt", "sql", "gz", "tgz", "tar", "zst", "zip", "bz2", "xz", "dump",
    "current", "previous", "out",
];

/// What is known of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub word: String,
    pub sort: Sort,
}

pub struct Learner<'k> {
    kinds: &'k Kinds,
    stays: &'k HashSet<String>,
    names: BTreeMap<String, Sort>,
    /// Names that are words of everybody's: they cannot be hidden without hiding what happened.
    common: BTreeSet<String>,
}

/// What was learnt.
pub struct Learnt {
    pub names: Vec<Name>,
    /// All names, for columns that hold paths.
    pub in_files: Words,
    /// Names for all other texts: a part of a path may be a word of any sentence.
    pub everywhere: Words,
    pub common: BTreeSet<String>,
}

impl<'k> Learner<'k> {
    pub fn new(kinds: &'k Kinds, stays: &'k HashSet<String>) -> Self {
        Self { kinds, stays, names: BTreeMap::new(), common: BTreeSet::new() }
    }

    pub fn row(&mut self, row: &impl Row) {
        if self.kinds.is_empty() {
            return;
        }
        let table = row.table();
        // What else a log line says is in its text.
        let parts_of_text = |column: &str| {
            table.name == LogLine::TABLE.name
                && matches!(column, "message" | "error" | "reason")
                && is_declared(table.name, column)
        };
        row.cells(|place, cell| {
            let (Some(column), Cell::Text(text)) = (table.columns.get(place), cell) else { return };
            match column.class {
                Class::Identifier(names) => self.identifier(names, text),
                Class::FreeText | Class::Manifest if !parts_of_text(column.name) => self.text(text),
                _ => {}
            }
        });
    }

    pub fn identifier(&mut self, names: Names, text: &str) {
        match names {
            Names::AppliedWorks => text.split(' ').for_each(|applied| self.learn(Sort::Work, applied)),
            Names::Manifests => text.split(' ').filter_map(ManifestPath::parse).for_each(|path| {
                self.learn(Sort::Object, path.name);
                self.learn(Sort::Namespace, path.namespace.unwrap_or_default());
            }),
            Names::Labels => {
                for (_, value) in text.split(' ').filter_map(|label| label.split_once('=')) {
                    spoken::parts(Sort::Label, value, &mut |sort, part| self.learn(sort, part));
                }
            }
            Names::File => text.split('/').for_each(|part| self.file(part)),
            // The instance of a server is called after its pod.
            Names::Pod => {
                let pod = text.strip_prefix("maestro-").filter(|pod| pod.starts_with("maestro-")).unwrap_or(text);
                self.learn(Sort::Pod, pod);
            }
            Names::Other => self.text(text),
            Names::Word => {}
            Names::Consumer
            | Names::Work
            | Names::Source
            | Names::Cluster
            | Names::Namespace
            | Names::Object
            | Names::Id => {
                if let Some(sort) = Sort::of(names) {
                    self.learn(sort, text);
                }
            }
        }
    }

    pub fn text(&mut self, text: &str) {
        if self.kinds.has(Sort::Object.kind()) || self.kinds.has(Sort::Id.kind()) || self.kinds.has(Sort::Host.kind()) {
            spoken::names(text, |sort, name| self.learn(sort, name));
        }
        if self.kinds.has(Sort::Host.kind()) {
            spoken::hosts(text, |host| self.learn(Sort::Host, host));
        }
    }

    /// A part of a path, without what says only what is inside.
    fn file(&mut self, part: &str) {
        let mut name = part;
        while let Some((before, _)) = name.rsplit_once('.').filter(|(_, end)| ENDS.contains(end)) {
            name = before;
        }
        self.learn(Sort::Path, name);
    }

    fn learn(&mut self, sort: Sort, word: &str) {
        let word = word.trim_matches(|character: char| !character.is_ascii_alphanumeric());
        if !self.kinds.has(sort.kind()) || !is_name(word) || !sort.fits(word) || self.stays.contains(word) {
            return;
        }
        if let Some((hash, work)) = applied_work(word) {
            self.learn(Sort::Id, hash);
            return self.learn(Sort::Work, work);
        }
        let word = word.to_lowercase();
        if is_common(&word) || is_public(&word) {
            if sort != Sort::Path && sort != Sort::Label {
                self.common.insert(word);
            }
            return;
        }
        let known = self.names.entry(word).or_insert(sort);
        *known = sort.min(*known);
    }

    pub fn learnt(self) -> Learnt {
        let names: Vec<Name> = self.names.into_iter().map(|(word, sort)| Name { word, sort }).collect();
        let numbered = || names.iter().zip(0..);
        let words = |(name, number): (&'_ Name, usize)| (name.word.as_str().to_owned(), number);
        let all: Vec<(String, usize)> = numbered().map(words).collect();
        let some: Vec<(String, usize)> = numbered().filter(|(name, _)| name.sort != Sort::Path).map(words).collect();
        let made = |words: &[(String, usize)]| Words::new(words.iter().map(|(word, number)| (word.as_str(), *number)));
        Learnt { in_files: made(&all), everywhere: made(&some), names, common: self.common }
    }
}

impl Name {
    /// The component that a pod belongs to, and what is behind it.
    pub fn component(&self) -> (&str, &str) {
        let component = COMPONENTS.iter().find(|component| self.sort == Sort::Pod && self.word.starts_with(*component));
        self.word.split_at(component.map_or(0, |component| component.len()))
    }

    pub fn is_hash(&self) -> bool {
        self.sort == Sort::Id && self.word.len() >= 32 && self.word.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// The name of an AppliedManifestWork is `<hub hash>-<id or name of the work>`: each part has a pseudonym of its own.
fn applied_work(name: &str) -> Option<(&str, &str)> {
    let hash = name.get(..HASH).filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((hash, name.get(HASH..)?.strip_prefix('-')?))
}

/// Could replacing the word everywhere hide more than the name? Numbers, ids and addresses are no words.
fn is_name(word: &str) -> bool {
    let whole_shape =
        || shapes::find(word, |_| true).first().is_some_and(|(start, end, _)| (*start, *end) == (0, word.len()));
    (SHORTEST..=LONGEST).contains(&word.len())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !word.contains(['‹', '›', '\n', '"', '\\'])
        && crate::schema::Time::parse(word).is_none()
        && !whole_shape()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(names: Names, text: &str) -> Vec<String> {
        let (kinds, stays) = (Kinds::parse("all").unwrap(), HashSet::from(["kept-1".to_owned()]));
        let mut learner = Learner::new(&kinds, &stays);
        learner.identifier(names, text);
        learner.learnt().names.iter().map(|name| format!("{} {}", name.sort.prefix(), name.word)).collect()
    }

    #[test]
    fn identifiers_are_names_by_what_they_identify() {
        let hash = "ab".repeat(32);
        for (names, text, expected) in [
            (Names::Work, "Shop", vec!["work shop".to_owned()]),
            (Names::Work, "0b14ee1e-1543-5748-bba9-abb351ceff99", vec![]),
            (Names::Id, "3MATdZJ3VTHv", vec!["id 3matdzj3vthv".to_owned()]),
            (Names::Namespace, "kube-system", vec![]),
            (Names::Namespace, "kept-1", vec![]),
            (Names::Consumer, "12", vec![]),
            (Names::Pod, "maestro-maestro-7d9c-x", vec!["pod maestro-7d9c-x".to_owned()]),
            (Names::AppliedWorks, &format!("{hash}-shop"), vec![format!("id {hash}"), "work shop".to_owned()]),
            (Names::Manifests, "Deployment.apps/n-1/shop", vec!["namespace n-1".to_owned(), "object shop".to_owned()]),
            (Names::Labels, "a=true b=x-1 c=/subscriptions/y-1", vec!["label x-1".to_owned(), "label y-1".to_owned()]),
            (Names::File, "night-7/logs/pod-1.log.gz", vec!["path night-7".to_owned(), "path pod-1".to_owned()]),
            (Names::Word, "Widget", vec![]),
        ] {
            let mut expected = expected;
            expected.sort_by_key(|name| name.split(' ').next_back().map(str::to_owned));
            assert_eq!(learnt(names, text), expected, "{text}");
        }
    }
}
