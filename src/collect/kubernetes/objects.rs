//! What a file of objects gives, object by object, whatever its form.

use super::object::{Head, Origin, Stored, store, table_of};
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Taken, Taking};
use std::io::{self, Read, Seek, SeekFrom, Write};
use tempfile::SpooledTempFile;

/// Objects that wait for their kind do so in memory up to here, then in a temporary file.
const HELD_IN_MEMORY: usize = 8 << 20;

/// Takes the objects of one file.
pub struct Objects<'a, 'w> {
    file: &'a Candidate,
    cluster: Option<String>,
    taking: &'a mut Taking<'w>,
    pub taken: Taken,
    /// What the list that is being read has said of itself so far.
    pub head: Head,
    held: Held,
    lists: bool,
    /// There are objects that came by themselves, or something ended too early: others may not have come.
    incomplete: bool,
}

impl<'a, 'w> Objects<'a, 'w> {
    pub fn new(file: &'a Candidate, taking: &'a mut Taking<'w>) -> Self {
        Self {
            file,
            cluster: file.cluster(),
            taking,
            taken: Taken::default(),
            head: Head::default(),
            held: Held::default(),
            lists: false,
            incomplete: false,
        }
    }

    /// An object that came by itself.
    pub fn single(&mut self, text: &str, line: u64) -> Result<()> {
        self.incomplete = true;
        self.take(text, line, false)
    }

    /// An object of a list. The list may say later what kind its objects are.
    pub fn item(&mut self, text: &str, line: u64) -> Result<()> {
        self.take(text, line, true)
    }

    /// The list ends, and has said all that it says. Absence from it may mean something.
    pub fn end_list(&mut self, head: Head, whole: bool) -> Result<()> {
        self.lists |= whole;
        self.incomplete |= !whole;
        self.head = head;
        if self.head.goes_on() {
            self.doubt("a page of a longer list".to_owned());
        }
        self.release()?;
        self.head = Head::default();
        Ok(())
    }

    /// Takes the objects that waited for their kind.
    fn release(&mut self) -> Result<()> {
        let mut held = std::mem::take(&mut self.held);
        let mut next = held.rewind();
        loop {
            match next {
                Ok(Some((line, text))) => self.take(&text, line, false)?,
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.cut(format!("objects that waited for their kind: {error}"));
                    return Ok(());
                }
            }
            next = held.next();
        }
    }

    /// A list without objects. It may not say what it would hold; its path does.
    pub fn empty_list(&mut self, head: &Head) {
        self.lists = true;
        self.taken.has(head.item_kind().map_or_else(|| table_called(&self.file.bare), table_of));
    }

    /// A piece that is no object: it is kept word for word.
    pub fn unreadable(&mut self, text: &str, line: u64, why: &str) -> Result<()> {
        self.taken.seen += 1;
        self.refuse(text, line, why)
    }

    /// The beginning of an object, where `cut` has said why there is no more.
    pub fn fragment(&mut self, text: &str, line: u64) -> Result<()> {
        self.taken.seen += 1;
        self.taken.unknown += 1;
        self.taking.keep(&self.file.name, Some(line as i64), text)
    }

    /// What was there to read ended too early.
    pub fn cut(&mut self, why: String) {
        self.incomplete = true;
        self.taken.problem(why);
    }

    /// There may have been more.
    pub fn doubt(&mut self, why: String) {
        self.incomplete = true;
        self.taken.remarks.push(why);
    }

    /// The account of the file.
    pub fn finish(mut self) -> Result<Taken> {
        // Those of a list that was cut before it named its kind.
        self.release()?;
        let list = self.lists && !self.incomplete || is_list_by_files(&self.file.name) && self.taken.rows() > 0;
        self.taken.whole = list && self.taken.unknown == 0;
        Ok(self.taken)
    }

    fn take(&mut self, text: &str, line: u64, may_wait: bool) -> Result<()> {
        let origin = Origin { cluster: self.cluster.as_deref(), file: &self.file.name, text };
        let stored = store(&self.head, &origin, self.taking)?;
        if may_wait && matches!(stored, Stored::NoKind) {
            return match self.held.push(line, text) {
                Ok(()) => Ok(()),
                Err(error) => self.unreadable(text, line, &error.to_string()),
            };
        }
        self.taken.seen += 1;
        match stored {
            Stored::Row(table, new) => self.taken.count(table, new),
            Stored::NoKind => self.refuse(text, line, "an object that does not say its kind")?,
            Stored::Refused(why) => self.refuse(text, line, &why)?,
        }
        Ok(())
    }

    fn refuse(&mut self, text: &str, line: u64, why: &str) -> Result<()> {
        self.taken.problem(format!("line {line}: {why}"));
        self.taken.unknown += 1;
        self.taking.keep(&self.file.name, Some(line as i64), text)
    }
}

/// Objects without a kind, in a list that names it at its end.
#[derive(Default)]
struct Held {
    file: Option<SpooledTempFile>,
    count: u64,
}

impl Held {
    fn push(&mut self, line: u64, text: &str) -> io::Result<()> {
        let file = self.file.get_or_insert_with(|| SpooledTempFile::new(HELD_IN_MEMORY));
        file.write_all(&line.to_le_bytes())?;
        file.write_all(&(text.len() as u64).to_le_bytes())?;
        file.write_all(text.as_bytes())?;
        self.count += 1;
        Ok(())
    }

    fn rewind(&mut self) -> io::Result<Option<(u64, String)>> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(0))?;
        }
        self.next()
    }

    fn next(&mut self) -> io::Result<Option<(u64, String)>> {
        let Some(file) = self.file.as_mut().filter(|_| self.count > 0) else { return Ok(None) };
        self.count -= 1;
        let mut number = [0; 8];
        file.read_exact(&mut number)?;
        let line = u64::from_le_bytes(number);
        file.read_exact(&mut number)?;
        let mut text = String::new();
        file.take(u64::from_le_bytes(number)).read_to_string(&mut text)?;
        Ok(Some((line, text)))
    }
}

/// The table of a resource that a file, or the folder it is in, is called after.
fn table_called(name: &str) -> &'static str {
    let mut parts = name.rsplit('/');
    let stem = parts.next().and_then(|file| file.split('.').next()).unwrap_or_default();
    let folder = parts.next().unwrap_or_default();
    let table = |word: &str| match word.trim_end_matches('s') {
        "appliedmanifestwork" | "amw" => Some("applied_manifest_works"),
        "manifestwork" => Some("manifest_works"),
        "event" => Some("kube_events"),
        _ => None,
    };
    let words = stem.split(['-', '_']).chain([folder]);
    words.filter_map(|word| table(&word.to_lowercase())).next().unwrap_or("kube_objects")
}

/// `oc adm inspect` writes a file for each object of a resource into a folder that is called like the resource:
/// together they are the list.
fn is_list_by_files(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    matches!(parts.as_slice(), [.., "cluster-scoped-resources", _group, _resource, _file])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_is_the_table_its_file_is_called_after() {
        assert_eq!(table_called("night/kube/mgmt/appliedmanifestworks.json"), "applied_manifest_works");
        assert_eq!(table_called("night/amw-mgmt-1.yaml"), "applied_manifest_works");
        assert_eq!(table_called("night/manifestworks.work.open-cluster-management.io.yaml"), "manifest_works");
        assert_eq!(table_called("night/namespaces/noise/core/events.yaml"), "kube_events");
        let folder = "night/cluster-scoped-resources/work.open-cluster-management.io/appliedmanifestworks/x.yaml";
        assert_eq!(table_called(folder), "applied_manifest_works");
        assert_eq!(table_called("night/objects.json"), "kube_objects");
    }

    #[test]
    fn what_waits_comes_back_in_order_however_large() {
        let mut held = Held::default();
        let large = "x".repeat(HELD_IN_MEMORY);
        for (line, text) in [(1, "one"), (2, large.as_str()), (3, "")] {
            held.push(line, text).unwrap();
        }
        assert_eq!(held.rewind().unwrap(), Some((1, "one".to_owned())));
        assert_eq!(held.next().unwrap().map(|(line, text)| (line, text.len())), Some((2, HELD_IN_MEMORY)));
        assert_eq!(held.next().unwrap(), Some((3, String::new())));
        assert_eq!(held.next().unwrap(), None);
    }
}
