//! How to reach the database: what the address says, then what the environment says, then libpq's defaults.

use super::address::{self, Said};
use super::password_file::{self, Whom};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Everything that is needed to connect. There is no way to print it: the password is in it.
#[derive(Clone)]
pub struct Settings {
    pub config: Config,
    pub tls: Tls,
    /// What a person should know if it does not work, such as a password file that was not used.
    pub remark: Option<String>,
}

/// How the connection is protected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tls {
    /// It is not: the user says so, or it does not leave this machine.
    Off,
    /// The server must prove that it is who it is taken for.
    Verified { roots: Roots, client: Option<(PathBuf, PathBuf)> },
}

/// Whose word is taken for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roots {
    System,
    File(PathBuf),
}

/// libpq's names of settings, and the variables they come from where the address is silent.
const VARIABLES: &[(&str, &str)] = &[
    ("host", "PGHOST"),
    ("hostaddr", "PGHOSTADDR"),
    ("port", "PGPORT"),
    ("dbname", "PGDATABASE"),
    ("user", "PGUSER"),
    ("password", "PGPASSWORD"),
    ("passfile", "PGPASSFILE"),
    ("application_name", "PGAPPNAME"),
    ("options", "PGOPTIONS"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
    ("target_session_attrs", "PGTARGETSESSIONATTRS"),
    ("channel_binding", "PGCHANNELBINDING"),
    ("load_balance_hosts", "PGLOADBALANCEHOSTS"),
    ("sslmode", "PGSSLMODE"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("sslcert", "PGSSLCERT"),
    ("sslkey", "PGSSLKEY"),
    ("service", "PGSERVICE"),
];

/// Settings that the driver takes as they are.
const PASSED_ON: &[&str] = &[
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "connect_timeout",
    "target_session_attrs",
    "channel_binding",
    "load_balance_hosts",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
];

/// Settings that are read here.
const OURS: &[&str] = &["passfile", "sslmode", "sslrootcert", "sslcert", "sslkey"];

/// Settings that change nothing for a reader who speaks TLS or nothing.
const WITHOUT_EFFECT: &[&str] =
    &["client_encoding", "fallback_application_name", "gssencmode", "sslcompression", "sslsni"];

/// Settings of libpq that would mean something and are not understood here.
const NOT_UNDERSTOOD: &[&str] = &[
    "gssdelegation",
    "gsslib",
    "krbsrvname",
    "max_protocol_version",
    "min_protocol_version",
    "replication",
    "require_auth",
    "requirepeer",
    "requiressl",
    "scram_client_key",
    "scram_server_key",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcertmode",
    "sslcrl",
    "sslcrldir",
    "sslnegotiation",
    "sslpassword",
];

/// Where Unix sockets lie, as the packages of distributions build libpq.
const SOCKET_FOLDERS: &[&str] = &["/var/run/postgresql", "/run/postgresql", "/tmp"];

const PORT: &str = "5432";
const NAME: &str = "dacapo";

/// Is there a password in the address itself, where whoever lists processes sees it?
pub fn shows_password(address: &str) -> bool {
    address::parse(address).is_ok_and(|said| said.contains_key("password"))
}

impl Settings {
    pub fn of(address: &str, environment: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut said = address::parse(address)?;
        let known = |key: &str| [PASSED_ON, OURS, WITHOUT_EFFECT].iter().any(|keys| keys.contains(&key));
        if let Some(strange) = said.keys().find(|key| !known(key) && *key != "service") {
            // What libpq does not know either may be a part of a password.
            let named = NOT_UNDERSTOOD.iter().find(|key| *key == strange);
            let shown = named.map_or("what stands before a =", |key| key);
            return Err(format!("{shown} is no setting that is understood here"));
        }
        for (key, variable) in VARIABLES {
            if let Some(value) = environment.get(*variable).filter(|value| !value.is_empty()) {
                said.entry((*key).to_owned()).or_insert_with(|| value.clone());
            }
        }
        if said.contains_key("service") {
            return Err("connection service files are not read; say host, database and user instead".to_owned());
        }
        said.retain(|_, value| !value.is_empty());
        fill_in(&mut said, environment);
        let remark = find_password(&mut said, environment);
        let tls = Tls::of(&said, environment)?;
        let config = config(&said, &tls)?;
        Ok(Self { config, tls, remark })
    }

    /// Hosts and ports, as a person reads them.
    pub fn server(&self) -> String {
        let name = |host: &Host| match host {
            Host::Tcp(host) => host.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        };
        let names: Vec<String> = self.config.get_hosts().iter().map(name).collect();
        let addresses: Vec<String> = self.config.get_hostaddrs().iter().map(IpAddr::to_string).collect();
        let ports: Vec<String> = self.config.get_ports().iter().map(u16::to_string).collect();
        let places = [names.join(","), addresses.join(",")].into_iter().filter(|places| !places.is_empty());
        format!("{} port {}", places.collect::<Vec<_>>().join(" at "), ports.join(","))
    }
}

/// What nobody said.
fn fill_in(said: &mut Said, environment: &BTreeMap<String, String>) {
    let mut default = |key: &str, value: Option<String>| {
        if let (false, Some(value)) = (said.contains_key(key), value) {
            said.insert(key.to_owned(), value);
        }
    };
    let login = environment.get("USER").or_else(|| environment.get("LOGNAME")).cloned();
    default("port", Some(PORT.to_owned()));
    default("user", login);
    default("application_name", Some(NAME.to_owned()));
    let user = said.get("user").cloned();
    if let (false, Some(user)) = (said.contains_key("dbname"), user) {
        said.insert("dbname".to_owned(), user);
    }
    if !said.contains_key("host") && !said.contains_key("hostaddr") {
        let port = said.get("port").map_or(PORT, String::as_str);
        let has_socket = |folder: &&&str| Path::new(folder).join(format!(".s.PGSQL.{port}")).exists();
        let host = SOCKET_FOLDERS.iter().find(has_socket).map_or("localhost", |folder| *folder).to_owned();
        said.insert("host".to_owned(), host);
    }
}

/// Takes the password from the password file if nobody said one; what is wrong with that file is returned.
fn find_password(said: &mut Said, environment: &BTreeMap<String, String>) -> Option<String> {
    if said.contains_key("password") {
        return None;
    }
    let home = || Some(Path::new(environment.get("HOME")?).join(".pgpass"));
    let path = said.get("passfile").map(PathBuf::from).or_else(home)?;
    let first = |key: &str| said.get(key).and_then(|list| list.split(',').next()).unwrap_or_default();
    let host = [first("host"), first("hostaddr")].into_iter().find(|host| !host.is_empty()).unwrap_or_default();
    let host = if SOCKET_FOLDERS.contains(&host) { "localhost" } else { host };
    let port = Some(first("port")).filter(|port| !port.is_empty()).unwrap_or(PORT);
    let all = |key: &str| said.get(key).map_or("", String::as_str);
    let whom = Whom { host, port, database: all("dbname"), user: all("user") };
    match password_file::look_up(&path, whom) {
        Ok(password) => {
            said.extend(password.map(|password| ("password".to_owned(), password)));
            None
        }
        Err(remark) => Some(remark),
    }
}

impl Tls {
    /// Every mode but `disable` verifies the server, also those that libpq does not verify in: evidence and the
    /// password go over this connection. Where nobody says a mode, what stays on this machine goes without.
    fn of(said: &Said, environment: &BTreeMap<String, String>) -> Result<Self, String> {
        let stays_here = said.get("host").or_else(|| said.get("hostaddr")).is_some_and(|hosts| {
            hosts.split(',').all(is_this_machine)
                && said.get("hostaddr").is_none_or(|addresses| addresses.split(',').all(is_this_machine))
        });
        // No server speaks TLS on a socket.
        let is_socket = said.get("host").is_some_and(|hosts| hosts.split(',').all(|host| host.starts_with('/')));
        match said.get("sslmode").map(String::as_str) {
            Some("disable") => return Ok(Self::Off),
            Some(_) if is_socket && !said.contains_key("hostaddr") => return Ok(Self::Off),
            None if stays_here => return Ok(Self::Off),
            None | Some("allow" | "prefer" | "require" | "verify-ca" | "verify-full") => {}
            Some(_) => return Err("sslmode is none of disable, require, verify-ca, verify-full".to_owned()),
        }
        let roots = match said.get("sslrootcert").map(String::as_str) {
            Some("system") => Roots::System,
            Some(file) => Roots::File(file.into()),
            None => {
                let own = environment.get("HOME").map(|home| Path::new(home).join(".postgresql/root.crt"));
                own.filter(|file| file.exists()).map_or(Roots::System, Roots::File)
            }
        };
        let client = match (said.get("sslcert"), said.get("sslkey")) {
            (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
            (None, None) => None,
            _ => return Err("of sslcert and sslkey only one is said".to_owned()),
        };
        Ok(Self::Verified { roots, client })
    }
}

/// A Unix socket, or an address that no cable leads to.
fn is_this_machine(host: &str) -> bool {
    host.starts_with('/') || host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The driver's settings, in the form that it reads itself.
fn config(said: &Said, tls: &Tls) -> Result<Config, String> {
    let quoted = |value: &str| value.replace('\\', r"\\").replace('\'', r"\'");
    let passed_on = said.iter().filter(|(key, _)| PASSED_ON.contains(&key.as_str()));
    let mut pairs: Vec<String> = passed_on.map(|(key, value)| format!("{key}='{}'", quoted(value))).collect();
    pairs.push(format!("sslmode={}", if *tls == Tls::Off { "disable" } else { "require" }));
    // The driver's errors name the setting, not its value.
    let refused = |error: tokio_postgres::Error| match std::error::Error::source(&error) {
        Some(cause) => cause.to_string(),
        None => error.to_string(),
    };
    pairs.join(" ").parse().map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_postgres::config::Host;

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn of(address: &str, pairs: &[(&str, &str)]) -> Settings {
        Settings::of(address, &environment(pairs)).unwrap_or_else(|why| panic!("{why}"))
    }

    #[test]
    fn the_address_comes_before_the_environment_and_that_before_the_defaults() {
        let around = [("PGHOST", "elsewhere"), ("PGUSER", "reader"), ("PGPASSWORD", "word"), ("USER", "me")];
        let config = of("postgres://db.example:6432/maestro", &around).config;
        assert_eq!(config.get_hosts(), [Host::Tcp("db.example".to_owned())]);
        assert_eq!(config.get_ports(), [6432]);
        assert_eq!((config.get_user(), config.get_dbname()), (Some("reader"), Some("maestro")));
        assert_eq!(config.get_password(), Some("word".as_bytes()));
        assert_eq!(config.get_application_name(), Some("dacapo"));
        let config = of("", &[("PGHOST", "db.example"), ("USER", "me")]).config;
        assert_eq!((config.get_user(), config.get_dbname(), config.get_ports()), (Some("me"), Some("me"), &[5432][..]));
    }

    #[test]
    fn a_connection_that_leaves_the_machine_is_verified_unless_somebody_says_otherwise() {
        let system = Tls::Verified { roots: Roots::System, client: None };
        for (address, tls) in [
            ("host=db.example", &system),
            ("host=db.example sslmode=prefer", &system),
            ("host=db.example sslmode=require", &system),
            ("host=db.example sslmode=disable", &Tls::Off),
            ("host=/run/pg", &Tls::Off),
            ("host=/run/pg sslmode=require", &Tls::Off),
            ("host=127.0.0.1", &Tls::Off),
            ("host=localhost sslmode=verify-full", &system),
            ("host=localhost,db.example", &system),
            ("host=localhost hostaddr=192.0.2.1", &system),
            ("host=db.example hostaddr=127.0.0.1", &system),
        ] {
            assert_eq!(&of(address, &[]).tls, tls, "{address}");
        }
        let file = Tls::Verified { roots: Roots::File("ca.crt".into()), client: None };
        assert_eq!(of("host=db.example", &[("PGSSLROOTCERT", "ca.crt")]).tls, file);
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let why = |address: &str| Settings::of(address, &BTreeMap::new()).err().unwrap_or_default();
        assert!(why("host=a requirepeer=postgres").contains("requirepeer"));
        for address in ["reader:secret=word@db.example", "host=a secret=word", "postgres://u@h/x?secret=word"] {
            let parts = why(address);
            assert!(parts.contains("is no setting") && !parts.contains("secret"), "{parts}");
        }
        assert!(why("host=a port=x").contains("port"));
        assert!(why("host=a sslmode=no-verify").contains("sslmode"));
        assert!(why("service=maestro").contains("service"));
        assert!(why("host=a sslcert=c").contains("sslkey"));
    }

    #[test]
    fn a_server_is_told_by_name_and_address() {
        let server = |address: &str| Settings::of(address, &BTreeMap::new()).unwrap().server();
        assert_eq!(server("host=db.example user=u"), "db.example port 5432");
        assert_eq!(
            server("host=db.example hostaddr=127.0.0.1 port=15432 user=u"),
            "db.example at 127.0.0.1 port 15432"
        );
        assert_eq!(server("host=/run/postgresql user=u password=word"), "/run/postgresql port 5432");
    }

    #[test]
    fn a_password_in_the_address_can_be_seen() {
        assert!(shows_password("postgres://u:word@h") && shows_password("password=word"));
        assert!(!shows_password("postgres://u@h") && !shows_password(""));
    }
}
