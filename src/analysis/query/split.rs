//! Where one statement ends and the next begins.

/// Statements in a text that may come line by line. A semicolon ends one, unless it stands in a string, a quoted name or
/// a comment.
#[derive(Debug, Default)]
pub struct Statements {
    text: String,
}

impl Statements {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The next statement that has ended.
    pub fn next_whole(&mut self) -> Option<String> {
        while let Some(end) = end(&self.text) {
            let rest = self.text.split_off(end + 1);
            let statement = std::mem::replace(&mut self.text, rest);
            let statement = statement.trim_end_matches(';').trim();
            if !is_empty(statement) {
                return Some(statement.to_owned());
            }
        }
        None
    }

    /// What is left when nothing more comes.
    pub fn last(self) -> Option<String> {
        let rest = self.text.trim();
        (!is_empty(rest)).then(|| rest.to_owned())
    }

    /// Nothing of a next statement is there yet.
    pub fn is_at_start(&self) -> bool {
        is_empty(self.text.trim())
    }

    /// All statements of a text.
    pub fn of(text: &str) -> Vec<String> {
        let mut statements = Self::default();
        statements.push(text);
        let mut found: Vec<String> = std::iter::from_fn(|| statements.next_whole()).collect();
        found.extend(statements.last());
        found
    }
}

/// The place of the first semicolon that ends a statement.
fn end(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(';') {
            return Some(at);
        }
        at += passed(rest)?;
    }
    None
}

/// How many bytes belong together at the beginning: a string, a comment or one character. `None` where it does not end.
fn passed(rest: &str) -> Option<usize> {
    let until = |start: usize, end: &str| {
        let inside = rest.get(start..)?;
        inside.find(end).map(|found| start + found + end.len())
    };
    if rest.starts_with("--") {
        return until(2, "\n");
    }
    if rest.starts_with("/*") {
        return until(2, "*/");
    }
    if let Some(quote) = ["'", "\""].into_iter().find(|quote| rest.starts_with(quote)) {
        return until(1, quote);
    }
    if let Some(tag) = dollar_tag(rest) {
        return until(tag.len(), tag);
    }
    rest.chars().next().map(char::len_utf8)
}

/// `$$` or `$word$`, which begins a string that ends with the same.
fn dollar_tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('$')?;
    let word = inside.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(inside.len());
    let ends = inside.get(word..)?.starts_with('$') && !inside.starts_with(|sign: char| sign.is_ascii_digit());
    ends.then(|| rest.get(..word + 2)).flatten()
}

/// There is nothing but comments.
fn is_empty(text: &str) -> bool {
    let mut rest = text.trim_start();
    while rest.starts_with("--") || rest.starts_with("/*") {
        let Some(after) = passed(rest).and_then(|end| rest.get(end..)) else { return true };
        rest = after.trim_start();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_ends_a_statement_only_outside_of_texts_and_comments() {
        let text = "ask ';', \"a;b\" -- no;\n; ask $$;$$ /* ; */, $x$ ; $x$; ; ask 'it''s; fine'\n-- done";
        assert_eq!(
            Statements::of(text),
            ["ask ';', \"a;b\" -- no;", "ask $$;$$ /* ; */, $x$ ; $x$", "ask 'it''s; fine'\n-- done"]
        );
        assert!(Statements::of(" ; -- nothing\n;").is_empty());
    }

    #[test]
    fn a_statement_may_come_in_pieces() {
        let mut statements = Statements::default();
        statements.push("ask 'a\n");
        assert_eq!(statements.next_whole(), None);
        statements.push("; b';\n");
        assert_eq!(statements.next_whole().as_deref(), Some("ask 'a\n; b'"));
        assert!(statements.is_at_start());
    }

    proptest::proptest! {
        #[test]
        fn no_text_stops_it(text in "[;'\"$/*a -]{0,40}") {
            Statements::of(&text);
        }
    }
}
