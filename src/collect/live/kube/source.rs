//! A cluster as a source of evidence: what is read of it, in which order.

use super::super::desk::Desk;
use super::super::source::Source;
use super::super::wanted::Wanted;
use super::connection::Connection;
use super::keep;
use super::list::{List, encoded};
use super::logs::Log;
use super::maestro;
use super::named::Named;
use super::needs::{Found, NEEDS, Need, Scope, roles};
use super::object::Object;
use super::objects::{always, keep_definition};
use super::pods::Pod;
use super::resource::{APPLIED_WORKS, DEFINITIONS, EVENTS, MANIFEST_WORKS, NAMESPACES, PODS, Resource, SECRETS};
use super::rights;
use crate::model::Right;
use crate::schema::Time;
use futures::FutureExt;
use futures::StreamExt;
use futures::future::LocalBoxFuture;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub struct KubernetesCluster {
    connection: Rc<Connection>,
    /// Those that the user names.
    namespaces: Vec<String>,
    /// Log lines from here on.
    since: Option<Time>,
    /// What was found when the rights were looked at.
    found: OnceCell<Found>,
}

impl KubernetesCluster {
    pub fn new(connection: Rc<Connection>, wanted: &Wanted) -> Self {
        let (namespaces, since) = (wanted.namespaces.clone(), wanted.window.since);
        Self { connection, namespaces, since, found: OnceCell::new() }
    }

    async fn read(&self, desk: &Desk<'_>) {
        let connection = &self.connection;
        if let Err(trouble) = connection.reach(desk).await {
            return desk.missed(&connection.name, "kube", connection.said(), trouble);
        }
        let mut named = Named::default();
        let mut names = BTreeSet::new();
        let [of_works, of_hub, of_namespaces] =
            [APPLIED_WORKS, MANIFEST_WORKS, NAMESPACES].map(|resource| List::of(&resource, None));
        let works = connection.keep_list(desk, &of_works, |work| {
            named.add_applied(work);
            keep::whole(work)
        });
        let hub_works = connection.keep_list(desk, &of_hub, keep::whole);
        let namespaces = connection.keep_list(desk, &of_namespaces, |namespace| {
            names.extend(Object::read(namespace).map(|object| object.metadata.name));
            keep::whole(namespace)
        });
        // What fails is in the account.
        let (_, _, all_namespaces) = futures::join!(works, hub_works, namespaces);
        if all_namespaces.is_ok() {
            self.miss_namespaces(desk, &names);
        }

        let maestro = self.maestro(desk, &names).await;
        let (pods, came) = self.workloads(desk, &maestro).await;
        self.logs(desk, &pods, &mut named).await;

        let known = always().into_iter().chain(came).collect();
        connection.keep_objects(desk, &named, &known).await;
        let concerned: Vec<String> =
            named.namespaces().into_iter().filter(|name| !maestro.contains(*name)).map(str::to_owned).collect();
        self.events(desk, &concerned).await;
        // Definitions are long, and those of kinds that no work carries are only names.
        let only_metadata = !named.resources().any(Resource::may_be_defined);
        let definitions = List { only_metadata, ..List::of(&DEFINITIONS, None) };
        let _ = connection.keep_list(desk, &definitions, |item| keep_definition(item, &named)).await;
    }

    /// Lists of a namespace that is not there are empty, and do not say that it is not. Another cluster may have it.
    fn miss_namespaces(&self, desk: &Desk<'_>, there: &BTreeSet<String>) {
        let missing: Vec<&str> =
            self.namespaces.iter().filter(|name| !there.contains(*name)).map(String::as_str).collect();
        if !missing.is_empty() {
            let connection = &self.connection;
            let remark = format!("there is no namespace {} here", missing.join(", "));
            desk.told(&connection.name, "namespaces of Maestro", connection.said(), vec![remark]);
        }
    }

    /// Maestro's namespaces, as the user says or as they are found.
    async fn maestro(&self, desk: &Desk<'_>, names: &BTreeSet<String>) -> BTreeSet<String> {
        if !self.namespaces.is_empty() {
            return self.namespaces.iter().cloned().collect();
        }
        let connection = &self.connection;
        connection.maestro_namespaces(desk, names).await.unwrap_or_else(|trouble| {
            desk.missed(&connection.name, "namespaces of Maestro", connection.said(), trouble);
            BTreeSet::new()
        })
    }

    fn lists_of_maestro(&self, namespaces: &BTreeSet<String>) -> Vec<List> {
        let lists = |need: &'static Need| namespaces.iter().map(move |name| List::of(&need.resource, Some(name)));
        let listed = NEEDS.iter().filter(|need| need.scope == Scope::Maestro && need.verb == "list");
        listed.flat_map(lists).collect()
    }

    /// What runs in Maestro's namespaces; gives back the pods, and the lists that came to their end.
    async fn workloads(&self, desk: &Desk<'_>, namespaces: &BTreeSet<String>) -> (Vec<Pod>, Vec<List>) {
        let lists = self.lists_of_maestro(namespaces);
        // By name: a list that is begun anew brings them again.
        let pods: RefCell<BTreeMap<(String, String), Pod>> = RefCell::default();
        let keep = |list| {
            let (list, pods): (&List, _) = (list, &pods);
            async move {
                let kept = self.connection.keep_list(desk, list, |item| {
                    if let Some(pod) = Pod::read(item).filter(|_| list.resource == PODS) {
                        pods.borrow_mut().insert((pod.namespace.clone(), pod.name.clone()), pod);
                    }
                    Some(keep::workload(item))
                });
                kept.await.is_ok().then(|| list.clone())
            }
        };
        let ends = futures::stream::iter(&lists).map(keep).buffer_unordered(desk.limits.parallel);
        let came = ends.filter_map(std::future::ready).collect().await;
        (pods.into_inner().into_values().collect(), came)
    }

    /// Logs of Maestro's pods, and of all pods in namespaces that the user names.
    async fn logs(&self, desk: &Desk<'_>, pods: &[Pod], named: &mut Named) {
        let wanted = pods.iter().filter(|pod| maestro::owns(pod) || self.namespaces.contains(&pod.namespace));
        let logs: Vec<Log> = wanted.flat_map(Log::of).collect();
        let found: Vec<Named> = futures::stream::iter(&logs)
            .map(|log| async move {
                let mut named = Named::default();
                self.connection.keep_log(desk, log, &mut named).await;
                named
            })
            .buffer_unordered(desk.limits.parallel)
            .collect()
            .await;
        found.into_iter().for_each(|found| named.join(found));
        if let Some(remark) = named.remark() {
            let connection = &self.connection;
            desk.told(&connection.name, "kinds that logs name", connection.said(), vec![remark]);
        }
    }

    async fn events(&self, desk: &Desk<'_>, namespaces: &[String]) {
        let lists: Vec<List> = namespaces.iter().map(|name| List::of(&EVENTS, Some(name))).collect();
        let keep = |list| async move {
            let _ = self.connection.keep_list(desk, list, keep::whole).await;
        };
        futures::stream::iter(&lists).for_each_concurrent(desk.limits.parallel, keep).await;
    }
}

impl Source for KubernetesCluster {
    fn name(&self) -> &str {
        &self.connection.name
    }

    fn requests(&self) -> Vec<String> {
        let list =
            |resource: &Resource, namespace: Option<&str>| format!("GET {}", List::of(resource, namespace).path(None));
        let mut requests = vec!["GET /version".to_owned()];
        requests.extend([APPLIED_WORKS, MANIFEST_WORKS, NAMESPACES].iter().map(|resource| list(resource, None)));
        let places = if self.namespaces.is_empty() {
            let pods = List { labels: Some(maestro::LABELS.to_owned()), ..List::of(&PODS, None) };
            requests.push(format!("GET {}", pods.path(None)));
            vec!["<each namespace of Maestro>".to_owned()]
        } else {
            self.namespaces.clone()
        };
        for place in &places {
            let of_maestro = NEEDS.iter().filter(|need| need.scope == Scope::Maestro && need.verb == "list");
            requests.extend(of_maestro.map(|need| list(&need.resource, Some(place))));
            let log = |pod: &str, previous: &str| {
                let since = self.since.map(|since| format!("&sinceTime={}", encoded(&since.to_string())));
                let query =
                    format!("container=<each container>&timestamps=true{previous}{}", since.unwrap_or_default());
                format!("GET /api/v1/namespaces/{place}/pods/{pod}/log?{query}")
            };
            requests.push(log("<each pod of Maestro>", ""));
            requests.push(log("<each pod that restarted>", "&previous=true"));
        }
        requests.push("GET /apis/<group>/<version>/<each kind that works name>?limit=500".to_owned());
        let denied = "where it may not be listed everywhere";
        requests
            .push(format!("GET /apis/<group>/<version>/namespaces/<namespace>/<each such kind>?limit=500 ({denied})"));
        requests.push(format!("{} (metadata only, if works name Secrets)", list(&SECRETS, None)));
        requests.push("GET /apis/<group>/<version> (for the kinds of owners)".to_owned());
        requests.push("GET /apis/<group>/<version>/namespaces/<namespace>/<each kind of owners>?limit=500".to_owned());
        requests.push(list(&EVENTS, Some("<each namespace that works name>")));
        requests.push(list(&DEFINITIONS, None));
        requests
    }

    fn rights<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, Vec<Right>> {
        async move {
            if let Err(trouble) = self.connection.reach(desk).await {
                return vec![rights::unreached(&trouble)];
            }
            let (rights, found) = rights::check(&self.connection, desk, &self.namespaces).await;
            let _ = self.found.set(found);
            rights
        }
        .boxed_local()
    }

    fn grants(&self) -> String {
        let named = || Found { namespaces: self.namespaces.iter().cloned().collect(), ..Found::default() };
        roles(self.found.get_or_init(named))
    }

    fn fetch<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, ()> {
        self.read(desk).boxed_local()
    }
}
