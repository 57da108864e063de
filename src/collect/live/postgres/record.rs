//! A row of an answer as text, as every way to a server can give it.

use std::collections::BTreeMap;

/// Values by column; what is null is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(BTreeMap<String, String>);

impl Record {
    pub fn text(&self, column: &str) -> Option<&str> {
        self.0.get(column).map(String::as_str)
    }

    pub fn number(&self, column: &str) -> Option<i64> {
        self.text(column)?.parse().ok()
    }

    pub fn is_true(&self, column: &str) -> bool {
        self.text(column) == Some("t")
    }
}

impl FromIterator<(String, String)> for Record {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(cells: I) -> Self {
        Self(cells.into_iter().collect())
    }
}
