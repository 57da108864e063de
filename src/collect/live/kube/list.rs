//! Lists, page by page. What the API server wrote is kept as it came; only the brackets around it are ours.

use super::super::desk::{Desk, Spool};
use super::super::trouble::Trouble;
use super::super::wanted::Role;
use super::connection::{Connection, JSON};
use super::resource::{APPLIED_WORKS, Resource};
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Objects of a page. The largest have more than a megabyte: a page that is too long comes again in smaller ones.
const PAGE: usize = 500;
const SMALL_PAGE: usize = 50;

/// A list that goes out of date while it is read is begun anew so many times.
const BEGINNINGS: usize = 5;

/// Only names, labels and the like are sent.
const METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// Objects of a resource, of one namespace or of all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct List {
    pub resource: Resource,
    pub namespace: Option<String>,
    /// A selector.
    pub labels: Option<String>,
    /// Nothing else is asked for.
    pub only_metadata: bool,
}

impl List {
    pub fn of(resource: &Resource, namespace: Option<&str>) -> Self {
        let (resource, namespace) = (resource.clone(), namespace.map(str::to_owned));
        Self { only_metadata: resource.is_secret(), resource, namespace, labels: None }
    }

    /// Path and query of a page.
    pub fn path(&self, next: Option<&str>) -> String {
        self.page(PAGE, next)
    }

    fn page(&self, size: usize, next: Option<&str>) -> String {
        let labels = self.labels.as_deref().map(|labels| format!("&labelSelector={}", encoded(labels)));
        let next = next.map(|next| format!("&continue={}", encoded(next)));
        let path = self.resource.path(self.namespace.as_deref());
        format!("{path}?limit={size}{}{}", labels.unwrap_or_default(), next.unwrap_or_default())
    }

    /// What a file of it would be called in an exported folder.
    pub fn file(&self) -> String {
        let file = self.resource.file();
        self.namespace.as_ref().map_or_else(|| file.clone(), |namespace| format!("{namespace}/{file}"))
    }
}

/// A page, as the API server wrote it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<'a> {
    #[serde(borrow, default)]
    api_version: Cow<'a, str>,
    #[serde(borrow, default)]
    kind: Cow<'a, str>,
    #[serde(default)]
    metadata: PageMetadata,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PageMetadata {
    #[serde(rename = "continue")]
    next: String,
    resource_version: String,
}

/// What reading a list meets.
pub enum Turn<'a> {
    Page(&'a Page<'a>),
    /// What came so far is out of date; all of it comes again.
    Anew,
}

impl Connection {
    /// Reads a list to its end.
    pub async fn pages(
        &self,
        desk: &Desk<'_>,
        list: &List,
        mut each: impl FnMut(Turn<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let accept = if list.only_metadata { METADATA } else { JSON };
        let (mut beginnings, mut size) = (1, PAGE);
        let mut next: Option<String> = None;
        loop {
            let text = match self.get(desk, &list.page(size, next.as_deref()), accept).await {
                Err(refusal) if refusal.too_long && size > SMALL_PAGE => {
                    size = SMALL_PAGE;
                    continue;
                }
                Err(refusal) if refusal.is_expired() && next.is_some() && beginnings < BEGINNINGS => {
                    beginnings += 1;
                    next = None;
                    each(Turn::Anew)?;
                    continue;
                }
                answer => answer?,
            };
            let page: Page<'_> = serde_json::from_slice(&text).map_err(unreadable)?;
            each(Turn::Page(&page))?;
            next = Some(page.metadata.next.clone()).filter(|next| !next.is_empty());
            if next.is_none() {
                return Ok(());
            }
        }
    }

    /// Keeps a list under the name that its export would have. `keep` sees every object, and says what is kept of it:
    /// nothing only if it is kept elsewhere.
    pub async fn keep_list(
        &self,
        desk: &Desk<'_>,
        list: &List,
        mut keep: impl for<'t> FnMut(&'t str) -> Option<Cow<'t, str>>,
    ) -> Result<(), Trouble> {
        let name = format!("kube/{}/{}", self.name, list.file());
        let mut spool = desk.open(&self.name, &name, self.said()).inspect_err(|trouble| {
            desk.missed(&self.name, &name, self.said(), trouble.clone());
        })?;
        let mut begun = false;
        let end = self
            .pages(desk, list, |turn| match turn {
                Turn::Anew => {
                    begun = false;
                    spool.start_over()
                }
                Turn::Page(page) => {
                    if !std::mem::replace(&mut begun, true) {
                        spool.write(page.head(list).as_bytes())?;
                    }
                    page.items().filter_map(&mut keep).try_for_each(|item| write(&mut spool, &item))
                }
            })
            .await;
        if self.role == Role::Service && list.resource == APPLIED_WORKS && spool.records() == 0 {
            // Agents run elsewhere: that there is nothing here says nothing about works.
            spool.is_a_part("a service cluster is not where works are applied".to_owned());
        }
        let closed = if begun { spool.write(b"\n]}\n") } else { Ok(()) };
        let end = end.and(closed);
        spool.close(end.clone());
        end
    }

    /// What is known of everything that comes from here.
    pub fn said(&self) -> Said {
        Said { cluster: Some(self.name.clone()), ..Said::default() }
    }
}

fn write(spool: &mut Spool<'_>, item: &str) -> Result<(), Trouble> {
    spool.write(if spool.records() == 0 { b"\n" } else { b",\n" })?;
    spool.write(item.as_bytes())?;
    spool.count(1);
    Ok(())
}

fn unreadable(error: serde_json::Error) -> Trouble {
    Trouble::new(Status::Failed, format!("the answer is no list: {error}"))
}

impl Page<'_> {
    /// The beginning of the whole list. A list of metadata would not say what the metadata is of.
    fn head(&self, list: &List) -> String {
        let own = (self.api_version.to_string(), self.kind.to_string());
        let (version, kind) = list.resource.list_kind().filter(|_| list.only_metadata).unwrap_or(own);
        let [version, kind, at] = [version, kind, self.metadata.resource_version.clone()].map(serde_json::Value::from);
        format!(r#"{{"apiVersion":{version},"kind":{kind},"metadata":{{"resourceVersion":{at}}},"items":["#)
    }

    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.items.iter().flatten().map(|item| item.get())
    }
}

/// A value in a query.
pub fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    value.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::resource::PODS;
    use super::*;

    #[test]
    fn a_page_is_asked_for_by_path_and_query() {
        let mut list = List::of(&PODS, Some("maestro"));
        assert_eq!(list.path(None), "/api/v1/namespaces/maestro/pods?limit=500");
        list.labels = Some("app in (maestro)".to_owned());
        let path = "/api/v1/namespaces/maestro/pods?limit=500&labelSelector=app%20in%20%28maestro%29&continue=a%3D";
        assert_eq!(list.path(Some("a=")), path);
        assert_eq!(list.file(), "maestro/pods");
    }
}
