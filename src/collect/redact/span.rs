//! A place in a text where a secret stands.

use super::extra::Extra;
use crate::schema::{is_marker, markers};
use std::cmp::Reverse;

/// What a secret is, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A value of a Secret.
    Secret,
    Password,
    Token,
    Jwt,
    PrivateKey,
    CloudKey,
    /// The hash of a password, as files of users have it.
    PasswordHash,
    Cookie,
    /// Something encoded that has a secret inside, such as a pull secret or a kubeconfig.
    Credentials,
    /// What a team calls it.
    Named(&'static str),
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Password => "password",
            Self::Token => "token",
            Self::Jwt => "jwt",
            Self::PrivateKey => "private-key",
            Self::CloudKey => "cloud-key",
            Self::PasswordHash => "password-hash",
            Self::Cookie => "cookie",
            Self::Credentials => "credentials",
            Self::Named(name) => name,
        }
    }
}

/// How the value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    AsItIs,
    /// As the values in `data` of a Secret.
    Base64,
    /// As JSON without quotes, which the marker needs: so many bytes before the value is a quote as it is written there.
    Bare {
        quote: (usize, usize),
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    pub written: Written,
}

/// What was found in one text.
#[derive(Debug)]
pub struct Found<'t> {
    pub text: &'t str,
    pub extra: &'t Extra,
    spans: Vec<Span>,
    /// Where secrets have gone already.
    markers: Vec<(usize, usize)>,
}

impl<'t> Found<'t> {
    pub fn new(text: &'t str, extra: &'t Extra) -> Self {
        let markers = markers(text).map(|(start, end, _)| (start, end)).collect();
        Self { text, extra, spans: Vec::new(), markers }
    }

    /// A secret stands there, unless it has gone already or there is nothing.
    pub fn add(&mut self, (start, end): (usize, usize), kind: Kind) {
        self.add_written((start, end), kind, Written::AsItIs);
    }

    pub fn add_written(&mut self, (start, end): (usize, usize), kind: Kind, written: Written) {
        let value = self.text.get(start..end).unwrap_or_default().trim();
        // What begins inside a marker is a word of the marker.
        let gone = |(from, to): &(usize, usize)| *from <= start && end <= *to || *from < start && start < *to;
        let stays = value.is_empty() || is_marker(value) || self.extra.may_stay(value);
        if !stays && !self.markers.iter().any(gone) {
            self.spans.push(Span { start, end, kind, written });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The places in order, none over another: where two meet, the first takes both.
    pub fn in_order(mut self) -> Vec<Span> {
        // Of two names for one place, the one that knows how it is written comes first.
        self.spans.sort_by_key(|span| (span.start, Reverse(span.end), span.written == Written::AsItIs));
        let mut apart: Vec<Span> = Vec::with_capacity(self.spans.len());
        for span in self.spans {
            match apart.last_mut().filter(|last| span.start < last.end) {
                Some(last) => last.end = last.end.max(span.end),
                None => apart.push(span),
            }
        }
        apart
    }
}
