//! What collecting and tracing a busy fleet costs, beside what anybody would compare it with.
//!
//! `cargo bench --bench collect` writes two million lines (about 1 GB; `DACAPO_BENCH_LINES` says
//! otherwise) into a temporary folder and measures, in one run on one machine: `dacapo collect` with and
//! without redaction, `zstd -3` and `grep` of the same logs, then `trace` and `inspect` of the bundle. A cold `trace` stands
//! beside what no answer can do without: a process that checks the manifest and starts an empty DuckDB.
//! A fifth as many lines are then collected from each form that people hand logs over in, raw ones
//! among them. It prints figures and judges none: times depend on the machine, ratios less so. Memory
//! and bytes read come from `/proc` and are left out where that is absent. `DACAPO_BENCH_KEEP` keeps
//! the folder, for a profiler.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot go on has failed"
)]
#![allow(clippy::print_stdout, reason = "the figures")]

#[path = "collect/carriers.rs"]
mod carriers;
mod generate;
#[path = "collect/meter.rs"]
mod meter;
#[path = "../tests/support/mod.rs"]
mod support;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use dacapo::bundle::Reader;
use dacapo::store::Store;
use generate::Fleet;
use meter::{Cost, measure};
use tempfile::TempDir;

/// Healthy scenarios of one kind of Maestro: same release, same status subscription, same
/// verbosity.
const SCENARIOS: [&str; 5] =
    ["healthy-update", "healthy-many-manifests", "healthy-recreate", "healthy-delete-rest", "delete-orphan"];
const LINES: u64 = 2_000_000;
/// Every form is collected so often, in turn, and the fastest counts: on a busy machine single times
/// tell little.
const ROUNDS: usize = 3;
/// So often a trace is started, in turn with what it is compared with: both take a moment only.
const STARTS: usize = 10;
const DACAPO: &str = env!("CARGO_BIN_EXE_dacapo");

fn main() -> io::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.split_first() {
        // This program measures itself as zstd, so that no machine needs the tool.
        Some((first, files)) if first == Path::new("--compress") => compress(files),
        Some((first, [bundle])) if first == Path::new("--empty") => {
            start_empty(bundle);
            Ok(())
        }
        _ => bench(),
    }
}

fn bench() -> io::Result<()> {
    let lines = std::env::var("DACAPO_BENCH_LINES").ok().and_then(|lines| lines.parse().ok()).unwrap_or(LINES);
    let mut dir = TempDir::with_prefix("dacapo-bench-")?;
    if std::env::var_os("DACAPO_BENCH_KEEP").is_some() {
        dir.disable_cleanup(true);
        println!("{}", dir.path().display());
    }
    let fleet = make(&dir.path().join("fleet"), lines)?;
    let bundle = dir.path().join("fleet.dacapo");
    let compressed = dir.path().join("fleet.zst");
    let work = &fleet.works[fleet.works.len() / 2];

    let [collected, unredacted] = with_and_without_redaction(&dir.path().join("fleet"), &bundle)?;
    let mut zstd = Command::new(std::env::current_exe()?);
    zstd.arg("--compress").args(&fleet.log_files).stdout(Stdio::from(File::create(&compressed)?));
    let zstd = measure(&mut zstd, &dir.path().join("zstd.out"))?;
    let mut grep = Command::new("grep");
    grep.env("LC_ALL", "C").args(["-c", "-F", &work.resource_id]).args(&fleet.log_files);
    let grep = measure(&mut grep, &dir.path().join("grep.out")).ok();

    println!("\n{:<26}{:>10}{:>10}{:>14}{:>14}{:>8}", "", "time", "MB/s", "peak memory", "bytes read", "exit");
    print_row("dacapo collect", &collected, Some(fleet.bytes));
    print_row("the same, --no-redact", &unredacted, Some(fleet.bytes));
    print_row("zstd -3, one thread", &zstd, Some(fleet.bytes));
    match &grep {
        Some(grep) => print_row("grep -c ID", grep, Some(fleet.bytes)),
        None => println!("grep -c ID                 (no grep here)"),
    }
    let traced = questions(&bundle, &work.resource_id, &work.name, dir.path())?;
    println!("\ncollect / --no-redact time  {:>8.2}", collected.seconds() / unredacted.seconds());
    print_ratios(&fleet, &collected, &zstd, grep.as_ref(), &traced, [&bundle, &compressed])?;
    compare_carriers(dir.path(), lines / 5)
}

/// Collects with redaction and without, in turn; of each the fastest counts. The bundle that stays is the redacted one.
fn with_and_without_redaction(from: &Path, bundle: &Path) -> io::Result<[Cost; 2]> {
    let (mut with, mut without) = (None, None);
    for _ in 0..ROUNDS {
        for (fastest, options) in [(&mut without, &["--no-redact"][..]), (&mut with, &[])] {
            let mut collect = Command::new(DACAPO);
            collect.arg("collect").arg("--from").arg(from).args(options).arg("-o").arg(bundle);
            keep(fastest, measure(&mut collect, &bundle.with_extension("out"))?);
        }
    }
    Ok([with.expect("measured"), without.expect("measured")])
}

/// Collects the same lines from raw logs and from everything else that carries them.
fn compare_carriers(dir: &Path, lines: u64) -> io::Result<()> {
    println!();
    let folder = dir.join("small");
    let fleet = make(&folder, lines)?;
    let mut carriers = vec![carriers::Carrier { name: "raw", path: folder.join("logs") }];
    carriers.extend(carriers::write_all(&folder, &fleet.log_files, &dir.join("carriers"))?);
    let mut fastest: Vec<Option<Cost>> = carriers.iter().map(|_| None).collect();
    let mut fastest_zstd = None;
    for _ in 0..ROUNDS {
        for (carrier, fastest) in carriers.iter().zip(&mut fastest) {
            let mut collect = Command::new(DACAPO);
            collect.arg("collect").arg("--from").arg(&carrier.path).arg("-o").arg(dir.join("carrier.dacapo"));
            keep(fastest, measure(&mut collect, &dir.join("collect.out"))?);
        }
        let mut zstd = Command::new(std::env::current_exe()?);
        zstd.arg("--compress").args(&fleet.log_files).stdout(Stdio::from(File::create(dir.join("small.zst"))?));
        keep(&mut fastest_zstd, measure(&mut zstd, &dir.join("zstd.out"))?);
    }
    let (raw, zstd) = (fastest[0].as_ref().expect("measured"), fastest_zstd.expect("measured"));
    println!("\n{:<26}{:>10}{:>10}{:>14}{:>10}", "the same lines as", "time", "MB/s", "peak memory", "/ raw");
    for (name, cost) in carriers.iter().map(|carrier| carrier.name).zip(fastest.iter().flatten()) {
        print_carrier(name, cost, raw, fleet.bytes);
    }
    print_carrier("zstd -3 of raw", &zstd, raw, fleet.bytes);
    println!("collect / zstd -3 time     {:>8.2}", raw.seconds() / zstd.seconds());
    Ok(())
}

/// Keeps the fastest.
fn keep(best: &mut Option<Cost>, cost: Cost) {
    if best.as_ref().is_none_or(|best| cost.wall < best.wall) {
        *best = Some(cost);
    }
}

fn print_carrier(name: &str, cost: &Cost, raw: &Cost, bytes: u64) {
    println!(
        "{name:<26}{:>8.3} s{:>10.0}{:>14}{:>10.2}{}",
        cost.seconds(),
        bytes as f64 / 1e6 / cost.seconds(),
        cost.peak_memory.map_or_else(String::new, megabytes),
        cost.seconds() / raw.seconds(),
        if cost.exit == Some(0) { "" } else { "  failed" },
    );
}

/// Writes the fleet and says what it is.
fn make(target: &Path, lines: u64) -> io::Result<Fleet> {
    let started = Instant::now();
    let dirs = SCENARIOS.map(support::unpack);
    let folders: Vec<PathBuf> = dirs.iter().zip(SCENARIOS).map(|(dir, name)| dir.path().join(name)).collect();
    let fleet = generate::generate(&folders, target, lines)?;
    println!(
        "{} lines, {} of logs in {} files, {} works with rows; made in {:.1} s",
        fleet.lines,
        megabytes(fleet.bytes),
        fleet.log_files.len(),
        fleet.works.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(fleet)
}

/// What `trace` cost as a new process, and what it is compared with.
struct Traced {
    cold: Cost,
    empty: Cost,
}

/// `trace` and `inspect` of the bundle, first with its pages dropped from memory where `dd` can do
/// that.
fn questions(bundle: &Path, id: &str, name: &str, dir: &Path) -> io::Result<Traced> {
    let answer = dir.join("answer.out");
    let ask = |command: &str, arguments: &[&str]| {
        measure(Command::new(DACAPO).arg(command).arg(bundle).args(arguments), &answer)
    };
    let trace = |id: &str| ask("trace", &[id, "--format", "json"]);
    let (mut cold, mut empty) = (None, None);
    for _ in 0..STARTS {
        forget(bundle);
        keep(&mut empty, measure(Command::new(std::env::current_exe()?).arg("--empty").arg(bundle), &answer)?);
        forget(bundle);
        keep(&mut cold, trace(id)?);
    }
    let told = outcome(&fs::read_to_string(&answer)?);
    let (cold, empty) = (cold.expect("measured"), empty.expect("measured"));
    print_row("empty DuckDB + manifest", &empty, None);
    print_row("dacapo trace ID, cold", &cold, None);
    println!("{:<26}{told}", "");
    print_row("dacapo trace ID, warm", &trace(id)?, None);
    print_row("dacapo trace NAME", &trace(name)?, None);
    print_row("dacapo inspect", &ask("inspect", &[])?, None);
    Ok(Traced { cold, empty })
}

/// What no answer can do without: the manifest is read and checked, a database that holds nothing yet answers.
fn start_empty(bundle: &Path) {
    let reader = Reader::open(bundle).expect("a bundle");
    let answer = Store::open().expect("a database").select("one", "select 1", &[]).expect("an answer");
    assert!(!reader.manifest().members.is_empty() && answer.rows.len() == 1);
}

/// What the trace answered: a figure for a wrong answer would be worth nothing.
fn outcome(answer: &str) -> String {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    let request = &answer["works"][0]["requests"][0];
    format!("  answers {} v{}: {}", request["request"], request["version"], request["outcome"])
}

/// Asks the system to drop a file's pages from memory; best effort, and without `dd` the trace is a
/// warm one.
fn forget(file: &Path) {
    let input = format!("if={}", file.display());
    let dropped = Command::new("dd").args([&input, "iflag=nocache", "count=0", "status=none"]).status();
    if !dropped.is_ok_and(|status| status.success()) {
        println!("(the file's pages could not be dropped: cold is warm)");
    }
}

/// `zstd -3` of files one after the other, to stdout.
fn compress(files: &[PathBuf]) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(BufWriter::with_capacity(1 << 20, io::stdout().lock()), 3)?;
    for file in files {
        io::copy(&mut BufReader::with_capacity(1 << 20, File::open(file)?), &mut encoder)?;
    }
    io::Write::flush(&mut encoder.finish()?)
}

fn print_row(label: &str, cost: &Cost, bytes: Option<u64>) {
    let rate = bytes.map_or_else(String::new, |bytes| format!("{:.0}", bytes as f64 / 1e6 / cost.seconds()));
    println!(
        "{label:<26}{:>8.3} s{rate:>10}{:>14}{:>14}{:>8}",
        cost.seconds(),
        cost.peak_memory.map_or_else(String::new, megabytes),
        cost.bytes_read.map_or_else(String::new, megabytes),
        cost.exit.map_or_else(|| "signal".to_owned(), |code| code.to_string()),
    );
}

fn print_ratios(
    fleet: &Fleet,
    collected: &Cost,
    zstd: &Cost,
    grep: Option<&Cost>,
    traced: &Traced,
    [bundle, compressed]: [&Path; 2],
) -> io::Result<()> {
    let (bundle, compressed) = (fs::metadata(bundle)?.len(), fs::metadata(compressed)?.len());
    let share =
        |size: u64| format!("{} ({:.1} % of the logs)", megabytes(size), 100.0 * size as f64 / fleet.bytes as f64);
    println!("\nbundle {}; zstd -3 {}", share(bundle), share(compressed));
    println!("bundle / zstd -3 size      {:>8.2}", bundle as f64 / compressed as f64);
    println!("collect / zstd -3 time     {:>8.2}", collected.seconds() / zstd.seconds());
    if let Some(grep) = grep {
        println!("collect / grep time        {:>8.2}", collected.seconds() / grep.seconds());
        println!("cold trace / grep time     {:>8.3}", traced.cold.seconds() / grep.seconds());
    }
    println!("cold trace / empty DuckDB  {:>8.2}", traced.cold.seconds() / traced.empty.seconds());
    if let Some(read) = traced.cold.bytes_read {
        println!("cold trace reads           {:>8.2} % of the bundle", 100.0 * read as f64 / bundle as f64);
    }
    println!("collect, lines per second  {:>8.0}", fleet.lines as f64 / collected.seconds());
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
