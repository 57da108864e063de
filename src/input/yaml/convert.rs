//! The text of one YAML document to compact JSON text.

use super::scalar;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// Nobody nests deeper; who reads the JSON later need not fear for the stack.
const DEEPEST: usize = 200;

/// Aliases may make little text a lot of JSON.
const LARGEST: usize = 64 << 20;

/// Why a text is not the JSON of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line within the text, counted from 1.
    pub line: u64,
    pub what: String,
}

/// The JSON of the document; `null` if there is nothing in it.
pub fn to_json(text: &str) -> Result<String, Fault> {
    let mut json = Writing::new(text.len());
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Fault {
            line: error.marker().line() as u64,
            what: format!("is not YAML: {}", error.info()),
        })?;
        json.take(event).map_err(|what| Fault { line: line(span), what })?;
    }
    Ok(json.end())
}

fn line(span: Span) -> u64 {
    span.start.line().max(1) as u64
}

/// JSON in the making.
struct Writing {
    out: String,
    open: Vec<Level>,
    /// Where the node of an anchor stands in the JSON; nothing while it is being written.
    anchors: HashMap<usize, Range<usize>>,
    documents: usize,
    hash: RandomState,
}

/// A mapping or sequence that has begun and not ended.
struct Level {
    start: usize,
    anchor: usize,
    empty: bool,
    /// Of a mapping: the keys so far, as hashes, and whether a value comes next. Nothing for a sequence.
    keys: Option<(HashSet<u64>, bool)>,
}

impl Writing {
    fn new(capacity: usize) -> Self {
        Self {
            out: String::with_capacity(capacity),
            open: Vec::new(),
            anchors: HashMap::new(),
            documents: 0,
            hash: RandomState::new(),
        }
    }

    fn end(self) -> String {
        if self.out.is_empty() { "null".to_owned() } else { self.out }
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err("a second document begins here".to_owned());
                }
            }
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref())?,
            Event::Alias(anchor) => self.alias(anchor)?,
            Event::MappingStart(anchor, _) => self.begin(anchor, Some((HashSet::new(), false)), '{')?,
            Event::SequenceStart(anchor, _) => self.begin(anchor, None, '[')?,
            Event::MappingEnd => self.close('}'),
            Event::SequenceEnd => self.close(']'),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        if self.out.len() > LARGEST {
            return Err(format!("is more than {} MiB of JSON", LARGEST >> 20));
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: Option<&Tag>) -> Result<(), String> {
        let plain = style == ScalarStyle::Plain && !tag.is_some_and(is_text);
        if self.wants_key() {
            if plain && text == "<<" {
                return Err("merge keys (<<) are not read".to_owned());
            }
            let start = self.key(text)?;
            self.keep(anchor, start);
            return Ok(());
        }
        self.separate();
        let start = self.out.len();
        match if plain { scalar::plain(text) } else { None } {
            Some(value) => self.out.push_str(&value),
            None => scalar::quote(text, &mut self.out),
        }
        self.keep(anchor, start);
        Ok(())
    }

    /// The node of an anchor once more, as its JSON.
    fn alias(&mut self, anchor: usize) -> Result<(), String> {
        let range = self.anchors.get(&anchor).cloned().ok_or("an alias to what it is part of")?;
        if self.wants_key() {
            let node = self.out.get(range).unwrap_or_default();
            let text: String = serde_json::from_str(node).map_err(|_| NO_TEXT.to_owned())?;
            return self.key(&text).map(|_| ());
        }
        if self.out.len() + range.len() > LARGEST {
            return Err(format!("aliases make it more than {} MiB", LARGEST >> 20));
        }
        self.separate();
        let copy = self.out.get(range).unwrap_or_default().to_owned();
        self.out.push_str(&copy);
        Ok(())
    }

    fn begin(&mut self, anchor: usize, keys: Option<(HashSet<u64>, bool)>, bracket: char) -> Result<(), String> {
        if self.wants_key() {
            return Err(NO_TEXT.to_owned());
        }
        if self.open.len() >= DEEPEST {
            return Err(format!("is nested deeper than {DEEPEST} levels"));
        }
        self.separate();
        self.open.push(Level { start: self.out.len(), anchor, empty: true, keys });
        self.out.push(bracket);
        Ok(())
    }

    fn close(&mut self, bracket: char) {
        self.out.push(bracket);
        if let Some(level) = self.open.pop() {
            self.keep(level.anchor, level.start);
        }
    }

    fn keep(&mut self, anchor: usize, start: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, start..self.out.len());
        }
    }

    fn wants_key(&self) -> bool {
        let keys = self.open.last().and_then(|level| level.keys.as_ref());
        keys.is_some_and(|(_, value_next)| !value_next)
    }

    /// Writes a key; a mapping may have it once. Gives back where it stands.
    fn key(&mut self, text: &str) -> Result<usize, String> {
        let Some(Level { empty, keys: Some((keys, value_next)), .. }) = self.open.last_mut() else {
            return Ok(self.out.len());
        };
        if !keys.insert(self.hash.hash_one(text)) {
            let name: String = text.chars().take(80).collect();
            return Err(format!("has the key {name} a second time"));
        }
        if !std::mem::take(empty) {
            self.out.push(',');
        }
        *value_next = true;
        let start = self.out.len();
        scalar::quote(text, &mut self.out);
        Ok(start)
    }

    /// What stands between the value that comes and what came before it.
    fn separate(&mut self) {
        match self.open.last_mut() {
            Some(Level { keys: Some((_, value_next)), .. }) => {
                *value_next = false;
                self.out.push(':');
            }
            Some(level) => {
                let first = std::mem::take(&mut level.empty);
                self.out.push_str(if first { "" } else { "," });
            }
            None => {}
        }
    }
}

const NO_TEXT: &str = "has a key that is no text";

/// `!!str`, `!!binary`, `!!timestamp` and `!` say that a plain scalar is text.
fn is_text(tag: &Tag) -> bool {
    let core = tag.is_yaml_core_schema() && matches!(tag.suffix.as_str(), "str" | "binary" | "timestamp");
    core || tag.handle.is_empty() && tag.suffix == "!"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (u64, String) {
        let fault = to_json(text).unwrap_err();
        (fault.line, fault.what)
    }

    #[test]
    fn an_object_as_kubectl_prints_it_becomes_its_json() {
        let text = r#"
apiVersion: v1
data:
  colour: "0777"
  empty: ""
  folded: >-
    one
    two
  script: |
    #!/bin/sh
    echo "a: b"
  wrapped: "a
    b"
fieldsV1:
  k:{"uid":"6c54067e-f12c"}: {}
  .: {}
items: []
list:
- 1
-  - nested
   - two: 2
-
  key: !!str 5
nothing:
8080: port
"#;
        let json = r#"{"apiVersion":"v1","data":{"colour":"0777","empty":"","folded":"one two","#.to_owned()
            + r##""script":"#!/bin/sh\necho \"a: b\"\n","wrapped":"a b"},"##
            + r#""fieldsV1":{"k:{\"uid\":\"6c54067e-f12c\"}":{},".":{}},"items":[],"#
            + r#""list":[1,["nested",{"two":2}],{"key":"5"}],"nothing":null,"8080":"port"}"#;
        assert_eq!(to_json(text), Ok(json));
    }

    #[test]
    fn a_text_that_begins_further_right_is_read_as_well() {
        assert_eq!(to_json("  a: |2\n      x\n  b: 1\n"), Ok(r#"{"a":"  x\n","b":1}"#.into()));
        assert_eq!(to_json("a: 1\r\nb:\r\n- x\r\n"), Ok(r#"{"a":1,"b":["x"]}"#.into()));
    }

    #[test]
    fn nothing_is_null() {
        for text in ["", "\n\n", "# only words\n", "---\n", "---\n...\n"] {
            assert_eq!(to_json(text), Ok("null".into()), "{text:?}");
        }
    }

    #[test]
    fn an_alias_is_what_its_anchor_says() {
        let text = "a: &x {p: [1, two]}\nb: *x\nc: &t word\n*t : 1\n";
        assert_eq!(to_json(text), Ok(r#"{"a":{"p":[1,"two"]},"b":{"p":[1,"two"]},"c":"word","word":1}"#.into()));
        assert!(fault("a: &x [*x]\n").1.contains("part of"));
        assert!(to_json("a: *unknown\n").is_err());
    }

    #[test]
    fn aliases_of_aliases_have_a_bound() {
        let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
        for level in 1..40 {
            let before = format!("*a{}", level - 1);
            text += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 9].join(", "));
        }
        let (line, what) = fault(&text);
        assert!(line > 5 && what.contains("MiB"), "{line}: {what}");
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        assert_eq!(fault("a: 1\nb: 2\na: 3\n"), (3, "has the key a a second time".into()));
        assert_eq!(fault("a: 1\n<<: 2\n").0, 2);
        assert_eq!(fault("a: 1\n? [x]\n: 2\n"), (2, NO_TEXT.into()));
        // A tab makes the line go on with the text before it.
        assert_eq!(fault("a:\n  b: 1\n\tc: 2\n").0, 2);
        assert_eq!(fault("a: \"cut").0, 1);
        assert_eq!(fault("a: 1\n---\nb: 1\n").0, 2);
    }

    #[test]
    fn depth_has_a_bound_that_is_not_the_stack() {
        for text in ["[".repeat(200_000), "- ".repeat(200_000), "{a: ".repeat(200_000), "? ".repeat(100_000)] {
            assert!(to_json(&text).is_err());
        }
        let staircase: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(fault(&staircase).1.contains("deeper"));
    }
}
