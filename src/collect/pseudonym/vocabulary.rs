//! Words that every installation has, and that verdicts are made of: no name is hidden that is one of them.

use crate::schema;
use std::collections::HashSet;
use std::sync::LazyLock;

/// One a line, in order: what statements and readers of logs compare with, fields and kinds of Kubernetes, names that its
/// and Maestro's components have everywhere.
const LIST: &str = include_str!("vocabulary.txt");

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| LIST.lines().collect());

/// Zones of names that are everybody's: API groups, addresses of code and pages.
const PUBLIC: &[&str] = &[
    "k8s.io",
    "kubernetes.io",
    "open-cluster-management.io",
    "openshift.io",
    "openshift.com",
    "coreos.com",
    "github.com",
    "golang.org",
    "go.dev",
    "google.golang.org",
    "jetstack.io",
    "cert-manager.io",
    "istio.io",
    "x-k8s.io",
    "cncf.io",
    "cloudevents.io",
];

pub fn is_common(word: &str) -> bool {
    let word = word.to_lowercase();
    WORDS.contains(word.as_str()) || schema::table(&word).is_some()
}

/// Is the name in one of these zones? Types of events have theirs the other way round.
pub fn is_public(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts: Vec<&str> = name.split('.').collect();
    PUBLIC.iter().any(|zone| {
        let mut zone: Vec<&str> = zone.split('.').collect();
        let ends = parts.ends_with(&zone);
        zone.reverse();
        ends || parts.starts_with(&zone)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_has_what_everybody_has() {
        assert!(LIST.lines().is_sorted());
        for word in ["default", "kube-system", "maestro", "Deployment", "Applied", "status"] {
            assert!(is_common(word), "{word}");
        }
        assert!(is_public("api.openshift.com") && is_public("github.com") && !is_public("mygithub.com"));
        assert!(is_public("io.open-cluster-management.works.v1") && !is_public("io") && !is_public("io.example"));
    }
}
