//! `queries/rules/`: what may be wrong, one rule a file; `queries/diagnose/`: what rules are written against.
//!
//! A rule answers with a row for each thing it looked at, and says of it `found`, `clear` or `unknown`. So an answer
//! without findings tells how much was looked at.

use super::row::row;
use super::{Header, Query, query, statement};
use crate::schema::Time;
use crate::store::{Bounds, Datum, Error, Result, Store};
use std::time::Duration;

row! {
    /// What a rule says of one thing.
    Looked {
        /// `found`, `clear` or `unknown`.
        answer: String,
        /// Where it is another than that of the rule.
        severity: Option<String>,
        /// Resource id.
        work: Option<String>,
        consumer: Option<String>,
        /// Pod, cluster, database.
        place: Option<String>,
        at: Option<Time>,
        /// What was found, or why it cannot be told.
        text: Option<String>,
        /// What it has in common with others: those are one finding.
        shares: Option<String>,
        /// References with spaces between them.
        evidence: Option<String>,
        /// What shows its reason, with spaces between them.
        cause: Option<String>,
    }
}

row! {
    Counted {
        answer: String,
        things: i64,
    }
}

row! {
    /// Words that no rule may answer with.
    Unexpected {
        words: String,
    }
}

row! {
    NeededTable {
        table_name: String,
        /// What is not in it was not there.
        whole: bool,
    }
}

/// Every rule, in the order in which they are listed.
pub static RULES: &[Query] = &[
    // Pipeline.
    query!("rules/request_not_received" => Looked),
    query!("rules/request_refused" => Looked),
    query!("rules/spec_event_unreconciled" => Looked),
    query!("rules/published_not_delivered" => Looked),
    query!("rules/agent_silent" => Looked),
    query!("rules/apply_failed" => Looked),
    query!("rules/not_available" => Looked),
    query!("rules/status_missing" => Looked),
    query!("rules/status_version_behind" => Looked),
    query!("rules/status_event_unhandled" => Looked),
    query!("rules/status_not_broadcast" => Looked),
    query!("rules/subscriber_absent" => Looked),
    query!("rules/delete_stuck" => Looked),
    query!("rules/undelivered_delete" => Looked),
    // What is where.
    query!("rules/resource_without_applied_work" => Looked),
    query!("rules/applied_work_without_resource" => Looked),
    query!("rules/applied_by_two_agents" => Looked),
    query!("rules/object_owned_twice" => Looked),
    query!("rules/object_missing" => Looked),
    query!("rules/manifest_not_applied" => Looked),
    query!("rules/soft_deleted_yet_alive" => Looked),
    query!("rules/recreated_object_stale_status" => Looked),
    query!("rules/consumer_unknown" => Looked),
    query!("rules/consumer_mismatch" => Looked),
    query!("rules/ambiguous_work_name" => Looked),
    query!("rules/nested_work_not_applied" => Looked),
    query!("rules/feedback_missing" => Looked),
    // Processes.
    query!("rules/broker_disconnects" => Looked),
    query!("rules/publish_errors" => Looked),
    query!("rules/subscription_errors" => Looked),
    query!("rules/listener_lost" => Looked),
    query!("rules/grpc_subscriber_errors" => Looked),
    query!("rules/database_errors" => Looked),
    query!("rules/decode_errors" => Looked),
    query!("rules/instance_stale" => Looked),
    query!("rules/restarts" => Looked),
    query!("rules/resync_storm" => Looked),
    query!("rules/hot_loop" => Looked),
    query!("rules/event_queue_lag" => Looked),
    query!("rules/clock_skew" => Looked),
    // Evidence.
    query!("rules/replica_log_missing" => Looked),
    query!("rules/log_gap" => Looked),
    query!("rules/log_window_short" => Looked),
    query!("rules/verbosity_low" => Looked),
    query!("rules/events_purged" => Looked),
    query!("rules/source_denied" => Looked),
    query!("rules/bundle_unredacted" => Looked),
];

/// Tables that rules are written against, beside those of `queries/judged/`. The first one is filled by whoever diagnoses;
/// the others are made when a statement first names them.
pub static VIEWS: &[Query] = &[
    statement!("diagnose/bundle"),
    statement!("diagnose/alike"),
    statement!("diagnose/newest"),
    statement!("diagnose/logs"),
    statement!("diagnose/expected"),
    statement!("diagnose/processes"),
    statement!("diagnose/notable"),
    statement!("diagnose/outages"),
    statement!("diagnose/troubles"),
    statement!("diagnose/troubled"),
    statement!("diagnose/served"),
    statement!("diagnose/collected_tables"),
    statement!("diagnose/looked_into"),
    statement!("diagnose/applied"),
    statement!("diagnose/held"),
    statement!("diagnose/listed"),
    statement!("diagnose/looked"),
];

pub static FOUND: Query = query!("diagnose/found" => Looked);
pub static COUNTED: Query = query!("diagnose/counted" => Counted);
static TYPED: Query = query!("diagnose/typed" => Looked);
static UNEXPECTED: Query = query!("diagnose/unexpected" => Unexpected);
pub static NEEDED: Query = query!("diagnose/needed" => NeededTable);

/// The table that a rule's answer is put into.
pub const LOOKED: &str = "looked";

/// The table that the answer of somebody's own rule is put into, as it comes.
const SAID: &str = "said";

/// Statements that are asked about every rule.
pub static QUERIES: &[&Query] = &[&FOUND, &COUNTED, &TYPED, &UNEXPECTED, &NEEDED];

/// A rule, ours or somebody's own.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub sql: String,
    pub header: Header,
    /// A stranger's statement is held to limits.
    pub limits: Option<Bounds>,
}

/// Things that a rule of somebody's own may look at: more than any that is meant well needs.
const MOST: i64 = 1_000_000;

impl Rule {
    fn new(name: &str, sql: &str, limits: Option<Bounds>) -> Self {
        let sql = sql.trim_end().trim_end_matches(';').to_owned();
        Self { name: name.to_owned(), header: Header::parse(&sql), sql, limits }
    }

    /// Somebody's own, which may take this long.
    pub fn own(name: &str, sql: &str, time: Duration) -> Self {
        Self::new(name, sql, Some(Bounds { time, rows: MOST }))
    }

    /// Those of this program.
    pub fn all() -> Vec<Self> {
        RULES.iter().map(|query| Self::new(query.short_name(), query.sql, None)).collect()
    }

    /// Runs the rule and keeps what it says in the table [`LOOKED`].
    pub fn look(&self, store: &Store) -> Result<()> {
        make(store, &self.header.views)?;
        match &self.limits {
            None => store.keep(&self.name, LOOKED, &self.sql),
            Some(bounds) => {
                store.keep_within(&self.name, SAID, &self.sql, bounds)?;
                store.keep(&self.name, LOOKED, TYPED.sql)?;
                UNEXPECTED.run::<Unexpected>(store, &[])?.into_iter().next().map_or(Ok(()), |odd| {
                    let expected = "found, clear or unknown, and error, warning, info or nothing".to_owned();
                    Err(Error::Shape { query: self.name.clone(), found: odd.words, expected })
                })
            }
        }
    }

    /// The columns that it answers with.
    pub fn columns(&self, store: &Store) -> Result<Vec<String>> {
        make(store, &self.header.views)?;
        store.columns(&self.name, &self.sql)
    }
}

/// Makes the table that tells of the bundle itself.
pub fn add_bundle(store: &Store, taken_at: Option<Time>, redacted: bool) -> Result<()> {
    make(store, &["bundle".to_owned()])?;
    store.add_rows("bundle", vec![vec![taken_at.map_or(Datum::Null, Datum::Time), Datum::Bool(redacted)]])
}

/// Makes the tables of these names, as far as they are not there, and those that they are made of.
pub fn make(store: &Store, names: &[String]) -> Result<()> {
    for name in names.iter().filter(|name| !store.has(name)) {
        let Some(view) = VIEWS.iter().find(|view| view.short_name() == name) else { continue };
        make(store, &view.header().views)?;
        store.derive(name, view.sql, Vec::new())?;
    }
    Ok(())
}
