//! One manifest from all sides: what was asked, what is listed, what is there, what is reported.

use super::name::{Name, Reference};
use super::spec::{Asked, Spec};
use super::status::{ManifestStatus, Status};
use crate::query::trace::{AgentObject, AppliedList, ObjectRow};
use crate::schema::Time;

/// All that the material has about the manifests of one work.
pub struct Material {
    pub spec: Option<Spec>,
    pub status: Option<Status>,
    pub applied: Vec<AppliedWork>,
    /// The objects of the clusters that the work goes to.
    pub objects: Vec<ObjectRow>,
    pub logged: Vec<AgentObject>,
    /// What the AppliedManifestWorks of the work are called after: its id, or its name.
    pub called: Vec<String>,
    pub life: Life,
    pub now: Time,
}

/// Whether the work is still wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    There,
    Deleting,
    Deleted,
}

/// An AppliedManifestWork with what it lists.
pub struct AppliedWork {
    pub row: AppliedList,
    pub listed: Vec<Listed>,
}

pub struct Listed {
    pub name: Name,
    pub uid: Option<String>,
}

pub struct Sides<'a> {
    pub name: Name,
    pub asked: Option<&'a Asked>,
    pub status: Option<&'a ManifestStatus>,
    pub listed: Vec<(&'a AppliedWork, &'a Listed)>,
    pub object: Option<&'a ObjectRow>,
    pub logged: Option<&'a AgentObject>,
}

impl AppliedWork {
    pub fn read(row: AppliedList) -> Self {
        let list = row.applied_resources.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let list: Vec<Reference> = list.unwrap_or_default();
        let listed = list.iter().map(|listed| Listed { name: listed.name(), uid: listed.uid.clone() }).collect();
        Self { row, listed }
    }
}

impl Material {
    /// Every manifest that some source knows, those that were asked for first and in their order.
    pub fn sides(&self) -> Vec<Sides<'_>> {
        let mut all: Vec<Sides<'_>> = Vec::new();
        for asked in self.spec.iter().flat_map(|spec| &spec.asked) {
            all.push(Sides { asked: Some(asked), ..Sides::called(asked.name.clone()) });
        }
        for status in self.status.iter().flat_map(|status| &status.manifests) {
            if let Some(sides) = all.iter_mut().find(|sides| sides.name.is(&status.name)) {
                sides.name.learn(&status.name);
                sides.status = Some(status);
            }
        }
        self.add_listed(&mut all);
        self.add_objects(&mut all);
        // Names in a log are worth something only where nothing else has them.
        if all.is_empty() {
            for logged in &self.logged {
                all.push(Sides { logged: Some(logged), ..Sides::called(Name::of_logged(logged)) });
            }
        }
        all
    }

    fn add_listed<'a>(&'a self, all: &mut Vec<Sides<'a>>) {
        for (work, listed) in self.applied.iter().flat_map(|work| work.listed.iter().map(move |listed| (work, listed)))
        {
            let at = all.iter().position(|sides| sides.name.is(&listed.name)).unwrap_or_else(|| {
                all.push(Sides::called(listed.name.clone()));
                all.len() - 1
            });
            if let Some(sides) = all.get_mut(at) {
                sides.name.learn(&listed.name);
                sides.listed.push((work, listed));
            }
        }
    }

    /// What the agent lists by uid is the object whatever it is called; then what it owns; then what has the name.
    fn add_objects<'a>(&'a self, all: &mut Vec<Sides<'a>>) {
        for sides in all.iter_mut() {
            let named = |object: &&ObjectRow| Name::of_object(object).is(&sides.name);
            let by_uid = |object: &&ObjectRow| {
                object.uid.is_some() && sides.listed.iter().any(|(_, listed)| listed.uid == object.uid)
            };
            let found = self.objects.iter().find(by_uid);
            let found = found.or_else(|| self.objects.iter().filter(named).find(|object| self.owns(object)));
            if let Some(object) = found.or_else(|| self.objects.iter().find(named)) {
                sides.name.learn(&Name::of_object(object));
                sides.object = Some(object);
            }
        }
        for object in self.objects.iter().filter(|object| self.owns(object)) {
            let name = Name::of_object(object);
            if !all.iter().any(|sides| sides.name.is(&name)) {
                all.push(Sides { object: Some(object), ..Sides::called(name) });
            }
        }
    }

    /// One of the work's AppliedManifestWorks is an owner of it.
    pub fn owns(&self, object: &ObjectRow) -> bool {
        owners(object).any(|owner| self.is_own(owner))
    }

    /// Owners of it that belong to other works.
    pub fn other_owners<'a>(&'a self, object: &'a ObjectRow) -> impl Iterator<Item = &'a str> {
        owners(object).filter(|owner| !self.is_own(owner))
    }

    /// It need not be in the material to be known by its name.
    fn is_own(&self, owner: &str) -> bool {
        let listed = self.applied.iter().any(|work| work.row.name == owner);
        listed
            || self.applied.is_empty() && work_of(owner).is_some_and(|work| self.called.iter().any(|own| own == work))
    }

    /// The agent made it for this work: it is its owner or, where it came no further, it is as old as the work is there.
    pub fn made(&self, object: &ObjectRow) -> bool {
        let before = |work: &AppliedWork| work.row.created_at.is_some() && work.row.created_at <= object.created_at;
        self.owns(object) || object.applied_works.is_none() && self.applied.iter().any(before)
    }
}

impl Sides<'_> {
    fn called(name: Name) -> Self {
        Self { name, asked: None, status: None, listed: Vec::new(), object: None, logged: None }
    }

    pub fn condition(&self, kind: &str, status: &str) -> Option<&str> {
        let condition = self.status?.condition(kind).filter(|condition| condition.status == status)?;
        Some(condition.message.as_deref().or(condition.reason.as_deref()).unwrap_or_default())
    }
}

/// The work that an AppliedManifestWork is called after: `<hub hash>-<work>`.
pub fn work_of(applied_work: &str) -> Option<&str> {
    let (hash, work) = applied_work.split_once('-')?;
    (hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(work)
}

fn owners(object: &ObjectRow) -> impl Iterator<Item = &str> {
    object.applied_works.iter().flat_map(|owners| owners.split(' ')).filter(|owner| !owner.is_empty())
}
