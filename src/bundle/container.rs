//! The ZIP file around the members, in its one canonical form.
//!
//! Members are stored, lie back to back from the first byte on, and nothing else is in the file: no comments,
//! no extra fields but ZIP64's, no dates. So every byte outside the members follows from their names, sizes and
//! CRCs, and the reader can insist on each of them; a general ZIP library reads around such differences.
//! Any ZIP tool opens the result (tested with one).

use super::error::Damage;
use super::manifest::MANIFEST;
use super::seal::SEAL;
use std::io::{self, Read, Seek, SeekFrom, Write};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
const END_LEN: u64 = 22;
const END64_LEN: u64 = 56;
const LOCATOR64_LEN: u64 = 20;
const FULL32: u64 = 0xffff_ffff;
/// 1980-01-01, the first day a ZIP file can name.
const DATE: u16 = 0x21;
/// A regular file, mode 0600, as Unix tools read it.
const ATTRIBUTES: u32 = 0o100_600 << 16;

/// More members than any version writes; a directory with more is not read.
const MAX_MEMBERS: u64 = 256;
const MAX_NAME: usize = 128;
/// So many headers with names and ZIP64 fields, and the end records.
const MAX_DIRECTORY: u64 = MAX_MEMBERS * (46 + MAX_NAME as u64 + 28) + END64_LEN + LOCATOR64_LEN + END_LEN;

/// One member: where its bytes lie and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub crc: u32,
    pub size: u64,
    /// Where its local header begins.
    pub header: u64,
}

impl Entry {
    /// Where its bytes begin.
    pub fn data(&self) -> u64 {
        self.header + self.local_header().len() as u64
    }

    /// Where they end.
    pub fn end(&self) -> u64 {
        self.data() + self.size
    }

    fn local_header(&self) -> Vec<u8> {
        let large = self.size >= FULL32;
        let mut out = Vec::new();
        put32(&mut out, LOCAL);
        self.put_common(&mut out, large);
        let size = if large { FULL32 } else { self.size };
        put32(&mut out, size as u32);
        put32(&mut out, size as u32);
        put16(&mut out, self.name.len() as u16);
        put16(&mut out, if large { 20 } else { 0 });
        out.extend_from_slice(self.name.as_bytes());
        if large {
            put16(&mut out, 1);
            put16(&mut out, 16);
            put64(&mut out, self.size);
            put64(&mut out, self.size);
        }
        out
    }

    fn central_header(&self) -> Vec<u8> {
        let large = self.size >= FULL32 || self.header >= FULL32;
        let mut out = Vec::new();
        put32(&mut out, CENTRAL);
        put16(&mut out, (3 << 8) | 45);
        self.put_common(&mut out, large);
        let size = if large { FULL32 } else { self.size };
        put32(&mut out, size as u32);
        put32(&mut out, size as u32);
        put16(&mut out, self.name.len() as u16);
        put16(&mut out, if large { 28 } else { 0 });
        put16(&mut out, 0);
        put16(&mut out, 0);
        put16(&mut out, 0);
        put32(&mut out, ATTRIBUTES);
        put32(&mut out, if large { FULL32 as u32 } else { self.header as u32 });
        out.extend_from_slice(self.name.as_bytes());
        if large {
            put16(&mut out, 1);
            put16(&mut out, 24);
            put64(&mut out, self.size);
            put64(&mut out, self.size);
            put64(&mut out, self.header);
        }
        out
    }

    /// Version needed, flags, method, time, date and CRC: the part both headers share.
    fn put_common(&self, out: &mut Vec<u8>, large: bool) {
        put16(out, if large { 45 } else { 20 });
        put16(out, 0);
        put16(out, 0);
        put16(out, 0);
        put16(out, DATE);
        put32(out, self.crc);
    }
}

/// Writes the header that goes before a member's bytes.
pub fn write_header(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    out.write_all(&entry.local_header())
}

/// Writes what goes behind the last member.
pub fn write_directory(out: &mut impl Write, entries: &[Entry]) -> io::Result<()> {
    out.write_all(&directory(entries))
}

/// The central directory and the end records, which follow from the entries alone.
fn directory(entries: &[Entry]) -> Vec<u8> {
    let start = entries.last().map_or(0, Entry::end);
    let mut out: Vec<u8> = entries.iter().flat_map(Entry::central_header).collect();
    let (size, count) = (out.len() as u64, entries.len() as u64);
    if start >= FULL32 {
        put32(&mut out, END64);
        put64(&mut out, END64_LEN - 12);
        put16(&mut out, (3 << 8) | 45);
        put16(&mut out, 45);
        put32(&mut out, 0);
        put32(&mut out, 0);
        put64(&mut out, count);
        put64(&mut out, count);
        put64(&mut out, size);
        put64(&mut out, start);
        put32(&mut out, LOCATOR64);
        put32(&mut out, 0);
        put64(&mut out, start + size);
        put32(&mut out, 1);
    }
    put32(&mut out, END);
    put16(&mut out, 0);
    put16(&mut out, 0);
    put16(&mut out, count as u16);
    put16(&mut out, count as u16);
    put32(&mut out, size as u32);
    put32(&mut out, start.min(FULL32) as u32);
    put16(&mut out, 0);
    out
}

/// Reads the directory and holds every byte outside the members against the canonical form.
pub fn read(file: &mut (impl Read + Seek)) -> Result<Vec<Entry>, Damage> {
    let length = file.seek(SeekFrom::End(0))?;
    check_start(file, length)?;
    let end = end_record(file, length)?;
    if length - end.directory > MAX_DIRECTORY {
        return Err(not_ours("its directory is too large"));
    }
    let size = (length - end.directory) as usize;
    let bytes = read_at(file, end.directory, size)?;
    let entries = entries(&bytes, end.count)?;
    let mut expected = 0;
    for entry in &entries {
        check_place(entry, expected, end.directory)?;
        expected = entry.end();
    }
    if directory(&entries) != bytes {
        return Err(not_ours("its directory is not as dacapo writes it"));
    }
    for entry in &entries {
        let header = entry.local_header();
        if read_at(file, entry.header, header.len())? != header {
            return Err(not_ours(&format!("the header of {} is not as dacapo writes it", entry.name)));
        }
    }
    if expected != end.directory {
        return Err(not_ours("there are bytes between the members"));
    }
    Ok(entries)
}

/// A member begins where the one before it ends, and ends before the directory.
fn check_place(entry: &Entry, expected: u64, directory: u64) -> Result<(), Damage> {
    let name = &entry.name;
    match () {
        () if entry.header < expected => Err(not_ours(&format!("{name} lies over the member before it"))),
        () if entry.header > expected => Err(not_ours(&format!("there are bytes before {name}"))),
        () if entry.end() > directory => Err(not_ours(&format!("{name} is longer than the file"))),
        () => Ok(()),
    }
}

fn check_start(file: &mut (impl Read + Seek), length: u64) -> Result<(), Damage> {
    if length == 0 {
        return Err(Damage::NotABundle("it is empty".into()));
    }
    if length < 4 || read_at(file, 0, 4)? != LOCAL.to_le_bytes() {
        return Err(Damage::NotABundle("it does not begin like one".into()));
    }
    Ok(())
}

struct End {
    directory: u64,
    count: u64,
}

fn end_record(file: &mut (impl Read + Seek), length: u64) -> Result<End, Damage> {
    let cut = || Damage::Cut("the end of the archive is not where it should be".into());
    let at = length.checked_sub(END_LEN).ok_or_else(cut)?;
    let bytes = read_at(file, at, END_LEN as usize)?;
    let mut fields = Fields(&bytes);
    if fields.take32() != Some(END) {
        return Err(cut());
    }
    fields.skip(6);
    let count = u64::from(fields.take16().unwrap_or_default());
    fields.skip(4);
    let mut directory = u64::from(fields.take32().unwrap_or_default());
    if directory == FULL32 {
        let at = at.checked_sub(LOCATOR64_LEN + END64_LEN).ok_or_else(cut)?;
        let bytes = read_at(file, at, END64_LEN as usize)?;
        let mut fields = Fields(&bytes);
        fields.skip(48);
        directory = fields.take64().unwrap_or_default();
    }
    if count > MAX_MEMBERS {
        return Err(not_ours(&format!("it says that it has {count} members; no bundle has more than {MAX_MEMBERS}")));
    }
    if directory >= length {
        return Err(not_ours("its end record points nowhere"));
    }
    Ok(End { directory, count })
}

fn entries(bytes: &[u8], count: u64) -> Result<Vec<Entry>, Damage> {
    let mut fields = Fields(bytes);
    let mut entries: Vec<Entry> = Vec::new();
    for _ in 0..count {
        let listed = listed(&mut fields).ok_or_else(|| not_ours("its directory cannot be read"))?;
        let entry = listed.entry()?;
        if entries.iter().any(|other| other.name == entry.name) {
            return Err(not_ours(&format!("{} is in it twice", entry.name)));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// A member as the directory lists it.
struct Listed<'a> {
    name: &'a [u8],
    flags: u16,
    method: u16,
    mode: u32,
    crc: u32,
    size: u64,
    header: u64,
}

fn listed<'a>(fields: &mut Fields<'a>) -> Option<Listed<'a>> {
    fields.skip(8);
    let (flags, method) = (fields.take16()?, fields.take16()?);
    fields.skip(4);
    let crc = fields.take32()?;
    let mut size = u64::from(fields.take32()?);
    fields.skip(4);
    let name_len = usize::from(fields.take16()?);
    let extra_len = usize::from(fields.take16()?);
    fields.skip(6);
    let mode = fields.take32()? >> 16;
    let mut header = u64::from(fields.take32()?);
    let name = fields.take(name_len)?;
    let mut extra = Fields(fields.take(extra_len)?);
    if extra_len > 0 {
        extra.skip(4);
        size = extra.take64()?;
        extra.skip(8);
        header = extra.take64()?;
    }
    header.checked_add(size)?.checked_add(1 << 16)?;
    Some(Listed { name, flags, method, mode, crc, size, header })
}

impl Listed<'_> {
    /// Says what is odd about it. What is left to differ is found when the whole directory is compared.
    fn entry(self) -> Result<Entry, Damage> {
        let name = std::str::from_utf8(self.name).map_err(|_| not_ours("the name of a member is not text"))?.to_owned();
        match () {
            () if !is_member_name(&name) => {
                let short: String = name.chars().take(MAX_NAME).collect();
                Err(not_ours(&format!("it has a member {short:?}, and no bundle has one of that name")))
            }
            () if self.mode & 0o170_000 != 0o100_000 => Err(not_ours(&format!("{name} is a link or no plain file"))),
            () if self.method != 0 => Err(not_ours(&format!("{name} is packed; members of a bundle are not"))),
            () if self.flags != 0 => Err(not_ours(&format!("{name} is encrypted or has no sizes"))),
            () => Ok(Entry { name, crc: self.crc, size: self.size, header: self.header }),
        }
    }
}

/// `manifest.json` and its signature, `tables/<name>.parquet`, `index/<name>.parquet`: nothing that could lead out of a
/// folder.
fn is_member_name(name: &str) -> bool {
    let stem = name
        .strip_prefix("tables/")
        .or_else(|| name.strip_prefix("index/"))
        .and_then(|file| file.strip_suffix(".parquet"));
    let plain =
        |stem: &str| !stem.is_empty() && stem.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    name.len() <= MAX_NAME && (name == MANIFEST || name == SEAL || stem.is_some_and(plain))
}

fn read_at(file: &mut (impl Read + Seek), at: u64, length: usize) -> Result<Vec<u8>, Damage> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Damage::Cut("a header is missing".into()),
        _ => Damage::Io(error),
    })?;
    Ok(bytes)
}

fn not_ours(what: &str) -> Damage {
    Damage::Container(what.to_owned())
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, length: usize) {
        self.0 = self.0.get(length..).unwrap_or_default();
    }

    fn take16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    fn take32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn take64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut entries = Vec::new();
        for (name, bytes) in members {
            let entry = Entry {
                name: (*name).to_owned(),
                crc: crc32fast::hash(bytes),
                size: bytes.len() as u64,
                header: out.len() as u64,
            };
            write_header(&mut out, &entry).unwrap();
            out.extend_from_slice(bytes);
            entries.push(entry);
        }
        write_directory(&mut out, &entries).unwrap();
        out
    }

    #[test]
    fn what_was_written_reads_back() {
        let bytes = archive(&[("tables/a.parquet", b"abc"), ("manifest.json", b"{}")]);
        let entries = read(&mut Cursor::new(&bytes)).unwrap();
        assert_eq!(entries.len(), 2);
        let data = entries[0].data() as usize;
        assert_eq!(&bytes[data..data + 3], b"abc");
    }

    #[test]
    fn every_flipped_byte_outside_the_members_is_noticed() {
        let bytes = archive(&[("tables/a.parquet", b""), ("manifest.json", b"")]);
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert!(read(&mut Cursor::new(&flipped)).is_err(), "byte {at}");
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in ["../x", "/etc/passwd", "tables/../x.parquet", "tables/.parquet", "other.json", "tables/A.parquet"]
        {
            let bytes = archive(&[(name, b"")]);
            assert!(read(&mut Cursor::new(&bytes)).is_err(), "{name}");
        }
    }

    #[test]
    fn a_member_over_four_gigabytes_has_zip64_fields() {
        let entry = Entry { name: "tables/a.parquet".into(), crc: 0, size: 5 << 30, header: 0 };
        let late = Entry { name: "manifest.json".into(), crc: 0, size: 2, header: entry.end() };
        let directory = directory(&[entry.clone(), late.clone()]);
        assert_eq!(entries(&directory, 2).unwrap(), [entry, late]);
    }
}
