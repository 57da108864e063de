//! How far a file may expand: an archive of a few kilobytes can hold petabytes.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Everything may expand this far.
const FREE: u64 = 1 << 30;

/// Beyond that, this many times its size. Logs compress twenty- to a hundredfold, gzip cannot do more than this.
const RATIO: u64 = 1000;

/// Archives within archives, each compression counted: a `.log.gz` in a `.tar.gz` in a `.zip` has four.
pub const DEPTH: usize = 8;

/// Files in one archive and all those inside it.
pub const MEMBERS: u64 = 1_000_000;

/// A ZIP inside another archive has its directory at its end, so it must be held in memory.
pub const NESTED_ZIP: u64 = 256 << 20;

/// What is left of what one file may expand to.
#[derive(Debug)]
pub struct Budget {
    allowed: u64,
    used: Cell<u64>,
}

impl Budget {
    pub fn of(size: u64) -> Rc<Self> {
        Rc::new(Self { allowed: FREE.max(size.saturating_mul(RATIO)), used: Cell::new(0) })
    }

    fn spend(&self, bytes: u64) -> io::Result<()> {
        self.used.set(self.used.get().saturating_add(bytes));
        if self.used.get() <= self.allowed {
            return Ok(());
        }
        let allowed = self.allowed;
        Err(io::Error::other(format!(
            "expands to more than {allowed} bytes, the limit ({RATIO} times the size of the file, or {FREE} bytes)"
        )))
    }
}

/// A decoder that is held to a budget and says where its data is damaged.
pub struct Limited<R> {
    decoder: R,
    name: &'static str,
    budget: Rc<Budget>,
    given: u64,
}

impl<R> Limited<R> {
    pub const fn new(decoder: R, name: &'static str, budget: Rc<Budget>) -> Self {
        Self { decoder, name, budget, given: 0 }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = match self.decoder.read(to) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let (name, given) = (self.name, self.given);
                let what = format!("the {name} data is cut or damaged after {given} bytes of what it holds: {error}");
                return Err(io::Error::new(error.kind(), what));
            }
            Ok(length) => length,
        };
        self.given += length as u64;
        self.budget.spend(length as u64)?;
        Ok(length)
    }
}
