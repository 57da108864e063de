//! Whether an object would be in the material if it were in the cluster.

use super::super::super::error::Result;
use super::super::load::Loader;
use super::gather::Clusters;
use super::name::Name;
use crate::bundle::Rows;
use crate::query::trace::{WHOLE_LISTS, WholeList};
use std::collections::{BTreeMap, BTreeSet};

type Namespace = Option<String>;

/// The lists of objects that the material holds of a work's clusters.
#[derive(Default)]
pub struct Lists {
    /// The namespaces that each file has objects of.
    namespaces: BTreeMap<String, BTreeSet<Namespace>>,
    /// Of the kinds in question, the files and namespaces that they are in.
    kinds: BTreeSet<(String, String, Namespace)>,
    /// Of the names in question, the kinds and namespaces that have them.
    there: BTreeSet<(String, Namespace, String)>,
}

impl Lists {
    /// Looks through the clusters of a work for objects that might be these. Names are read, no object is, and only
    /// where a list of each cluster came whole.
    pub fn of(loader: &Loader<'_>, clusters: &Clusters, wanted: &[&Name]) -> Result<Self> {
        let whole: Vec<WholeList> = WHOLE_LISTS.run(&loader.store, &[])?;
        let is_listed = |cluster: &Option<String>| whole.iter().any(|list| list.cluster == *cluster);
        let kinds: BTreeSet<&str> = wanted.iter().filter_map(|name| name.kind.as_deref()).collect();
        if kinds.is_empty() || clusters.is_empty() || !clusters.iter().all(is_listed) {
            return Ok(Self::default());
        }
        let files = Runs::of(loader, "file")?;
        let held_in = Runs::of(loader, "cluster")?;
        let of_clusters = |row: i64| clusters.contains(&held_in.at(row).map(str::to_owned));
        // What is not in a list that broke off, or that was refused later, may be there all the same.
        let whole: BTreeSet<&str> = whole.iter().map(|list| list.target.as_str()).collect();
        let list_of = |row: i64| files.at(row).filter(|file| whole.contains(file));
        let mut lists = Self::default();
        loader.each_text("namespace", &Rows::All, |row, namespace| {
            if let Some(file) = list_of(row).filter(|_| of_clusters(row)) {
                lists.saw(file, namespace);
            }
        })?;
        let mut rows: BTreeMap<i64, String> = BTreeMap::new();
        loader.each_text("kind", &Rows::All, |row, kind| {
            if kinds.contains(kind) && of_clusters(row) {
                rows.insert(row, kind.to_owned());
            }
        })?;
        let these = Rows::These(rows.keys().copied().collect());
        let namespaces = loader.texts("namespace", &these)?;
        for (row, kind) in &rows {
            if let Some(file) = list_of(*row) {
                lists.kinds.insert((kind.clone(), file.to_owned(), namespaces.get(row).cloned()));
            }
        }
        let names: BTreeSet<&str> = wanted.iter().map(|name| name.name.as_str()).collect();
        loader.each_text("name", &these, |row, name| {
            if let Some(kind) = rows.get(&row).filter(|_| names.contains(name)) {
                lists.there.insert((kind.clone(), namespaces.get(&row).cloned(), name.to_owned()));
            }
        })?;
        Ok(lists)
    }

    fn saw(&mut self, file: &str, namespace: &str) {
        let known = self.namespaces.get(file).is_some_and(|known| known.contains(&Some(namespace.to_owned())));
        if !known {
            self.namespaces.entry(file.to_owned()).or_default().insert(Some(namespace.to_owned()));
        }
    }

    /// It is not there, and the list that it would be in is: one with objects of its kind, and of its namespace or of
    /// several.
    pub fn lack(&self, name: &Name) -> bool {
        let Some(kind) = &name.kind else { return false };
        let there = self.there.contains(&(kind.clone(), name.namespace.clone(), name.name.clone()));
        let listed = self.kinds.iter().filter(|(listed, ..)| listed == kind).any(|(_, file, namespace)| {
            let several = self.namespaces.get(file).is_some_and(|all| all.len() > 1);
            several || *namespace == name.namespace
        });
        listed && !there
    }
}

/// A column whose values come in long runs, as the rows of a file do.
#[derive(Default)]
struct Runs {
    runs: Vec<(i64, i64, String)>,
}

impl Runs {
    fn of(loader: &Loader<'_>, column: &str) -> Result<Self> {
        let mut runs = Self::default();
        loader.each_text(column, &Rows::All, |row, text| runs.push(row, text))?;
        Ok(runs)
    }

    fn push(&mut self, row: i64, text: &str) {
        match self.runs.last_mut() {
            Some((_, last, known)) if *last + 1 == row && known == text => *last = row,
            _ => self.runs.push((row, row, text.to_owned())),
        }
    }

    fn at(&self, row: i64) -> Option<&str> {
        let after = self.runs.partition_point(|(first, ..)| *first <= row);
        let (_, last, text) = self.runs.get(after.checked_sub(1)?)?;
        (row <= *last).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(objects: &[(&str, &str, &str)]) -> Lists {
        let mut lists = Lists::default();
        for (namespace, name, file) in objects {
            let (kind, held) = ("ConfigMap".to_owned(), Some((*namespace).to_owned()));
            lists.saw(file, namespace);
            lists.kinds.insert((kind.clone(), (*file).to_owned(), held.clone()));
            lists.there.insert((kind, held, (*name).to_owned()));
        }
        lists
    }

    fn map(namespace: &str, name: &str) -> Name {
        let (namespace, kind) = (Some(namespace.to_owned()), Some("ConfigMap".to_owned()));
        Name { kind, namespace, name: name.to_owned(), ..Name::default() }
    }

    #[test]
    fn an_object_is_absent_only_from_a_list_that_would_have_it() {
        assert!(!lists(&[]).lack(&map("demo", "x")), "nothing of the kind was listed");
        assert!(!lists(&[("other", "a", "f")]).lack(&map("demo", "x")), "another namespace was listed");
        assert!(lists(&[("demo", "a", "f")]).lack(&map("demo", "x")));
        assert!(lists(&[("one", "a", "f"), ("two", "a", "f")]).lack(&map("demo", "x")), "all namespaces were listed");
        assert!(!lists(&[("one", "a", "f"), ("two", "a", "g")]).lack(&map("demo", "x")), "each was listed alone");
        assert!(!lists(&[("demo", "x", "f")]).lack(&map("demo", "x")), "it is there");
    }

    #[test]
    fn a_run_ends_where_a_row_is_missing() {
        let mut runs = Runs::default();
        for (row, text) in [(1, "a"), (2, "a"), (4, "a"), (5, "b")] {
            runs.push(row, text);
        }
        let all: Vec<Option<&str>> = (0..=6).map(|row| runs.at(row)).collect();
        assert_eq!(all, [None, Some("a"), Some("a"), None, Some("a"), Some("b"), None]);
        assert_eq!(runs.runs.len(), 3);
    }
}
