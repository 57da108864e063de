//! Names that a text gives away: by the key they stand under, by the sentence or by the address they are in.
//!
//! The text may be JSON at any depth of quoting, a log line, or a sentence. What is found here is a name everywhere.

use super::kind::Sort;
use super::vocabulary::is_public;
use regex::Regex;
use std::sync::LazyLock;

/// What the values of keys name. A key is compared without `-` and `_` and in small letters.
const KEYS: &[(&str, Sort)] = &[
    ("name", Sort::Object),
    ("generatename", Sort::Object),
    ("resourcename", Sort::Object),
    ("objectname", Sort::Object),
    ("serviceaccount", Sort::Object),
    ("serviceaccountname", Sort::Object),
    ("secretname", Sort::Object),
    ("claimname", Sort::Object),
    ("volumename", Sort::Object),
    ("configmapname", Sort::Object),
    ("object", Sort::Object),
    ("key", Sort::Object),
    ("namespace", Sort::Namespace),
    ("resourcenamespace", Sort::Namespace),
    ("objectnamespace", Sort::Namespace),
    ("podnamespace", Sort::Namespace),
    ("pod", Sort::Pod),
    ("podname", Sort::Pod),
    ("cluster", Sort::Consumer),
    ("clustername", Sort::Consumer),
    ("consumer", Sort::Consumer),
    ("consumername", Sort::Consumer),
    ("manifestworknamespace", Sort::Consumer),
    ("work", Sort::Work),
    ("workname", Sort::Work),
    ("manifestwork", Sort::Work),
    ("manifestworkname", Sort::Work),
    ("source", Sort::Source),
    ("sourceid", Sort::Source),
    ("eventsource", Sort::Source),
    ("originalsource", Sort::Source),
    ("clientid", Sort::Source),
    ("node", Sort::Host),
    ("nodename", Sort::Host),
    ("host", Sort::Host),
    ("hostname", Sort::Host),
    ("brokerhost", Sort::Host),
    ("hostip", Sort::Host),
    ("opid", Sort::Id),
];

/// `key="value"`, `"key": "value"` however deep it is quoted, `key:value`, `key='value'`.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let keys: Vec<String> = KEYS.iter().map(|(key, _)| spelled(key)).collect();
    let value = r"([A-Za-z0-9][A-Za-z0-9._/:@-]*)";
    Regex::new(&format!(
        r#"(?i)(?:^|[^a-z0-9]|\\n)({})(?:\\*["'](?:\s*[:=]\s*)|[:=])\[?(?:\\*["'])?{value}"#,
        keys.join("|")
    ))
    .ok()
});

/// `name: value` in YAML, where the value ends its line and cannot be a word of a sentence.
static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let keys: Vec<String> = KEYS.iter().map(|(key, _)| spelled(key)).collect();
    Regex::new(&format!(
        r#"(?im)(?:^|\\n)[ \t-]*({}): ["']?([a-z0-9][a-z0-9._-]*[-.0-9][a-z0-9._-]*)["']?(?:$|\\n|\\r)"#,
        keys.join("|")
    ))
    .ok()
});

/// A map of labels, and each value in it.
static LABELS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:[lL]abels|annotations|nodeSelector|selector)\\*"\s*:\s*\{([^{}]*)\}"#).ok());
static LABEL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""\s*:\s*\\*"([A-Za-z0-9][A-Za-z0-9._/-]{0,511})\\*""#).ok());

/// A name that a sentence or a path has in such a place.
static SENTENCES: LazyLock<Vec<(Regex, Sort)>> = LazyLock::new(|| {
    let name = "([A-Za-z0-9][A-Za-z0-9._-]*)";
    let written = [
        (format!("/namespaces/{name}/[a-z]+/[A-Za-z0-9]"), Sort::Namespace),
        (format!("/namespaces/{name}"), Sort::Namespace),
        (format!("/namespaces/[^/ ]+/[a-z]+/{name}"), Sort::Object),
        (format!("consumers/{name}/"), Sort::Consumer),
        (format!("clusters/{name}/"), Sort::Consumer),
        (format!("sources/{name}/"), Sort::Source),
        (format!("watcher {name}/"), Sort::Source),
        (format!("watcher [^/ ]+/{name}"), Sort::Consumer),
        (format!("system:serviceaccount:{name}:"), Sort::Namespace),
        (format!("system:serviceaccount:[^: ]+:{name}"), Sort::Object),
        (format!("system:node:{name}"), Sort::Host),
        (format!(r#"[Nn]amespace \\*"{name}\\*""#), Sort::Namespace),
        (format!(r#"(?:[a-z]+s(?:\.[a-z0-9.-]+)?|manifestwork|resource) \\*"{name}\\*""#), Sort::Object),
        (format!(r#"consumer \\*"{name}\\*""#), Sort::Consumer),
        (format!("manifestwork {name} is "), Sort::Work),
        (format!("(?:ADDED|MODIFIED|DELETED) for {name}"), Sort::Work),
        (format!("[Pp]od:? {name}-[a-z0-9]"), Sort::Object),
        (format!("lookup {name}(?: on |:)"), Sort::Host),
    ];
    written.into_iter().filter_map(|(pattern, sort)| Some((Regex::new(&pattern).ok()?, sort))).collect()
});

/// Addresses: after `://` and perhaps a login, before a port, and in zones that are of machines.
static HOSTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
    let host = format!(r"{label}(?:\.{label})*");
    let zoned = format!(r"{label}(?:\.{label})*\.[a-z]{{2,}}");
    let zones = "svc|svc\\.cluster\\.local|cluster\\.local|internal|local|lan|corp|intra|intranet|home|amazonaws\\.com|azure\\.com|azmk8s\\.io|azurecr\\.io|windows\\.net|googleapis\\.com|azure\\.net";
    let written = [
        format!(r"://(?:[^\s/@]*@)?({host})"),
        format!(r":\\/\\/(?:[^\s/@\\]*@)?({host})"),
        format!(r"(?:^|[^A-Za-z0-9./_-])({zoned}):\d{{2,5}}(?:[^A-Za-z0-9]|$)"),
        format!(r"@({zoned})"),
        format!(r"(?:^|[^A-Za-z0-9./_-])({label}(?:\.{label})*\.(?:{zones}))(?:[^A-Za-z0-9_.-]|\.\s|\.?$)"),
    ];
    written.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

/// Ends of names of files, which look like those of machines.
const FILES: &[&str] = &[
    "go", "rs", "py", "js", "ts", "java", "c", "h", "sh", "sql", "json", "yaml", "yml", "log", "txt", "md", "crt",
    "key", "pem", "csv", "gz", "tar", "zip", "conf", "toml", "proto",
];

/// Hands over every name in the text.
pub fn names(text: &str, mut each: impl FnMut(Sort, &str)) {
    for pairs in [&PAIR, &LINE] {
        for pair in pairs.iter().flat_map(|pattern| pattern.captures_iter(text)) {
            let (Some(key), Some(value)) = (pair.get(1), pair.get(2)) else { continue };
            let key: String = key.as_str().to_lowercase().replace(['-', '_'], "");
            let Some((_, sort)) = KEYS.iter().find(|(own, _)| *own == key) else { continue };
            parts(*sort, value.as_str(), &mut each);
        }
    }
    for map in LABELS.iter().flat_map(|labels| labels.captures_iter(text)).filter_map(|map| map.get(1)) {
        for value in LABEL.iter().flat_map(|label| label.captures_iter(map.as_str())).filter_map(|value| value.get(1)) {
            parts(Sort::Label, value.as_str(), &mut each);
        }
    }
    for (pattern, sort) in SENTENCES.iter() {
        for name in pattern.captures_iter(text).filter_map(|captures| captures.get(1)) {
            each(*sort, name.as_str());
        }
    }
}

/// Hands over every name of a machine in the text.
pub fn hosts(text: &str, mut each: impl FnMut(&str)) {
    for pattern in HOSTS.iter() {
        for host in pattern.captures_iter(text).filter_map(|captures| captures.get(1)) {
            if is_host(host.as_str()) {
                each(host.as_str());
            }
        }
    }
}

pub fn is_host(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    !FILES.contains(&last) && !is_public(host) && host.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A name may have a namespace before it, and a machine a port behind it.
pub fn parts(sort: Sort, value: &str, each: &mut impl FnMut(Sort, &str)) {
    if sort == Sort::Host {
        let host = value.split('/').rfind(|part| part.contains('.')).unwrap_or(value);
        let host = host.split(':').next().unwrap_or(host);
        if is_host(host) {
            each(sort, host);
        }
        return;
    }
    for part in value.split(['/', ':', '@']) {
        each(sort, part);
    }
}

/// A key as people join its words.
fn spelled(key: &str) -> String {
    key.chars().map(String::from).collect::<Vec<_>>().join("[-_]?")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        names(text, |sort, name| found.push(format!("{} {name}", sort.prefix())));
        hosts(text, |host| found.push(format!("host {host}")));
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn texts_give_names_away_by_their_keys() {
        for (text, expected) in [
            (r#""sent" consumer="c-1" work="shop" op-id="3MAT""#, &["consumer c-1", "id 3MAT", "work shop"][..]),
            (r#"{"name": "shop", "namespace":"n-1"}"#, &["namespace n-1", "object shop"]),
            (r#"event="{\"metadata\":\"{\\\"name\\\":\\\"shop\\\"}\"}""#, &["object shop"]),
            ("{Name:shop Namespace:n-1}", &["namespace n-1", "object shop"]),
            ("metadata:\n  name: shop-1\n  namespace: plain\n", &["object shop-1"]),
            (r#"{"labels":{"app":"shop","a/b":"x-1"}}"#, &["label shop", "label x-1"]),
            ("search=consumer_name='c-1'", &["consumer c-1"]),
            ("failed to get name: not found", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_give_names_away_by_their_sentences() {
        for (text, expected) in [
            ("GET /apis/apps/v1/namespaces/n-1/deployments/shop", &["namespace n-1", "object shop"][..]),
            (r#"User "system:serviceaccount:n-1:sa-1" may not"#, &["namespace n-1", "object n-1", "object sa-1"]),
            (r#"deployments.apps "shop" not found"#, &["object shop"]),
            ("manifestwork shop is terminating", &["work shop"]),
            ("topic=sources/s-1/consumers/c-1/agentevents", &["consumer c-1", "source s-1"]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn machines_are_known_by_their_addresses() {
        for (text, expected) in [
            ("postgres://reader@db.example/maestro", &["host db.example"][..]),
            ("dial tcp: lookup db.corp.example on 10.0.0.1:53", &["host db.corp.example"]),
            ("broker.night.example:1883 is down", &["host broker.night.example"]),
            ("node ip-10-0-0-1.ec2.internal", &["host ip-10-0-0-1.ec2.internal"]),
            ("grpc-1.n-1.svc.cluster.local", &["host grpc-1.n-1.svc.cluster.local"]),
            ("at main.go:126] https://github.com/x k8s.io/client-go/cache/reflector.go:289", &[]),
            ("apps.open-cluster-management.io/v1", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
