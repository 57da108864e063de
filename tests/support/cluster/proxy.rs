//! A way to an API server on which answers can be lost, refused or late.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Cluster, Response};

/// What happens to a request.
#[derive(Clone, Debug)]
pub enum Fate {
    Passes,
    /// It is answered with this head and nothing else.
    Answered(&'static str),
    /// The connection is closed without an answer.
    Lost,
    /// It is passed on after a while.
    Late(Duration),
    /// It is answered with so many blanks.
    Long(usize),
}

/// Stands between a collector and an API server, and asks that as `admin`.
pub struct Proxy {
    pub config: PathBuf,
    /// Every path and query that was asked for; what is no GET has its method before it.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// `fate` sees the number of a request, beginning with 1, and its path as it is in [`Proxy::asked`].
    pub fn before(cluster: &'static Cluster, fate: impl Fn(usize, &str) -> Fate + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, count, fate) = (asked.clone(), Arc::new(AtomicUsize::new(0)), Arc::new(fate));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, count, fate) = (log.clone(), count.clone(), fate.clone());
                std::thread::spawn(move || serve(cluster, &stream, &log, &count, &*fate));
            }
        });
        let config = cluster.kubeconfig_as("admin", "mgmt-1");
        let mut text: serde_json::Value = serde_json::from_str(&fs::read_to_string(&config).unwrap()).unwrap();
        text["clusters"][0]["cluster"] = serde_json::json!({"server": url});
        let config = config.with_extension(format!("{}.proxy", url.rsplit(':').next().unwrap()));
        fs::write(&config, text.to_string()).unwrap();
        Self { config, asked }
    }

    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// One request on one connection.
fn serve(
    cluster: &Cluster,
    stream: &TcpStream,
    log: &Mutex<Vec<String>>,
    count: &AtomicUsize,
    fate: &dyn Fn(usize, &str) -> Fate,
) {
    let mut from = BufReader::new(stream);
    let Some(request) = Request::read(&mut from) else { return };
    log.lock().unwrap().push(request.asked());
    let (head, body) = match fate(count.fetch_add(1, Ordering::Relaxed) + 1, &request.asked()) {
        Fate::Lost => return,
        Fate::Answered(head) => (head.to_owned(), String::new()),
        Fate::Long(blanks) => ("200 OK".to_owned(), " ".repeat(blanks)),
        fate => {
            if let Fate::Late(after) = fate {
                std::thread::sleep(after);
            }
            let Some(answer) = request.pass_on(cluster) else { return };
            (format!("{} Passed\r\nContent-Type: application/json", answer.code), answer.body)
        }
    };
    let mut to = stream;
    let _ = write!(to, "HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}

struct Request {
    method: String,
    path: String,
    form: String,
    body: String,
}

impl Request {
    fn read(from: &mut impl BufRead) -> Option<Self> {
        let mut lines = from.by_ref().lines().map_while(Result::ok);
        let first = lines.next()?;
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let value = |name: &str| {
            let found = head.iter().filter_map(|line| line.split_once(": "));
            found.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
        };
        let mut body = vec![0; value("content-length").map_or(0, |length| length.parse().unwrap())];
        from.read_exact(&mut body).ok()?;
        let mut words = first.split(' ').map(str::to_owned);
        let form = value("content-type").unwrap_or_default();
        Some(Self { method: words.next()?, path: words.next()?, form, body: String::from_utf8(body).ok()? })
    }

    fn asked(&self) -> String {
        let Self { method, path, .. } = self;
        if method == "GET" { path.clone() } else { format!("{method} {path}") }
    }

    fn pass_on(&self, cluster: &Cluster) -> Option<Response> {
        match self.method.as_str() {
            "GET" => cluster.get("admin", &self.path).ok(),
            method => Some(cluster.send_as(&self.form, method, &self.path, self.body.clone())),
        }
    }
}
