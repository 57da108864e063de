//! The key that makes pseudonyms: who does not have it cannot try guesses.

use super::super::error::{Error, Result};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;
use tempfile::NamedTempFile;

const BYTES: usize = 32;

/// Letters and digits that nobody takes for each other: five bits each.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Sixty bits: among a million names two are alike with a chance of one in two million.
const TAG_LETTERS: usize = 12;

pub struct Key([u8; BYTES]);

impl Key {
    /// A key that is gone when the program ends.
    pub fn random() -> Result<Self> {
        let mut key = [0; BYTES];
        getrandom::fill(&mut key).map_err(Error::Random)?;
        Ok(Self(key))
    }

    /// The key in that file, which is made if it is not there.
    pub fn kept(path: &Path) -> Result<Self> {
        let failed = |source: io::Error| Error::Key { path: path.to_owned(), source };
        match std::fs::read_to_string(path) {
            Ok(text) => Self::read(&text).ok_or_else(|| {
                failed(io::Error::new(io::ErrorKind::InvalidData, "it does not hold 64 hexadecimal digits"))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = Self::random()?;
                key.keep(path).map_err(failed)?;
                Ok(key)
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut key = [0; BYTES];
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2).filter(|_| digits)?, 16).ok()?;
        }
        Some(Self(key))
    }

    /// Writes the key where nothing is. A temporary file is made with mode 0600, and keeps it under its new name.
    fn keep(&self, path: &Path) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(crate::bundle::folder_of(path))?;
        writeln!(file, "{}", hex(&self.0))?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map(drop).map_err(|error| error.error)
    }

    /// Readable, and the same for the same word in any case of its letters.
    pub fn tag(&self, word: &str) -> String {
        let sum = self.sum("word", word.to_lowercase().as_bytes());
        let bits = sum.iter().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
        let letter = |at: usize| LETTERS.get((bits >> (5 * at)) as usize & 31).copied().map_or('a', char::from);
        (0..TAG_LETTERS).map(letter).collect()
    }

    /// As many hexadecimal digits as there were.
    pub fn digits(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        let mut digits = String::new();
        for part in 0_u8.. {
            if digits.len() >= lower.len() {
                break;
            }
            digits += &hex(&self.sum("digits", &[lower.as_bytes(), &[part]].concat()));
        }
        digits.truncate(lower.len());
        digits
    }

    /// A UUID of version 8, which says that it means nothing to anybody else.
    pub fn uuid(&self, uuid: &str) -> String {
        let sum = self.sum("uuid", uuid.to_ascii_lowercase().as_bytes());
        let bytes = sum.first_chunk().copied().unwrap_or_default();
        uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
    }

    /// An address of the block that is reserved and belongs to nobody. There are few of them, so `attempt` gives another.
    pub fn ipv4(&self, address: Ipv4Addr, attempt: u32) -> Ipv4Addr {
        let sum = self.sum("ipv4", &[address.octets(), attempt.to_be_bytes()].concat());
        let bits = sum.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let reserved = Ipv4Addr::from_bits(bits | 0xf000_0000);
        if reserved.is_broadcast() { Ipv4Addr::new(240, 0, 0, 1) } else { reserved }
    }

    /// An address of the block for documentation.
    pub fn ipv6(&self, address: Ipv6Addr) -> Ipv6Addr {
        let sum = self.sum("ipv6", &address.octets());
        let bits = sum.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
        Ipv6Addr::from_bits(bits >> 32 | 0x2001_0db8 << 96)
    }

    fn sum(&self, use_: &str, value: &[u8]) -> [u8; 32] {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { unreachable!("a key may have any length") };
        mac.update(use_.as_bytes());
        mac.update(&[0]);
        mac.update(value);
        mac.finalize().into_bytes().into()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key([7; BYTES]);

    #[test]
    fn pseudonyms_have_the_form_of_what_they_stand_for() {
        let uuid = KEY.uuid("0B14EE1E-1543-5748-bba9-abb351ceff99");
        assert_eq!(uuid, KEY.uuid("0b14ee1e-1543-5748-bba9-abb351ceff99"));
        assert_eq!((uuid.len(), uuid.get(14..15)), (36, Some("8")));
        let digits = KEY.digits(&"ab".repeat(40));
        assert!(digits.len() == 80 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digits}");
        assert!(KEY.ipv4(Ipv4Addr::new(10, 0, 0, 1), 0).octets()[0] >= 240);
        assert!(KEY.ipv6("fd00::1".parse().unwrap()).to_string().starts_with("2001:db8:"));
        assert_eq!((KEY.tag("Web"), KEY.tag("web").len()), (KEY.tag("web"), TAG_LETTERS));
    }

    #[test]
    fn another_key_makes_other_pseudonyms() {
        let other = Key([8; BYTES]);
        assert_ne!(KEY.tag("web"), other.tag("web"));
        assert_ne!(KEY.tag("web"), KEY.tag("wet"));
    }

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team.key");
        let made = Key::kept(&path).unwrap();
        assert_eq!(made.0, Key::kept(&path).unwrap().0);
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions()) & 0o777,
            0o600
        );
        std::fs::write(&path, "swordfish").unwrap();
        assert!(Key::kept(&path).is_err());
    }
}
