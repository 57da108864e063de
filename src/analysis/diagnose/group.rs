//! From rows to findings: what shares a reason is one finding, and what follows from another stands below it.
//!
//! A row follows from another where the evidence of its cause is evidence of that one, and the other's rule says that it
//! can explain such things; or where both are about one work, and its rule says that the other tells it better; or where
//! neither holds, and what can explain it happened before in the same pod or for the same consumer.

use super::super::fleet::judged::Works;
use super::Answer;
use crate::model::{Detail, Found, FoundWork, Severity};
use crate::query::rules::{Looked, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A rule and one of its rows, by number.
type Place = (usize, usize);

/// Pieces of evidence that are named for a finding; its details have them all.
const SHOWN: usize = 8;

/// The time of a stop is that of the last hop that was reached; what stopped it comes right after that.
const AT_ONCE: i64 = 2_000_000;

/// What follows from what follows; more than this is a circle.
const DEEPEST: usize = 4;

pub fn findings(answers: Vec<Answer>, works: &Works) -> Vec<Found> {
    let reasons = Reasons::of(&answers);
    let mut tree = Tree::default();
    for (rule, answer) in answers.iter().enumerate() {
        for row in 0..answer.found.len() {
            tree.put(&answers, &reasons, (rule, row), 0);
        }
    }
    tree.grow(&answers, works, None)
}

/// Which row is the reason of which.
struct Reasons(BTreeMap<Place, Place>);

impl Reasons {
    fn of(answers: &[Answer]) -> Self {
        let known = Known::of(answers);
        let mut reasons = BTreeMap::new();
        for (number, answer) in answers.iter().enumerate() {
            for (row, found) in answer.found.iter().enumerate() {
                let reason = known.reason_of(&answer.rule, found).filter(|place| place.0 != number);
                reasons.extend(reason.map(|place| ((number, row), place)));
            }
        }
        Self(reasons)
    }
}

/// Rows by what others may have in common with them.
struct Known<'a> {
    answers: &'a [Answer],
    by_evidence: BTreeMap<&'a str, Vec<Place>>,
    by_work: BTreeMap<&'a str, Vec<Place>>,
    /// Rows about no work, by the pod or cluster, and by the consumer they are about.
    by_place: BTreeMap<&'a str, Vec<Place>>,
}

impl<'a> Known<'a> {
    fn of(answers: &'a [Answer]) -> Self {
        let (mut by_evidence, mut by_work, mut by_place) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let add = |map: &mut BTreeMap<&'a str, Vec<Place>>, key, place| map.entry(key).or_default().push(place);
        for (rule, answer) in answers.iter().enumerate() {
            for (row, found) in answer.found.iter().enumerate() {
                let place = (rule, row);
                if let Some(work) = found.work.as_deref() {
                    add(&mut by_work, work, place);
                }
                if answer.rule.header.explains.is_empty() {
                    continue;
                }
                references(found.evidence.as_deref()).for_each(|reference| add(&mut by_evidence, reference, place));
                if found.work.is_none() {
                    let places = found.place.as_deref().into_iter().chain(found.consumer.as_deref());
                    places.for_each(|name| add(&mut by_place, name, place));
                }
            }
        }
        Self { answers, by_evidence, by_work, by_place }
    }

    fn reason_of(&self, rule: &Rule, found: &Looked) -> Option<Place> {
        let explains = |place: &&Place| {
            self.answers.get(place.0).is_some_and(|answer| answer.rule.header.explains.contains(&rule.name))
        };
        let mut shown =
            references(found.cause.as_deref()).filter_map(|reference| self.by_evidence.get(reference)).flatten();
        let told = found.work.as_deref().and_then(|work| self.by_work.get(work)).into_iter().flatten();
        let named = |place: &&Place| {
            self.answers.get(place.0).is_some_and(|answer| rule.header.follows.contains(&answer.rule.name))
        };
        // Where no other finding shows why, one of before in the same place does.
        let names = found.place.as_deref().into_iter().chain(found.consumer.as_deref());
        let before = |place: &&Place| {
            let at = row(self.answers, **place).and_then(|reason| reason.at);
            at.zip(found.at).is_some_and(|(reason, found)| reason <= found.plus_micros(AT_ONCE))
        };
        let near = names.filter_map(|name| self.by_place.get(name)).flatten().filter(explains).find(before);
        let reason = shown.find(explains).or_else(|| told.into_iter().find(named)).or(near);
        reason.copied()
    }
}

fn references(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.unwrap_or_default().split_whitespace()
}

/// Findings, each with its rows and the finding that it follows from.
#[derive(Default)]
struct Tree {
    known: BTreeMap<(usize, Option<String>, Option<usize>), usize>,
    findings: Vec<(Option<usize>, Vec<Place>)>,
}

impl Tree {
    /// The finding that a row belongs to.
    fn put(&mut self, answers: &[Answer], reasons: &Reasons, place: Place, depth: usize) -> Option<usize> {
        let found = row(answers, place)?;
        let reason = reasons.0.get(&place).filter(|_| depth < DEEPEST);
        let above = reason.and_then(|reason| self.put(answers, reasons, *reason, depth + 1));
        let key = (place.0, found.shares.clone(), above);
        let number = *self.known.entry(key).or_insert_with(|| {
            self.findings.push((above, Vec::new()));
            self.findings.len() - 1
        });
        if let Some((_, rows)) =
            self.findings.get_mut(number).filter(|(_, rows)| depth == 0 && rows.last() != Some(&place))
        {
            rows.push(place);
        }
        Some(number)
    }

    /// The findings that follow from this one, the worst first.
    fn grow(&self, answers: &[Answer], works: &Works, above: Option<usize>) -> Vec<Found> {
        let below = self.findings.iter().enumerate().filter(|(_, (parent, rows))| *parent == above && !rows.is_empty());
        let mut found: Vec<(usize, Found)> = below
            .filter_map(|(number, (_, rows))| {
                let rule = rows.first()?.0;
                Some((rule, finding(answers, works, rows, self.grow(answers, works, Some(number)))?))
            })
            .collect();
        found.sort_by(|(one_rule, one), (other_rule, other)| {
            let weight = |found: &Found| (found.severity, found.works.len());
            weight(other).cmp(&weight(one)).then(one_rule.cmp(other_rule)).then(one.text.cmp(&other.text))
        });
        found.into_iter().map(|(_, found)| found).collect()
    }
}

fn row(answers: &[Answer], place: Place) -> Option<&Looked> {
    answers.get(place.0)?.found.get(place.1)
}

fn finding(answers: &[Answer], works: &Works, rows: &[Place], cause_of: Vec<Found>) -> Option<Found> {
    let rule = &answers.get(rows.first()?.0)?.rule;
    let rows: Vec<&Looked> = rows.iter().filter_map(|place| row(answers, *place)).collect();
    let usual = Severity::parse(&rule.header.severity).unwrap_or(Severity::Info);
    let of_row = |row: &&Looked| row.severity.as_deref().and_then(Severity::parse).unwrap_or(usual);
    let worst = rows.iter().map(of_row).max().unwrap_or(usual);
    let known = |values: Vec<Option<&String>>| -> Vec<String> {
        values.into_iter().flatten().cloned().collect::<BTreeSet<_>>().into_iter().collect()
    };
    let evidence =
        rows.iter().flat_map(|row| references(row.evidence.as_deref()).chain(references(row.cause.as_deref())));
    let mut named: Vec<String> = Vec::new();
    for reference in evidence {
        if named.len() < SHOWN && !named.iter().any(|known| known == reference) {
            named.push(reference.to_owned());
        }
    }
    Some(Found {
        rule: rule.name.clone(),
        severity: cause_of.iter().map(|found| found.severity).max().unwrap_or(worst).max(worst),
        title: rule.header.title.clone(),
        text: rows.first()?.text.clone().unwrap_or_else(|| rule.header.title.clone()),
        since: rows.iter().filter_map(|row| row.at).min(),
        works: by_name(known(rows.iter().map(|row| row.work.as_ref()).collect()), works),
        consumers: known(rows.iter().map(|row| row.consumer.as_ref()).collect()),
        places: known(rows.iter().map(|row| row.place.as_ref()).collect()),
        evidence: named,
        check: rule.header.check.clone(),
        cause_of,
        details: rows.into_iter().map(detail).collect(),
    })
}

fn by_name(ids: Vec<String>, works: &Works) -> Vec<FoundWork> {
    let named = |resource_id: String| {
        let (work_name, consumer) = works.get(&resource_id).cloned().unwrap_or_default();
        FoundWork { resource_id, work_name, consumer }
    };
    let mut found: Vec<FoundWork> = ids.into_iter().map(named).collect();
    found.sort_by(|one, other| one.work_name.cmp(&other.work_name).then(one.resource_id.cmp(&other.resource_id)));
    found
}

fn detail(row: &Looked) -> Detail {
    Detail {
        work: row.work.clone(),
        consumer: row.consumer.clone(),
        place: row.place.clone(),
        at: row.at,
        text: row.text.clone().unwrap_or_default(),
        evidence: references(row.evidence.as_deref()).map(str::to_owned).collect(),
    }
}
