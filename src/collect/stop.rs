//! The wish to end early, as a signal brings it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_util::sync::CancellationToken;

/// Two wishes: to read no more, and to write nothing. A person who wants to keep what is there has the first only.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    reading: CancellationToken,
    all: CancellationToken,
    holds: Arc<AtomicUsize>,
}

/// Something was changed and is put back before this goes away.
#[derive(Debug)]
pub struct Hold(Arc<AtomicUsize>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
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

    /// Keeps the program alive, whatever signals come, until something is put back.
    pub fn hold(&self) -> Hold {
        self.holds.fetch_add(1, Ordering::SeqCst);
        Hold(self.holds.clone())
    }

    /// Is there something to put back first?
    pub fn is_held(&self) -> bool {
        self.holds.load(Ordering::SeqCst) > 0
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
