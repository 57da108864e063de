//! The answer to a statement, laid out.

use super::Present;
use super::document::{Cell, Document, Line, Table};
use crate::model::Queried;
use serde_json::Value;
use std::borrow::Cow;

impl Present for Queried {
    fn document(&self) -> Document {
        let mut document = Document::default();
        if let Some(plan) = self.plan() {
            document.lines("", plan.lines().map(Line::from).collect());
            return document;
        }
        match self.sheet() {
            Some(table) if !table.rows.is_empty() => document.blocks.push(super::Block::Table(table)),
            _ => document.headline("no rows"),
        }
        document
    }

    fn sheet(&self) -> Option<Table> {
        let columns = self.columns.iter().map(|column| Cow::Owned(column.name.clone())).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|value| Cell::from(text(value))).collect());
        Some(Table { columns, rows: rows.collect() })
    }
}

impl Queried {
    /// What `explain` draws.
    fn plan(&self) -> Option<&str> {
        let is_plan = self.columns.iter().map(|column| column.name.as_str()).eq(["explain_key", "explain_value"]);
        self.rows.first().filter(|_| is_plan)?.get(1)?.as_str()
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
