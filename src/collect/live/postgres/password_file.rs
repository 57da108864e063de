//! libpq's password file: `host:port:database:user:password`, one a line, the first that fits.

use std::path::Path;

/// Whom a password is for.
#[derive(Clone, Copy, Debug)]
pub struct Whom<'a> {
    pub host: &'a str,
    pub port: &'a str,
    pub database: &'a str,
    pub user: &'a str,
}

/// The password in the file, if it has one. A file that others may read is not used, and that is said.
pub fn look_up(path: &Path, whom: Whom<'_>) -> Result<Option<String>, String> {
    let Ok(about) = std::fs::metadata(path) else { return Ok(None) };
    if !about.is_file() {
        return Err(format!("{} is not used for a password: it is no plain file", path.display()));
    }
    if others_may_read(&about) {
        return Err(format!("{} is not used for a password: others may read it; chmod 0600 it", path.display()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text.lines().find_map(|line| password(line, whom)))
}

#[cfg(unix)]
fn others_may_read(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn others_may_read(_about: &std::fs::Metadata) -> bool {
    false
}

/// The password of a line that fits.
fn password(line: &str, whom: Whom<'_>) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    for wanted in [whom.host, whom.port, whom.database, whom.user] {
        let (field, is_any, after) = field(rest)?;
        if !is_any && field != wanted {
            return None;
        }
        rest = after;
    }
    // The password goes to the end of the line, or to a colon that nothing protects.
    let (password, _, _) = field(rest).unwrap_or_else(|| (unescaped(rest), false, ""));
    Some(password).filter(|password| !password.is_empty())
}

/// The text before the next colon, whether it stands for anything, and what follows.
fn field(text: &str) -> Option<(String, bool, &str)> {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, sign)| {
        let ends = *sign == ':' && !escaped;
        escaped = *sign == '\\' && !escaped;
        ends
    });
    let (at, _) = end?;
    let raw = text.get(..at)?;
    Some((unescaped(raw), raw == "*", text.get(at + 1..)?))
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        plain.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOM: Whom<'_> = Whom { host: "db.example", port: "5432", database: "maestro", user: "reader" };

    #[test]
    fn a_line_fits_word_for_word_or_by_a_star() {
        let of = |line: &str| password(line, WHOM);
        assert_eq!(of("db.example:5432:maestro:reader:word"), Some("word".to_owned()));
        assert_eq!(of("*:*:*:reader:word"), Some("word".to_owned()));
        assert_eq!(of("*:5433:*:*:word"), None);
        assert_eq!(of("db:5432:maestro:reader:word"), None);
        assert_eq!(of("#*:*:*:*:word"), None);
        assert_eq!(of("*:*:*:*:"), None);
        assert_eq!(of("*:*:*"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn colons_and_backslashes_are_escaped() {
        let socket = Whom { host: "a:b", ..WHOM };
        assert_eq!(password(r"a\:b:*:*:*:w\:or\\d", socket), Some(r"w:or\d".to_owned()));
        assert_eq!(password(r"\*:*:*:*:word", WHOM), None, "an escaped star is a star");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pgpass");
        assert_eq!(look_up(&path, WHOM), Ok(None));
        std::fs::write(&path, "# nobody\nother:*:*:*:no\n*:*:*:*:sesame\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let refused = look_up(&path, WHOM).unwrap_err();
        assert!(refused.contains("others may read it") && !refused.contains("sesame"), "{refused}");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(look_up(&path, WHOM), Ok(Some("sesame".to_owned())));
    }
}
