//! Time, memory and bytes read of a child process, without anything but `/proc`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a child is looked at. What it does to its memory in its last such moment can be
/// missed.
const LOOK: Duration = Duration::from_micros(500);

/// What a process took.
pub struct Cost {
    pub wall: Duration,
    /// The largest resident size that was seen.
    pub peak_memory: Option<u64>,
    /// Through read calls, from files, pipes and the page cache alike; pages that are mapped do not
    /// count.
    pub bytes_read: Option<u64>,
    /// `None` when a signal ended it.
    pub exit: Option<i32>,
}

impl Cost {
    pub fn seconds(&self) -> f64 {
        self.wall.as_secs_f64()
    }
}

/// Runs a command. What it says goes to a file (stdout only where the command has no place for it
/// yet): `grep` stops at the first match when it writes to `/dev/null`.
pub fn measure(command: &mut Command, said: &Path) -> io::Result<Cost> {
    let out = File::create(said)?;
    let errors = out.try_clone()?;
    if command.get_args().next() != Some("--compress".as_ref()) {
        command.stdout(out);
    }
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stderr(errors).spawn()?;
    let process = format!("/proc/{}", child.id());
    let mut peak_memory = None;
    // A child that ended keeps its counters until somebody waits for it.
    while is_running(&process) {
        peak_memory = number_after(&format!("{process}/status"), "VmHWM:").map(|kb| kb * 1024).or(peak_memory);
        std::thread::sleep(LOOK);
    }
    let wall = started.elapsed();
    let bytes_read = number_after(&format!("{process}/io"), "rchar:");
    let exit = child.wait()?.code();
    // Without /proc there was nothing to look at, and the wait was the run.
    let wall = if bytes_read.is_some() { wall } else { started.elapsed() };
    Ok(Cost { wall, peak_memory, bytes_read, exit })
}

/// Neither a zombie nor gone.
fn is_running(process: &str) -> bool {
    let stat = fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
    // The state follows the name, which stands in parentheses and may contain anything.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

fn number_after(file: &str, label: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.split_whitespace().next()?.parse().ok()
}
