//! How to reach a cluster: which kubeconfig, which context, and what the cluster is called for it.

use super::super::trouble::Trouble;
use super::super::wanted::Cluster;
use super::failure::misconfigured;
use crate::collect::outcome::Status;
use http::HeaderValue;
use http::header::USER_AGENT;
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An API server that is away is told from one that is slow after this time.
const CONNECT: Duration = Duration::from_secs(15);

/// How an administrator finds our requests in the log of an API server.
const AGENT: &str = concat!("dacapo/", env!("CARGO_PKG_VERSION"));

/// What the kubeconfig says, before anybody was asked.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// There is none where the program runs in the cluster itself.
    kubeconfig: Option<Kubeconfig>,
    context: Option<String>,
    /// The file that the user names.
    named: Option<PathBuf>,
}

impl Access {
    /// Reads the kubeconfig as `kubectl` would: the file that is named, those of `KUBECONFIG`, the one at home.
    pub fn find(cluster: &Cluster, environment: &BTreeMap<String, String>) -> Result<Self, Trouble> {
        let files = files(cluster, environment);
        if files.is_empty() {
            return match &cluster.context {
                None => Ok(Self::default()),
                Some(context) => Err(trouble(format!("there is no kubeconfig with the context {context:?}"))),
            };
        }
        let mut kubeconfig = Kubeconfig::default();
        for file in &files {
            let read = Kubeconfig::read_from(file).and_then(|next| kubeconfig.clone().merge(next));
            kubeconfig = read.map_err(|error| trouble(format!("{}: {}", file.display(), misconfigured(&error).why)))?;
        }
        let context = cluster.context.clone().or_else(|| kubeconfig.current_context.clone());
        let known: Vec<&str> = kubeconfig.contexts.iter().map(|context| context.name.as_str()).collect();
        let place = files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
        let Some(context) = context.filter(|context| !context.is_empty()) else {
            return Err(trouble(format!("{place} chooses no context; there are {}", list(&known))));
        };
        if !known.contains(&context.as_str()) {
            return Err(trouble(format!("{place} has no context {context:?}; there are {}", list(&known))));
        }
        Ok(Self { kubeconfig: Some(kubeconfig), context: Some(context), named: cluster.kubeconfig.clone() })
    }

    pub fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// The address of the API server, as far as the kubeconfig says it.
    pub fn server(&self) -> Option<&str> {
        let kubeconfig = self.kubeconfig.as_ref()?;
        let context = kubeconfig.contexts.iter().find(|context| Some(&context.name) == self.context.as_ref())?;
        let named = &context.context.as_ref()?.cluster;
        let cluster = kubeconfig.clusters.iter().find(|cluster| cluster.name == *named)?;
        cluster.cluster.as_ref()?.server.as_deref()
    }

    /// Host and port of the API server; whatever else stands in its address is for nobody to read.
    pub fn host(&self) -> Option<String> {
        let server: http::Uri = self.server()?.parse().ok()?;
        let port = server.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
        Some(format!("{}{port}", server.host()?))
    }

    /// `kubectl` with what leads it to this cluster, whichever the person who runs it has chosen.
    pub fn kubectl(&self) -> String {
        let file = self.named.as_ref().map(|file| format!(" --kubeconfig {}", quoted(&file.display().to_string())));
        let context = self.context.as_ref().map(|context| format!(" --context {}", quoted(context)));
        format!("kubectl{}{}", file.unwrap_or_default(), context.unwrap_or_default())
    }

    /// What the command is called that gives credentials.
    pub fn plugin(&self) -> Option<String> {
        let kubeconfig = self.kubeconfig.as_ref()?;
        let context = kubeconfig.contexts.iter().find(|context| Some(&context.name) == self.context.as_ref())?;
        let named = context.context.as_ref()?.user.as_ref()?;
        let user = kubeconfig.auth_infos.iter().find(|user| user.name == *named)?;
        let command = user.auth_info.as_ref()?.exec.as_ref()?.command.as_ref()?;
        Some(Path::new(command).file_name()?.to_string_lossy().into_owned())
    }

    pub async fn config(&self) -> Result<Config, Trouble> {
        let mut config = match &self.kubeconfig {
            None => Config::incluster().map_err(|error| {
                let away = trouble("there is no kubeconfig, and this is not a pod of a cluster");
                Trouble::new(Status::Failed, format!("{}: {}", away.why, Trouble::of(Status::Failed, &error).why))
            })?,
            Some(kubeconfig) => {
                let options = KubeConfigOptions { context: self.context.clone(), ..KubeConfigOptions::default() };
                let config = Config::from_custom_kubeconfig(kubeconfig.clone(), &options).await;
                config.map_err(|error| misconfigured(&error))?
            }
        };
        config.headers.push((USER_AGENT, HeaderValue::from_static(AGENT)));
        config.connect_timeout = Some(CONNECT);
        // We ask again ourselves: with a limit for all of it, and not when nobody wants the answer any more.
        config.default_retry = false;
        Ok(config)
    }
}

fn trouble(why: impl Into<String>) -> Trouble {
    Trouble::new(Status::Failed, why)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-._/:@+=".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn files(cluster: &Cluster, environment: &BTreeMap<String, String>) -> Vec<PathBuf> {
    if let Some(file) = &cluster.kubeconfig {
        return vec![file.clone()];
    }
    let several = environment.get("KUBECONFIG").map(std::env::split_paths).into_iter().flatten();
    let several: Vec<PathBuf> = several.filter(|path| !path.as_os_str().is_empty()).collect();
    match several.as_slice() {
        // A file that is not there says so itself, unless there are others.
        [_] => several,
        [] => {
            let home = environment.get("HOME").map(|home| Path::new(home).join(".kube").join("config"));
            home.filter(|path| path.is_file()).into_iter().collect()
        }
        _ => several.into_iter().filter(|path| path.is_file()).collect(),
    }
}

/// A context's name without signs that a path cannot have.
pub fn cluster_name(context: &str) -> String {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.' | '_');
    let name: String = context.chars().map(|sign| if fits(sign) { sign } else { '-' }).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "cluster".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::super::wanted::Role;
    use super::*;

    fn kubeconfig(folder: &Path, name: &str, contexts: &[&str]) -> PathBuf {
        let context = |name: &&str| format!(r#"{{"name": "{name}", "context": {{"cluster": "{name}", "user": "u"}}}}"#);
        let cluster =
            |name: &&str| format!(r#"{{"name": "{name}", "cluster": {{"server": "https://{name}.example.com"}}}}"#);
        let join = |parts: Vec<String>| parts.join(",");
        let text = format!(
            r#"{{"apiVersion": "v1", "kind": "Config", "current-context": "{}", "contexts": [{}], "clusters": [{}]}}"#,
            contexts.first().unwrap(),
            join(contexts.iter().map(context).collect()),
            join(contexts.iter().map(cluster).collect())
        );
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn find(context: Option<&str>, file: Option<PathBuf>, environment: &[(&str, &Path)]) -> Result<Access, Trouble> {
        let context = context.map(str::to_owned);
        let environment =
            environment.iter().map(|(name, value)| ((*name).to_owned(), value.display().to_string())).collect();
        Access::find(&Cluster { role: Role::Management, context, kubeconfig: file }, &environment)
    }

    #[test]
    fn the_kubeconfig_is_found_where_kubectl_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let one = kubeconfig(folder.path(), "one", &["mgmt-1", "mgmt-2"]);
        let two = kubeconfig(folder.path(), "two", &["svc"]);
        std::fs::create_dir(folder.path().join(".kube")).unwrap();
        kubeconfig(&folder.path().join(".kube"), "config", &["home"]);
        let several = std::env::join_paths([&two, &folder.path().join("away"), &one]).unwrap();

        let context = |found: Result<Access, Trouble>| found.unwrap().context().unwrap().to_owned();
        let home = ("HOME", folder.path());
        assert_eq!(context(find(None, Some(one.clone()), &[home])), "mgmt-1");
        assert_eq!(context(find(None, None, &[home])), "home");
        let listed = ("KUBECONFIG", Path::new(&several));
        assert_eq!(context(find(None, None, &[home, listed])), "svc");
        let found = find(Some("mgmt-2"), None, &[listed]).unwrap();
        assert_eq!(found.server(), Some("https://mgmt-2.example.com"));
        assert_eq!(found.host().as_deref(), Some("mgmt-2.example.com"));
        assert!(find(None, None, &[]).unwrap().context().is_none());
    }

    #[test]
    fn a_context_that_is_not_there_names_those_that_are() {
        let folder = tempfile::tempdir().unwrap();
        let one = kubeconfig(folder.path(), "one", &["mgmt-1", "mgmt-2"]);
        let why = find(Some("mgmt-3"), Some(one), &[]).unwrap_err().why;
        assert!(why.contains("has no context \"mgmt-3\"; there are mgmt-1, mgmt-2"), "{why}");
        let why = find(None, Some(folder.path().join("away")), &[]).unwrap_err().why;
        assert!(why.contains("away: No such file"), "{why}");
        let empty = folder.path().join("empty");
        std::fs::write(&empty, "").unwrap();
        let why = find(None, Some(empty), &[]).unwrap_err().why;
        assert!(why.ends_with("empty chooses no context; there are none"), "{why}");
        assert!(find(Some("x"), None, &[]).unwrap_err().why.contains("no kubeconfig with the context \"x\""));
    }

    #[test]
    fn a_command_leads_to_the_same_cluster() {
        let folder = tempfile::tempdir().unwrap();
        let file = kubeconfig(folder.path(), "it's", &["fleet/svc-1"]);
        let at = folder.path().display();
        let named = find(None, Some(file.clone()), &[]).unwrap().kubectl();
        assert_eq!(named, format!(r"kubectl --kubeconfig '{at}/it'\''s' --context fleet/svc-1"));
        assert_eq!(find(None, None, &[("KUBECONFIG", &file)]).unwrap().kubectl(), "kubectl --context fleet/svc-1");
        assert_eq!(Access::default().kubectl(), "kubectl");
    }

    #[test]
    fn the_name_of_a_context_becomes_one_of_a_folder() {
        assert_eq!(cluster_name("arn:aws:eks:eu-1:12:cluster/mgmt"), "arn-aws-eks-eu-1-12-cluster-mgmt");
        assert_eq!(cluster_name("admin@mgmt.example"), "admin-mgmt.example");
        assert_eq!(cluster_name("../.."), "cluster");
    }
}
