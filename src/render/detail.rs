//! The steps of a hop, laid out below it.

use super::document::{Cell, Table, Tone};
use super::sheet::{optional, time, word};
use super::timeline::whole_seconds;
use super::trace::shortened;
use crate::model::{About, Hop, Request, Step, Trace, Work};

/// Different things that are said about one step; there may be hundreds.
const SAID: usize = 2;
const TOLD: usize = 80;

pub fn rows(hop: &Hop) -> Vec<Vec<Cell>> {
    hop.steps.iter().flatten().map(row).collect()
}

fn row(step: &Step) -> Vec<Cell> {
    let places = match step.places.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    let times = if step.count > 1 { format!("{} times", step.count) } else { String::new() };
    let parts = [times, step.evidence.join(" … "), said(step)];
    let told: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let cells = [
        format!("  · {}", step.step),
        step.sign.clone(),
        step.at
            .map_or_else(|| "–".to_owned(), |at| if step.is_rough() { whole_seconds(at.clock()) } else { at.clock() }),
        String::new(),
        places,
        shortened(&told.join("; "), TOLD),
    ];
    cells.into_iter().map(|text| Cell::toned(text, Tone::Faint)).collect()
}

fn said(step: &Step) -> String {
    let several = step.about.len() > 1 || step.about.iter().any(|about| about.count < step.count);
    let one = |about: &About| {
        if several { format!("{} × {}", about.count, about.text) } else { about.text.clone() }
    };
    let mut said: Vec<String> = step.about.iter().take(SAID).map(one).collect();
    if step.about.len() > SAID {
        said.push(format!("and {} others", step.about.len() - SAID));
    }
    said.join(", ")
}

/// Every step of every hop.
pub fn sheet(trace: &Trace) -> Option<Table> {
    let columns = vec![
        "work_name",
        "resource_id",
        "request",
        "version",
        "life",
        "hop",
        "name",
        "verdict",
        "step",
        "sign",
        "count",
        "at",
        "last_at",
        "where",
        "evidence",
        "about",
    ];
    let requests = trace.works.iter().flat_map(|work| work.requests.iter().map(move |request| (work, request)));
    let hops = requests.flat_map(|(work, request)| request.hops.iter().map(move |hop| (work, request, hop)));
    let asked = hops.clone().any(|(_, _, hop)| hop.steps.is_some());
    let rows = hops.flat_map(|(work, request, hop)| {
        hop.steps.iter().flatten().map(move |step| sheet_row(work, request, hop, step))
    });
    asked.then(|| Table::new(columns, rows.collect()))
}

fn sheet_row(work: &Work, request: &Request, hop: &Hop, step: &Step) -> Vec<Cell> {
    let about: Vec<String> = step.about.iter().map(|about| format!("{} × {}", about.count, about.text)).collect();
    let cells = [
        optional(work.work_name.as_deref()),
        work.resource_id.clone(),
        word(&request.request),
        request.version.to_string(),
        request.life.to_string(),
        hop.hop.to_string(),
        word(&hop.name),
        word(&hop.verdict),
        step.step.clone(),
        step.sign.clone(),
        step.count.to_string(),
        time(step.at),
        time(step.last_at),
        step.places.join(" "),
        step.evidence.join(" "),
        about.join(", "),
    ];
    cells.into_iter().map(Cell::from).collect()
}
