//! What an argument can mean, and the works that it then names.

use serde::Serialize;

/// Labels or manifests that are named where many fit.
const FEW: usize = 3;

/// One thing that an argument can be.
#[derive(Clone, Debug, Serialize)]
pub struct Meaning {
    pub taken_for: String,
    /// The labels or manifests that fit.
    #[serde(rename = "as")]
    pub spelled: Vec<String>,
    /// How many works it then names.
    pub works: usize,
}

impl Meaning {
    /// `a label value (app=web)`, `an op-id`
    pub fn phrase(&self) -> String {
        let article = if self.taken_for.starts_with(['A', 'e', 'o']) { "an" } else { "a" };
        let more = (self.spelled.len() > FEW).then(|| format!("{} more", self.spelled.len() - FEW));
        let spelled: Vec<String> = self.spelled.iter().take(FEW).cloned().chain(more).collect();
        let spelled = if spelled.is_empty() { String::new() } else { format!(" ({})", spelled.join(", ")) };
        format!("{article} {}{spelled}", self.taken_for)
    }
}

/// A work that may be meant.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    pub work_name: Option<String>,
    pub resource_id: String,
    pub consumer: Option<String>,
    pub source: Option<String>,
}

impl Candidate {
    /// A work of which nothing but the id is known yet.
    pub fn of(resource_id: &str) -> Self {
        Self { work_name: None, resource_id: resource_id.to_owned(), consumer: None, source: None }
    }

    /// Fills what is still open.
    pub fn learn(&mut self, work_name: Option<String>, consumer: Option<String>, source: Option<String>) {
        self.work_name = self.work_name.take().or(work_name);
        self.consumer = self.consumer.take().or(consumer);
        self.source = self.source.take().or(source);
    }
}
