//! Objects as YAML: `kubectl get -o yaml`, `oc adm inspect`, must-gather, manifests. Lists come object by object.

use super::object::Head;
use super::objects::Objects;
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::yaml::{Part, Piece, Pieces, to_json};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::BufRead;

pub struct KubernetesYaml;

impl Form for KubernetesYaml {
    fn name(&self) -> &'static str {
        "Kubernetes objects (YAML)"
    }

    /// Looks for the words that every object and list has at its top. A list may be longer than the head, and has
    /// its kind at the end; so has an object with much data.
    fn claims(&self, file: &Candidate) -> bool {
        let text = String::from_utf8_lossy(&file.head);
        let text = text.trim_start_matches('\u{feff}');
        if is_template(text) {
            return false;
        }
        let goes_on = !file.whole;
        documents(text).any(|document| {
            let keys = Keys::of(document);
            let object = keys.has("kind") && keys.has("metadata") || goes_on && keys.ends_in_data();
            keys.has("apiVersion") && (object || keys.has("items"))
        })
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut objects = Objects::new(file, taking);
        let mut pieces = Pieces::new(input, "items");
        // The file may end with an element that is not whole: what its list says next tells.
        let mut last = None;
        loop {
            match pieces.next() {
                Ok(Some(piece)) => {
                    if piece.part == Part::Element && piece.last {
                        last = Some(piece);
                    } else {
                        take_piece(&piece, last.take(), &mut objects)?;
                    }
                }
                Ok(None) => return objects.finish(),
                Err(error) => objects.cut(error.to_string()),
            }
        }
    }
}

fn take_piece(piece: &Piece, last: Option<Piece>, objects: &mut Objects<'_, '_>) -> Result<()> {
    if piece.part == Part::TooLong {
        return objects.unreadable(&piece.text, piece.line(), "an object that is too long");
    }
    let Some(json) = convert(piece, objects)? else { return Ok(()) };
    match piece.part {
        Part::Element => return objects.item(&json, piece.line()),
        Part::List(_) => {}
        Part::Document | Part::TooLong => return take_document(&json, piece, objects),
    }
    let head: Head = serde_json::from_str(&json).unwrap_or_default();
    let is_array = piece.text.is_empty();
    if let Some(last) = last {
        // kubectl names the kind after the elements: without it, this is not where the list ended.
        if head.kind.is_none() && !is_array {
            objects.cut(format!("line {}: the file ends in this object, in the middle of a list", last.line()));
            objects.fragment(&last.text, last.line())?;
        } else if let Some(json) = convert(&last, objects)? {
            note_cut(&last, objects);
            objects.item(&json, last.line())?;
        }
    }
    objects.end_list(head, !is_array)
}

/// A document that is an object, or a list without elements of its own lines.
fn take_document(json: &str, piece: &Piece, objects: &mut Objects<'_, '_>) -> Result<()> {
    match serde_json::from_str::<List<'_>>(json) {
        _ if json == "null" => Ok(()),
        Ok(List { items: Some(items) }) if items.get().starts_with('[') => {
            let items: Vec<&RawValue> = serde_json::from_str(items.get()).unwrap_or_default();
            let head: Head = serde_json::from_str(json).unwrap_or_default();
            if items.is_empty() {
                objects.empty_list(&head);
                return Ok(());
            }
            for item in items {
                objects.item(item.get(), piece.line())?;
            }
            objects.end_list(head, true)
        }
        _ if has_bare_items(&piece.text) => {
            objects.empty_list(&serde_json::from_str(json).unwrap_or_default());
            Ok(())
        }
        _ => {
            note_cut(piece, objects);
            objects.single(json, piece.line())
        }
    }
}

/// `items:` with nothing after it: a list without elements, or one that was cut right there.
fn has_bare_items(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "items:")
}

#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    items: Option<&'a RawValue>,
}

/// The JSON of a piece; `None` if it cannot be read, which is then noted.
fn convert(piece: &Piece, objects: &mut Objects<'_, '_>) -> Result<Option<String>> {
    if let Some(line) = piece.not_utf8 {
        objects.taken.problem(format!("line {line}: not UTF-8; what is not was replaced"));
    }
    match to_json(&piece.text) {
        Ok(json) => Ok(Some(json)),
        Err(fault) => {
            objects.unreadable(&piece.text, piece.line_of(fault.line), &fault.what)?;
            Ok(None)
        }
    }
}

/// kubectl ends its last line; where nobody did, something may be missing.
fn note_cut(piece: &Piece, objects: &mut Objects<'_, '_>) {
    if piece.cut {
        objects.doubt("its last line has no end: the last object may be cut".to_owned());
    }
}

/// The documents in a text, by the lines between them.
fn documents(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n---").map(|document| document.strip_prefix("---").unwrap_or(document))
}

/// The keys at the top of a document, as far as it is there.
struct Keys<'a>(Vec<&'a str>);

impl<'a> Keys<'a> {
    /// Words before the first key that are neither comment nor directive make it something else, such as a log. Of
    /// a document that is a list of objects, the keys of the first.
    fn of(document: &'a str) -> Self {
        let mut keys = Vec::new();
        let mut margin = "";
        for line in document.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(['#', '%'])) {
            let line = match line.strip_prefix("- ") {
                Some(first) if keys.is_empty() && margin.is_empty() => {
                    margin = "  ";
                    first
                }
                _ => line.strip_prefix(margin).unwrap_or("- "),
            };
            if line.starts_with([' ', '-', '\t']) && !keys.is_empty() {
                continue;
            }
            match line.split_once(':') {
                Some((key, rest)) if is_word(key) && (rest.is_empty() || rest.starts_with(' ')) => keys.push(key),
                _ if keys.is_empty() => break,
                _ => {}
            }
        }
        Self(keys)
    }

    fn has(&self, key: &str) -> bool {
        self.0.contains(&key)
    }

    /// The data of a ConfigMap or Secret come before its kind.
    fn ends_in_data(&self) -> bool {
        self.0.last().is_some_and(|key| matches!(*key, "data" | "binaryData" | "stringData"))
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Has it `{{ … }}` where only a template has it? In the text of a block, braces are just text.
fn is_template(text: &str) -> bool {
    let mut block = None;
    for line in text.lines() {
        let trimmed = line.trim_start_matches([' ', '-']);
        let indent = line.len() - line.trim_start_matches(' ').len();
        if trimmed.trim().is_empty() || block.is_some_and(|block| indent > block) {
            continue;
        }
        block = None;
        let value = trimmed.split_once(": ").map_or(trimmed, |(_, value)| value.trim_start());
        if trimmed.starts_with("{{") || value.starts_with("{{") {
            return true;
        }
        if value.starts_with(['|', '>']) && value.len() <= 4 {
            block = Some(indent);
        }
    }
    false
}
