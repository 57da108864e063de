//! The header of a query: what it is, what it needs.

/// The comment lines at the beginning of a query, as `-- key: value`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub title: String,
    /// Names of the parameters, in their order.
    pub parameters: Vec<String>,
    /// Tables it reads, also through views.
    pub tables: Vec<String>,
    /// Views it is written against.
    pub views: Vec<String>,
    /// Of a view that statements are planned against: its columns with their types, as a table declares them.
    pub shape: String,
    /// Tables of which at least one must have rows: otherwise it answers nothing.
    pub only_with: Vec<String>,
    /// What it is good for.
    pub answers: String,
    /// Parameters that are found by name.
    pub named: Vec<Named>,
    /// Columns of a view, with what they mean.
    pub columns: Vec<(String, String)>,
    /// What people do by hand instead.
    pub instead_of: Vec<Step>,
    /// Of a rule: how bad it is when it finds something.
    pub severity: String,
    /// Of a rule: what a finding means.
    pub means: String,
    /// Of a rule: how it comes about.
    pub comes_about: String,
    /// Of a rule: what to look at.
    pub check: Vec<String>,
    /// Of a rule: where to go next.
    pub next: Vec<String>,
    /// Of a rule: tables without which it can tell nothing.
    pub needs: Vec<String>,
    /// Of a rule: those of them that must be there whole, because it tells what is not in them.
    pub needs_whole: Vec<String>,
    /// Of a rule: what it could not look at, where it finds nothing to look at.
    pub nothing: String,
    /// Of a rule: rules whose findings it can be the reason of.
    pub explains: Vec<String>,
    /// Of a rule: rules that tell the same about a work, and better.
    pub follows: Vec<String>,
}

/// `-- parameter limit = 100: how many rows`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// Without one, it has to be given.
    pub default: Option<String>,
    pub about: String,
}

/// `-- with kind=publish instead of: grep "Failed to publish resource"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Values of parameters with which the answer is that of the step.
    pub values: Vec<String>,
    pub by_hand: String,
}

impl Step {
    fn parse(key: &str, by_hand: &str) -> Self {
        let values = key.strip_suffix("instead of").and_then(|key| key.strip_prefix("with "));
        let values = values.unwrap_or_default().split_whitespace();
        Self { values: values.map(str::to_owned).collect(), by_hand: by_hand.to_owned() }
    }
}

impl Named {
    fn parse(name: &str, about: &str) -> Self {
        let (name, default) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let default = default.map(|value| value.trim().to_owned());
        Self { name: name.trim().to_owned(), default, about: about.to_owned() }
    }
}

impl Header {
    pub fn parse(sql: &str) -> Self {
        let mut header = Self::default();
        for line in unfolded(sql) {
            let Some((key, value)) = line.split_once(':') else { continue };
            let list = || -> Vec<String> {
                value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
            };
            match key.trim() {
                "title" => header.title = value.trim().to_owned(),
                "parameters" => header.parameters = list(),
                "tables" => header.tables = list(),
                "views" => header.views = list(),
                "shape" => header.shape = value.trim().to_owned(),
                "only with" => header.only_with = list(),
                "answers" => header.answers = value.trim().to_owned(),
                "severity" => header.severity = value.trim().to_owned(),
                "means" => header.means = value.trim().to_owned(),
                "comes about" => header.comes_about = value.trim().to_owned(),
                "check" => header.check.push(value.trim().to_owned()),
                "next" => header.next.push(value.trim().to_owned()),
                "needs" => header.needs.extend(list()),
                "needs whole" => {
                    header.needs_whole = list();
                    header.needs.extend(list());
                }
                "nothing" => header.nothing = value.trim().to_owned(),
                "explains" => header.explains = list(),
                "follows" => header.follows = list(),
                other => match other.split_once(' ') {
                    Some(("parameter", name)) => header.named.push(Named::parse(name, value.trim())),
                    Some(("column", name)) => header.columns.push((name.to_owned(), value.trim().to_owned())),
                    _ if other.ends_with("instead of") => header.instead_of.push(Step::parse(other, value.trim())),
                    _ => {}
                },
            }
        }
        header
    }
}

/// The lines of a header. One that is indented goes on with what the line before it says.
fn unfolded(sql: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in sql.lines().map_while(|line| line.strip_prefix("--")) {
        match lines.last_mut() {
            Some(before) if line.starts_with("   ") => *before = format!("{before} {}", line.trim()),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_where_the_statement_begins() {
        let header = Header::parse(
            "-- title: All of it\n-- parameters: id, other\n-- tables: events\n-- views: specs\nselect 1\n-- title: no",
        );
        assert_eq!(header.title, "All of it");
        assert_eq!(header.parameters, ["id", "other"]);
        assert_eq!(header.tables, ["events"]);
        assert_eq!(header.views, ["specs"]);
    }

    #[test]
    fn an_indented_line_goes_on_with_the_one_before_it() {
        let header = Header::parse("-- means: one\n--   two: three\n-- check: this\n-- check: that\nselect 1");
        assert_eq!(header.means, "one two: three");
        assert_eq!(header.check, ["this", "that"]);
    }

    #[test]
    fn a_step_by_hand_may_have_values_of_its_own() {
        let header = Header::parse("-- instead of: cat *.log\n-- with kind=publish text=… instead of: grep one");
        let steps: Vec<_> =
            header.instead_of.iter().map(|step| (step.values.join(" "), step.by_hand.as_str())).collect();
        assert_eq!(steps, [(String::new(), "cat *.log"), ("kind=publish text=…".to_owned(), "grep one")]);
    }

    #[test]
    fn a_parameter_may_have_a_value_of_its_own() {
        let header =
            Header::parse("-- parameter id: the work\n-- parameter most = 10: rows\n-- parameter part =: of a name\n");
        let found: Vec<_> = header.named.iter().map(|named| (named.name.as_str(), named.default.as_deref())).collect();
        assert_eq!(found, [("id", None), ("most", Some("10")), ("part", Some(""))]);
    }
}
