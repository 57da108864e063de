//! Asks an API server: again where that may help, a few requests at a time, and never longer than anybody wants.

use super::super::desk::Desk;
use super::super::trouble::Trouble;
use super::super::wanted::Role;
use super::access::Access;
use super::failure::{UNFIT_TOKEN, auth_error, refused};
use super::refusal::Refusal;
use crate::bundle::quietly;
use crate::collect::outcome::Status;
use crate::schema::Time;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, DATE};
use http::{Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use std::cell::Cell;
use std::time::Duration;
use tokio::sync::{OnceCell, Semaphore};

pub const JSON: &str = "application/json";

/// How often one request is sent, and the first pause; each that follows is twice as long.
const ATTEMPTS: u32 = 4;
const PAUSE: Duration = Duration::from_millis(300);

/// A server that is busy may ask for patience, but not for more than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// `Date` has whole seconds; what is less than this is nothing.
const PRECISION: i64 = 2_000_000;

/// A longer answer is not taken: all of it is in memory.
const ANSWER: usize = 256 << 20;

/// What an error says is read up to here.
const REASON: usize = 64 << 10;

/// One cluster, and the way to it.
pub struct Connection {
    /// What the bundle calls the cluster.
    pub name: String,
    pub role: Role,
    access: Result<Access, Trouble>,
    client: OnceCell<Client>,
    permits: Semaphore,
    clock_seen: Cell<bool>,
}

impl Connection {
    pub fn new(name: String, role: Role, access: Result<Access, Trouble>, parallel: usize) -> Self {
        let (client, permits) = (OnceCell::new(), Semaphore::new(parallel.max(1)));
        Self { name, role, access, client, permits, clock_seen: Cell::new(false) }
    }

    /// The client, made on first use: a plugin may have to be asked for a token.
    pub async fn client(&self, desk: &Desk<'_>) -> Result<&Client, Trouble> {
        self.client.get_or_try_init(|| desk.wait(self.connect())).await
    }

    async fn connect(&self) -> Result<Client, Trouble> {
        let access = self.access.as_ref().map_err(Clone::clone)?;
        let config = access.config().await?;
        // A plugin is waited for, and may wait for a person itself. A token that no request can carry makes the client panic.
        let made = tokio::task::spawn_blocking(move || quietly(|| Client::try_from(config))).await;
        let made = made.map_err(|error| Trouble::of(Status::Failed, &error))?;
        let of_plugin = |why: &str| access.plugin().map_or_else(|| why.to_owned(), |plugin| format!("{plugin}: {why}"));
        let made = made.ok_or_else(|| Trouble::new(Status::Failed, of_plugin(UNFIT_TOKEN)))?;
        made.map_err(|error| {
            let Trouble { status, why } = refused(&error);
            Trouble::new(status, if auth_error(&error).is_some() { of_plugin(&why) } else { why })
        })
    }

    /// Does anybody answer at all? Whoever cannot be reached is not asked again for every list and every right.
    pub async fn reach(&self, desk: &Desk<'_>) -> Result<(), Trouble> {
        match self.get(desk, "/version", JSON).await {
            Err(refusal) if refusal.code.is_none() => Err(refusal.trouble),
            _ => Ok(()),
        }
    }

    /// The whole answer to a GET.
    pub async fn get(&self, desk: &Desk<'_>, path: &str, accept: &str) -> Result<Bytes, Refusal> {
        let _permit = self.permits.acquire().await.map_err(closed)?;
        self.again(desk, async || {
            let response = self.send(desk, get(path, accept)?).await?;
            limited(desk, response.into_body(), ANSWER).await
        })
        .await
    }

    /// The answer to a question that has to be posted. It changes nothing; that is for the caller to know.
    pub async fn ask(&self, desk: &Desk<'_>, path: &str, question: &[u8]) -> Result<Bytes, Refusal> {
        let _permit = self.permits.acquire().await.map_err(closed)?;
        self.again(desk, async || {
            let request = Request::post(path).header(ACCEPT, JSON).header(CONTENT_TYPE, JSON);
            let request = request.body(Body::from(question.to_vec())).map_err(unfit)?;
            let response = self.send(desk, request).await?;
            limited(desk, response.into_body(), ANSWER).await
        })
        .await
    }

    /// A GET whose answer may be long: each piece is handed on as it comes, until the taker wants no more.
    pub async fn stream(
        &self,
        desk: &Desk<'_>,
        path: &str,
        mut take: impl FnMut(&[u8]) -> Result<Wants, Trouble>,
    ) -> Result<(), Refusal> {
        let _permit = self.permits.acquire().await.map_err(closed)?;
        let response = self.again(desk, async || self.send(desk, get(path, "*/*")?).await).await?;
        let mut body = response.into_body();
        while let Some(piece) = next(desk, &mut body).await? {
            if take(&piece)? == Wants::NoMore {
                break;
            }
        }
        Ok(())
    }

    /// Repeats what may succeed the next time.
    async fn again<T>(
        &self,
        desk: &Desk<'_>,
        mut attempt: impl AsyncFnMut() -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match attempt().await {
                Err(refusal) if refusal.passes => {
                    let rest = refusal.after.unwrap_or(pause).min(PATIENCE);
                    desk.wait_for(rest * 2, async {
                        tokio::time::sleep(rest).await;
                        Ok::<(), Trouble>(())
                    })
                    .await?;
                    pause *= 2;
                }
                end => return end,
            }
        }
        attempt().await
    }

    /// One request; an answer that is none is a refusal.
    async fn send(&self, desk: &Desk<'_>, request: Request<Body>) -> Result<Response<Body>, Refusal> {
        let client = self.client(desk).await?;
        let answer = desk.wait(async { Ok::<_, Trouble>(client.send(request).await) }).await?;
        let response = answer.map_err(|error| self.unreachable(&error))?;
        if response.status().is_success() {
            self.look_at_clock(desk, &response);
            return Ok(response);
        }
        let (head, body) = response.into_parts();
        let said = whole(desk, body, REASON).await.unwrap_or_default();
        Err(Refusal::answered(&head, &said))
    }

    /// Who did not answer: a context's name does not tell where it leads.
    fn unreachable(&self, error: &kube::Error) -> Refusal {
        let mut refusal = Refusal::unreachable(error);
        let host = self.access.as_ref().ok().and_then(Access::host);
        if let Some(host) = host.filter(|_| auth_error(error).is_none()) {
            refusal.trouble.why = format!("{host}: {}", refusal.trouble.why);
        }
        refusal
    }

    /// `kubectl` as a person runs it for this cluster.
    pub fn kubectl(&self) -> String {
        self.access.as_ref().map_or_else(|_| "kubectl".to_owned(), Access::kubectl)
    }

    /// The first answer tells what time it is there. A refusal may come from somebody on the way.
    fn look_at_clock(&self, desk: &Desk<'_>, response: &Response<Body>) {
        if self.clock_seen.replace(true) {
            return;
        }
        let there = response.headers().get(DATE).and_then(|date| date.to_str().ok()).and_then(Time::of_http);
        if let Some(ahead) = there.map(|there| there.since(desk.now())).filter(|ahead| ahead.abs() >= PRECISION) {
            desk.saw_clock(&self.name, ahead);
        }
    }
}

/// Whether a taker wants to hear more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    More,
    NoMore,
}

fn get(path: &str, accept: &str) -> Result<Request<Body>, Refusal> {
    let request = Request::get(path).header(ACCEPT, accept);
    request.body(Body::empty()).map_err(unfit)
}

/// An answer that is of no use unless it is whole.
async fn limited(desk: &Desk<'_>, body: Body, most: usize) -> Result<Bytes, Refusal> {
    let whole = whole(desk, body, most).await?;
    if whole.len() > most { Err(Refusal::too_long(most)) } else { Ok(whole) }
}

/// An answer, or somewhat more than the most that is wanted of it.
async fn whole(desk: &Desk<'_>, mut body: Body, most: usize) -> Result<Bytes, Refusal> {
    let mut whole = Vec::new();
    while let Some(piece) = next(desk, &mut body).await? {
        whole.extend_from_slice(&piece);
        if whole.len() > most {
            break;
        }
    }
    Ok(whole.into())
}

/// The next piece of an answer: it is waited for as long as for an answer.
async fn next(desk: &Desk<'_>, body: &mut Body) -> Result<Option<Bytes>, Refusal> {
    loop {
        let frame = desk.wait(async { Ok::<_, Trouble>(body.frame().await) }).await?;
        match frame.transpose().map_err(|error| Refusal::unreachable(&error))? {
            None => return Ok(None),
            Some(frame) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

fn unfit(error: http::Error) -> Refusal {
    Trouble::of(Status::Failed, &error).into()
}

fn closed(error: tokio::sync::AcquireError) -> Refusal {
    Trouble::of(Status::Failed, &error).into()
}

#[cfg(test)]
mod tests {
    use super::super::super::desk::tests::at_desk;
    use super::super::super::wanted::Cluster;
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    /// A way to nowhere, with a command that gives credentials.
    fn with_plugin(script: &str) -> Connection {
        let folder = tempfile::tempdir().unwrap();
        let exec = json!({
            "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh", "interactiveMode": "Never",
            "args": ["-c", script, "argument-word"], "env": [{"name": "SECRET", "value": "variable-word"}],
        });
        let config = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "mgmt",
            "contexts": [{"name": "mgmt", "context": {"cluster": "mgmt", "user": "u"}}],
            "clusters": [{"name": "mgmt", "cluster": {"server": "http://127.0.0.1:1"}}],
            "users": [{"name": "u", "user": {"exec": exec}}],
        });
        let file = folder.path().join("config");
        std::fs::write(&file, config.to_string()).unwrap();
        let cluster = Cluster { role: Role::Management, context: None, kubeconfig: Some(file) };
        Connection::new("mgmt".to_owned(), Role::Management, Access::find(&cluster, &BTreeMap::new()), 1)
    }

    #[test]
    fn an_answer_that_is_too_long_is_not_taken() {
        at_desk(async |desk| {
            let body = || Body::from(vec![b' '; 100]);
            assert_eq!(limited(desk, body(), 100).await.unwrap().len(), 100);
            let refusal = limited(desk, body(), 99).await.unwrap_err();
            assert!(refusal.too_long && !refusal.passes);
            assert!(refusal.trouble.why.contains("more than 99 bytes"), "{refusal:?}");
        });
    }

    #[test]
    fn nothing_of_a_plugin_is_told_but_its_name_and_its_end() {
        let token =
            r#"{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token":"#;
        for (script, told) in [
            ("echo output-word; echo error-word >&2; exit 3", "sh: the credential plugin failed with exit status: 3"),
            ("echo '{output-word'", "sh: what the credential plugin wrote is no credential"),
            (&format!("echo '{token} [output-word]}}}}'"), "sh: what the credential plugin wrote is no credential"),
            (
                &format!(r#"printf '%s' '{token} "output-word\nsecond"}}}}'"#),
                "sh: the token has signs that no request can carry",
            ),
        ] {
            let connection = with_plugin(script);
            // Without a desk, whose time may be over before a command has ended.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let why = runtime.block_on(connection.connect()).err().unwrap().why;
            assert!(why.contains(told) && !why.contains("-word"), "{why}");
        }
    }
}
