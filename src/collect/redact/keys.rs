//! Names under which secrets are kept, and values under such names that are none.

use super::span::Kind;

/// How a name ends whose value is a secret, whatever it is. Written without anything but letters and digits.
const STRONG: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "accountkey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "sharedkey",
    "storagekey",
    "clientsecret",
    "clientkeydata",
    "authorization",
    "dockerconfigjson",
    "dockercfg",
    "tlskey",
];

/// How a name ends whose value is a secret or the name of one.
const WEAK: &[&str] =
    &["token", "secret", "credential", "credentials", "cookie", "pass", "passwords", "tokens", "apikeys"];

/// Files under which secrets are mounted and kept: their paths tell nothing.
const FOLDERS: &[&str] = &[
    "/etc/",
    "/var/",
    "/run/",
    "/tmp/",
    "/secrets/",
    "/home/",
    "/root/",
    "/opt/",
    "/usr/",
    "/mnt/",
    "/proc/",
    "/dev/",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    pub kind: Kind,
    /// A value under this name is hardly ever anything else.
    pub strong: bool,
}

/// What the value of this name is.
pub fn tell(name: &str) -> Option<Telling> {
    let ends = |end: &&&str| ends_with(name.as_bytes(), end.as_bytes());
    let (end, strong) = match STRONG.iter().find(ends) {
        Some(end) => (end, true),
        None => (WEAK.iter().find(ends)?, false),
    };
    Some(Telling { kind: kind_of(end), strong })
}

fn kind_of(end: &str) -> Kind {
    match end {
        "cookie" => Kind::Cookie,
        "token" | "tokens" | "apikey" | "apikeys" | "authorization" => Kind::Token,
        "privatekey" | "clientkeydata" | "tlskey" | "signingkey" => Kind::PrivateKey,
        "accesskey" | "accountkey" | "secretkey" | "sharedkey" | "storagekey" => Kind::CloudKey,
        "dockerconfigjson" | "dockercfg" | "credential" | "credentials" => Kind::Credentials,
        "secret" | "encryptionkey" | "masterkey" => Kind::Secret,
        _ => Kind::Password,
    }
}

/// Compares the end of a name, without case and without anything but letters and digits.
pub fn ends_with(name: &[u8], end: &[u8]) -> bool {
    let mut letters = name.iter().rev().filter(|byte| byte.is_ascii_alphanumeric());
    end.iter().rev().all(|wanted| letters.next().is_some_and(|letter| letter.to_ascii_lowercase() == *wanted))
}

/// Does a value stand for nothing, or for something that is elsewhere?
pub fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let lower = value.to_ascii_lowercase();
    let word = matches!(lower.as_str(), "" | "true" | "false" | "null" | "nil" | "none" | "empty" | "%s" | "%v" | "%q");
    let between = |(start, end): &(&str, &str)| value.starts_with(start) && value.ends_with(end);
    let named = [("$(", ")"), ("${", "}"), ("{{", "}}"), ("<", ">")].iter().any(between);
    let hidden =
        lower.contains("redacted") || lower.contains("obfuscated") || is_all(value, b'*') || is_all(value, b'x');
    word || named || hidden || FOLDERS.iter().any(|folder| value.starts_with(folder))
}

fn is_all(value: &str, byte: u8) -> bool {
    value.len() >= 3 && value.bytes().all(|other| other == byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_by_their_end() {
        for name in
            ["password", "DB_PASSWORD", "db.password", "clientSecret", "client-key-data", "X-Api-Key", ".dockercfg"]
        {
            assert!(tell(name).is_some_and(|telling| telling.strong), "{name}");
        }
        for name in ["token", "refresh_token", "pullSecret", "Set-Cookie"] {
            assert!(tell(name).is_some_and(|telling| !telling.strong), "{name}");
        }
        for name in ["secretName", "tokenPath", "passwordFile", "secretKeyRef", "name", "", "resourceVersion", "uid"] {
            assert_eq!(tell(name), None, "{name}");
        }
    }

    #[test]
    fn placeholders_are_no_secrets() {
        for value in ["", "true", "<nil>", "$(DB)", "${DB}", "{{ .Values.x }}", "***", "REDACTED", "/etc/maestro/token"]
        {
            assert!(is_placeholder(value), "{value}");
        }
        for value in ["hunter2", "/9j/4AAQ", "<b", "xx", "truely"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
