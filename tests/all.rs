//! Everything that is tested from outside, in one binary, so that DuckDB is linked once.

mod accounting;
mod broken;
mod clutter;
mod compatibility;
mod database_forms;
mod dialects;
mod docs;
mod fleet;
mod forms;
mod golden;
mod hostile;
mod interrupt;
mod kube_forms;
mod licences;
mod manifests;
mod mixing;
mod properties;
mod queries;
mod support;
mod thinning;
mod tidy;
mod timeline;
mod truth;
mod variations;
mod ways_in;
