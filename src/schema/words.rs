//! How the columns that lead to a work spell manifests and labels: several words with spaces between them.
//!
//! A manifest is `Kind.group/namespace/name`, without group in the core group and without namespace in none. A
//! label is `key=value`. What cannot be such a word is not there: no object of that name can exist.

use super::Text;
use std::borrow::Cow;

/// How the id of an Azure resource begins. Azure does not tell upper case from lower.
const ARM: &str = "/subscriptions/";

/// A manifest's place in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ManifestPath<'a> {
    /// The kind as manifests have it, or the plural as an agent lists it.
    pub kind: &'a str,
    pub group: Option<&'a str>,
    pub namespace: Option<&'a str>,
    pub name: &'a str,
}

impl<'a> ManifestPath<'a> {
    /// Reads a word of a column.
    pub fn parse(word: &'a str) -> Option<Self> {
        let (kind, place) = word.split_once('/')?;
        let (kind, group) = kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
        let (namespace, name) = place.split_once('/').map_or((None, place), |(space, name)| (Some(space), name));
        Some(Self { kind, group, namespace, name })
    }

    /// The word, where it can be one.
    pub fn word(&self) -> Option<String> {
        let plain = |text: &str| is_word(text) && !text.contains('/');
        let group = self.group.filter(|group| !group.is_empty());
        let namespace = self.namespace.filter(|namespace| !namespace.is_empty());
        let parts = [Some(self.kind), group, namespace, Some(self.name)];
        let fits = parts.into_iter().flatten().all(plain) && !self.kind.contains('.');
        let dot = if group.is_some() { "." } else { "" };
        let slash = if namespace.is_some() { "/" } else { "" };
        fits.then(|| {
            let (group, namespace) = (group.unwrap_or_default(), namespace.unwrap_or_default());
            format!("{}{dot}{group}/{namespace}{slash}{}", self.kind, self.name)
        })
    }

    /// As people read it: `Deployment demo/web`.
    pub fn title(&self) -> String {
        let Self { kind, name, .. } = self;
        self.namespace.map_or_else(|| format!("{kind} {name}"), |namespace| format!("{kind} {namespace}/{name}"))
    }
}

/// A label as a word, where it can be one.
pub fn label_word(key: &str, value: &str) -> Option<String> {
    let fits = is_word(key) && !key.contains('=') && !value.contains(is_gap) && !value.contains('=');
    fits.then(|| format!("{key}={}", label_value(value)))
}

/// A label's value as it is looked up: an Azure id in lower case, anything else as it is.
pub fn label_value(value: &str) -> Text<'_> {
    if is_arm_id(value) { Cow::Owned(value.to_ascii_lowercase()) } else { Cow::Borrowed(value) }
}

pub fn is_arm_id(value: &str) -> bool {
    value.get(..ARM.len()).is_some_and(|start| start.eq_ignore_ascii_case(ARM))
}

/// The keys under which a column of manifests is found: each name as `/name`, each namespace as `namespace/`.
pub fn manifest_keys(words: &str) -> impl Iterator<Item = &str> {
    words.split(' ').flat_map(|word| {
        let end = word.rfind('/').unwrap_or_default();
        let start = word.find('/').map_or(end, |first| first + 1);
        [word.get(end..), word.get(start..=end).filter(|space| space.len() > 1)].into_iter().flatten()
    })
}

/// The keys under which a column of labels is found: each value as `=value`.
pub fn label_keys(words: &str) -> impl Iterator<Item = &str> {
    words.split(' ').filter_map(|word| word.get(word.find('=')?..))
}

/// What a kind in lower case may be in the plural, by the rules of English.
pub fn plurals(kind: &str) -> [String; 3] {
    let ies = kind.strip_suffix('y').map(|stem| format!("{stem}ies"));
    [format!("{kind}s"), format!("{kind}es"), ies.unwrap_or_default()]
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_gap)
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path<'a>(kind: &'a str, group: &'a str, namespace: Option<&'a str>, name: &'a str) -> ManifestPath<'a> {
        ManifestPath { kind, group: Some(group).filter(|group| !group.is_empty()), namespace, name }
    }

    #[test]
    fn a_manifest_is_a_word_and_a_word_is_a_manifest() {
        for (path, word) in [
            (path("Deployment", "apps", Some("demo"), "web"), "Deployment.apps/demo/web"),
            (path("ConfigMap", "", Some("demo"), "web"), "ConfigMap/demo/web"),
            (path("Namespace", "", None, "demo"), "Namespace/demo"),
            (path("widgets", "example.io", None, "a.b"), "widgets.example.io/a.b"),
        ] {
            assert_eq!(path.word().as_deref(), Some(word));
            assert_eq!(ManifestPath::parse(word), Some(path));
        }
        for odd in [path("Pod", "", None, "two words"), path("Pod", "", Some("a/b"), "c"), path("", "", None, "c")] {
            assert_eq!(odd.word(), None);
        }
    }

    #[test]
    fn manifests_are_found_by_name_and_namespace() {
        let keys: Vec<&str> = manifest_keys("Deployment.apps/demo/web Namespace/demo").collect();
        assert_eq!(keys, ["/web", "demo/", "/demo"]);
    }

    #[test]
    fn labels_are_found_by_value_and_azure_ids_in_any_case() {
        let arm = "/subscriptions/1A/resourceGroups/Night/providers/Microsoft.Example/clusters/C1";
        let word = label_word("example.io/arm", arm).unwrap();
        assert_eq!(label_keys(&word).collect::<Vec<_>>(), [format!("={}", arm.to_lowercase())]);
        assert_eq!(label_word("a/b", "C1").as_deref(), Some("a/b=C1"));
        assert_eq!(label_word("a", "").as_deref(), Some("a="));
        assert_eq!(label_word("a", "two words"), None);
        assert_eq!(label_word("", "a"), None);
    }
}
