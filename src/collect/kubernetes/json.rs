//! Objects as JSON: a List, a typed list, one object, several of these after each other or in an array, one a line.

use super::object::Head;
use super::objects::Objects;
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::collect::json::top_keys;
use crate::input::json::{Error, Json};
use std::borrow::Cow;
use std::io::BufRead;

pub struct KubernetesJson;

impl Form for KubernetesJson {
    fn name(&self) -> &'static str {
        "Kubernetes objects (JSON)"
    }

    /// Looks for the two words that every object and list has at its top; other JSON may hold objects too.
    fn claims(&self, file: &Candidate) -> bool {
        let head = file.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.head).trim_ascii_start();
        let keys = top_keys(head.strip_prefix(b"[").unwrap_or(head));
        let has = |key: &str| keys.iter().any(|found| found == key);
        let first = keys.iter().position(|key| key == "apiVersion").is_some_and(|position| position < 4);
        // A kubeconfig has the two words as well, and is nothing to take along.
        let named = has("apiVersion") && has("kind") && (has("metadata") || has("items") || !file.whole);
        let known = named || first && (has("items") || has("metadata"));
        // The audit log of an API server is made of things that are called Event as well.
        known && memchr::memmem::find(file.head.get(..200).unwrap_or(&file.head), b"\"audit.k8s.io/").is_none()
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut reading =
            Reading { json: Json::new(input), objects: Objects::new(file, taking), document: Document::default() };
        match reading.file() {
            Ok(()) => {}
            Err(Stop::Ours(error)) => return Err(error),
            Err(Stop::Theirs(error)) => reading.stopped(&error)?,
        }
        reading.objects.finish()
    }
}

/// Why reading ends before the file does.
enum Stop {
    Ours(crate::collect::Error),
    Theirs(Error),
}

impl From<crate::collect::Error> for Stop {
    fn from(error: crate::collect::Error) -> Self {
        Self::Ours(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Theirs(error)
    }
}

/// How much is kept of a value that is too long to be read.
const BEGINNING: usize = 64 << 10;

/// Text, and whether bytes had to be replaced to make it that.
fn readable(bytes: &[u8]) -> (String, bool) {
    let text = String::from_utf8_lossy(bytes);
    let lossy = matches!(text, Cow::Owned(_));
    (text.into_owned(), lossy)
}

struct Reading<'a, 'w, R> {
    json: Json<R>,
    objects: Objects<'a, 'w>,
    /// What was read of the document we are in.
    document: Document,
}

/// A document without the elements of its list, as JSON text that is not closed yet.
#[derive(Default)]
struct Document {
    line: u64,
    text: String,
    /// It is a list, with so many elements so far.
    items: Option<u64>,
    /// A part of it could not be read.
    spoiled: bool,
}

impl<R: BufRead> Reading<'_, '_, R> {
    fn file(&mut self) -> std::result::Result<(), Stop> {
        while let Some(first) = self.json.peek()? {
            match first {
                b'{' => self.document()?,
                b'[' => {
                    self.json.enter()?;
                    while self.json.more()? {
                        match self.json.peek()? {
                            Some(b'{') => self.document()?,
                            _ => self.stray()?,
                        }
                    }
                }
                _ => self.stray()?,
            }
        }
        Ok(())
    }

    /// An object or a list. Its elements are taken as they come, the rest of it when it ends.
    fn document(&mut self) -> std::result::Result<(), Stop> {
        self.json.enter()?;
        self.document = Document { line: self.json.line(), text: "{".to_owned(), ..Document::default() };
        while let Some(key) = self.json.key()? {
            if key == "items" && self.document.items.is_none() && self.json.peek()? == Some(b'[') {
                self.items()?;
                continue;
            }
            let value = match self.json.value().map(readable) {
                Ok((value, lossy)) => {
                    self.note_bad_text(lossy);
                    value
                }
                Err(error) => {
                    self.passed_over(error)?;
                    self.document.spoiled = true;
                    continue;
                }
            };
            let text = &mut self.document.text;
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&serde_json::Value::from(key).to_string());
            text.push(':');
            text.push_str(&value);
        }
        let mut document = std::mem::take(&mut self.document);
        document.text.push('}');
        match document.items {
            Some(0) => self.objects.empty_list(&serde_json::from_str(&document.text).unwrap_or_default()),
            Some(_) => self.objects.end_list(serde_json::from_str(&document.text).unwrap_or_default(), true)?,
            None if document.spoiled => {}
            None => self.objects.single(&document.text, document.line)?,
        }
        Ok(())
    }

    fn items(&mut self) -> std::result::Result<(), Stop> {
        let so_far: Head = serde_json::from_str(&format!("{}}}", self.document.text)).unwrap_or_default();
        self.objects.head = so_far;
        self.document.items = Some(0);
        self.json.enter()?;
        while self.json.more()? {
            match self.json.value().map(readable) {
                Ok((text, lossy)) => {
                    self.note_bad_text(lossy);
                    self.objects.item(&text, self.json.line())?;
                }
                Err(error) => self.passed_over(error)?,
            }
            self.document.items = self.document.items.map(|items| items + 1);
        }
        Ok(())
    }

    /// Something between objects, such as an error that was printed into the same file.
    fn stray(&mut self) -> std::result::Result<(), Stop> {
        let line = self.json.line();
        let text = if self.json.depth() == 0 { self.json.rest_of_line()? } else { self.json.value()? };
        let text = String::from_utf8_lossy(text).trim().to_owned();
        let beginning: String = text.chars().take(80).collect();
        self.objects.unreadable(&text, line, &format!("not an object: {beginning}"))?;
        Ok(())
    }

    /// Goes on behind a value that is too long; anything else is the end.
    fn passed_over(&mut self, error: Error) -> std::result::Result<(), Stop> {
        if error.is_final() {
            return Err(error.into());
        }
        let fragment = self.json.fragment();
        let text = String::from_utf8_lossy(fragment.get(..BEGINNING).unwrap_or(fragment)).into_owned();
        self.objects.unreadable(&text, self.json.line(), "too long; its beginning is kept")?;
        Ok(())
    }

    /// Keeps what was read of the object in which the file ends, or in which it stops being JSON.
    fn stopped(&mut self, error: &Error) -> Result<()> {
        self.objects.cut(error.to_string());
        let document = std::mem::take(&mut self.document);
        let fragment = String::from_utf8_lossy(self.json.fragment()).into_owned();
        let beginning = if document.items.is_some() { "" } else { document.text.as_str() };
        let text = format!("{beginning}{fragment}");
        if text.trim().is_empty() {
            return Ok(());
        }
        self.objects.fragment(&text, self.json.line())
    }

    fn note_bad_text(&mut self, lossy: bool) {
        if lossy {
            let line = self.json.line();
            self.objects.taken.problem(format!("line {line}: not UTF-8; what is not was replaced"));
        }
    }
}
