//! `docs/scenarios.md`: what every rule says of every captured scenario.

use std::collections::BTreeMap;
use std::fmt::Write;

use dacapo::query::rules::Rule;

/// What a rule says of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// It looked, and there was nothing of its kind.
    Idle,
    Clear,
    Unknown,
    Info,
    Found,
}

impl Said {
    /// In the order of the page's columns.
    const ALL: [Self; 5] = [Self::Found, Self::Info, Self::Clear, Self::Unknown, Self::Idle];

    const fn column(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Info => "found, to be known",
            Self::Clear => "clear",
            Self::Unknown => "unknown",
            Self::Idle => "nothing of its kind",
        }
    }
}

/// Names in one cell; more are counted.
const NAMED: usize = 12;

const NONE: &str = "–";

pub fn page(scenarios: &[(&str, &BTreeMap<String, Said>)]) -> String {
    let mut page = format!(
        "# Rules and captured scenarios\n\nWhat each rule says of {} captured scenarios (`tests/evidence/`): where it finds something, where \
         something that is only worth knowing, where it looked and all was well, where it cannot tell, and where there was nothing of \
         its kind. Made by `tests/diagnose.rs`, which fails where this page is not what happens; `UPDATE=1 make test` writes it anew.\n\n",
        scenarios.len()
    );
    let _ = writeln!(page, "| rule | {} |", Said::ALL.map(Said::column).join(" | "));
    page.push_str("|---|---|---|---|---|---|\n");
    for Rule { name, .. } in Rule::all() {
        let cells = Said::ALL.map(|word| {
            let these =
                scenarios.iter().filter(|(_, said)| said.get(&name) == Some(&word)).map(|(scenario, _)| *scenario);
            cell(&these.collect::<Vec<_>>())
        });
        let _ = writeln!(page, "| `{name}` | {} |", cells.join(" | "));
    }
    page
}

fn cell(names: &[&str]) -> String {
    match names.len() {
        0 => NONE.to_owned(),
        1..=NAMED => names.join(", "),
        count => format!("{count} scenarios"),
    }
}

/// What the page says of each rule: the words that some scenario got from it.
pub fn stories(page: &str) -> BTreeMap<String, Vec<Said>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let told = rows.filter_map(|row| {
        let (rule, cells) = row.split_once("` | ")?;
        let cells = cells.trim_end_matches(" |").split(" | ");
        let words = Said::ALL.into_iter().zip(cells).filter(|(_, cell)| *cell != NONE).map(|(word, _)| word);
        Some((rule.to_owned(), words.collect()))
    });
    told.collect()
}
