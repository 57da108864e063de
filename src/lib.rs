//! dacapo: what happened to this ManifestWork, where did it stop, and why? Answered offline from one file.
//!
//! The modules are the pipeline, from left to right: [`collect`] → [`bundle`] → [`store`] → [`query`] →
//! [`analysis`] → [`model`] → [`render`]. [`schema`] is what evidence looks like, [`input`] opens what is handed over,
//! [`logs`] reads log lines, and [`cli`] is the only place that knows the command line, the environment and the terminal.

pub mod analysis;
pub mod bundle;
pub mod cli;
pub mod collect;
pub mod input;
pub mod logs;
pub mod model;
pub mod query;
pub mod render;
pub mod schema;
pub mod store;
