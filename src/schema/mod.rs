//! What evidence looks like: every table, declared once.
//!
//! A declaration (see `record.rs`) is the Rust struct, the Parquet schema, the DuckDB table and the page in
//! `docs/schema.md`. This module knows none of those libraries; it only describes.

mod cluster;
mod collection;
mod database;
mod docs;
mod log;
mod marker;
mod moment;
mod record;
mod time;
mod words;

pub use cluster::{AppliedManifestWork, KubeEvent, KubeObject, ManifestWork};
pub use collection::{Redaction, Step, Unknown};
pub use database::{Consumer, Event, EventInstance, Resource, ServerInstance, StatusEvent};
pub use docs::page;
pub use log::{Coverage, LogLine, SHUTDOWN};
pub use marker::{is_marker, marker, markers};
pub use moment::Moment;
pub use record::{
    Bytes, Cell, Changes, Class, Column, Family, Json, Key, Kind, Names, Record, Row, Table, Text, Value, kept,
};
pub use time::Time;
pub use words::{ManifestPath, is_arm_id, label_keys, label_value, label_word, manifest_keys, plurals};

/// Every table a bundle has, in the order in which it holds them.
pub const TABLES: &[Table] = &[
    Resource::TABLE,
    Event::TABLE,
    StatusEvent::TABLE,
    Consumer::TABLE,
    ServerInstance::TABLE,
    EventInstance::TABLE,
    AppliedManifestWork::TABLE,
    ManifestWork::TABLE,
    KubeObject::TABLE,
    KubeEvent::TABLE,
    LogLine::TABLE,
    Coverage::TABLE,
    Step::TABLE,
    Redaction::TABLE,
    Unknown::TABLE,
];

/// The table of that name.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// Is the column one of this version's?
pub fn is_declared(table_name: &str, column: &str) -> bool {
    table(table_name).is_some_and(|table| table.columns.iter().any(|own| own.name == column))
}
