//! What is wrong in a whole bundle: every rule over every work, and what follows from what.

mod group;
mod rules;

pub use rules::{explain, rules};

use super::error::Result;
use super::fleet::judged::{self, Wanted};
use crate::bundle::Reader;
use crate::model::{Clear, DIAGNOSE_FORMAT, Diagnosis, Severity, Untold};
use crate::query::rules::{self as statements, COUNTED, Counted, FOUND, Looked, NEEDED, NeededTable, Rule};
use crate::query::sql;
use crate::store::{Limits, Store};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What to look for.
#[derive(Debug, Default)]
pub struct DiagnoseAsk {
    /// Names of rules; all where there are none.
    pub rules: Vec<String>,
    /// Rules of somebody's own: names and statements.
    pub own: Vec<(String, String)>,
    /// How long each of those may take.
    pub time: Duration,
    /// From which severity on a finding fails.
    pub fail_on: Option<Severity>,
}

/// What one rule says.
struct Answer {
    rule: Rule,
    found: Vec<Looked>,
}

pub fn diagnose(reader: &Arc<Reader>, ask: &DiagnoseAsk, progress: impl FnMut(usize, usize)) -> Result<Diagnosis> {
    let chosen = rules(ask)?;
    let mut store = Store::open_within(&Limits::FLEET)?;
    let kept: Vec<&str> = sql::view_names().collect();
    store.show_evidence(reader, &kept)?;
    sql::make_views(&store)?;
    let works = judged::fill(reader, &store, &Wanted::EVERYTHING, progress)?;
    statements::add_bundle(&store, reader.manifest().collected_at, reader.manifest().redacted)?;
    let collected = Collected::of(&store)?;
    let (mut answers, mut clear, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for rule in chosen {
        match look(&store, &collected, &rule)? {
            Said::Found(found) => answers.push(Answer { rule, found }),
            Said::Clear { checked, untold } => clear.push(Clear { rule: rule.name, checked, untold }),
            Said::Unknown(because) => unknown.push(Untold { rule: rule.name, because }),
        }
    }
    Ok(Diagnosis {
        format: DIAGNOSE_FORMAT,
        bundle: reader.path().display().to_string(),
        collected_at: reader.manifest().collected_at,
        works: works.len(),
        fail_on: ask.fail_on,
        findings: group::findings(answers, &works),
        clear,
        unknown,
    })
}

/// What a rule says: one of three.
enum Said {
    Found(Vec<Looked>),
    Clear { checked: usize, untold: usize },
    Unknown(String),
}

fn look(store: &Store, collected: &Collected, rule: &Rule) -> Result<Said> {
    if let Some(because) = collected.lack(rule) {
        return Ok(Said::Unknown(because));
    }
    rule.look(store).map_err(|error| rules::broken(rule, error))?;
    let (found, untold): (Vec<Looked>, Vec<Looked>) =
        FOUND.run::<Looked>(store, &[])?.into_iter().partition(|looked| looked.answer == "found");
    let counted = COUNTED.run::<Counted>(store, &[])?;
    let checked = counted.iter().filter(|counted| counted.answer == "clear").map(|counted| counted.things).sum::<i64>();
    let checked = usize::try_from(checked).unwrap_or(usize::MAX);
    Ok(match (found.is_empty(), checked, untold.first()) {
        (false, ..) => Said::Found(found),
        (true, 0, Some(first)) => {
            let more = if untold.len() > 1 { format!(" (and {} more)", untold.len() - 1) } else { String::new() };
            Said::Unknown(format!("{}{more}", first.text.as_deref().unwrap_or("the material cannot tell")))
        }
        (true, 0, None) if !rule.header.nothing.is_empty() => Said::Unknown(rule.header.nothing.clone()),
        _ => Said::Clear { checked, untold: untold.len() },
    })
}

/// The tables that were collected, and whether whole.
struct Collected(BTreeMap<String, bool>);

impl Collected {
    fn of(store: &Store) -> Result<Self> {
        let tables = NEEDED.run::<NeededTable>(store, &[])?;
        Ok(Self(tables.into_iter().map(|table| (table.table_name, table.whole)).collect()))
    }

    /// Why a rule can tell nothing.
    fn lack(&self, rule: &Rule) -> Option<String> {
        let absent: Vec<&str> =
            rule.header.needs.iter().map(String::as_str).filter(|table| !self.0.contains_key(*table)).collect();
        let part = rule.header.needs_whole.iter().find(|table| self.0.get(*table) == Some(&false));
        match absent.as_slice() {
            [] => part.map(|table| format!("only a part of {table} was collected")),
            [table] => Some(format!("{table} was not collected")),
            tables => Some(format!("{} were not collected", tables.join(" and "))),
        }
    }
}
