//! The options of `collect` that are about running systems.

use super::error::Failure;
use crate::collect::live::postgres::shows_password;
use crate::collect::live::{Cluster, Database, Limits, Role, Wanted, Window};
use crate::schema::Time;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug, Args)]
#[command(next_help_heading = "Running systems")]
pub struct Live {
    /// Maestro's database: an address, or empty to take all from PG… variables; none to leave it out [default: the
    /// database pods of the service cluster]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The service cluster's context in the kubeconfig; empty for the current one, or for the cluster of the pod that this
    /// runs in
    #[arg(long, value_name = "CONTEXT")]
    svc_context: Option<String>,
    /// The kubeconfig with the service cluster [default: KUBECONFIG, then ~/.kube/config]
    #[arg(long, value_name = "FILE")]
    svc_kubeconfig: Option<PathBuf>,
    /// A management cluster's context, likewise; may be given several times
    #[arg(long, value_name = "CONTEXT")]
    mgmt_context: Vec<String>,
    /// The kubeconfig with a management cluster; may be given several times. With contexts, the first goes with the
    /// first and so on, and a single one with all
    #[arg(long, value_name = "FILE")]
    mgmt_kubeconfig: Vec<PathBuf>,
    /// A namespace of Maestro; may be given several times [default: found by the labels of its pods]
    #[arg(long, value_name = "NAME", value_parser = namespace)]
    namespace: Vec<String>,
    /// Log lines from here on: 2h, 30m, or a time
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Moment>,
    /// Log lines up to here
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Moment>,
    /// At most so many bytes of each log: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_bytes: Option<u64>,
    /// Only rows of events and status_events that were created from here on; the rest of the database is taken whole
    #[arg(long, value_name = "TIME", value_parser = moment)]
    events_since: Option<Moment>,
    /// How long a request may take: 60s, 2m
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    request_timeout: Duration,
    /// How long everything may take; what was read by then is kept
    #[arg(long, value_name = "DURATION", default_value = "30m", value_parser = duration)]
    timeout: Duration,
    /// Requests to one cluster at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32))]
    parallel: u8,
    /// Start a breakglass deployment that is not running, and put it back afterwards; asks first
    #[arg(long)]
    scale_breakglass: bool,
    /// Say yes to every question; the bundle records it
    #[arg(long)]
    yes: bool,
    /// On Ctrl-C, write what was read so far instead of nothing
    #[arg(long)]
    pub keep_partial: bool,
    /// List every request and statement, and send none
    #[arg(long)]
    pub dry_run: bool,
    /// Say which permissions are missing, and collect nothing
    #[arg(long, conflicts_with = "dry_run")]
    pub check: bool,
}

impl Live {
    /// What is wanted of running systems, if anything is.
    pub fn wanted(&self) -> Result<Option<Wanted>, Failure> {
        let clusters = self.clusters()?;
        let database = match self.database.as_deref() {
            None => Database::ThroughPods,
            Some("none") => Database::No,
            Some(url) => Database::At(url.to_owned()),
        };
        self.refuse_without_effect(&clusters, &database)?;
        if clusters.is_empty() && !matches!(database, Database::At(_)) {
            return Ok(None);
        }
        let began = now();
        Ok(Some(Wanted {
            began,
            database,
            clusters,
            namespaces: self.namespace.clone(),
            window: self.window(began)?,
            limits: Limits { request: self.request_timeout, total: self.timeout, parallel: usize::from(self.parallel) },
            yes: self.yes,
            scale_breakglass: self.scale_breakglass,
            environment: environment(),
        }))
    }

    fn window(&self, now: Time) -> Result<Window, Failure> {
        let at = |moment: &Option<Moment>| moment.map(|moment| moment.from(now));
        let (since, until) = (at(&self.since), at(&self.until));
        if let (Some(since), Some(until)) = (since, until)
            && since >= until
        {
            let because = format!("--since is {since} and --until is {until}");
            return Err(Failure::usage("nothing lies between --since and --until".to_owned(), because));
        }
        Ok(Window { since, until, max_bytes: self.max_bytes, events_since: at(&self.events_since) })
    }

    /// An option that nothing heeds would let somebody believe that it was heeded.
    fn refuse_without_effect(&self, clusters: &[Cluster], database: &Database) -> Result<(), Failure> {
        let has_service = clusters.iter().any(|cluster| cluster.role == Role::Service);
        let through_pods = has_service && *database == Database::ThroughPods;
        let no_database = !through_pods && !matches!(database, Database::At(_));
        let in_vain = [
            ("--namespace", clusters.is_empty() && !self.namespace.is_empty(), "no cluster is named"),
            ("--since", clusters.is_empty() && self.since.is_some(), NO_LOGS),
            ("--until", clusters.is_empty() && self.until.is_some(), NO_LOGS),
            ("--max-bytes", clusters.is_empty() && self.max_bytes.is_some(), NO_LOGS),
            ("--events-since", no_database && self.events_since.is_some(), "no database is asked"),
            ("--scale-breakglass", !through_pods && self.scale_breakglass, "no database is read through pods"),
        ];
        in_vain.into_iter().find(|(_, is_vain, _)| *is_vain).map_or(Ok(()), |(option, _, because)| {
            Err(Failure::usage(format!("{option} would change nothing"), because.to_owned()))
        })
    }

    /// Is there a password in an argument, where others can see it?
    pub fn shows_password(&self) -> bool {
        self.database.as_deref().is_some_and(shows_password)
    }

    fn clusters(&self) -> Result<Vec<Cluster>, Failure> {
        let mut clusters = Vec::new();
        if self.svc_context.is_some() || self.svc_kubeconfig.is_some() {
            let (context, kubeconfig) = (self.svc_context.as_deref().and_then(chosen), self.svc_kubeconfig.clone());
            clusters.push(Cluster { role: Role::Service, context, kubeconfig });
        }
        let (contexts, files) = (&self.mgmt_context, &self.mgmt_kubeconfig);
        let count = contexts.len().max(files.len());
        if files.len() > 1 && !contexts.is_empty() && contexts.len() != files.len() {
            let because = format!("there are {} --mgmt-context and {} --mgmt-kubeconfig", contexts.len(), files.len());
            return Err(Failure::usage("cannot tell which context is in which kubeconfig".to_owned(), because));
        }
        clusters.extend((0..count).map(|index| Cluster {
            role: Role::Management,
            context: contexts.get(index).and_then(|context| chosen(context)),
            kubeconfig: files.get(index).or_else(|| files.first()).cloned(),
        }));
        Ok(clusters)
    }
}

const NO_LOGS: &str = "it is about logs of clusters, and no cluster is named";

const DAY: u64 = 86_400;

/// Nobody waits longer, and nothing that is collected is older.
const LONGEST: Duration = Duration::from_secs(50 * 365 * DAY);

/// Microseconds of the years that databases and API servers can be asked for: 1970 to 9999.
const YEARS: std::ops::Range<i64> = 0..253_402_300_800_000_000;

/// A point in time, or a time before now.
#[derive(Clone, Copy, Debug)]
enum Moment {
    At(Time),
    Ago(Duration),
}

impl Moment {
    fn from(self, now: Time) -> Time {
        match self {
            Self::At(at) => at,
            Self::Ago(ago) => now.plus_micros(-i64::try_from(ago.as_micros()).unwrap_or(i64::MAX)),
        }
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// An empty context is the one that the kubeconfig has chosen; in a pod without one, the pod's own cluster.
fn chosen(context: &str) -> Option<String> {
    Some(context.to_owned()).filter(|context| !context.is_empty())
}

/// What tells where a database or a kubeconfig is.
fn environment() -> BTreeMap<String, String> {
    let tells = |name: &str| name.starts_with("PG") || matches!(name, "HOME" | "USER" | "LOGNAME" | "KUBECONFIG");
    let known =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    known.filter(|(name, _)| tells(name)).collect()
}

fn moment(text: &str) -> Result<Moment, String> {
    match (Time::parse(text), seconds(text)) {
        (Some(at), _) if YEARS.contains(&at.micros()) => Ok(Moment::At(at)),
        (Some(_), _) => Err("there is no evidence from then; write a year from 1970 to 9999".to_owned()),
        (None, Some(_)) => duration(text).map(Moment::Ago),
        (None, None) => Err("write it like 2h, 30m or 2026-01-15T09:45:12Z".to_owned()),
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    match seconds(text).map(Duration::from_secs) {
        Some(Duration::ZERO) | None => Err("write it like 90s, 5m or 2h".to_owned()),
        Some(long) if long > LONGEST => Err(format!("that is longer than {} days", LONGEST.as_secs() / DAY)),
        Some(duration) => Ok(duration),
    }
}

fn seconds(text: &str) -> Option<u64> {
    scaled(text, &[("s", 1), ("m", 60), ("h", 3600), ("d", DAY)])
}

/// A name as Kubernetes has them for namespaces: a label of DNS.
fn namespace(text: &str) -> Result<String, String> {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    let is_name = !text.is_empty() && text.len() <= 63 && text.chars().all(fits);
    if is_name && !text.starts_with('-') && !text.ends_with('-') {
        return Ok(text.to_owned());
    }
    Err("a namespace is called with small letters, digits and - in between, 63 at the most".to_owned())
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units =
        [("k", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("kB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("", 1)];
    scaled(text, &units)
        .filter(|bytes| (1..u64::MAX).contains(bytes))
        .ok_or_else(|| "write it like 500M or 2G".to_owned())
}

/// A number and one of the units; what is too much to count is as much as can be.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    units.iter().find_map(|(unit, factor)| {
        let number = text.strip_suffix(unit).or_else(|| text.strip_suffix(&unit.to_uppercase()))?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| number.parse::<u64>().map_or(u64::MAX, |number| number.saturating_mul(*factor)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert!(duration("0s").is_err() && duration("2").is_err() && duration("h").is_err());
        for long in ["18251d", "99999999999999999999999d"] {
            assert_eq!(duration(long), Err("that is longer than 18250 days".to_owned()));
        }
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("12"), Ok(12));
        assert!(bytes("-1").is_err() && bytes("99999999999G").is_err());
    }

    #[test]
    fn a_moment_is_a_time_or_a_while_ago() {
        let now = Time::parse("2026-01-15T10:00:00Z").unwrap();
        assert_eq!(moment("2h").unwrap().from(now), Time::parse("2026-01-15T08:00:00Z").unwrap());
        assert_eq!(moment("2026-01-15T09:45:12Z").unwrap().from(now), Time::parse("2026-01-15T09:45:12Z").unwrap());
        assert!(moment("yesterday").is_err());
        let why = |text: &str| moment(text).map(|_| ()).unwrap_err();
        assert!(why("99999999999999d").contains("longer than 18250 days"));
        assert!(why("1969-12-31T23:59:59Z").contains("from 1970"));
        assert!(why("+12026-01-15T09:45:12Z").contains("to 9999"));
    }

    fn refusal(arguments: &str) -> Option<String> {
        #[derive(Debug, clap::Parser)]
        struct Program {
            #[command(flatten)]
            live: Live,
        }
        let words = std::iter::once("dacapo").chain(arguments.split_whitespace());
        let program = <Program as clap::Parser>::try_parse_from(words).unwrap();
        program.live.wanted().err().map(|failure| failure.what)
    }

    #[test]
    fn a_window_with_nothing_in_it_is_refused() {
        let between = Some("nothing lies between --since and --until".to_owned());
        assert_eq!(refusal("--svc-context svc --since 2h --until 3h"), between);
        assert_eq!(refusal("--svc-context svc --since 3h --until 2h --events-since 1h"), None);
    }

    #[test]
    fn an_option_that_nothing_heeds_is_refused() {
        let vain = |option: &str| Some(format!("{option} would change nothing"));
        for option in ["--since 2h", "--until 2h", "--max-bytes 2M", "--namespace maestro"] {
            let name = option.split(' ').next().unwrap();
            assert_eq!(refusal(option), vain(name));
            assert_eq!(refusal(&format!("--database maestro {option}")), vain(name));
            assert_eq!(refusal(&format!("--mgmt-context mgmt {option}")), None);
        }
        assert_eq!(refusal("--mgmt-context mgmt --events-since 2h"), vain("--events-since"));
        assert_eq!(refusal("--svc-context svc --events-since 2h"), None);
        for without in
            ["--mgmt-context mgmt", "--svc-context svc --database none", "--svc-context svc --database maestro"]
        {
            assert_eq!(refusal(&format!("{without} --scale-breakglass")), vain("--scale-breakglass"));
        }
        assert_eq!(refusal("--svc-context svc --scale-breakglass"), None);
    }

    #[test]
    fn a_namespace_has_a_name_that_kubernetes_knows() {
        assert!(["maestro", "a", "007", "fleet-2"].iter().all(|name| namespace(name).is_ok()));
        let long = "x".repeat(64);
        for strange in ["", "Maestro", "a/b", "..", "a.b", "-a", "a-", "a b", "ä", &long] {
            assert!(namespace(strange).is_err(), "{strange}");
        }
    }
}
