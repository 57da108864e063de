//! A real PostgreSQL with Maestro's tables, for one test each.

use std::fs;
use std::io::Write;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::process::{self, Process};

/// In the order in which rows may be stored: those that others refer to first.
const TABLES: [&str; 6] = ["consumers", "server_instances", "resources", "events", "status_events", "event_instances"];

/// A server with the database `maestro`, which the role `maestro` owns.
pub struct Postgres {
    programs: Programs,
    port: u16,
    /// Before the folder, so that it has stopped when that goes.
    _server: Process,
    folder: TempDir,
}

impl Postgres {
    /// Starts a server with empty tables; `None` where PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        Self::start_with(false)
    }

    /// As [`Postgres::start`]; it speaks TLS too, with a certificate that [`Postgres::authority`] signed.
    pub fn start_with_tls() -> Option<Self> {
        Self::start_with(true)
    }

    fn start_with(tls: bool) -> Option<Self> {
        let Some(programs) = Programs::find() else {
            return process::skip("there is no PostgreSQL");
        };
        let folder = process::folder("postgres-");
        programs.give(folder.path());
        programs.initialise(folder.path());
        if tls {
            write_certificates(folder.path());
            ["server.crt", "server.key"].iter().for_each(|file| programs.give(&folder.path().join(file)));
        }
        let (server, port) = process::with_free_ports(|| programs.serve(folder.path(), tls));
        let postgres = Self { programs, port, _server: server, folder };
        postgres.run("postgres", "CREATE ROLE maestro LOGIN PASSWORD 'maestro-password'");
        postgres.run("postgres", "CREATE DATABASE maestro OWNER maestro");
        postgres.psql(&format!("SET ROLE maestro;\n{}", include_str!("maestro.sql")));
        Some(postgres)
    }

    /// A server that follows this one, with all that it has now.
    pub fn standby(&self) -> Self {
        let programs = Programs::find().expect("it was there before");
        let folder = process::folder("standby-");
        programs.give(folder.path());
        let words = programs.words("pg_basebackup");
        let mut copy = Command::new(&words[0]);
        copy.args(&words[1..]).args([
            "-U",
            "postgres",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync",
            "-h",
        ]);
        copy.arg(self.folder.path()).args(["-p", &self.port.to_string(), "-D"]).arg(folder.path().join("data"));
        let output = copy.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "pg_basebackup: {}", String::from_utf8_lossy(&output.stderr));
        let (server, port) = process::with_free_ports(|| programs.serve(folder.path(), false));
        Self { programs, port, _server: server, folder }
    }

    /// Runs SQL as the superuser in the database `maestro`; rows as `a|b`, one a line.
    ///
    /// # Panics
    /// When a statement fails.
    pub fn psql(&self, sql: &str) -> String {
        self.run("maestro", sql)
    }

    fn run(&self, database: &str, sql: &str) -> String {
        let mut psql = Command::new(self.programs.path("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", database, "-f", "-"]);
        psql.arg("-h").arg(self.folder.path()).arg("-p").arg(self.port.to_string());
        let mut child = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let sql_bytes = sql.to_owned().into_bytes();
        let feeding = std::thread::spawn(move || drop(stdin.write_all(&sql_bytes)));
        let output = child.wait_with_output().unwrap();
        feeding.join().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "psql: {said}\nin {sql:.300}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Stores the rows of a captured scenario, whose folder has `db/<table>.jsonl`.
    pub fn load(&self, scenario: &Path) {
        for table in TABLES {
            let Ok(text) = fs::read_to_string(scenario.join(format!("db/{table}.jsonl"))) else { continue };
            let rows: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            self.psql(&format!(
                "INSERT INTO {table} SELECT * FROM json_populate_recordset(null::{table}, $rows$[{}]$rows$)",
                rows.join(",\n")
            ));
        }
    }

    /// `postgres://…/maestro` over 127.0.0.1 for a role whose password is `<role>-password`.
    pub fn url(&self, role: &str) -> String {
        format!("postgres://{role}:{role}-password@127.0.0.1:{}/maestro", self.port)
    }

    /// The same as the variables that psql reads, for a container that is given them.
    pub fn environment(&self, role: &str) -> Vec<(String, String)> {
        let port = self.port.to_string();
        let password = format!("{role}-password");
        let values = [
            ("PGHOST", "127.0.0.1"),
            ("PGPORT", &port),
            ("PGUSER", role),
            ("PGPASSWORD", &password),
            ("PGDATABASE", "maestro"),
        ];
        values.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
    }

    /// The folder of the Unix socket: `host` in a connection string. Any role may come in there.
    pub fn socket_folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The certificate (PEM) to trust, of a server that speaks TLS.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.crt")
    }

    /// Every statement that was run, by whom, and every connection.
    pub fn log(&self) -> String {
        self._server.said()
    }
}

/// Where PostgreSQL's programs are, and as whom they run: root may not.
struct Programs {
    folder: PathBuf,
    /// User and group id to take on.
    user: Option<(u32, u32)>,
}

impl Programs {
    fn find() -> Option<Self> {
        let mut folders: Vec<PathBuf> = std::env::var_os("PG_BIN").map(PathBuf::from).into_iter().collect();
        let mut packaged: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
            .into_iter()
            .flatten()
            .map(|version| version.unwrap().path().join("bin"))
            .collect();
        packaged.sort();
        folders.extend(packaged.into_iter().rev());
        let initdb = process::find_program("initdb", &folders)?;
        let user = (id("-u", None)? == 0).then(|| {
            ["postgres", "nobody"].into_iter().find_map(|name| Some((id("-u", Some(name))?, id("-g", Some(name))?)))
        });
        let user = user.map(|found| found.expect("root has a user `postgres` or `nobody` to run PostgreSQL as"));
        Some(Self { folder: initdb.parent().unwrap().to_owned(), user })
    }

    /// Beside initdb, or on the PATH: psql is often packaged elsewhere.
    fn path(&self, program: &str) -> PathBuf {
        process::find_program(program, std::slice::from_ref(&self.folder))
            .unwrap_or_else(|| panic!("there is no {program}"))
    }

    /// Program and arguments up to the program's own, as the right user.
    fn words(&self, program: &str) -> Vec<String> {
        let path = self.path(program).to_str().unwrap().to_owned();
        match self.user {
            Some((user, group)) => vec![
                "setpriv".into(),
                format!("--reuid={user}"),
                format!("--regid={group}"),
                "--clear-groups".into(),
                path,
            ],
            None => vec![path],
        }
    }

    fn give(&self, path: &Path) {
        if let Some((user, group)) = self.user {
            chown(path, Some(user), Some(group)).unwrap();
        }
    }

    fn initialise(&self, folder: &Path) {
        let words = self.words("initdb");
        let output = Command::new(&words[0])
            .args(&words[1..])
            .arg("-D")
            .arg(folder.join("data"))
            .args(["-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"])
            .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "initdb: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn serve(&self, folder: &Path, tls: bool) -> Result<(Process, u16), String> {
        let port = process::free_port();
        let words = self.words("postgres");
        let mut command = process::guarded("INT", &words[0]);
        command
            .args(&words[1..])
            .arg("-D")
            .arg(folder.join("data"))
            .args(["-h", "127.0.0.1", "-p"])
            .arg(port.to_string());
        command.arg("-k").arg(folder).current_dir(folder);
        for setting in ["fsync=off", "log_statement=all", "log_connections=on", "log_line_prefix=%m [%p] %u@%d %a "] {
            command.args(["-c", setting]);
        }
        if tls {
            for (setting, file) in [("ssl_cert_file", "server.crt"), ("ssl_key_file", "server.key")] {
                command.args(["-c", &format!("{setting}={}", folder.join(file).display())]);
            }
            command.args(["-c", "ssl=on"]);
        }
        let mut server = Process::start(&mut command, folder.join("server.log"));
        server.wait_for(|server| server.said().contains("ready to accept ").then_some(()))?;
        Ok((server, port))
    }
}

/// A user or group id; `None` if there is no such user.
fn id(which: &str, user: Option<&str>) -> Option<u32> {
    let output = Command::new("id").arg(which).args(user).stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// `server.crt` and `server.key` for 127.0.0.1 and localhost, signed by `authority.crt`.
fn write_certificates(folder: &Path) {
    use rcgen::{CertificateParams, KeyPair};
    let authority = super::certificates::authority();
    let key = KeyPair::generate().unwrap();
    let of_server = CertificateParams::new(["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    let server = of_server.signed_by(&key, &authority).unwrap();
    fs::write(folder.join("authority.crt"), authority.pem()).unwrap();
    fs::write(folder.join("server.crt"), server.pem()).unwrap();
    let path = folder.join("server.key");
    fs::write(&path, key.serialize_pem()).unwrap();
    // PostgreSQL takes no key that others may read.
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}
