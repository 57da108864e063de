//! Ids that follow from names: nobody has to look them up.

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// What clients of Maestro's SDK put between a source and a consumer.
const RESOURCE: &str = "manifestworks.work.open-cluster-management.io";

/// The text whose hash is the resource id.
pub fn resource_text(source: &str, consumer: &str, work_name: &str) -> String {
    format!("{source}-{RESOURCE}-{consumer}-{work_name}")
}

/// The resource id: UUIDv5 in the namespace of object identifiers.
pub fn resource_id(source: &str, consumer: &str, work_name: &str) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, resource_text(source, consumer, work_name).as_bytes()).to_string()
}

/// The hub hash of an agent: of the broker's host as its configuration spells it, of the URL with gRPC, of nothing
/// with Pub/Sub.
pub fn hub_hash(broker: &str) -> String {
    Sha256::digest(broker).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The name of the AppliedManifestWork for a work that the agent calls so.
pub fn applied_work(hub_hash: &str, work: &str) -> String {
    format!("{hub_hash}-{work}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_that_maestro_documents() {
        let (consumer, name) = ("7ff1a8f4-8811-49b4-8c19-9271bc51975e", "e44ec579-9646-549a-b679-db8d19d6da37");
        assert_eq!(resource_id("mw-client-example", consumer, name), "55c61e54-a3f6-563d-9fec-b1fe297bdfdb");
        let id = resource_id("mw-client-example", "cluster1", "nginx-work");
        assert_eq!(id, "0b14ee1e-1543-5748-bba9-abb351ceff99");
        let hash = hub_hash("maestro-mqtt-agent.maestro:1883");
        assert_eq!(hash, "f1d8a1049b93dffc1929d57a719c3a09a4dcbfe0cd6e42840325be3b2dde73c8");
        assert!(hub_hash("").starts_with("e3b0c442"));
        assert_eq!(applied_work(&hash, &id), format!("{hash}-{id}"));
    }
}
