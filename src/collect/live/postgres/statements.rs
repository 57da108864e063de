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
/// Where nobody looks at the table before it is copied.
pub const UNFILTERED: Statement = statement!("postgres/unfiltered");
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
pub const ALL: &[Statement] = &[
    BEGIN,
    LIMITS,
    UNFILTERED,
    SERVER,
    CATALOGUE,
    SAVEPOINT,
    BACK,
    COPY,
    COPY_PART,
    ACTIVITY,
    ADVISORY_LOCKS,
    ROLLBACK,
    GRANTS,
];

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

/// A name as SQL writes it.
fn identifier(name: &str) -> String {
    let plain = |sign: char| sign.is_ascii_lowercase() || sign == '_';
    let goes_on = |sign: char| plain(sign) || sign.is_ascii_digit();
    if name.starts_with(plain) && name.chars().all(goes_on) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// What an administrator runs, with the names that are known in the places of those that are made up.
pub fn grants(database: Option<&str>, role: Option<&str>, schema: Option<&str>) -> String {
    let names = |line: &str| {
        let mut line = line.to_owned();
        let mut put = |found: &str, before: &str, name: Option<&str>, after: &str| {
            if let Some(name) = name {
                line = line.replace(found, &format!("{before}{}{after}", identifier(name)));
            }
        };
        put("database maestro", "database ", database, "");
        put("schema public", "schema ", schema, "");
        put("    public.", "    ", schema, ".");
        put("to dacapo;", "to ", role, ";");
        line
    };
    GRANTS.sql().lines().map(names).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_are_for_the_names_that_are_known() {
        assert_eq!(grants(None, None, None), GRANTS.sql());
        let grants = grants(Some("fleet"), Some("Night Reader"), Some("maestro"));
        for line in [
            "grant connect on database fleet to \"Night Reader\";",
            "grant usage on schema maestro to \"Night Reader\";",
            "    maestro.events,",
            "to \"Night Reader\";",
            "grant pg_read_all_stats to \"Night Reader\";",
        ] {
            assert!(grants.lines().any(|found| found == line), "{line} is not in {grants}");
        }
        assert!(!grants.contains("dacapo") && !grants.contains("public"), "{grants}");
    }
}
