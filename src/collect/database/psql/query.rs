//! What an echoed query tells about its result: prompts, the table, the row that was asked for.

use crate::collect::database::tables;

/// The words of the last query that stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    text: String,
}

/// Words with which people begin a query.
const FIRST_WORDS: &[&str] = &["select", "with", "table", "explain"];

impl Query {
    /// Is the line part of a query? Takes it if so.
    pub fn takes(&mut self, line: &str) -> bool {
        if let Some((begins, sql)) = after_prompt(line) {
            if begins {
                self.text.clear();
            }
            self.add(sql);
            return true;
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        let begins = FIRST_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word));
        if begins {
            self.text.clear();
        }
        let goes_on = !self.text.is_empty() && !self.text.trim_end().ends_with(';');
        if begins || goes_on && !line.trim().is_empty() {
            self.add(line);
            return true;
        }
        false
    }

    fn add(&mut self, sql: &str) {
        self.text.push_str(sql);
        self.text.push('\n');
    }

    /// The query cannot go on where a result begins.
    pub fn close(&mut self) {
        if !self.text.is_empty() {
            self.text.push(';');
        }
    }

    /// The table that was asked.
    pub fn table(&self) -> Option<&'static str> {
        let text = self.text.to_lowercase();
        let from = text.split_whitespace().skip_while(|word| *word != "from").nth(1)?;
        let name = from.trim_end_matches([';', ')', ',']).rsplit('.').next()?.trim_matches('"');
        tables::called(name).map(|shape| shape.table.name)
    }

    /// What the rows have in common: `where id = '…'` holds for all of them, unless there is an `or`.
    pub fn says(&self, column: &str) -> Option<String> {
        let lower = self.text.to_ascii_lowercase();
        let condition = self.text.get(lower.find("where")?..)?;
        if condition.split_whitespace().any(|word| word.eq_ignore_ascii_case("or")) {
            return None;
        }
        condition.match_indices(column).find_map(|(at, _)| {
            let before = condition.get(..at)?.chars().next_back()?;
            if before.is_alphanumeric() || before == '_' {
                return None;
            }
            let value = condition.get(at + column.len()..)?.trim_start();
            let value = value.strip_prefix('=')?.trim_start().strip_prefix('\'')?;
            value.split_once('\'').map(|(value, _)| value.to_owned())
        })
    }

    /// The column that `jsonb_pretty` was asked to print.
    pub fn pretty(&self) -> Option<&'static str> {
        let (_, inner) = self.text.split_once("jsonb_pretty(")?;
        let (inner, _) = inner.split_once(')')?;
        let inner = inner.trim();
        let name = inner.rsplit_once('.').map_or(inner, |(_, name)| name);
        ["payload", "status", "labels"].into_iter().find(|column| *column == name)
    }
}

/// What stands behind a prompt such as `maestro=#` or `maestro->`, and whether a query begins there.
fn after_prompt(line: &str) -> Option<(bool, &str)> {
    let end = line.find(['#', '>'])?;
    let (prompt, rest) = line.split_at_checked(end)?;
    let sql = rest.get(1..)?;
    let mark = prompt.trim_end_matches(['*', '!', '?']).chars().next_back()?;
    let database = prompt.trim_end_matches(['*', '!', '?']).trim_end_matches(mark);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let fits = "=-('\"$^".contains(mark) && !database.is_empty() && database.chars().all(is_name);
    (fits && (sql.is_empty() || sql.starts_with(' '))).then_some((mark == '=', sql))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_tells_table_row_and_column() {
        let mut query = Query::default();
        assert!(query.takes("maestro=# SELECT jsonb_pretty(r.payload)"));
        assert!(query.takes("maestro-# FROM public.resources r WHERE source_id = 'no' AND r.id = 'a-b';"));
        assert_eq!(query.table(), Some("resources"));
        assert_eq!(query.says("id").as_deref(), Some("a-b"));
        assert_eq!(query.says("source_id").as_deref(), Some("no"));
        assert_eq!(query.pretty(), Some("payload"));
        assert!(!query.takes(" id | name"));
        assert!(query.takes("maestro=# select x from events where id = 'a' or id = 'b';"));
        assert_eq!((query.table(), query.says("id")), (Some("events"), None));
        assert!(query.takes("maestro=> select 1;"));
        assert_eq!((query.table(), query.says("id"), query.pretty()), (None, None, None));
    }

    #[test]
    fn not_every_mark_is_a_prompt() {
        for line in ["I0101 a->b", "x -> y", "# title", "> quote", "", "a=>b"] {
            assert_eq!(after_prompt(line), None, "{line}");
        }
    }
}
