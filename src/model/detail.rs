//! The sub-steps of a hop.

use super::reference::is_object;
use crate::schema::Time;
use serde::Serialize;

/// All that the evidence says about one step of a hop, taken together: retries and repeated deliveries are counted.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    pub step: String,
    /// `passed`, `failed`, `tried` (an attempt, whatever came of it) or `skipped`.
    pub sign: String,
    pub count: usize,
    /// The first time.
    pub at: Option<Time>,
    pub last_at: Option<Time>,
    #[serde(rename = "where")]
    pub places: Vec<String>,
    /// The first and the last.
    pub evidence: Vec<String>,
    /// What is said besides, and how often.
    pub about: Vec<About>,
}

impl Step {
    /// Kubernetes gives whole seconds, rounded down.
    pub fn is_rough(&self) -> bool {
        self.evidence.iter().all(|reference| is_object(reference))
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct About {
    pub text: String,
    pub count: usize,
}
