//! Base64 as secrets are written in it.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// What was encoded, in either alphabet, with or without its padding; line breaks do not count.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let safe = packed.iter().any(|byte| matches!(byte, b'-' | b'_'));
    GeneralPurpose::new(if safe { &URL_SAFE } else { &STANDARD }, LENIENT).decode(packed).ok()
}

/// Is it most likely base64, and no word or number that happens to look like it?
pub fn looks_like(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let telling = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'+' | b'/' | b'=');
    text.len() >= 4 && text.len().is_multiple_of(4) && digits.bytes().all(is_digit) && text.bytes().any(telling)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_are_read() {
        assert_eq!(decode("aHVu\ndGVyMg==").as_deref(), Some(&b"hunter2"[..]));
        assert_eq!(decode("aHVudGVyMg").as_deref(), Some(&b"hunter2"[..]));
        assert_eq!(decode("_-8").as_deref(), Some(&[0xff, 0xef][..]));
        assert_eq!(decode("no base64!"), None);
    }

    #[test]
    fn words_are_not_taken_for_base64() {
        assert!(looks_like("aHVudGVyMg==") && looks_like("c2VjcmV0"));
        for word in ["", "info", "enabled1", "deadbeef", "two words", "aHVudGVyMg="] {
            assert!(!looks_like(word), "{word}");
        }
    }
}
