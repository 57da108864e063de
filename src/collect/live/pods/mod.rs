//! Maestro's database through a pod of the service cluster: psql runs there and is told on its standard input what to
//! read.

mod breakglass;
mod exec;
mod find;
mod output;
mod script;

use super::desk::Desk;
use super::kube::{Connection, DEPLOYMENTS, PODS, Pod, unreached};
use super::postgres::facts::{self, Server};
use super::source::Source;
use super::trouble::Trouble;
use super::wanted::{Limits, Wanted, Window};
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use crate::model::Right;
use crate::schema::Time;
use breakglass::{Breakglass, Scaled};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use output::{Output, step};
use script::Script;
use std::cell::OnceCell;
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
    /// The namespaces whose rights were looked at.
    found: OnceCell<BTreeSet<String>>,
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
            found: OnceCell::new(),
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
        if let Some((pod, others)) = find::pod(&self.connection, desk, &namespaces, find::DATABASE).await? {
            self.ask(desk, &script, &Way { pod, shell: IN_DATABASE, remarks: others.into_iter().collect() }).await;
            return Ok(());
        }
        let pod = find::pod(&self.connection, desk, &namespaces, find::BREAKGLASS).await?;
        let deployment = match &pod {
            Some(_) => None,
            None => match Breakglass::find(&self.connection, desk, namespaces.iter()).await {
                // Who may not look for it has no way to the database, and lacks no right to one that is there.
                Err(trouble) if trouble.status == Status::Denied => {
                    let unseen = format!("whether {} is at rest could not be seen: {}", breakglass::NAME, trouble.why);
                    let Trouble { status, why } = not_there(&namespaces);
                    return Err(Trouble::new(status, format!("{why}; {unseen}")));
                }
                found => found?,
            },
        };
        match (pod, deployment) {
            (Some((pod, others)), _) => {
                let remarks = std::iter::once(self.confirm_statements(desk, &script).await?).chain(others).collect();
                self.ask(desk, &script, &Way { pod, shell: IN_BREAKGLASS, remarks }).await;
                Ok(())
            }
            (None, Some(deployment)) if deployment.replicas > 0 => {
                // Somebody has started it already: it is theirs to put back.
                let remarks = vec![self.confirm_statements(desk, &script).await?];
                self.ask_when_ready(desk, &script, &deployment, remarks).await
            }
            (None, Some(deployment)) => self.start_and_ask(desk, &script, &deployment).await,
            (None, None) => Err(not_there(&namespaces)),
        }
    }

    /// Asks through a deployment that is at rest, if a person wants it to.
    async fn start_and_ask(&self, desk: &Desk<'_>, script: &Script, deployment: &Breakglass) -> Result<()> {
        let command = deployment.command();
        if !self.scale_breakglass {
            let why = format!(
                "{} is not running; start it with `{command}`, or let dacapo do it with --scale-breakglass",
                breakglass::NAME
            );
            return Err(Trouble::new(Status::NotFound, why));
        }
        let confirmed = self.confirm_statements(desk, script).await?;
        let notice = format!(
            "{} is not running. This starts it, and puts it back afterwards:\n\n  {command}\n",
            breakglass::NAME
        );
        self.confirm(desk, &notice, "Start it now?").await?;
        let _until_it_is_put_back = desk.hold();
        let before = deployment.replicas;
        let remarks = vec![confirmed, format!("{} was scaled from {before} to 1 replicas", breakglass::NAME)];
        desk.goes_on()?;
        let asked = match deployment.start().await {
            Scaled::Done => self.ask_when_ready(desk, script, deployment, remarks).await,
            Scaled::Refused(trouble) => return Err(trouble),
            Scaled::Unclear(trouble) => {
                let why = format!("{} was not seen to start: {}", breakglass::NAME, trouble.why);
                desk.tells(&format!("{why}; watching it for a while, because it may start all the same"));
                if !deployment.may_be_changed().await {
                    return Err(trouble);
                }
                Err(trouble)
            }
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

    async fn ask_when_ready(
        &self,
        desk: &Desk<'_>,
        script: &Script,
        deployment: &Breakglass,
        remarks: Vec<String>,
    ) -> Result<()> {
        let pod = deployment.pod(&self.connection, desk).await?;
        self.ask(desk, script, &Way { pod, shell: IN_BREAKGLASS, remarks }).await;
        Ok(())
    }

    /// A person must have seen what runs in a critical environment. Gives back who said yes.
    async fn confirm_statements(&self, desk: &Desk<'_>, script: &Script) -> Result<String> {
        let notice = format!(
            "CRITICAL ENVIRONMENT: {} of {}\n\nThese statements run there, in one transaction that only reads:\n\n{}\n",
            breakglass::NAME,
            self.connection.name,
            script.statements()
        );
        self.confirm(desk, &notice, "Execute them?").await
    }

    async fn confirm(&self, desk: &Desk<'_>, notice: &str, question: &str) -> Result<String> {
        if self.yes {
            desk.tells(notice);
            return Ok("confirmed beforehand with --yes".to_owned());
        }
        if desk.confirms(notice, question).await {
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

/// A role for each namespace; where none is known, for the one that Maestro's chart makes.
fn roles(namespaces: BTreeSet<&str>) -> String {
    let role = include_str!("role.yaml");
    let of = |namespace: &&str| role.replace("namespace: maestro\n", &format!("namespace: {namespace}\n"));
    let roles: Vec<String> = namespaces.iter().map(of).collect();
    if roles.is_empty() { role.to_owned() } else { roles.join("---\n") }
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
        if self.namespaces.is_empty() {
            requests.insert(0, "GET pods with the labels of Maestro in all namespaces, to find its own".to_owned());
        }
        if self.scale_breakglass {
            let scale = format!("PATCH the scale of deployment {} to 1 and back, if no pod runs", breakglass::NAME);
            requests.insert(requests.len() - 1, scale);
        }
        requests.extend(Script::new(&self.limits, &self.window).statements().lines().map(str::to_owned));
        requests
    }

    fn rights<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, Vec<Right>> {
        async move {
            if let Err(trouble) = self.connection.reach(desk).await {
                return vec![unreached(&trouble)];
            }
            let namespaces = match find::namespaces(&self.connection, desk, &self.namespaces).await {
                Ok(namespaces) => namespaces,
                Err(trouble) => {
                    let what = "find the namespaces of Maestro".to_owned();
                    return vec![Right { what, granted: None, why: Some(trouble.to_string()) }];
                }
            };
            let namespaces = self.found.get_or_init(|| namespaces);
            let mut rights = Vec::new();
            let mut needed = vec![("get", PODS, "exec"), ("create", PODS, "exec")];
            if self.scale_breakglass {
                needed.extend([("get", DEPLOYMENTS, "scale"), ("patch", DEPLOYMENTS, "scale")]);
            }
            for namespace in namespaces {
                for (verb, resource, part) in &needed {
                    rights.push(self.connection.may(desk, verb, (resource, part), namespace).await);
                }
            }
            rights
        }
        .boxed_local()
    }

    fn grants(&self) -> String {
        let named = self.namespaces.iter().map(String::as_str);
        let found = self.found.get().into_iter().flatten().map(String::as_str);
        roles(named.chain(found).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_for_the_namespaces_that_are_looked_in() {
        assert!(roles(BTreeSet::new()).contains("  namespace: maestro\n"));
        let roles = roles(["fleet", "fleet-db"].into());
        assert_eq!(roles.matches("  namespace: fleet\n").count(), 2);
        assert_eq!(roles.matches("  namespace: fleet-db\n").count(), 2);
        assert!(!roles.contains("namespace: maestro"));
    }
}
