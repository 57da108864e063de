//! What the user says about an input: `--from [KEY=VALUE,…][CLUSTER=]PATH`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of an input that is read from standard input.
pub const STDIN: &str = "-";

/// A folder or file to read, and what is known about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    pub said: Said,
}

/// What the user knows better than the evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub cluster: Option<String>,
    pub component: Option<String>,
    pub namespace: Option<String>,
    pub pod: Option<String>,
    pub container: Option<String>,
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Self { path, said: Said::default() }
    }
}

impl Input {
    /// What exists under the whole text is a path, whatever signs are in its name.
    pub fn parse(text: &OsStr) -> Result<Self, String> {
        let plain = || Self::from(PathBuf::from(text));
        if text == STDIN || Path::new(text).exists() {
            return Ok(plain());
        }
        let Some(mut rest) = text.to_str() else { return Ok(plain()) };
        let mut said = Said::default();
        while let Some((key, value, after)) = next_pair(rest) {
            said.set(key, value)?;
            rest = after;
        }
        let named = rest.split_once('=').filter(|(name, path)| is_name(name) && !path.is_empty());
        if let Some((name, path)) = named.filter(|_| !Path::new(rest).exists()) {
            if KEYS.contains(&name) {
                return Err(NO_PATH.to_owned());
            }
            if path.contains(',') && !Path::new(path).exists() {
                return Err(format!("{name:?} is nothing that can be said; there are {}", KEYS.join(", ")));
            }
            said.cluster = Some(name.to_owned());
            rest = path;
        }
        if rest.is_empty() {
            return Err(NO_PATH.to_owned());
        }
        Ok(Self { path: PathBuf::from(OsString::from(rest)), said })
    }
}

impl Said {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let slot = match key {
            "cluster" => &mut self.cluster,
            "component" => &mut self.component,
            "namespace" => &mut self.namespace,
            "pod" => &mut self.pod,
            _ => &mut self.container,
        };
        if key == "component" && !super::component::ALL.contains(&value) {
            return Err(format!("{value:?} is no component; there are {}", super::component::ALL.join(", ")));
        }
        *slot = Some(value.to_owned());
        Ok(())
    }
}

const NO_PATH: &str = "no path is named; write it like mgmt-1=./logs or component=agent,./logs";

const KEYS: [&str; 5] = ["cluster", "component", "namespace", "pod", "container"];

/// `component=agent,` and what follows.
fn next_pair(text: &str) -> Option<(&str, &str, &str)> {
    let (pair, rest) = text.split_once(',')?;
    let (key, value) = pair.split_once('=')?;
    (KEYS.contains(&key) && is_name(value)).then_some((key, value, rest))
}

fn is_name(text: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    !text.is_empty() && !text.starts_with(['.', '-']) && text.bytes().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(String, Said), String> {
        Input::parse(OsStr::new(text)).map(|input| (input.path.display().to_string(), input.said))
    }

    #[test]
    fn a_path_may_have_a_cluster_and_more_before_it() {
        let said = |cluster: Option<&str>, component: Option<&str>| Said {
            cluster: cluster.map(Into::into),
            component: component.map(Into::into),
            ..Said::default()
        };
        assert_eq!(parse("./logs"), Ok(("./logs".into(), Said::default())));
        assert_eq!(parse("mgmt-1=./no/logs"), Ok(("./no/logs".into(), said(Some("mgmt-1"), None))));
        assert_eq!(parse("component=agent,./no"), Ok(("./no".into(), said(None, Some("agent")))));
        let both = said(Some("mgmt"), Some("agent"));
        assert_eq!(parse("component=agent,mgmt=no/a=b"), Ok(("no/a=b".into(), both.clone())));
        assert_eq!(parse("cluster=mgmt,component=agent,no"), Ok(("no".into(), both)));
        assert_eq!(parse("-"), Ok(("-".into(), Said::default())));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert!(parse("component=conductor,./logs").unwrap_err().contains("server, agent, client, other"));
        assert!(parse("component=agent,").is_err());
        assert!(parse("component=agent").unwrap_err().contains("no path"));
        assert!(parse("compnent=agent,./no/logs").unwrap_err().contains("component"));
    }
}
