//! What asking about everything costs on a fleet of which it is known what is broken.
//!
//! `cargo bench --bench fleet` makes a fleet of 100,000 works, 200 consumers and three replicas with about ten million
//! log lines (`DACAPO_BENCH_WORKS` says otherwise), one work in a hundred broken, and one a tenth of that size. It collects
//! both and measures `diagnose` and `works` beside what no answer about everything can do without: reading every table of the
//! bundle once. It says whether every broken work was found and no other, how the times grow with the size, and judges
//! neither. `DACAPO_BENCH_KEEP` keeps the folder, for a profiler.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot go on has failed"
)]
#![allow(clippy::print_stdout, reason = "the figures")]

#[path = "fleet/made.rs"]
mod made;
#[path = "collect/meter.rs"]
mod meter;
#[path = "generate/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use dacapo::bundle::{Columns, Reader, Rows};
use made::{Fleet, Size, make};
use meter::{Cost, measure};
use serde_json::Value;
use tempfile::TempDir;

const WORKS: usize = 100_000;
const CONSUMERS: usize = 200;
const DACAPO: &str = env!("CARGO_BIN_EXE_dacapo");

fn main() -> io::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.split_first() {
        // This program measures itself as somebody who reads everything and does nothing with it.
        Some((first, [bundle])) if first == Path::new("--read") => {
            read_once(bundle);
            Ok(())
        }
        _ => bench(),
    }
}

fn bench() -> io::Result<()> {
    let works = std::env::var("DACAPO_BENCH_WORKS").ok().and_then(|works| works.parse().ok()).unwrap_or(WORKS);
    let mut dir = TempDir::with_prefix("dacapo-bench-")?;
    if std::env::var_os("DACAPO_BENCH_KEEP").is_some() {
        dir.disable_cleanup(true);
        println!("{}", dir.path().display());
    }
    let small = ask(dir.path(), Size { works: works / 10, consumers: CONSUMERS })?;
    let large = ask(dir.path(), Size { works, consumers: CONSUMERS })?;
    println!(
        "\ngrowth from {} to {} lines ({:.1} ×)",
        small.lines,
        large.lines,
        large.times(&small, |cost| cost.lines as f64)
    );
    for (name, cost) in
        [("collect", Asked::collect as fn(&Asked) -> f64), ("diagnose", Asked::diagnose), ("works", Asked::works)]
    {
        println!("{name:<26}{:>8.2} ×", large.times(&small, cost));
    }
    Ok(())
}

/// What one fleet cost.
struct Asked {
    lines: u64,
    collected: Cost,
    diagnosed: Cost,
    listed: Cost,
}

impl Asked {
    fn collect(&self) -> f64 {
        self.collected.seconds()
    }

    fn diagnose(&self) -> f64 {
        self.diagnosed.seconds()
    }

    fn works(&self) -> f64 {
        self.listed.seconds()
    }

    fn times(&self, other: &Self, what: impl Fn(&Self) -> f64) -> f64 {
        what(self) / what(other)
    }
}

/// Makes a fleet, collects it, asks about everything, and prints what that took.
fn ask(dir: &Path, size: Size) -> io::Result<Asked> {
    let (folder, bundle) = (dir.join(size.works.to_string()), dir.join(format!("{}.dacapo", size.works)));
    let fleet = make(&folder, size)?;
    println!(
        "\n{} works, {} broken, {} consumers, {} lines, {}",
        fleet.works,
        fleet.broken.len(),
        size.consumers,
        fleet.lines,
        megabytes(fleet.bytes)
    );
    let said = dir.join("said.json");
    let collected =
        measure(Command::new(DACAPO).arg("collect").arg("--from").arg(&folder).arg("-o").arg(&bundle), &said)?;
    // The evidence of a large fleet takes more room than everything else.
    fs::remove_dir_all(&folder)?;
    let read = measure(Command::new(std::env::current_exe()?).arg("--read").arg(&bundle), &said)?;
    let verified = measure(Command::new(DACAPO).arg("verify").arg(&bundle), &said)?;
    let question =
        |command: &str| measure(Command::new(DACAPO).arg(command).arg(&bundle).args(["--format", "json"]), &said);
    let listed = question("works")?;
    let diagnosed = question("diagnose")?;
    println!("{:<26}{:>10}{:>14}{:>14}{:>8}{:>10}", "", "time", "peak memory", "bytes read", "exit", "/ read");
    let rows = [
        ("collect", &collected),
        ("read once", &read),
        ("verify", &verified),
        ("works", &listed),
        ("diagnose", &diagnosed),
    ];
    for (name, cost) in rows {
        print_row(name, cost, &read);
    }
    println!("bundle {}; {}", megabytes(fs::metadata(&bundle)?.len()), told(&fs::read_to_string(&said)?, &fleet));
    Ok(Asked { lines: fleet.lines, collected, diagnosed, listed })
}

/// Every column of every table, decoded.
fn read_once(bundle: &Path) {
    let reader = Reader::open(bundle).expect("a bundle");
    let tables: Vec<String> =
        reader.manifest().members.iter().filter_map(|member| member.table().map(str::to_owned)).collect();
    let mut rows = 0;
    for table in tables {
        reader.read(&table, &Rows::All, Columns::All, |batch, _| rows += batch.num_rows()).expect("a table");
    }
    println!("{rows} rows");
}

/// How right the diagnosis is.
fn told(answer: &str, fleet: &Fleet) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(answer) else {
        return format!("no diagnosis: {}", answer.chars().take(300).collect::<String>());
    };
    let mut found = BTreeSet::new();
    let mut findings = 0;
    above_info(&answer["findings"], &mut |rule, id| {
        findings += 1;
        found.insert((id.to_owned(), rule.to_owned()));
    });
    let of = |id: &str, rule: &str| found.contains(&(id.to_owned(), rule.to_owned()));
    let missed = fleet.broken.iter().filter(|broken| !of(&broken.id, broken.way.rule())).count();
    let broken: BTreeSet<&str> = fleet.broken.iter().map(|broken| broken.id.as_str()).collect();
    let invented: BTreeSet<&str> = found.iter().map(|(id, _)| id.as_str()).filter(|id| !broken.contains(id)).collect();
    format!(
        "{} of {} broken works found by their rule, {} invented, {findings} findings about works",
        broken.len() - missed,
        broken.len(),
        invented.len()
    )
}

fn above_info(findings: &Value, each: &mut impl FnMut(&str, &str)) {
    for finding in findings.as_array().into_iter().flatten() {
        if finding["severity"] != "info" {
            for work in finding["works"].as_array().into_iter().flatten() {
                each(finding["rule"].as_str().unwrap_or_default(), work["resource_id"].as_str().unwrap_or_default());
            }
        }
        above_info(&finding["cause_of"], each);
    }
}

fn print_row(label: &str, cost: &Cost, read: &Cost) {
    println!(
        "{label:<26}{:>8.2} s{:>14}{:>14}{:>8}{:>10.2}",
        cost.seconds(),
        cost.peak_memory.map_or_else(String::new, megabytes),
        cost.bytes_read.map_or_else(String::new, megabytes),
        cost.exit.map_or_else(|| "signal".to_owned(), |code| code.to_string()),
        cost.seconds() / read.seconds(),
    );
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
