//! The breakglass deployment: usually at rest, started only with a person's word, and put back to what it was.

use crate::collect::live::desk::Desk;
use crate::collect::live::kube::{Connection, Pod, refused};
use crate::collect::live::pods::find;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use k8s_openapi::api::apps::v1::Deployment;
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

/// A deployment, and how many pods it is to have.
pub struct Breakglass {
    api: Api<Deployment>,
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
                    let replicas = scale.spec.and_then(|spec| spec.replicas).unwrap_or_default();
                    return Ok(Some(Self { api, namespace: namespace.clone(), replicas }));
                }
                Err(trouble) if trouble.status == Status::NotFound => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(None)
    }

    /// What a person runs to start it.
    pub fn command(&self) -> String {
        format!("kubectl -n {} scale deployment {NAME} --replicas 1", self.namespace)
    }

    /// Asks for one pod. Ctrl-C does not end the waiting: a request that nobody waits for any more could arrive after
    /// the one that puts it back.
    pub async fn start(&self) -> Result<(), Trouble> {
        self.scale_in_time(1).await
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
                Ok(()) => return Ok(()),
                Err(trouble) => last = trouble,
            }
        }
        let why = format!("{NAME} could not be put back to {} replicas: {}", self.replicas, last.why);
        Err(Trouble::new(last.status, why))
    }

    async fn scale_in_time(&self, replicas: i32) -> Result<(), Trouble> {
        let patch = Patch::Merge(json!({"spec": {"replicas": replicas}}));
        match timeout(ATTEMPT, self.api.patch_scale(NAME, &PatchParams::default(), &patch)).await {
            Ok(answer) => answer.map(drop).map_err(|error| refused(&error)),
            Err(_) => Err(Trouble::new(Status::TimedOut, format!("no answer within {} s", ATTEMPT.as_secs()))),
        }
    }
}
