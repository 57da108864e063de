//! JSON wherever it stands in a text: alone, after a sentence, quoted in a string of a string. It need not be whole.
//!
//! Nothing is parsed into a tree. The text is walked once, and what is a secret by its place is marked where it stands:
//! the data of a Secret, the value of a name that tells, the value of an environment variable, the argument after a flag.

use super::base64;
use super::keys::{self, Telling};
use super::quote::Quote;
use super::span::{Found, Kind, Written};
use memchr::memchr2;

/// Objects inside objects, and strings inside strings, beyond which a stranger's text is taken apart from the beginning.
const DEEPEST: usize = 100;

type Range = (usize, usize);

/// Finds secrets in the JSON of a text. `of_secret` says that its first object is a Secret, if it does not say what it is.
pub fn find(found: &mut Found<'_>, of_secret: bool) {
    let end = found.text.len();
    let hints_at_secret = memchr::memmem::find(found.text.as_bytes(), b"ecret").is_some();
    let lone = scan(found, (0, end), 0, hints_at_secret);
    if of_secret {
        lone.into_iter().for_each(|value| data(found, value));
    }
}

/// Finds the JSON in a part of the text. Returns the data of objects that do not say what they are.
fn scan(found: &mut Found<'_>, (mut at, end): Range, depth: usize, hints_at_secret: bool) -> Vec<Range> {
    let text = found.text;
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let mut lone = Vec::new();
    while let Some(opening) = bytes.get(at..).and_then(|rest| memchr2(b'{', b'[', rest)).map(|place| at + place) {
        at = opening + 1;
        let Some((quote, written)) = first_quote(bytes, at) else { continue };
        let mut walk =
            Walk { found: &mut *found, bytes, at: opening, quote, written, depth, cut: false, hints_at_secret };
        lone.extend(walk.value(""));
        at = walk.at.max(at);
    }
    lone
}

/// The quote that JSON which opens before `at` uses, and where it is written.
fn first_quote(bytes: &[u8], mut at: usize) -> Option<(Quote, Range)> {
    for _ in 0..DEEPEST {
        at = skip_blank(bytes, at);
        match bytes.get(at)? {
            b'{' | b'[' => at += 1,
            _ => return Quote::at(bytes, at).map(|(quote, length)| (quote, (at, at + length))),
        }
    }
    None
}

/// Blanks, and the line breaks that stand as `\n` in a quoted text.
fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            Some(b'\\') => {
                let rest = bytes.get(at..).unwrap_or_default();
                let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
                match rest.get(backslashes) {
                    Some(b'n' | b'r' | b't') => at += backslashes + 1,
                    _ => return at,
                }
            }
            _ => return at,
        }
    }
}

struct Walk<'f, 't> {
    found: &'f mut Found<'t>,
    /// The text up to where it may be read.
    bytes: &'t [u8],
    at: usize,
    quote: Quote,
    /// Where the first quote stands, to write one more like it.
    written: Range,
    depth: usize,
    /// The text does not go on as JSON.
    cut: bool,
    hints_at_secret: bool,
}

/// What an object has said of itself so far.
#[derive(Default)]
struct Object<'t> {
    kind: Option<&'t str>,
    /// The values of its `data`.
    data: Vec<Range>,
    /// The data of objects inside it that do not say what they are.
    lone: Vec<Range>,
    /// An environment variable or a header.
    name: Option<Telling>,
    value: Option<Range>,
}

impl<'t> Walk<'_, 't> {
    /// Reads a value under a name. Returns the data of objects that do not say what they are.
    fn value(&mut self, name: &str) -> Vec<Range> {
        self.at = skip_blank(self.bytes, self.at);
        match self.bytes.get(self.at) {
            Some(b'{' | b'[') if self.depth >= DEEPEST => self.cut = true,
            Some(b'{') => return self.nested(|walk| walk.object()),
            Some(b'[') => return self.nested(|walk| walk.array(name)),
            Some(_) if self.string().map(|value| self.leaf(name, value)).is_none() => self.scalar(name),
            Some(_) => {}
            None => self.cut = true,
        }
        Vec::new()
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Vec<Range>) -> Vec<Range> {
        self.at += 1;
        self.depth += 1;
        let lone = read(self);
        self.depth -= 1;
        lone
    }

    /// The content of the string that stands here, if one does.
    fn string(&mut self) -> Option<Range> {
        let (quote, length) = Quote::at(self.bytes, self.at).filter(|(quote, _)| *quote == self.quote)?;
        let start = self.at + length;
        let end = quote.end(self.bytes, start);
        self.at = end.after;
        self.cut |= end.cut;
        Some((start, end.at))
    }

    fn text(&self, (start, end): Range) -> &'t str {
        self.found.text.get(start..end).unwrap_or_default()
    }

    fn object(&mut self) -> Vec<Range> {
        let mut object = Object::default();
        while !self.cut && !self.closes(b'}') {
            let Some(key) = self.key() else { break };
            self.field(key, &mut object);
        }
        self.judge(object)
    }

    /// The name of a field, up to its value.
    fn key(&mut self) -> Option<&'t str> {
        let key = self.string().map(|key| self.text(key));
        self.at = skip_blank(self.bytes, self.at);
        let named = key.filter(|_| self.bytes.get(self.at) == Some(&b':'));
        self.cut |= named.is_none();
        self.at = skip_blank(self.bytes, self.at + 1);
        named
    }

    fn field(&mut self, key: &'t str, object: &mut Object<'t>) {
        match (key, self.bytes.get(self.at)) {
            ("data" | "stringData", Some(b'{')) => {
                let values = self.nested(|walk| walk.values(key));
                object.data.extend(values);
                return;
            }
            ("items", Some(b'[')) => {
                let lone = self.value(key);
                object.lone.extend(lone);
                return;
            }
            _ => {}
        }
        let Some(value) = self.string() else {
            self.value(key);
            return;
        };
        match key {
            "kind" => object.kind = Some(self.text(value)),
            "name" => object.name = self.found.extra.tell(self.text(value)),
            "value" => object.value = Some(value),
            _ => {}
        }
        self.leaf(key, value);
    }

    /// The object `data` or `stringData`: its texts, which are secrets if the object around it is a Secret. No other
    /// object has a `stringData`.
    fn values(&mut self, part: &str) -> Vec<Range> {
        let mut values = Vec::new();
        while !self.cut && !self.closes(b'}') {
            let Some(key) = self.key() else { break };
            match self.string() {
                Some(value) if part == "stringData" => self.found.add(value, Kind::Secret),
                Some(value) => {
                    values.push(value);
                    self.leaf(key, value);
                }
                None => drop(self.value(key)),
            }
        }
        values
    }

    /// The object is read. If it is a Secret, its data are secrets; if it does not say what it is, others may.
    fn judge(&mut self, object: Object<'t>) -> Vec<Range> {
        if let (Some(telling), Some(value)) = (object.name, object.value) {
            self.tell(telling, value);
        }
        let Object { kind, data: values, mut lone, .. } = object;
        match kind {
            Some("Secret") => values.into_iter().for_each(|value| data(self.found, value)),
            Some("SecretList") => lone.drain(..).for_each(|value| data(self.found, value)),
            Some(_) => {}
            None => {
                // Kubernetes writes `data` before `kind`, so the kind may be what is missing.
                if self.cut || self.hints_at_secret {
                    let encoded = values.iter().filter(|value| self.cut || base64::looks_like(self.text(**value)));
                    let encoded: Vec<Range> = encoded.copied().collect();
                    encoded.into_iter().for_each(|value| data(self.found, value));
                }
                lone.extend(values);
                return lone;
            }
        }
        Vec::new()
    }

    fn array(&mut self, name: &str) -> Vec<Range> {
        let mut lone = Vec::new();
        let mut flag = None;
        while !self.cut && !self.closes(b']') {
            let before = self.at;
            match self.string() {
                Some(value) => {
                    let text = self.text(value);
                    if let Some(telling) = flag.take().filter(|_| !text.starts_with('-')) {
                        self.tell(telling, value);
                    }
                    flag = self.found.extra.tell(text).filter(|_| text.starts_with('-') && !text.contains(['=', ' ']));
                    self.leaf(name, value);
                }
                None => lone.extend(self.value(name)),
            }
            if self.at == before {
                self.cut = true;
            }
        }
        lone
    }

    /// Goes past commas and says whether a bracket closes here.
    fn closes(&mut self, bracket: u8) -> bool {
        loop {
            self.at = skip_blank(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(byte) if *byte == bracket => {
                    self.at += 1;
                    return true;
                }
                Some(_) => return false,
                None => {
                    self.cut = true;
                    return true;
                }
            }
        }
    }

    /// A text under a name: a secret itself, or one with JSON inside.
    fn leaf(&mut self, name: &str, value: Range) {
        match self.found.extra.tell(name) {
            Some(telling) => self.tell(telling, value),
            None if name == "auth" && is_login(self.text(value)) => self.found.add(value, Kind::Password),
            None => {}
        }
        if self.depth < DEEPEST {
            scan(self.found, value, self.depth + 1, self.hints_at_secret);
        }
    }

    fn tell(&mut self, telling: Telling, value: Range) {
        if !keys::is_placeholder(self.text(value)) {
            self.found.add(value, telling.kind);
        }
    }

    /// A number or a word without quotes.
    fn scalar(&mut self, name: &str) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest.iter().take_while(is_part).count();
        if length == 0 {
            self.cut = true;
            return;
        }
        let value = (self.at, self.at + length);
        self.at += length;
        let strong = self.found.extra.tell(name).filter(|telling| telling.strong);
        if let Some(telling) = strong.filter(|_| !keys::is_placeholder(self.text(value))) {
            self.found.add_written(value, telling.kind, Written::Bare { quote: self.written });
        }
    }
}

/// A value of a Secret.
fn data(found: &mut Found<'_>, value: Range) {
    found.add_written(value, Kind::Secret, Written::Base64);
}

/// A name and a password with a colon between them, as pull secrets have them.
fn is_login(text: &str) -> bool {
    base64::decode(text).is_some_and(|login| login.contains(&b':'))
}
