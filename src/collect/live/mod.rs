//! Reads running systems. Every answer is kept as it came, in a file without a name, and then taken by its form like a
//! file that somebody handed over: what is collected live goes the same way as what is exported, and means the same.

mod desk;
mod kube;
mod pods;
pub mod postgres;
mod source;
mod trouble;
mod wanted;

use self::kube::KubernetesCluster;
pub use self::kube::roles;
use self::pods::DatabaseInPods;
pub use desk::{Desk, Fetched, Piece, Reading};
pub use source::Source;
pub use trouble::Trouble;
pub use wanted::{Cluster, Database, Limits, Role, Wanted, Window};

use super::error::{Error, Result};
use super::form::Progress;
use super::stop::Stop;
use crate::model::{Asked, Needed, REQUESTS_FORMAT, RIGHTS_FORMAT, Requests, Rights};
use futures::future::join_all;
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// Everything that the running systems answer, and what each step came to.
pub fn fetch(wanted: &Wanted, folder: &Path, progress: &dyn Progress, stop: &Stop) -> Result<Fetched> {
    let sources = sources(wanted)?;
    let desk = Desk::new(wanted, folder, progress, stop);
    let runtime = runtime()?;
    runtime.block_on(async {
        let all = join_all(sources.iter().map(|source| source.fetch(&desk)));
        tokio::pin!(all);
        tokio::select! {
            _ = &mut all => return,
            () = tokio::time::sleep(wanted.limits.total) => desk.out_of_time(),
        }
        // Every source notices by itself that time is up, and puts back what it has changed.
        all.await;
    });
    // Somebody's plugin for tokens may still wait for a person; nobody waits for it.
    runtime.shutdown_background();
    Ok(desk.fetched())
}

/// Every request and statement that [`fetch`] would send. Nothing is sent.
pub fn requests(wanted: Option<&Wanted>) -> Result<Requests> {
    let asked = |source: &dyn Source| Asked { source: source.name().to_owned(), requests: source.requests() };
    let sources = wanted.map(sources).transpose()?.unwrap_or_default();
    let sources = sources.iter().map(|source| asked(source.as_ref())).collect();
    Ok(Requests { format: REQUESTS_FORMAT, sources })
}

/// Which rights the collection needs, and which are missing.
pub fn check(wanted: &Wanted, progress: &dyn Progress, stop: &Stop) -> Result<Rights> {
    let sources = sources(wanted)?;
    let desk = Desk::new(wanted, &std::env::temp_dir(), progress, stop);
    let runtime = runtime()?;
    let rights = runtime.block_on(join_all(sources.iter().map(|source| source.rights(&desk))));
    runtime.shutdown_background();
    let needed = sources.iter().zip(rights).map(|(source, rights)| Needed {
        source: source.name().to_owned(),
        rights,
        grants: source.grants(),
    });
    Ok(Rights { format: RIGHTS_FORMAT, sources: needed.collect() })
}

/// All on one thread: what costs is waiting.
fn runtime() -> Result<Runtime> {
    Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)
}

fn sources(wanted: &Wanted) -> Result<Vec<Box<dyn Source>>> {
    let mut sources: Vec<Box<dyn Source>> = Vec::new();
    if let Database::At(address) = &wanted.database {
        sources.push(Box::new(postgres::Postgres::at(address, wanted)?));
    }
    for connection in kube::connections(wanted) {
        if wanted.database == Database::ThroughPods && connection.role != Role::Management {
            sources.push(Box::new(DatabaseInPods::new(connection.clone(), wanted)));
        }
        sources.push(Box::new(KubernetesCluster::new(connection, wanted)));
    }
    Ok(sources)
}
