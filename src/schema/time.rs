//! Points in time: UTC, microseconds, as every table stores them.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use std::fmt;

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// Clocks of pods and databases disagree; a log line may be this much ahead of the evidence's own "now".
const CLOCK_SLACK: TimeDelta = TimeDelta::days(2);

impl Time {
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads what PostgreSQL, Kubernetes and CloudEvents write. A time without zone is UTC, because Maestro's
    /// containers and databases run in UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        DateTime::parse_from_rfc3339(text)
            .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%#z"))
            .map(|at| at.naive_utc())
            // Years outside four digits are not RFC 3339, and a stranger's evidence may hold them.
            .or_else(|_| NaiveDateTime::parse_from_str(text.trim_end_matches('Z'), "%Y-%m-%dT%H:%M:%S%.f"))
            .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f"))
            .ok()
            .map(|at| Self(at.and_utc().timestamp_micros()))
    }

    /// Reads the time of an HTTP header: `Thu, 15 Jan 2026 09:45:12 GMT`.
    pub fn of_http(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc2822(text.trim()).ok().map(|at| Self(at.timestamp_micros()))
    }

    /// Gives a day without year the year that makes it the latest such day not after `now`, so that a log of
    /// 31 December that was taken on 1 January belongs to the old year.
    pub fn from_yearless(month: u8, day: u8, micros_of_day: i64, now: Self) -> Option<Self> {
        let latest = now.utc()? + CLOCK_SLACK;
        (0..=8).find_map(|back| {
            let date = NaiveDate::from_ymd_opt(latest.year() - back, month.into(), day.into())?;
            let midnight = date.and_hms_opt(0, 0, 0)?.and_utc().timestamp_micros();
            let micros = midnight.checked_add(micros_of_day)?;
            (micros <= latest.timestamp_micros()).then_some(Self(micros))
        })
    }

    /// Microseconds from `earlier` to this point; negative if it is the other way round.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    pub const fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// `14:31:07.118204`: for tables whose day stands elsewhere.
    pub fn clock(self) -> String {
        self.format("%H:%M:%S%.6f")
    }

    /// The clock of a time that may not be known.
    pub fn clock_or_unknown(at: Option<Self>) -> String {
        at.map_or_else(|| "an unknown time".to_owned(), Self::clock)
    }

    fn utc(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_micros(self.0)
    }

    fn format(self, pattern: &str) -> String {
        self.utc().map_or_else(|| format!("{} µs", self.0), |at| at.format(pattern).to_string())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.format("%Y-%m-%dT%H:%M:%S%.6fZ"))
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("not a time: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    fn at(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    #[test]
    fn the_forms_of_databases_and_clusters_are_read() {
        let expected = at("2026-01-15T09:45:12.345678Z");
        for form in [
            "2026-01-15T09:45:12.345678+00:00",
            "2026-01-15 09:45:12.345678+00",
            "2026-01-15 10:45:12.345678+01:00",
            "2026-01-15T09:45:12.345678",
            "2026-01-15 09:45:12.345678",
            "2026-01-15T09:45:12.345678901Z",
        ] {
            assert_eq!(at(form), expected, "{form}");
        }
        assert_eq!(Time::parse("yesterday"), None);
        let far = Time::from_micros(4_000_000_000_000_000_000);
        assert_eq!(at(&far.to_string()), far);
        assert_eq!(expected.to_string(), "2026-01-15T09:45:12.345678Z");
    }

    #[test]
    fn a_line_of_december_read_in_january_belongs_to_the_old_year() {
        let now = at("2027-01-01T00:10:00Z");
        assert_eq!(Time::from_yearless(12, 31, 0, now), Some(at("2026-12-31T00:00:00Z")));
        assert_eq!(Time::from_yearless(1, 1, 0, now), Some(at("2027-01-01T00:00:00Z")));
    }

    #[test]
    fn a_leap_day_belongs_to_the_last_leap_year() {
        let now = at("2027-03-01T00:00:00Z");
        assert_eq!(Time::from_yearless(2, 29, 0, now), Some(at("2024-02-29T00:00:00Z")));
        assert_eq!(Time::from_yearless(2, 30, 0, now), None);
    }
}
