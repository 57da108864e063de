//! The wish to end early, as a signal brings it.

use tokio_util::sync::CancellationToken;

/// Two wishes: to read no more, and to write nothing. A person who wants to keep what is there has the first only.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    reading: CancellationToken,
    all: CancellationToken,
}

impl Stop {
    /// Ends the reading of running systems; what was read is still written.
    pub fn reading(&self) {
        self.reading.cancel();
    }

    /// Ends everything; nothing is written.
    pub fn all(&self) {
        self.reading.cancel();
        self.all.cancel();
    }

    pub fn is_reading(&self) -> bool {
        !self.reading.is_cancelled()
    }

    pub fn is_over(&self) -> bool {
        self.all.is_cancelled()
    }

    /// Returns once nothing more is to be read.
    pub async fn no_more_reading(&self) {
        self.reading.cancelled().await;
    }
}
