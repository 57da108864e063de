//! Which rules are asked, and what they say of themselves.

use super::super::error::{Error, Result};
use super::DiagnoseAsk;
use crate::model::{Explained, Explanation, RULES_FORMAT, Severity};
use crate::query::rules::{LOOKED, Looked, Rule, VIEWS};
use crate::query::{Query, Row, judged, sql};
use crate::schema::TABLES;
use crate::store::{self, Reading, Store};

/// The rules that were asked for, somebody's own among them, each checked.
pub fn rules(ask: &DiagnoseAsk) -> Result<Vec<Rule>> {
    let mut all = Rule::all();
    if !ask.own.is_empty() {
        let store = without_evidence()?;
        for (name, sql) in &ask.own {
            let rule = Rule::own(name, sql, ask.time);
            keeps_contract(&store, &rule, &all).map_err(|because| Error::Rule { rule: name.clone(), because })?;
            all.push(rule);
        }
    }
    let unknown = ask.rules.iter().find(|name| !all.iter().any(|rule| rule.name == **name));
    if let Some(name) = unknown {
        return Err(no_such_rule(name, &all));
    }
    all.retain(|rule| ask.rules.is_empty() || ask.rules.contains(&rule.name));
    Ok(all)
}

/// All tables and views that a rule can be written against, and nothing in them: what is wrong with a rule is said
/// before anything is judged.
fn without_evidence() -> Result<Store> {
    let store = Store::open()?;
    TABLES.iter().try_for_each(|table| store.make(table.name))?;
    sql::make_views(&store)?;
    judged::make(&store)?;
    Ok(store)
}

/// What rules of these names mean; all of them where none is named.
pub fn explain(names: &[String]) -> Result<Explanation> {
    let all = Rule::all();
    if let Some(name) = names.iter().find(|name| !all.iter().any(|rule| rule.name == **name)) {
        return Err(no_such_rule(name, &all));
    }
    let chosen = all.into_iter().filter(|rule| names.is_empty() || names.contains(&rule.name));
    Ok(Explanation { format: RULES_FORMAT, rules: chosen.map(explained).collect() })
}

fn explained(rule: Rule) -> Explained {
    let header = rule.header;
    Explained {
        rule: rule.name,
        title: header.title,
        severity: Severity::parse(&header.severity).unwrap_or(Severity::Info),
        means: header.means,
        comes_about: header.comes_about,
        check: header.check,
        next: header.next,
        needs: header.needs,
        needs_whole: header.needs_whole,
        explains: header.explains,
        follows: header.follows,
    }
}

fn no_such_rule(name: &str, all: &[Rule]) -> Error {
    let names: Vec<String> = all.iter().map(|rule| rule.name.clone()).collect();
    let near = super::super::near(name, names.iter());
    let near = if near.is_empty() { sharing_words(name, &names) } else { near };
    Error::NoSuchRule { rule: name.to_owned(), near }
}

/// What went wrong with somebody's rule is theirs to mend; with one of ours, it is our mistake.
pub fn broken(rule: &Rule, error: store::Error) -> Error {
    match rule.limits {
        Some(_) => Error::Rule { rule: rule.name.clone(), because: words(&error) },
        None => error.into(),
    }
}

/// The database's own words, where it said something.
fn words(error: &store::Error) -> String {
    match error {
        store::Error::Query { source, .. } if source.to_string().starts_with("Out of Memory") => {
            "it needs more memory than a diagnosis may take".to_owned()
        }
        store::Error::Query { source, .. } => source.to_string(),
        store::Error::Late { after, .. } => format!("it was still at work after {} s", after.as_secs()),
        store::Error::TooMuch { rows, .. } => format!("it answers with more than {rows} rows"),
        store::Error::Shape { found, expected, .. } => format!("it answers with {found}, where {expected} is expected"),
        other => other.to_string(),
    }
}

/// What the header of a rule can name.
fn views() -> impl Iterator<Item = &'static str> {
    judged::TABLES.iter().chain(VIEWS).map(Query::short_name).filter(|name| *name != LOOKED)
}

/// Letters, digits and what joins them: a name is said in commands and in pipelines.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

/// Names that have most of the words of what was asked for.
fn sharing_words(asked: &str, names: &[String]) -> Vec<String> {
    let words: Vec<&str> = asked.split(['_', '-', ' ']).filter(|word| word.len() > 2).collect();
    let shared = |name: &String| words.iter().filter(|word| name.split('_').any(|part| part == **word)).count();
    let most = names.iter().map(shared).max().filter(|most| *most > 0);
    names.iter().filter(|name| Some(shared(name)) == most).take(5).cloned().collect()
}

/// Why somebody's rule cannot be one.
fn keeps_contract(store: &Store, rule: &Rule, known: &[Rule]) -> std::result::Result<(), String> {
    let header = &rule.header;
    if !is_name(&rule.name) {
        return Err("its file's name has more than small letters, digits, _ and -".to_owned());
    }
    if known.iter().any(|other| other.name == rule.name) {
        return Err("there is a rule of that name already".to_owned());
    }
    if header.title.is_empty() || header.means.is_empty() {
        return Err("its header lacks `-- title:` or `-- means:`".to_owned());
    }
    if Severity::parse(&header.severity).is_none() {
        return Err("its header lacks `-- severity:`, one of error, warning and info".to_owned());
    }
    match store.reading(&rule.sql) {
        Ok(Reading::One) => {}
        Ok(Reading::Wrong(message)) => return Err(message),
        Ok(Reading::Several(count)) => return Err(format!("it has {count} statements, where one is expected")),
        Ok(Reading::Writing) => return Err("it does more than read; evidence stays as it is".to_owned()),
        Err(error) => return Err(words(&error)),
    }
    if let Some(other) =
        header.explains.iter().chain(&header.follows).find(|name| !known.iter().any(|rule| rule.name == **name))
    {
        return Err(format!("its header names {other}, which is no rule"));
    }
    if let Some(view) = header.views.iter().find(|view| !views().any(|known| known == view.as_str())) {
        return Err(format!(
            "its header names the view {view}, which is none of {}",
            views().collect::<Vec<_>>().join(", ")
        ));
    }
    let columns = rule.columns(store).map_err(|error| words(&error))?;
    if columns != Looked::COLUMNS {
        return Err(format!(
            "it answers with {}, where {} is expected",
            columns.join(", "),
            Looked::COLUMNS.join(", ")
        ));
    }
    Ok(())
}
