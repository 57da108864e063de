//! Works by a manifest: as asked for (payloads), as the agent lists it, as the cluster holds it, as agents log it.

use super::super::error::Result;
use super::argument::Wanted;
use super::kinds::{self, Kind};
use super::owners::{self, of_rows, rows_in};
use super::{Meaning, columns_of};
use crate::bundle::{Hit, Reader, Rows};
use crate::schema::ManifestPath;
use std::collections::BTreeSet;

pub const MANIFEST: &str = "manifest";
pub const NAMESPACE: &str = "namespace";

/// The tables whose rows have `manifest_paths`.
pub const TABLES: &[&str] = &["resources", "status_events", "applied_manifest_works", "manifest_works"];

/// Lines of agents that are looked at for one name.
const ENOUGH_LINES: usize = 4096;

/// What a bundle knows of a manifest.
#[derive(Debug, Default)]
pub struct Found {
    pub works: BTreeSet<String>,
    /// What fits, as people read it.
    pub spelled: BTreeSet<String>,
    /// Objects that fit and that no work owns or names.
    pub standalone: Vec<Standalone>,
    /// A line about it that names no work.
    pub line: Option<i64>,
    /// Manifests of that name, of other kinds or in other namespaces.
    pub others: BTreeSet<String>,
}

#[derive(Debug)]
pub struct Standalone {
    pub title: String,
    pub cluster: Option<String>,
    pub evidence: String,
}

impl Found {
    pub fn meaning(&self) -> Meaning {
        Meaning { taken_for: MANIFEST, spelled: self.spelled.clone(), works: self.works.clone() }
    }

    fn is_empty(&self) -> bool {
        self.works.is_empty() && self.standalone.is_empty() && self.line.is_none()
    }
}

/// What the index calls a manifest, by its name, and all manifests of a namespace.
pub fn keys_of(word: &str) -> [String; 2] {
    [format!("/{word}"), format!("{word}/")]
}

/// A kind that fits nothing of that name may be a cluster's own short name.
pub fn find(reader: &Reader, wanted: &Wanted<'_>) -> Result<Found> {
    let [key, _] = keys_of(wanted.name);
    find_among(reader, wanted, &reader.find(&[&key, wanted.name])?)
}

/// The same, where it is known already where the name stands.
pub fn find_among(reader: &Reader, wanted: &Wanted<'_>, hits: &[Hit]) -> Result<Found> {
    let found = Search { reader, wanted, learnt: &[], hits }.run()?;
    if !found.is_empty() || found.others.is_empty() || wanted.kind.is_none() {
        return Ok(found);
    }
    Search { reader, wanted, learnt: &kinds::learn(reader)?, hits }.run()
}

/// Works with a manifest in this namespace.
pub fn in_namespace(reader: &Reader, namespace: &str, hits: &[Hit]) -> Result<Meaning> {
    let [_, key] = keys_of(namespace);
    let hits: Vec<Hit> = hits.iter().filter(|hit| hit.key == key).cloned().collect();
    let mut meaning = Meaning::new(NAMESPACE, BTreeSet::new());
    for table in TABLES {
        meaning.works.extend(of_rows(reader, table, rows_in(&hits, table, "manifest_paths"))?);
    }
    Ok(meaning)
}

struct Search<'a> {
    reader: &'a Reader,
    wanted: &'a Wanted<'a>,
    learnt: &'a [Kind],
    hits: &'a [Hit],
}

impl Search<'_> {
    fn run(&self) -> Result<Found> {
        let mut found = Found::default();
        for table in TABLES {
            self.listed(table, &mut found)?;
        }
        let objects = self.objects(&mut found)?;
        let owned = owners::of_objects(self.reader, "kube_objects", objects)?;
        found.works.extend(owned.works);
        let works = self.inner_works(&mut found)?;
        found.works.extend(of_rows(self.reader, "manifest_works", works)?);
        self.lines(&mut found)?;
        if found.works.is_empty() {
            found.standalone = self.introduce(owned.standalone)?;
        }
        Ok(found)
    }

    /// Notes a manifest; says whether it is one that is asked for.
    fn weigh(&self, path: &ManifestPath<'_>, found: &mut Found) -> bool {
        let fits = self.wanted.fits(path, self.learnt);
        let title = || ManifestPath { kind: kinds::kind_of(path), ..*path }.title();
        if fits {
            found.spelled.insert(title());
        } else if path.name == self.wanted.name {
            found.others.insert(title());
        }
        fits
    }

    /// Rows that list their manifests.
    fn listed(&self, table: &'static str, found: &mut Found) -> Result<()> {
        let mut rows = Vec::new();
        let held = Rows::These(rows_in(self.hits, table, "manifest_paths"));
        self.reader.texts_of(table, "manifest_paths", &held, &mut |row, words| {
            let fitting = words.split(' ').filter_map(ManifestPath::parse).filter(|path| self.weigh(path, found));
            if fitting.count() > 0 {
                rows.push(row);
            }
        })?;
        found.works.extend(of_rows(self.reader, table, rows)?);
        Ok(())
    }

    fn objects(&self, found: &mut Found) -> Result<Vec<i64>> {
        let rows = rows_in(self.hits, "kube_objects", "name");
        let rows = columns_of(self.reader, "kube_objects", ["kind", "api_version", "namespace"], rows)?;
        let mut fitting = Vec::new();
        for (row, [kind, api_version, namespace]) in rows {
            let group = api_version.as_deref().and_then(|version| version.split_once('/')).map(|(group, _)| group);
            let kind = kind.as_deref().unwrap_or_default();
            let path = ManifestPath { kind, group, namespace: namespace.as_deref(), name: self.wanted.name };
            if self.weigh(&path, found) {
                fitting.push(row);
            }
        }
        Ok(fitting)
    }

    /// ManifestWorks in a cluster are objects too.
    fn inner_works(&self, found: &mut Found) -> Result<Vec<i64>> {
        let rows = rows_in(self.hits, "manifest_works", "name");
        let rows = columns_of(self.reader, "manifest_works", ["namespace"], rows)?;
        let group = Some("work.open-cluster-management.io");
        let fits = |namespace: Option<&str>, found: &mut Found| {
            self.weigh(&ManifestPath { kind: "ManifestWork", group, namespace, name: self.wanted.name }, found)
        };
        Ok(rows.into_iter().filter(|(_, [namespace])| fits(namespace.as_deref(), found)).map(|(row, _)| row).collect())
    }

    /// An agent's lines tell which work it applied or deleted an object for, some of them.
    fn lines(&self, found: &mut Found) -> Result<()> {
        let rows = rows_in(self.hits, "log_lines", "object_name").into_iter().take(ENOUGH_LINES);
        let columns = ["object_resource", "object_group", "object_namespace", "resource_id", "applied_work"];
        let mut applied = BTreeSet::new();
        for (row, [kind, group, namespace, id, owner]) in columns_of(self.reader, "log_lines", columns, rows)? {
            let group = group.as_deref().filter(|group| !group.is_empty());
            let kind = kind.as_deref().unwrap_or_default();
            let path = ManifestPath { kind, group, namespace: namespace.as_deref(), name: self.wanted.name };
            if kind.is_empty() || !self.wanted.fits(&path, self.learnt) {
                continue;
            }
            found.line = found.line.or(Some(row));
            if id.is_some() || owner.is_some() {
                found.spelled.insert(ManifestPath { kind: kinds::kind_of(&path), ..path }.title());
            }
            found.works.extend(id);
            applied.extend(owner);
        }
        found.works.extend(owners::of_applied(self.reader, &applied)?);
        Ok(())
    }

    fn introduce(&self, rows: Vec<i64>) -> Result<Vec<Standalone>> {
        let rows = columns_of(self.reader, "kube_objects", ["kind", "namespace", "cluster"], rows)?;
        let introduced = rows.into_iter().map(|(row, [kind, namespace, cluster])| {
            let kind = kind.as_deref().unwrap_or_default();
            let path = ManifestPath { kind, group: None, namespace: namespace.as_deref(), name: self.wanted.name };
            Standalone { title: path.title(), cluster, evidence: format!("kube_objects:{row}") }
        });
        Ok(introduced.collect())
    }
}
