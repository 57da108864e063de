//! What processes tell of themselves: when they lost the broker or the database, who subscribed to them.

use super::super::error::Result;
use super::load::Loader;
use super::skew::{Clock, ahead};
use crate::query::trace::{GlobalLine, LINES, Log};
use crate::schema::Time;
use std::sync::Arc;

const CONNECTION_LOST: &[&str] = &["the cloudevents client is disconnected", "the cloudevents client reconnect failed"];
const CONNECTION_BACK: &[&str] =
    &["the cloudevents client is reconnected", "mqtt is connected", "grpc is connected", "subscribed to mqtt broker"];

const LISTENER_LOST: &[&str] = &["Listener: the state of the underlying database connection changes"];
const LISTENER_BACK: &[&str] =
    &["recreate the listener for channel due to the connection loss", "recreate the listener due to ping failed"];

const SUBSCRIBED: &str = "registered a broadcaster client";
const UNSUBSCRIBED: &str = "unregistered broadcaster client";

const RESYNC: &str = "Sending status resync batch";
const GRPC_BROKER: &[&str] = &["Setting up grpc broker", "registering subscriber"];

/// Every message that is looked for where a request did not go through.
pub const MESSAGES: &[&[&str]] =
    &[CONNECTION_LOST, CONNECTION_BACK, LISTENER_LOST, LISTENER_BACK, &[SUBSCRIBED, UNSUBSCRIBED, RESYNC], GRPC_BROKER];

/// All lines of processes about themselves, in the order of time.
pub struct Processes {
    lines: Arc<Vec<GlobalLine>>,
}

/// A time without a connection, as the lines at its ends tell it.
pub struct Outage<'a> {
    pub lost: &'a GlobalLine,
    pub back: Option<&'a GlobalLine>,
}

impl Outage<'_> {
    /// The lines at its ends.
    pub fn evidence(&self) -> Vec<String> {
        std::iter::once(self.lost).chain(self.back).map(|line| line.evidence.clone()).collect()
    }
}

impl Processes {
    /// The lines, with the times of clocks that are off put right.
    pub fn listen(loader: &mut Loader<'_>, clocks: &[Clock]) -> Result<Self> {
        let mut lines = match &loader.learnt.lines {
            Some(known) => known.clone(),
            None => {
                loader.bring_messages(&MESSAGES.concat())?;
                loader.learnt.lines.insert(Arc::new(LINES.run(&loader.store, &[])?)).clone()
            }
        };
        if !clocks.is_empty() {
            for line in Arc::make_mut(&mut lines) {
                let ahead = ahead(clocks, &line.pod);
                line.at = line.at.map(|at| at.plus_micros(-ahead));
            }
        }
        Ok(Self { lines })
    }

    fn of(&self, component: &str, pod: &str) -> Vec<&GlobalLine> {
        self.lines.iter().filter(|line| line.component == component && line.pod == pod).collect()
    }

    /// The line of a shutdown at that time.
    pub fn shutdown(&self, log: &Log, at: Time) -> Option<&GlobalLine> {
        self.of(&log.component, &log.pod).into_iter().find(|line| line.at == Some(at))
    }

    /// The time without broker that reaches over this moment, if there is one.
    pub fn without_broker(&self, component: &str, pod: &str, at: Time) -> Option<Outage<'_>> {
        outage(self.of(component, pod), at, CONNECTION_LOST, CONNECTION_BACK)
    }

    /// The time in which a replica could not hear what the database notifies, if it reaches over this moment.
    pub fn deaf(&self, pod: &str, at: Time) -> Option<Outage<'_>> {
        outage(self.of("server", pod), at, LISTENER_LOST, LISTENER_BACK)
    }

    /// The last word about a client of this source on a replica up to that time, and whether it was subscribed then.
    pub fn subscriber(&self, pod: &str, source: &str, at: Time) -> Option<(&GlobalLine, bool)> {
        let told = |line: &&GlobalLine| line.message == SUBSCRIBED || line.message == UNSUBSCRIBED;
        let own = self.of("server", pod).into_iter().filter(|line| line.source.as_deref() == Some(source));
        let before = own.filter(told).filter(|line| line.at <= Some(at));
        let mut subscribed = 0_i64;
        let mut last = None;
        for line in before {
            subscribed = (subscribed + if line.message == SUBSCRIBED { 1 } else { -1 }).max(0);
            last = Some(line);
        }
        last.map(|line| (line, subscribed > 0))
    }

    /// Requests for statuses after a moment.
    pub fn resyncs(&self, after: Option<Time>) -> impl Iterator<Item = &GlobalLine> {
        self.lines.iter().filter(move |line| line.message == RESYNC && line.at >= after)
    }

    /// A line that only servers with the gRPC broker write.
    pub fn grpc_broker(&self) -> Option<&GlobalLine> {
        self.lines.iter().find(|line| GRPC_BROKER.contains(&line.message.as_str()))
    }
}

/// The outage that reaches over a moment: lost before it, and not back before it.
fn outage<'a>(lines: Vec<&'a GlobalLine>, at: Time, lost: &[&str], back: &[&str]) -> Option<Outage<'a>> {
    let mut open: Option<&GlobalLine> = None;
    for line in lines {
        let after = line.at > Some(at);
        let (is_lost, is_back) = (lost.contains(&line.message.as_str()), back.contains(&line.message.as_str()));
        match open {
            None if after => return None,
            None if is_lost => open = Some(line),
            Some(first) if is_back && after => return Some(Outage { lost: first, back: Some(line) }),
            Some(_) if is_back => open = None,
            _ => {}
        }
    }
    open.map(|lost| Outage { lost, back: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(second: i64, message: &str) -> GlobalLine {
        GlobalLine {
            component: "server".into(),
            pod: "maestro-1".into(),
            at: Some(Time::from_micros(second * 1_000_000)),
            message: message.into(),
            source: None,
            consumer: None,
            evidence: format!("log_lines:{second}"),
        }
    }

    fn at(second: i64) -> Time {
        Time::from_micros(second * 1_000_000)
    }

    #[test]
    fn an_outage_reaches_from_the_loss_to_the_return() {
        let lost = CONNECTION_LOST[0];
        let lines = vec![
            line(1, "mqtt is connected"),
            line(10, lost),
            line(15, CONNECTION_LOST[1]),
            line(20, "mqtt is connected"),
            line(30, lost),
        ];
        let processes = Processes { lines: Arc::new(lines) };
        let over = |second| {
            let outage = processes.without_broker("server", "maestro-1", at(second))?;
            Some((outage.lost.evidence.clone(), outage.back.map(|line| line.evidence.clone())))
        };
        assert_eq!(over(5), None);
        assert_eq!(over(12), Some(("log_lines:10".into(), Some("log_lines:20".into()))));
        assert_eq!(over(25), None);
        assert_eq!(over(40), Some(("log_lines:30".into(), None)));
        assert!(processes.without_broker("agent", "maestro-1", at(12)).is_none());
    }

    #[test]
    fn a_source_is_subscribed_while_one_of_its_clients_is() {
        let told = |second, message| GlobalLine { source: Some("shop".into()), ..line(second, message) };
        let lines = vec![told(1, SUBSCRIBED), told(2, SUBSCRIBED), told(3, UNSUBSCRIBED), told(5, UNSUBSCRIBED)];
        let processes = Processes { lines: Arc::new(lines) };
        let subscribed = |second| processes.subscriber("maestro-1", "shop", at(second)).map(|(_, is)| is);
        assert_eq!(subscribed(0), None);
        assert_eq!(subscribed(4), Some(true));
        assert_eq!(subscribed(6), Some(false));
    }
}
