//! dacapo: what happened to this ManifestWork, where did it stop, and why? Answered offline from one file.

pub mod bundle;
pub mod collect;
pub mod logs;
pub mod query;
pub mod schema;
pub mod store;
