//! Patterns of what is not evidence.

use super::error::{Error, Result};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// Patterns of what is not evidence, and which of them met anything.
pub struct Exclude {
    patterns: Vec<String>,
    set: GlobSet,
    met: RefCell<BTreeSet<usize>>,
}

impl Exclude {
    pub fn new(patterns: &[String]) -> Result<Self> {
        let build = || -> std::result::Result<GlobSet, globset::Error> {
            let mut set = GlobSetBuilder::new();
            for pattern in patterns {
                set.add(GlobBuilder::new(pattern.trim_end_matches('/')).build()?);
            }
            set.build()
        };
        let set = build().map_err(|source| Error::Pattern { pattern: patterns.join(" "), source })?;
        Ok(Self { patterns: patterns.to_vec(), set, met: RefCell::default() })
    }

    /// A pattern may mean the file or a folder above it, by name, by path within the input, or as dacapo prints it.
    pub fn covers(&self, within: &Path, name: &str) -> bool {
        let names = within.components().map(|part| Path::new(part.as_os_str()));
        let above = within.ancestors().chain(Path::new(name).ancestors());
        let met: Vec<usize> = above.chain(names).flat_map(|path| self.set.matches(path)).collect();
        self.met.borrow_mut().extend(&met);
        !met.is_empty()
    }

    /// Patterns that met nothing: most likely a slip.
    pub fn unmet(&self) -> Vec<String> {
        let met = self.met.borrow();
        let unmet = self.patterns.iter().enumerate().filter(|(index, _)| !met.contains(index));
        unmet.map(|(_, pattern)| pattern.clone()).collect()
    }
}
