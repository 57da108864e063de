//! Writes a bundle again with less in it: the same rows through the same gate.

use super::error::{Error, Result};
use super::gate::{Gate, LetOut};
use super::policy::Policy;
use super::pseudonym::{Key, Kinds, Learner, Ledger, Pseudonyms};
use super::redact::{Leaks, Redactor};
use super::stop::Stop;
use crate::bundle::{About, CarriedRow, Closing, Reader, Writer};
use crate::schema::{Cell, Column, Kind, Names, Record, Redaction, Row, TABLES, Table, is_declared, markers};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// What is to go out of a bundle, and what must not.
#[derive(Debug, Default)]
pub struct Leaving {
    pub policy: Policy,
    /// What pseudonyms stand for.
    pub pseudonyms: Kinds,
    /// Where the key of the pseudonyms is kept; one that nobody keeps without.
    pub key: Option<PathBuf>,
    /// Where to write what each pseudonym stands for.
    pub map: Option<PathBuf>,
    /// Texts that must not be in the bundle.
    pub canaries: Vec<String>,
    /// The bundle is written even if something in it looks like a secret that was missed.
    pub allows_leaks: bool,
    /// Who signs the bundle, and to whom it is encrypted.
    pub closing: Closing,
    /// How somebody may end it early.
    pub stop: Stop,
}

impl Leaving {
    /// Must all of a bundle be known before any of it can be written?
    pub fn needs_whole(&self, kinds: &Kinds) -> bool {
        !kinds.is_empty() || !self.policy.drop.is_empty()
    }

    pub fn kinds(&self) -> Result<Kinds> {
        let mut kinds = self.pseudonyms.clone();
        kinds.join(self.policy.kinds()?);
        Ok(kinds)
    }

    /// Whoever reads for an hour should not learn at the end that the key or the map cannot be written.
    pub fn try_places(&self) -> Result<()> {
        if !self.kinds()?.is_empty() {
            self.key.as_deref().map(Key::kept).transpose()?;
            self.map.as_deref().map(Ledger::create).transpose()?;
        }
        Ok(())
    }

    fn goes_on(&self) -> Result<()> {
        if self.stop.is_over() { Err(Error::Stopped { live: false }) } else { Ok(()) }
    }

    pub fn redactor(&self, tables: impl Iterator<Item = &'static Table>) -> Result<Redactor> {
        Ok(Redactor::with(self.policy.extra()?, tables))
    }

    /// Canaries are looked for in any case; random strings only where secrets are to be gone.
    pub fn leaks(&self, redacts: bool) -> Leaks {
        let canaries: Vec<String> = self.canaries.iter().chain(&self.policy.canaries).cloned().collect();
        Leaks::new(&canaries, self.policy.keep.iter().cloned().collect(), !redacts)
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Rewritten {
    pub let_out: LetOut,
    /// Names that stay because they are words of everybody's.
    pub common: BTreeSet<String>,
    /// So many rows of `redactions` were there before.
    pub known_redactions: i64,
}

/// Writes the rows of a bundle into another. `redacts` is not needed where all rows have just gone through the gate.
pub fn rewrite(reader: &Reader, output: &Path, leaving: &Leaving, redacts: bool) -> Result<Rewritten> {
    let kinds = leaving.kinds()?;
    check_drops(reader, &leaving.policy)?;
    let tables = declared(reader)?;
    let stays: HashSet<String> = leaving.policy.keep.iter().cloned().collect();
    let mut learner = Learner::new(&kinds, &stays);
    let highest = learn(reader, &tables, leaving, &mut learner)?;
    let pseudonyms = if kinds.is_empty() { None } else { Some(pseudonyms(leaving, &kinds, learner)?) };
    let common = pseudonyms.as_ref().map(|pseudonyms| pseudonyms.common().clone()).unwrap_or_default();
    let redactor = redacts.then(|| leaving.redactor(tables.iter().copied())).transpose()?;
    let redactor = redactor.map(|mut redactor| {
        redactor.counts_from(highest);
        redactor
    });
    let is_redacted = redacts || reader.manifest().redacted;
    let writer = Writer::create_with(output, tables.clone(), leaving.closing.clone())?;
    let mut gate = Gate::new(writer, redactor, pseudonyms, leaving.leaks(is_redacted));
    // What was taken out before is told before what is taken out now.
    let (first, others): (Vec<_>, Vec<_>) =
        tables.iter().partition(|table| table.name == <Redaction<'static> as Record>::TABLE.name);
    for table in first.into_iter().chain(others) {
        carry(reader, table, leaving, &mut gate)?;
    }
    let let_out = gate.publish(about(reader, &kinds, redacts), leaving.allows_leaks)?;
    let known_redactions = reader.manifest().table(<Redaction<'static> as Record>::TABLE.name);
    Ok(Rewritten { let_out, common, known_redactions: known_redactions.map_or(0, |member| member.rows as i64) })
}

fn pseudonyms(leaving: &Leaving, kinds: &Kinds, learner: Learner<'_>) -> Result<Pseudonyms> {
    let key = leaving.key.as_deref().map_or_else(Key::random, Key::kept)?;
    let ledger = leaving.map.as_deref().map(Ledger::create).transpose()?;
    Ok(Pseudonyms::new(kinds.clone(), key, learner, ledger))
}

/// The tables as the new bundle has them: those of the old one, and a place to say what was taken out.
fn declared(reader: &Reader) -> Result<Vec<&'static Table>> {
    let redactions = &<Redaction<'static> as Record>::TABLE;
    let mut tables = Vec::new();
    for name in reader.manifest().members.iter().filter_map(|member| member.table()) {
        let mut columns = reader.declaration(name)?;
        if name == redactions.name {
            // Rows are added, and they have all columns.
            let others = columns.into_iter().filter(|column| !is_declared(name, column.name));
            let ours = redactions.columns.iter().map(|column| Column { nullable: true, ..column.clone() });
            columns = ours.chain(others.collect::<Vec<_>>()).collect();
        }
        tables.push(Table::declare(name, columns));
    }
    if !tables.iter().any(|table| table.name == redactions.name) {
        tables.extend(TABLES.iter().find(|table| table.name == redactions.name));
    }
    Ok(tables)
}

/// Learns the names of all rows, and tells the highest number that a marker has.
fn learn(reader: &Reader, tables: &[&'static Table], leaving: &Leaving, learner: &mut Learner<'_>) -> Result<u32> {
    let mut highest = 0;
    for table in tables.iter().filter(|table| reader.manifest().table(table.name).is_some()) {
        reader.carry(table, |row: &CarriedRow<'_>| {
            row.cells(|_, cell| {
                if let Cell::Text(text) = cell {
                    highest = markers(text).map(|(.., number)| number).max().unwrap_or_default().max(highest);
                }
            });
            learner.row(row);
            leaving.goes_on()
        })?;
    }
    let manifest = reader.manifest();
    manifest.sources.iter().for_each(|source| learner.identifier(Names::File, &source.name));
    for text in manifest.notes.iter().chain(manifest.labels.values()) {
        highest = markers(text).map(|(.., number)| number).max().unwrap_or_default().max(highest);
        learner.text(text);
    }
    Ok(highest)
}

fn carry(reader: &Reader, table: &'static Table, leaving: &Leaving, gate: &mut Gate) -> Result<()> {
    let policy = &leaving.policy;
    let Some(member) = reader.manifest().table(table.name) else { return Ok(()) };
    if policy.drops(table.name, None) {
        return gate.left_out(table.name, "*", member.rows as i64);
    }
    let columns = table.columns.iter().enumerate();
    let dropped: Vec<(usize, &'static Column)> =
        columns.filter(|(_, column)| policy.drops(table.name, Some(column.name))).collect();
    reader.carry(table, |row: &CarriedRow<'_>| {
        gate.append_without(row, &dropped)?;
        leaving.goes_on()
    })?;
    for (_, column) in dropped {
        gate.left_out(table.name, column.name, member.rows as i64)?;
    }
    Ok(())
}

/// What is said of the old bundle is said of the new one.
fn about(reader: &Reader, kinds: &Kinds, redacts: bool) -> About {
    let manifest = reader.manifest().clone();
    let pseudonyms: BTreeSet<String> = manifest.pseudonyms.into_iter().chain(kinds.names()).collect();
    let mut notes = manifest.notes;
    if redacts {
        let before = if manifest.redacted { "it was redacted before" } else { "it was not redacted before" };
        let note = format!("redacted after it was made by {}; {before}", manifest.tool);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    About {
        collected_at: manifest.collected_at,
        collected_at_from: manifest.collected_at_from,
        labels: manifest.labels,
        notes,
        sources: manifest.sources,
        redacted: manifest.redacted,
        pseudonyms: pseudonyms.into_iter().collect(),
        more: manifest.more,
    }
}

/// What is to be left out must be there: whoever wrote another name thinks that it is gone.
fn check_drops(reader: &Reader, policy: &Policy) -> Result<()> {
    for drop in &policy.drop {
        let (table, column) =
            drop.split_once('.').map_or((drop.as_str(), None), |(table, column)| (table, Some(column)));
        let known = crate::schema::table(table).is_some() || reader.manifest().table(table).is_some();
        if !known || table == <Redaction<'static> as Record>::TABLE.name {
            let tables = reader.manifest().members.iter().filter_map(|member| member.table()).map(str::to_owned);
            return Err(Error::Drop { name: drop.clone(), known: tables.collect() });
        }
        if let (Some(name), Some(_)) = (column, reader.manifest().table(table)) {
            let columns = reader.declaration(table)?;
            let own = columns.iter().find(|own| own.name == name);
            if own.is_none() && !is_declared(table, name) {
                let known = columns.iter().map(|own| format!("{table}.{}", own.name)).collect();
                return Err(Error::Drop { name: drop.clone(), known });
            }
            if own.is_some_and(|own| !own.nullable && own.kind != Kind::Text) {
                return Err(Error::Needed { name: drop.clone() });
            }
        }
    }
    Ok(())
}
