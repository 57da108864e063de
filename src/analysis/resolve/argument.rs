//! What an argument can be, by its shape alone.

use super::super::error::{Error, Result};
use super::kinds::KindName;
use crate::schema::{ManifestPath, is_arm_id};

/// No identifier is longer; an Azure id comes nearest.
const LONGEST: usize = 1024;

/// A few characters of an argument that is too long to be repeated.
const SHOWN: usize = 80;

#[derive(Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// An id, a name, or the value of a label.
    Word(&'a str),
    /// `key=value`, or `=value` for the value of any label.
    Label { key: &'a str, value: &'a str },
    /// Two or three parts with slashes between them: a manifest in nearly every case.
    Path(Path<'a>),
    /// The id of an Azure resource, or another value with slashes in it.
    Value(&'a str),
}

/// `kind/name`, `kind/namespace/name`, `namespace/name` or `consumer/work name`.
#[derive(Debug, PartialEq, Eq)]
pub struct Path<'a> {
    pub text: &'a str,
    pub first: &'a str,
    /// Between the first part and the last, unless there is nothing.
    pub middle: Option<&'a str>,
    pub last: &'a str,
}

impl<'a> Argument<'a> {
    pub fn parse(typed: &'a str) -> Result<Self> {
        let text = unquoted(typed.trim());
        let refuse = |because: &'static str| Err(Error::NoIdentifier { asked: shortened(typed), because });
        if text.chars().count() > LONGEST {
            return refuse("no identifier is so long");
        }
        if is_arm_id(text) {
            return Ok(Self::Value(text));
        }
        if let Some((key, value)) = text.split_once('=') {
            let (key, value) = (key.trim(), unquoted(value.trim()));
            return if key.is_empty() && value.is_empty() {
                refuse("a label is key=value")
            } else {
                Ok(Self::Label { key, value })
            };
        }
        let parts: Vec<&str> = text.split('/').collect();
        match parts.as_slice() {
            [""] => refuse("it is empty"),
            [word] => Ok(Self::Word(word)),
            ["", ..] | [.., ""] => refuse("a manifest is kind/name or kind/namespace/name"),
            [first, last] => Ok(Self::Path(Path { text, first, middle: None, last })),
            [first, "", last] => Ok(Self::Path(Path { text, first, middle: None, last })),
            [first, middle, last] => Ok(Self::Path(Path { text, first, middle: Some(middle), last })),
            _ => Ok(Self::Value(text)),
        }
    }
}

/// Which manifests are asked for.
pub struct Wanted<'a> {
    pub kind: Option<KindName>,
    pub namespace: Option<&'a str>,
    pub name: &'a str,
}

impl<'a> Path<'a> {
    /// As `kind/name` or `kind/namespace/name`.
    pub fn manifest(&self) -> Wanted<'a> {
        Wanted { kind: Some(KindName::parse(self.first)), namespace: self.middle, name: self.last }
    }

    /// As `namespace/name`, which is how dacapo itself writes a manifest behind its kind.
    pub fn in_namespace(&self) -> Option<Wanted<'a>> {
        self.middle.is_none().then_some(Wanted { kind: None, namespace: Some(self.first), name: self.last })
    }
}

impl Wanted<'_> {
    pub fn fits(&self, path: &ManifestPath<'_>, learnt: &[super::kinds::Kind]) -> bool {
        self.name == path.name
            && self.namespace.is_none_or(|namespace| path.namespace == Some(namespace))
            && self.kind.as_ref().is_none_or(|kind| kind.fits(path, learnt))
    }
}

/// People copy identifiers with the quotes that logs put around them.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// An argument as it is repeated in a message.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        let path = |text, first, middle, last| Argument::Path(Path { text, first, middle, last });
        for (typed, expected) in [
            ("web", Argument::Word("web")),
            (" \"web\" ", Argument::Word("web")),
            ("deploy/web", path("deploy/web", "deploy", None, "web")),
            ("deploy/demo/web", path("deploy/demo/web", "deploy", Some("demo"), "web")),
            ("ns//demo", path("ns//demo", "ns", None, "demo")),
            ("example.io/id=a", Argument::Label { key: "example.io/id", value: "a" }),
            ("op-id=\"a\"", Argument::Label { key: "op-id", value: "a" }),
            ("=true", Argument::Label { key: "", value: "true" }),
            ("/subscriptions/1/a", Argument::Value("/subscriptions/1/a")),
            ("/Subscriptions/1", Argument::Value("/Subscriptions/1")),
            ("a/b/c/d", Argument::Value("a/b/c/d")),
        ] {
            assert_eq!(Argument::parse(typed).unwrap(), expected, "{typed}");
        }
    }

    #[test]
    fn what_cannot_be_an_identifier_is_refused() {
        for typed in ["", "  ", "\"\"", "/", "//", "/web", "deploy/", "=", &"x".repeat(LONGEST + 1)] {
            assert!(matches!(Argument::parse(typed), Err(Error::NoIdentifier { .. })), "{typed:?}");
        }
    }
}
