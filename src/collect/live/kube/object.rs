//! What every object says about itself.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub struct Object {
    pub metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    pub name: String,
    pub namespace: Option<String>,
    pub labels: Option<BTreeMap<String, String>>,
    pub annotations: Option<Annotations>,
    pub owner_references: Option<Vec<OwnerReference>>,
    pub deletion_timestamp: Option<String>,
}

/// Those that are of use here.
#[derive(Default, Deserialize)]
pub struct Annotations {
    /// The container that commands run in unless somebody says otherwise.
    #[serde(rename = "kubectl.kubernetes.io/default-container")]
    pub default_container: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    pub api_version: String,
    pub kind: String,
    pub name: String,
}

impl Object {
    pub fn read(object: &str) -> Option<Self> {
        serde_json::from_str(object).ok()
    }
}
