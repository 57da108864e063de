//! Why a step did not come to its end.

use crate::collect::outcome::Status;
use std::error::Error;
use std::fmt;

/// What a failed step is in the account, and all that is known of why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub status: Status,
    pub why: String,
}

impl Trouble {
    pub fn new(status: Status, why: impl Into<String>) -> Self {
        Self { status, why: why.into() }
    }

    /// An error with its causes, in one line.
    pub fn of(status: Status, error: &(dyn Error + 'static)) -> Self {
        let mut parts: Vec<String> = Vec::new();
        let mut next = Some(error);
        while let Some(error) = next {
            let part = error.to_string();
            // Some errors repeat their cause in their own words.
            if !parts.iter().any(|before| before.contains(&part)) {
                parts.push(part);
            }
            next = error.source();
        }
        Self::new(status, parts.join(": "))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status.name(), self.why)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        let status = match error.kind() {
            std::io::ErrorKind::TimedOut => Status::TimedOut,
            std::io::ErrorKind::PermissionDenied => Status::Denied,
            _ => Status::Failed,
        };
        Self::of(status, &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        let inner = io::Error::other("connection reset");
        let outer = io::Error::other(format!("cannot read: {inner}"));
        assert_eq!(Trouble::of(Status::Failed, &outer).why, "cannot read: connection reset");
        assert_eq!(Trouble::of(Status::Failed, &outer).to_string(), "failed: cannot read: connection reset");
    }
}
