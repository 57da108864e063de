//! `docs/rules.md`, made from the headers of rules.

use super::rules::Rule;
use std::fmt::Write;

/// Every rule: first all in one table, then each.
pub fn rules_page() -> String {
    let rules = Rule::all();
    let mut page = String::from(
        "# Rules\n\nWhat `dacapo diagnose` looks for; `dacapo explain RULE` tells the same. Made from the headers in `queries/rules/`; \
         `UPDATE=1 make test` writes it anew. [diagnose.md](diagnose.md) tells how findings come together, [scenarios.md](scenarios.md) \
         what each rule says of captured scenarios.\n\n| rule | severity | what it finds |\n|---|---|---|\n",
    );
    for Rule { name, header, .. } in &rules {
        let _ = writeln!(page, "| [`{name}`](#{name}) | {} | {} |", header.severity, header.title);
    }
    rules.iter().for_each(|rule| write_rule(&mut page, rule));
    page
}

fn write_rule(page: &mut String, Rule { name, header, .. }: &Rule) {
    let _ = write!(page, "\n## {name}\n\n**{}** ({})\n\n{}\n\n", header.title, header.severity, header.means);
    let _ = writeln!(page, "- How it comes about: {}", header.comes_about);
    let check = header.check.iter().map(|check| format!("- To check: {check}\n"));
    let next = header.next.iter().map(|next| format!("- Next: {next}\n"));
    page.extend(check.chain(next));
    let needs: Vec<String> = header
        .needs
        .iter()
        .map(|table| format!("`{table}`{}", if header.needs_whole.contains(table) { " (whole)" } else { "" }))
        .collect();
    write_list(page, "Unknown without", &needs);
    if !header.nothing.is_empty() {
        let _ = writeln!(page, "- Unknown where {}", header.nothing);
    }
    let linked = |rules: &[String]| rules.iter().map(|rule| format!("[`{rule}`](#{rule})")).collect::<Vec<_>>();
    write_list(page, "Can be the reason of", &linked(&header.explains));
    write_list(page, "Told by these too, and better", &linked(&header.follows));
}

fn write_list(page: &mut String, label: &str, items: &[String]) {
    if !items.is_empty() {
        let _ = writeln!(page, "- {label}: {}", items.join(", "));
    }
}
