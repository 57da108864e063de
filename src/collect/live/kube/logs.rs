//! Logs of containers, line by line, with the time at which the node wrote each line.

use super::super::desk::{Desk, Spool};
use super::super::trouble::Trouble;
use super::connection::{Connection, Wants};
use super::list::encoded;
use super::named::Named;
use super::pods::Pod;
use super::refusal::Refusal;
use crate::collect::outcome::Status;
use crate::collect::said::Said;
use crate::schema::Time;
use http::StatusCode;

/// Lines that are longer are handed on in pieces.
const LONG: usize = 1 << 20;

/// What a kubelet writes into an answer that it has begun already.
const NO_LOG: &[u8] = b"unable to retrieve container logs for ";

/// The log of a container, or that of the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    namespace: String,
    pod: String,
    container: String,
    previous: bool,
}

impl Log {
    /// All logs that a pod has.
    pub fn of(pod: &Pod) -> Vec<Self> {
        let log = |container: &super::Container, previous| Self {
            namespace: pod.namespace.clone(),
            pod: pod.name.clone(),
            container: container.name.clone(),
            previous,
        };
        let lives = |container: &super::Container| {
            let before = (container.restarts > 0).then(|| log(container, true));
            before.into_iter().chain([log(container, false)]).collect::<Vec<_>>()
        };
        pod.containers.iter().flat_map(lives).collect()
    }

    /// What a file of it would be called in an exported folder.
    fn name(&self, cluster: &str) -> String {
        let Self { namespace, pod, container, previous } = self;
        let ending = if *previous { "previous.log" } else { "log" };
        format!("logs/{cluster}/{namespace}/{pod}/{container}.{ending}")
    }

    fn path(&self, since: Option<Time>) -> String {
        let Self { namespace, pod, container, previous } = self;
        let previous = if *previous { "&previous=true" } else { "" };
        let since = since.map(|since| format!("&sinceTime={}", encoded(&since.to_string()))).unwrap_or_default();
        format!("/api/v1/namespaces/{namespace}/pods/{pod}/log?container={container}&timestamps=true{previous}{since}")
    }
}

impl Connection {
    /// Keeps a log, and what its lines name.
    pub async fn keep_log(&self, desk: &Desk<'_>, log: &Log, named: &mut Named) {
        let said = Said {
            namespace: Some(log.namespace.clone()),
            pod: Some(log.pod.clone()),
            container: Some(log.container.clone()),
            ..self.said()
        };
        let name = log.name(&self.name);
        let mut spool = match desk.open(&self.name, &name, said.clone()) {
            Ok(spool) => spool,
            Err(trouble) => return desk.missed(&self.name, &name, said, trouble),
        };
        let window = desk.window;
        if let Some(since) = window.since {
            spool.is_a_part(format!("only lines from {since} on were asked for"));
        }
        let mut lines = Lines {
            spool: &mut spool,
            named,
            rest: Vec::new(),
            inside: false,
            until: window.until,
            most: window.max_bytes,
        };
        let end = self.stream(desk, &log.path(window.since), |piece| lines.take(piece)).await;
        let end = end.map_err(why_no_log).and_then(|()| lines.finish());
        spool.close(end);
    }
}

/// A container that has not begun, or had none before it, is no mistake of the request.
fn why_no_log(refusal: Refusal) -> Trouble {
    let absent = refusal.code == Some(StatusCode::BAD_REQUEST);
    if absent { Trouble { status: Status::NotFound, ..refusal.trouble } } else { refusal.trouble }
}

/// Cuts what comes into lines.
struct Lines<'s, 'd> {
    spool: &'s mut Spool<'d>,
    named: &'s mut Named,
    /// The beginning of a line.
    rest: Vec<u8>,
    /// The beginning of the line that it goes on with is written already.
    inside: bool,
    until: Option<Time>,
    most: Option<u64>,
}

impl Lines<'_, '_> {
    fn take(&mut self, mut piece: &[u8]) -> Result<Wants, Trouble> {
        while let Some(end) = memchr::memchr(b'\n', piece) {
            let (line, after) = piece.split_at(end + 1);
            self.rest.extend_from_slice(line);
            piece = after;
            if self.write()? == Wants::NoMore {
                return Ok(Wants::NoMore);
            }
        }
        self.rest.extend_from_slice(piece);
        if self.rest.len() > LONG { self.write() } else { Ok(Wants::More) }
    }

    /// The end of the log. Where a kubelet goes away, the API server ends its answer as if that were all; but what
    /// a container wrote is stored in whole lines, unless it was in the middle of one. So the line may be all there is.
    fn finish(mut self) -> Result<(), Trouble> {
        if self.rest.is_empty() && !self.inside {
            return Ok(());
        }
        if !self.rest.is_empty() && self.write()? == Wants::NoMore {
            return Ok(());
        }
        Err(Trouble::new(Status::Failed, "the log ends within a line: its node may have gone away"))
    }

    fn is_no_log(&self, line: &[u8]) -> Result<(), Trouble> {
        let words = || String::from_utf8_lossy(line).trim().to_owned();
        let told = self.spool.records() == 0 && line.starts_with(NO_LOG);
        if told { Err(Trouble::new(Status::NotFound, words())) } else { Ok(()) }
    }

    fn write(&mut self) -> Result<Wants, Trouble> {
        let line = std::mem::take(&mut self.rest);
        self.is_no_log(&line)?;
        if let Some(until) = self.until.filter(|until| !self.inside && written_at(&line).is_some_and(|at| at > *until))
        {
            self.spool.is_cut(format!("lines after {until} were not read"));
            return Ok(Wants::NoMore);
        }
        if let Some(most) = self.most.filter(|most| self.spool.bytes() + line.len() as u64 > *most) {
            self.spool.is_cut(format!("what comes after {most} bytes was not read"));
            return Ok(Wants::NoMore);
        }
        self.spool.write(&line)?;
        self.spool.count(u64::from(!self.inside));
        if memchr::memmem::find(&line, b" gvr=\"").is_some() {
            self.named.add_touched(&String::from_utf8_lossy(&line));
        }
        self.inside = !line.ends_with(b"\n");
        Ok(Wants::More)
    }
}

/// The time that stands before a line.
fn written_at(line: &[u8]) -> Option<Time> {
    let end = memchr::memchr(b' ', line.get(..40).unwrap_or(line))?;
    Time::parse(std::str::from_utf8(line.get(..end)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::super::desk::Fetched;
    use super::super::super::desk::tests::at_desk;
    use super::super::Container;
    use super::*;
    use std::io::{Read, Seek};

    fn keep(pieces: &[&str], most: Option<u64>) -> Fetched {
        at_desk(async |desk| {
            let mut spool = desk.open("svc", "log", Said::default()).unwrap();
            let named = &mut Named::default();
            let mut lines = Lines { spool: &mut spool, named, rest: Vec::new(), inside: false, until: None, most };
            pieces.iter().for_each(|piece| assert_eq!(lines.take(piece.as_bytes()).unwrap(), Wants::More));
            let end = lines.finish();
            spool.close(end);
        })
    }

    #[test]
    fn a_last_line_without_end_is_kept_and_the_log_is_cut() {
        for (pieces, most, status, text) in [
            (["one\ntw", "o\n"], None, Status::Ok, "one\ntwo\n"),
            (["one\ntw", "o"], None, Status::Partial, "one\ntwo"),
            (["panic", ": x"], None, Status::Partial, "panic: x"),
            (["one\ntw", "o"], Some(5), Status::Ok, "one\n"),
        ] {
            let fetched = keep(&pieces, most);
            let piece = fetched.pieces.first().unwrap();
            let mut kept = String::new();
            let mut file = piece.file.as_ref().unwrap();
            file.rewind().unwrap();
            file.read_to_string(&mut kept).unwrap();
            assert_eq!((piece.reading.status, kept.as_str()), (status, text));
            assert_eq!((piece.reading.cut, piece.reading.whole), (text != "one\ntwo\n", text == "one\ntwo\n"));
        }
    }

    #[test]
    fn a_pod_has_a_log_for_each_life_that_is_remembered() {
        let container = |name: &str, init, restarts| Container { name: name.to_owned(), init, restarts };
        let pod = Pod {
            namespace: "maestro".to_owned(),
            name: "maestro-0".to_owned(),
            containers: vec![container("migration", true, 0), container("service", false, 1)],
            ..Pod::default()
        };
        let logs = Log::of(&pod);
        let names: Vec<String> = logs.iter().map(|log| log.name("svc")).collect();
        let expected = ["migration.log", "service.previous.log", "service.log"];
        assert_eq!(names, expected.map(|file| format!("logs/svc/maestro/maestro-0/{file}")));
        let since = Time::parse("2026-01-15T09:45:12Z");
        assert_eq!(
            logs.get(1).unwrap().path(since),
            "/api/v1/namespaces/maestro/pods/maestro-0/log?container=service&timestamps=true&previous=true\
             &sinceTime=2026-01-15T09%3A45%3A12.000000Z"
        );
    }

    #[test]
    fn a_line_says_when_it_was_written() {
        assert_eq!(written_at(b"2026-01-15T09:45:12.5Z I0115 x\n"), Time::parse("2026-01-15T09:45:12.5Z"));
        assert_eq!(written_at(b"no time\n"), None);
        assert_eq!(written_at(b""), None);
    }
}
