//! A way to an API server on which answers can be lost, refused or late.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::cluster::Cluster;

/// What happens to a request.
#[derive(Clone, Debug)]
pub enum Fate {
    Passes,
    /// It is answered with this head and nothing else.
    Answered(&'static str),
    /// The connection is closed without an answer.
    Lost,
}

/// Stands between a collector and an API server, and asks that as `admin`.
pub struct Proxy {
    pub config: PathBuf,
    /// Every path and query that was asked for.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// `fate` sees the number of a request, beginning with 1, and its path.
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
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    log.lock().unwrap().push(path.clone());
    let (head, body) = match fate(count.fetch_add(1, Ordering::Relaxed) + 1, &path) {
        Fate::Lost => return,
        Fate::Answered(head) => (head.to_owned(), String::new()),
        Fate::Passes => match cluster.get("admin", &path) {
            Ok(answer) => (format!("{} Passed\r\nContent-Type: application/json", answer.code), answer.body),
            Err(_) => return,
        },
    };
    let mut to = stream;
    let _ = write!(to, "HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}
