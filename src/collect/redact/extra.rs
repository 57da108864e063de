//! What somebody adds to what is known of secrets: names, patterns, and texts that may stay.

use super::assignments;
use super::keys::{self, Telling};
use super::span::{Found, Kind};
use crate::schema::kept;
use regex::{Regex, RegexSet};
use std::collections::HashSet;

#[derive(Debug, Default)]
pub struct Extra {
    names: Vec<String>,
    patterns: Vec<(Kind, Regex)>,
    stays: HashSet<String>,
    /// Such a name before its value; none without names.
    pub head: Option<Regex>,
    /// What a text must have to be looked at for any of this.
    hint: Option<RegexSet>,
}

/// A pattern that is none, or whose kind is no word.
#[derive(Debug)]
pub struct Unreadable {
    pub pattern: String,
    pub because: String,
}

impl Extra {
    /// `patterns` have a kind each; where one has a group, the group is what goes.
    pub fn new(
        names: &[String],
        patterns: &[(String, String)],
        stays: impl IntoIterator<Item = String>,
    ) -> Result<Self, Unreadable> {
        let compiled = patterns.iter().map(|(kind, pattern)| {
            let unreadable = |because: String| Unreadable { pattern: pattern.clone(), because };
            let named = kind.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()) && !kind.is_empty();
            let compiled = Regex::new(pattern).map_err(|error| unreadable(error.to_string()))?;
            match named {
                true => Ok((Kind::Named(kept(kind)), compiled)),
                false => Err(unreadable(format!("its kind {kind:?} is not a word of small letters"))),
            }
        });
        let patterns = compiled.collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = names.iter().map(|name| letters(name)).filter(|name| !name.is_empty()).collect();
        let spelled = names.iter().map(|name| spelled(name)).collect::<Vec<_>>().join("|");
        let hints: Vec<String> = patterns.iter().map(|(_, pattern)| pattern.as_str().to_owned()).collect();
        let hints = hints.into_iter().chain((!names.is_empty()).then(|| format!("(?i){spelled}")));
        Ok(Self {
            head: (!names.is_empty()).then(|| assignments::head(&spelled)).flatten(),
            hint: RegexSet::new(hints).ok().filter(|set| !set.is_empty()),
            names,
            patterns,
            stays: stays.into_iter().collect(),
        })
    }

    /// What the value of this name is.
    pub fn tell(&self, name: &str) -> Option<Telling> {
        let ours = || self.names.iter().any(|end| keys::ends_with(name.as_bytes(), end.as_bytes()));
        keys::tell(name).or_else(|| ours().then_some(Telling { kind: Kind::Secret, strong: true }))
    }

    pub fn has_hint(&self, text: &str) -> bool {
        self.hint.as_ref().is_some_and(|hint| hint.is_match(text))
    }

    pub fn may_stay(&self, value: &str) -> bool {
        !self.stays.is_empty() && self.stays.contains(value)
    }

    pub fn find(&self, found: &mut Found<'_>) {
        let text = found.text;
        for (kind, pattern) in &self.patterns {
            for captures in pattern.captures_iter(text) {
                if let Some(place) = captures.get(1).or_else(|| captures.get(0)) {
                    found.add((place.start(), place.end()), *kind);
                }
            }
        }
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A name as a pattern, however its words are joined.
fn spelled(name: &str) -> String {
    name.chars().map(String::from).collect::<Vec<_>>().join("[-_.]?")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extra() -> Extra {
        let patterns = [("badge".to_owned(), r"\bB-(\d{6})\b".to_owned())];
        Extra::new(&["magic-word".to_owned()], &patterns, ["hunter2".to_owned()]).unwrap()
    }

    fn redacted(text: &str) -> Option<String> {
        let mut redactor = super::super::Redactor::with(extra(), crate::schema::TABLES.iter());
        redactor.text(text).map(|(text, _)| text)
    }

    #[test]
    fn names_and_patterns_of_a_team_are_taken_out() {
        for (text, expected) in [
            ("magicWord=abracadabra x", "magicWord=‹secret:0001:len16› x"),
            (r#"{"the_magic_word": "a b", "n": 1}"#, r#"{"the_magic_word": "‹secret:0001:len8›", "n": 1}"#),
            (r#"{"magicword": 17}"#, r#"{"magicword": "‹secret:0001:len8›"}"#),
            ("badge B-123456 of", "badge B-‹badge:0001:len8› of"),
        ] {
            let once = redacted(text).unwrap();
            assert_eq!(once, expected);
            assert_eq!(redacted(&once), None);
        }
    }

    #[test]
    fn what_may_stay_stays() {
        assert_eq!(redacted("password=hunter2"), None);
        assert!(redacted("password=hunter3").is_some());
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (kind, pattern) in [("badge", "("), ("a b", "x"), ("", "x")] {
            assert!(Extra::new(&[], &[(kind.to_owned(), pattern.to_owned())], []).is_err(), "{kind} {pattern}");
        }
    }
}
