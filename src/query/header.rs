//! The header of a query: what it is, what it needs.

/// The comment lines at the beginning of a query, as `-- key: value`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub title: String,
    /// Names of the parameters, in their order.
    pub parameters: Vec<String>,
    /// Tables it reads, also through views.
    pub tables: Vec<String>,
    /// Views it is written against.
    pub views: Vec<String>,
}

impl Header {
    pub fn parse(sql: &str) -> Self {
        let mut header = Self::default();
        for line in sql.lines().map_while(|line| line.strip_prefix("--")) {
            let Some((key, value)) = line.split_once(':') else { continue };
            let list = || value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect();
            match key.trim() {
                "title" => header.title = value.trim().to_owned(),
                "parameters" => header.parameters = list(),
                "tables" => header.tables = list(),
                "views" => header.views = list(),
                _ => {}
            }
        }
        header
    }
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
}
