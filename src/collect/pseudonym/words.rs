//! Finds words of a dictionary in a text, however they are joined with others.
//!
//! A word begins and ends where letters and digits do: `web` is in `demo/web-7d9c`, and not in `webhook`. Of two words
//! that begin at one place the longer one counts. Each start of a word that some entry goes on from is an entry too, so
//! that a text is looked up piece by piece and hardly ever further than a piece.

use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Words(HashMap<String, Option<usize>>);

/// Where a word stands, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub start: usize,
    pub end: usize,
    pub word: usize,
}

impl Words {
    /// Words by number. Case does not count.
    pub fn new<'w>(words: impl Iterator<Item = (&'w str, usize)>) -> Self {
        let mut starts = HashMap::new();
        for (word, number) in words {
            let word = word.to_lowercase();
            for end in ends(&word, 0) {
                starts.entry(word.get(..end).unwrap_or_default().to_owned()).or_insert(None);
            }
            starts.insert(word, Some(number));
        }
        Self(starts)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The longest word that begins at one of these places, which lie in one piece of letters and digits.
    pub fn at(&self, text: &str, mut starts: impl Iterator<Item = usize>) -> Option<Place> {
        starts.find_map(|start| self.longest(text, start))
    }

    fn longest(&self, text: &str, start: usize) -> Option<Place> {
        let mut found = None;
        for end in ends(text, start) {
            let piece = text.get(start..end)?;
            let entry = if piece.bytes().any(|byte| byte.is_ascii_uppercase()) || !piece.is_ascii() {
                self.0.get(piece.to_lowercase().as_str())
            } else {
                self.0.get(piece)
            };
            match entry {
                Some(Some(word)) => found = Some(Place { start, end, word: *word }),
                Some(None) => {}
                None => break,
            }
        }
        found
    }
}

/// Where pieces end, from a place on.
fn ends(text: &str, start: usize) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    (start + 1..=bytes.len()).filter(move |end| is_in_word(bytes.get(end - 1)) && !is_in_word(bytes.get(*end)))
}

/// Pieces of letters and digits, each with the places where a word may begin in it: at its start, and behind what is an
/// escape there (`\nweb`, `\u003cweb`, `%2Fweb`, `ESC[31mweb`).
pub fn pieces(text: &str, from: usize) -> Option<(usize, usize, [usize; 2])> {
    let bytes = text.as_bytes();
    let start = from + bytes.get(from..)?.iter().position(|byte| is_in_word(Some(byte)))?;
    let length = bytes.get(start..)?.iter().take_while(|byte| is_in_word(Some(byte))).count();
    let end = start + length;
    let piece = bytes.get(start..end)?;
    let digits = |count: usize| piece.get(..count).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let escape = match (start.checked_sub(1).and_then(|before| bytes.get(before)), piece.first()) {
        (Some(b'\\'), Some(b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'a')) => 1,
        (Some(b'\\'), Some(b'u')) if piece.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => {
            5
        }
        (Some(b'\\'), Some(b'x')) if piece.get(1..3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => {
            3
        }
        (Some(b'%'), _) if digits(2) => 2,
        (Some(b'[' | b';'), _) => {
            let number = piece.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if piece.get(number) == Some(&b'm') { number + 1 } else { 0 }
        }
        _ => 0,
    };
    Some((start, end, [start, start + escape]))
}

const fn is_in_word(byte: Option<&u8>) -> bool {
    matches!(byte, Some(byte) if byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str], text: &str) -> Vec<String> {
        let words = Words::new(words.iter().copied().zip(0..));
        let (mut at, mut found) = (0, Vec::new());
        while let Some((_, end, starts)) = pieces(text, at) {
            let place = words.at(text, starts.into_iter());
            at = place.map_or(end, |place| place.end);
            found.extend(place.map(|place| text[place.start..place.end].to_owned()));
        }
        found
    }

    #[test]
    fn words_are_found_whole_and_the_longest_first() {
        let words = ["web", "web-front", "web-front-end", "a.b"];
        for (text, expected) in [
            ("demo/web-7d9c (web)", &["web", "web"][..]),
            ("webhook web1 cobweb", &[]),
            ("web-frontier web-front-x web-front-end", &["web", "web-front", "web-front-end"]),
            ("WEB Web-Front", &["WEB", "Web-Front"]),
            (r"a\nweb \u003cweb\u003e %2Fweb%2f \x1b[31mweb", &["web", "web", "web", "web"]),
            ("a.b a.b.c xa.b", &["a.b", "a.b"]),
            ("", &[]),
        ] {
            assert_eq!(found(&words, text), expected, "{text}");
        }
    }
}
