//! What holds for any text in any format.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::path::Path;

/// An answer that has a stranger's text in every place.
#[derive(Debug, serde::Serialize)]
struct Anything {
    texts: Vec<String>,
    width: usize,
}

impl Present for Anything {
    fn document(&self) -> Document {
        let cells = || self.texts.iter().map(|text| Cell::from(text.as_str()));
        let pairs: Vec<[Cell; 3]> = cells().map(|cell| [cell.clone(), cell.clone(), cell]).collect();
        let quoted = self.texts.iter().map(|text| Cell::verbatim(text.as_str()));
        let all: Vec<Cell> = cells().chain(quoted).collect();
        let rows: Vec<Vec<Cell>> = all.chunks_exact(self.width).map(<[Cell]>::to_vec).collect();
        let mut document = Document::default();
        cells().for_each(|cell| document.headline(cell));
        document.pairs(pairs);
        document.table(vec!["column"; self.width], rows);
        document.lines("lines", self.texts.iter().map(|text| Line::quoting(text, text)).collect());
        document
    }

    fn checks(&self) -> Option<Checks> {
        let case = |(at, text): (usize, &String)| {
            let message = text.clone();
            let ended = match at % 3 {
                0 => Ended::Failed { kind: text.clone(), message },
                1 => Ended::Skipped { message },
                _ => Ended::Passed,
            };
            Case { name: text.clone(), ended, lines: self.texts.clone() }
        };
        let cases = self.texts.iter().enumerate().map(case).collect();
        let name = self.texts.concat();
        Some(Checks { of: name.clone(), at: Some(name.clone()), name, cases })
    }
}

fn written(format: &dyn Renderer, answer: &dyn Present) -> String {
    let mut out = Vec::new();
    format.write(answer, false, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn format(name: &str) -> &'static dyn Renderer {
    FORMATS.iter().copied().find(|format| format.name() == name).unwrap()
}

/// Text as it may stand in evidence, with what is special somewhere.
fn text() -> impl Strategy<Value = String> {
    let special = "(@team|<b>|\\||`+|\\\\|\\[x\\]\\(y\\)|#1|- |1\\. |=1\\+1|\"|,|\u{1b}|\u{9b}|\u{202e}|\u{200b}|\u{2028}|\u{e0041}|\u{fe0f}|(\u{301}){9}|\r\n|\t|www\\.|a|_| |:){0,12}";
    prop_oneof![special, ".{0,40}", "\\PC{0,40}"]
}

fn answer() -> impl Strategy<Value = Anything> {
    (vec(text(), 1..12), 1..4_usize).prop_map(|(texts, width)| Anything { texts, width })
}

/// A line without its code spans, as CommonMark finds them.
fn outside_code(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        let fence: String = from.chars().take_while(|character| *character == '`').collect();
        let inside = &from[fence.len()..];
        let ticks = inside.char_indices().filter(|(at, _)| {
            inside[*at..].starts_with(&fence)
                && !inside[at + fence.len()..].starts_with('`')
                && !inside[..*at].ends_with('`')
        });
        let (end, _) = ticks.into_iter().next().expect("a code span ends");
        outside.push_str(before);
        outside.push('x');
        rest = &inside[end + fence.len()..];
    }
    outside + rest
}

proptest! {
    #[test]
    fn no_format_hands_on_what_could_take_over_a_terminal(answer in answer()) {
        for format in FORMATS.iter().chain(CHECK_FORMATS) {
            let written = written(*format, &answer);
            prop_assert!(is_harmless(&written), "{}: {}", format.name(), written);
            // JSON says the same in its own way.
            for line in written.lines().filter(|_| format.name() != "json") {
                prop_assert_eq!(for_terminal(line), line, "{}", format.name());
            }
        }
    }

    #[test]
    fn markdown_outside_code_is_words(answer in answer()) {
        for line in written(format("markdown"), &answer).lines() {
            let body = line.trim_start_matches(['#', ' ']).trim_start_matches("- ").trim_start_matches("* ");
            let bare = outside_code(body).replace("**lines**", "");
            let cells = bare.strip_prefix("| ").and_then(|row| row.strip_suffix(" |"));
            match cells {
                Some(row) => prop_assert_eq!(row.split(" | ").count(), answer.width, "{}", line),
                None => prop_assert!(!bare.contains('|'), "{}", line),
            }
            let special = ['<', '>', '@', '#', '[', ']', '*', '`', '\\', '&', '!', '~', '$', '{', '+'];
            prop_assert!(!bare.contains(special), "{} in {}", bare, line);
        }
    }

    #[test]
    fn junit_has_a_case_for_each_check_with_its_words(answer in answer()) {
        let bytes = written(CHECK_FORMATS[0], &answer);
        let read = roxmltree::Document::parse(&bytes).unwrap();
        let cases: Vec<_> = read.descendants().filter(|node| node.has_tag_name("testcase")).collect();
        prop_assert_eq!(cases.len(), answer.texts.len());
        let shown = |text: &str| for_terminal(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
        for (case, text) in cases.iter().zip(&answer.texts) {
            let shown = shown(text);
            prop_assert_eq!(case.attribute("name"), Some(shown.as_str()));
            prop_assert!(case.children().filter(roxmltree::Node::is_element).count() <= 1);
        }
    }

    #[test]
    fn csv_has_as_many_cells_as_the_table(answer in answer()) {
        let bytes = written(format("csv"), &answer);
        let document = answer.document();
        let Some(table) = document.tables().next() else { return Ok(()) };
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_bytes());
        let rows: Vec<::csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(rows.len(), table.rows.len() + 1);
        for (row, cells) in rows.iter().skip(1).zip(&table.rows) {
            prop_assert_eq!(row.len(), cells.len());
            for (read, cell) in row.iter().zip(cells) {
                let shown = for_terminal(&cell.text);
                prop_assert!(read == shown || read.strip_prefix('\'') == Some(&shown), "{} for {}", read, shown);
                let formula = read.trim_start().starts_with(['=', '+', '-', '@']);
                prop_assert!(!formula || read.parse::<f64>().is_ok(), "{}", read);
            }
        }
    }
}

#[test]
fn each_format_has_a_name_of_its_own_and_a_file_of_that_name() {
    let all = || FORMATS.iter().chain(CHECK_FORMATS);
    let names: std::collections::BTreeSet<&str> = all().map(|format| format.name()).collect();
    assert_eq!(names.len(), all().count());
    for name in names {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/render/{name}.rs"));
        assert!(file.exists(), "{} is not there", file.display());
    }
}

#[test]
fn csv_says_that_there_was_more() {
    #[derive(serde::Serialize)]
    struct Two;
    impl Present for Two {
        fn document(&self) -> Document {
            let mut document = Document::default();
            document.table(vec!["first"], vec![vec!["1".into()]]);
            document.table(vec!["second"], vec![vec!["2".into()]]);
            document
        }
    }
    let mut out = Vec::new();
    let note = format("csv").write(&Two, false, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "first\n1\n");
    assert!(note.is_some_and(|note| note.contains("first of 2")));
}
