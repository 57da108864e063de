//! The manifests of a work, laid out: one line each, and what was found about it below.

use super::document::{Cell, Document, Tone};
use crate::model::{Actual, Applied, Condition, Feedback, Finding, Manifest, Work};
use std::cmp::Reverse;

/// Manifests that are shown; a work may have hundreds.
const SHOWN_MANIFESTS: usize = 8;
const LONGEST_FINDING: usize = 240;
const LONGEST_FEEDBACK: usize = 40;

pub fn lay_out(work: &Work, document: &mut Document) {
    if work.manifests.is_empty() {
        return;
    }
    let rows = rows(&work.manifests, 0);
    let feeds_back = rows.iter().any(|row| row.last().is_some_and(|cell| !cell.text.is_empty()));
    let mut columns = vec!["manifest", "asked", "applied", "in the cluster", "conditions"];
    columns.extend(feeds_back.then_some("feedback"));
    let width = columns.len();
    document.gap();
    document.table(columns, rows.into_iter().map(|row| row.into_iter().take(width).collect()).collect());
}

/// Those with findings come first.
fn rows(manifests: &[Manifest], depth: usize) -> Vec<Vec<Cell>> {
    let mut ordered: Vec<&Manifest> = manifests.iter().collect();
    ordered.sort_by_key(|manifest| Reverse(has_findings(manifest)));
    // Where one was asked for, the others were not.
    let unasked = if manifests.iter().any(|manifest| manifest.update_strategy.is_some()) { "–" } else { "?" };
    let mut rows = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for manifest in ordered.iter().take(SHOWN_MANIFESTS) {
        rows.push(row(manifest, unasked, depth));
        for finding in &manifest.findings {
            // What is true of all is said once.
            if !told.contains(&finding.text.as_str()) {
                let more = manifests.iter().filter(|other| says(other, finding)).count() - 1;
                rows.push(line(depth, finding_line(finding, more)));
                told.push(&finding.text);
            }
        }
        rows.extend(manifest.by_design.iter().map(|why| line(depth, why.clone())));
        rows.extend(manifest.inner.iter().flat_map(|inner| self::rows(&inner.manifests, depth + 1)));
    }
    let more = manifests.len().saturating_sub(SHOWN_MANIFESTS);
    rows.extend((more > 0).then(|| line(depth, format!("and {more} more"))));
    rows
}

fn has_findings(manifest: &Manifest) -> bool {
    !manifest.findings.is_empty() || manifest.inner.iter().flat_map(|inner| &inner.manifests).any(has_findings)
}

fn says(manifest: &Manifest, finding: &Finding) -> bool {
    manifest.findings.iter().any(|own| own.text == finding.text)
}

fn row(manifest: &Manifest, unasked: &str, depth: usize) -> Vec<Cell> {
    vec![
        format!("{}{}", "  ".repeat(depth), name_of(manifest)).into(),
        manifest.update_strategy.clone().unwrap_or_else(|| unasked.to_owned()).into(),
        applied(manifest),
        actual(manifest),
        conditions(&manifest.conditions),
        feedback(&manifest.feedback).into(),
    ]
}

/// A row of one cell, which is as wide as it needs to be.
fn line(depth: usize, text: String) -> Vec<Cell> {
    let first = Cell::from(format!("{}  {text}", "  ".repeat(depth)));
    std::iter::once(first).chain(std::iter::repeat_n(Cell::default(), 5)).collect()
}

fn finding_line(finding: &Finding, more: usize) -> String {
    let others = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    format!("→ {}{others}  {}", shortened(&finding.text, LONGEST_FINDING), finding.evidence.join(", "))
}

fn name_of(manifest: &Manifest) -> String {
    let kind = manifest.kind.as_deref().unwrap_or("?");
    match &manifest.namespace {
        Some(namespace) => format!("{kind} {namespace}/{}", manifest.name),
        None => format!("{kind} {}", manifest.name),
    }
}

fn applied(manifest: &Manifest) -> Cell {
    match manifest.applied {
        Some(Applied::Listed) => "listed".into(),
        Some(Applied::NotListed) => Cell::toned("not listed", Tone::Unsure),
        None => Cell::toned("no list", Tone::Faint),
    }
}

fn actual(manifest: &Manifest) -> Cell {
    let seen = |text: &str, tone| Cell::toned(text, tone);
    match manifest.actual {
        Some(Actual::AsAsked) => seen("as asked", Tone::Good),
        Some(Actual::Differs) if manifest.by_design.is_some() => "differs by design".into(),
        Some(Actual::Differs) => seen("differs", Tone::Bad),
        Some(Actual::There) => "there".into(),
        Some(Actual::Deleting) => seen("being deleted", Tone::Unsure),
        Some(Actual::Absent) => "not there".into(),
        None => seen("?", Tone::Faint),
    }
}

/// Names of those that are true, and how it is with the others. Feedback counts when it fails.
fn conditions(conditions: &[Condition]) -> Cell {
    let is_true = |condition: &&Condition| condition.status == "True";
    let good = conditions.iter().filter(is_true).filter(|condition| condition.kind != "StatusFeedbackSynced");
    let bad = conditions.iter().filter(|condition| !is_true(condition));
    let bad: Vec<String> = bad.map(|condition| format!("{}={}", condition.kind, condition.status)).collect();
    let tone = if bad.is_empty() { Tone::Plain } else { Tone::Bad };
    let all: Vec<String> = bad.into_iter().chain(good.map(|condition| condition.kind.clone())).collect();
    if all.is_empty() { Cell::toned("none", Tone::Faint) } else { Cell::toned(all.join(", "), tone) }
}

fn feedback(values: &[Feedback]) -> String {
    let shown = |feedback: &Feedback| match &feedback.value {
        serde_json::Value::Object(_) | serde_json::Value::Array(_) => feedback.name.clone(),
        _ if feedback.cut => feedback.name.clone(),
        plain => format!("{}={plain}", feedback.name),
    };
    shortened(&values.iter().map(shown).collect::<Vec<_>>().join(", "), LONGEST_FEEDBACK)
}

fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
