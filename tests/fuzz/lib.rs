//! The targets of the tests, for the fuzzer.

#[path = "../support/forge.rs"]
pub mod forge;
pub mod targets;
