//! JSON that is neither an event nor its extensions: what REST lines use as message, and patches.

use std::borrow::Cow;

use serde::Deserialize;

/// A REST request or response, which the server logs as JSON in place of a message.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Rest<'a> {
    #[serde(borrow, default)]
    pub request_method: Cow<'a, str>,
    #[serde(borrow, default)]
    pub request_url: Cow<'a, str>,
    pub response_status: Option<i64>,
}

impl<'a> Rest<'a> {
    pub fn read(message: &'a str) -> Self {
        serde_json::from_str(message).unwrap_or_default()
    }
}

/// The AppliedManifestWork that a patch makes an owner. The agent appends itself, so of several it
/// is the last.
pub(super) fn owner(patch: &str) -> Option<String> {
    let patch: Patch = serde_json::from_str(patch).ok()?;
    let mut owners = patch.metadata.owners.into_iter().rev();
    owners.find(|owner| owner.kind == "AppliedManifestWork").map(|owner| owner.name.into_owned())
}

#[derive(Deserialize)]
struct Patch<'a> {
    #[serde(borrow)]
    metadata: Metadata<'a>,
}

#[derive(Deserialize)]
struct Metadata<'a> {
    #[serde(borrow, rename = "ownerReferences", default)]
    owners: Vec<Owner<'a>>,
}

#[derive(Deserialize)]
struct Owner<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_owners_the_last_applied_work_is_the_one_that_patches() {
        let patch = r#"{"metadata":{"uid":"u","ownerReferences":[{"kind":"AppliedManifestWork","name":"old"},
            {"kind":"AppliedManifestWork","name":"new"},{"kind":"Deployment","name":"other"}]}}"#;
        assert_eq!(owner(patch).as_deref(), Some("new"));
        assert_eq!(owner(r#"{"metadata":{"uid":"u"}}"#), None);
        assert_eq!(owner(r#"{"metadata":{"owner"#), None);
    }
}
