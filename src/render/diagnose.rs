//! A diagnosis, laid out: the answer first, then each finding with what follows from it and what to do.

use super::Present;
use super::checks::{Case, Checks, Ended};
use super::document::{Cell, Document, Line, Table, Tone};
use super::sheet::time;
use super::trace::{duration, shortened};
use crate::model::{Clear, Diagnosis, Found, FoundWork, Severity};
use crate::schema::Time;
use std::collections::{BTreeMap, BTreeSet};

/// Works and rows that are named for one finding; JSON and CSV have them all.
const NAMED: usize = 5;

/// Characters of somebody's words that are shown.
const AT_MOST: usize = 300;

/// Characters of them in the first line.
const AT_FIRST: usize = 160;

impl Present for Diagnosis {
    fn document(&self) -> Document {
        let mut document = Document::default();
        document.headline(Cell::toned(self.summary(), self.worst().map_or(Tone::Good, tone)));
        for finding in &self.findings {
            document.gap();
            self.lay_out(finding, &mut document);
        }
        document.gap();
        document.lines("clear", self.clear());
        document.lines("unknown", self.unsure());
        document.lines("next", self.next());
        document
    }

    fn sheet(&self) -> Option<Table> {
        let columns = vec!["severity", "rule", "follows_from", "work", "consumer", "where", "at", "text", "evidence"];
        let mut rows = Vec::new();
        self.findings.iter().for_each(|finding| add_rows(finding, "", &mut rows));
        Some(Table::new(columns, rows))
    }

    fn checks(&self) -> Option<Checks> {
        let mut found = Vec::new();
        self.findings.iter().for_each(|finding| add_found(finding, &mut found));
        let mut rules: Vec<(&str, Vec<&Found>)> = Vec::new();
        for finding in found {
            match rules.iter_mut().find(|(rule, _)| *rule == finding.rule) {
                Some((_, findings)) => findings.push(finding),
                None => rules.push((&finding.rule, vec![finding])),
            }
        }
        let found = rules.iter().map(|(rule, findings)| self.found_case(rule, findings));
        let clear = self.clear.iter().map(|clear| {
            let lines = vec![format!("{} checked, {} cannot be told", clear.checked, clear.untold)];
            Case { name: clear.rule.clone(), ended: Ended::Passed, lines }
        });
        let unknown = self.unknown.iter().map(|untold| {
            let ended = Ended::Skipped { message: untold.because.clone() };
            Case { name: untold.rule.clone(), ended, lines: Vec::new() }
        });
        // What reads JUnit expects a time without a zone, in whole seconds.
        let at = self.collected_at.map(|at| at.to_string().chars().take(19).collect());
        let cases = found.chain(clear).chain(unknown).collect();
        Some(Checks { name: "dacapo diagnose".to_owned(), of: self.bundle.clone(), at, cases })
    }
}

impl Diagnosis {
    /// `1 error, 2 infos in 9 works, 1 of them concerned: the agent of cluster1 shut down …`
    fn summary(&self) -> String {
        let count = |severity: Severity| self.findings.iter().filter(|finding| finding.severity == severity).count();
        let counts = Severity::ALL.into_iter().map(|severity| (count(severity), severity.name()));
        let counts: Vec<String> =
            counts.filter(|(count, _)| *count > 0).map(|(count, name)| counted(count, name)).collect();
        let all = counted(self.works, "work");
        let Some(worst) = self.findings.first().filter(|finding| finding.severity > Severity::Info) else {
            let infos = if counts.is_empty() { String::new() } else { format!("; {} worth a look", counts.join(", ")) };
            let unsure = self.unknown.len();
            let unsure = if unsure > 0 { format!("; {} cannot tell", counted(unsure, "rule")) } else { String::new() };
            return format!("nothing wrong is found in {all}{infos}{unsure}");
        };
        let mut works = BTreeSet::new();
        self.findings
            .iter()
            .filter(|finding| finding.severity > Severity::Info)
            .for_each(|finding| add_works(finding, &mut works));
        let concerned = match works.len() {
            0 => String::new(),
            1 if self.works == 1 => String::new(),
            concerned => format!(", {concerned} of them concerned"),
        };
        format!("{} in {all}{concerned}: {}", counts.join(", "), shortened(&worst.text, AT_FIRST))
    }

    fn lay_out(&self, finding: &Found, document: &mut Document) {
        let title = format!("{} {}: {}", finding.severity.name().to_uppercase(), finding.rule, finding.title);
        document.headline(Cell::toned(title, tone(finding.severity)));
        document.lines("found", told(finding));
        let label = if finding.since.is_some() { "since" } else { "where" };
        document.lines(label, some(self.since(finding)));
        document.lines("so", finding.cause_of.iter().flat_map(follows).collect::<Vec<_>>());
        if finding.severity > Severity::Info {
            document.lines("check", self.check(finding));
        }
        document.lines("rows", some(finding.evidence.join(", ")));
    }

    /// What to look at, with the bundle and the work put in.
    fn check(&self, finding: &Found) -> Vec<String> {
        let filled = |check: &String| {
            let check = finding.works.first().map_or(check.clone(), |work| {
                check
                    .replace("BUNDLE WORK", &format!("BUNDLE {}", name(work)))
                    .replace("id=…", &format!("id={}", work.resource_id))
            });
            check.replace("BUNDLE", &self.bundle)
        };
        finding.check.iter().map(filled).collect()
    }

    /// How much was looked at.
    fn clear(&self) -> Vec<String> {
        let (looked, idle): (Vec<&Clear>, Vec<&Clear>) = self.clear.iter().partition(|clear| clear.checked > 0);
        let things: usize = looked.iter().map(|clear| clear.checked).sum();
        let untold: usize = looked.iter().map(|clear| clear.untold).sum();
        let untold = if untold > 0 { format!("; of {untold} more they cannot tell") } else { String::new() };
        let looked = (!looked.is_empty()).then(|| {
            let rules = counted(looked.len(), "rule");
            format!("{rules} looked at {} and found nothing{untold}", counted(things, "thing"))
        });
        let idle: Vec<String> = idle.iter().map(|clear| clear.rule.clone()).collect();
        let idle = (!idle.is_empty()).then(|| format!("nothing of its kind is in the bundle for {}", few(&idle)));
        looked.into_iter().chain(idle).collect()
    }

    /// When it was first so, for how long, and where.
    fn since(&self, finding: &Found) -> String {
        let lasted = |since: Time| Some(self.collected_at?.micros() - since.micros()).filter(|micros| *micros > 0);
        let since = finding.since.map(|since| {
            let lasted = lasted(since).map(|micros| format!(", {} before the evidence ends", duration(micros)));
            format!("{since}{}", lasted.unwrap_or_default())
        });
        let places = [few(&finding.consumers), few(&finding.places)].into_iter().filter(|names| !names.is_empty());
        since.into_iter().chain(places).collect::<Vec<_>>().join(" · ")
    }

    /// Rules that cannot tell, those with the same reason together.
    fn unsure(&self) -> Vec<String> {
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for untold in &self.unknown {
            reasons.entry(&untold.because).or_default().push(untold.rule.clone());
        }
        reasons.iter().map(|(because, rules)| format!("{}: {}", few(rules), shortened(because, AT_MOST))).collect()
    }

    fn next(&self) -> Vec<Line> {
        let worst = self.findings.iter().filter(|finding| finding.severity > Severity::Info);
        let explain = worst.clone().next().map(|finding| format!("dacapo explain {}", finding.rule));
        let work = worst.clone().find_map(first_work);
        let trace = work.map(|work| format!("dacapo trace {} {work}", self.bundle));
        explain.into_iter().chain(trace).map(|command| Line::quoting("", command)).collect()
    }

    fn found_case(&self, rule: &str, findings: &[&Found]) -> Case {
        let worst = findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Info);
        let message = findings.iter().find(|finding| finding.severity == worst).map(|finding| finding.text.clone());
        let message = message.unwrap_or_default();
        let ended = match self.counts(worst) {
            true => Ended::Failed { kind: worst.name().to_owned(), message },
            false => Ended::Passed,
        };
        let mut lines: Vec<String> = findings.iter().copied().flat_map(follows).collect();
        lines.push(format!("dacapo explain {rule}"));
        Case { name: rule.to_owned(), ended, lines }
    }
}

fn counted(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Unsure,
        Severity::Info => Tone::Plain,
    }
}

/// What was found, and the works that it is about.
fn told(finding: &Found) -> Vec<String> {
    let texts: BTreeSet<&str> = finding.details.iter().map(|detail| detail.text.as_str()).collect();
    let more = match texts.len() {
        0 | 1 => String::new(),
        texts => format!(" (and {} more like it)", texts - 1),
    };
    let names: Vec<String> = finding.works.iter().map(name).collect();
    let works = (!names.is_empty()).then(|| format!("{}: {}", counted(names.len(), "work"), few(&names)));
    [format!("{}{more}", shortened(&finding.text, AT_MOST))].into_iter().chain(works).collect()
}

/// A finding and what follows from it, each a step further in.
fn follows(finding: &Found) -> Vec<String> {
    let since = finding.since.map(|since| format!("since {since}"));
    let rows = some(finding.evidence.join(", "));
    let place = since.into_iter().chain(some(few(&finding.consumers))).chain(rows).collect::<Vec<_>>().join(" · ");
    let effects = finding.cause_of.iter().flat_map(follows).enumerate();
    let effects = effects.map(|(place, line)| format!("{} {line}", if place == 0 { "so" } else { "  " }));
    let below = told(finding).into_iter().chain(some(place)).chain(effects).map(|line| format!("  {line}"));
    std::iter::once(format!("{}: {}", finding.rule, finding.title)).chain(below).collect()
}

fn name(work: &FoundWork) -> String {
    work.work_name.clone().unwrap_or_else(|| work.resource_id.clone())
}

/// Some of many names.
fn few(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "))
}

fn first_work(finding: &Found) -> Option<String> {
    finding.works.first().map(name).or_else(|| finding.cause_of.iter().find_map(first_work))
}

fn add_works<'a>(finding: &'a Found, works: &mut BTreeSet<&'a str>) {
    works.extend(finding.works.iter().map(|work| work.resource_id.as_str()));
    finding.cause_of.iter().for_each(|effect| add_works(effect, works));
}

/// A finding and all that follows from it.
fn add_found<'a>(finding: &'a Found, all: &mut Vec<&'a Found>) {
    all.push(finding);
    finding.cause_of.iter().for_each(|effect| add_found(effect, all));
}

/// A line, if there is something in it.
fn some(line: String) -> Vec<String> {
    if line.is_empty() { Vec::new() } else { vec![line] }
}

fn add_rows(finding: &Found, above: &str, rows: &mut Vec<Vec<Cell>>) {
    for detail in &finding.details {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let cells = [
            finding.severity.name().to_owned(),
            finding.rule.clone(),
            above.to_owned(),
            text(&detail.work),
            text(&detail.consumer),
            text(&detail.place),
            time(detail.at),
            detail.text.clone(),
            detail.evidence.join(" "),
        ];
        rows.push(cells.into_iter().map(Cell::from).collect());
    }
    finding.cause_of.iter().for_each(|effect| add_rows(effect, &finding.rule, rows));
}
