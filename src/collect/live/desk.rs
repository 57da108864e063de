//! Where answers are handed in: each in a file without a name, with the time it was read and what came of it.

use super::trouble::Trouble;
use super::wanted::{Limits, Wanted, Window};
use crate::collect::form::Progress;
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use crate::collect::stop::{Hold, Stop};
use crate::schema::Time;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::future::Future;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What one step brought.
#[derive(Debug)]
pub struct Piece {
    /// What the bundle calls the system it was read from.
    pub source: String,
    /// The step, as a path below the source: what lies there in an exported folder would be called so.
    pub name: String,
    pub said: Said,
    /// The answer, if there is any.
    pub file: Option<File>,
    pub reading: Reading,
}

/// How a step went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub started_at: Option<Time>,
    pub took: Duration,
    pub status: Status,
    /// Why it is not well.
    pub why: Option<String>,
    /// What is not in the answer was not there.
    pub whole: bool,
    /// The end of what was there was not read: the last that was read is not the last that happened.
    pub cut: bool,
    pub remarks: Vec<String>,
    /// Rows, objects or lines, as the source counts them.
    pub records: u64,
    pub bytes: u64,
}

/// All that running systems brought.
#[derive(Debug, Default)]
pub struct Fetched {
    pub pieces: Vec<Piece>,
    /// When they were asked, by the clock that is furthest behind.
    pub asked_at: Option<Time>,
    /// What a reader of the bundle should know.
    pub notes: Vec<String>,
}

/// Microseconds by which two clocks may differ before anybody is told: asking takes time itself.
const WORTH_TELLING: i64 = 1_000_000;

/// A clock that is further off is set wrong: what happened is not told by it.
const BELIEVED: i64 = 24 * 60 * 60 * 1_000_000;

fn differs(source: &str, ahead: i64) -> Option<String> {
    let seconds = ahead.unsigned_abs() as f64 / 1e6;
    let way = if ahead < 0 { "behind" } else { "ahead of" };
    let doubt = if ahead.abs() > BELIEVED { "; it was not believed" } else { "" };
    let told = format!("the clock of {source} was {seconds:.1} s {way} that of the machine that collected{doubt}");
    (ahead.abs() > WORTH_TELLING).then_some(told)
}

/// What all sources share.
pub struct Desk<'a> {
    pub limits: &'a Limits,
    pub window: &'a Window,
    progress: &'a dyn Progress,
    folder: PathBuf,
    pieces: RefCell<Vec<Piece>>,
    clocks: RefCell<Vec<(String, i64)>>,
    stop: &'a Stop,
    late: Cell<bool>,
    began: (Time, Instant),
    /// How many more answers this machine lets us keep open.
    room: Cell<u64>,
}

/// Where nobody tells how many files may be open.
const MANY: u64 = 512;

/// Files that the rest of a collection needs: connections, tables, the bundle.
const FILES_OF_OTHERS: u64 = 128;

impl<'a> Desk<'a> {
    pub fn new(wanted: &'a Wanted, folder: &Path, progress: &'a dyn Progress, stop: &'a Stop) -> Self {
        Self {
            limits: &wanted.limits,
            window: &wanted.window,
            progress,
            folder: folder.to_owned(),
            pieces: RefCell::default(),
            clocks: RefCell::default(),
            stop,
            late: Cell::new(false),
            began: (wanted.began, Instant::now()),
            room: Cell::new(
                rlimit::increase_nofile_limit(u64::MAX).map_or(MANY, |most| most.saturating_sub(FILES_OF_OTHERS)),
            ),
        }
    }

    /// The clock of this machine, which may differ from others.
    pub fn now(&self) -> Time {
        let (at, then) = self.began;
        at.plus_micros(i64::try_from(then.elapsed().as_micros()).unwrap_or(i64::MAX))
    }

    /// Waits for an answer: not longer than a request may take, and not once reading is over.
    pub async fn wait<T, E: Into<Trouble>>(&self, answer: impl Future<Output = Result<T, E>>) -> Result<T, Trouble> {
        self.wait_for(self.limits.request, answer).await
    }

    /// The same with a limit of its own.
    pub async fn wait_for<T, E: Into<Trouble>>(
        &self,
        limit: Duration,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Trouble> {
        tokio::select! {
            biased;
            () = self.stop.no_more_reading() => Err(self.over()),
            answer = tokio::time::timeout(limit, answer) => match answer {
                Ok(answer) => answer.map_err(Into::into),
                Err(_) => Err(Trouble::new(Status::TimedOut, format!("no answer within {} s", limit.as_secs()))),
            },
        }
    }

    /// Is there any use in asking for more?
    pub fn goes_on(&self) -> Result<(), Trouble> {
        if self.stop.is_reading() { Ok(()) } else { Err(self.over()) }
    }

    /// The time for all of it is up: nothing more is read, what was read is kept.
    pub fn out_of_time(&self) {
        self.late.set(true);
        self.stop.reading();
    }

    fn over(&self) -> Trouble {
        if self.late.get() {
            let total = self.limits.total.as_secs();
            return Trouble::new(Status::TimedOut, format!("the {total} s for the whole collection were over"));
        }
        Trouble::new(Status::Cancelled, "the collection was stopped")
    }

    /// Begins a step.
    pub fn open(&self, source: &str, name: &str, said: Said) -> Result<Spool<'_>, Trouble> {
        self.progress.file(&format!("{source}/{name}"));
        let room = self.room.get().checked_sub(1);
        let full = || Trouble::new(Status::Failed, "this machine lets no more files be open; see ulimit -n");
        self.room.set(room.ok_or_else(full)?);
        let file = tempfile::tempfile_in(&self.folder)?;
        Ok(Spool {
            desk: self,
            piece: Piece {
                source: source.to_owned(),
                name: name.to_owned(),
                said,
                file: None,
                reading: Reading { started_at: Some(self.now()), whole: true, ..Reading::default() },
            },
            file: BufWriter::new(file),
            started: Instant::now(),
        })
    }

    /// Hands in a step that brought nothing.
    pub fn missed(&self, source: &str, name: &str, said: Said, trouble: Trouble) {
        let reading = Reading {
            started_at: Some(self.now()),
            status: trouble.status,
            why: Some(trouble.why),
            ..Reading::default()
        };
        self.hand_in(Piece { source: source.to_owned(), name: name.to_owned(), said, file: None, reading });
    }

    /// Hands in what a source tells about itself: a step without rows.
    pub fn told(&self, source: &str, name: &str, said: Said, remarks: Vec<String>) {
        let reading = Reading { started_at: Some(self.now()), remarks, ..Reading::default() };
        self.hand_in(Piece { source: source.to_owned(), name: name.to_owned(), said, file: None, reading });
    }

    /// Shows the person something that needs no answer.
    pub fn tells(&self, notice: &str) {
        self.progress.tells(notice);
    }

    /// Shows the person something and asks for a yes. Other sources go on meanwhile.
    pub async fn confirms(&self, notice: &str, question: &str) -> bool {
        tokio::select! {
            biased;
            () = self.stop.no_more_reading() => false,
            yes = self.progress.confirms(notice, question) => yes,
        }
    }

    /// Keeps the program alive until something that was changed is put back.
    pub fn hold(&self) -> Hold {
        self.stop.hold()
    }

    /// The clock of a source is so many microseconds ahead of ours, or behind it.
    pub fn saw_clock(&self, source: &str, ahead: i64) {
        self.clocks.borrow_mut().push((source.to_owned(), ahead));
    }

    pub fn fetched(self) -> Fetched {
        let clocks = self.clocks.into_inner();
        // Times in the evidence are those of other clocks. The one that is furthest behind decides: a wait that is
        // counted too short says "in progress", one that is counted too long would say "stopped".
        let slow = |ahead: &i64| (-BELIEVED..-WORTH_TELLING).contains(ahead);
        let behind = clocks.iter().map(|(_, ahead)| *ahead).filter(slow).min().unwrap_or(0);
        Fetched {
            pieces: self.pieces.into_inner(),
            asked_at: Some(self.began.0.plus_micros(behind)),
            notes: clocks.iter().filter_map(|(source, ahead)| differs(source, *ahead)).collect(),
        }
    }

    fn hand_in(&self, piece: Piece) {
        self.progress.fetched(&piece);
        self.pieces.borrow_mut().push(piece);
    }
}

/// An answer that is coming in.
pub struct Spool<'a> {
    desk: &'a Desk<'a>,
    piece: Piece,
    file: BufWriter<File>,
    started: Instant,
}

impl Spool<'_> {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.file.write_all(bytes)?;
        self.piece.reading.bytes += bytes.len() as u64;
        self.desk.progress.advance(bytes.len() as u64);
        Ok(())
    }

    /// So many more rows, objects or lines are in it.
    pub fn count(&mut self, records: u64) {
        self.piece.reading.records += records;
    }

    pub fn bytes(&self) -> u64 {
        self.piece.reading.bytes
    }

    pub fn records(&self) -> u64 {
        self.piece.reading.records
    }

    /// Forgets what came so far, because all of it comes again.
    pub fn start_over(&mut self) -> Result<(), Trouble> {
        self.file.rewind()?;
        self.file.get_ref().set_len(0)?;
        (self.piece.reading.bytes, self.piece.reading.records) = (0, 0);
        Ok(())
    }

    /// What is not in it may have been there all the same.
    pub fn is_a_part(&mut self, why: String) {
        self.piece.reading.whole = false;
        self.remark(why);
    }

    /// Its end was not read.
    pub fn is_cut(&mut self, why: String) {
        self.piece.reading.cut = true;
        self.is_a_part(why);
    }

    pub fn remark(&mut self, remark: String) {
        self.piece.reading.remarks.push(remark);
    }

    /// Ends the step. Something that came before the trouble is kept.
    pub fn close(mut self, end: Result<(), Trouble>) {
        let flushed = self.file.into_inner().map_err(|error| Trouble::from(error.into_error()));
        let reading = &mut self.piece.reading;
        reading.took = self.started.elapsed();
        let (file, end) = match flushed {
            Ok(file) => (Some(file), end),
            Err(trouble) => (None, Err(trouble)),
        };
        let kept = end.is_ok() || reading.records > 0;
        if let Err(trouble) = end {
            reading.status = if kept && file.is_some() { Status::Partial } else { trouble.status };
            reading.why = Some(trouble.why);
            reading.whole = false;
            reading.cut = true;
        }
        self.piece.file = file.filter(|_| kept);
        self.desk.hand_in(self.piece);
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::wanted::Database;
    use super::*;
    use std::collections::BTreeMap;
    use std::future::{pending, ready};

    struct Nobody;

    impl Progress for Nobody {
        fn begin(&self, _: u64) {}
        fn advance(&self, _: u64) {}
        fn file(&self, _: &str) {}
    }

    fn wanted() -> Wanted {
        Wanted {
            began: Time::from_micros(0),
            database: Database::No,
            clusters: Vec::new(),
            namespaces: Vec::new(),
            window: Window::default(),
            limits: Limits { request: Duration::from_millis(10), ..Limits::default() },
            yes: false,
            scale_breakglass: false,
            environment: BTreeMap::new(),
        }
    }

    /// Work at a desk of which nobody hears, and what was handed in there.
    pub fn at_desk(work: impl AsyncFnOnce(&Desk<'_>)) -> Fetched {
        let (wanted, stop) = (wanted(), Stop::default());
        let desk = Desk::new(&wanted, Path::new("."), &Nobody, &stop);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(work(&desk));
        desk.fetched()
    }

    #[test]
    fn a_wait_ends_with_an_answer_with_its_time_or_with_the_collection() {
        at_desk(async |desk| {
            let status = |answer: Result<(), Trouble>| answer.map_err(|trouble| trouble.status);
            assert_eq!(status(desk.wait(ready(Ok::<(), Trouble>(()))).await), Ok(()));
            assert_eq!(status(desk.wait(pending::<Result<(), Trouble>>()).await), Err(Status::TimedOut));
            desk.stop.reading();
            assert_eq!(status(desk.wait(ready(Ok::<(), Trouble>(()))).await), Err(Status::Cancelled));
            desk.out_of_time();
            assert_eq!(status(desk.goes_on()), Err(Status::TimedOut));
        });
    }

    #[test]
    fn what_came_before_the_trouble_is_kept() {
        let fetched = at_desk(async |desk| {
            let cut = || Err(Trouble::new(Status::Failed, "connection reset"));
            let open = |name| desk.open("svc", name, Said::default()).unwrap();
            let mut some = open("some");
            some.write(b"a,b\n1,2\n").unwrap();
            some.count(1);
            some.close(cut());
            let mut heading = open("heading");
            heading.write(b"a,b\n").unwrap();
            heading.close(cut());
            open("empty").close(Ok(()));
        });
        let told =
            |piece: &Piece| (piece.name.clone(), piece.file.is_some(), piece.reading.status, piece.reading.whole);
        let told: Vec<_> = fetched.pieces.iter().map(told).collect();
        assert_eq!(
            told,
            [
                ("some".to_owned(), true, Status::Partial, false),
                ("heading".to_owned(), false, Status::Failed, false),
                ("empty".to_owned(), true, Status::Ok, true),
            ]
        );
    }

    #[test]
    fn now_is_told_by_the_clock_that_is_furthest_behind() {
        let fetched = at_desk(async |desk| {
            desk.saw_clock("postgres", 40_000);
            desk.saw_clock("mgmt-1", -3_000_000);
            desk.saw_clock("mgmt-2", 5_500_000);
            desk.saw_clock("mgmt-3", -2 * BELIEVED);
        });
        assert_eq!(fetched.asked_at, Some(Time::from_micros(-3_000_000)));
        assert_eq!(
            fetched.notes,
            [
                "the clock of mgmt-1 was 3.0 s behind that of the machine that collected",
                "the clock of mgmt-2 was 5.5 s ahead of that of the machine that collected",
                "the clock of mgmt-3 was 172800.0 s behind that of the machine that collected; it was not believed",
            ]
        );
    }
}
