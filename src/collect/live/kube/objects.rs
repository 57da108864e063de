//! The objects that works are about: one list for each kind, never a request for each object.

use super::super::desk::Desk;
use super::connection::{Connection, JSON};
use super::keep;
use super::list::List;
use super::named::{Key, Named};
use super::resource::{DEFINITIONS, NAMESPACES, Resource};
use futures::StreamExt;
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// In so many namespaces a kind is listed one by one; beyond, in all at once.
const FEW: usize = 8;

/// An owner that is no AppliedManifestWork, as objects name it.
type Owner = (String, String, Option<String>, String);

impl Connection {
    /// Lists the kinds that are named, in the namespaces in which anything is: what was not applied, or was not listed
    /// as applied, would be there too. Then the owners of what was found, where their kinds were not listed yet.
    pub async fn keep_objects(&self, desk: &Desk<'_>, named: &Named, known: &BTreeSet<List>) {
        let namespaces = named.namespaces();
        let lists = named.resources().flat_map(|resource| lists(resource, named.in_namespaces(resource), &namespaces));
        let lists: BTreeSet<List> = lists.filter(|list| !covered(known, list)).collect();
        let owners = RefCell::default();
        self.keep_lists(desk, &lists, named, &owners).await;

        let mut of_owners = Named::default();
        let mut kinds = BTreeMap::new();
        for (version, kind, namespace, name) in owners.into_inner() {
            if !kinds.contains_key(&version) {
                kinds.insert(version.clone(), self.kinds(desk, &version).await);
            }
            let found = kinds.get(&version).and_then(|kinds| kinds.iter().find(|known| known.kind == kind));
            let Some(found) = found else { continue };
            let (group, number) = version.split_once('/').unwrap_or(("", &version));
            let resource = Resource::new(group.to_owned(), number.to_owned(), found.name.clone());
            of_owners.add(resource, namespace.as_deref().filter(|_| found.namespaced).unwrap_or_default(), &name);
        }
        let namespaces = of_owners.namespaces();
        let of_owner = |resource| self::lists(resource, of_owners.in_namespaces(resource), &namespaces);
        let more = of_owners.resources().flat_map(of_owner);
        let more = more.filter(|list| !covered(known, list) && !covered(&lists, list)).collect();
        self.keep_lists(desk, &more, &of_owners, &RefCell::default()).await;
    }

    async fn keep_lists(
        &self,
        desk: &Desk<'_>,
        lists: &BTreeSet<List>,
        named: &Named,
        owners: &RefCell<BTreeSet<Owner>>,
    ) {
        let keep = |list| async move {
            // A list that fails is in the account; the others go on.
            let _ = self.keep_list(desk, list, |item| keep_item(item, list, named, owners)).await;
        };
        futures::stream::iter(lists).for_each_concurrent(desk.limits.parallel, keep).await;
    }

    /// The kinds of a group and version, such as `apps/v1`; none where they cannot be known.
    async fn kinds(&self, desk: &Desk<'_>, version: &str) -> Vec<Kind> {
        let path = if version.contains('/') { format!("/apis/{version}") } else { format!("/api/{version}") };
        let answer = self.get(desk, &path, JSON).await.unwrap_or_default();
        serde_json::from_slice::<Kinds>(&answer).map(|kinds| kinds.resources).unwrap_or_default()
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

fn keep_item<'t>(item: &'t str, list: &List, named: &Named, owners: &RefCell<BTreeSet<Owner>>) -> Cow<'t, str> {
    let resource = &list.resource;
    let Ok(Object { metadata }) = serde_json::from_str(item) else { return Cow::Borrowed(item) };
    let (applied, others): (Vec<_>, Vec<_>) =
        metadata.owner_references.into_iter().flatten().partition(|owner| owner.kind == "AppliedManifestWork");
    let key: Key = (metadata.namespace.clone(), metadata.name);
    let ours = !applied.is_empty() || named.has(resource, &key);
    if ours {
        let owner = |owner: OwnerReference| (owner.api_version, owner.kind, metadata.namespace.clone(), owner.name);
        owners.borrow_mut().extend(others.into_iter().map(owner));
    }
    match () {
        () if resource.is_secret() => Cow::Owned(keep::secret(item)),
        () if ours => keep::workload(item),
        () => Cow::Owned(keep::identity(item)),
    }
}

/// Namespaces are few and small; of the definitions of kinds only those are wanted whose objects are.
pub fn keep_definition<'t>(item: &'t str, named: &Named) -> Cow<'t, str> {
    let Ok(Object { metadata }) = serde_json::from_str(item) else { return Cow::Borrowed(item) };
    let is_named = |resource: &Resource| metadata.name == format!("{}.{}", resource.plural, resource.group);
    if named.resources().any(is_named) { Cow::Borrowed(item) } else { Cow::Owned(keep::identity(item)) }
}

/// Lists that every collection holds, whatever works name.
pub fn always() -> BTreeSet<List> {
    [NAMESPACES, DEFINITIONS].iter().map(|resource| List::of(resource, None)).collect()
}

#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: String,
    namespace: Option<String>,
    owner_references: Option<Vec<OwnerReference>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OwnerReference {
    api_version: String,
    kind: String,
    name: String,
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
