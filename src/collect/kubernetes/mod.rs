//! Kubernetes objects in the forms in which people hand them over.

mod json;
mod object;
mod objects;
mod people;
mod yaml;

pub use json::KubernetesJson;
pub use people::ForPeople;
pub use yaml::KubernetesYaml;
