//! References to evidence, `table:row`.

/// It names a Kubernetes object, whose times are in whole seconds, rounded down.
pub fn is_object(reference: &str) -> bool {
    ["applied_manifest_works:", "kube_objects:"].iter().any(|table| reference.starts_with(table))
}
