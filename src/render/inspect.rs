//! What a bundle holds, laid out: what is missing comes first.

use super::Present;
use super::collected::named;
use super::document::{Cell, Document, Tone};
use super::live;
use crate::model::{Inspection, LeftOut, LogCoverage, Problem};
use crate::schema::Time;

/// Minutes: servers write something every few while they work.
const LONG_SILENCE: i64 = 10;

impl Present for Inspection {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let span = match (self.from, self.to) {
            (Some(from), Some(to)) => format!("{from} – {to}"),
            _ => "no times".to_owned(),
        };
        document.headline(format!("{}: {} of evidence, {span}", self.bundle, size(self.bytes)));
        document.gap();
        document.lines("lacks", self.lacks.iter().cloned().chain(self.problems.iter().map(describe)).collect());
        document.lines("blind", self.blind_lines());
        if !self.redacted {
            document.lines("note", vec!["not redacted: Secrets and tokens may be in it".to_owned()]);
        }
        let taken = self.collected_at.map_or_else(|| "unknown".to_owned(), |at| at.to_string());
        let mut pairs: Vec<[Cell; 3]> = vec![
            ["taken at".into(), taken.into(), Cell::toned(format!("from the {}", self.collected_at_from), Tone::Faint)],
            [
                "format".into(),
                self.bundle_format.clone().into(),
                Cell::toned(format!("written by {}", self.tool), Tone::Faint),
            ],
        ];
        pairs.extend(self.seal.as_ref().map(|seal| {
            ["signed by".into(), seal.fingerprint.as_str().into(), Cell::toned(seal.meaning(), Tone::Faint)]
        }));
        pairs.extend(
            self.labels.iter().map(|(key, value)| ["label".into(), format!("{key}={value}").into(), Cell::default()]),
        );
        if !self.pseudonyms.is_empty() {
            let remark = Cell::toned("names are not what they were", Tone::Faint);
            pairs.push(["pseudonyms".into(), self.pseudonyms.join(", ").into(), remark]);
        }
        pairs.extend(self.notes.iter().map(|note| ["note".into(), note.as_str().into(), Cell::default()]));
        document.pairs(pairs);
        if !self.live.is_empty() {
            document.gap();
            live::steps(&mut document, &self.live);
        }
        document.gap();
        document.table(vec!["table", "rows", "size", "from (UTC)", "to (UTC)"], self.table_rows());
        document.gap();
        document
            .table(vec!["log of", "known by", "pod", "entries", "from (UTC)", "to (UTC)", "-v", ""], self.log_rows());
        if !self.left_out.is_empty() {
            document.gap();
            document.lines("left out", self.left_out_lines());
        }
        document
    }
}

impl Inspection {
    fn table_rows(&self) -> Vec<Vec<Cell>> {
        let rows = self.tables.iter().map(|table| {
            let name = if table.unknown { format!("{} (unknown)", table.table) } else { table.table.clone() };
            let cells = [name, table.rows.to_string(), size(table.bytes), time(table.from), time(table.to)];
            cells.into_iter().map(Cell::from).collect()
        });
        rows.collect()
    }

    fn log_rows(&self) -> Vec<Vec<Cell>> {
        let rows = self.logs.iter().map(|log| {
            let mut remarks = Vec::new();
            remarks.extend(log.consumer.as_ref().map(|consumer| format!("serves {consumer}")));
            remarks.extend(log.previous.then(|| "before its last restart".to_owned()));
            remarks.extend(log.shutdown_at.map(|at| format!("shut down at {}", at.clock())));
            remarks.extend(log.until.map(|at| format!("an export up to {}", at.clock())));
            remarks.extend(silence(log).map(|minutes| format!("silent for {minutes} min")));
            let cells = [
                log.component.clone(),
                log.known_from.clone().unwrap_or_else(|| "–".to_owned()),
                log.pod.clone().unwrap_or_else(|| log.file.clone()),
                log.entries.to_string(),
                time(log.from),
                time(log.to),
                log.configured_verbosity.map_or(log.verbosity, |told| told.max(log.verbosity)).to_string(),
                remarks.join(", "),
            ];
            cells.into_iter().map(Cell::from).collect()
        });
        rows.collect()
    }

    fn left_out_lines(&self) -> Vec<String> {
        let left = self.left_out.iter().map(|left| (left.target.as_str(), left.reason.as_deref().unwrap_or_default()));
        named(&LeftOut::group(left, self.taken.iter().map(String::as_str)))
    }

    /// Logs in which a line that is not there proves nothing.
    fn blind_lines(&self) -> Vec<String> {
        let blind = self.logs.iter().filter_map(|log| Some((log, log.blind.as_deref()?)));
        let line = |(log, why): (&LogCoverage, &str)| format!("{}: {why}", log.pod.as_deref().unwrap_or(&log.file));
        named(&blind.map(line).collect::<Vec<_>>())
    }
}

/// Minutes without an entry, where they are worth a word.
fn silence(log: &LogCoverage) -> Option<i64> {
    let micros = log.silent_to?.since(log.silent_from?);
    Some(micros / 60_000_000).filter(|minutes| *minutes >= LONG_SILENCE)
}

fn describe(problem: &Problem) -> String {
    let reason = problem.reason.as_deref().unwrap_or_default();
    format!("{}  {}: {reason}", problem.target, problem.outcome)
}

fn time(at: Option<Time>) -> String {
    at.map_or_else(|| "–".to_owned(), |at| at.to_string())
}

/// `18.4 MB`, in powers of ten as file managers show them.
pub fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut name = "B";
    for unit in units {
        if value < 1000.0 {
            break;
        }
        (value, name) = (value / 1000.0, unit);
    }
    if name == "B" { format!("{bytes} B") } else { format!("{value:.1} {name}") }
}
