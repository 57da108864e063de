//! Text from evidence, made harmless for a terminal.

use std::fmt::Write;

/// Shows what would move the cursor, change colours, reorder or hide text. Everything stays on one line.
pub fn for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => out.push(' '),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ if is_unsafe(character) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

/// Control characters, and those that Unicode gives a meaning for direction or no width.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_take_over_a_terminal_is_shown_instead() {
        assert_eq!(for_terminal("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(for_terminal("one\ntwo\r"), "one\\ntwo\\r");
        assert_eq!(for_terminal("\u{202e}abc\u{200b}"), "\\u{202e}abc\\u{200b}");
        assert_eq!(for_terminal("naïve – ok"), "naïve – ok");
    }

    proptest::proptest! {
        #[test]
        fn no_control_character_is_left(text in ".*") {
            proptest::prop_assert!(for_terminal(&text).chars().all(|character| !is_unsafe(character)));
        }
    }
}
