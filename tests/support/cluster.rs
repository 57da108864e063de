//! A real Kubernetes API server, with pods whose logs and commands a kubelet of ours serves from files.
//!
//! `tests/cluster/` has the programs, `scripts/setup-cluster` builds them. There is no controller and no
//! scheduler: objects stay as they are stored.

mod audit;
mod etcd;
mod kubelet;
mod objects;
pub mod proxy;
mod restored;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

pub use audit::AuditEvent;

use super::certificates;
use super::process::{self, Process};
use kubelet::Kubelet;

/// Who may log in, each with the token `<name>-token`. What they may do is up to the test's roles:
/// `admin` may do everything, the others nothing.
pub const USERS: [&str; 4] = ["admin", "collector", "restricted", "stranger"];

/// One API server with its own objects.
pub struct Cluster {
    port: u16,
    agent: ureq::Agent,
    /// Before the folder, so that they have stopped when that goes.
    server: Mutex<Option<Process>>,
    kubelet: OnceLock<Kubelet>,
    folder: TempDir,
}

/// What the API server answered.
#[derive(Debug)]
pub struct Response {
    pub code: u16,
    pub body: String,
}

impl Cluster {
    /// Starts an API server without objects; `None` where a program for it is missing.
    pub fn start() -> Option<Self> {
        let Some(_) = program("apiserver") else {
            return process::skip("the API server is not built");
        };
        let Some(etcd) = etcd::url() else {
            return process::skip("there is no etcd");
        };
        let folder = process::folder("cluster-");
        write_settings(folder.path());
        let (server, port) = process::with_free_ports(|| {
            let port = process::free_port();
            serve(folder.path(), etcd, port).map(|server| (server, port))
        });
        let agent = agent(&folder.path().join("apiserver.crt"));
        Some(Self { port, agent, server: Mutex::new(Some(server)), kubelet: OnceLock::new(), folder })
    }

    /// Ends the API server; nothing listens at its address any more. Objects are kept.
    pub fn stop_api_server(&self) {
        self.server.lock().unwrap().take();
    }

    /// Starts it again, at the same address and with the same certificate.
    pub fn restart(&self) {
        let mut server = self.server.lock().unwrap();
        drop(server.take());
        let etcd = etcd::url().expect("it was there before");
        *server = Some(serve(self.folder.path(), etcd, self.port).unwrap_or_else(|said| panic!("{said}")));
    }

    /// A kubeconfig file with which `user` is let in; its one context is called `cluster`.
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        self.kubeconfig_as(user, "cluster")
    }

    /// As [`Cluster::kubeconfig`], with the context's name.
    pub fn kubeconfig_as(&self, user: &str, context: &str) -> PathBuf {
        assert!(USERS.contains(&user), "{user} is none of {USERS:?}");
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": context,
            "contexts": [{"name": context, "context": {"cluster": context, "user": user}}],
            "clusters": [{"name": context, "cluster": {
                "server": self.url(), "certificate-authority": self.folder.path().join("apiserver.crt"),
            }}],
            "users": [{"name": user, "user": {"token": token(user)}}],
        });
        let path = self.folder.path().join(format!("{user}-{context}.kubeconfig"));
        fs::write(&path, config.to_string()).unwrap();
        path
    }

    /// A file of the cluster's own: `apiserver.crt`, `admin.crt`, `admin.key`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// `https://127.0.0.1:<port>`
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// Asks as `user`. An answer of any code is an answer; `Err` is that there was none.
    pub fn get(&self, user: &str, path: &str) -> Result<Response, ureq::Error> {
        let request = self.agent.get(format!("{}{path}", self.url()));
        let mut answer = request.header("Authorization", format!("Bearer {}", token(user))).call()?;
        Ok(Response { code: answer.status().as_u16(), body: answer.body_mut().read_to_string()? })
    }

    /// Every request that was answered so far, in order.
    pub fn audit(&self) -> Vec<AuditEvent> {
        audit::read(&self.folder.path().join("audit.log"))
    }

    /// What the API server has said on standard error.
    pub fn log(&self) -> String {
        let server = self.server.lock().unwrap();
        server.as_ref().map_or_else(String::new, Process::said)
    }
}

fn token(user: &str) -> String {
    format!("{user}-token")
}

/// One of our own programs; `None` if it is not built.
fn program(name: &str) -> Option<PathBuf> {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let setup = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup-cluster");
        let output = Command::new(setup).arg("--print").output().unwrap();
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end())
    });
    Some(FOLDER.join(name)).filter(|path| path.is_file())
}

/// The files that the API server's flags name.
fn write_settings(folder: &Path) {
    let line = |user: &&str| {
        let group = if *user == "admin" { ",system:masters" } else { "" };
        format!("{},{user},{user}{group}\n", token(user))
    };
    write_certificates(folder);
    fs::write(folder.join("tokens.csv"), USERS.iter().map(line).collect::<String>()).unwrap();
    let policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "omitStages": ["RequestReceived", "ResponseStarted"],
        "rules": [{"level": "Metadata"}],
    });
    fs::write(folder.join("audit-policy.json"), policy.to_string()).unwrap();
}

/// `admin.crt` and `admin.key`, with which `admin` is let in as well, signed by `clients.crt`.
fn write_certificates(folder: &Path) {
    use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
    let authority = certificates::authority();
    let key = KeyPair::generate().unwrap();
    let mut of_user = CertificateParams::new([]).unwrap();
    of_user.distinguished_name.push(DnType::CommonName, "admin");
    of_user.distinguished_name.push(DnType::OrganizationName, "system:masters");
    of_user.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let user = of_user.signed_by(&key, &authority).unwrap();
    for (file, text) in
        [("clients.crt", authority.pem()), ("admin.crt", user.pem()), ("admin.key", key.serialize_pem())]
    {
        fs::write(folder.join(file), text).unwrap();
    }
}

/// Starts the API server and waits until it is ready; `Err` has its words if it ended instead.
fn serve(folder: &Path, etcd: &str, port: u16) -> Result<Process, String> {
    let at = |name: &str| folder.join(name).display().to_string();
    let mut command = Command::new(program("apiserver").expect("it was there before"));
    command.arg(folder).args([
        format!("--etcd-servers={etcd}"),
        // Clusters share one etcd and see nothing of each other.
        format!("--etcd-prefix={}", folder.file_name().unwrap().display()),
        format!("--secure-port={port}"),
        "--bind-address=127.0.0.1".to_owned(),
        "--advertise-address=127.0.0.1".to_owned(),
        "--endpoint-reconciler-type=none".to_owned(),
        "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
        format!("--token-auth-file={}", at("tokens.csv")),
        format!("--client-ca-file={}", at("clients.crt")),
        "--authorization-mode=RBAC".to_owned(),
        // Pods need no service account, which a controller would have to make.
        "--disable-admission-plugins=ServiceAccount".to_owned(),
        format!("--audit-policy-file={}", at("audit-policy.json")),
        format!("--audit-log-path={}", at("audit.log")),
    ]);
    let mut server = Process::start(&mut command, folder.join("apiserver.log"));
    let certificate = folder.join("apiserver.crt");
    server.wait_for(|_| {
        let authority = certificate.is_file().then(|| agent(&certificate))?;
        let request = authority.get(format!("https://127.0.0.1:{port}/readyz"));
        let answer = request.header("Authorization", format!("Bearer {}", token("admin"))).call().ok()?;
        (answer.status() == 200).then_some(())
    })?;
    Ok(server)
}

/// A client that trusts the certificates in a file and nothing else.
fn agent(certificates: &Path) -> ureq::Agent {
    let pem = fs::read(certificates).unwrap();
    let trusted = parse_pem(&pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let trusted: Vec<_> = trusted.collect();
    let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&trusted)).build();
    let config = ureq::Agent::config_builder().tls_config(tls).http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(60))).build().into()
}
