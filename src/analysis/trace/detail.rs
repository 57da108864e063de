//! The sub-steps of each hop: what the evidence says, taken together by step. They are told after the verdicts, so that
//! none rests on them.

use super::super::error::Result;
use super::coverage::pod_of;
use super::load::Loader;
use super::ownership::facts_of;
use super::requests::Asked;
use super::scene::Scene;
use crate::model::{About, Request, Step};
use crate::query::timeline::STEPS;
use crate::query::trace::Fact;

/// Adds the steps to every hop of these requests, which are in the order of those that were asked for.
pub fn detail(
    loader: &mut Loader<'_>,
    scene: &mut Scene,
    all: &[Asked],
    wanted: &[&Asked],
    requests: &mut [Request],
) -> Result<()> {
    let id = scene.identity.resource_id.clone();
    loader.bring_nameless(&id)?;
    scene.add_facts(STEPS.run(&loader.store, &[&id])?);
    for (asked, request) in wanted.iter().zip(requests) {
        let facts = facts_of(scene, all, asked);
        for hop in &mut request.hops {
            let mut own: Vec<&Fact> = facts.at_hop(hop.hop).collect();
            if hop.hop == 1 {
                own.extend(before_receipt(scene, asked, &own));
            }
            hop.steps = Some(steps(&own));
        }
    }
    Ok(())
}

/// A client looks the work up before it asks, under the same operation, and asks with a CloudEvent of its own.
fn before_receipt<'a>(scene: &'a Scene, asked: &Asked, received: &[&Fact]) -> Vec<&'a Fact> {
    let sent = |fact: &Fact| {
        received.iter().any(|other| other.cloud_event_id.is_some() && other.cloud_event_id == fact.cloud_event_id)
    };
    let same_operation = |fact: &Fact| asked.op_id.is_some() && fact.op_id == asked.op_id;
    let steps = scene.facts.iter().filter(|fact| fact.hop == 1 && ["looked up", "asked"].contains(&fact.step.as_str()));
    let known = |fact: &Fact| received.iter().any(|other| other.evidence == fact.evidence);
    steps.filter(|fact| !known(fact) && (same_operation(fact) || sent(fact))).collect()
}

/// In the order in which they happened first.
fn steps(facts: &[&Fact]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for fact in facts {
        let same = |step: &&mut Step| step.step == fact.step && step.sign == fact.sign;
        match steps.iter_mut().find(same) {
            Some(step) => add(step, fact),
            None => steps.push(first(fact)),
        }
    }
    steps.sort_by_key(|step| (step.at.is_none(), step.at.map(|at| at.plus_micros(rounding(step)))));
    steps
}

/// An object's time is rounded down, and what was within its second was mostly before it.
fn rounding(step: &Step) -> i64 {
    if step.is_rough() { 999_999 } else { 0 }
}

fn first(fact: &Fact) -> Step {
    let mut step = Step {
        step: fact.step.clone(),
        sign: fact.sign.clone(),
        count: 0,
        at: fact.at,
        last_at: fact.at,
        places: Vec::new(),
        evidence: vec![fact.evidence.clone()],
        about: Vec::new(),
    };
    add(&mut step, fact);
    step
}

fn add(step: &mut Step, fact: &Fact) {
    step.count += 1;
    step.at = step.at.into_iter().chain(fact.at).min();
    step.last_at = step.last_at.max(fact.at);
    step.evidence.truncate(1);
    if step.count > 1 {
        step.evidence.push(fact.evidence.clone());
    }
    let place = fact.place.as_deref().map(pod_of);
    if let Some(place) = place.filter(|place| !step.places.iter().any(|known| known == place)) {
        step.places.push(place.to_owned());
    }
    let Some(text) = &fact.about else { return };
    match step.about.iter_mut().find(|about| about.text == *text) {
        Some(about) => about.count += 1,
        None => step.about.push(About { text: text.clone(), count: 1 }),
    }
}
