//! What stands where a secret stood: `‹password:0007:len16›`.
//!
//! It tells that there was one, of which kind, and about how long it was. The number in the middle is the same wherever
//! the same value stood, and only there. Numbers are given out in the order in which values are met, so nothing about a
//! value can be computed from its number: there is nothing to guess at.

const OPEN: char = '‹';
const CLOSE: char = '›';
const LENGTH: &str = "len";

/// The marker of the value with that number; `length` is rounded up to a power of two.
pub fn marker(kind: &str, number: u32, length: usize) -> String {
    let class = length.max(8).next_power_of_two();
    format!("{OPEN}{kind}:{number:04x}:{LENGTH}{class}{CLOSE}")
}

/// Is this a marker and nothing else?
pub fn is_marker(text: &str) -> bool {
    markers(text).next().is_some_and(|(start, end, _)| (start, end) == (0, text.len()))
}

/// Where markers stand in a text, and their numbers.
pub fn markers(text: &str) -> impl Iterator<Item = (usize, usize, u32)> {
    text.match_indices(OPEN).filter_map(|(start, _)| {
        let rest = text.get(start + OPEN.len_utf8()..)?;
        let inner = rest.get(..rest.find(CLOSE)?)?;
        let end = start + OPEN.len_utf8() + inner.len() + CLOSE.len_utf8();
        number(inner).map(|number| (start, end, number))
    })
}

fn number(inner: &str) -> Option<u32> {
    let mut parts = inner.split(':');
    let (kind, number, length) = (parts.next()?, parts.next()?, parts.next()?);
    let named = !kind.is_empty() && kind.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase());
    let digits = length.strip_prefix(LENGTH)?;
    let measured = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let plain = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    (named && measured && plain && parts.next().is_none()).then(|| u32::from_str_radix(number, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_tells_kind_number_and_about_the_length() {
        assert_eq!(marker("secret", 0x7f3a, 50), "‹secret:7f3a:len64›");
        assert_eq!(marker("private-key", 1, 0), "‹private-key:0001:len8›");
        assert_eq!(marker("jwt", 0x12345, 1025), "‹jwt:12345:len2048›");
    }

    #[test]
    fn markers_are_told_from_other_text() {
        let text = "a ‹jwt:0001:len8› b ‹x› ‹password:00ff:len16›";
        let found: Vec<(&str, u32)> = markers(text).map(|(start, end, number)| (&text[start..end], number)).collect();
        assert_eq!(found, [("‹jwt:0001:len8›", 1), ("‹password:00ff:len16›", 255)]);
        assert!(is_marker("‹jwt:0001:len8›"));
        for other in
            ["", "‹›", "‹jwt:0001:len8› ", "‹jwt:01:len8›", "‹JWT:0001:len8›", "‹jwt:0001:len›", "‹jwt:0001:len8"]
        {
            assert!(!is_marker(other), "{other:?}");
        }
    }
}
