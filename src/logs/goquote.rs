//! Strings as Go's `strconv.Quote` writes them, which is how klog prints every message and text
//! value.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2};

/// A quoted string, still escaped, as it stands in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quoted<'a> {
    pub inner: &'a str,
    /// Most strings hold no backslash and can be borrowed; found out while looking for the end.
    escaped: bool,
}

impl<'a> Quoted<'a> {
    /// The string whose opening quote was just read, and what follows its closing quote. A string
    /// that was cut off reaches to the end.
    pub fn split(text: &'a str) -> (Self, &'a str) {
        let bytes = text.as_bytes();
        let first = memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
        let escaped = bytes.get(first) == Some(&b'\\');
        let end = if escaped { end_of_escaped(bytes, first) } else { first };
        let (inner, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        (Quoted { inner, escaped }, rest.strip_prefix('"').unwrap_or(rest))
    }

    /// The string that was quoted.
    pub fn text(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.inner)) } else { Cow::Borrowed(self.inner) }
    }
}

/// The first quote after an even number of backslashes; an odd number escapes it.
fn end_of_escaped(bytes: &[u8], first: usize) -> usize {
    let text = bytes.get(first..).unwrap_or_default();
    let escaped = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 1
    };
    let end = memchr_iter(b'"', text).find(|at| !escaped(*at));
    end.map_or(bytes.len(), |at| first + at)
}

fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, after)) = memchr(b'\\', rest.as_bytes()).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        rest = escape(after, &mut out);
    }
    out.push_str(rest);
    out
}

/// Reads the escape that `text` begins with and returns what follows; one that Go does not write is
/// kept as it is.
fn escape<'a>(text: &'a str, out: &mut String) -> &'a str {
    let mut chars = text.chars();
    let backslash = chars.next();
    let simple = match chars.next() {
        Some('a') => '\u{7}',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('v') => '\u{b}',
        Some(quote @ ('\\' | '"' | '\'')) => quote,
        Some('x') => return numeric(text, 4, out),
        Some('u') => return numeric(text, 6, out),
        Some('U') => return numeric(text, 10, out),
        _ => {
            out.extend(backslash);
            return text.strip_prefix('\\').unwrap_or("");
        }
    };
    out.push(simple);
    chars.as_str()
}

/// `\xHH`, `\uHHHH` or `\UHHHHHHHH`. Go writes `\x80` and above for bytes that are not UTF-8, so
/// those have no character and become the replacement character.
fn numeric<'a>(text: &'a str, len: usize, out: &mut String) -> &'a str {
    let digits = text.get(2..len).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
        out.push('\\');
        return text.strip_prefix('\\').unwrap_or("");
    };
    let byte_of_no_text = len == 4 && code >= 0x80;
    out.push(char::from_u32(code).filter(|_| !byte_of_no_text).unwrap_or(char::REPLACEMENT_CHARACTER));
    text.get(len..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_without_escapes_is_borrowed() {
        let (quoted, rest) = Quoted::split(r#"as it is" next"#);
        assert!(matches!(quoted.text(), Cow::Borrowed("as it is")));
        assert_eq!(rest, " next");
    }

    #[test]
    fn every_escape_that_go_writes_is_undone() {
        let (quoted, rest) = Quoted::split(r#"\a\b\f\n\r\t\v\\\"\'\x1b\x80\u00e9\U0001f600" k=1"#);
        assert_eq!(quoted.text(), "\u{7}\u{8}\u{c}\n\r\t\u{b}\\\"'\u{1b}\u{fffd}é😀");
        assert_eq!(rest, " k=1");
    }

    #[test]
    fn an_escape_that_go_does_not_write_is_kept() {
        for odd in [r"\q", r"\x4", r"\xé4", r"\u12", r"\u+123", r"\"] {
            assert_eq!(unescape(odd), odd);
        }
        assert_eq!(unescape(r"\ud800"), "\u{fffd}");
    }

    #[test]
    fn a_string_that_was_cut_off_reaches_to_the_end() {
        for cut in ["half a mess", r#"half \"a\" mess"#, r"half a mess\"] {
            assert_eq!(Quoted::split(cut).0.inner, cut);
            assert_eq!(Quoted::split(cut).1, "");
        }
    }
}
