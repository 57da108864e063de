//! What a server tells about itself that helps a person: short remarks, and no statement of anybody.

use super::record::Record;
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use crate::schema::Time;
use std::collections::BTreeMap;

/// Waits that are listed one by one.
const LISTED: usize = 10;
/// Microseconds after which a transaction is worth telling: Maestro's own take milliseconds.
const LONG: i64 = 60 * SECOND;
const SECOND: i64 = 1_000_000;

/// The server that was reached.
#[derive(Debug)]
pub struct Server {
    pub remarks: Vec<String>,
    /// What its clock showed.
    pub clock: Time,
}

impl Server {
    /// An error if the transaction is not what it must be.
    pub fn of(records: &[Record]) -> Result<Self, Trouble> {
        let unclear = || Trouble::new(Status::Failed, "the server does not say who it is");
        let record = records.first().ok_or_else(unclear)?;
        let text = |column: &str| record.text(column).unwrap_or_default();
        if (text("read_only"), text("isolation")) != ("on", "repeatable read") {
            let why = "the server does not keep the transaction read-only";
            return Err(Trouble::new(Status::Failed, why));
        }
        let time = |column: &str| record.number(column).map(Time::from_micros).ok_or_else(unclear);
        let mut remarks = vec![
            format!("PostgreSQL {}, database {}, role {}", text("version"), text("database"), text("role")),
            format!("search path {}, time zone {}", text("schemas"), text("time_zone")),
            format!("all tables as of {} by its clock", time("snapshot_micros")?),
        ];
        if record.is_true("is_standby") {
            let ago = record.number("replayed_micros_ago");
            let ago = ago.map(|ago| format!("; the last change it has is {} old", seconds(ago))).unwrap_or_default();
            remarks.push(format!("it is a standby, which may lag behind{ago}"));
        }
        Ok(Self { remarks, clock: time("clock_micros")? })
    }

    /// How far its clock is ahead of ours, if it was read between these two times of ours.
    pub fn ahead(&mut self, before: Time, after: Time) -> i64 {
        let ahead = match self.clock {
            early if early < before => early.since(before),
            late if late > after => late.since(after),
            _ => 0,
        };
        self.remarks.push(match ahead.abs() {
            ..SECOND => "its clock agrees with ours to the second".to_owned(),
            _ if ahead < 0 => format!("its clock is at least {} behind ours", seconds(ahead)),
            _ => format!("its clock is at least {} ahead of ours", seconds(ahead)),
        });
        ahead
    }
}

/// Who is connected, listens and waits.
pub fn of_activity(others: &[Record]) -> Vec<String> {
    let mut remarks = vec![format!("{} other connections", others.len())];
    let mut listeners: BTreeMap<&str, usize> = BTreeMap::new();
    for channel in others.iter().filter_map(|other| other.text("channel")) {
        *listeners.entry(channel).or_default() += 1;
    }
    remarks.extend(listeners.iter().map(|(channel, count)| format!("{count} listen to {channel}")));
    let count =
        |column: &str| Some(others.iter().filter(|other| other.is_true(column)).count()).filter(|count| *count > 0);
    let pinged =
        count("may_listen").map(|count| format!("{count} idle ones may listen to something: they ran a ping last"));
    let hidden =
        count("is_hidden").map(|count| format!("of {count} the role may not see what they do (pg_read_all_stats)"));
    remarks.extend(pinged.into_iter().chain(hidden));
    let pid = |other: &Record| other.text("pid").unwrap_or_default().to_owned();
    let waits = others.iter().filter_map(|other| {
        let (by, since) = (other.text("blocked_by")?, other.number("state_micros").unwrap_or_default());
        Some(format!("{} waits for a lock that {by} holds, for {}", pid(other), seconds(since)))
    });
    remarks.extend(waits.take(LISTED));
    let long = others.iter().filter_map(|other| {
        let since = other.number("transaction_micros").filter(|since| *since > LONG)?;
        let state = other.text("state").unwrap_or_default();
        Some(format!("{} is in a transaction for {}, {state}", pid(other), seconds(since)))
    });
    remarks.extend(long.take(LISTED));
    remarks
}

/// Maestro's advisory locks.
pub fn of_locks(locks: &[Record]) -> Vec<String> {
    let told = |lock: &Record| {
        let of = |column: &str| lock.text(column).unwrap_or_default();
        format!("advisory locks on {}: {} held, {} waited for", of("kind"), of("held"), of("waited_for"))
    };
    locks.iter().map(told).collect()
}

fn seconds(micros: i64) -> String {
    format!("{:.1} s", micros.unsigned_abs() as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(cells: &[(&str, &str)]) -> Record {
        cells.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn listeners_are_counted_and_waits_are_told() {
        let others = [
            record(&[("channel", "events")]),
            record(&[("channel", "events"), ("may_listen", "f")]),
            record(&[("channel", "status_events")]),
            record(&[("pid", "7"), ("blocked_by", "9"), ("state_micros", "4200000")]),
            record(&[("pid", "9"), ("state", "idle in transaction"), ("transaction_micros", "90000000")]),
            record(&[("is_hidden", "t")]),
        ];
        assert_eq!(
            of_activity(&others),
            [
                "6 other connections",
                "2 listen to events",
                "1 listen to status_events",
                "of 1 the role may not see what they do (pg_read_all_stats)",
                "7 waits for a lock that 9 holds, for 4.2 s",
                "9 is in a transaction for 90.0 s, idle in transaction",
            ]
        );
        assert_eq!(of_activity(&[]), ["0 other connections"]);
    }

    #[test]
    fn a_clock_is_off_by_what_the_time_of_asking_does_not_explain() {
        let at = Time::from_micros;
        let ahead =
            |clock, before, after| Server { remarks: Vec::new(), clock: at(clock) }.ahead(at(before), at(after));
        assert_eq!(ahead(50, 10, 90), 0);
        assert_eq!(ahead(5, 10, 90), -5);
        assert_eq!(ahead(95, 10, 90), 5);
    }

    #[test]
    fn a_transaction_that_could_write_is_refused() {
        let good =
            [("read_only", "on"), ("isolation", "repeatable read"), ("clock_micros", "1"), ("snapshot_micros", "1")];
        assert!(Server::of(&[record(&good)]).is_ok());
        assert!(Server::of(&[record(&[("read_only", "off"), ("isolation", "repeatable read")])]).is_err());
        assert!(Server::of(&[]).is_err());
    }
}
