//! The cage, from outside: starts the process that answers, holds its deadline and bounds what it says.

use super::frame::{Frame, Request, Trouble};
use super::{Allowed, Error, Question, Result};
use crate::bundle::Reader;
use crate::model::{Cut, Queried};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Frames that wait to be taken: enough that nobody waits for a thread to wake.
const WAITING: usize = 256;

/// Threads that a process may keep busy until the deadline, and seconds to start and to end.
const CPU_FACTOR: u64 = 2;
const CPU_SPARE: u64 = 5;

/// Asks a process of its own. Where works have to be judged first, it says now and then how many are and how many there are.
pub fn ask(
    question: &Question<'_>,
    bundle: &Reader,
    allowed: &Allowed,
    mut judged: impl FnMut(usize, usize),
) -> Result<Queried> {
    let deadline = Instant::now() + allowed.time;
    let mut caged = Caged::start(question, bundle, allowed)?;
    let frames = caged.listen(allowed.bytes);
    let mut queried = Queried { query: question.name.map(str::to_owned), ..Queried::default() };
    loop {
        match frames.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Heard::Frame(Frame::Judged(done, all))) => judged(done, all),
            Ok(Heard::Frame(Frame::Columns(columns))) => queried.columns = columns,
            Ok(Heard::Frame(Frame::Row(row))) => queried.rows.push(row),
            Ok(Heard::Frame(Frame::End(cut))) => {
                queried.cut = cut;
                return Ok(queried);
            }
            Ok(Heard::Frame(Frame::Trouble(trouble))) => return Err(told(trouble)),
            Ok(Heard::TooMuch) if queried.rows.is_empty() => return Err(Error::TooMuch { bytes: allowed.bytes }),
            Ok(Heard::TooMuch) => {
                queried.cut = Some(Cut::Bytes);
                return Ok(queried);
            }
            Err(RecvTimeoutError::Timeout) => return Err(Error::Deadline { after: allowed.time }),
            Err(RecvTimeoutError::Disconnected) => return Err(caged.died(deadline)),
        }
    }
}

fn told(trouble: Trouble) -> Error {
    match trouble {
        Trouble::NotReading => Error::NotReading,
        Trouble::Several(count) => Error::Several { count },
        Trouble::Engine(refusal) => Error::Engine { refusal },
        Trouble::Other(causes) => Error::Inside { causes },
    }
}

enum Heard {
    Frame(Frame),
    TooMuch,
}

/// A file for a process that must not write to it, where the system can open one that has no name.
fn read_only(file: &File) -> io::Result<File> {
    File::open(format!("/dev/fd/{}", file.as_raw_fd())).or_else(|_| file.try_clone())
}

/// The process; it does not outlive this.
struct Caged(Child);

impl Caged {
    fn start(question: &Question<'_>, bundle: &Reader, allowed: &Allowed) -> Result<Self> {
        let request = Request {
            sql: question.sql.to_owned(),
            parameters: question.parameters.clone(),
            memory: allowed.memory,
            cpu_seconds: allowed.time.as_secs().saturating_mul(CPU_FACTOR).saturating_add(CPU_SPARE),
            rows: allowed.rows,
            bytes: allowed.bytes,
            limits: allowed.limits,
            decrypted: bundle.decrypted().is_some(),
        };
        let mut command = Command::new(&allowed.program);
        command.arg(super::COMMAND).arg(bundle.path()).env_clear();
        command.envs(allowed.environment.iter().map(|(name, value)| (name, value)));
        // What was decrypted has no name, and the process has no keys: it gets the file in the place of standard error, where
        // it says nothing.
        let decrypted = bundle.decrypted().map(read_only).transpose().map_err(Error::Start)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(decrypted.map_or_else(Stdio::null, Stdio::from));
        let mut start = || -> io::Result<Self> {
            let mut caged = Self(command.spawn()?);
            let mut line = serde_json::to_vec(&request)?;
            line.push(b'\n');
            // Its standard input stays open: that we are there is what it reads from it.
            if let Some(input) = caged.0.stdin.as_mut() {
                input.write_all(&line)?;
                input.flush()?;
            }
            Ok(caged)
        };
        start().map_err(Error::Start)
    }

    /// What it says, frame by frame, until it ends or says too much.
    fn listen(&mut self, bytes: u64) -> Receiver<Heard> {
        let (heard, frames) = sync_channel(WAITING);
        if let Some(output) = self.0.stdout.take() {
            // One more frame than rows may take: the last one says that they were cut.
            std::thread::spawn(move || hear(output, bytes.saturating_mul(2), &heard));
        }
        frames
    }

    /// Why it said nothing more.
    fn died(&mut self, deadline: Instant) -> Error {
        let status = loop {
            match self.0.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        Error::Died { how: status.map_or_else(|| "it fell silent".to_owned(), ended) }
    }
}

impl Drop for Caged {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn hear(output: ChildStdout, bytes: u64, heard: &SyncSender<Heard>) {
    let mut output = BufReader::new(output.take(bytes));
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let Ok(frame) = serde_json::from_slice(&line) else { break };
        if heard.send(Heard::Frame(frame)).is_err() {
            return;
        }
    }
    if output.get_ref().limit() == 0 {
        let _ = heard.send(Heard::TooMuch);
    }
}

fn ended(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("signal {signal} ended it"),
        None => format!("it ended with {status}"),
    }
}
