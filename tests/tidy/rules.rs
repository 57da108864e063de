//! The rules themselves: each looks at one file and returns the places that break it.

use super::source::{Source, find_words, is_word};
use super::{DOORS, EMPTY_NAMES, FILE_LINES, FUNCTION_LINES, MAY_NAME, MOUTHS, NOTES, STATEMENTS, UNFINISHED};

/// A place that breaks a rule: line (from 1) and what is wrong there.
pub(super) type Finding = (usize, String);

pub(super) fn directions(source: &Source) -> Vec<Finding> {
    let Some(word) = source.word().filter(|word| *word != "lib") else {
        return Vec::new();
    };
    let Some((_, allowed)) = MAY_NAME.iter().find(|(name, _)| *name == word) else {
        return vec![(1, format!("`{word}` is no word of the pipeline: give it a row in MAY_NAME"))];
    };
    let known = |name: &str| MAY_NAME.iter().any(|(word, _)| *word == name);
    crate_paths(source)
        .into_iter()
        .filter(|(_, name)| known(name) && name != word && !allowed.contains(&name.as_str()))
        .map(|(at, name)| (source.line_at(at), format!("`{word}` names `{name}`; it may name only {allowed:?}")))
        .collect()
}

/// What follows `crate::`, `dacapo::`, or as many `super::` as lead to the crate root. Groups are
/// opened.
fn crate_paths(source: &Source) -> Vec<(usize, String)> {
    let climb = "super::".repeat(source.depth());
    let roots = ["crate::", "dacapo::", climb.as_str()];
    let mut found = Vec::new();
    for root in roots.iter().filter(|root| !root.is_empty()) {
        for (at, _) in source.code.match_indices(root) {
            let before = source.code.get(..at).unwrap_or_default();
            // Part of a longer name or path, as in `my_crate::` or a longer chain of `super::`.
            if before.ends_with(is_word) || before.ends_with("::") {
                continue;
            }
            let after = source.code.get(at + root.len()..).unwrap_or_default();
            found.extend(first_names(after).into_iter().map(|(offset, name)| (at + root.len() + offset, name)));
        }
    }
    found
}

/// `a` for `a::b`, and `a`, `b` for `{a::c, b::{d, e}}`, each with its offset.
fn first_names(path: &str) -> Vec<(usize, String)> {
    let name_at = |offset: usize| {
        let name: String = path.get(offset..).unwrap_or_default().chars().take_while(|c| is_word(*c)).collect();
        (offset, name)
    };
    if !path.starts_with('{') {
        return vec![name_at(0)];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    let mut expecting = false;
    for (offset, character) in path.char_indices() {
        match character {
            '{' => {
                depth += 1;
                expecting = depth == 1;
            }
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' => expecting = depth == 1,
            _ if expecting && is_word(character) => {
                names.push(name_at(offset));
                expecting = false;
            }
            _ => {}
        }
    }
    names
}

pub(super) fn doors(source: &Source) -> Vec<Finding> {
    let Some(word) = source.word() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (dependency, houses) in DOORS.iter().filter(|(_, houses)| !houses.contains(&word)) {
        for at in source.words(dependency).filter(|at| is_crate_name(&source.code, *at, dependency)) {
            found.push((source.line_at(at), format!("`{dependency}` is used in `{word}`; its home is {houses:?}")));
        }
    }
    found
}

/// `name::…`, `use name…` or `#[name(…)]`, but not a segment in the middle of another path.
fn is_crate_name(code: &str, at: usize, name: &str) -> bool {
    let before = code.get(..at).unwrap_or_default();
    let after = code.get(at + name.len()..).unwrap_or_default();
    if let Some(parent) = before.strip_suffix("::") {
        return !parent.ends_with(|c: char| is_word(c) || c == '>') && after.starts_with("::");
    }
    after.starts_with("::") || before.ends_with("use ") || before.ends_with("extern crate ") || before.ends_with("#[")
}

pub(super) fn lengths(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().count();
    let file = (lines > FILE_LINES).then(|| (lines, format!("the file has {lines} lines")));
    let functions = source.words("fn").filter_map(|at| {
        let length = function_lines(source, at)?;
        (length > FUNCTION_LINES).then(|| (source.line_at(at), format!("the function has {length} lines")))
    });
    file.into_iter().chain(functions).collect()
}

/// Lines from `fn` to the brace that closes its body; `None` for a type `fn(…)` or a declaration
/// without body.
fn function_lines(source: &Source, at: usize) -> Option<usize> {
    let rest = source.code.get(at..)?;
    rest.strip_prefix("fn ")?;
    let (mut brackets, mut braces) = (0, 0);
    for (offset, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets -= 1,
            b';' if brackets == 0 && braces == 0 => return None,
            b'{' => braces += 1,
            b'}' => {
                braces -= 1;
                if braces == 0 {
                    return Some(source.line_at(at + offset) - source.line_at(at) + 1);
                }
            }
            _ => {}
        }
    }
    None
}

pub(super) fn empty_names(source: &Source) -> Vec<Finding> {
    let path = source.path.trim_end_matches(".rs").split('/');
    let files = path.filter(|part| EMPTY_NAMES.contains(part)).map(|part| (1, format!("the path has `{part}` in it")));
    let modules = EMPTY_NAMES.iter().flat_map(|name| {
        source
            .words(name)
            .filter(|at| source.code.get(..*at).is_some_and(|before| before.ends_with("mod ")))
            .map(move |at| (source.line_at(at), format!("a module is called `{name}`")))
    });
    files.chain(modules).collect()
}

pub(super) fn unfinished(source: &Source) -> Vec<Finding> {
    let places = UNFINISHED.iter().flat_map(|mark| source.code.match_indices(mark));
    places.map(|(at, mark)| (source.line_at(at), format!("`{mark}…`"))).collect()
}

pub(super) fn notes(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        let has_issue = line.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        for note in NOTES.iter().filter(|note| !has_issue && find_words(line, note).next().is_some()) {
            found.push((number + 1, format!("`{note}` without the number of an issue")));
        }
    }
    found
}

pub(super) fn sql(source: &Source) -> Vec<Finding> {
    if source.word() == Some("store") {
        return Vec::new();
    }
    let statements = source.strings.iter().filter(|(_, text)| is_sql(text));
    statements.map(|(line, text)| (*line, format!("a string begins with SQL: {:?}", first_line(text)))).collect()
}

fn is_sql(text: &str) -> bool {
    let lower = text.replace("\\n", " ").to_lowercase();
    let mut words = lower.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else {
        return false;
    };
    STATEMENTS.iter().filter(|(word, _)| *word == first).any(|(_, nexts)| {
        let third_is_as = words.clone().next() == Some("as");
        nexts.is_empty() || nexts.contains(&second) || (nexts.contains(&"… as") && third_is_as)
    })
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

pub(super) fn mouths(source: &Source) -> Vec<Finding> {
    if source.word() == Some("cli") {
        return Vec::new();
    }
    let places = MOUTHS.iter().flat_map(|mouth| {
        let (name, rest) = mouth.split_at(mouth.trim_end_matches(['!', '(', ')']).len());
        let calls = source.words(name);
        calls
            .filter(move |at| source.code.get(at + name.len()..).is_some_and(|after| after.starts_with(rest)))
            .map(move |at| (source.line_at(at), format!("`{mouth}` outside src/cli")))
    });
    places.collect()
}

pub(super) fn mentions(source: &Source, names: &[String]) -> Vec<Finding> {
    let lines = source.text.lines().enumerate();
    let hits = lines.flat_map(|(number, line)| {
        let named = names.iter().filter(|name| find_words(line, name).next().is_some());
        named.map(move |name| (number + 1, format!("the scenario `{name}` is named")))
    });
    hits.collect()
}
