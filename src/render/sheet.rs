//! Traces as one table, for a spreadsheet: whole times, numbers that can be counted with, nothing shortened.

use super::document::{Cell, Table};
use crate::model::{Candidate, Hop, Request, Trace, Work};
use crate::schema::Time;
use serde::Serialize;

/// The works that may be meant, where none was traced.
pub fn candidates(trace: &Trace) -> Option<Table> {
    let row = |work: &Candidate| -> Vec<Cell> {
        let cells = [&work.work_name, &work.consumer, &work.source].map(|cell| optional(cell.as_deref()));
        std::iter::once(work.resource_id.clone()).chain(cells).map(Cell::from).collect()
    };
    let columns = vec!["resource_id", "work_name", "consumer", "source"];
    let rows: Vec<Vec<Cell>> = trace.candidates.iter().map(row).collect();
    (!rows.is_empty()).then_some(Table::new(columns, rows))
}

/// Every hop of every request.
pub fn hops(trace: &Trace) -> Table {
    let columns = vec![
        "work_name",
        "resource_id",
        "consumer",
        "request",
        "version",
        "life",
        "outcome",
        "hop",
        "name",
        "verdict",
        "at",
        "where",
        "evidence",
        "why",
    ];
    let requests = trace.works.iter().flat_map(|work| work.requests.iter().map(move |request| (work, request)));
    let hops = requests.flat_map(|(work, request)| request.hops.iter().map(move |hop| hop_row(work, request, hop)));
    Table::new(columns, hops.collect())
}

fn hop_row(work: &Work, request: &Request, hop: &Hop) -> Vec<Cell> {
    let cells = [
        optional(work.work_name.as_deref()),
        work.resource_id.clone(),
        optional(work.consumer.as_deref()),
        word(&request.request),
        request.version.to_string(),
        request.life.to_string(),
        word(&request.outcome),
        hop.hop.to_string(),
        word(&hop.name),
        word(&hop.verdict),
        time(hop.at),
        optional(hop.place.as_deref()),
        hop.evidence.join(" "),
        optional(hop.why.as_deref()),
    ];
    cells.into_iter().map(Cell::from).collect()
}

/// As JSON has it.
pub fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().as_ref().and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

pub fn optional(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

pub fn time(at: Option<Time>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}
