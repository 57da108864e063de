//! The objects that works are about: one list for each kind, never a request for each object.

use super::super::desk::Desk;
use super::connection::{Connection, JSON};
use super::keep;
use super::list::List;
use super::named::{Key, Named};
use super::object::{Object, OwnerReference};
use super::resource::{DEFINITIONS, NAMESPACES, Resource, is_plain};
use crate::collect::outcome::Status;
use futures::StreamExt;
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// In so many namespaces owners are looked for one by one; beyond, in all at once.
const FEW: usize = 8;

/// An owner that is no AppliedManifestWork, as objects name it.
type Owner = (String, String, Option<String>, String);

impl Connection {
    /// Lists the kinds that are named, everywhere: an agent may have died before it named what it had made, and what was
    /// not made is told only by a list that would have it. Who may not list a kind everywhere may where it is named.
    /// Then come the owners of what was found, where their kinds were not listed yet.
    pub async fn keep_objects(&self, desk: &Desk<'_>, named: &Named, known: &BTreeSet<List>) {
        let everywhere: BTreeSet<List> = named.resources().map(|resource| List::of(resource, None)).collect();
        let everywhere = everywhere.difference(known).cloned().collect();
        let owners = RefCell::default();
        let denied = self.keep_lists(desk, &everywhere, known, named, &owners).await;
        let namespaces = named.namespaces();
        let there =
            |list: &List| namespaces.iter().map(|name| List::of(&list.resource, Some(name))).collect::<Vec<_>>();
        let of_namespaces = denied.iter().filter(|list| named.in_namespaces(&list.resource)).flat_map(there);
        let of_namespaces = of_namespaces.filter(|list| !known.contains(list)).collect();
        self.keep_lists(desk, &of_namespaces, known, named, &owners).await;

        let owners = self.places_of(desk, owners.into_inner()).await;
        let namespaces = owners.namespaces();
        let more = owners.resources().flat_map(|resource| lists(resource, owners.in_namespaces(resource), &namespaces));
        let listed = |list: &List| [known, &everywhere, &of_namespaces].iter().any(|lists| covered(lists, list));
        let more = more.filter(|list| !listed(list)).collect();
        self.keep_lists(desk, &more, known, &owners, &RefCell::default()).await;
    }

    /// Where the objects are that are known by version and kind.
    async fn places_of(&self, desk: &Desk<'_>, owners: BTreeSet<Owner>) -> Named {
        let mut named = Named::default();
        let mut kinds = BTreeMap::new();
        for (version, kind, namespace, name) in owners {
            if !kinds.contains_key(&version) {
                kinds.insert(version.clone(), self.kinds(desk, &version).await);
            }
            let found = kinds.get(&version).and_then(|kinds| kinds.iter().find(|known| known.is(&kind)));
            let Some(found) = found else { continue };
            let (group, number) = version.split_once('/').unwrap_or(("", &version));
            let resource = Resource::new(group.to_owned(), number.to_owned(), found.name.clone());
            named.add(resource, namespace.as_deref().filter(|_| found.namespaced).unwrap_or_default(), &name);
        }
        named
    }

    /// Keeps lists, and gives back those that were denied. Each that fails is in the account; the others go on.
    async fn keep_lists(
        &self,
        desk: &Desk<'_>,
        lists: &BTreeSet<List>,
        known: &BTreeSet<List>,
        named: &Named,
        owners: &RefCell<BTreeSet<Owner>>,
    ) -> Vec<List> {
        let keep = |list: &List| {
            let list = list.clone();
            async move {
                let kept = self.keep_list(desk, &list, |item| keep_item(item, &list, known, named, owners)).await;
                kept.err().filter(|trouble| trouble.status == Status::Denied).map(|_| list)
            }
        };
        let ends = futures::stream::iter(lists).map(keep).buffer_unordered(desk.limits.parallel);
        ends.filter_map(std::future::ready).collect().await
    }

    /// The kinds of a group and version, such as `apps/v1`; none where they cannot be known.
    async fn kinds(&self, desk: &Desk<'_>, version: &str) -> Vec<Kind> {
        let Some(path) = path_of(version) else { return Vec::new() };
        let answer = self.get(desk, &path, JSON).await.unwrap_or_default();
        serde_json::from_slice::<Kinds>(&answer).map(|kinds| kinds.resources).unwrap_or_default()
    }
}

/// Where a group and version tells its kinds. Evidence may say anything; what would lead elsewhere has no path.
fn path_of(version: &str) -> Option<String> {
    let is_plain = version.split('/').all(|part| !part.is_empty() && is_plain(part));
    match version.split('/').count() {
        1 if is_plain => Some(format!("/api/{version}")),
        2 if is_plain => Some(format!("/apis/{version}")),
        _ => None,
    }
}

fn lists(resource: &Resource, in_namespaces: bool, namespaces: &BTreeSet<&str>) -> Vec<List> {
    if in_namespaces && namespaces.len() <= FEW {
        return namespaces.iter().map(|namespace| List::of(resource, Some(namespace))).collect();
    }
    vec![List::of(resource, None)]
}

/// Is everything that a list would bring in another one?
fn covered(known: &BTreeSet<List>, list: &List) -> bool {
    known.contains(list) || known.contains(&List { namespace: None, ..list.clone() })
}

fn keep_item<'t>(
    item: &'t str,
    list: &List,
    known: &BTreeSet<List>,
    named: &Named,
    owners: &RefCell<BTreeSet<Owner>>,
) -> Option<Cow<'t, str>> {
    let resource = &list.resource;
    let Some(Object { metadata }) = Object::read(item) else {
        return Some(Cow::Owned(keep::identity(item)));
    };
    if known.contains(&List::of(resource, metadata.namespace.as_deref())) {
        return None;
    }
    let (applied, others): (Vec<_>, Vec<_>) =
        metadata.owner_references.into_iter().flatten().partition(|owner| owner.kind == "AppliedManifestWork");
    let key: Key = (metadata.namespace.clone(), metadata.name);
    let ours = !applied.is_empty() || named.has(resource, &key);
    if ours {
        let owner = |owner: OwnerReference| (owner.api_version, owner.kind, metadata.namespace.clone(), owner.name);
        owners.borrow_mut().extend(others.into_iter().map(owner));
    }
    Some(match () {
        () if resource.is_secret() => Cow::Owned(keep::secret(item)),
        () if ours => keep::workload(item),
        () => Cow::Owned(keep::identity(item)),
    })
}

/// Of the definitions of kinds only those are wanted whose objects are.
pub fn keep_definition<'t>(item: &'t str, named: &Named) -> Option<Cow<'t, str>> {
    let Some(Object { metadata }) = Object::read(item) else { return keep::whole(item) };
    let is_named = |resource: &Resource| metadata.name == format!("{}.{}", resource.plural, resource.group);
    if named.resources().any(is_named) { keep::whole(item) } else { Some(Cow::Owned(keep::identity(item))) }
}

/// Lists that every collection holds, whatever works name.
pub fn always() -> BTreeSet<List> {
    [NAMESPACES, DEFINITIONS].iter().map(|resource| List::of(resource, None)).collect()
}

#[derive(Deserialize)]
struct Kinds {
    resources: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    name: String,
    kind: String,
    #[serde(default)]
    namespaced: bool,
}

impl Kind {
    /// Parts of a kind, such as its status, are called like the kind.
    fn is(&self, kind: &str) -> bool {
        self.kind == kind && !self.name.contains('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_from_evidence_leads_nowhere_else() {
        assert_eq!(path_of("v1").as_deref(), Some("/api/v1"));
        assert_eq!(path_of("apps/v1").as_deref(), Some("/apis/apps/v1"));
        for strange in ["", "/", "apps/", "..", "../v1", "apps/v1/../x", "v1?watch=1", "a b/v1", "v1#x"] {
            assert_eq!(path_of(strange), None, "{strange}");
        }
    }
}
