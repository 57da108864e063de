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

/// A pod with the label that a command can run in, one that is ready before others, and a remark if there are others.
pub async fn pod(
    connection: &Connection,
    desk: &Desk<'_>,
    namespaces: &BTreeSet<String>,
    label: &str,
) -> Result<Option<(Pod, Option<String>)>, Trouble> {
    let mut found = Vec::new();
    for namespace in namespaces {
        found.extend(connection.pods(desk, Some(namespace), Some(label)).await?);
    }
    let mut running: Vec<Pod> = found.into_iter().filter(|pod| pod.phase == "Running" && !pod.leaves).collect();
    running.sort_by_key(|pod| !pod.ready);
    Ok(first(running))
}

fn first(pods: Vec<Pod>) -> Option<(Pod, Option<String>)> {
    let mut pods = pods.into_iter();
    let pod = pods.next()?;
    let others: Vec<String> = pods.map(|pod| format!("{}/{}", pod.namespace, pod.name)).collect();
    let remark = format!("there are other pods, which were not asked: {}", others.join(", "));
    Some((pod, (!others.is_empty()).then_some(remark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_that_were_not_asked_are_named() {
        let pod = |name: &str| Pod { namespace: "maestro".to_owned(), name: name.to_owned(), ..Pod::default() };
        assert_eq!(first(vec![]), None);
        assert_eq!(first(vec![pod("db-0")]), Some((pod("db-0"), None)));
        let (asked, remark) = first(vec![pod("db-0"), pod("db-1")]).unwrap();
        assert_eq!(asked.name, "db-0");
        assert!(remark.unwrap().ends_with(": maestro/db-1"));
    }
}
