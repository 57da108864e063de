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
pub use source::KubernetesCluster;

use super::wanted::{Role, Wanted};
use access::{Access, cluster_name};
use std::rc::Rc;

/// The ways to all clusters that are wanted, each with a name of its own. One that is named twice is there once.
pub fn connections(wanted: &Wanted) -> Vec<Rc<Connection>> {
    let mut connections: Vec<Rc<Connection>> = Vec::new();
    let mut servers: Vec<(String, String)> = Vec::new();
    for cluster in &wanted.clusters {
        let access = Access::find(cluster, &wanted.environment);
        let context = access.as_ref().ok().and_then(Access::context).or(cluster.context.as_deref());
        let name = cluster_name(context.unwrap_or(match cluster.role {
            Role::Service => "svc",
            Role::Management => "mgmt",
        }));
        if let Some(server) = access.as_ref().ok().and_then(Access::server) {
            let known = (name.clone(), server.to_owned());
            if servers.contains(&known) {
                continue;
            }
            servers.push(known);
        }
        let is_free = |name: &String| connections.iter().all(|other| other.name != *name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name);
        connections.push(Rc::new(Connection::new(name, cluster.role, access, wanted.limits.parallel)));
    }
    connections
}
