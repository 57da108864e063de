//! Every statement that a database is sent. `queries/postgres/` has them.

/// A file below `queries/`.
#[derive(Debug)]
pub struct Statement {
    /// Path below `queries/`, without ending.
    pub name: &'static str,
    pub file: &'static str,
}

macro_rules! statement {
    ($name:literal) => {
        Statement { name: $name, file: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/queries/", $name, ".sql")) }
    };
}

pub const BEGIN: Statement = statement!("postgres/begin");
pub const LIMITS: Statement = statement!("postgres/limits");
pub const SERVER: Statement = statement!("postgres/server");
pub const CATALOGUE: Statement = statement!("postgres/catalogue");
pub const SAVEPOINT: Statement = statement!("postgres/savepoint");
pub const BACK: Statement = statement!("postgres/back");
pub const COPY: Statement = statement!("postgres/copy");
pub const COPY_PART: Statement = statement!("postgres/copy_part");
pub const ACTIVITY: Statement = statement!("postgres/activity");
pub const ADVISORY_LOCKS: Statement = statement!("postgres/advisory_locks");
pub const ROLLBACK: Statement = statement!("postgres/rollback");
/// For an administrator; never sent.
pub const GRANTS: Statement = statement!("postgres/grants");

/// All of them.
pub const ALL: &[Statement] =
    &[BEGIN, LIMITS, SERVER, CATALOGUE, SAVEPOINT, BACK, COPY, COPY_PART, ACTIVITY, ADVISORY_LOCKS, ROLLBACK, GRANTS];

impl Statement {
    /// What is sent: the file without its heading.
    pub fn sql(&self) -> &'static str {
        let heading: usize =
            self.file.split_inclusive('\n').take_while(|line| line.starts_with("--")).map(str::len).sum();
        self.file.get(heading..).unwrap_or_default().trim_end()
    }

    /// The same in one line, to show it.
    pub fn in_one_line(&self) -> String {
        let lines = self.sql().lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
        lines.collect::<Vec<_>>().join(" ")
    }

    /// The same with values in the places of parameters, where the server does not put them there.
    pub fn with(&self, values: &[&str]) -> String {
        let put = |sql: String, (index, value): (usize, &&str)| sql.replace(&format!("${}", index + 1), value);
        values.iter().enumerate().fold(self.in_one_line(), put)
    }
}

/// A text as SQL writes it.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
