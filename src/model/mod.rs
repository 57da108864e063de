//! What answers look like. JSON is these types, serialised; everything else is rendered from them.

mod inspect;
mod show;
mod trace;
mod verify;

pub use inspect::{FORMAT as INSPECT_FORMAT, Inspection, LogCoverage, Problem, TableSummary};
pub use show::{FORMAT as SHOW_FORMAT, Shown, ShownRow};
pub use trace::{
    Cause, DatabaseRow, FORMAT as TRACE_FORMAT, Hop, HopName, Manifest, OtherRequest, Outcome, Quote, Request,
    RequestKind, Trace, Verdict, Work,
};
pub use verify::{FORMAT as VERIFY_FORMAT, Verified};
