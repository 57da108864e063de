//! Answers from a bundle: a pure function of its rows. No clock, no network, no file but the bundle. Only `query`, which
//! answers what people write, knows a clock and a process: those that hold its answers back.

mod diagnose;
mod error;
mod fleet;
mod inspect;
pub mod query;
mod resolve;
mod show;
mod trace;
mod verify;

pub use diagnose::{DiagnoseAsk, diagnose, explain};
pub use error::{Error, Result};
pub use fleet::{MatrixAsk, Order, WorksAsk, matrix, works};
pub use inspect::inspect;
pub use resolve::{ResolveAsk, answer as resolve, near};
pub use show::show;
pub use trace::{Ask, TimelineAsk, trace};
pub use verify::verify;
