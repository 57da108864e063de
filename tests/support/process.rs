//! Programs that run beside the tests: they end when their owner is dropped, and when the tests die.
//!
//! Each holds one end of a pipe as its standard input; we hold the other, which no other process
//! inherits. However this process ends, the pipe closes.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Runs a command until it ends or standard input closes, for programs that do not look at theirs.
const GUARD: &str = r#"
signal=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -s "$signal" "$child"; } >/dev/null 2>&1 &
reader=$!
exec 3<&-
wait "$child"; code=$?
kill "$reader" 2>/dev/null
exit "$code""#;

/// Removes a folder when standard input closes; what still ends may write into it meanwhile.
const SWEEPER: &str = r#"read -r _; until rm -rf "$1" 2>/dev/null; do sleep 1; done"#;

/// No server on this machine takes this long to start or to stop; a hang becomes a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that runs beside the tests.
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program that ends with its standard input; what it says goes into the file `log`.
    pub fn start(command: &mut Command, log: PathBuf) -> Self {
        let file = File::create(&log).unwrap();
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let child = spawn(command);
        Self { child, log }
    }

    /// Whether it ended by itself.
    pub fn ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// What it has said so far.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Waits until `ready` gives something; `Err` with the program's words if it ended before.
    pub fn wait_for<T>(&mut self, mut ready: impl FnMut(&Self) -> Option<T>) -> Result<T, String> {
        let start = Instant::now();
        loop {
            if let Some(found) = ready(self) {
                return Ok(found);
            }
            if self.ended() {
                return Err(self.said());
            }
            assert!(start.elapsed() < PATIENCE, "{} waits for ever:\n{}", self.log.display(), self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if start.elapsed() > PATIENCE {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A command that is sent `signal` when standard input closes; its arguments are still to be added.
pub fn guarded(signal: &str, program: impl AsRef<Path>) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", GUARD, "guard", signal]).arg(program.as_ref());
    command
}

/// A new folder that is gone when it is dropped or, for what lives in a `static`, with the tests.
/// Whoever other than us runs the program may enter it.
pub fn folder(prefix: &str) -> TempDir {
    static ALL: LazyLock<(PathBuf, Mutex<Child>)> = LazyLock::new(|| {
        let all = TempDir::with_prefix("dacapo-run-").unwrap().keep();
        fs::set_permissions(&all, Permissions::from_mode(0o755)).unwrap();
        let mut sweeper = Command::new("sh");
        sweeper.args(["-c", SWEEPER, "sweeper"]).arg(&all).stdout(Stdio::null()).stderr(Stdio::null());
        (all, Mutex::new(spawn(&mut sweeper)))
    });
    tempfile::Builder::new().prefix(prefix).tempdir_in(&ALL.0).unwrap()
}

/// A port of 127.0.0.1 that was free a moment ago. Another may take it: be ready to try again.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a server with ports it says are taken only rarely, so three attempts are plenty.
pub fn with_free_ports<T>(start: impl Fn() -> Result<T, String>) -> T {
    let mut refusal = String::new();
    for _ in 0..3 {
        match start() {
            Ok(started) => return started,
            Err(said) if said.contains("address already in use") || said.contains("Address already in use") => {
                refusal = said;
            }
            Err(said) => panic!("{said}"),
        }
    }
    panic!("{refusal}");
}

/// In a process group of its own: who stops the tests from a terminal stops them, and they stop this.
fn spawn(command: &mut Command) -> Child {
    let spawned = command.stdin(Stdio::piped()).process_group(0).spawn();
    spawned.unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"))
}

/// A test that needs a program that is not there says so, and is skipped; never where `CI` is set.
pub fn skip<T>(lacks: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "{lacks}; nothing is skipped where CI is set");
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap();
    if !said.iter().any(|before| before == lacks) {
        // Not eprintln!, which is only shown for tests that fail.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {lacks}; run `make test-setup`");
        said.push(lacks.to_owned());
    }
    None
}

/// Where a program is: in `folders`, first one first, or on the PATH.
pub fn find_program(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().cloned().chain(std::env::split_paths(&path));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// What a terminal shows to somebody who runs a command and types this.
pub fn on_a_terminal(line: &str, typed: &[u8]) -> String {
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", line, "/dev/null"]).env("TERM", "xterm").env("HOME", "/nowhere");
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed).unwrap();
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}
