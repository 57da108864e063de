//! Who asked for a work's deletion, and how far it is.

use super::ownership;
use super::requests::{Asked, Fate};
use super::scene::Scene;
use crate::model::{Deletion, RequestKind};

/// The deletion of the work's newest life, if its last accepted request is one.
pub fn of_work(scene: &Scene, all: &[Asked]) -> Option<Deletion> {
    let newest = all.iter().find(|asked| asked.fate == Fate::Accepted)?;
    let asked = Some(newest).filter(|asked| asked.kind == RequestKind::Delete)?;
    let facts = ownership::facts_of(scene, all, asked);
    let received = facts.with_sign(1, "passed").next();
    let over = received.map(|fact| if fact.step == "asked over REST" { "REST" } else { "gRPC" });
    let gone = facts.with_sign(7, "passed").find(|fact| fact.about.as_deref() == Some("StatusDelete"));
    Some(Deletion {
        asked_at: asked.at,
        by: received.and_then(|fact| fact.about.clone()),
        over,
        op_id: received.and_then(|fact| fact.op_id.clone()),
        gone_at: gone.and_then(|fact| fact.at),
        evidence: received.into_iter().chain(gone).map(|fact| fact.evidence.clone()).collect(),
    })
}
