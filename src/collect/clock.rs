//! The bundle's "now" and the year of log lines. For files both come from the evidence, never from this machine.

use crate::logs::Stamp;
use crate::schema::Time;
use memchr::memmem;

/// What log lines call a full date: inside the CloudEvents and objects they print.
const DATED: &[&[u8]] = &[
    b"Timestamp\":\"",
    b"Timestamp\\\":\\\"",
    b"Timestamp\\\\\\\":\\\\\\\"",
    b"\\\"time\\\":\\\"",
    b"\"time\":\"",
    b"  time: ",
];

/// The year that stands in when nothing in the evidence has one; a leap year, so that every day exists.
const NO_YEAR: &str = "2000-12-31T00:00:00Z";

/// Keeps the latest time that was found.
#[derive(Debug, Default)]
pub struct Clock {
    said: Option<Time>,
    /// When running systems were asked. Whatever happened before shows in each of them; what happened later may not.
    asked: Option<Time>,
    latest: Option<Time>,
    reference: Option<Time>,
    guessed: bool,
}

impl Clock {
    /// `said` is what the user says "now" was.
    pub fn new(said: Option<Time>) -> Self {
        Self { said, ..Self::default() }
    }

    /// Running systems are asked from then on.
    pub fn asked_at(&mut self, at: Time) {
        self.asked = Some(at);
    }

    /// Takes note of a time that has a year.
    pub fn saw(&mut self, at: impl IntoIterator<Item = Time>) {
        self.latest = self.latest.into_iter().chain(at).max();
    }

    /// Looks for dates in parts of a log, for the case that nothing else has a year, or only what is older.
    pub fn look_into(&mut self, parts: &[&[u8]]) {
        self.refer_to(parts.iter().filter_map(|bytes| latest_date(bytes)).max());
    }

    /// Takes note of a time that lines without a year can be given theirs from.
    pub fn refer_to(&mut self, at: Option<Time>) {
        if self.said.is_none() {
            self.reference = self.reference.max(at);
        }
    }

    /// The time that an entry has of its own. What carried it knows its year better than the rest of the evidence.
    pub fn stamp(&mut self, stamp: Stamp, carried: Option<Time>) -> Option<Time> {
        match (stamp, carried) {
            (Stamp::Full(micros), _) => Some(Time::from_micros(micros)),
            (Stamp::Yearless { month, day, micros }, Some(carried)) => Time::from_yearless(month, day, micros, carried),
            (Stamp::Yearless { month, day, micros }, None) => self.with_year(month, day, micros),
            (Stamp::None, _) => None,
        }
    }

    /// Gives a log line its year.
    fn with_year(&mut self, month: u8, day: u8, micros_of_day: i64) -> Option<Time> {
        let known = self.said.or(self.asked).max(self.latest).max(self.reference.filter(|_| self.said.is_none()));
        self.guessed |= known.is_none();
        let reference = known.or_else(|| Time::parse(NO_YEAR))?;
        Time::from_yearless(month, day, micros_of_day, reference)
    }

    /// Some log lines have a year that nothing in the evidence supports.
    pub fn guessed_year(&self) -> bool {
        self.guessed
    }

    /// The user names a time that the evidence has passed.
    pub fn said_too_early(&self, latest_line: Option<Time>) -> bool {
        self.said.is_some_and(|said| self.latest.max(latest_line) > Some(said))
    }

    /// The bundle's "now", given the latest time of a log line, and where it comes from.
    pub fn now(&self, latest_line: Option<Time>) -> (Option<Time>, &'static str) {
        match (self.said, self.asked) {
            (Some(said), _) => (Some(said), "user"),
            (None, Some(asked)) => (Some(asked), "clock"),
            (None, None) => (self.latest.into_iter().chain(latest_line).max(), "evidence"),
        }
    }
}

fn latest_date(bytes: &[u8]) -> Option<Time> {
    let dates = DATED.iter().flat_map(|mark| {
        memmem::find_iter(bytes, mark).filter_map(|at| {
            let rest = bytes.get(at + mark.len()..)?;
            let end = rest.iter().take(40).position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))?;
            Time::parse(std::str::from_utf8(rest.get(..end)?).ok()?)
        })
    });
    dates.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_inside_an_escaped_event_is_found() {
        let line = br#"extensions={"metadata":"{\"creationTimestamp\":\"2026-01-15T09:45:12Z\"}"}"#;
        assert_eq!(latest_date(line), Time::parse("2026-01-15T09:45:12Z"));
        assert_eq!(latest_date(b"  id: a\n  time: 2026-01-15T09:45:12Z\n"), Time::parse("2026-01-15T09:45:12Z"));
        assert_eq!(latest_date(b"nothing here"), None);
    }

    #[test]
    fn the_user_knows_better_than_the_evidence() {
        let said = Time::parse("2027-01-02T00:00:00Z").unwrap();
        let mut clock = Clock::new(Some(said));
        clock.saw(Time::parse("2025-05-05T00:00:00Z"));
        assert_eq!(clock.with_year(12, 31, 0), Time::parse("2026-12-31T00:00:00Z"));
        assert_eq!(clock.now(None), (Some(said), "user"));
    }

    #[test]
    fn a_year_that_nothing_supports_is_owned_up_to() {
        let mut clock = Clock::default();
        assert_eq!(clock.with_year(2, 29, 0), Time::parse("2000-02-29T00:00:00Z"));
        assert!(clock.guessed_year());
    }
}
