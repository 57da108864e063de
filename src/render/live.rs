//! Steps, requests and rights of a collection from running systems, laid out.

use super::Present;
use super::document::{Cell, Document, Tone};
use super::inspect::size;
use crate::model::{LiveStep, Requests, Right, Rights};

impl Present for Requests {
    fn document(&self) -> Document {
        let mut document = Document::default();
        document.headline("nothing was sent; a collection would send these");
        let asked = self.sources.iter().flat_map(|asked| asked.requests.iter().map(|request| (&asked.source, request)));
        let row =
            |(source, request): (&String, &String)| vec![source.as_str().into(), Cell::verbatim(request.as_str())];
        document.gap();
        document.table(vec!["source", "request"], asked.map(row).collect());
        document
    }
}

impl Present for Rights {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let rights =
            || self.sources.iter().flat_map(|needed| needed.rights.iter().map(|right| (&needed.source, right)));
        let missing = rights().filter(|(_, right)| right.granted != Some(true)).count();
        document.headline(match missing {
            0 => Cell::toned("every permission that a collection needs is there", Tone::Good),
            1 => Cell::toned("1 permission is missing or could not be checked", Tone::Bad),
            count => Cell::toned(format!("{count} permissions are missing or could not be checked"), Tone::Bad),
        });
        document.gap();
        document
            .table(vec!["source", "permission", "", ""], rights().map(|(source, right)| row(source, right)).collect());
        document
    }
}

fn row(source: &str, right: &Right) -> Vec<Cell> {
    let granted = match right.granted {
        Some(true) => Cell::toned("granted", Tone::Good),
        Some(false) => Cell::toned("missing", Tone::Bad),
        None => Cell::toned("unknown", Tone::Unsure),
    };
    vec![source.into(), right.what.as_str().into(), granted, right.why.clone().unwrap_or_default().into()]
}

/// The columns and rows of steps, in the order in which they were taken.
pub fn steps(document: &mut Document, steps: &[LiveStep]) {
    let row = |step: &LiveStep| {
        let tone = if step.outcome == "ok" { Tone::Good } else { Tone::Bad };
        vec![
            step.target.as_str().into(),
            Cell::toned(step.outcome.as_str(), tone),
            step.rows.to_string().into(),
            size(step.bytes.unsigned_abs()).into(),
            step.started_at.map(|at| at.clock()).unwrap_or_default().into(),
            took(step.duration_ms).into(),
            step.error.clone().unwrap_or_default().into(),
        ]
    };
    let columns = vec!["read live", "outcome", "rows", "size", "at (UTC)", "took", ""];
    document.table(columns, steps.iter().map(row).collect());
}

/// `0.4 s`
fn took(milliseconds: i64) -> String {
    format!("{:.1} s", milliseconds as f64 / 1000.0)
}
