//! What answers look like. JSON is these types, serialised; everything else is rendered from them.

mod candidate;
mod catalogue;
mod collected;
mod detail;
mod diagnose;
mod inspect;
mod left_out;
mod live;
mod manifest;
mod matrix;
mod query;
mod reference;
mod resolve;
mod show;
mod timeline;
mod trace;
mod verify;
mod works;

pub use candidate::{Candidate, Meaning};
pub use catalogue::{Canned, CannedParameter, Catalogue, FORMAT as QUERIES_FORMAT};
pub use collected::{Collected, TakenForm};
pub use detail::{About, Step};
pub use diagnose::{
    Clear, Detail, Diagnosis, Explained, Explanation, FORMAT as DIAGNOSE_FORMAT, Found, FoundWork, RULES_FORMAT,
    Severity, Untold,
};
pub use inspect::{FORMAT as INSPECT_FORMAT, Inspection, LogCoverage, Problem, TableSummary};
pub use left_out::LeftOut;
pub use live::{Asked, LiveStep, Needed, REQUESTS_FORMAT, RIGHTS_FORMAT, Requests, Right, Rights};
pub use manifest::{
    Actual, Applied, Condition, Differs, Feedback, Finding, InnerWork, Manifest, ManifestSource,
    Source as ManifestsFrom,
};
pub use matrix::{
    Cell as MatrixCell, FORMAT as MATRIX_FORMAT, Figure, Group as MatrixGroup, Latency, Matrix,
    Outcomes as MatrixOutcomes, Requests as MatrixRequests, Side,
};
pub use query::{ColumnKind, Cut, FORMAT as QUERY_FORMAT, Queried, QueriedColumn};
pub use reference::is_object;
pub use resolve::{
    Absent, ComputedAppliedWork, ComputedId, FORMAT as RESOLVE_FORMAT, Identified, KnownFrom, NamedKind, Resolution,
};
pub use show::{FORMAT as SHOW_FORMAT, Shown, ShownRow};
pub use timeline::{Happening, Source, Timeline};
pub use trace::{
    Cause, DatabaseRow, Deletion, FORMAT as TRACE_FORMAT, Hop, HopName, Note, OtherRequest, Outcome, Quote, Request,
    RequestKind, Trace, Verdict, Work,
};
pub use verify::{FORMAT as VERIFY_FORMAT, Seal, Verified};
pub use works::{FORMAT as WORKS_FORMAT, ListedWork, OutcomeCount, Works};
