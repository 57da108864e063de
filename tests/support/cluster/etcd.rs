//! The one etcd of a test run.

use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::process::{self, Process};

struct Etcd {
    url: String,
    _process: Process,
    _folder: TempDir,
}

/// Where etcd listens; `None` if it is not installed.
pub fn url() -> Option<&'static str> {
    static ETCD: OnceLock<Option<Etcd>> = OnceLock::new();
    ETCD.get_or_init(start).as_ref().map(|etcd| etcd.url.as_str())
}

fn start() -> Option<Etcd> {
    let program = process::find_program("etcd", &[])?;
    Some(process::with_free_ports(|| {
        let folder = process::folder("etcd-");
        let [url, peers] = [(); 2].map(|()| format!("http://127.0.0.1:{}", process::free_port()));
        let mut command = process::guarded("TERM", &program);
        command.arg("--data-dir").arg(folder.path().join("data"));
        command.args(["--listen-client-urls", &url, "--advertise-client-urls", &url]);
        command.args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers]);
        command.args(["--initial-cluster", &format!("default={peers}")]);
        let mut process = Process::start(&mut command, folder.path().join("etcd.log"));
        process.wait_for(|_| ureq::get(format!("{url}/health")).call().ok())?;
        Ok(Etcd { url, _process: process, _folder: folder })
    }))
}
