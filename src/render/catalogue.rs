//! The library of statements, laid out.

use super::Present;
use super::document::{Cell, Document};
use crate::model::{Canned, CannedParameter, Catalogue};

impl Present for Catalogue {
    fn document(&self) -> Document {
        let row = |query: &Canned| -> Vec<Cell> {
            let parameters: Vec<String> = query.parameters.iter().map(shown).collect();
            vec![query.name.as_str().into(), parameters.join(" ").into(), query.title.as_str().into()]
        };
        let mut document = Document::default();
        document.table(vec!["name", "parameters", "answers with"], self.queries.iter().map(row).collect());
        document
    }
}

/// `id=…` has to be given, `[most=10]` may be.
fn shown(parameter: &CannedParameter) -> String {
    match &parameter.default {
        Some(default) => format!("[{}={default}]", parameter.name),
        None => format!("{}=…", parameter.name),
    }
}
