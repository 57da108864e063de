//! Asks the API server what the user may do. That is a question, although it has to be posted.

use super::super::desk::Desk;
use super::super::trouble::Trouble;
use super::connection::Connection;
use super::list::{List, Turn};
use super::named::Named;
use super::needs::{Found, NEEDS, Need, Scope};
use super::object::Object;
use super::resource::{APPLIED_WORKS, NAMESPACES, Resource};
use crate::model::Right;
use futures::StreamExt;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

const REVIEWS: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/// Every right that a collection of the cluster needs, and what was found for which they are.
pub async fn check(connection: &Connection, desk: &Desk<'_>, namespaces: &[String]) -> (Vec<Right>, Found) {
    let mut wanted: Vec<Wanted> = of(Scope::Cluster).map(|need| Wanted::new(need, None)).collect();
    let (maestro, lost) = match maestro(connection, desk, namespaces).await {
        Ok(found) => (found, None),
        Err(trouble) => {
            let what = "find the namespaces of Maestro".to_owned();
            (BTreeSet::new(), Some(Right { what, granted: None, why: Some(trouble.to_string()) }))
        }
    };
    for namespace in &maestro {
        wanted.extend(of(Scope::Maestro).map(|need| Wanted::new(need, Some(namespace))));
    }
    let carried = carried(connection, desk).await;
    wanted.extend(carried.iter().map(|resource| Wanted {
        verb: "list",
        resource: resource.clone(),
        part: None,
        namespace: None,
    }));
    let answers = futures::stream::iter(&wanted).map(|right| right.check(connection, desk));
    let answers: Vec<Right> = answers.buffered(desk.limits.parallel).collect().await;
    (lost.into_iter().chain(answers).collect(), Found { namespaces: maestro, carried })
}

impl Connection {
    /// May the user do this in a namespace?
    pub async fn may(
        &self,
        desk: &Desk<'_>,
        verb: &'static str,
        (resource, part): (&Resource, &'static str),
        namespace: &str,
    ) -> Right {
        let wanted =
            Wanted { verb, resource: resource.clone(), part: Some(part), namespace: Some(namespace.to_owned()) };
        wanted.check(self, desk).await
    }
}

/// All that can be told about the rights in a cluster that does not answer.
pub fn unreached(trouble: &Trouble) -> Right {
    Right { what: "reach the API server".to_owned(), granted: None, why: Some(trouble.to_string()) }
}

fn of(scope: Scope) -> impl Iterator<Item = &'static Need> {
    NEEDS.iter().filter(move |need| need.scope == scope)
}

async fn maestro(connection: &Connection, desk: &Desk<'_>, namespaces: &[String]) -> Result<BTreeSet<String>, Trouble> {
    if !namespaces.is_empty() {
        return Ok(namespaces.iter().cloned().collect());
    }
    let mut names = BTreeSet::new();
    let list = List::of(&NAMESPACES, None);
    let listed = connection.pages(desk, &list, |turn| {
        if let Turn::Page(page) = turn {
            names.extend(page.items().filter_map(Object::read).map(|object| object.metadata.name));
        }
        Ok(())
    });
    // Who may not list namespaces may still find Maestro by its pods.
    let _ = listed.await;
    connection.maestro_namespaces(desk, &names).await
}

/// The kinds that works carry here. Who may not list the works learns that from the table.
async fn carried(connection: &Connection, desk: &Desk<'_>) -> BTreeSet<Resource> {
    let mut named = Named::default();
    let list = List::of(&APPLIED_WORKS, None);
    let works = connection.pages(desk, &list, |turn| {
        if let Turn::Page(page) = turn {
            page.items().for_each(|work| named.add_applied(work));
        }
        Ok(())
    });
    let _ = works.await;
    named.resources().filter(|resource| of(Scope::Cluster).all(|need| need.resource != **resource)).cloned().collect()
}

struct Wanted {
    verb: &'static str,
    resource: Resource,
    part: Option<&'static str>,
    namespace: Option<String>,
}

impl Wanted {
    fn new(need: &Need, namespace: Option<&str>) -> Self {
        let Need { verb, resource, part, .. } = need;
        Self { verb, resource: resource.clone(), part: *part, namespace: namespace.map(str::to_owned) }
    }

    /// `list deployments.apps in maestro`
    fn what(&self) -> String {
        let part = self.part.map(|part| format!("/{part}")).unwrap_or_default();
        let place = self.namespace.as_ref().map(|namespace| format!(" in {namespace}")).unwrap_or_default();
        format!("{} {}{part}{place}", self.verb, self.resource.file())
    }

    async fn check(&self, connection: &Connection, desk: &Desk<'_>) -> Right {
        let question = json!({
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {
                "verb": self.verb,
                "group": self.resource.group,
                "version": self.resource.version,
                "resource": self.resource.plural,
                "subresource": self.part.unwrap_or_default(),
                "namespace": self.namespace.as_deref().unwrap_or_default(),
            }},
        });
        let what = self.what();
        let answer = connection.ask(desk, REVIEWS, question.to_string().as_bytes()).await;
        match answer.map_err(Trouble::from).map(|answer| serde_json::from_slice::<Review>(&answer)) {
            Ok(Ok(review)) => {
                let why = review.status.reason.filter(|why| !why.is_empty() && !review.status.allowed);
                Right { what, granted: Some(review.status.allowed), why }
            }
            Ok(Err(error)) => Right { what, granted: None, why: Some(error.to_string()) },
            Err(trouble) => Right { what, granted: None, why: Some(trouble.to_string()) },
        }
    }
}

#[derive(Deserialize)]
struct Review {
    status: ReviewStatus,
}

#[derive(Deserialize)]
struct ReviewStatus {
    #[serde(default)]
    allowed: bool,
    reason: Option<String>,
}
