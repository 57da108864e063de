//! Passwords in addresses: `postgres://reader:password@db.example/maestro`.

use super::keys;
use super::span::{Found, Kind};
use memchr::memmem;

pub fn find(found: &mut Found<'_>) {
    let text = found.text;
    let plain = memmem::find_iter(text.as_bytes(), b"://").map(|at| at + 3);
    // JSON may write a slash with a backslash.
    let quoted = memmem::find_iter(text.as_bytes(), br":\/\/").map(|at| at + 5);
    for start in plain.chain(quoted) {
        let rest = text.get(start..).unwrap_or_default();
        let stops =
            |character: char| character.is_whitespace() || matches!(character, '"' | '<' | '>' | '`' | '\'' | '\\');
        let address = rest.get(..rest.find(stops).unwrap_or(rest.len())).unwrap_or_default();
        if let Some((from, to)) = password(address) {
            let value = address.get(from..to).unwrap_or_default();
            if !keys::is_placeholder(value) {
                found.add((start + from, start + to), Kind::Password);
            }
        }
    }
}

/// Where the password stands in an address without its scheme.
fn password(address: &str) -> Option<(usize, usize)> {
    let authority = address.get(..address.find(['/', '?', '#']).unwrap_or(address.len()))?;
    let (login, colon) = match authority.rfind('@') {
        Some(at) => (at, authority.get(..at)?.find(':')?),
        // A password may hold what ends the host elsewhere; a port may not.
        None => {
            let colon = authority.find(':')?;
            let port = authority.get(colon + 1..)?;
            let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
            (address.rfind('@').filter(|_| !is_port && !port.is_empty())?, colon)
        }
    };
    (colon + 1 < login).then_some((colon + 1, login))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passwords_are_taken_out_of_addresses() {
        let of = |address: &'static str| password(address).map(|(start, end)| &address[start..end]);
        assert_eq!(of("reader:hunter2@db.example/maestro"), Some("hunter2"));
        assert_eq!(of("reader:p@ss@db:5432"), Some("p@ss"));
        assert_eq!(of(":hunter2@redis:6379/0"), Some("hunter2"));
        assert_eq!(of("reader:a/b?c@db.example"), Some("a/b?c"));
        for plain in ["reader@db.example", "db.example:5432/maestro", "host:80/mail?to=a@b.example", "a:@b", "", "h"] {
            assert_eq!(of(plain), None, "{plain}");
        }
    }
}
