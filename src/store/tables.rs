//! Which tables a store has, what they were derived from, and statements that are planned ahead of their rows.

use super::{Error, ROW_NO, Result, Store, load};
use crate::bundle::arrow_schema;
use crate::schema::{self, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};

/// What is in the database.
#[derive(Default)]
pub(super) struct Tables {
    /// Those that are up to date and, for those that were derived from others, from which.
    pub(super) made: BTreeMap<String, Vec<String>>,
    /// Those that were given rows, be they out of date.
    pub(super) filled: BTreeSet<String>,
    /// Those for the answers of statements, be they empty.
    shaped: BTreeSet<String>,
}

impl Tables {
    fn forget(&mut self, table: &str) {
        self.made.remove(table);
        self.forget_derived(table);
    }

    pub(super) fn forget_derived(&mut self, table: &str) {
        let derived = |(name, from): (&String, &Vec<String>)| from.iter().any(|it| it == table).then(|| name.clone());
        let names: Vec<String> = self.made.iter().filter_map(derived).collect();
        names.iter().for_each(|name| self.forget(name));
    }
}

impl Store {
    pub(super) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table is there and up to date.
    pub fn has(&self, table: &str) -> bool {
        self.tables().made.contains_key(table)
    }

    /// Makes a declared table, empty, unless it is there.
    pub fn make(&self, table: &str) -> Result<()> {
        self.shape(&[table], &[])
    }

    /// The table was given rows.
    pub fn has_rows(&self, table: &str) -> bool {
        self.tables().filled.contains(table)
    }

    /// A table is no longer up to date, nor is what was derived from it.
    pub fn forget(&self, table: &str) {
        self.tables().forget(table);
    }

    /// Makes a table, or a view, by a statement of its own.
    pub fn derive(&self, table: &str, sql: &str, from: Vec<String>) -> Result<()> {
        let run = || self.connection.execute_batch(sql);
        run().map_err(|source| Error::Query { query: table.to_owned(), source })?;
        self.tables().made.insert(table.to_owned(), from);
        Ok(())
    }

    /// Makes tables, empty, unless they are there: declared ones, and those that are filled with answers, by their names and
    /// shapes. It is done in one go, because each time would cost as much as several tables.
    pub fn shape(&self, declared: &[&str], answers: &[(&str, &str)]) -> Result<()> {
        let mut sql = String::new();
        let mut tables = self.tables();
        for table in declared.iter().filter_map(|table| schema::table(table)) {
            if !tables.made.contains_key(table.name) {
                sql += &create_table(table);
                tables.made.insert(table.name.to_owned(), Vec::new());
            }
        }
        for (name, shape) in answers {
            if tables.shaped.insert((*name).to_owned()) {
                sql += &format!("create table \"{name}\" ({shape});\n");
            }
        }
        if sql.is_empty() {
            return Ok(());
        }
        self.connection.execute_batch(&sql).map_err(|source| Error::Query { query: "tables".to_owned(), source })
    }

    /// Plans what [`Self::answer_into`] will do with a table that has its shape.
    pub fn plan_into(&self, table: &str, select: &str) -> Result<()> {
        self.plan(table, &into(table, select))
    }

    /// Puts the answer of a statement into a table that has its shape, in place of what that held before. It is up to date
    /// until one of the tables that it comes from gets rows.
    pub fn answer_into(&self, table: &str, select: &str, from: Vec<String>) -> Result<()> {
        let run = || -> duckdb::Result<()> {
            let is_empty = self.tables().filled.insert(table.to_owned());
            if !is_empty {
                self.connection.execute_batch(&format!("delete from \"{table}\""))?;
            }
            let mut statement = self.connection.prepare_cached(&into(table, select))?;
            statement.execute([])?;
            statement.discard();
            Ok(())
        };
        run().map_err(|source| Error::Query { query: table.to_owned(), source })?;
        self.tables().made.insert(table.to_owned(), from);
        Ok(())
    }

    /// Plans a statement before there are rows for it; whoever runs it next need not. New tables undo that.
    pub fn plan(&self, name: &str, sql: &str) -> Result<()> {
        let planned = self.connection.prepare_cached(sql).map(drop);
        planned.map_err(|source| Error::Query { query: name.to_owned(), source })
    }
}

fn into(table: &str, select: &str) -> String {
    format!("insert into \"{table}\"\n{select}")
}

fn create_table(table: &Table) -> String {
    let columns: String = arrow_schema(table)
        .fields()
        .iter()
        .filter_map(|field| Some(format!(", \"{}\" {}", field.name(), load::sql_type(field).ok()?)))
        .collect();
    format!("create table \"{}\" ({ROW_NO} bigint{columns});\n", table.name)
}
