//! Secrets that are known by their looks, wherever they stand.

use super::base64;
use super::span::{Found, Kind};
use memchr::memmem;
use regex::Regex;
use std::sync::LazyLock;

/// A kind of secret that looks like nothing else.
pub struct Shape {
    kind: Kind,
    /// A word that every such secret has in it.
    pub hint: &'static str,
    /// The secret, as the first group.
    pattern: &'static str,
}

const fn shape(kind: Kind, hint: &'static str, pattern: &'static str) -> Shape {
    Shape { kind, hint, pattern }
}

/// `@` at the beginning of a pattern stands for the beginning of a word, be it after a quoted line break.
#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    shape(Kind::Jwt, "eyJ", r"(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?)"),
    shape(Kind::Jwt, "eyJ", r"(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,2})"),
    shape(Kind::Jwt, "eyJ", r"(eyJ[A-Za-z0-9_-]{8,}\.\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,2})"),
    shape(Kind::CloudKey, "AKIA", r"@(AKIA[A-Z2-7]{16})"),
    shape(Kind::CloudKey, "ASIA", r"@(ASIA[A-Z2-7]{16})"),
    shape(Kind::CloudKey, "AIza", r"@(AIza[A-Za-z0-9_-]{35})"),
    shape(Kind::CloudKey, "GOCSPX-", r"(GOCSPX-[A-Za-z0-9_-]{20,})"),
    shape(Kind::Token, "ya29.", r"@(ya29\.[A-Za-z0-9_-]{16,})"),
    shape(Kind::CloudKey, "8Q~", r"([A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34})"),
    shape(Kind::CloudKey, "==", r"(?:^|[^A-Za-z0-9+/=-]|\\[nrt])([A-Za-z0-9+/]{86}==)"),
    shape(Kind::CloudKey, "sig=", r"[?&;]sig=([A-Za-z0-9%+/=_-]{16,})"),
    shape(Kind::CloudKey, "u0026sig=", r"u0026sig=([A-Za-z0-9%+/=_-]{16,})"),
    shape(Kind::CloudKey, "X-Amz-Signature=", r"X-Amz-Signature=([0-9a-f]{32,})"),
    shape(Kind::Token, "ghp_", r"@(ghp_[A-Za-z0-9]{20,})"),
    shape(Kind::Token, "gho_", r"@(gho_[A-Za-z0-9]{20,})"),
    shape(Kind::Token, "ghu_", r"@(ghu_[A-Za-z0-9]{20,})"),
    shape(Kind::Token, "ghs_", r"@(ghs_[A-Za-z0-9]{20,})"),
    shape(Kind::Token, "ghr_", r"@(ghr_[A-Za-z0-9]{20,})"),
    shape(Kind::Token, "_pat_", r"@(github_pat_[A-Za-z0-9_]{20,})"),
    shape(Kind::Token, "_pat_", r"@(dckr_pat_[A-Za-z0-9_-]{20,})"),
    shape(Kind::Token, "glpat-", r"@(glpat-[A-Za-z0-9_.-]{16,})"),
    shape(Kind::Token, "xox", r"@(xox[abeprs]-[A-Za-z0-9-]{10,})"),
    shape(Kind::Token, "hooks.slack.com/", r"hooks\.slack\.com/services/([A-Za-z0-9/]{20,})"),
    shape(Kind::Token, "_live_", r"@([rsp]k_live_[A-Za-z0-9]{16,})"),
    shape(Kind::Token, "_test_", r"@([rs]k_test_[A-Za-z0-9]{16,})"),
    shape(Kind::Token, "npm_", r"@(npm_[A-Za-z0-9]{30,})"),
    shape(Kind::Token, "pypi-", r"@(pypi-[A-Za-z0-9_-]{30,})"),
    shape(Kind::Token, "SG.", r"@(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})"),
    shape(Kind::Token, "hvs.", r"@(hvs\.[A-Za-z0-9_-]{20,})"),
    shape(Kind::Token, "hvb.", r"@(hvb\.[A-Za-z0-9_-]{20,})"),
    shape(Kind::Token, "sha256~", r"(sha256~[A-Za-z0-9_-]{20,})"),
    shape(Kind::Token, "hf_", r"@(hf_[A-Za-z0-9]{30,})"),
    shape(Kind::Token, "sk-", r"@(sk-(?:proj-|ant-|svcacct-|or-)[A-Za-z0-9_-]{16,}|sk-[A-Za-z0-9]{32,})"),
    shape(Kind::Token, "_v1_", r"@(do[opr]_v1_[a-f0-9]{32,})"),
    shape(Kind::Token, "dapi", r"@(dapi[a-f0-9]{32})"),
    shape(Kind::Token, "ATATT", r"@(ATATT[A-Za-z0-9_=-]{20,})"),
    shape(Kind::Token, "NRAK-", r"@(NRAK-[A-Z0-9]{20,})"),
    shape(Kind::PrivateKey, "AGE-SECRET-KEY-", r"(AGE-SECRET-KEY-1[A-Z0-9]{50,})"),
    shape(Kind::PrivateKey, "PuTTY-User-Key-File", r"(?s)(PuTTY-User-Key-File-.*?(?:Private-MAC:\s*[0-9a-f]+|$))"),
    shape(Kind::PasswordHash, "$2a$", r"(\$2a\$\d\d\$[./A-Za-z0-9]{50,53})"),
    shape(Kind::PasswordHash, "$2b$", r"(\$2b\$\d\d\$[./A-Za-z0-9]{50,53})"),
    shape(Kind::PasswordHash, "$2y$", r"(\$2y\$\d\d\$[./A-Za-z0-9]{50,53})"),
    shape(Kind::PasswordHash, "$6$", r"(\$6\$[^\s:$]{1,40}\$[./A-Za-z0-9]{40,})"),
    shape(Kind::PasswordHash, "$apr1$", r"(\$apr1\$[^\s:$]{1,20}\$[./A-Za-z0-9]{20,})"),
    shape(Kind::PasswordHash, "$argon2", r#"(\$argon2[id]{1,2}\$[^\s"'\\]{20,})"#),
    shape(Kind::PasswordHash, "SCRAM-SHA-256$", r"(SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+)"),
    shape(Kind::Token, "earer ", r"(?i:bearer) +([A-Za-z0-9._~+/=-]{16,})"),
    shape(Kind::Token, "EARER ", r"BEARER +([A-Za-z0-9._~+/=-]{16,})"),
    shape(Kind::Password, "assword '", r"(?i)password '([^'\\]+)'"),
    shape(Kind::Password, "ASSWORD '", r"(?i)password '([^'\\]+)'"),
    shape(Kind::Password, "dentified by '", r"(?i)identified by '([^'\\]+)'"),
    shape(Kind::Password, "DENTIFIED BY '", r"(?i)identified by '([^'\\]+)'"),
    shape(Kind::Password, " password ", r#"login +[^\s\\]+ +password +([^\s"'\\]+)"#),
    shape(Kind::Password, ":5432:", r#":5432:[^:\s"]+:[^:\s"]+:([^\s:"'\\]+)"#),
    shape(Kind::Password, "curl ", r#"curl .*?(?:-u|--user)[ =]+["'\\]*[^\s:"'\\]+:([^\s"'\\]+)"#),
    shape(Kind::Password, "sshpass ", r#"sshpass +-p *["'\\]*([^\s"'\\]+)"#),
];

/// How base64 begins that has JSON, YAML or PEM inside.
pub const ENCODED: &[&str] = &["eyJ", "LS0tLS1CRUdJTi", "YXBpVmVyc2lvbj", "a2luZDog", "Y2x1c3RlcnM6"];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    const WORD: &str = r"(?:^|[^A-Za-z0-9_]|\\[nrt])";
    let written = |shape: &Shape| match shape.pattern.strip_prefix('@') {
        Some(pattern) => format!("{WORD}{pattern}"),
        None => shape.pattern.to_owned(),
    };
    SHAPES.iter().filter_map(|shape| Regex::new(&written(shape)).ok()).collect()
});

static BLOB: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?:{})[A-Za-z0-9+/_-]{{12,}}=*", ENCODED.join("|"))).ok());

static BASIC: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i:basic) +([A-Za-z0-9+/]{6,}={0,2})").ok());

/// Finds secrets by their looks; `holds_secret` looks into what is encoded.
pub fn find(found: &mut Found<'_>, holds_secret: impl Fn(&str) -> bool) {
    let text = found.text;
    let has = |hint: &str| memmem::find(text.as_bytes(), hint.as_bytes()).is_some();
    for (shape, pattern) in SHAPES.iter().zip(PATTERNS.iter()).filter(|(shape, _)| has(shape.hint)) {
        for secret in pattern.captures_iter(text).filter_map(|captures| captures.get(1)) {
            found.add((secret.start(), secret.end()), shape.kind);
        }
    }
    if ENCODED.iter().any(|start| has(start)) {
        for blob in BLOB.iter().flat_map(|blob| blob.find_iter(text)) {
            let inside = base64::decode(blob.as_str());
            if inside.is_some_and(|inside| holds_secret(&String::from_utf8_lossy(&inside))) {
                found.add_written((blob.start(), blob.end()), Kind::Credentials, super::span::Written::Base64);
            }
        }
    }
    if has("asic ") || has("ASIC ") {
        for login in BASIC.iter().flat_map(|basic| basic.captures_iter(text)).filter_map(|found| found.get(1)) {
            if base64::decode(login.as_str()).is_some_and(|login| login.contains(&b':')) {
                found.add((login.start(), login.end()), Kind::Password);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        assert_eq!(PATTERNS.len(), SHAPES.len());
        assert!(BLOB.is_some() && BASIC.is_some());
    }
}
