//! Rules, explained.

use super::Present;
use super::document::{Cell, Document, Table};
use crate::model::{Explained, Explanation};

impl Present for Explanation {
    fn document(&self) -> Document {
        let mut document = Document::default();
        for (place, rule) in self.rules.iter().enumerate() {
            if place > 0 {
                document.gap();
            }
            document.headline(format!("{}: {} ({})", rule.rule, rule.title, rule.severity.name()));
            let one = |text: &String| vec![text.clone()];
            let lists = [
                ("means", one(&rule.means)),
                ("comes about", one(&rule.comes_about)),
                ("check", rule.check.clone()),
                ("next", rule.next.clone()),
                ("needs", listed(&rule.needs)),
                ("reason of", listed(&rule.explains)),
                ("told by", listed(&rule.follows)),
            ];
            document.pairs(lists.into_iter().flat_map(|(label, lines)| labelled(label, lines)).collect());
        }
        document
    }

    fn sheet(&self) -> Option<Table> {
        let columns =
            vec!["rule", "severity", "title", "means", "comes_about", "check", "next", "needs", "explains", "follows"];
        let row = |rule: &Explained| {
            let cells = [
                rule.rule.clone(),
                rule.severity.name().to_owned(),
                rule.title.clone(),
                rule.means.clone(),
                rule.comes_about.clone(),
                rule.check.join(" "),
                rule.next.join(" "),
                rule.needs.join(" "),
                rule.explains.join(" "),
                rule.follows.join(" "),
            ];
            cells.into_iter().map(Cell::from).collect()
        };
        Some(Table::new(columns, self.rules.iter().map(row).collect()))
    }
}

/// The label stands before the first line.
fn labelled(label: &'static str, lines: Vec<String>) -> Vec<[Cell; 3]> {
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    lines.into_iter().zip(labels).map(|(line, label)| [label.into(), line.into(), Cell::default()]).collect()
}

fn listed(names: &[String]) -> Vec<String> {
    if names.is_empty() { Vec::new() } else { vec![names.join(", ")] }
}
