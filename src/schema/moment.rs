//! Points in time as people name them.

use super::Time;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Longest first: `ms` ends like `s`.
const UNITS: &[(&str, i64)] =
    &[("min", 60 * SECOND), ("ms", 1000), ("s", SECOND), ("m", 60 * SECOND), ("h", 3600 * SECOND), ("d", DAY)];

/// A time of its own, or one that is counted from the evidence's "now".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    At(Time),
    /// So many microseconds before.
    Before(i64),
    /// The latest such time of day, in microseconds since midnight.
    Clock(i64),
}

impl Moment {
    /// `2026-01-15T09:45:12Z`, `90s`, `1h30m` or `09:45:12.5`.
    pub fn parse(text: &str) -> Option<Self> {
        let at = || Time::parse(text).map(Self::At);
        let clock = || Time::parse(&format!("1970-01-01T{text}")).map(|at| Self::Clock(at.micros()));
        let short_clock = || Time::parse(&format!("1970-01-01T{text}:00")).map(|at| Self::Clock(at.micros()));
        at().or_else(|| duration(text).map(Self::Before)).or_else(clock).or_else(short_clock)
    }

    pub fn resolve(self, now: Time) -> Time {
        match self {
            Self::At(at) => at,
            Self::Before(micros) => now.plus_micros(-micros),
            Self::Clock(micros) => {
                let today = now.micros().saturating_sub(now.micros().rem_euclid(DAY)).saturating_add(micros);
                Time::from_micros(if today > now.micros() { today.saturating_sub(DAY) } else { today })
            }
        }
    }
}

/// Numbers with units, one after the other.
fn duration(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let mut micros: i64 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let (number, after) = rest.split_at_checked(digits)?;
        let (unit, length) = UNITS.iter().find(|(unit, _)| after.starts_with(unit))?;
        micros = micros.checked_add(number.parse::<i64>().ok()?.checked_mul(*length)?)?;
        rest = after.strip_prefix(unit)?;
    }
    (!text.trim().is_empty()).then_some(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    #[test]
    fn a_moment_is_counted_from_now() {
        let now = at("2026-01-15T09:45:00Z");
        for (text, expected) in [
            ("2026-01-15T09:00:00Z", "2026-01-15T09:00:00Z"),
            ("2026-01-15 11:00:00+02:00", "2026-01-15T09:00:00Z"),
            ("90s", "2026-01-15T09:43:30Z"),
            ("1h30m", "2026-01-15T08:15:00Z"),
            ("250ms", "2026-01-15T09:44:59.750Z"),
            ("2d", "2026-01-13T09:45:00Z"),
            ("09:44:59.5", "2026-01-15T09:44:59.500Z"),
            ("23:10", "2026-01-14T23:10:00Z"),
        ] {
            assert_eq!(Moment::parse(text).map(|moment| moment.resolve(now)), Some(at(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in ["", "yesterday", "5", "5 parsecs", "-3h", "99999999999999999999s", "25:00", "9223372036854775807d"]
        {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
