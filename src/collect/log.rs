//! Logs, whatever carries them: lines of one pod or of many, joined to entries, understood and stored.

use super::candidate::Candidate;
use super::error::Result;
use super::form::{Form, Taken, Taking};
use super::log_path;
use super::log_stream::{self, End, File, Stream};
use super::place::Place;
use super::repeats::Repeats;
use crate::logs::{self, Assembler, Line, RawEntry, Unwrapped, Who, Wrapping};
use crate::schema::Time;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::BufRead;

pub struct Logs;

/// Pods in one file; those of a stranger's file beyond this are not told apart.
const MAX_STREAMS: usize = 100_000;

/// Pods of which a part of the head is kept to tell what they are.
const MAX_SAMPLES: usize = 64;

impl Form for Logs {
    fn name(&self) -> &'static str {
        "log"
    }

    /// A log that begins with other lines is still one if its path says which pod wrote it.
    fn claims(&self, file: &Candidate) -> bool {
        let place = || log_path::place_of(&file.bare);
        let named = || !file.head.contains(&0) && matches!(place(), Place { pod: Some(_), container: Some(_), .. });
        logs::wrapping(&file.head).is_some() || named()
    }

    fn taken_for(&self, file: &Candidate) -> &'static str {
        wrapping_of(file).name()
    }

    fn needs_year(&self) -> bool {
        true
    }

    fn latest(&self, file: &Candidate) -> Option<Time> {
        let mut latest = None;
        each_line_of_head(file, |_, line| latest = latest.max(line.at));
        latest
    }

    fn announce(&self, file: &Candidate, repeats: &mut Repeats) {
        let wrapping = wrapping_of(file);
        let of = File::new(file, wrapping, log_path::place_of(&file.bare), 0);
        repeats.announce(of.place(Who::default()).pod.filter(|_| wrapping.is_one_process()));
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut taken = Taken::default();
        taken.has("log_lines");
        let wrapping = wrapping_of(file);
        let mut log = Log::new(file, wrapping, taking.next_file());
        let mut lines = wrapping.open(input);
        loop {
            match lines.next() {
                Ok(None) => break,
                Ok(Some(Unwrapped::Line(who, line))) => log.line(who, line, taking, &mut taken)?,
                Ok(Some(Unwrapped::Skipped)) => {
                    taken.seen += 1;
                    taken.skipped += 1;
                }
                Ok(Some(Unwrapped::Odd { line, text, why })) => {
                    taken.problem(format!("line {line}: {why}"));
                    taken.keep_unknown(&file.name, line, text, taking)?;
                }
                Err(stop) => {
                    taken.stopped(stop.why);
                    if let Some((line, text)) = stop.broken {
                        taken.keep_unknown(&file.name, line, &text, taking)?;
                    }
                    break;
                }
            }
        }
        lines.problems().into_iter().for_each(|problem| taken.problem(problem));
        taken.remarks.extend(lines.remarks());
        log.finish(taking, &mut taken)?;
        Ok(taken)
    }
}

fn wrapping_of(file: &Candidate) -> &'static dyn Wrapping {
    logs::wrapping(&file.head).unwrap_or_else(logs::plain)
}

fn each_line_of_head(file: &Candidate, mut each: impl FnMut(Who<'_>, Line<'_>)) {
    let mut head = file.head.as_slice();
    let mut lines = wrapping_of(file).open(&mut head);
    while let Ok(Some(unwrapped)) = lines.next() {
        if let Unwrapped::Line(who, line) = unwrapped {
            each(who, line);
        }
    }
}

/// A log that is being read: one stream for each process in it.
struct Log<'a> {
    file: File<'a>,
    streams: Vec<Stream>,
    /// The lines of each stream on their way to entries.
    assemblers: Vec<Assembler>,
    /// From the hash of who wrote a line to the streams that may be meant.
    index: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
    last: usize,
    cut: bool,
    /// What the head of the file says of each stream.
    samples: Vec<(Place, Vec<u8>)>,
}

impl<'a> Log<'a> {
    fn new(file: &'a Candidate, wrapping: &'static dyn Wrapping, number: u32) -> Self {
        let path = log_path::place_of(&file.bare);
        let file_of = File::new(file, wrapping, path, number);
        let mut samples: Vec<(Place, Vec<u8>)> = Vec::new();
        each_line_of_head(file, |who, line| {
            let place = file_of.place(who);
            let index = samples.iter().position(|(known, _)| *known == place).unwrap_or(samples.len());
            if index == samples.len() && index < MAX_SAMPLES {
                samples.push((place, Vec::new()));
            }
            if let Some((_, sample)) = samples.get_mut(index) {
                sample.extend_from_slice(line.bytes);
                sample.push(b'\n');
            }
        });
        Self {
            file: file_of,
            streams: Vec::new(),
            assemblers: Vec::new(),
            index: HashMap::new(),
            hasher: RandomState::new(),
            last: 0,
            cut: file.cut,
            samples,
        }
    }

    fn line(&mut self, who: Who<'_>, line: Line<'_>, taking: &mut Taking<'_>, taken: &mut Taken) -> Result<()> {
        let index = self.stream_of(who, taking);
        let (Some(stream), Some(assembler)) = (self.streams.get_mut(index), self.assemblers.get_mut(index)) else {
            return Ok(());
        };
        for entry in assembler.push(line).into_iter().flatten() {
            store(&self.file, stream, entry, taking, taken)?;
        }
        Ok(())
    }

    /// The stream of the process that wrote a line; mostly that of the line before.
    fn stream_of(&mut self, who: Who<'_>, taking: &Taking<'_>) -> usize {
        if self.streams.get(self.last).is_some_and(|stream| stream.is_of(who)) {
            return self.last;
        }
        let hash = self.hasher.hash_one(who);
        let candidates = self.index.entry(hash).or_default();
        let known = candidates.iter().find(|index| self.streams.get(**index).is_some_and(|stream| stream.is_of(who)));
        self.last = match known {
            Some(index) => *index,
            None if self.streams.len() >= MAX_STREAMS => 0,
            None => {
                let place = self.file.place(who);
                let sample = self.samples.iter().find(|(known, _)| *known == place);
                let sample = sample.map_or(&[][..], |(_, sample)| sample);
                candidates.push(self.streams.len());
                self.streams.push(Stream::new(who, place, sample, &self.file, taking));
                self.assemblers.push(Assembler::default());
                self.streams.len() - 1
            }
        };
        self.last
    }

    /// The entries that are still open, and what each stream covers.
    fn finish(mut self, taking: &mut Taking<'_>, taken: &mut Taken) -> Result<()> {
        if self.streams.is_empty() {
            self.stream_of(Who::default(), taking);
        }
        for (stream, assembler) in self.streams.iter_mut().zip(&mut self.assemblers) {
            if let Some(entry) = assembler.finish() {
                store(&self.file, stream, entry, taking, taken)?;
            }
        }
        let last_at = self.streams.iter().filter_map(|stream| stream.gathering.latest_at()).max();
        taking.line_at(last_at);
        let complete = self.file.complete_components(&self.streams);
        let end = End { last_at, complete, broken: taken.problem.is_some(), cut: self.cut };
        let names_pods = self.streams.iter().any(Stream::is_named);
        for stream in self.streams.iter().filter(|stream| !(names_pods && stream.is_a_tool())) {
            taking.gate.append(&stream.coverage(&self.file, &end))?;
        }
        Ok(())
    }
}

fn store(
    file: &File<'_>,
    stream: &mut Stream,
    entry: RawEntry<'_>,
    taking: &mut Taking<'_>,
    taken: &mut Taken,
) -> Result<()> {
    taken.seen += entry.lines as i64;
    let text = entry.text();
    let record = logs::parse(&text);
    let own = taking.clock.stamp(record.stamp, entry.at);
    let repeated = taking.repeats.has(file, stream, own, &text);
    stream.listen(&text);
    let time = stream.time_of(file, own, entry.at);
    let row = log_stream::row(file, &stream.place, stream.known.component, &entry, &text, record, time);
    // What is stored already still tells what this log covers.
    let row_no = if repeated { None } else { Some(taking.gate.append(&row)?) };
    stream.gathering.saw(&row, row_no, entry.ends_with_newline);
    if repeated {
        taken.repeat("log_lines", entry.lines as i64);
    } else {
        taken.count("log_lines", true);
    }
    Ok(())
}
