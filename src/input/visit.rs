//! Opens a file and everything inside it, whatever it is wrapped in, as streams: nothing is unpacked to disk.

use super::compressed::{self, Codec};
use super::encoding::to_utf8;
use super::limits::{Budget, DEPTH, Limited, MEMBERS, NESTED_ZIP};
use super::peeked::Peeked;
use super::tarball::{self, Member};
use super::zipped;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::rc::Rc;

/// Large reads: a file is read from one end to the other.
const BUFFER: usize = 1 << 20;

/// What was found inside a file, in the order in which it stands there.
pub enum Found<'a> {
    File(Inner<'a>),
    /// Something that is no file, or could not be opened.
    Passed {
        name: String,
        reason: String,
        failed: bool,
    },
}

/// A file with nothing around it any more.
pub struct Inner<'a> {
    /// Its path: that of the outer file and, in an archive, the path within.
    pub name: String,
    /// The encoding it was in, if it was not plain UTF-8.
    pub encoding: Option<&'static str>,
    /// Its first bytes.
    pub head: Vec<u8>,
    /// All of it is in the head.
    pub whole: bool,
    /// All of it, from the beginning.
    pub reader: &'a mut dyn BufRead,
}

impl Inner<'_> {
    /// Its name without the ending of a compressed file.
    pub fn bare(&self) -> &str {
        compressed::bare(&self.name)
    }
}

/// Hands out every file inside `file`. `advance` is told how many bytes of the outer file have been read.
pub fn visit<E>(
    file: File,
    name: &str,
    advance: &dyn Fn(u64),
    each: &mut dyn FnMut(Found<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let mut visit = Visit { budget: Budget::of(size), members: 0, each };
    let on_disk = file.try_clone().ok();
    let counted = Counted { file, advance };
    visit.open(Box::new(BufReader::with_capacity(BUFFER, counted)), name, 0, on_disk)
}

struct Visit<'v, E> {
    budget: Rc<Budget>,
    members: u64,
    each: &'v mut dyn FnMut(Found<'_>) -> Result<(), E>,
}

impl<E> Visit<'_, E> {
    fn open(&mut self, data: Box<dyn BufRead + '_>, name: &str, depth: usize, on_disk: Option<File>) -> Result<(), E> {
        let mut data = Peeked::new(data);
        if let Some(error) = data.failure() {
            return self.pass(name, error.to_string(), true);
        }
        let codec = Codec::of(data.head());
        let (tar, zip) = (tarball::is_tar(data.head()), zipped::is_zip(data.head()));
        if depth >= DEPTH && (codec.is_some() || tar || zip) {
            return self.pass(name, format!("archives within archives, deeper than {DEPTH}"), true);
        }
        match codec {
            Some(codec) => match codec.decode(data) {
                Ok(decoder) => {
                    let limited = Limited::new(decoder, codec.name, self.budget.clone());
                    self.open(Box::new(BufReader::with_capacity(BUFFER, limited)), name, depth + 1, None)
                }
                Err(error) => self.pass(name, error.to_string(), true),
            },
            None if tar => tarball::each(data, |member| self.member(member, name, depth)),
            None if zip => self.zip(data, name, depth, on_disk),
            None => self.file(data, name),
        }
    }

    fn zip(&mut self, data: Peeked<'_>, name: &str, depth: usize, on_disk: Option<File>) -> Result<(), E> {
        if let Some(mut file) = on_disk {
            return match file.rewind() {
                Ok(()) => zipped::each(BufReader::new(file), |member| self.member(member, name, depth)),
                Err(error) => self.pass(name, error.to_string(), true),
            };
        }
        let mut bytes = Vec::new();
        match data.take(NESTED_ZIP + 1).read_to_end(&mut bytes) {
            Err(error) => self.pass(name, error.to_string(), true),
            Ok(length) if length as u64 > NESTED_ZIP => {
                self.pass(name, format!("a ZIP inside an archive, larger than {NESTED_ZIP} bytes"), true)
            }
            Ok(_) => zipped::each(Cursor::new(bytes), |member| self.member(member, name, depth)),
        }
    }

    fn member(&mut self, member: Member<'_>, archive: &str, depth: usize) -> Result<(), E> {
        self.members += 1;
        match member {
            Member::Passed { name, reason, failed } => self.pass(&within(archive, &name), reason, failed),
            Member::File { name, .. } if self.members > MEMBERS => {
                self.pass(&within(archive, &name), format!("more than {MEMBERS} files in one archive"), true)
            }
            Member::File { name, data } => {
                let limited = Limited::new(data, "archive's", self.budget.clone());
                self.open(Box::new(BufReader::new(limited)), &within(archive, &name), depth + 1, None)
            }
        }
    }

    fn file(&mut self, data: Peeked<'_>, name: &str) -> Result<(), E> {
        let (mut data, encoding) = to_utf8(data);
        let (head, whole) = (data.head().to_vec(), data.is_whole());
        (self.each)(Found::File(Inner { name: name.to_owned(), encoding, head, whole, reader: &mut data }))
    }

    fn pass(&mut self, name: &str, reason: String, failed: bool) -> Result<(), E> {
        (self.each)(Found::Passed { name: name.to_owned(), reason, failed })
    }
}

/// A member's path as it is shown. It names nothing on disk, so `..` in it leads nowhere.
fn within(archive: &str, member: &str) -> String {
    let parts = member.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    std::iter::once(archive).chain(parts).collect::<Vec<_>>().join("/")
}

/// Tells how much of a file was read.
struct Counted<'a> {
    file: File,
    advance: &'a dyn Fn(u64),
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let length = self.file.read(to)?;
        (self.advance)(length as u64);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::io::Write;

    fn on_disk(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    /// Name and text of everything inside, or why it was passed over.
    fn inside(bytes: &[u8]) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let each = &mut |it: Found<'_>| -> Result<(), Infallible> {
            match it {
                Found::File(inner) => {
                    let mut text = String::new();
                    if let Err(error) = inner.reader.read_to_string(&mut text) {
                        text = format!("error: {error}");
                    }
                    found.push((inner.name, text));
                }
                Found::Passed { name, reason, failed } => found.push((name, format!("passed {failed}: {reason}"))),
            }
            Ok(())
        };
        visit(on_disk(bytes), "f", &|_| {}, each).unwrap();
        found
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            // By hand, since the crate refuses names that lead out of the folder.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        liblzma::encode_all(bytes, 1).unwrap()
    }

    fn bz2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn one(name: &str, text: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), text.to_owned())]
    }

    #[test]
    fn every_codec_gives_back_what_was_put_in() {
        let text = "overture\n".repeat(30_000);
        let packed = [gz, xz, bz2, |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap()];
        for pack in packed {
            assert_eq!(inside(&pack(text.as_bytes())), one("f", &text));
            assert_eq!(inside(&pack(&pack(text.as_bytes()))), one("f", &text), "twice");
        }
        let twice = [gz(b"one "), gz(b"two")].concat();
        assert_eq!(inside(&twice), one("f", "one two"), "joined files are one stream");
    }

    #[test]
    fn archives_within_archives_are_opened() {
        let inner = tar(&[("a/x.log.gz", &gz(b"x")), ("y.txt", b"y")]);
        let outer = zip(&[("in/inner.tgz", &gz(&inner)), ("../../z", b"z")]);
        let found = inside(&gz(&tar(&[("outer.zip", &outer)])));
        let names: Vec<(&str, &str)> = found.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let expected = [
            ("f/outer.zip/in/inner.tgz/a/x.log.gz", "x"),
            ("f/outer.zip/in/inner.tgz/y.txt", "y"),
            ("f/outer.zip/z", "z"),
        ];
        assert_eq!(names, expected);
        assert_eq!(inside(&tar(&[("/etc/../../up", b"u")])), one("f/etc/up", "u"));
    }

    #[test]
    fn a_cut_file_gives_what_stands_before_the_cut() {
        let mut noise = 7_u32;
        let mut next = || {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.to_string()
        };
        let text = (0..40_000).map(|_| next()).collect::<Vec<_>>().join("\n");
        let packed = gz(text.as_bytes());
        let each = &mut |it: Found<'_>| -> Result<(), Infallible> {
            let Found::File(inner) = it else { panic!("passed over") };
            let mut lines = super::super::Lines::new(inner.reader);
            let error = loop {
                match lines.next() {
                    Ok(line) => assert!(line.is_some(), "the end came without a word"),
                    Err(error) => break error.to_string(),
                }
            };
            assert!(lines.number() > 1000, "{}", lines.number());
            assert!(error.contains("gzip data is cut or damaged after "), "{error}");
            Ok(())
        };
        visit(on_disk(&packed[..packed.len() / 2]), "f", &|_| {}, each).unwrap();
    }

    #[test]
    fn a_bomb_is_stopped_with_the_number() {
        let bomb = zstd::encode_all(std::io::repeat(0).take((1 << 30) + 10), 1).unwrap();
        assert!(bomb.len() < 1 << 20);
        let mut error = String::new();
        let each = &mut |it: Found<'_>| -> Result<(), Infallible> {
            let Found::File(inner) = it else { panic!("passed over") };
            error = std::io::copy(inner.reader, &mut std::io::sink()).unwrap_err().to_string();
            Ok(())
        };
        visit(on_disk(&bomb), "f", &|_| {}, each).unwrap();
        assert!(error.contains("expands to more than 1073741824 bytes, the limit"), "{error}");
    }

    #[test]
    fn too_many_layers_are_named() {
        let mut packed = b"x".to_vec();
        for _ in 0..9 {
            packed = gz(&packed);
        }
        assert!(inside(&packed)[0].1.contains("deeper than 8"));
    }

    #[test]
    fn text_of_other_programs_becomes_utf_8() {
        let text = "TIMESTAMP,log\r\nnow,\"é\"\r\n".repeat(4);
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let marked = [&b"\xff\xfe"[..], &little].concat();
        for bytes in [marked, [&b"\xfe\xff"[..], &big].concat(), little, big] {
            assert_eq!(inside(&bytes), one("f", &text));
        }
        assert_eq!(inside(b"\xef\xbb\xbfmark"), one("f", "mark"));
    }

    #[test]
    fn damaged_archives_say_so() {
        let archive = tar(&[("a", &[b'a'; 2000]), ("b", b"b")]);
        let found = inside(&archive[..1500]);
        assert!(
            found.iter().any(|(_, text)| text.starts_with("error") || text.contains("cannot be read on")),
            "{found:?}"
        );
        assert!(inside(b"PK\x03\x04 is no archive")[0].1.contains("passed true"));
        assert!(inside(b"\x1f\x8b\x08 is no gzip")[0].1.contains("passed true"));
        assert_eq!(inside(b"BZhello"), one("f", "BZhello"));
    }
}
