//! Tells in one fast look that a text holds no secret, as nearly all lines of a log do not.
//!
//! A text without any of these pieces has nothing that the other files of this folder would find. So the pieces are as
//! many as it takes, and none of them is common in logs: a line with one of them is looked at again, slowly. Every piece has
//! at least four bytes. Each four bytes of a text are looked up in a table of bits that fits into the processor's nearest
//! memory; that is faster than any automaton, because no step waits for the one before.

use super::shapes::{ENCODED, SHAPES};
use memchr::memmem::Finder;

/// Pieces of the names that tell (`keys.rs`, `assignments.rs`), in the cases that people write them.
const NAMES: &[&str] = &[
    "assw",
    "ASSW",
    "Assw",
    "assph",
    "ASSPH",
    "asscode",
    "ASSCODE",
    "ecret",
    "ECRET",
    "oken",
    "OKEN",
    "redential",
    "REDENTIAL",
    "uthoriz",
    "UTHORIZ",
    "ookie",
    "OOKIE",
    "ockerc",
    "OCKERC",
];

/// Names that are too short to be rare, with what follows a name.
const SHORT_NAMES: &[&str] = &["key", "Key", "KEY", "pwd", "Pwd", "PWD", "pass", "Pass", "PASS"];
const AFTER_NAME: &str = "=:\"'\\ \t_-Ds";

/// Data that may be those of a Secret, logins in pull secrets, private keys.
const PLACES: &[&str] =
    &["\"data\"", "\"data\\", "'data'", "tringData", "\"auth\"", "\"auth\\", "RIVATE KEY", "asic ", "ASIC "];

/// An address has a letter or a digit before this.
const ADDRESS: &str = "://";
const QUOTED_ADDRESS: &str = r":\/\/";

/// Letters that somebody wrote as numbers: what they spell shows only when they are read.
const SPELLED: &[&str] = &["\\u00", "\\U00"];

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-.";

/// The end of a key in base64 that has no other sign; so many digits stand before it.
const DOUBLE: &str = "==";
const BEFORE_DOUBLE: usize = 86;

/// As many bits as make a text without any piece hit hardly ever.
const BITS: u32 = 17;

pub struct Hints {
    bits: Vec<u64>,
    /// The first four bytes of each piece, and the piece.
    pieces: Vec<(u32, String)>,
    double: Finder<'static>,
}

impl Hints {
    pub fn new() -> Self {
        let mut pieces: Vec<(u32, String)> =
            pieces().into_iter().filter_map(|piece| Some((first(piece.as_bytes())?, piece))).collect();
        pieces.sort();
        let mut bits = vec![0; 1 << (BITS - 6)];
        for (start, _) in &pieces {
            let (word, bit) = place(*start);
            if let Some(word) = bits.get_mut(word) {
                *word |= bit;
            }
        }
        Self { bits, pieces, double: Finder::new(DOUBLE) }
    }

    /// May there be a secret?
    pub fn any(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        self.has_piece(bytes) || self.double.find_iter(bytes).any(|at| at >= BEFORE_DOUBLE)
    }

    fn has_piece(&self, bytes: &[u8]) -> bool {
        let hit = |four: &[u8]| {
            let (word, bit) = first(four).map(place).unwrap_or_default();
            self.bits.get(word).is_some_and(|bits| bits & bit != 0)
        };
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|rest| rest.windows(4).position(hit)).map(|at| from + at) {
            if self.is_piece(bytes.get(at..).unwrap_or_default()) {
                return true;
            }
            from = at + 1;
        }
        false
    }

    fn is_piece(&self, bytes: &[u8]) -> bool {
        let Some(start) = first(bytes) else { return false };
        let at = self.pieces.partition_point(|(other, _)| *other < start);
        let alike = self.pieces.iter().skip(at).take_while(|(other, _)| *other == start);
        alike.into_iter().any(|(_, piece)| bytes.starts_with(piece.as_bytes()))
    }
}

fn first(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|four| u32::from_le_bytes(*four))
}

/// Where the bit of four bytes is.
const fn place(four: u32) -> (usize, u64) {
    let bit = four.wrapping_mul(0x9e37_79b1) >> (32 - BITS);
    (bit as usize >> 6, 1 << (bit & 63))
}

fn pieces() -> Vec<String> {
    let followed = |piece: &str, after: &str| after.chars().map(|next| format!("{piece}{next}")).collect::<Vec<_>>();
    let mut pieces: Vec<String> = Vec::new();
    let shapes = SHAPES.iter().map(|shape| shape.hint).filter(|hint| *hint != DOUBLE);
    for piece in NAMES.iter().chain(PLACES).chain(SPELLED).chain(ENCODED).copied().chain(shapes) {
        match piece.len() {
            4.. => pieces.push(piece.to_owned()),
            _ => pieces.extend(followed(piece, LETTERS)),
        }
    }
    pieces.extend(SHORT_NAMES.iter().flat_map(|name| followed(name, AFTER_NAME)));
    pieces.extend(LETTERS.chars().map(|before| format!("{before}{ADDRESS}")));
    pieces.push(QUOTED_ADDRESS.to_owned());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_rare_and_long_enough_to_be_looked_up() {
        let (pieces, hints) = (pieces(), Hints::new());
        assert_eq!(hints.pieces.len(), pieces.len(), "a piece is shorter than four bytes");
        let set: u32 = hints.bits.iter().map(|word| word.count_ones()).sum();
        assert!(set < (1 << BITS) / 100, "{set} bits are set");
        for piece in pieces {
            assert!(hints.any(&format!("a {piece} b")), "{piece}");
        }
    }

    #[test]
    fn lines_of_a_quiet_log_have_no_hint() {
        let hints = Hints::new();
        for line in [
            "",
            "abc",
            r#"I1116 01:27:39.83 1 event.go:1] "Received event" resourceID="0b14ee1e-1543-5748-bba9-abb351ceff99" event="{\"id\":\"a\"}""#,
            r#"I1116 01:27:12.10 1 main.go:215] "client starting" source="mw-client-example" grpc="127.0.0.1:18090""#,
            "a == b",
        ] {
            assert!(!hints.any(line), "{line}");
        }
        for line in ["password=x", "a JWT: eyJhbGciOi", "https://a:b@c", r#"{\"kind\":\"Secret\"}"#, "p\\u0061ss"] {
            assert!(hints.any(line), "{line}");
        }
    }
}
