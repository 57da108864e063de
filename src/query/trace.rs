//! `queries/trace/`: the evidence for a trace.

use super::row::row;
use super::{Query, query};
use crate::schema::Time;

row! {
    /// One thing that the evidence says about one hop.
    Fact {
        resource_id: String,
        hop: i64,
        /// What happened, within the hop.
        step: String,
        /// `passed`, `failed`, `tried` (an attempt, whatever came of it) or `skipped`.
        sign: String,
        /// `create`, `update` or `delete`, where it tells.
        request: Option<String>,
        /// The version it is about, where it tells.
        version: Option<i64>,
        /// Row of `events` or `status_events`.
        event_id: Option<String>,
        /// The CloudEvent's id; of a status its sequence id, which is printed at any verbosity.
        cloud_event_id: Option<String>,
        op_id: Option<String>,
        at: Option<Time>,
        /// Pod, `database` or cluster.
        place: Option<String>,
        /// `table:row`.
        evidence: String,
        /// Error text or other detail.
        about: Option<String>,
    }
}

row! {
    /// Who a work is, according to one source.
    WorkRow {
        resource_id: String,
        rank: i64,
        work_name: Option<String>,
        consumer: Option<String>,
        source: Option<String>,
        op_id: Option<String>,
        version: Option<i64>,
        created_at: Option<Time>,
        updated_at: Option<Time>,
        deleted_at: Option<Time>,
        spec_event_id: Option<String>,
        spec_at: Option<Time>,
        status_version: Option<i64>,
        /// The row was handed over with its status, be that null.
        has_status_column: bool,
        /// Some manifest of it is applied server side.
        server_side: Option<bool>,
        evidence: String,
    }
}

row! {
    /// One log and what it covers.
    Log {
        component: String,
        pod: String,
        cluster: Option<String>,
        first_at: Option<Time>,
        last_at: Option<Time>,
        previous: bool,
        verbosity: i64,
        /// Why silence in it means nothing.
        blind: Option<String>,
        /// It is complete up to then; without it, up to when the evidence was taken.
        until: Option<Time>,
        /// Its agent applied something server side.
        server_side: bool,
        consumer: Option<String>,
        shutdown_at: Option<Time>,
        evidence: String,
    }
}

row! {
    /// A replica, beside a work.
    Instance {
        resource_id: String,
        id: String,
        created_at: Option<Time>,
        last_heartbeat: Option<Time>,
        /// It belongs to another installation than the work.
        elsewhere: Option<bool>,
    }
}

row! {
    CollectedTable {
        table_name: String,
        cluster: Option<String>,
    }
}

row! {
    /// A list of Kubernetes objects, by the file that it is.
    WholeList {
        cluster: Option<String>,
        target: String,
    }
}

row! {
    KnownConsumer {
        id: String,
        name: String,
    }
}

row! {
    /// A log line, word for word.
    QuotedLine {
        at: Option<Time>,
        place: Option<String>,
        text: String,
    }
}

row! {
    /// An object to look for: by its name, or by its uid where it has no kind.
    WantedObject {
        key: String,
        kind: Option<String>,
        namespace: Option<String>,
    }
}

row! {
    /// What a work asks for; lists are JSON.
    SpecRow {
        /// `row` or `status_delete`.
        source: String,
        work_name: Option<String>,
        version: Option<i64>,
        manifests: Option<String>,
        manifest_configs: Option<String>,
        delete_option: Option<String>,
        evidence: String,
    }
}

row! {
    /// What an agent reported on the manifests of a work.
    ManifestStatusRow {
        version: Option<i64>,
        manifests: Option<String>,
        evidence: String,
    }
}

row! {
    /// A CloudEvent that a log line prints whole.
    PrintedEvent {
        is_spec: bool,
        at: Option<Time>,
        version: Option<i64>,
        manifests: Option<String>,
        manifest_configs: Option<String>,
        delete_option: Option<String>,
        statuses: Option<String>,
        evidence: String,
    }
}

row! {
    /// An AppliedManifestWork and what it lists, as JSON.
    AppliedList {
        cluster: Option<String>,
        name: String,
        hub_hash: Option<String>,
        created_at: Option<Time>,
        deleted_at: Option<Time>,
        eviction_started_at: Option<Time>,
        applied_resources: Option<String>,
        evidence: String,
    }
}

row! {
    /// An object of a cluster.
    ObjectRow {
        cluster: Option<String>,
        api_version: Option<String>,
        kind: String,
        namespace: Option<String>,
        name: String,
        uid: Option<String>,
        created_at: Option<Time>,
        deleted_at: Option<Time>,
        /// A JSON list.
        finalizers: Option<String>,
        /// The names of the AppliedManifestWorks that own it, with spaces between them.
        applied_works: Option<String>,
        /// The whole object, as JSON.
        object: String,
        evidence: String,
    }
}

row! {
    /// An object that an agent's log names.
    AgentObject {
        group: Option<String>,
        resource: Option<String>,
        namespace: Option<String>,
        name: String,
        evidence: String,
    }
}

row! {
    /// A line that names no work.
    GlobalLine {
        component: String,
        pod: String,
        at: Option<Time>,
        message: String,
        /// The client's source id.
        source: Option<String>,
        consumer: Option<String>,
        evidence: String,
    }
}

/// What servers and clients say, one statement a hop: 1 and 2, 6 to 9.
pub static OF_SERVERS: [Query; 6] = [
    query!("trace/received" => Fact),
    query!("trace/published" => Fact),
    query!("trace/status_received" => Fact),
    query!("trace/status_handled" => Fact),
    query!("trace/broadcast" => Fact),
    query!("trace/sent" => Fact),
];
/// What agents say, one statement a hop: 3 to 5; and what the clusters hold.
pub static OF_AGENTS: [Query; 4] = [
    query!("trace/delivered" => Fact),
    query!("trace/applied" => Fact),
    query!("trace/in_cluster" => Fact),
    query!("trace/reported" => Fact),
];
pub static WORK: Query = query!("trace/work" => WorkRow);
pub static LOGS: Query = query!("trace/logs" => Log);
pub static INSTANCES: Query = query!("trace/instances" => Instance);
pub static COLLECTED: Query = query!("trace/collected" => CollectedTable);
pub static WHOLE_LISTS: Query = query!("trace/whole_lists" => WholeList);
pub static CONSUMERS: Query = query!("trace/consumers" => KnownConsumer);
pub static QUOTE: Query = query!("trace/quote" => QuotedLine);
pub static LINES: Query = query!("trace/lines" => GlobalLine);
pub static SPEC: Query = query!("trace/spec" => SpecRow);
pub static MANIFEST_STATUS: Query = query!("trace/manifest_status" => ManifestStatusRow);
pub static PRINTED_EVENTS: Query = query!("trace/printed_events" => PrintedEvent);
pub static APPLIED_LISTS: Query = query!("trace/applied_lists" => AppliedList);
pub static INNER_APPLIED_LISTS: Query = query!("trace/inner_applied_lists" => AppliedList);
pub static OBJECTS: Query = query!("trace/objects" => ObjectRow);
pub static AGENT_OBJECTS: Query = query!("trace/agent_objects" => AgentObject);
pub static WANTED_OBJECTS: Query = query!("trace/wanted_objects" => WantedObject);

/// Every statement of the folder.
pub static QUERIES: &[&Query] = &[
    &OF_SERVERS[0],
    &OF_SERVERS[1],
    &OF_SERVERS[2],
    &OF_SERVERS[3],
    &OF_SERVERS[4],
    &OF_SERVERS[5],
    &OF_AGENTS[0],
    &OF_AGENTS[1],
    &OF_AGENTS[2],
    &OF_AGENTS[3],
    &WORK,
    &LOGS,
    &INSTANCES,
    &COLLECTED,
    &WHOLE_LISTS,
    &CONSUMERS,
    &QUOTE,
    &LINES,
    &SPEC,
    &MANIFEST_STATUS,
    &PRINTED_EVENTS,
    &APPLIED_LISTS,
    &INNER_APPLIED_LISTS,
    &OBJECTS,
    &AGENT_OBJECTS,
    &WANTED_OBJECTS,
];
