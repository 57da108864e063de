//! The newest request of a work, judged as a trace does, without a cause and without a look at manifests.

use super::super::error::Result;
use super::Case;
use super::load::Loader;
use super::patience::patience;
use super::requests;
use super::scene::{Identity, Scene};
use crate::bundle::Reader;
use crate::model::Request;

pub struct Newest {
    pub identity: Identity,
    /// The evidence may mention a work and tell of no request.
    pub request: Option<Request>,
    /// The version that the last stored status is about.
    pub observed: Option<i64>,
}

pub fn newest(reader: &Reader, loader: &mut Loader<'_>, resource_id: &str) -> Result<Newest> {
    let scene = Scene::look(loader, resource_id)?;
    let all = requests::tell_apart(&scene);
    let request = match all.first() {
        Some(asked) => {
            let case = Case::open(&scene, &all, asked);
            Some(case.close(patience(reader, loader, &case)?))
        }
        None => None,
    };
    let stored = scene.facts.iter().rev().filter(|fact| fact.hop == 7 && fact.sign == "passed");
    let observed = match &scene.identity.row {
        Some(row) => row.status_version,
        None => stored.filter_map(|fact| fact.version).next(),
    };
    Ok(Newest { identity: scene.identity, request, observed })
}
