//! What identifiers are and which ids follow from names, laid out.

use super::Present;
use super::document::{Cell, Document, Table, Tone};
use crate::model::{Candidate, ComputedAppliedWork, ComputedId, Identified, KnownFrom, NamedKind, Resolution};

/// Works and ids that people are shown; there may be thousands.
const SHOWN: usize = 20;

const IN_BUNDLE: &str = "in the bundle";

impl Present for Resolution {
    fn document(&self) -> Document {
        let mut document = Document::default();
        if let Some(identifier) = &self.identifier {
            lay_out_identifier(identifier, &mut document);
        }
        if !self.resource_ids.is_empty() {
            section(&mut document, ids_headline(&self.resource_ids), ids(&self.resource_ids), self.resource_ids.len());
        }
        if !self.applied_works.is_empty() {
            let works = &self.applied_works;
            section(&mut document, applied_headline(works), applied(works), works.len());
        }
        if !self.kinds.is_empty() {
            section(&mut document, kinds_headline(&self.kinds), kinds(&self.kinds), self.kinds.len());
        }
        if !self.notes.is_empty() {
            document.gap();
        }
        document.lines("note", self.notes.clone());
        document
    }

    /// The first that was asked for, with all of its rows.
    fn sheet(&self) -> Option<Table> {
        let works = self.identifier.as_ref().map(|found| works(&found.works));
        let computed = [ids(&self.resource_ids), applied(&self.applied_works), kinds(&self.kinds)];
        works.into_iter().chain(computed).find(|table| !table.rows.is_empty())
    }
}

/// A headline, and the first rows of what proves it.
fn section(document: &mut Document, headline: impl Into<Cell>, mut table: Table, all: usize) {
    if !document.blocks.is_empty() {
        document.gap();
    }
    document.headline(headline);
    document.gap();
    table.rows.truncate(SHOWN);
    document.filled(table);
    if all > SHOWN {
        document.lines("", vec![format!("and {} more", all - SHOWN)]);
    }
}

fn lay_out_identifier(found: &Identified, document: &mut Document) {
    if let Some(absent) = &found.absent {
        document.headline(Cell::toned(absent.sentence.clone(), Tone::Bad));
        document.gap();
        document.lines("why", absent.because.clone());
        document.lines("near", absent.near.clone());
        return;
    }
    let count = found.meanings.first().map_or(0, |meaning| meaning.works);
    let fits = if count == 1 { "1 work".to_owned() } else { format!("{count} works") };
    let phrase = found.meanings.first().map(|meaning| meaning.phrase()).unwrap_or_default();
    let tone = if found.is_part { Tone::Unsure } else { Tone::Good };
    let headline = Cell::toned(format!("{} is {phrase}: {fits}", found.query), tone);
    section(document, headline, works(&found.works), count);
}

fn works(works: &[Candidate]) -> Table {
    let row = |work: &Candidate| {
        let or_none = |text: &Option<String>| Cell::from(text.as_deref().unwrap_or("–"));
        vec![or_none(&work.work_name), or_none(&work.consumer), or_none(&work.source), work.resource_id.as_str().into()]
    };
    Table::new(vec!["work", "consumer", "source", "resource id"], works.iter().map(row).collect())
}

fn ids_headline(ids: &[ComputedId]) -> String {
    match ids {
        [id] => format!("{} of {} on {} is {}", id.work_name, id.source, id.consumer, id.resource_id),
        ids => format!("{} resource ids", ids.len()),
    }
}

fn ids(ids: &[ComputedId]) -> Table {
    let row = |id: &ComputedId| {
        let names = [&id.work_name, &id.consumer, &id.source, &id.resource_id];
        names.iter().map(|name| Cell::from(name.as_str())).chain([held(id.in_bundle, &id.evidence)]).collect()
    };
    let columns = vec!["work", "consumer", "source", "resource id", IN_BUNDLE];
    table(columns, ids.iter().map(row).collect(), ids.iter().any(|id| id.in_bundle.is_some()))
}

fn applied_headline(works: &[ComputedAppliedWork]) -> String {
    let today: Vec<&ComputedAppliedWork> = works.iter().filter(|work| !work.before_2026).collect();
    match today.as_slice() {
        [ComputedAppliedWork { name: Some(name), .. }] => format!("the AppliedManifestWork is {name}"),
        [work] => format!("the hub hash of {:?} is {}", work.broker, work.hub_hash),
        _ => format!("{} names of AppliedManifestWorks", works.len()),
    }
}

fn applied(works: &[ComputedAppliedWork]) -> Table {
    let row = |work: &ComputedAppliedWork| {
        let name = work.name.clone().unwrap_or_else(|| format!("{}-…", work.hub_hash));
        let agent = if work.before_2026 { "before 2026-01-14" } else { "today's" };
        let broker = if work.broker.is_empty() { "(Pub/Sub)" } else { &work.broker };
        vec![broker.into(), agent.into(), name.into(), held(work.in_bundle, &work.evidence)]
    };
    let columns = vec!["broker", "agent", "AppliedManifestWork", IN_BUNDLE];
    table(columns, works.iter().map(row).collect(), works.iter().any(|work| work.in_bundle.is_some()))
}

fn kinds_headline(kinds: &[NamedKind]) -> String {
    match kinds {
        [kind] => {
            let group = kind.group.as_deref().filter(|group| !group.is_empty());
            let group = group.map(|group| format!(".{group}")).unwrap_or_default();
            format!("{} is {} ({}{group})", kind.label, kind.kind, kind.plural)
        }
        kinds => format!("{} kinds", kinds.len()),
    }
}

fn kinds(kinds: &[NamedKind]) -> Table {
    let row = |kind: &NamedKind| {
        let known = match kind.known_from {
            KnownFrom::BuiltIn => Cell::from("built in"),
            KnownFrom::Bundle => Cell::from("the bundle"),
            KnownFrom::Guess => Cell::toned("a guess", Tone::Unsure),
        };
        let group = match kind.group.as_deref() {
            Some("") => "(core)",
            Some(group) => group,
            None => "–",
        };
        let event: Vec<&str> = [kind.sub_resource.as_deref(), kind.action.as_deref()].into_iter().flatten().collect();
        vec![
            kind.label.as_str().into(),
            kind.kind.as_str().into(),
            kind.plural.as_str().into(),
            group.into(),
            kind.short_names.join(" ").into(),
            event.join(" ").into(),
            known,
            held(kind.in_bundle, &[]),
        ]
    };
    let columns = vec!["label", "kind", "plural", "group", "short", "event", "known from", IN_BUNDLE];
    table(columns, kinds.iter().map(row).collect(), kinds.iter().any(|kind| kind.in_bundle.is_some()))
}

/// A table whose last column needs a bundle.
fn table(mut columns: Vec<&'static str>, mut rows: Vec<Vec<Cell>>, has_bundle: bool) -> Table {
    if !has_bundle {
        columns.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    Table::new(columns, rows)
}

fn held(known: Option<bool>, evidence: &[String]) -> Cell {
    match (known, evidence) {
        (None, _) => Cell::default(),
        (Some(false), _) => Cell::toned("no", Tone::Bad),
        (Some(true), []) => Cell::toned("yes", Tone::Good),
        (Some(true), evidence) => Cell::toned(evidence.join(", "), Tone::Good),
    }
}
