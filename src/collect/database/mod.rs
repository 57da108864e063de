//! Maestro's database in every form in which people hand it over: one file a form, one set of rows.

mod copy_text;
mod csv;
mod dump;
mod intake;
mod json_rows;
mod psql;
mod rest;
mod rows;
mod tables;

pub use self::csv::DatabaseCsv;
pub use copy_text::DatabaseCopy;
pub use dump::DatabaseDump;
pub use json_rows::DatabaseRows;
pub use psql::PsqlOutput;
pub use rest::RestAnswers;

/// The names of Maestro's tables.
#[cfg(test)]
pub fn table_names() -> impl Iterator<Item = &'static str> {
    tables::SHAPES.iter().map(|shape| shape.table.name)
}
