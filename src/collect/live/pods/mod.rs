//! Maestro's database through a pod of the service cluster: psql runs there and is told on its standard input what to
//! read.

mod breakglass;
mod exec;
mod find;
mod output;
mod script;

use super::desk::Desk;
use super::kube::{Connection, DEPLOYMENTS, PODS, Pod};
use super::postgres::facts::{self, Server};
use super::source::Source;
use super::trouble::Trouble;
use super::wanted::{Limits, Wanted, Window};
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use crate::model::Right;
use crate::schema::Time;
use breakglass::Breakglass;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use output::{Output, step};
use script::Script;
use std::collections::BTreeSet;
use std::rc::Rc;

type Result<T> = std::result::Result<T, Trouble>;

/// Runs psql as the pod's own variables say, or as Maestro's chart sets it up. What psql itself knows comes first.
const IN_DATABASE: &str = r#"
: "${PGUSER:=${POSTGRESQL_USER:-${POSTGRES_USER:-maestro}}}"
: "${PGDATABASE:=${POSTGRESQL_DATABASE:-${POSTGRES_DB:-maestro}}}"
: "${PGPASSWORD:=${POSTGRESQL_PASSWORD:-${POSTGRES_PASSWORD:-}}}"
export PGUSER PGDATABASE PGPASSWORD PGAPPNAME=dacapo PGCLIENTENCODING=UTF8
exec psql -X -q -f -"#;

/// Sources the script that knows the credentials. It ends in psql itself, or leaves that to us.
const IN_BREAKGLASS: &str = r#"
export PGAPPNAME=dacapo PGCLIENTENCODING=UTF8 PSQLRC=/dev/null
for script in /breakglass/connect.sh /breakglass/connect "$(command -v connect)"; do
  if [ -f "$script" ]; then . "$script"; break; fi
done
exec psql -X -q -f -"#;

/// A database that a cluster's pods lead to.
pub struct DatabaseInPods {
    name: String,
    connection: Rc<Connection>,
    namespaces: Vec<String>,
    limits: Limits,
    window: Window,
    /// The user has said yes beforehand.
    yes: bool,
    scale_breakglass: bool,
}

/// A pod, and how to run psql in it.
struct Way {
    pod: Pod,
    shell: &'static str,
    remarks: Vec<String>,
}

impl DatabaseInPods {
    pub fn new(connection: Rc<Connection>, wanted: &Wanted) -> Self {
        Self {
            name: format!("{}/db", connection.name),
            connection,
            namespaces: wanted.namespaces.clone(),
            limits: wanted.limits.clone(),
            window: wanted.window.clone(),
            yes: wanted.yes,
            scale_breakglass: wanted.scale_breakglass,
        }
    }

    fn said(&self) -> Said {
        Said { cluster: Some(self.connection.name.clone()), ..Said::default() }
    }

    fn missed(&self, desk: &Desk<'_>, name: &str, trouble: Trouble) {
        desk.missed(&self.connection.name, &step(name), self.said(), trouble);
    }

    fn told(&self, desk: &Desk<'_>, name: &str, remarks: Vec<String>) {
        desk.told(&self.connection.name, &step(name), self.said(), remarks);
    }

    async fn read(&self, desk: &Desk<'_>) -> Result<()> {
        let namespaces = find::namespaces(&self.connection, desk, &self.namespaces).await?;
        let script = Script::new(&self.limits, &self.window);
        if let Some(pod) = find::pod(&self.connection, desk, &namespaces, find::DATABASE).await? {
            self.ask(desk, &script, &Way { pod, shell: IN_DATABASE, remarks: Vec::new() }).await;
            return Ok(());
        }
        let pod = find::pod(&self.connection, desk, &namespaces, find::BREAKGLASS).await?;
        let deployment = match &pod {
            Some(_) => None,
            None => Breakglass::find(&self.connection, desk, namespaces.iter()).await?,
        };
        match (pod, deployment) {
            (Some(pod), _) => {
                let remarks = vec![self.confirm_statements(desk, &script)?];
                self.ask(desk, &script, &Way { pod, shell: IN_BREAKGLASS, remarks }).await;
                Ok(())
            }
            (None, Some(deployment)) => self.start_and_ask(desk, &script, &deployment).await,
            (None, None) => Err(not_there(&namespaces)),
        }
    }

    /// Asks through a deployment that is not running, if a person wants it to.
    async fn start_and_ask(&self, desk: &Desk<'_>, script: &Script, deployment: &Breakglass) -> Result<()> {
        let command = deployment.command();
        if !self.scale_breakglass {
            let why = format!(
                "{} is not running; start it with `{command}`, or let dacapo do it with --scale-breakglass",
                breakglass::NAME
            );
            return Err(Trouble::new(Status::NotFound, why));
        }
        let confirmed = self.confirm_statements(desk, script)?;
        let notice = format!(
            "{} is not running. This starts it, and puts it back afterwards:\n\n  {command}\n",
            breakglass::NAME
        );
        self.confirm(desk, &notice, "Start it now?")?;
        let before = deployment.replicas;
        let remarks = vec![confirmed, format!("{} was scaled from {before} to 1 replicas", breakglass::NAME)];
        let started = deployment.start(desk).await;
        // Who is refused has changed nothing; any other trouble may have come after the change.
        if let Err(trouble) = &started
            && matches!(trouble.status, Status::Denied | Status::NotFound)
        {
            return started;
        }
        let asked = match started {
            Ok(()) => deployment.pod(&self.connection, desk).await,
            Err(trouble) => Err(trouble),
        };
        let asked = match asked {
            Ok(pod) => {
                self.ask(desk, script, &Way { pod, shell: IN_BREAKGLASS, remarks }).await;
                Ok(())
            }
            Err(trouble) => Err(trouble),
        };
        match deployment.put_back().await {
            Ok(()) => {
                let put_back = format!("started for this collection, and put back to {before} replicas");
                self.told(desk, breakglass::NAME, vec![put_back]);
            }
            Err(trouble) => self.missed(desk, breakglass::NAME, trouble),
        }
        asked
    }

    /// A person must have seen what runs in a critical environment. Gives back who said yes.
    fn confirm_statements(&self, desk: &Desk<'_>, script: &Script) -> Result<String> {
        let notice = format!(
            "CRITICAL ENVIRONMENT: {} of {}\n\nThese statements run there, in one transaction that only reads:\n\n{}\n",
            breakglass::NAME,
            self.connection.name,
            script.statements()
        );
        self.confirm(desk, &notice, "Execute them?")
    }

    fn confirm(&self, desk: &Desk<'_>, notice: &str, question: &str) -> Result<String> {
        if self.yes {
            return Ok("confirmed beforehand with --yes".to_owned());
        }
        if desk.confirms(notice, question) {
            return Ok("confirmed by the person who collected".to_owned());
        }
        Err(Trouble::new(Status::Cancelled, "nobody said yes"))
    }

    async fn ask(&self, desk: &Desk<'_>, script: &Script, way: &Way) {
        let Way { pod, shell, remarks } = way;
        let before = desk.now();
        let mut output = Output::new(desk, &self.connection.name, self.said(), &script.mark);
        let command = ["sh", "-c", shell];
        let take = |piece: &[u8]| output.take(piece);
        let ended = exec::run(&self.connection, desk, pod, &command, &script.text, take).await;
        output.finish(ended);
        match self.tell(desk, &output, before) {
            Ok(told) => {
                let through = format!("through pod {}/{}", pod.namespace, pod.name);
                let remarks = std::iter::once(through).chain(remarks.iter().cloned()).chain(told).collect();
                self.told(desk, script::SERVER, remarks);
            }
            Err(trouble) => self.missed(desk, script::SERVER, trouble),
        }
    }

    /// What the server told about itself.
    fn tell(&self, desk: &Desk<'_>, output: &Output<'_>, before: Time) -> Result<Vec<String>> {
        let nothing = || Err(Trouble::new(Status::Failed, "psql ended before the server was asked"));
        let answer = |name: &str| output.answers.get(name).cloned().unwrap_or_else(nothing);
        let mut server = Server::of(&answer(script::SERVER)?)?;
        desk.saw_clock(&self.name, server.ahead(before, output.heard_at.unwrap_or_else(|| desk.now())));
        let activity = answer(script::ACTIVITY).map(|others| facts::of_activity(&others));
        let locks = answer(script::LOCKS).map(|locks| facts::of_locks(&locks));
        Ok([Ok(server.remarks), activity, locks].into_iter().flatten().flatten().collect())
    }
}

fn not_there(namespaces: &BTreeSet<String>) -> Trouble {
    let names: Vec<&str> = namespaces.iter().map(String::as_str).collect();
    let why = format!("no pod with {} or {} in {}", find::DATABASE, find::BREAKGLASS, names.join(", "));
    Trouble::new(Status::NotFound, why)
}

impl Source for DatabaseInPods {
    fn name(&self) -> &str {
        &self.name
    }

    fn requests(&self) -> Vec<String> {
        let places = if self.namespaces.is_empty() {
            "the namespaces of Maestro".to_owned()
        } else {
            self.namespaces.join(", ")
        };
        let mut requests = vec![
            format!("GET pods with {} or {} in {places}", find::DATABASE, find::BREAKGLASS),
            format!("GET the scale of deployment {}, if no pod runs", breakglass::NAME),
            "POST exec into that pod: psql, with these statements on its standard input".to_owned(),
        ];
        if self.scale_breakglass {
            let scale = format!("PATCH the scale of deployment {} to 1 and back, if no pod runs", breakglass::NAME);
            requests.insert(2, scale);
        }
        requests.extend(Script::new(&self.limits, &self.window).statements().lines().map(str::to_owned));
        requests
    }

    fn rights<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, Vec<Right>> {
        async move {
            let namespaces = match find::namespaces(&self.connection, desk, &self.namespaces).await {
                Ok(namespaces) => namespaces,
                Err(trouble) => {
                    let what = "find the namespaces of Maestro".to_owned();
                    return vec![Right { what, granted: None, why: Some(trouble.to_string()) }];
                }
            };
            let mut rights = Vec::new();
            let mut needed = vec![("get", PODS, "exec"), ("create", PODS, "exec")];
            if self.scale_breakglass {
                needed.extend([("get", DEPLOYMENTS, "scale"), ("patch", DEPLOYMENTS, "scale")]);
            }
            for namespace in &namespaces {
                for (verb, resource, part) in &needed {
                    rights.push(self.connection.may(desk, verb, (resource, part), namespace).await);
                }
            }
            rights
        }
        .boxed_local()
    }

    fn grants(&self) -> String {
        include_str!("role.yaml").to_owned()
    }

    fn fetch<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, ()> {
        async move {
            if let Err(trouble) = self.read(desk).await {
                self.missed(desk, script::SERVER, trouble);
            }
        }
        .boxed_local()
    }
}
