//! `docs/schema.md`, from the declarations.

use super::{Class, Key, Kind, Names, TABLES, Table};
use std::fmt::Write;

/// The whole page.
pub fn page() -> String {
    let mut page = String::from(
        "# The tables of a bundle\n\n\
         Made from the declarations in `src/schema/`; `UPDATE=1 make test` writes it anew.\n\n\
         Times are UTC in microseconds. JSON is text, as its source wrote it. Columns marked *key* are in the\n\
         bundle's index. In dacapo's SQL every table has one more column in front, `row_no`: the row's number in\n\
         the bundle, counted from 1. `log_lines:8812` means the row of `log_lines` with `row_no` 8812.\n\n\
         The class of a text says how [redaction](security.md) looks at it: an *identifier* or *free text* is searched for what\n\
         looks like a secret, a *manifest* is taken apart besides, a *secret* goes as a whole, a *plain* word is dacapo's own.\n\
         What an identifier names is told behind it; [pseudonyms](security.md) go by that.\n",
    );
    for table in TABLES {
        write_table(&mut page, table);
    }
    page
}

fn write_table(page: &mut String, table: &Table) {
    let _ = write!(page, "\n## {}\n\n{}\n\n", table.name, prose(table.doc));
    page.push_str("| column | type | class | | meaning |\n|---|---|---|---|---|\n");
    for column in table.columns {
        let null = if column.nullable { "" } else { "not null" };
        let key = if column.key == Key::No { "" } else { "key" };
        let marks = [null, key].iter().filter(|mark| !mark.is_empty()).copied().collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {marks} | {} |",
            column.name,
            name(column.kind),
            class(column.class),
            prose(column.doc)
        );
    }
}

fn prose(doc: &str) -> String {
    doc.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

const fn class(class: Class) -> &'static str {
    match class {
        Class::NotText => "",
        Class::Plain => "plain",
        Class::Identifier(names) => identifier(names),
        Class::FreeText => "free text",
        Class::Manifest => "manifest",
        Class::Secret => "secret",
    }
}

const fn identifier(names: Names) -> &'static str {
    match names {
        Names::Consumer => "identifier: consumer",
        Names::Work => "identifier: work",
        Names::Source => "identifier: source",
        Names::Cluster => "identifier: cluster",
        Names::Namespace => "identifier: namespace",
        Names::Pod => "identifier: pod",
        Names::Object => "identifier: object",
        Names::Id => "identifier: id",
        Names::AppliedWorks => "identifier: applied works",
        Names::Manifests => "identifier: manifests",
        Names::Labels => "identifier: labels",
        Names::File => "identifier: file",
        Names::Other => "identifier",
        Names::Word => "identifier: word",
    }
}

const fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Json => "JSON",
        Kind::Int => "integer",
        Kind::Bool => "boolean",
        Kind::Time => "time",
        Kind::Bytes => "bytes",
    }
}
