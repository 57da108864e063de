//! Tar archives, as streams.

use std::io::{self, Read};
use tar::{Archive, EntryType};

/// A member of an archive.
pub enum Member<'a> {
    File { name: String, data: &'a mut dyn Read },
    Passed { name: String, reason: String, failed: bool },
}

/// A tar header: the sum over its bytes stands in it.
pub fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<512>() else { return false };
    let stated = header.get(148..156).and_then(|digits| std::str::from_utf8(digits).ok());
    let stated = stated.and_then(|digits| u32::from_str_radix(digits.trim_matches([' ', '\0']), 8).ok());
    let counted = |(place, byte): (usize, &u8)| if (148..156).contains(&place) { 32 } else { u32::from(*byte) };
    let sum: u32 = header.iter().enumerate().map(counted).sum();
    header.first() != Some(&0) && stated == Some(sum)
}

/// Hands out each member in turn. What cannot be read ends the archive, and is said.
pub fn each<E>(data: impl Read, mut each: impl FnMut(Member<'_>) -> Result<(), E>) -> Result<(), E> {
    let mut archive = Archive::new(data);
    let failed = |reason: String| Member::Passed { name: String::new(), reason, failed: true };
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return each(failed(error.to_string())),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return each(failed(format!("the archive cannot be read on: {error}"))),
        };
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let left = if entry.header().entry_type().is_gnu_sparse() { 0 } else { entry.size() };
                each(Member::File { name, data: &mut Whole { entry, left } })?;
            }
            EntryType::Directory | EntryType::XGlobalHeader => {}
            _ => each(Member::Passed { name, reason: "a link or device inside an archive".into(), failed: false })?,
        }
    }
    Ok(())
}

/// A member that notices when the archive ends before it does.
struct Whole<R> {
    entry: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = self.entry.read(to)?;
        if length == 0 && !to.is_empty() && self.left > 0 {
            let what = format!("the archive ends {} bytes before this file does", std::mem::take(&mut self.left));
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
        }
        self.left = self.left.saturating_sub(length as u64);
        Ok(length)
    }
}
