//! Whether silence means anything: a line is missing only where a log would have shown it.

use super::outcome::ORDINARY_WAIT;
use super::patience::LONGEST_WAIT;
use super::scene::Scene;
use crate::query::trace::{Instance, Log};
use crate::schema::Time;

/// A replica that has not written its heartbeat for this long is dead.
const DEAD_AFTER: i64 = 60_000_000;

/// A replica writes its row before it serves, and its log before that or a little later.
const START_TAKES: i64 = 60_000_000;

/// What keeps us from calling something missing.
pub type Gap = String;

impl Scene {
    /// The logs of the agents that serve the work's consumer.
    pub fn agent_logs(&self) -> Vec<&Log> {
        let consumer = self.identity.consumer.as_deref();
        let agents = self.logs.iter().filter(|log| log.component == "agent");
        agents.filter(|log| consumer.is_some() && log.consumer.as_deref() == consumer).collect()
    }

    /// The log in which the consumer's agent says that it goes down, if none of its logs goes on after that.
    pub fn agent_down(&self) -> Option<(&Log, Time)> {
        let logs = self.agent_logs();
        let seen = logs.iter().filter(|log| log.blind.is_none());
        let down = seen.filter_map(|log| log.shutdown_at.map(|at| (*log, at))).max_by_key(|(_, at)| *at)?;
        // Another agent of the same consumer need not have had anything to say since.
        let lives = |log: &&&Log| log.shutdown_at.is_none() && !log.previous && log.pod != down.0.pod;
        let back = logs.iter().any(|log| log.shutdown_at.is_none() && log.last_at > Some(down.1) || lives(&log));
        // An export may have been cut before the agent came back.
        let tells = self.ends_early(&logs, down.1).is_none();
        (!back && tells).then_some(down)
    }

    /// Would the agent's log show a line of this verbosity from then until now?
    pub fn agent_would_show(&self, from: Option<Time>, verbosity: i64) -> Result<(), Gap> {
        let consumer = self.identity.consumer.as_deref().unwrap_or("its consumer");
        let logs = self.agent_logs();
        if logs.is_empty() {
            return Err(format!("there is no log of an agent of {consumer}"));
        }
        self.would_show(&format!("the agent of {consumer}"), &logs, from, verbosity)
    }

    /// Would the servers' logs show a line from then until now, whichever replica wrote it?
    pub fn servers_would_show(&self, from: Option<Time>) -> Result<(), Gap> {
        let logs: Vec<&Log> = self.logs.iter().filter(|log| log.component == "server").collect();
        if logs.is_empty() {
            return Err("there is no log of a server".to_owned());
        }
        if !self.servers_know_it() {
            return Err("nothing from the servers in the material knows this work".to_owned());
        }
        if !self.has("server_instances") {
            return Err("nothing tells which replicas there were".to_owned());
        }
        let alive = self.instances.iter().filter(|instance| self.was_alive(instance, from));
        if let Some(instance) = alive.into_iter().find(|instance| !logs.iter().any(|log| is_of(log, &instance.id))) {
            return Err(format!("the log of replica {} is not there", pod_of(&instance.id)));
        }
        let mut pods: Vec<&str> = logs.iter().map(|log| log.pod.as_str()).collect();
        pods.dedup();
        for pod in pods {
            let own: Vec<&Log> = logs.iter().filter(|log| log.pod == pod).copied().collect();
            let started =
                self.instances.iter().find(|instance| is_of_pod(pod, &instance.id)).and_then(|found| found.created_at);
            // A replica that was started later had nothing to show before.
            let from = from
                .max(started.filter(|started| Some(*started) > from).map(|started| started.plus_micros(START_TAKES)));
            self.would_show(&format!("replica {pod}"), &own, from, 0)?;
        }
        Ok(())
    }

    /// Was this replica there to do something at that time? One that said it shuts down was not.
    pub fn was_alive(&self, instance: &Instance, at: Option<Time>) -> bool {
        let at = at.unwrap_or(self.now);
        let own = self.logs.iter().filter(|log| is_of(log, &instance.id) && !log.previous);
        let gone = own.filter_map(|log| log.shutdown_at).any(|down| down <= at);
        let started = instance.created_at.is_none_or(|created| created <= at);
        let beats = instance.last_heartbeat.is_none_or(|beat| at.since(beat) < DEAD_AFTER);
        started && beats && !gone
    }

    /// A replica without a log may have shut down before, unless its heartbeat goes on.
    pub fn surely_alive(&self, pod: &str, at: Option<Time>) -> bool {
        let has_log = self.logs.iter().any(|log| log.component == "server" && log.pod == pod);
        let instance = self.instances.iter().find(|instance| pod_of(&instance.id) == pod);
        has_log || instance.is_some_and(|instance| instance.last_heartbeat >= at)
    }

    /// The replicas that were there at that time: those the database knows, or those whose logs are there.
    pub fn replicas_at(&self, at: Option<Time>) -> Vec<String> {
        if self.has("server_instances") {
            let alive = self.instances.iter().filter(|instance| self.was_alive(instance, at));
            return alive.map(|instance| pod_of(&instance.id).to_owned()).collect();
        }
        let servers = self.logs.iter().filter(|log| log.component == "server" && !log.previous);
        let there = servers.filter(|log| log.first_at <= at && log.shutdown_at.is_none_or(|down| Some(down) > at));
        there.map(|log| log.pod.clone()).collect()
    }

    /// An apply of this work can fail without a line: server-side apply does. Where the payload does not tell how it
    /// is applied, the agent's log may show that it never applies that way.
    pub fn may_fail_silently(&self) -> bool {
        let logs = self.agent_logs();
        let may = |log: &&Log| log.server_side || log.blind.is_some();
        self.identity.server_side.unwrap_or_else(|| logs.is_empty() || logs.iter().any(may))
    }

    /// The AppliedManifestWorks of the consumer's cluster are in the material: an agent's log says which cluster
    /// it is, or there are as many clusters as consumers.
    pub fn looked_into_its_cluster(&self) -> bool {
        let applied = self.collected.iter().filter(|table| table.table_name == "applied_manifest_works");
        let clusters: Vec<_> = applied.map(|table| &table.cluster).collect();
        let known = self.agent_logs().iter().any(|log| clusters.contains(&&log.cluster));
        // A list without a cluster's name may be of one that has a name elsewhere.
        let count = clusters.iter().filter(|cluster| cluster.is_some()).count().max(clusters.len().min(1));
        known || !self.consumers.is_empty() && count >= self.consumers.len()
    }

    /// From its first line a log covers all until the evidence was taken, for it was taken with the rest. The log of
    /// an ended container alone does not.
    fn would_show(&self, whose: &str, logs: &[&Log], from: Option<Time>, verbosity: i64) -> Result<(), Gap> {
        let from = from.unwrap_or(self.now);
        let seeing: Vec<&Log> = logs.iter().filter(|log| log.blind.is_none()).copied().collect();
        if let (true, Some(blind)) = (seeing.is_empty(), logs.iter().find_map(|log| log.blind.as_deref())) {
            return Err(format!("silence in the log of {whose} means nothing: {blind}"));
        }
        let logs = seeing.as_slice();
        let first = logs.iter().filter_map(|log| log.first_at).min();
        if first.is_none_or(|first| first > from) {
            let start = first.map_or_else(|| "is empty".to_owned(), |first| format!("starts at {}", first.clock()));
            return Err(format!("the log of {whose} {start}, after {}", from.clock()));
        }
        if logs.iter().all(|log| log.previous) {
            return Err(format!("of {whose} there is only the log before its last restart"));
        }
        if let Some(until) = self.ends_early(logs, from) {
            return Err(format!(
                "the export of the log of {whose} ends at {}, before the evidence does",
                until.clock()
            ));
        }
        if logs.iter().filter(|log| !log.previous).all(|log| log.verbosity < verbosity) {
            return Err(format!("the log of {whose} is not written at -v={verbosity}, which such lines need"));
        }
        Ok(())
    }
}

impl Scene {
    /// The end of what these logs cover, where that is too soon to call anything missing: before the rest of the
    /// evidence ends, and before anything must have happened.
    fn ends_early(&self, logs: &[&Log], from: Time) -> Option<Time> {
        let ends = logs.iter().filter(|log| !log.previous).map(|log| log.until);
        let until = ends.map(|until| until.unwrap_or(self.now)).max()?;
        let near_the_end = self.now.since(until) <= ORDINARY_WAIT;
        (!near_the_end && until.since(from) < LONGEST_WAIT).then_some(until)
    }
}

pub fn is_of(log: &Log, instance: &str) -> bool {
    log.component == "server" && is_of_pod(&log.pod, instance)
}

fn is_of_pod(pod: &str, instance: &str) -> bool {
    instance == pod || pod_of(instance) == pod
}

/// A server's instance id is `maestro-` and its pod's name.
pub fn pod_of(instance: &str) -> &str {
    instance.strip_prefix("maestro-").filter(|pod| pod.starts_with("maestro-")).unwrap_or(instance)
}
