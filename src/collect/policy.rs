//! What a team has agreed on: a file that says what goes out of a bundle and what may stay (TOML).

use super::error::{Error, Result};
use super::pseudonym::{Kind, Kinds};
use super::redact::Extra;
use serde::Deserialize;
use std::path::Path;

/// What may stand in the file, and in each of its patterns.
pub const KEYS: &[&str] = &["secret-keys", "patterns", "keep", "drop", "canaries", "pseudonymise", "pseudonymize"];
pub const PATTERN_KEYS: &[&str] = &["kind", "pattern"];

/// What is to go out, and what may stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Policy {
    /// Ends of names whose values are secrets.
    pub secret_keys: Vec<String>,
    pub patterns: Vec<Pattern>,
    /// Texts that stay, secret or name.
    pub keep: Vec<String>,
    /// Tables, as `events`, and columns, as `log_lines.bytes`.
    pub drop: Vec<String>,
    /// Texts that must not be in the bundle.
    pub canaries: Vec<String>,
    #[serde(alias = "pseudonymize")]
    pseudonymise: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Pattern {
    pub kind: String,
    pub pattern: String,
}

impl Policy {
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |because: String| Error::Policy { path: path.to_owned(), because };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        // The parser's words have the place, on several lines, and the file's own.
        let table: toml::Table = toml::from_str(&text).map_err(|error| failed(flat(&error)))?;
        let unknown = |key: &str, known: &'static [&'static str]| Error::PolicyKey {
            path: path.to_owned(),
            key: key.to_owned(),
            known,
        };
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(unknown(key, KEYS));
        }
        let patterns = table.get("patterns").and_then(toml::Value::as_array).into_iter().flatten();
        let mut fields = patterns.filter_map(toml::Value::as_table).flat_map(toml::Table::keys);
        if let Some(key) = fields.find(|key| !PATTERN_KEYS.contains(&key.as_str())) {
            return Err(unknown(key, PATTERN_KEYS));
        }
        let policy: Self = table.try_into().map_err(|error: toml::de::Error| failed(flat(&error)))?;
        policy.kinds()?;
        policy.extra()?;
        Ok(policy)
    }

    /// What pseudonyms are to stand for.
    pub fn kinds(&self) -> Result<Kinds> {
        let mut kinds = Kinds::default();
        for name in &self.pseudonymise {
            kinds.join(Kinds::parse(name).ok_or_else(|| Error::Kind { name: name.clone() })?);
        }
        Ok(kinds)
    }

    pub fn extra(&self) -> Result<Extra> {
        let patterns: Vec<_> =
            self.patterns.iter().map(|pattern| (pattern.kind.clone(), pattern.pattern.clone())).collect();
        Extra::new(&self.secret_keys, &patterns, self.keep.iter().cloned())
            .map_err(|unreadable| Error::PolicyPattern { pattern: unreadable.pattern, because: unreadable.because })
    }

    /// Is the table, or the column of it, to be left out?
    pub fn drops(&self, table: &str, column: Option<&str>) -> bool {
        let is_named = |said: &String| match (said.split_once('.'), column) {
            (None, None) => said == table,
            (Some(said), Some(column)) => said == (table, column),
            _ => false,
        };
        self.drop.iter().any(is_named)
    }
}

/// Every name that a kind of pseudonym has.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    Kind::ALL.iter().map(|kind| kind.name()).chain(["all"])
}

fn flat(error: &toml::de::Error) -> String {
    error.message().lines().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Policy> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Policy::read(file.path())
    }

    #[test]
    fn a_policy_says_what_goes_and_what_stays() {
        let policy = read(
            r#"
            secret-keys = ["magic-word"]
            keep = ["cluster1"]
            drop = ["kube_events", "log_lines.bytes"]
            canaries = ["nightingale"]
            pseudonymise = ["names", "ips"]
            [[patterns]]
            kind = "badge"
            pattern = 'B-\d{6}'
            "#,
        )
        .unwrap();
        assert_eq!(policy.kinds().unwrap().names(), ["ids", "names", "ips"]);
        assert!(policy.drops("kube_events", None) && !policy.drops("kube_events", Some("message")));
        assert!(policy.drops("log_lines", Some("bytes")) && !policy.drops("log_lines", None));
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        assert!(matches!(read("secret_keys = []"), Err(Error::PolicyKey { key, .. }) if key == "secret_keys"));
        assert!(matches!(
            read("[[patterns]]\nkind = \"a\"\nregex = \"b\""),
            Err(Error::PolicyKey { key, .. }) if key == "regex"
        ));
        assert!(matches!(read("pseudonymise = [\"people\"]"), Err(Error::Kind { name }) if name == "people"));
        assert!(matches!(read("[[patterns]]\nkind = \"a\"\npattern = \"(\""), Err(Error::PolicyPattern { .. })));
        assert!(matches!(read("keep = 7"), Err(Error::Policy { .. })));
        assert!(matches!(read("keep = ["), Err(Error::Policy { .. })));
    }
}
