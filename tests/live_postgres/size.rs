//! A large table goes through without being held in memory.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use crate::support::postgres::Postgres;
use crate::support::rows;

use super::program;

const ROWS: u64 = 1_000_000;
/// Kilobytes. A row is kept as a fingerprint of 16 bytes; everything else comes and goes.
const MEMORY: u64 = 300_000;

#[test]
fn a_million_rows_go_through_a_bounded_memory() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.psql(&format!(
        "INSERT INTO events (id, created_at, source, source_id, event_type)
         SELECT lpad(to_hex(i), 8, '0') || '-0000-4000-8000-000000000000', now() - i * interval '1 s',
             repeat('x', 700), 'aaaaaaaa-0000-4000-8000-' || lpad(to_hex(i), 12, '0'), 'Update'
         FROM generate_series(1, {ROWS}) AS i"
    ));
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("large.dacapo");
    let mut command = program();
    command.args(["--quiet", "collect", "--database", &postgres.url("maestro")]).arg("-o").arg(&bundle);
    let mut child = command.spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        // The kernel keeps the peak itself; only what is used after the last look is missed.
        peak = peak.max(peak_memory(child.id()).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success());
    let step = rows::steps(&bundle)["postgres/events"].clone();
    assert_eq!((step["outcome"].as_str(), step["rows"].as_str()), ("ok", "Int(1000000)"), "{step:#?}");
    let bytes: u64 = step["bytes"].trim_start_matches("Int(").trim_end_matches(')').parse().unwrap();
    assert!(bytes / 1000 > 2 * MEMORY, "{bytes} bytes of rows are too few to tell");
    assert!(peak > 0 && peak < MEMORY, "{peak} kB for {bytes} bytes of rows");
}

/// The most memory that a process has had, in kilobytes.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
