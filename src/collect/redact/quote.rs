//! Quotes, however deep they are quoted themselves.
//!
//! JSON inside a string has `\"` where it would have `"`, and inside a string inside a string `\\\"`: at depth d a quote
//! has 2^d - 1 backslashes before it, whether JSON, Go or YAML wrote it. So a text can be taken apart at any depth where it
//! stands, and what is not changed keeps its bytes.

use memchr::{memchr, memchr_iter, memmem};

/// Deeper than anybody quotes.
const DEEPEST: u32 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// `"` or `'` with the backslashes of its depth.
    Mark(u8, u32),
    /// `\u0022` with the backslashes of its depth.
    Escape(u32),
    /// `""`, as CSV writes a quote in a quoted cell.
    Doubled,
}

/// Where a string ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The end of its content.
    pub at: usize,
    /// What follows its closing quote; the same where it has none.
    pub after: usize,
    /// It has no closing quote: the text, or what it stands in, ends before.
    pub cut: bool,
}

impl Quote {
    /// The quote that stands there, and its length.
    pub fn at(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let rest = bytes.get(at..)?;
        let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
        let mark = *rest.get(backslashes)?;
        if matches!(mark, b'"' | b'\'') {
            if rest.starts_with(b"\"\"") {
                let after = rest.get(2).copied().unwrap_or_default();
                let doubled = after.is_ascii_alphanumeric() || matches!(after, b'.' | b'_' | b'-' | b'{' | b'[');
                return Some(if doubled { (Self::Doubled, 2) } else { (Self::Mark(mark, 0), 1) });
            }
            let depth = (backslashes + 1).is_power_of_two().then(|| (backslashes + 1).trailing_zeros())?;
            return (depth <= DEEPEST).then_some((Self::Mark(mark, depth), backslashes + 1));
        }
        let escape = backslashes.is_power_of_two() && rest.get(backslashes..)?.starts_with(b"u0022");
        escape.then(|| (Self::Escape(backslashes.trailing_zeros() + 1), backslashes + 5))
    }

    /// The end of the string whose content begins there.
    pub fn end(self, bytes: &[u8], from: usize) -> End {
        let cut = |at: usize| End { at, after: at, cut: true };
        let Some(content) = bytes.get(from..) else { return cut(bytes.len()) };
        let found = match self {
            Self::Mark(mark, depth) => end_of_marked(content, mark, depth),
            Self::Escape(depth) => end_of_escaped(content, depth),
            Self::Doubled => end_of_doubled(content),
        };
        found.map_or_else(|| cut(bytes.len()), |end| End { at: from + end.at, after: from + end.after, cut: end.cut })
    }
}

fn end_of_marked(content: &[u8], mark: u8, depth: u32) -> Option<End> {
    for at in memchr_iter(mark, content) {
        let backslashes = backslashes_before(content, at);
        let closes = |depth: u32| backslashes % (2 << depth) == (1 << depth) - 1;
        if closes(depth) {
            return Some(End { at: at + 1 - (1 << depth), after: at + 1, cut: false });
        }
        // The quote of something around it: the string itself was cut.
        if (0..depth).any(closes) {
            return Some(End { at: at - backslashes, after: at - backslashes, cut: true });
        }
    }
    None
}

fn end_of_escaped(content: &[u8], depth: u32) -> Option<End> {
    let own = 1_usize << (depth - 1);
    let mut at = memmem::find_iter(content, b"u0022").filter(|at| backslashes_before(content, *at) == own);
    at.next().map(|at| End { at: at - own, after: at + 5, cut: false })
}

fn end_of_doubled(content: &[u8]) -> Option<End> {
    let mut from = 0;
    while let Some(at) = memchr(b'"', content.get(from..)?).map(|at| from + at) {
        if content.get(at + 1) != Some(&b'"') {
            return Some(End { at, after: at, cut: true });
        }
        if backslashes_before(content, at).is_multiple_of(2) {
            return Some(End { at, after: at + 2, cut: false });
        }
        from = at + 2;
    }
    None
}

fn backslashes_before(bytes: &[u8], at: usize) -> usize {
    bytes.get(..at).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content of the string that a text begins with, and what follows it.
    fn split(text: &str) -> (&str, &str, bool) {
        let (quote, length) = Quote::at(text.as_bytes(), 0).unwrap();
        let end = quote.end(text.as_bytes(), length);
        (&text[length..end.at], &text[end.after..], end.cut)
    }

    #[test]
    fn strings_end_at_quotes_of_their_own_depth() {
        assert_eq!(split(r#""a\"b\\" c"#), (r#"a\"b\\"#, " c", false));
        assert_eq!(split(r#"\"a\\\"b\" c"#), (r#"a\\\"b"#, " c", false));
        assert_eq!(split(r#"\"a\\\\\" c"#), (r"a\\\\", " c", false));
        assert_eq!(split(r#"\\\"a\\\" c"#), ("a", " c", false));
        assert_eq!(split("'it' is"), ("it", " is", false));
        assert_eq!(split(r#""" c"#), ("", " c", false));
        assert_eq!(split(r#"""a"":1"#), ("a", ":1", false));
        assert_eq!(split(r#"\u0022a\u0022:1"#), ("a", ":1", false));
    }

    #[test]
    fn a_string_that_is_cut_ends_with_what_it_stands_in() {
        assert_eq!(split(r#"\"a" c"#), ("a", r#"" c"#, true));
        assert_eq!(split(r#""a"#), ("a", "", true));
        assert_eq!(split(r#"""a" c"#), ("a", r#"" c"#, true));
        for none in ["", "a", r#"\\"a"#, r"\"] {
            assert_eq!(Quote::at(none.as_bytes(), 0), None, "{none}");
        }
    }
}
