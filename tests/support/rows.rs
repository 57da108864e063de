//! The rows of a bundle, as values that can be compared.

use std::collections::BTreeMap;
use std::path::Path;

use dacapo::bundle::{Reader, Rows};
use dacapo::schema::{
    Cell, Consumer, Event, EventInstance, Family, Record, Redaction, Resource, ServerInstance, StatusEvent, Step,
    Table, Unknown,
};

/// Values of a row by column, without the place it was read from.
pub type Row = BTreeMap<&'static str, String>;
pub type Tables = BTreeMap<&'static str, Vec<Row>>;

/// Maestro's tables, sorted.
pub fn database(bundle: &Path) -> Tables {
    let reader = Reader::open(bundle).unwrap();
    let mut tables = Tables::new();
    read::<Resource<'static>>(&reader, &mut tables);
    read::<Event<'static>>(&reader, &mut tables);
    read::<StatusEvent<'static>>(&reader, &mut tables);
    read::<Consumer<'static>>(&reader, &mut tables);
    read::<ServerInstance<'static>>(&reader, &mut tables);
    read::<EventInstance<'static>>(&reader, &mut tables);
    tables
}

/// The account of the collection, by what was read.
pub fn steps(bundle: &Path) -> BTreeMap<String, Row> {
    let rows = table::<Step<'static>>(bundle);
    rows.into_iter().map(|row| (row["target"].clone(), row)).collect()
}

/// What no table takes.
pub fn unknown(bundle: &Path) -> Vec<Row> {
    table::<Unknown<'static>>(bundle)
}

/// What was taken out.
pub fn redactions(bundle: &Path) -> Vec<Row> {
    table::<Redaction<'static>>(bundle)
}

fn table<F: Family>(bundle: &Path) -> Vec<Row> {
    let mut tables = Tables::new();
    read::<F>(&Reader::open(bundle).unwrap(), &mut tables);
    tables.into_values().next().unwrap()
}

fn read<F: Family>(reader: &Reader, tables: &mut Tables) {
    const fn table<'a, R: Record<'a>>() -> Table {
        R::TABLE
    }
    let about = table::<F::Of<'static>>();
    let mut rows = Vec::new();
    let each = |_: i64, record: F::Of<'_>| {
        let mut row = Row::new();
        record.cells(|index, cell| {
            let column = about.columns[index].name;
            let value = match cell {
                Cell::Null => return,
                Cell::Text(text) => text.to_owned(),
                Cell::Time(at) => at.to_string(),
                other => format!("{other:?}"),
            };
            if !["file", "line"].contains(&column) {
                row.insert(column, value);
            }
        });
        rows.push(row);
    };
    reader.records::<F>(&Rows::All, each).unwrap();
    rows.sort();
    tables.insert(about.name, rows);
}
