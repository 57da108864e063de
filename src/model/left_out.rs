//! What was left out, told in few words: a folder or archive in which nothing is evidence is one entry.

use std::collections::{BTreeMap, BTreeSet};

/// A file, or all files of a folder, and why they were left out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    pub path: String,
    pub files: usize,
    pub reason: String,
}

impl LeftOut {
    /// Groups files that were left out, each with its reason, below folders in which nothing was taken.
    pub fn group<'a>(
        left_out: impl IntoIterator<Item = (&'a str, &'a str)>,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Self> {
        let used: BTreeSet<&str> = others.into_iter().flat_map(folders).collect();
        let mut groups: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
        for (path, reason) in left_out {
            // The input itself stays apart from what is in it.
            let unused = folders(path).skip(1).find(|folder| !used.contains(folder));
            let (files, first) = groups.entry((unused.unwrap_or(path), reason)).or_default();
            if *files == 0 {
                *first = path;
            }
            *files += 1;
        }
        let group = |((folder, reason), (files, first)): ((&str, &str), (usize, &str))| {
            let path = if files == 1 { first } else { folder };
            Self { path: path.to_owned(), files, reason: reason.to_owned() }
        };
        groups.into_iter().map(group).collect()
    }
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.files {
            1 => write!(f, "{}  {}", self.path, self.reason),
            files => write!(f, "{}  {files} files: {}", self.path, self.reason),
        }
    }
}

/// `a`, `a/b` and `a/b/c` of `a/b/c`.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_evidence_is_one_entry() {
        let left = [
            ("in/.git/HEAD", "x"),
            ("in/.git/objects/aa/1", "x"),
            ("in/logs/notes.md", "x"),
            ("in/a.docx/b.xml", "x"),
            ("in/top.png", "y"),
        ];
        let found = LeftOut::group(left, ["in/logs/server.log"]);
        let told: Vec<String> = found.iter().map(ToString::to_string).collect();
        let expected = ["in/.git  2 files: x", "in/a.docx/b.xml  x", "in/logs/notes.md  x", "in/top.png  y"];
        assert_eq!(told, expected);
    }
}
