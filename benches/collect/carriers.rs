//! The lines of a fleet again, as the tools hand them over that people take logs with.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

/// What the captures leave out: klog writes no year.
const YEAR: &str = "2026";

/// A runtime cuts longer lines in pieces.
const CRI_PIECE: usize = 16 << 10;

/// The same lines in another form.
pub struct Carrier {
    pub name: &'static str,
    pub path: PathBuf,
}

/// Writes the fleet whose logs lie in `fleet` in every form, into a folder of its own.
pub fn write_all(fleet: &Path, log_files: &[PathBuf], target: &Path) -> io::Result<Vec<Carrier>> {
    fs::create_dir_all(target)?;
    let mut carriers = Vec::new();
    for table in TABLES {
        let path = target.join(table.file);
        table.write(log_files, &path)?;
        carriers.push(Carrier { name: table.name, path });
    }
    let path = target.join("cri");
    write_cri(fleet, log_files, &path)?;
    carriers.push(Carrier { name: "CRI", path });
    let path = target.join("logs.tar.gz");
    write_archive(fleet, &path)?;
    carriers.push(Carrier { name: "tar.gz of raw", path });
    Ok(carriers)
}

/// An export: the lines of all pods in one file, by time.
struct Table {
    name: &'static str,
    file: &'static str,
    head: &'static str,
    row: fn(&mut dyn Write, &Pod, &Line) -> io::Result<()>,
    between: &'static str,
    tail: &'static str,
}

const TABLES: [Table; 3] = [
    Table {
        name: "Kusto CSV",
        file: "kusto.csv",
        head: "TIMESTAMP,pod_name,log\r\n",
        row: |out, pod, line| write!(out, "{},{},{}", line.at, pod.pod, in_csv(&line.text)),
        between: "\r\n",
        tail: "\r\n",
    },
    Table {
        name: "Kusto JSON v2",
        file: "kusto.json",
        head: concat!(
            r#"[{"FrameType":"DataSetHeader","IsProgressive":false,"Version":"v2.0"},"#,
            r#"{"FrameType":"DataTable","TableId":0,"TableKind":"PrimaryResult","TableName":"PrimaryResult","#,
            r#""Columns":[{"ColumnName":"TIMESTAMP","ColumnType":"datetime"},{"ColumnName":"pod_name","#,
            r#""ColumnType":"string"},{"ColumnName":"log","ColumnType":"string"}],"Rows":["#
        ),
        row: |out, pod, line| Ok(serde_json::to_writer(out, &[&line.at, &pod.pod, &line.text])?),
        between: ",",
        tail: r#"]},{"FrameType":"DataSetCompletion","HasErrors":false,"Cancelled":false}]"#,
    },
    Table {
        name: "JSON lines",
        file: "lines.jsonl",
        head: "",
        row: |out, pod, line| {
            let (log, container) = (serde_json::to_string(&line.text)?, &pod.container);
            write!(
                out,
                r#"{{"timestamp":"{}","pod_name":"{}","container_name":"{container}","log":{log}}}"#,
                line.at, pod.pod
            )
        },
        between: "\n",
        tail: "\n",
    },
];

impl Table {
    fn write(&self, log_files: &[PathBuf], path: &Path) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut pods = log_files.iter().map(|log| Pod::open(log)).collect::<io::Result<Vec<_>>>()?;
        out.write_all(self.head.as_bytes())?;
        let mut between = "";
        // The pod whose next line is the earliest.
        while let Some(pod) =
            pods.iter_mut().filter(|pod| pod.next.is_some()).min_by(|a, b| a.next_at().cmp(b.next_at()))
        {
            if let Some(line) = pod.advance()? {
                out.write_all(between.as_bytes())?;
                (self.row)(&mut out, pod, &line)?;
                between = self.between;
            }
        }
        out.write_all(self.tail.as_bytes())?;
        out.flush()
    }
}

fn in_csv(text: &str) -> Cow<'_, str> {
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text.into(),
    }
}

fn write_cri(fleet: &Path, log_files: &[PathBuf], target: &Path) -> io::Result<()> {
    for log in log_files {
        let path = target.join(log.strip_prefix(fleet).expect("a log of the fleet"));
        fs::create_dir_all(path.parent().expect("a file in a folder"))?;
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut pod = Pod::open(log)?;
        while let Some(Line { at, text }) = pod.advance()? {
            let mut rest = text.as_bytes();
            while rest.len() > CRI_PIECE {
                let (piece, after) = rest.split_at(CRI_PIECE);
                write!(out, "{at} stderr P ")?;
                out.write_all(piece)?;
                out.write_all(b"\n")?;
                rest = after;
            }
            write!(out, "{at} stderr F ")?;
            out.write_all(rest)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
    }
    Ok(())
}

fn write_archive(fleet: &Path, path: &Path) -> io::Result<()> {
    let out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut archive = tar::Builder::new(GzEncoder::new(out, flate2::Compression::default()));
    archive.append_dir_all("logs", fleet.join("logs"))?;
    archive.into_inner()?.finish()?.flush()
}

/// A line and when its carrier received it.
struct Line {
    at: String,
    text: String,
}

/// The log of a pod, line by line.
struct Pod {
    pod: String,
    container: String,
    lines: io::Lines<BufReader<File>>,
    next: Option<Line>,
}

impl Pod {
    /// `…/<pod>/<container>.log`
    fn open(log: &Path) -> io::Result<Self> {
        let text = |name: Option<&std::ffi::OsStr>| name.expect("a named pod").to_string_lossy().into_owned();
        let lines = BufReader::with_capacity(1 << 20, File::open(log)?).lines();
        let folder = log.parent().and_then(Path::file_name);
        let mut pod = Self { pod: text(folder), container: text(log.file_stem()), lines, next: None };
        pod.advance()?;
        Ok(pod)
    }

    fn next_at(&self) -> &str {
        self.next.as_ref().map_or("", |line| &line.at)
    }

    /// The next line. One without a time of its own came with the one before it.
    fn advance(&mut self) -> io::Result<Option<Line>> {
        let next = self.lines.next().transpose()?.map(|text| {
            let at = received(&text).unwrap_or_else(|| match self.next_at() {
                "" => format!("{YEAR}-01-01T00:00:00.0000000Z"),
                before => before.to_owned(),
            });
            Line { at, text }
        });
        Ok(std::mem::replace(&mut self.next, next))
    }
}

/// `I1116 01:27:03.276400 …` was received at `2026-11-16T01:27:03.2764007Z`.
fn received(line: &str) -> Option<String> {
    let is_klog =
        line.starts_with(['I', 'W', 'E', 'F']) && line.get(5..6) == Some(" ") && line.get(14..15) == Some(".");
    let (month, day, clock) = (line.get(1..3)?, line.get(3..5)?, line.get(6..21)?);
    is_klog.then(|| format!("{YEAR}-{month}-{day}T{clock}7Z"))
}
