//! Answers from a bundle: a pure function of its rows. No clock, no network, no file but the bundle.

mod error;
mod fleet;
mod inspect;
mod resolve;
mod show;
mod trace;
mod verify;

pub use error::{Error, Result};
pub use fleet::{Order, WorksAsk, works};
pub use inspect::inspect;
pub use resolve::{ResolveAsk, answer as resolve};
pub use show::show;
pub use trace::{Ask, TimelineAsk, trace};
pub use verify::verify;
