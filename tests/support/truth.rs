//! `truth.json`: the answers an expert gives for a scenario, and how an answer of dacapo compares.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// The sentence of the hop a request stops at: the wording of Maestro's own people.
pub const SENTENCES: [&str; 9] = [
    "Maestro server does not receive the spec request",
    "Maestro server does not publish the spec request",
    "Maestro agent does not receive the spec request",
    "Maestro agent does not handle the spec request",
    "Maestro agent does not publish the status update request",
    "Maestro server does not receive the status update request",
    "Maestro server does not handle the status update request",
    "Maestro server does not broadcast the status update request",
    "Maestro server does not publish the status update request",
];

/// One scenario's answers. Fields that no check needs are left out.
#[derive(Debug, Deserialize)]
pub struct Truth {
    /// The requests to ask about; at least one is a healthy neighbour.
    pub focus: Vec<Focus>,
    /// Statements that would be wrong.
    pub must_not_say: Vec<String>,
    /// Works that went on in the background.
    pub noise: Vec<Background>,
}

/// One request and what is true of it.
#[derive(Debug, Deserialize)]
pub struct Focus {
    pub work: String,
    pub resource_id: String,
    pub request: String,
    /// 0: it was never stored.
    pub version: i64,
    /// Set where one id had several lives.
    pub life: Option<i64>,
    pub outcome: String,
    pub stops_at: Option<u8>,
    pub sentence: Option<String>,
    /// Hop number to verdict.
    pub hops: BTreeMap<String, String>,
    /// Other answers that are equally right, by field name or hop number.
    #[serde(default)]
    pub accept: BTreeMap<String, Vec<Value>>,
    /// What was really done, in an expert's words; of a request that went through, what is odd about it.
    pub root_cause: Option<String>,
    #[serde(default)]
    pub neighbour: bool,
}

/// A work of the background.
#[derive(Debug, Deserialize)]
pub struct Background {
    pub work: String,
    pub resource_id: String,
}

impl Truth {
    /// Reads the truth of an unpacked scenario.
    pub fn read(folder: &Path) -> Self {
        let path = folder.join("truth.json");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{} is odd: {e}", path.display()))
    }

    /// Background works that no focus entry asks about.
    pub fn background(&self) -> impl Iterator<Item = &Background> {
        self.noise.iter().filter(|noise| self.focus.iter().all(|f| f.resource_id != noise.resource_id))
    }

    /// What must come out for a background work: completed, unless the material cannot tell even
    /// for the healthy neighbour.
    pub fn background_outcome(&self) -> &str {
        self.focus.iter().find(|f| f.neighbour).map_or("completed", |f| &f.outcome)
    }
}

impl Focus {
    /// `web-frontend create v1`, as messages name the request.
    pub fn name(&self) -> String {
        let life = self.life.map_or_else(String::new, |life| format!(" life {life}"));
        format!("{} {} v{}{life}", self.work, self.request, self.version)
    }

    /// The arguments that pick this request.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![self.resource_id.clone(), "--request".into(), self.request.clone()];
        arguments.extend(["--version".into(), self.version.to_string()]);
        if let Some(life) = self.life {
            arguments.extend(["--life".into(), life.to_string()]);
        }
        arguments
    }

    /// Every difference between this truth and `works[].requests[]` of an answer, one line each.
    pub fn differences(&self, answer: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for (field, expected) in [("outcome", self.outcome.clone().into()), ("stops_at", self.stops_at.into())] {
            self.compare(field, &expected, &answer[field], &mut found);
        }
        let sentence = self.sentence_for(&answer["stops_at"]);
        if sentence != answer["sentence"] {
            found.push(difference("sentence", &sentence.to_string(), &answer["sentence"]));
        }
        for (hop, verdict) in &self.hops {
            self.compare(hop, &verdict.clone().into(), verdict_of(answer, hop), &mut found);
        }
        found
    }

    /// What an answer says about this request that is neither right nor unknown, one line each.
    pub fn untrue(&self, answer: &Value) -> Vec<String> {
        let judge = |field: &str, expected: &str, got: &Value| {
            let accepted = self.accept.get(field).is_some_and(|accepted| accepted.contains(got));
            let right = accepted || *got == expected || *got == "unknown";
            (!right).then(|| format!("{}: {field}: right is {expected}, said is {got}", self.name()))
        };
        // Without the latest rows the wait is shorter, and slow is not stopped.
        let waiting = answer["outcome"] == "in-progress" && self.outcome == "stopped";
        // Whether a client was told does not decide whether the request completed, if nothing says so.
        let untold = *verdict_of(answer, "9") == "unknown" && self.stops_at == Some(9);
        let expected = if untold { "completed" } else { &self.outcome };
        let outcome = judge("outcome", expected, &answer["outcome"]).filter(|_| !waiting);
        let hops = self.hops.iter().filter_map(|(hop, verdict)| judge(hop, verdict, verdict_of(answer, hop)));
        outcome.into_iter().chain(hops).collect()
    }

    fn compare(&self, field: &str, expected: &Value, got: &Value, found: &mut Vec<String>) {
        let right = match self.accept.get(field) {
            Some(accepted) => accepted.contains(got),
            None => expected == got,
        };
        if !right {
            let expected = match self.accept.get(field) {
                Some(accepted) => Value::from(accepted.clone()).to_string(),
                None => expected.to_string(),
            };
            let label = if field.len() == 1 { format!("hop {field}") } else { field.to_owned() };
            found.push(difference(&label, &expected, got));
        }
    }

    /// The sentence belongs to the stop that was answered, which may be another accepted one.
    fn sentence_for(&self, stops_at: &Value) -> Value {
        if *stops_at == Value::from(self.stops_at) {
            return self.sentence.clone().into();
        }
        let hop = stops_at.as_u64().and_then(|hop| usize::try_from(hop).ok());
        hop.and_then(|hop| SENTENCES.get(hop.wrapping_sub(1))).copied().into()
    }
}

fn verdict_of<'a>(answer: &'a Value, hop: &str) -> &'a Value {
    let hops = answer["hops"].as_array().map_or(&[][..], Vec::as_slice);
    hops.iter().find(|h| h["hop"].as_u64() == hop.parse().ok()).map_or(&Value::Null, |h| &h["verdict"])
}

/// `field: expected / got`, aligned so that many of them read as a table.
pub fn difference(field: &str, expected: &str, got: &Value) -> String {
    format!("{field:<10} expected {expected:<12} got {got}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn focus(accept: &str) -> Focus {
        let text = r#"{"work": "w", "resource_id": "r", "request": "create", "version": 1, "outcome": "stopped",
            "stops_at": 2, "sentence": "Maestro server does not publish the spec request",
            "hops": {"1": "passed", "2": "failed"}, "accept": ACCEPT}"#;
        serde_json::from_str(&text.replace("ACCEPT", accept)).unwrap()
    }

    fn answer(outcome: &str, stops_at: Value, sentence: Value, second: &str) -> Value {
        serde_json::json!({"outcome": outcome, "stops_at": stops_at, "sentence": sentence,
            "hops": [{"hop": 1, "verdict": "passed"}, {"hop": 2, "verdict": second}]})
    }

    #[test]
    fn an_equal_answer_has_no_differences() {
        let same = answer("stopped", 2.into(), SENTENCES[1].into(), "failed");
        assert_eq!(focus("{}").differences(&same), Vec::<String>::new());
    }

    #[test]
    fn every_difference_is_told() {
        let other = answer("completed", Value::Null, Value::Null, "passed");
        assert_eq!(focus("{}").differences(&other).len(), 3, "outcome, stops_at, hop 2");
        assert_eq!(focus("{}").differences(&Value::Null).len(), 4, "and hop 1");
    }

    #[test]
    fn an_accepted_stop_brings_its_own_sentence() {
        let focus = focus(r#"{"stops_at": [null, 2, 3], "2": ["missing"], "outcome": ["stopped", "unknown"]}"#);
        let later = answer("stopped", 3.into(), SENTENCES[2].into(), "missing");
        assert_eq!(focus.differences(&later), Vec::<String>::new());
        let none = answer("unknown", Value::Null, Value::Null, "missing");
        assert_eq!(focus.differences(&none), Vec::<String>::new());
        let wrong = answer("stopped", 3.into(), SENTENCES[1].into(), "failed");
        assert_eq!(focus.differences(&wrong).len(), 2, "sentence and hop 2");
    }
}
