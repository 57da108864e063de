//! The part of `docs/sql.md` that is made from headers.

use super::Query;
use super::header::Named;
use super::sql::{LIBRARY, promised};
use std::fmt::Write;

/// The views, the library, and what people do by hand instead.
pub fn page() -> String {
    let mut page = String::from(
        "## Views\n\nMade from the headers in `queries/`, as is everything below; `UPDATE=1 make test` writes it anew.\n",
    );
    promised().for_each(|view| write_view(&mut page, view));
    page.push_str("\n## The library\n\n| name | parameters | answers |\n|---|---|---|\n");
    for query in LIBRARY {
        let header = query.header();
        let parameters = header.named.iter().map(|named| {
            let value = named.default.as_deref().map_or("=…".to_owned(), |default| format!("={default}"));
            let value = if value == "=" { String::new() } else { value };
            format!("`{}{value}` {}", named.name, cell(&named.about))
        });
        let parameters: Vec<String> = parameters.collect();
        let (title, answers) = (cell(&header.title), cell(&header.answers));
        let _ = writeln!(page, "| `{}` | {} | **{title}**: {answers} |", query.short_name(), parameters.join("<br>"));
    }
    page.push_str("\n## Instead of doing it by hand\n\n| step | dacapo |\n|---|---|\n");
    for query in LIBRARY {
        let header = query.header();
        let must: Vec<String> = header.named.iter().filter(|named| named.default.is_none()).map(asked).collect();
        for step in &header.instead_of {
            let values = if step.values.is_empty() { &must } else { &step.values };
            let command = std::iter::once(query.short_name()).chain(values.iter().map(String::as_str));
            let command = command.collect::<Vec<_>>().join(" ");
            let _ = writeln!(page, "| `{}` | `dacapo query BUNDLE {command}` |", cell(&step.by_hand));
        }
    }
    page
}

fn write_view(page: &mut String, view: &Query) {
    let header = view.header();
    let _ = write!(page, "\n### {}\n\n{}. It tells {}.\n\n", view.short_name(), header.title, header.answers);
    page.push_str("| column | meaning |\n|---|---|\n");
    for (name, meaning) in &header.columns {
        let _ = writeln!(page, "| `{name}` | {} |", cell(meaning));
    }
}

fn asked(named: &Named) -> String {
    format!("{}=…", named.name)
}

/// A pipe ends a cell, also inside of code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
