//! The one mouth: answers on stdout, everything else on stderr, text from outside made harmless.

use super::error::{Failure, Kind};
use super::{Colour, Form};
use crate::collect::Progress;
use crate::collect::live::Piece;
use crate::render::{Present, TEXT, for_terminal, is_harmless};
use console::Term;
use futures::channel::oneshot;
use futures::future::LocalBoxFuture;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

pub struct Ui {
    quiet: bool,
    colour: bool,
    colour_errors: bool,
}

impl Ui {
    pub fn new(quiet: bool, colour: Colour) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let wants = |terminal: bool| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && !plain,
        };
        Self { quiet, colour: wants(io::stdout().is_terminal()), colour_errors: wants(io::stderr().is_terminal()) }
    }

    /// Writes an answer, and says what its form had no room for.
    pub fn answer(&self, answer: &impl Present, form: Form) -> Result<(), Failure> {
        let mut note = None;
        to_stdout(|out| form.0.write(answer, self.colour, out).map(|left| note = left))?;
        if let Some(note) = note {
            self.labelled("note", "\u{1b}[36m", &note);
        }
        Ok(())
    }

    /// Writes an answer into a file.
    pub fn answer_into(&self, answer: &impl Present, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let note = form.0.write(answer, false, out)?;
        note.iter().for_each(|note| self.labelled("note", "\u{1b}[36m", note));
        Ok(())
    }

    /// Asks for a line; `None` when there are no more.
    pub fn line(&self, prompt: &str) -> Option<String> {
        let mut err = io::stderr().lock();
        let _ = write!(err, "{prompt}").and_then(|()| err.flush());
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        read.is_ok_and(|bytes| bytes > 0).then_some(line)
    }

    /// Asks on the terminal for what nobody should see; `None` where there is no terminal.
    pub fn secret(&self, prompt: &str) -> Option<String> {
        let terminal = Term::stderr();
        if !terminal.is_term() {
            return None;
        }
        terminal.write_str(&for_terminal(prompt)).ok()?;
        terminal.read_secure_line().ok()
    }

    /// Writes bytes of our own making.
    pub fn raw(&self, bytes: &[u8]) -> Result<(), Failure> {
        to_stdout(|out| out.write_all(bytes))
    }

    /// Talks about what was done, as fully as an answer.
    pub fn tell(&self, told: &impl Present) {
        if !self.quiet {
            let _ = TEXT.write(told, self.colour_errors, &mut io::stderr().lock());
        }
    }

    /// A line about what was done.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{}", for_terminal(line));
        }
    }

    pub fn warn(&self, line: &str) {
        self.labelled("warning", "\u{1b}[33m", line);
    }

    pub fn hint(&self, line: &str) {
        self.labelled("hint", "\u{1b}[36m", line);
    }

    fn labelled(&self, label: &str, colour: &str, line: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{} {}", self.label(label, colour), for_terminal(line));
        }
    }

    fn label(&self, label: &str, colour: &str) -> String {
        if self.colour_errors { format!("{colour}{label}:\u{1b}[0m") } else { format!("{label}:") }
    }

    /// Says what could not be done, why, and what to do about it.
    pub fn fail(&self, failure: &Failure) -> ExitCode {
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "{} {}", self.label("error", "\u{1b}[1;31m"), for_terminal(&failure.what));
        for cause in &failure.because {
            let _ = writeln!(err, "  because {}", for_terminal(cause));
        }
        for candidate in &failure.candidates {
            let _ = writeln!(err, "    {}", for_terminal(candidate));
        }
        for hint in &failure.hints {
            let _ = writeln!(err, "{} {}", self.label("hint", "\u{1b}[36m"), for_terminal(hint));
        }
        if failure.kind == Kind::Internal {
            let _ = writeln!(err, "{} this should not happen; please report it", self.label("hint", "\u{1b}[36m"));
        }
        ExitCode::from(2)
    }

    /// A sign of life on a terminal, and a bar once it is known how many works there are.
    pub fn wait(&self, what: &'static str) -> Wait {
        let bar = Late::new(!self.quiet);
        bar.style(WAITING, what);
        Wait(bar)
    }

    fn bar(&self) -> ProgressBar {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.enable_steady_tick(TICK);
        bar
    }

    /// A sign of life on a terminal, and a bar once it is known how much there is; nothing in a pipe. Questions are asked
    /// where standard input is not evidence itself.
    pub fn progress(&self, asks: bool) -> Bar {
        let bar = self.bar();
        bar.set_style(style("{spinner} {bytes} read  {bytes_per_sec}  {wide_msg}"));
        Bar { talks: !self.quiet && bar.is_hidden(), bar, asks }
    }
}

/// What is done within this time shows nothing of how far it is.
const SOON: Duration = Duration::from_secs(1);

/// A bar that is there on a terminal once something takes a while.
struct Late {
    bar: ProgressBar,
    /// Dropped when it is done, which is what the thread that shows the bar waits for.
    _done: Sender<()>,
}

impl Late {
    fn new(shown: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (done, is_done) = channel();
        let late = bar.clone();
        if shown {
            std::thread::spawn(move || {
                if is_done.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(TICK);
                }
            });
        }
        Self { bar, _done: done }
    }

    fn style(&self, template: &str, what: &'static str) {
        self.bar.set_style(style(template));
        self.bar.set_message(what);
    }

    fn reached(&self, done: usize, all: usize) {
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// That something is at work, on a terminal.
pub struct Wait(Late);

impl Wait {
    /// There are works to count for a while; the rest comes after the last of them.
    pub fn judged(&self, done: usize, all: usize) {
        if self.0.bar.length().is_none() {
            self.0.style(COUNTED, "works judged");
        }
        self.0.reached(done, all);
        if done >= all {
            self.0.style(WAITING, "looking at all of them");
        }
    }

    pub fn finish(self) {
        self.0.finish();
    }
}

const TICK: Duration = Duration::from_millis(200);

const WAITING: &str = "{spinner} {elapsed} {msg}";

const COUNTED: &str = "{spinner} {bar:30} {human_pos} of {human_len} {msg}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// What was typed is repeated in what is said about it; it may have been copied from somewhere.
pub fn mistake(error: &clap::Error) -> ! {
    let words = error.render().to_string();
    if is_harmless(&words) {
        error.exit();
    }
    let lines: Vec<String> = words.lines().map(for_terminal).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    std::process::exit(error.exit_code())
}

/// A reader who has seen enough and closes the pipe is no error.
fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::output),
    }
}

pub struct Bar {
    bar: ProgressBar,
    /// There is no terminal for the bar, so each step is a line.
    talks: bool,
    /// Standard input is a person's.
    asks: bool,
}

impl Bar {
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, bytes: u64) {
        self.bar.set_style(style("{bar:30} {bytes} of {total_bytes}  {bytes_per_sec}  {wide_msg}"));
        self.bar.reset();
        self.bar.set_length(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn file(&self, name: &str) {
        self.bar.set_message(for_terminal(name));
    }

    /// On a terminal the bar has shown it; in a pipe a line is all there is to see until the end.
    fn fetched(&self, piece: &Piece) {
        let reading = &piece.reading;
        let why = reading.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        let line = format!("{}/{} {}{why}", piece.source, piece.name, reading.status.name());
        if self.talks {
            let _ = writeln!(io::stderr(), "{}", for_terminal(&line));
        }
    }

    /// Also where nobody else is to be heard: whoever said yes beforehand should find it in the log.
    fn tells(&self, notice: &str) {
        self.bar.suspend(|| {
            let lines: Vec<String> = notice.lines().map(for_terminal).collect();
            let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
        });
    }

    /// A person may think for a while, so somebody else waits for the answer. The bar would be drawn over the question.
    fn confirms(&self, notice: &str, question: &str) -> LocalBoxFuture<'static, bool> {
        let shown = !self.bar.is_hidden();
        self.bar.set_draw_target(ProgressDrawTarget::hidden());
        self.tells(notice);
        let mut err = io::stderr().lock();
        let _ = write!(err, "{} (yes/no): ", for_terminal(question));
        let _ = err.flush();
        if !self.asks {
            let _ = writeln!(err, "no, because evidence comes from standard input");
        }
        let (answered, answer) = oneshot::channel();
        if self.asks {
            std::thread::spawn(move || {
                let mut line = String::new();
                let said = io::stdin().read_line(&mut line).is_ok() && line.trim() == "yes";
                let _ = answered.send(said);
            });
        }
        let bar = self.bar.clone();
        Box::pin(async move {
            let yes = answer.await.unwrap_or(false);
            if shown {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            yes
        })
    }
}
