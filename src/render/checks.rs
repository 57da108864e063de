//! What an answer checked, for forms that count what passed and what did not.

/// Everything that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Who checked.
    pub name: String,
    /// What was looked at.
    pub of: String,
    /// When, in UTC.
    pub at: Option<String>,
    pub cases: Vec<Case>,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    pub ended: Ended,
    /// What there is to say about it.
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Passed,
    Failed {
        kind: String,
        message: String,
    },
    /// It could not be checked.
    Skipped {
        message: String,
    },
}
