//! What about a manifest is worth a person's attention. Each kind of finding has a name and one place here.

use super::super::difference::Difference;
use super::sides::{AppliedWork, Life, Material, Sides};
use super::spec::Spec;
use crate::model::{Actual, Condition, Finding};
use crate::query::trace::ObjectRow;
use crate::schema::Time;
use serde_json::Value;

/// Differences that a sentence tells; all are listed elsewhere.
const TOLD: usize = 3;
const LONGEST_TOLD: usize = 80;

/// The agent writes its list some time after it made an object; times of objects are in whole seconds.
const LIST_TAKES: i64 = 3_000_000;

/// A manifest with what was concluded about it.
pub struct Judged<'a> {
    pub material: &'a Material,
    pub sides: &'a Sides<'a>,
    pub differences: &'a [Difference],
    pub actual: Option<Actual>,
    /// Its update strategy makes differences ordinary.
    pub by_design: bool,
    pub orphaned: bool,
    /// Other works that own the object, with what they ask for where that is known.
    pub others: Vec<(&'a str, Option<&'a Spec>)>,
    /// What the inner work itself says, where the sides are what was fed back of it.
    pub own_words: &'a [Condition],
}

impl Judged<'_> {
    pub fn findings(&self) -> Vec<Finding> {
        let found = [
            self.apply_failed(),
            self.unavailable(),
            self.feedback_not_synced(),
            self.feedback_behind(),
            self.not_in_cluster(),
            self.another_object(),
            self.differs(),
            self.owned_by_others(),
            self.two_hub_hashes(),
            self.not_listed(),
            self.not_asked(),
            self.held_by_finalizer(),
            self.left_behind(),
            self.evicting(),
        ];
        found.into_iter().flatten().collect()
    }

    fn apply_failed(&self) -> Option<Finding> {
        let said = self.sides.condition("Applied", "False")?;
        let said = said.strip_prefix("Failed to apply manifest: ").unwrap_or(said);
        Some(finding("apply_failed", format!("it could not be applied: {said}"), self.reported()))
    }

    /// The agent looked for the object itself.
    fn unavailable(&self) -> Option<Finding> {
        if self.material.life != Life::There || self.sides.condition("Applied", "False").is_some() {
            return None;
        }
        let absent = self.sides.condition("Available", "False").map(|said| ("the agent does not find it", said));
        let unread = || self.sides.condition("Available", "Unknown").map(|said| ("the agent cannot read it", said));
        let (what, said) = absent.or_else(unread)?;
        Some(finding("not_available", format!("{what}: {said}"), self.reported()))
    }

    fn feedback_not_synced(&self) -> Option<Finding> {
        let said = self.sides.condition("StatusFeedbackSynced", "False")?;
        Some(finding("feedback_not_synced", format!("its status feedback is not synced: {said}"), self.reported()))
    }

    fn feedback_behind(&self) -> Option<Finding> {
        let fed_back = &self.sides.status?.conditions;
        let differs =
            |own: &&Condition| fed_back.iter().any(|known| known.kind == own.kind && known.status != own.status);
        let own = self.own_words.iter().find(differs)?;
        let known = fed_back.iter().find(|known| known.kind == own.kind)?;
        let text = format!(
            "what was fed back says {}={}, the inner work itself says {}",
            known.kind, known.status, own.status
        );
        Some(finding("feedback_behind", text, self.reported()))
    }

    fn not_in_cluster(&self) -> Option<Finding> {
        let (work, _) = self.sides.listed.first()?;
        let gone = self.actual == Some(Actual::Absent) && self.material.life == Life::There;
        gone.then(|| finding("not_in_cluster", "it was applied, and is not in the cluster".into(), of(work)))
    }

    fn another_object(&self) -> Option<Finding> {
        let object = self.sides.object?;
        let (work, listed) = self.sides.listed.iter().max_by_key(|(work, _)| work.row.created_at)?;
        let (then, now) = (listed.uid.as_ref()?, object.uid.as_ref()?);
        if self.sides.listed.iter().any(|(_, listed)| listed.uid.as_ref() == Some(now)) {
            return None;
        }
        let by = if self.material.owns(object) { "" } else { ", by somebody else" };
        let text =
            format!("it is not the object that the agent lists: that one was {then}, this is {now}, made again{by}");
        Some(finding("another_object", text, vec![work.row.evidence.clone(), object.evidence.clone()]))
    }

    fn differs(&self) -> Option<Finding> {
        let object = self.sides.object.filter(|_| !self.differences.is_empty() && !self.by_design)?;
        let told: Vec<String> = self.differences.iter().take(TOLD).map(told).collect();
        let more = match self.differences.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let because = self.overwritten_by().map(|work| format!("; it holds what {work} asks for"));
        let because = because.or_else(|| self.unreported().map(|lag| format!("; {lag}"))).unwrap_or_default();
        let text = format!("it is not as asked: {}{more}{because}", told.join(", "));
        let asked = self.material.spec.as_ref().map(|spec| spec.evidence.clone());
        Some(finding("differs", text, asked.into_iter().chain([object.evidence.clone()]).collect()))
    }

    /// The work that owns the object too and whose manifest it is like.
    fn overwritten_by(&self) -> Option<String> {
        let held: Value = serde_json::from_str(&self.sides.object?.object).ok()?;
        let like = |spec: &&Spec| {
            let same = spec.asked.iter().find(|asked| asked.name.is(&self.sides.name));
            same.is_some_and(|asked| super::super::difference::differences(&asked.manifest, &held).is_empty())
        };
        let (owner, spec) = self.others.iter().find(|(_, spec)| spec.as_ref().is_some_and(like))?;
        Some(called(owner, *spec))
    }

    fn unreported(&self) -> Option<String> {
        let asked = self.material.spec.as_ref()?.version?;
        let reported = self.material.status.as_ref().and_then(|status| status.version);
        (reported < Some(asked)).then(|| format!("the agent has not reported on version {asked}"))
    }

    fn owned_by_others(&self) -> Option<Finding> {
        let object = self.sides.object.filter(|_| !self.others.is_empty())?;
        let mut names: Vec<String> = self.others.iter().take(TOLD).map(|(owner, spec)| called(owner, *spec)).collect();
        let more = self.others.len().saturating_sub(TOLD);
        names.extend((more > 0).then(|| format!("{more} more")));
        let text = match names.split_last() {
            Some((last, [])) => format!("{last} owns it too; what is applied last stays"),
            Some((last, before)) => format!("{} and {last} own it too; what is applied last stays", before.join(", ")),
            None => return None,
        };
        let rows = self.others.iter().filter_map(|(_, spec)| spec.map(|spec| spec.evidence.clone()));
        let evidence = std::iter::once(object.evidence.clone()).chain(rows).collect();
        Some(finding("owned_by_others", text, evidence))
    }

    fn two_hub_hashes(&self) -> Option<Finding> {
        let mut hashes: Vec<&str> =
            self.sides.listed.iter().filter_map(|(work, _)| work.row.hub_hash.as_deref()).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let short: Vec<String> = hashes.iter().map(|hash| hash.chars().take(8).collect::<String>() + "…").collect();
        let text = format!(
            "AppliedManifestWorks with different hub hashes list it, {}: an agent knows only those of its own hash",
            short.join(" and ")
        );
        let evidence = self.sides.listed.iter().map(|(work, _)| work.row.evidence.clone()).collect();
        (hashes.len() > 1).then(|| finding("two_hub_hashes", text, evidence))
    }

    fn not_listed(&self) -> Option<Finding> {
        let object = self.sides.object.filter(|object| self.sides.listed.is_empty() && self.material.made(object))?;
        let works: Vec<&AppliedWork> = self.material.applied.iter().collect();
        let due = object.created_at.is_none_or(|made| self.material.now.since(made) > LIST_TAKES);
        if works.is_empty() || self.material.life != Life::There || !due {
            return None;
        }
        let empty = works.iter().all(|work| work.listed.is_empty());
        let list = if empty { "lists nothing" } else { "does not list it" };
        let text = format!("it is there, though the AppliedManifestWork {list}; the agent writes that list last");
        let evidence = works.iter().map(|work| work.row.evidence.clone()).chain([object.evidence.clone()]).collect();
        Some(finding("not_listed", text, evidence))
    }

    /// The database's row is what the work asks for now.
    fn not_asked(&self) -> Option<Finding> {
        let spec = self.material.spec.as_ref().filter(|spec| spec.source == crate::model::ManifestsFrom::Row)?;
        let (work, _) = self.sides.listed.first().filter(|_| self.sides.asked.is_none())?;
        let lag = self.unreported().map(|lag| format!("; {lag}")).unwrap_or_default();
        let text = format!("it is applied, and the work does not ask for it any more{lag}");
        let evidence = vec![work.row.evidence.clone(), spec.evidence.clone()];
        (self.material.life == Life::There).then(|| finding("not_asked", text, evidence))
    }

    fn held_by_finalizer(&self) -> Option<Finding> {
        let object = self.sides.object?;
        let since = object.deleted_at.map(Time::clock)?;
        let finalizers: Vec<String> = serde_json::from_str(object.finalizers.as_deref()?).ok()?;
        let text = format!("its deletion waits for finalizer {} since {since}", finalizers.join(", "));
        (!finalizers.is_empty()).then(|| finding("held_by_finalizer", text, vec![object.evidence.clone()]))
    }

    fn left_behind(&self) -> Option<Finding> {
        let object = self.sides.object.filter(|_| self.material.life == Life::Deleted)?;
        let evidence = || vec![object.evidence.clone()];
        // What another work owns by now is that work's.
        if self.orphaned && self.others.is_empty() {
            let text = "it was left behind on purpose: the work asks for its objects to be orphaned".to_owned();
            return Some(finding("orphaned", text, evidence()));
        }
        let ours = self.material.owns(object) || !self.sides.listed.is_empty();
        let text = "it is still there, though the work was reported as deleted".to_owned();
        ours.then(|| finding("left_behind", text, evidence()))
    }

    fn evicting(&self) -> Option<Finding> {
        let waiting = |work: &&AppliedWork| work.row.eviction_started_at.is_some();
        let work = self.sides.listed.iter().map(|(work, _)| *work).find(waiting)?;
        let since = work.row.eviction_started_at.map(Time::clock)?;
        let text = format!("the agent does not know the work any more: the object waits for eviction since {since}");
        Some(finding("evicting", text, of(work)))
    }

    fn reported(&self) -> Vec<String> {
        self.material.status.iter().map(|status| status.evidence.clone()).collect()
    }
}

/// The work behind an owner, or the owner.
fn called(owner: &str, spec: Option<&Spec>) -> String {
    match spec.and_then(|spec| spec.work_name.as_deref()) {
        Some(work) => format!("work {work}"),
        None => format!("AppliedManifestWork {owner}"),
    }
}

fn told(difference: &Difference) -> String {
    let Difference { path, asked, found } = difference;
    match found {
        Value::Null => format!("{path} is not there, {} was asked", short(asked)),
        found => format!("{path} is {}, {} was asked", short(found), short(asked)),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST_TOLD) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text,
    }
}

fn of(work: &AppliedWork) -> Vec<String> {
    vec![work.row.evidence.clone()]
}

fn finding(finding: &'static str, text: String, evidence: Vec<String>) -> Finding {
    Finding { finding, text, evidence }
}

/// What the cluster holds, as far as the material tells.
pub fn actual(object: Option<&ObjectRow>, compared: Option<&[Difference]>, absent: bool) -> Option<Actual> {
    match (object, compared) {
        (None, _) => absent.then_some(Actual::Absent),
        (Some(object), _) if object.deleted_at.is_some() => Some(Actual::Deleting),
        (_, None) => Some(Actual::There),
        (_, Some([])) => Some(Actual::AsAsked),
        (_, Some(_)) => Some(Actual::Differs),
    }
}
