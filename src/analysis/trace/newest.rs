//! The requests of a work, judged as a trace does, without a look at manifests.

use super::super::error::Result;
use super::Case;
use super::load::Loader;
use super::patience::patience;
use super::processes::Processes;
use super::requests;
use super::scene::{Identity, Scene};
use super::skew::Clock;
use super::{busy, cause};
use crate::bundle::Reader;
use crate::model::{HopName, Request};
use std::sync::Arc;

pub struct Newest {
    pub identity: Identity,
    /// The evidence may mention a work and tell of no request.
    pub request: Option<Request>,
    /// Those before it, newest first, where everything was asked for.
    pub older: Vec<Request>,
    /// The version that the last stored status is about.
    pub observed: Option<i64>,
    /// Clocks that differ from the servers'.
    pub clocks: Vec<Clock>,
}

/// How much is asked about each work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Its newest request.
    Newest,
    /// All requests.
    Requests,
    /// All requests, and why the newest stopped.
    Everything,
}

pub fn newest(reader: &Reader, loader: &mut Loader<'_>, resource_id: &str, depth: Depth) -> Result<Newest> {
    let told = loader.take_told(resource_id);
    let scene = Scene::of(loader, resource_id, told)?;
    let all = requests::tell_apart(&scene);
    let mut requests = Vec::new();
    for asked in all.iter().take(if depth == Depth::Newest { 1 } else { usize::MAX }) {
        let case = Case::open(&scene, &all, asked);
        let mut request = case.close(patience(reader, loader, &case)?);
        let stop = request.stops_at.and_then(HopName::from_number);
        if let (Depth::Everything, true, Some(stop)) = (depth, requests.is_empty(), stop) {
            let processes = Processes::listen(loader, &scene.clocks)?;
            let busy = if cause::asks_servers(stop) { busy::busy(reader, loader)? } else { Arc::default() };
            cause::explain(&case.inquiry(&processes, &busy, stop), &mut request);
        }
        requests.push(request);
    }
    let mut requests = requests.into_iter();
    let request = requests.next();
    let stored = scene.facts.iter().rev().filter(|fact| fact.hop == 7 && fact.sign == "passed");
    let observed = match &scene.identity.row {
        Some(row) => row.status_version,
        None => stored.filter_map(|fact| fact.version).next(),
    };
    Ok(Newest { identity: scene.identity, request, older: requests.collect(), observed, clocks: scene.clocks })
}
