//! As much of SQL as a dump is made of: where statements end, and the values of rows.

use crate::schema::Text;
use memchr::memchr;
use std::borrow::Cow;

/// A statement whose lines come one after the other.
#[derive(Default)]
pub struct Statement {
    pub text: Vec<u8>,
    /// The line on which it begins.
    pub began: u64,
    within: Within,
}

#[derive(Default)]
enum Within {
    #[default]
    Plain,
    /// In a string; with backslashes in an `E'…'`.
    Quote { escapes: bool },
    /// In a quoted name.
    Name,
    /// In `$tag$ … $tag$`.
    Dollar(Vec<u8>),
}

impl Statement {
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a line. If the statement ends in it, says where in the line.
    pub fn feed(&mut self, line: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            let before = line.get(..at).unwrap_or_default();
            let (length, ended) = self.step(before, rest);
            at += length;
            if ended {
                self.text.extend_from_slice(line.get(..at).unwrap_or_default());
                return Some(at);
            }
        }
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        None
    }

    /// How far the current piece goes, and whether the statement ends with it.
    fn step(&mut self, before: &[u8], rest: &[u8]) -> (usize, bool) {
        let to = |found: Option<usize>| found.map_or(rest.len(), |at| at + 1);
        match &self.within {
            Within::Quote { escapes: false } => {
                let end = memchr(b'\'', rest);
                if end.is_some() {
                    self.within = Within::Plain;
                }
                (to(end), false)
            }
            Within::Quote { escapes: true } => match rest.first() {
                Some(b'\\') => (2.min(rest.len()), false),
                Some(b'\'') => {
                    self.within = Within::Plain;
                    (1, false)
                }
                _ => (rest.iter().position(|byte| matches!(byte, b'\\' | b'\'')).unwrap_or(rest.len()), false),
            },
            Within::Name => {
                let end = memchr(b'"', rest);
                if end.is_some() {
                    self.within = Within::Plain;
                }
                (to(end), false)
            }
            Within::Dollar(tag) => {
                let end = rest.windows(tag.len()).position(|window| window == tag).map(|at| at + tag.len());
                if end.is_some() {
                    self.within = Within::Plain;
                }
                (end.unwrap_or(rest.len()), false)
            }
            Within::Plain => self.plain(before, rest),
        }
    }

    fn plain(&mut self, before: &[u8], rest: &[u8]) -> (usize, bool) {
        match rest.first() {
            Some(b';') => (1, true),
            Some(b'\'') => {
                self.within =
                    Within::Quote { escapes: before.last().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'e')) };
                (1, false)
            }
            Some(b'"') => {
                self.within = Within::Name;
                (1, false)
            }
            Some(b'-') if rest.starts_with(b"--") => (rest.len(), false),
            Some(b'$') => {
                let name =
                    rest.iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                if rest.get(name + 1) != Some(&b'$') {
                    return (1, false);
                }
                self.within = Within::Dollar(rest.get(..name + 2).unwrap_or_default().to_vec());
                (name + 2, false)
            }
            _ => {
                let special = |byte: &u8| matches!(byte, b';' | b'\'' | b'"' | b'-' | b'$');
                (rest.iter().skip(1).position(special).map_or(rest.len(), |at| at + 1), false)
            }
        }
    }
}

/// Reads a statement word by word.
pub struct Sql<'a> {
    text: &'a str,
    at: usize,
}

/// The beginning of a statement that brings rows.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    pub table: String,
    pub columns: Option<Vec<String>>,
}

impl<'a> Sql<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What is not read yet.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// How many lines were read over.
    pub fn lines(&self) -> u64 {
        self.text.get(..self.at).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count() as u64
    }

    /// `copy public.x (a, b) from stdin;`
    pub fn copy(&mut self) -> Option<Target> {
        let target = self.word("copy").then(|| self.target()).flatten()?;
        (self.word("from") && self.word("stdin")).then_some(target)
    }

    /// `insert into public.x (a, b) values`
    pub fn insert(&mut self) -> Option<Target> {
        let target = (self.word("insert") && self.word("into")).then(|| self.target()).flatten()?;
        let overriding = self.word("overriding") && (self.word("system") || self.word("user")) && self.word("value");
        let _either_way = overriding;
        self.word("values").then_some(target)
    }

    /// `( value, … )`, and the comma behind it.
    pub fn tuple(&mut self) -> Option<Vec<Option<Text<'a>>>> {
        let from = self.at;
        let values = self.values();
        match values {
            Some(_) => {
                self.eat(',');
            }
            None => self.at = from,
        }
        values
    }

    fn values(&mut self) -> Option<Vec<Option<Text<'a>>>> {
        if !self.eat('(') {
            return None;
        }
        let mut values = Vec::new();
        loop {
            values.push(self.value()?);
            if self.eat(')') {
                return Some(values);
            }
            if !self.eat(',') {
                return None;
            }
        }
    }

    /// A value without its cast.
    fn value(&mut self) -> Option<Option<Text<'a>>> {
        self.space();
        let rest = self.rest();
        let word = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || "_.+-".contains(c)).len();
        let word = rest.get(..word)?;
        self.at += word.len();
        let value = if self.rest().trim_start().starts_with('\'') {
            self.space();
            Some(self.string(word.eq_ignore_ascii_case("e"))?)
        } else if word.is_empty() {
            return None;
        } else if word.eq_ignore_ascii_case("null") || word.eq_ignore_ascii_case("default") {
            None
        } else {
            Some(Cow::Borrowed(word))
        };
        self.space();
        if self.rest().starts_with("::") {
            let cast = self.rest().find([',', ')'])?;
            self.at += cast;
        }
        Some(value)
    }

    fn string(&mut self, escapes: bool) -> Option<Text<'a>> {
        let body = self.rest().strip_prefix('\'')?;
        let mut found = String::new();
        let mut rest = body;
        loop {
            let stop = rest.find(|c| c == '\'' || escapes && c == '\\')?;
            let (part, tail) = rest.split_at(stop);
            let mut after = tail.chars();
            let (mark, next) = (after.next(), after.next());
            if mark == Some('\'') && next != Some('\'') {
                let length = body.len() - tail.len();
                self.at += length + 2;
                if found.is_empty() {
                    return Some(Cow::Borrowed(part));
                }
                found.push_str(part);
                return Some(Cow::Owned(found));
            }
            found.push_str(part);
            found.push(match (mark, next?) {
                (Some('\''), quote) => quote,
                (_, 'n') => '\n',
                (_, 't') => '\t',
                (_, 'r') => '\r',
                (_, 'b') => '\u{8}',
                (_, 'f') => '\u{c}',
                (_, other) => other,
            });
            rest = after.as_str();
        }
    }

    fn target(&mut self) -> Option<Target> {
        let _only = self.word("only");
        let mut table = self.name()?;
        while self.eat('.') {
            table = self.name()?;
        }
        let mut columns = None;
        if self.eat('(') {
            let names: &mut Vec<String> = columns.insert(Vec::new());
            while !self.eat(')') {
                names.push(self.name()?);
                self.eat(',');
            }
        }
        Some(Target { table, columns })
    }

    fn name(&mut self) -> Option<String> {
        self.space();
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"')?;
            self.at += end + 2;
            return quoted.get(..end).map(str::to_owned);
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).filter(|name| !name.is_empty()).map(str::to_lowercase)
    }

    fn word(&mut self, word: &str) -> bool {
        self.space();
        let from = self.at;
        let found = self.rest().starts_with(|c: char| c.is_alphabetic()) && self.name().as_deref() == Some(word);
        if !found {
            self.at = from;
        }
        found
    }

    fn eat(&mut self, mark: char) -> bool {
        self.space();
        let found = self.rest().starts_with(mark);
        self.at += if found { mark.len_utf8() } else { 0 };
        found
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuples(text: &str) -> (Option<Target>, Vec<Vec<Option<String>>>, String) {
        let mut sql = Sql::new(text);
        let target = sql.insert();
        let mut found = Vec::new();
        while let Some(row) = sql.tuple() {
            found.push(row.into_iter().map(|value| value.map(Text::into_owned)).collect());
        }
        (target, found, sql.rest().trim().to_owned())
    }

    #[test]
    fn values_of_all_kinds_are_read() {
        let start = ["Insert", "Into"].join(" ");
        let text = format!(
            "{start} public.\"events\" (id, \"N\") VALUES ('a''b', NULL), (E'x\\n\\'y', true),\n (-1.5, '{{}}'::jsonb), \
             (timestamp '2026', 'c\nd') ON CONFLICT DO NOTHING;"
        );
        let (target, rows, rest) = tuples(&text);
        let columns = Some(vec!["id".to_owned(), "N".to_owned()]);
        assert_eq!(target, Some(Target { table: "events".into(), columns }));
        let some = |text: &str| Some(text.to_owned());
        let expected = [
            [some("a'b"), None],
            [some("x\n'y"), some("true")],
            [some("-1.5"), some("{}")],
            [some("2026"), some("c\nd")],
        ];
        assert_eq!(rows, expected);
        assert_eq!(rest, "ON CONFLICT DO NOTHING;");
    }

    #[test]
    fn a_cut_statement_gives_the_rows_before_the_cut() {
        let start = ["insert", "into"].join(" ");
        let (_, rows, rest) = tuples(&format!("{start} x values ('a'), ('b"));
        assert_eq!(rows, [[Some("a".to_owned())]]);
        assert_eq!(rest, "('b");
    }

    #[test]
    fn a_statement_ends_at_its_own_semicolon() {
        let ends = |lines: &[&str]| {
            let mut statement = Statement::default();
            lines.iter().map(|line| statement.feed(line.as_bytes())).collect::<Vec<_>>()
        };
        assert_eq!(ends(&["a ';' \";\" -- ;", "$x$ ; $$ ;", "$x$; b"]), [None, None, Some(4)]);
        assert_eq!(ends(&["E'\\';' ;"]), [Some(8)]);
        assert_eq!(ends(&["'it''s;", "' $1 ;"]), [None, Some(6)]);
    }
}
