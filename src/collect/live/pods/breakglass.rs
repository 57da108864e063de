//! The breakglass deployment: usually at rest, started only with a person's word, and put back to what it was.

use crate::collect::live::desk::Desk;
use crate::collect::live::kube::{Connection, Pod, refused};
use crate::collect::live::pods::find;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::autoscaling::v1::Scale;
use kube::api::{Patch, PatchParams};
use kube::{Api, Client};
use serde_json::json;
use std::time::Duration;
use tokio::time::{sleep, timeout};

pub const NAME: &str = "postgres-breakglass";
/// How long it may take to be ready.
const START: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Putting it back is tried so often, whatever else has ended; each change may take so long.
const ATTEMPTS: usize = 5;
const ATTEMPT: Duration = Duration::from_secs(10);
/// An API server gives up on a request after so long; what it has not done by then it does not do.
const LATE: Duration = Duration::from_secs(60);
/// How many pods it is started with.
const STARTED: i32 = 1;

/// A deployment, and how many pods it is to have.
pub struct Breakglass {
    api: Api<Deployment>,
    kubectl: String,
    pub namespace: String,
    pub replicas: i32,
}

impl Breakglass {
    /// The first of the namespaces that has it.
    pub async fn find(
        connection: &Connection,
        desk: &Desk<'_>,
        namespaces: impl Iterator<Item = &String>,
    ) -> Result<Option<Self>, Trouble> {
        let client: &Client = connection.client(desk).await?;
        for namespace in namespaces {
            let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
            let scale = async { api.get_scale(NAME).await.map_err(|error| refused(&error)) };
            match desk.wait(scale).await {
                Ok(scale) => {
                    let (kubectl, namespace) = (connection.kubectl(), namespace.clone());
                    return Ok(Some(Self { api, kubectl, namespace, replicas: replicas_of(scale) }));
                }
                Err(trouble) if trouble.status == Status::NotFound => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(None)
    }

    /// What a person runs to start it.
    pub fn command(&self) -> String {
        format!("{} -n {} scale deployment {NAME} --replicas {STARTED}", self.kubectl, self.namespace)
    }

    /// Asks for one pod. Ctrl-C does not end the waiting: a request that nobody waits for any more could arrive after
    /// the one that puts it back.
    pub async fn start(&self) -> Scaled {
        self.scale_in_time(STARTED).await
    }

    /// A change that nobody answered may still come. Watches until it has come or can come no more, and says whether
    /// there is something to put back.
    pub async fn may_be_changed(&self) -> bool {
        let mut last = None;
        let watched = timeout(LATE, async {
            while last != Some(STARTED) {
                sleep(LOOK_AGAIN).await;
                last = self.replicas_now().await;
            }
        });
        let _ = watched.await;
        last != Some(self.replicas)
    }

    async fn replicas_now(&self) -> Option<i32> {
        let scale = timeout(ATTEMPT, self.api.get_scale(NAME)).await.ok()?.ok()?;
        Some(replicas_of(scale))
    }

    /// Waits until the pod is ready.
    pub async fn pod(&self, connection: &Connection, desk: &Desk<'_>) -> Result<Pod, Trouble> {
        let ready = async {
            loop {
                let namespaces = [self.namespace.clone()].into();
                let pod = find::pod(connection, desk, &namespaces, find::BREAKGLASS).await?;
                if let Some((pod, _)) = pod.filter(|(pod, _)| pod.ready) {
                    return Ok::<_, Trouble>(pod);
                }
                sleep(LOOK_AGAIN).await;
            }
        };
        desk.wait_for(START, ready).await.map_err(|trouble| match trouble.status {
            Status::TimedOut => Trouble::new(trouble.status, format!("{NAME} is not ready: {}", trouble.why)),
            _ => trouble,
        })
    }

    /// Gives it as many pods as it had before, also when nothing more is to be read.
    pub async fn put_back(&self) -> Result<(), Trouble> {
        let mut last = Trouble::new(Status::Failed, "it was not tried");
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(LOOK_AGAIN).await;
            }
            match self.scale_in_time(self.replicas).await {
                Scaled::Done => return Ok(()),
                Scaled::Refused(trouble) | Scaled::Unclear(trouble) => last = trouble,
            }
        }
        let why = format!("{NAME} could not be put back to {} replicas: {}", self.replicas, last.why);
        Err(Trouble::new(last.status, why))
    }

    async fn scale_in_time(&self, replicas: i32) -> Scaled {
        let patch = Patch::Merge(json!({"spec": {"replicas": replicas}}));
        match timeout(ATTEMPT, self.api.patch_scale(NAME, &PatchParams::default(), &patch)).await {
            Ok(Ok(_)) => Scaled::Done,
            Ok(Err(error)) if is_refusal(&error) => Scaled::Refused(refused(&error)),
            Ok(Err(error)) => Scaled::Unclear(refused(&error)),
            Err(_) => {
                let why = format!("no answer within {} s", ATTEMPT.as_secs());
                Scaled::Unclear(Trouble::new(Status::TimedOut, why))
            }
        }
    }
}

/// What came of the wish to change it.
pub enum Scaled {
    Done,
    /// Nothing was changed.
    Refused(Trouble),
    /// The change may have been made, or may still be.
    Unclear(Trouble),
}

fn is_refusal(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if (400..500).contains(&status.code))
}

fn replicas_of(scale: Scale) -> i32 {
    scale.spec.and_then(|spec| spec.replicas).unwrap_or_default()
}
