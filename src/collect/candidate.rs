//! A file that may be evidence.

use super::place;
use super::said::Said;
use std::rc::Rc;

/// A file with nothing around it any more, as a form sees it.
#[derive(Debug, Default)]
pub struct Candidate {
    /// Name of the input it belongs to.
    pub source: String,
    /// Its path as the bundle shows it: input name and path within, with `/`. An archive counts as a folder.
    pub name: String,
    /// The same without the ending of a compressed file.
    pub bare: String,
    /// What the user says about it.
    pub said: Rc<Said>,
    /// Its first bytes, which tell what it is.
    pub head: Vec<u8>,
    /// All of it is in the head.
    pub whole: bool,
    /// Its end is known to be missing.
    pub cut: bool,
}

impl Candidate {
    /// The cluster it comes from, as the user says or its path tells.
    pub fn cluster(&self) -> Option<String> {
        self.said.cluster.clone().or_else(|| place::cluster_of(&self.bare))
    }
}
