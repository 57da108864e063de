//! Text from evidence, made harmless for a terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

/// A letter of any language has fewer marks on it; more of them climb over the lines around it.
const MOST_MARKS: usize = 4;

/// Shows what would move the cursor, change colours, reorder or hide text. Everything stays on one line.
pub fn for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (character, is_unsafe) in judged(text) {
        match character {
            '\t' => out.push(' '),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ if is_unsafe => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

/// Every character, and whether it does more than to be seen.
fn judged(text: &str) -> impl Iterator<Item = (char, bool)> {
    text.chars().scan(0, |marks, character| {
        *marks = if is_mark(character) { *marks + 1 } else { 0 };
        Some((character, is_unsafe(character) || *marks > MOST_MARKS))
    })
}

/// Whether text can be shown as it is.
pub fn is_harmless(text: &str) -> bool {
    !judged(text).any(|(character, is_unsafe)| is_unsafe && character != '\n')
}

/// Control characters, those that Unicode gives a meaning for direction, line ends, annotations, and all that it lets
/// programs ignore: what has no width can hide in a name.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Marks that are put onto the letter before them.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// JSON on its way out, with such characters written as JSON escapes: another spelling of the same text. They can stand
/// in strings only, and whoever writes JSON writes whole characters.
pub struct HarmlessJson<'a>(pub &'a mut dyn Write);

impl Write for HarmlessJson<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) if !is_harmless(text) => self.0.write_all(as_escapes(text).as_bytes())?,
            _ => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn as_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (character, is_unsafe) in judged(text) {
        if character == '\n' || !is_unsafe {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_take_over_a_terminal_is_shown_instead() {
        assert_eq!(for_terminal("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(for_terminal("\u{9b}31m\u{7f}\u{8}"), "\\u{9b}31m\\u{7f}\\u{8}");
        assert_eq!(for_terminal("one\ntwo\r"), "one\\ntwo\\r");
        assert_eq!(for_terminal("\u{202e}abc\u{200b}"), "\\u{202e}abc\\u{200b}");
        assert_eq!(for_terminal("naïve – ok"), "naïve – ok");
    }

    #[test]
    fn what_hides_is_shown() {
        // Zero width, byte order mark, separators, annotations, tags, variation selectors, fillers, invisible operators.
        for hidden in [
            '\u{200b}',
            '\u{200d}',
            '\u{feff}',
            '\u{2028}',
            '\u{2029}',
            '\u{fff9}',
            '\u{e0041}',
            '\u{fe0f}',
            '\u{e0100}',
            '\u{3164}',
            '\u{115f}',
            '\u{ffa0}',
            '\u{2062}',
            '\u{34f}',
            '\u{ad}',
            '\u{2066}',
            '\u{61c}',
            '\u{180e}',
        ] {
            let shown = for_terminal(&format!("a{hidden}b"));
            assert_eq!(shown, format!("a\\u{{{:x}}}b", u32::from(hidden)));
        }
    }

    #[test]
    fn letters_keep_their_marks_and_floods_do_not() {
        assert_eq!(for_terminal("e\u{301}o\u{302}\u{323}"), "e\u{301}o\u{302}\u{323}");
        let flood = for_terminal(&format!("z{}y", "\u{301}".repeat(50)));
        assert_eq!(flood.matches('\u{301}').count(), MOST_MARKS);
        assert!(flood.ends_with("\\u{301}y"));
    }

    proptest::proptest! {
        #[test]
        fn no_control_character_is_left(text in ".*") {
            proptest::prop_assert!(for_terminal(&text).chars().all(|character| !is_unsafe(character)));
        }

        #[test]
        fn json_stays_what_it_is_and_becomes_harmless(text in "(\u{1b}|\u{9b}|\u{7f}|\u{202e}|\u{e0041}|\n|[a\"\\\\é😀])*|.*") {
            let mut out = Vec::new();
            serde_json::to_writer_pretty(HarmlessJson(&mut out), &[&text]).unwrap();
            let written = String::from_utf8(out).unwrap();
            proptest::prop_assert!(is_harmless(&written));
            proptest::prop_assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), [text]);
        }
    }
}
