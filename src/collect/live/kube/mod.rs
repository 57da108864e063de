//! Kubernetes clusters, through their API servers.

mod access;
mod connection;
mod failure;
mod keep;
mod list;
mod logs;
mod maestro;
mod named;
mod needs;
mod object;
mod objects;
mod pods;
mod refusal;
mod resource;
mod rights;
mod source;

pub use connection::Connection;
pub use failure::refused;
pub use needs::roles;
pub use pods::{Container, Pod};
pub use resource::{DEPLOYMENTS, PODS};
pub use rights::unreached;
pub use source::KubernetesCluster;

use super::wanted::{Role, Wanted};
use access::{Access, cluster_name};
use std::rc::Rc;

/// The ways to all clusters that are wanted, each with a name of its own. One that is named twice is there once.
pub fn connections(wanted: &Wanted) -> Vec<Rc<Connection>> {
    let mut connections: Vec<Connection> = Vec::new();
    // What each was called, and its address if the kubeconfig says one.
    let mut known: Vec<(String, Option<String>)> = Vec::new();
    for cluster in &wanted.clusters {
        let access = Access::find(cluster, &wanted.environment);
        let context = access.as_ref().ok().and_then(Access::context).or(cluster.context.as_deref());
        let otherwise = if cluster.role == Role::Management { "mgmt" } else { "svc" };
        let name = cluster_name(context.unwrap_or(otherwise));
        let place = (name.clone(), access.as_ref().ok().and_then(Access::server).map(str::to_owned));
        let same = known.iter().position(|other| place.1.is_some() && *other == place);
        if let Some(same) = same.and_then(|index| connections.get_mut(index)) {
            same.role = same.role.and(cluster.role);
            continue;
        }
        known.push(place);
        let is_free = |name: &String| connections.iter().all(|other| other.name != *name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name);
        connections.push(Connection::new(name, cluster.role, access, wanted.limits.parallel));
    }
    connections.into_iter().map(Rc::new).collect()
}
