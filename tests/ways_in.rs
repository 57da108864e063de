//! Every identifier of every scenario leads to the right work, also where a part of the evidence is not there; what
//! several works fit is listed; what nothing fits is answered with a sentence that people know.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod answers;
mod labels;
mod made;
mod mistakes;
mod named;

use crate::support::{on_two_threads, scenarios, try_collect, unpack};
use dacapo::analysis::{self, ResolveAsk};
use dacapo::bundle::Reader;
use named::{Named, Without};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_identifier_leads_to_its_work() {
    let wrong: Vec<String> = on_two_threads(&scenarios(), |scenario| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let named = Named::read(&folder);
        let mut wrong = wrong_about(&folder, &named, Without::Nothing);
        for (missing, without) in [("kube", Without::Clusters), ("db", Without::Database)] {
            let (here, aside) = (folder.join(missing), dir.path().join("aside"));
            if here.exists() && fs::read_dir(&folder).unwrap().count() > 2 {
                fs::rename(&here, &aside).unwrap();
                wrong.extend(wrong_about(&folder, &named, without));
                fs::rename(&aside, &here).unwrap();
            }
        }
        wrong.into_iter().map(|line| format!("{scenario}: {line}")).collect::<Vec<_>>()
    })
    .concat();
    assert!(wrong.is_empty(), "{} identifiers lead elsewhere:\n{}", wrong.len(), wrong.join("\n"));
}

/// The identifiers that do not lead where they should.
fn wrong_about(folder: &Path, named: &Named, without: Without) -> Vec<String> {
    let bundle = try_collect(folder).unwrap();
    let reader = Reader::open(&bundle).unwrap();
    let mut wrong = Vec::new();
    let identifiers = named.identifiers(without);
    assert!(!identifiers.is_empty(), "{} names nothing", folder.display());
    for known in identifiers {
        let ask = ResolveAsk { identifier: Some(known.identifier.clone()), ..ResolveAsk::default() };
        let found = analysis::resolve(Some(&reader), &ask).unwrap().identifier.unwrap();
        let works: BTreeSet<String> = found.works.into_iter().map(|work| work.resource_id).collect();
        let strange = works.difference(&known.works).find(|id| !named.is_logged(&known.identifier, id));
        let missing = known.works.difference(&works).next();
        if found.taken_for.as_deref() != Some(known.taken_for) || strange.is_some() || missing.is_some() {
            let taken_for = found.taken_for.unwrap_or_else(|| "nothing".to_owned());
            wrong.push(format!(
                "{} without {without:?} is taken for {taken_for}: {works:?}, not {:?}",
                known.identifier, known
            ));
        }
    }
    wrong
}
