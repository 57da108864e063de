//! A stream of bytes to the values of a JSON document, one at a time, in bounded memory.
//!
//! It finds where values begin and end and leaves what they say to others, so a document of any size can be walked
//! and each element comes out word for word. It takes a comma for a space, and does not mind several documents one
//! after the other: jq and people write them.

use memchr::{memchr, memchr_iter, memchr2};
use std::io::{self, BufRead, ErrorKind};

/// A value beyond this length is not handed out, so that a broken document does not fill the memory.
const LONGEST: usize = 128 << 20;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("line {line}: cut in the middle of what begins here")]
    Cut { line: u64 },
    #[error("line {line}: {what} is expected here, not {found:?}")]
    Unexpected { line: u64, what: &'static str, found: char },
    /// The value was passed over, and what follows it can be read.
    #[error("line {line}: a value of {bytes} bytes is too long")]
    TooLong { line: u64, bytes: u64 },
}

impl Error {
    /// Nothing can be read behind it.
    pub const fn is_final(&self) -> bool {
        !matches!(self, Self::TooLong { .. })
    }
}

pub type Result<T> = std::result::Result<T, Error>;

/// Walks a document. `more` goes through the elements of what was entered last, or through the documents of the file.
///
/// ```
/// # fn main() -> dacapo::input::json::Result<()> {
/// let mut json = dacapo::input::json::Json::new(&br#"{"kind": "List", "items": [{"a": 1}, {"a": 2}]}"#[..]);
/// json.enter()?;
/// let mut found = Vec::new();
/// while let Some(key) = json.key()? {
///     if key == "items" && json.enter()? {
///         while json.more()? {
///             found.push(String::from_utf8_lossy(json.value()?).into_owned());
///         }
///     } else {
///         json.skip()?;
///     }
/// }
/// assert_eq!(found, [r#"{"a": 1}"#, r#"{"a": 2}"#]);
/// # Ok(())
/// # }
/// ```
pub struct Json<R> {
    reader: R,
    buffer: Vec<u8>,
    longest: usize,
    bytes: u64,
    /// Lines that were read over.
    lines: u64,
    began: u64,
    /// The lines of the objects and arrays that were entered and not left.
    open: Vec<u64>,
}

impl<R: BufRead> Json<R> {
    pub const fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new(), longest: LONGEST, bytes: 0, lines: 0, began: 1, open: Vec::new() }
    }

    /// The line, counted from 1, on which what was handed out or peeked at last begins.
    pub const fn line(&self) -> u64 {
        self.began
    }

    /// How much was read so far.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many objects and arrays were entered and not left.
    pub const fn depth(&self) -> usize {
        self.open.len()
    }

    /// What was read of a value that was cut or is too long.
    pub fn fragment(&self) -> &[u8] {
        &self.buffer
    }

    /// The first byte of what comes next; `None` at the end of the file.
    pub fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let available = fill(&mut self.reader)?;
            if available.is_empty() {
                self.began = self.lines + 1;
                return Ok(None);
            }
            let is_space = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | 0xEF | 0xBB | 0xBF);
            let space = available.iter().position(|byte| !is_space(byte));
            let next = space.and_then(|at| available.get(at).copied());
            self.pass(space);
            if next.is_some() {
                self.began = self.lines + 1;
                return Ok(next);
            }
        }
    }

    /// Goes into the object or array that comes next; false, and nothing happens, if it is something else.
    pub fn enter(&mut self) -> Result<bool> {
        let opens = matches!(self.peek()?, Some(b'{' | b'['));
        if opens {
            self.open.push(self.began);
            self.pass(Some(1));
        }
        Ok(opens)
    }

    /// Is there a further element where we are? If not, leaves the object or array.
    pub fn more(&mut self) -> Result<bool> {
        // What was handed out before is no part of what comes next.
        self.buffer.clear();
        match (self.peek()?, self.open.last()) {
            (Some(b'}' | b']'), _) => {
                self.open.pop();
                self.pass(Some(1));
                Ok(false)
            }
            (None, Some(line)) => Err(Error::Cut { line: *line }),
            (next, _) => Ok(next.is_some()),
        }
    }

    /// The next key of the object that was entered last. If there is none, leaves it.
    pub fn key(&mut self) -> Result<Option<String>> {
        if !self.more()? {
            return Ok(None);
        }
        let (line, quote) = (self.began, self.peek()?);
        if quote != Some(b'"') {
            return Err(self.unexpected("a key", quote));
        }
        self.value()?;
        let key = serde_json::from_slice(&self.buffer);
        let key = key.unwrap_or_else(|_| String::from_utf8_lossy(&self.buffer).trim_matches('"').to_owned());
        match self.peek()? {
            Some(b':') => self.pass(Some(1)),
            None => return Err(Error::Cut { line }),
            found => return Err(self.unexpected("a colon", found)),
        }
        self.began = line;
        Ok(Some(key))
    }

    /// The text of the next value, whole.
    pub fn value(&mut self) -> Result<&[u8]> {
        self.read(true)?;
        Ok(&self.buffer)
    }

    /// Passes over the next value.
    pub fn skip(&mut self) -> Result<()> {
        self.read(false)
    }

    /// The rest of the line, whatever it says: something may stand between documents that is no JSON.
    pub fn rest_of_line(&mut self) -> Result<&[u8]> {
        self.buffer.clear();
        self.peek()?;
        loop {
            let available = fill(&mut self.reader)?;
            let end = memchr(b'\n', available);
            let part = end.and_then(|end| available.get(..end)).unwrap_or(available);
            if self.buffer.len() + part.len() <= self.longest {
                self.buffer.extend_from_slice(part);
            }
            let done = end.is_some() || available.is_empty();
            self.pass(end);
            if done {
                return Ok(&self.buffer);
            }
        }
    }

    /// Passes over the rest of the object or array that was entered last, and leaves it.
    pub fn leave(&mut self) -> Result<()> {
        let depth = self.open.len();
        while self.open.len() >= depth && self.peek()?.is_some() {
            if !self.more()? {
                break;
            }
            if self.peek()? == Some(b':') {
                self.pass(Some(1));
            } else {
                self.skip()?;
            }
        }
        Ok(())
    }

    fn read(&mut self, keeps: bool) -> Result<()> {
        self.buffer.clear();
        let (first, before) = (self.peek()?, self.bytes);
        let line = self.began;
        match first {
            None => return Err(Error::Cut { line: self.open.last().copied().unwrap_or(line) }),
            Some(b':' | b'}' | b']') => return Err(self.unexpected("a value", first)),
            Some(_) => {}
        }
        let mut scan = Scan::default();
        loop {
            let available = fill(&mut self.reader)?;
            if available.is_empty() {
                let whole = scan.ends_with_file() && self.open.is_empty();
                return if whole { Ok(()) } else { Err(Error::Cut { line }) };
            }
            let end = scan.feed(available);
            let part = end.and_then(|end| available.get(..end)).unwrap_or(available);
            if keeps && self.buffer.len() + part.len() <= self.longest {
                self.buffer.extend_from_slice(part);
            }
            self.pass(end);
            if end.is_some() {
                let bytes = self.bytes - before;
                let fits = !keeps || self.buffer.len() as u64 == bytes;
                return if fits { Ok(()) } else { Err(Error::TooLong { line, bytes }) };
            }
        }
    }

    /// Consumes so many of the bytes at hand, or all of them, and counts the lines.
    fn pass(&mut self, count: Option<usize>) {
        let Ok(available) = self.reader.fill_buf() else { return };
        let part = count.and_then(|count| available.get(..count)).unwrap_or(available);
        self.lines += memchr_iter(b'\n', part).count() as u64;
        let length = part.len();
        self.bytes += length as u64;
        self.reader.consume(length);
    }

    fn unexpected(&self, what: &'static str, found: Option<u8>) -> Error {
        Error::Unexpected { line: self.began, what, found: found.map_or(' ', char::from) }
    }
}

fn fill<R: BufRead>(reader: &mut R) -> Result<&[u8]> {
    // Asked twice, because a borrow that is returned from within a loop lasts too long for the compiler.
    while let Err(error) = reader.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(error.into());
        }
    }
    Ok(reader.fill_buf()?)
}

/// Finds the end of one value, however it is cut into pieces.
#[derive(Debug, Default, Clone)]
pub struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// A number, or a word such as `null`: it ends where something else begins.
    in_word: bool,
}

impl Scan {
    /// How many bytes of this piece belong to the value if it ends there; `None` if all do and it goes on.
    pub fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(rest) = piece.get(at..).filter(|rest| !rest.is_empty()) {
            if self.in_string {
                let (length, ended) = self.string(rest);
                at += length;
                if ended && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            let offset = rest.iter().position(|byte| self.stops(*byte))?;
            let byte = rest.get(offset).copied().unwrap_or_default();
            if self.in_word {
                return Some(at + offset);
            }
            at += offset + 1;
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 1 => self.depth -= 1,
                b'}' | b']' => {
                    self.depth = 0;
                    return Some(at);
                }
                _ => self.in_word = true,
            }
        }
        None
    }

    /// A file may end here: the value is a word or number, which nothing closes.
    pub const fn ends_with_file(&self) -> bool {
        self.in_word
    }

    const fn stops(&self, byte: u8) -> bool {
        if self.in_word {
            return matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'{' | b'[' | b'}' | b']' | b'"');
        }
        match byte {
            b'"' | b'{' | b'[' | b'}' | b']' => true,
            _ => self.depth == 0 && !byte.is_ascii_whitespace(),
        }
    }

    /// How far the string goes in these bytes, and whether it ends there.
    fn string(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = usize::from(std::mem::take(&mut self.escaped));
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
            at += found + 1;
            if bytes.get(at - 1) == Some(&b'"') {
                self.in_string = false;
                return (at, true);
            }
            self.escaped = at == bytes.len();
            at += 1;
        }
        (bytes.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn over(text: &str, buffer: usize) -> Json<io::BufReader<&[u8]>> {
        Json::new(io::BufReader::with_capacity(buffer, text.as_bytes()))
    }

    /// The values of a stream, or of the array at its top, with the lines on which they begin.
    fn values(text: &str, buffer: usize) -> (Vec<(u64, String)>, Option<String>) {
        let mut json = over(text, buffer);
        let mut found = Vec::new();
        let mut walk = || -> Result<()> {
            if json.peek()? == Some(b'[') {
                json.enter()?;
            }
            while json.more()? {
                let text = String::from_utf8_lossy(json.value()?).into_owned();
                found.push((json.line(), text));
            }
            Ok(())
        };
        let error = walk().err().map(|error| error.to_string());
        (found, error)
    }

    #[test]
    fn a_stream_and_an_array_give_their_values_and_lines() {
        for buffer in [1, 2, 7, 100] {
            let stream = "\u{feff}{\"a\":\n[1]} \n\n \"x\\\"\" null\n12";
            let expected = [(1, "{\"a\":\n[1]}"), (4, "\"x\\\"\""), (4, "null"), (5, "12")];
            let expected: Vec<(u64, String)> = expected.map(|(line, text)| (line, text.to_owned())).into();
            assert_eq!(values(stream, buffer), (expected.clone(), None));
            let array = "[{\"a\":\n[1]} \n\n, \"x\\\"\", null,\n12 ]\n";
            assert_eq!(values(array, buffer), (expected, None));
            assert_eq!(values("[]", buffer), (vec![], None));
            assert_eq!(values("", buffer), (vec![], None));
        }
    }

    #[test]
    fn a_cut_document_gives_what_is_complete_before_the_cut() {
        let (found, error) = values("[{\"a\":1},\n{\"b\":\"x", 4);
        assert_eq!(found, [(1, "{\"a\":1}".to_owned())]);
        assert_eq!(error.as_deref(), Some("line 2: cut in the middle of what begins here"));
        let (found, error) = values("[1, 2", 100);
        assert_eq!(found.len(), 1, "a number may go on where the file was cut");
        assert_eq!(error.as_deref(), Some("line 1: cut in the middle of what begins here"));
    }

    #[test]
    fn a_member_is_found_among_others() {
        for buffer in [1, 3, 100] {
            let mut json =
                over("{\"a\": {\"items\": [0]}, \"b\\u0041\": [{}],\n \"items\" : [1, [2]], \"z\": 3} 4", buffer);
            assert!(json.enter().unwrap());
            let mut found = Vec::new();
            while let Some(key) = json.key().unwrap() {
                found.push(format!("{key}@{}", json.line()));
                if key == "items" && json.enter().unwrap() {
                    while json.more().unwrap() {
                        found.push(String::from_utf8_lossy(json.value().unwrap()).into_owned());
                    }
                } else {
                    json.skip().unwrap();
                }
            }
            assert_eq!(found, ["a@1", "bA@1", "items@2", "1", "[2]", "z@2"]);
            assert_eq!((json.depth(), json.value().unwrap()), (0, &b"4"[..]));
        }
    }

    #[test]
    fn what_was_entered_can_be_left() {
        let mut json = over("{\"a\": {\"b\": [1], \"c\": 2}, \"d\": 3}", 100);
        assert!(json.enter().unwrap());
        json.key().unwrap();
        assert!(json.enter().unwrap());
        json.key().unwrap();
        json.leave().unwrap();
        assert_eq!(json.key().unwrap().as_deref(), Some("d"));
        assert!(!json.enter().unwrap());
    }

    #[test]
    fn a_value_that_is_too_long_is_passed_over() {
        let mut json = Json { longest: 5, ..over("[\"0123456789\", 1]", 3) };
        json.enter().unwrap();
        let error = json.value().unwrap_err();
        assert!(!error.is_final());
        assert_eq!(error.to_string(), "line 1: a value of 12 bytes is too long");
        assert_eq!(json.value().unwrap(), b"1");
    }

    #[test]
    fn rubbish_is_named() {
        let mut json = over("{a: 1}", 100);
        json.enter().unwrap();
        assert_eq!(json.key().unwrap_err().to_string(), "line 1: a key is expected here, not 'a'");
    }

    proptest! {
        #[test]
        fn any_bytes_come_to_an_end(text in "[\\[\\]{}\",:a1\\\\ \n]{0,40}", buffer in 1_usize..9) {
            let mut json = over(&text, buffer);
            for _ in 0..=text.len() {
                if matches!(json.enter(), Ok(true)) || matches!(json.key(), Ok(Some(_))) || json.skip().is_ok() {
                    continue;
                }
                prop_assert!(json.bytes() <= text.len() as u64);
            }
            values(&text, buffer);
        }
    }
}
