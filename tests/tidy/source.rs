//! Just enough of Rust's lexical rules to tell code from comments and strings, so that the rules do
//! not trip over prose. Lines keep their numbers: what is left out is replaced by spaces.

/// One source file, taken apart.
pub(super) struct Source {
    /// Path from the root of the repository, with `/`.
    pub(super) path: String,
    /// The file as it is.
    pub(super) text: String,
    /// The text with comments and the insides of strings and characters blanked.
    pub(super) code: String,
    /// String literals: line (from 1) and what is between the quotes.
    pub(super) strings: Vec<(usize, String)>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let (code, strings) = take_apart(text);
        Self { path: path.to_owned(), text: text.to_owned(), code, strings }
    }

    /// `bundle` for `src/bundle/reader.rs` and `src/bundle.rs`. `main.rs` belongs to `cli`.
    pub(super) fn word(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let first = inside.split('/').next().unwrap_or(inside);
        match first.strip_suffix(".rs").unwrap_or(first) {
            "main" => Some("cli"),
            word => Some(word),
        }
    }

    /// How many `super::` lead from this file's module to the crate root.
    pub(super) fn depth(&self) -> usize {
        let module = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        module.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main")).count()
    }

    /// The line number (from 1) of a byte offset in `code`.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.code.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
    }

    /// Offsets at which `name` stands alone, as an identifier of its own.
    pub(super) fn words<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        find_words(&self.code, name)
    }
}

/// Offsets of `name` in `text` where no letter, digit or `_` touches it.
pub(super) fn find_words<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).and_then(|rest| rest.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|rest| rest.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The code, blanked, and the strings that were in it.
fn take_apart(text: &str) -> (String, Vec<(usize, String)>) {
    let mut code = String::with_capacity(text.len());
    let mut strings = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // The `r` of `for` opens no raw string: a prefix counts only where no word runs into it.
        let in_word = is_word(first) && code.ends_with(is_word);
        let (length, kind) = match literal(rest).filter(|_| !in_word) {
            Some((length, kind)) => (length, Some(kind)),
            None => (first.len_utf8(), None),
        };
        let (piece, tail) = rest.split_at(length);
        match kind {
            None => code.push_str(piece),
            Some(kind) => {
                if let Kind::Text(inside) = kind {
                    strings.push((line, inside.to_owned()));
                }
                code.extend(piece.chars().flat_map(blank));
            }
        }
        line += piece.matches('\n').count();
        rest = tail;
    }
    (code, strings)
}

/// Same number of bytes and lines, no content: offsets in `code` are offsets in `text`.
fn blank(character: char) -> impl Iterator<Item = char> {
    let (filler, count) = if character == '\n' { ('\n', 1) } else { (' ', character.len_utf8()) };
    std::iter::repeat_n(filler, count)
}

enum Kind<'a> {
    Comment,
    Character,
    Text(&'a str),
}

/// The comment, string or character that `rest` begins with, and its length.
fn literal(rest: &str) -> Option<(usize, Kind<'_>)> {
    if rest.starts_with("//") {
        return Some((rest.find('\n').unwrap_or(rest.len()), Kind::Comment));
    }
    if rest.starts_with("/*") {
        return Some((block_comment(rest), Kind::Comment));
    }
    if let Some(length) = character(rest) {
        return Some((length, Kind::Character));
    }
    let opening = rest.strip_prefix(['b', 'c']).unwrap_or(rest);
    if let Some(raw) = opening.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw.get(hashes..)?.strip_prefix('"')?;
        let closing = format!("\"{}", "#".repeat(hashes));
        let end = inside.find(&closing).unwrap_or(inside.len());
        let length = rest.len() - inside.len() + (end + closing.len()).min(inside.len());
        return Some((length, Kind::Text(inside.get(..end)?)));
    }
    let inside = opening.strip_prefix('"')?;
    let end = unescaped_quote(inside);
    Some((rest.len() - inside.len() + (end + 1).min(inside.len()), Kind::Text(inside.get(..end)?)))
}

/// The length of a character literal; `None` for a lifetime, which has no second quote.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('\'')?;
    let offset = rest.len() - inside.len();
    if let Some(escaped) = inside.strip_prefix('\\') {
        let first = escaped.chars().next()?.len_utf8();
        return Some(offset + 1 + first + escaped.get(first..)?.find('\'')? + 1);
    }
    let first = inside.chars().next()?.len_utf8();
    inside.get(first..)?.starts_with('\'').then_some(offset + first + 1)
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        let step = if tail.starts_with("/*") {
            depth += 1;
            2
        } else if tail.starts_with("*/") {
            depth -= 1;
            2
        } else {
            tail.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn unescaped_quote(inside: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at,
            _ => {}
        }
    }
    inside.len()
}

#[test]
fn comments_and_strings_are_not_code() {
    let source = Source::new(
        "src/store/x.rs",
        "use a; // duckdb::x\n\
         /* duckdb /* nested */ duckdb */ let s = \"duckdb \\\" duckdb\";\n\
         let c = '\"'; let l: &'a str;",
    );
    assert_eq!(source.words("duckdb").count(), 0);
    assert_eq!(source.words("use").count(), 1);
    assert_eq!(source.code.len(), source.text.len());
    assert_eq!(source.line_at(source.words("str").next().unwrap()), 3);
    assert_eq!(source.strings, [(2, "duckdb \\\" duckdb".to_owned())]);
}

#[test]
fn raw_and_byte_strings_are_strings() {
    let source = Source::new("src/a.rs", "r#\"one \" two\"#; b\"three\"; br\"four\"; number\"five\"; for x in r {}");
    let texts: Vec<&str> = source.strings.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["one \" two", "three", "four", "five"]);
    assert_eq!(source.words("for").count(), 1);
}

#[test]
fn a_file_knows_its_word_and_depth() {
    let facts = |path| {
        let source = Source::new(path, "");
        (source.word().map(str::to_owned), source.depth())
    };
    assert_eq!(facts("src/bundle/reader.rs"), (Some("bundle".into()), 2));
    assert_eq!(facts("src/bundle/mod.rs"), (Some("bundle".into()), 1));
    assert_eq!(facts("src/bundle.rs"), (Some("bundle".into()), 1));
    assert_eq!(facts("src/main.rs"), (Some("cli".into()), 0));
    assert_eq!(facts("build.rs").0, None);
}
