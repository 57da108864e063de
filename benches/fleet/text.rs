//! The lines of `lines.txt`, with holes for what differs from work to work.

use std::collections::HashMap;

const LINES: &str = include_str!("lines.txt");

/// Who writes a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The replica that the client is connected to.
    Front,
    Publisher,
    /// Every replica that does not publish the event.
    Others,
    /// The replica that gets the status.
    Handler,
    Each,
    Agent,
    /// A replica that tells of itself.
    Server,
}

impl By {
    fn parse(word: &str) -> Self {
        match word {
            "front" => Self::Front,
            "publisher" => Self::Publisher,
            "others" => Self::Others,
            "handler" => Self::Handler,
            "each" => Self::Each,
            "agent" => Self::Agent,
            "server" => Self::Server,
            other => panic!("nobody is called {other}"),
        }
    }
}

pub struct Line {
    /// Microseconds after the request.
    pub after: i64,
    pub by: By,
    pub severity: u8,
    pieces: Vec<Piece>,
}

#[derive(Clone)]
enum Piece {
    Text(&'static str),
    Hole(usize),
}

/// All steps, by name, and which hole has which number.
pub struct Lines {
    steps: HashMap<&'static str, Vec<Line>>,
    holes: HashMap<&'static str, usize>,
}

/// What fills the holes.
#[derive(Clone)]
pub struct Values(Vec<String>);

impl Lines {
    pub fn read() -> Self {
        let mut texts: HashMap<&str, Vec<Piece>> = HashMap::new();
        let mut lines = Self { steps: HashMap::new(), holes: HashMap::new() };
        let (mut text, mut step) = (None, None);
        for line in LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix("== ") {
                (text, step) = (None, Some(name));
            } else if let Some(name) = line.strip_prefix("= ") {
                text = Some(name);
            } else if let Some(name) = text {
                let pieces = lines.pieces(line, &texts);
                texts.insert(name, pieces);
            } else {
                let line = lines.line(line, &texts);
                lines.steps.entry(step.expect("a line of a step")).or_default().push(line);
            }
        }
        lines
    }

    pub fn step(&self, name: &str) -> &[Line] {
        self.steps.get(name).unwrap_or_else(|| panic!("there is no step {name}"))
    }

    pub fn no_values(&self) -> Values {
        Values(vec![String::new(); self.holes.len()])
    }

    pub fn set(&self, values: &mut Values, hole: &str, value: impl Into<String>) {
        let hole = self.holes.get(hole).unwrap_or_else(|| panic!("there is no hole {hole}"));
        values.0[*hole] = value.into();
    }

    fn line(&mut self, line: &'static str, texts: &HashMap<&str, Vec<Piece>>) -> Line {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().expect("time, writer, severity, text");
        let (after, by, severity) = (word(), By::parse(word()), word().as_bytes()[0]);
        Line { after: after.parse().expect("microseconds"), by, severity, pieces: self.pieces(word(), texts) }
    }

    /// `<name>` is a text that was read before, or a hole.
    fn pieces(&mut self, text: &'static str, texts: &HashMap<&str, Vec<Piece>>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('<') {
            let (name, after) = after.split_once('>').expect("a hole has an end");
            pieces.push(Piece::Text(before));
            match texts.get(name) {
                Some(text) => pieces.extend(text.iter().cloned()),
                None => {
                    let next = self.holes.len();
                    pieces.push(Piece::Hole(*self.holes.entry(name).or_insert(next)));
                }
            }
            rest = after;
        }
        pieces.push(Piece::Text(rest));
        pieces
    }
}

impl Line {
    pub fn render(&self, values: &Values, out: &mut Vec<u8>) {
        for piece in &self.pieces {
            out.extend_from_slice(match piece {
                Piece::Text(text) => text.as_bytes(),
                Piece::Hole(hole) => values.0[*hole].as_bytes(),
            });
        }
    }
}
