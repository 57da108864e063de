//! Which pod leads to the database.

use crate::collect::live::desk::Desk;
use crate::collect::live::kube::{Connection, Pod};
use crate::collect::live::trouble::Trouble;
use std::collections::BTreeSet;

/// The database itself.
pub const DATABASE: &str = "name=maestro-db";
/// A way to a database outside the cluster, for emergencies.
pub const BREAKGLASS: &str = "app=postgres-breakglass";

/// Where Maestro is if nothing tells.
const FALLBACK: &str = "maestro";

/// The namespaces to look in: those the user names, or Maestro's.
pub async fn namespaces(
    connection: &Connection,
    desk: &Desk<'_>,
    named: &[String],
) -> Result<BTreeSet<String>, Trouble> {
    if !named.is_empty() {
        return Ok(named.iter().cloned().collect());
    }
    connection.maestro_namespaces(desk, &[FALLBACK.to_owned()].into()).await
}

/// A pod with the label that a command can run in; one that is ready comes first.
pub async fn pod(
    connection: &Connection,
    desk: &Desk<'_>,
    namespaces: &BTreeSet<String>,
    label: &str,
) -> Result<Option<Pod>, Trouble> {
    let mut found = Vec::new();
    for namespace in namespaces {
        found.extend(connection.pods(desk, Some(namespace), Some(label)).await?);
    }
    let mut running: Vec<Pod> = found.into_iter().filter(|pod| pod.phase == "Running" && !pod.leaves).collect();
    running.sort_by_key(|pod| !pod.ready);
    Ok(running.into_iter().next())
}
