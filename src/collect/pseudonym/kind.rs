//! What pseudonyms can stand for.

use crate::schema::Names;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Ids,
    Names,
    Hosts,
    Ips,
}

impl Kind {
    pub const ALL: &[Self] = &[Self::Ids, Self::Names, Self::Hosts, Self::Ips];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ids => "ids",
            Self::Names => "names",
            Self::Hosts => "hosts",
            Self::Ips => "ips",
        }
    }

    /// One of them, as lists of places have it.
    pub const fn singular(self) -> &'static str {
        match self {
            Self::Ids => "id",
            Self::Names => "name",
            Self::Hosts => "host",
            Self::Ips => "ip",
        }
    }
}

/// The kinds that somebody wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds(BTreeSet<Kind>);

impl Kinds {
    /// Reads `ids`, `names`, `hosts`, `ips` or `all`.
    pub fn parse(name: &str) -> Option<Self> {
        if name == "all" {
            return Some(Self(Kind::ALL.iter().copied().collect()));
        }
        let kind = Kind::ALL.iter().copied().find(|kind| kind.name() == name)?;
        // The id of a resource is a sum over names, a hub hash one over an address: whoever guesses a name could try it.
        let brings = matches!(kind, Kind::Names | Kind::Hosts).then_some(Kind::Ids);
        Some(Self([kind].into_iter().chain(brings).collect()))
    }

    pub fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|kind| kind.name().to_owned()).collect()
    }
}

/// What a word is the name of. Where it is the name of several things, the first of these says how its pseudonym begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Consumer,
    Work,
    Source,
    Cluster,
    Host,
    Namespace,
    Pod,
    Object,
    Label,
    Id,
    Path,
}

impl Sort {
    pub const fn kind(self) -> Kind {
        match self {
            Self::Id => Kind::Ids,
            Self::Host => Kind::Hosts,
            _ => Kind::Names,
        }
    }

    /// Names of objects are in small letters; what else stands under their keys is a word of the program.
    pub fn fits(self, word: &str) -> bool {
        !matches!(self, Self::Object | Self::Namespace | Self::Pod)
            || !word.bytes().any(|byte| byte.is_ascii_uppercase())
    }

    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Consumer => "consumer",
            Self::Work => "work",
            Self::Source => "source",
            Self::Cluster => "cluster",
            Self::Host => "host",
            Self::Namespace => "namespace",
            Self::Pod => "pod",
            Self::Object => "object",
            Self::Label => "label",
            Self::Id => "id",
            Self::Path => "path",
        }
    }

    /// What a column of such identifiers holds, where each is one word.
    pub const fn of(names: Names) -> Option<Self> {
        match names {
            Names::Consumer => Some(Self::Consumer),
            Names::Work => Some(Self::Work),
            Names::Source => Some(Self::Source),
            Names::Cluster => Some(Self::Cluster),
            Names::Namespace => Some(Self::Namespace),
            Names::Pod => Some(Self::Pod),
            Names::Object => Some(Self::Object),
            Names::Id => Some(Self::Id),
            Names::AppliedWorks | Names::Manifests | Names::Labels | Names::File | Names::Other | Names::Word => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hosts_bring_the_ids_that_are_made_of_them() {
        for (said, expected) in [
            ("ids", &["ids"][..]),
            ("ips", &["ips"]),
            ("names", &["ids", "names"]),
            ("hosts", &["ids", "hosts"]),
            ("all", &["ids", "names", "hosts", "ips"]),
        ] {
            assert_eq!(Kinds::parse(said).unwrap().names(), expected, "{said}");
        }
        assert_eq!(Kinds::parse("people"), None);
    }
}
