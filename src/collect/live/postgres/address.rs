//! A database's address as libpq reads it: a URL, `key=value` pairs, or the bare name of a database.
//!
//! No error here repeats what was given: a password may be in it.

use std::collections::BTreeMap;

/// What an address says, under libpq's names.
pub type Said = BTreeMap<String, String>;

pub fn parse(address: &str) -> Result<Said, String> {
    let address = address.trim();
    let url = ["postgres://", "postgresql://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    match url {
        Some(rest) => of_url(rest),
        None if address.contains('=') => of_pairs(address),
        None if address.contains(['/', ':', '@']) => {
            Err("it is neither a URL (postgres://…) nor key=value pairs (host=… dbname=…)".to_owned())
        }
        None if address.is_empty() => Ok(Said::new()),
        None => Ok(Said::from([("dbname".to_owned(), address.to_owned())])),
    }
}

/// `[user[:password]@][host[:port][,…]][/dbname][?key=value&…]`
fn of_url(rest: &str) -> Result<Said, String> {
    let mut said = Said::new();
    // Taken for the name of a database, the rest of a password would be shown.
    let cut_password = "an @ follows the first / or ?; in a password write / as %2F and ? as %3F, elsewhere @ as %40";
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
    if database.contains('@') || (query.contains('@') && !authority.contains('@') && authority.contains(':')) {
        return Err(cut_password.to_owned());
    }
    // A password may hold an @ that nobody encoded; a host cannot.
    let (user, hosts) = authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
    if let Some(user) = user {
        let (name, password) = user.split_once(':').map_or((user, None), |(name, word)| (name, Some(word)));
        put(&mut said, "user", name)?;
        put(&mut said, "password", password.unwrap_or_default())?;
    }
    let hosts: Vec<(&str, &str)> = hosts.split(',').map(host_and_port).collect();
    let list = |part: fn(&(&str, &str)) -> String| hosts.iter().map(part).collect::<Vec<_>>().join(",");
    put(&mut said, "host", &list(|(host, _)| (*host).to_owned()))?;
    if hosts.iter().any(|(_, port)| !port.is_empty()) {
        put(&mut said, "port", &list(|(_, port)| (*port).to_owned()))?;
    }
    put(&mut said, "dbname", database)?;
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            return Err("a parameter after ? has no value".to_owned());
        };
        match (key, value) {
            // How JDBC says it.
            ("ssl", "true") => put(&mut said, "sslmode", "verify-full")?,
            _ => put(&mut said, &decoded(key)?, value)?,
        }
    }
    Ok(said)
}

/// `host:port`, `[::1]:port`; either may be missing.
fn host_and_port(text: &str) -> (&str, &str) {
    if let Some((host, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (host, rest.trim_start_matches(':'));
    }
    text.rsplit_once(':').unwrap_or((text, ""))
}

fn put(said: &mut Said, key: &str, value: &str) -> Result<(), String> {
    if !value.is_empty() {
        said.insert(key.to_owned(), decoded(value)?);
    }
    Ok(())
}

/// Without `%2F` and the like.
fn decoded(text: &str) -> Result<String, String> {
    let broken = || "a % in the URL is not followed by two hexadecimal digits".to_owned();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next()), digit(rest.next()));
        let code = high.zip(low).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        bytes.push(code.ok_or_else(broken)?);
    }
    String::from_utf8(bytes).map_err(|_| "the URL is not UTF-8".to_owned())
}

/// `key = value key='quoted value'`, with backslashes before quotes and backslashes.
fn of_pairs(text: &str) -> Result<Said, String> {
    let mut said = Said::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some((key, after)) = rest.split_once('=') else {
            return Err("a key is not followed by = and a value".to_owned());
        };
        let key = key.trim();
        if key.is_empty() || key.contains(char::is_whitespace) {
            return Err("a key is not followed by = and a value".to_owned());
        }
        let (value, after) = value(after.trim_start())?;
        said.insert(key.to_owned(), value);
        rest = after.trim_start();
    }
    Ok(said)
}

/// A value and what follows it.
fn value(text: &str) -> Result<(String, &str), String> {
    let (quoted, text) = text.strip_prefix('\'').map_or((false, text), |rest| (true, rest));
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => value.extend(signs.next().map(|(_, sign)| sign)),
            '\'' if quoted => return Ok((value, text.get(at + 1..).unwrap_or_default())),
            sign if !quoted && sign.is_whitespace() => return Ok((value, text.get(at..).unwrap_or_default())),
            sign => value.push(sign),
        }
    }
    if quoted { Err("a quote is opened and not closed".to_owned()) } else { Ok((value, "")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(address: &str) -> Vec<(String, String)> {
        parse(address).unwrap().into_iter().collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_url_says_what_libpq_reads_in_it() {
        assert_eq!(
            said("postgres://maestro:p%40ss@db.example:6432/maestro?sslmode=disable&connect_timeout=5"),
            pairs(&[
                ("connect_timeout", "5"),
                ("dbname", "maestro"),
                ("host", "db.example"),
                ("password", "p@ss"),
                ("port", "6432"),
                ("sslmode", "disable"),
                ("user", "maestro"),
            ])
        );
        assert_eq!(said("postgresql://"), vec![]);
        assert_eq!(said("postgresql:///maestro?host=/run/pg"), pairs(&[("dbname", "maestro"), ("host", "/run/pg")]));
        assert_eq!(said("postgres://%2Frun%2Fpg/x"), pairs(&[("dbname", "x"), ("host", "/run/pg")]));
        assert_eq!(said("postgres://[::1]:5433"), pairs(&[("host", "::1"), ("port", "5433")]));
        assert_eq!(said("postgres://one:1,two"), pairs(&[("host", "one,two"), ("port", "1,")]));
        assert_eq!(said("postgres://u:a@b@host"), pairs(&[("host", "host"), ("password", "a@b"), ("user", "u")]));
    }

    #[test]
    fn pairs_may_be_quoted() {
        assert_eq!(
            said(r"host = db  password='it\'s a \\ word' dbname=''  user=a\ b"),
            pairs(&[("dbname", ""), ("host", "db"), ("password", r"it's a \ word"), ("user", "a b")])
        );
        assert_eq!(said("maestro"), pairs(&[("dbname", "maestro")]));
        assert_eq!(said(" "), vec![]);
    }

    #[test]
    fn what_cannot_be_read_is_refused_without_repeating_it() {
        for broken in [
            "host=a secret",
            "password='secret",
            "secret@host:5432/db",
            "postgres://u:secret%zz@h",
            "=secret",
            "postgres://reader:2024/secret@db",
            "postgres://reader:2024?secret=x@db",
        ] {
            let why = parse(broken).unwrap_err();
            assert!(!why.contains("secret"), "{why}");
        }
    }
}
