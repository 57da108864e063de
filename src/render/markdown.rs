//! For an issue or a chat, as GitHub reads Markdown.
//!
//! Nothing is escaped with backslashes, because they do not stop mentions, references and bare links. Words that could mean
//! anything but themselves stand in a code span, where they cannot.

use super::document::{Block, Cell, Document, Line, Table, Tone};
use super::escape::for_terminal;
use super::{Present, Renderer};
use std::io::{self, Write};

pub(super) struct Markdown;

impl Renderer for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn about(&self) -> &'static str {
        "For an issue or a chat"
    }

    fn write(&self, answer: &dyn Present, _: bool, out: &mut dyn Write) -> io::Result<Option<String>> {
        write(&answer.document(), out).map(|()| None)
    }
}

fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let mut heading = "##";
    let blocks = document.blocks.iter().filter(|block| **block != Block::Gap);
    for (position, block) in blocks.enumerate() {
        if position > 0 {
            writeln!(out)?;
        }
        match block {
            Block::Gap => {}
            Block::Headline(cell) => {
                writeln!(out, "{heading} {}", inline(&cell.text))?;
                heading = "###";
            }
            Block::Pairs(pairs) => pairs.iter().try_for_each(|pair| write_pair(pair, out))?,
            Block::Table(table) => write_table(table, out)?,
            Block::Lines(label, lines) => {
                writeln!(out, "**{label}**\n")?;
                lines.iter().try_for_each(|line| write_line(line, out))?;
            }
        }
    }
    Ok(())
}

/// A value without a label belongs to the label before it. Lists that meet are one list, unless their marks differ.
fn write_pair([label, value, remark]: &[Cell; 3], out: &mut dyn Write) -> io::Result<()> {
    let lead = if label.text.is_empty() { "  * ".to_owned() } else { format!("* {}: ", inline(&label.text)) };
    let parts: Vec<String> = [value, remark].iter().map(|cell| inline(&cell.text)).filter(|t| !t.is_empty()).collect();
    // A mark with nothing behind it is no list.
    if label.text.is_empty() && parts.is_empty() { Ok(()) } else { writeln!(out, "{lead}{}", parts.join(" · ")) }
}

fn write_line(line: &Line, out: &mut dyn Write) -> io::Result<()> {
    let quote = line.quote.as_deref().map(|quote| code(&for_terminal(quote)));
    let parts: Vec<String> = [inline(&line.text)].into_iter().chain(quote).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { Ok(()) } else { writeln!(out, "- {}", parts.join(" ")) }
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    writeln!(out, "{}", row(table.columns.iter().map(|name| in_table(&Cell::from(&**name))).collect()))?;
    writeln!(out, "{}", row(vec!["---".to_owned(); table.columns.len()]))?;
    table.rows.iter().try_for_each(|cells| writeln!(out, "{}", row(cells.iter().map(in_table).collect())))
}

/// A pipe ends a cell even inside of code. A backslash stops that, unless another one stands before it.
fn in_table(cell: &Cell) -> String {
    let text = if cell.verbatim { code(&for_terminal(&cell.text)) } else { inline(&cell.text) };
    let text = text.replace("\\|", "\\ |").replace('|', "\\|");
    if cell.tone == Tone::Bad && !text.is_empty() && !text.contains('`') { format!("**{text}**") } else { text }
}

/// Text within a line: from the first word that needs it to the last one, a code span.
fn inline(text: &str) -> String {
    let text = for_terminal(text);
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let risky = |word: &&str| !is_harmless(word);
    let (Some(first), Some(last)) = (words.iter().position(risky), words.iter().rposition(risky)) else {
        return words.join(" ");
    };
    let part = |range: std::ops::Range<usize>| words.get(range).unwrap_or_default().join(" ");
    let parts = [part(0..first), code(&part(first..last + 1)), part(last + 1..words.len())];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Between more backticks than stand in it side by side.
fn code(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    if text.is_empty() { String::new() } else { format!("{fence}{pad}{text}{pad}{fence}") }
}

/// Letters, digits and marks that mean nothing to Markdown, and nothing to GitHub: no list, no link, no emoji, no
/// reference to an issue.
fn is_harmless(word: &str) -> bool {
    let marks = "-.,:;/()'\"=%_–—…·→";
    let lower = word.to_lowercase();
    word.chars().all(|character| character.is_alphanumeric() || marks.contains(character))
        && has_inner_underscores(word)
        && !is_list_mark(word)
        && !["://", "www.", "gh-"].iter().any(|link| lower.contains(link))
        && !names_emoji(word)
}

/// `log_lines` has them inside; at an end they mean emphasis.
fn has_inner_underscores(word: &str) -> bool {
    let pieces: Vec<&str> = word.split('_').collect();
    pieces.windows(2).all(|pair| match pair {
        [before, after] => before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric),
        _ => true,
    })
}

/// `-`, `1.`, `2)` and `---`.
fn is_list_mark(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', ')']);
    let numbered = digits.len() < word.len() && digits.chars().all(|digit| digit.is_ascii_digit());
    numbered || word.chars().all(|character| "-=_".contains(character))
}

/// `:name:`; what is between the colons of a clock is not a name.
fn names_emoji(word: &str) -> bool {
    let inside = word.split(':').skip(1);
    let closed = word.matches(':').count().saturating_sub(1);
    inside.take(closed).any(|name| name.contains(char::is_alphabetic) || name.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_stay_as_they_are() {
        let text = "web-frontend on cluster1: create v1 STOPPED at hop 3 of 9 — (log_lines:137) 01:31:38.726219";
        assert_eq!(inline(text), text);
    }

    #[test]
    fn words_that_could_mean_more_are_code() {
        for (text, shown) in [
            ("ask @team now", "ask `@team` now"),
            ("<img src=x> then #12", "`<img src=x> then #12`"),
            ("a | b", "a `|` b"),
            ("see https://example.com/x", "see `https://example.com/x`"),
            ("1. one", "`1.` one"),
            ("- one", "`-` one"),
            ("_x_ and :tada:", "`_x_ and :tada:`"),
            ("GH-1", "`GH-1`"),
            ("`selector` fails", "`` `selector` `` fails"),
            ("back\\slash", "`back\\slash`"),
        ] {
            assert_eq!(inline(text), shown);
        }
    }

    #[test]
    fn a_pipe_does_not_end_a_cell() {
        assert_eq!(in_table(&"a|b".into()), "`a\\|b`");
        assert_eq!(in_table(&Cell::verbatim("a line | of a log")), "`a line \\| of a log`");
        assert_eq!(in_table(&"a\\|b".into()), "`a\\ \\|b`");
    }

    #[test]
    fn a_document_reads_as_markdown() {
        let mut document = Document::default();
        document.headline("w on c: STOPPED");
        document.gap();
        document.pairs(vec![
            ["work name".into(), "w".into(), Cell::default()],
            ["manifests".into(), "ConfigMap demo/a".into(), "in the database".into()],
            ["".into(), "Secret demo/<b>".into(), Cell::default()],
        ]);
        document.table(vec!["hop", ""], vec![vec!["1 received".into(), Cell::toned("missing", Tone::Bad)]]);
        document.lines("why", vec![Line::from("the agent is gone"), Line::quoting("log_lines:1", "I1116 `x`")]);
        let mut out = Vec::new();
        write(&document, &mut out).unwrap();
        let expected = "\
## w on c: STOPPED

* work name: w
* manifests: ConfigMap demo/a · in the database
  * Secret `demo/<b>`

| hop |  |
| --- | --- |
| 1 received | **missing** |

**why**

- the agent is gone
- log_lines:1 `` I1116 `x` ``
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
