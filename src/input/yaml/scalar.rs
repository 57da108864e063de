//! What a scalar without quotes means. Printers of Kubernetes objects quote every text that one of the YAML
//! versions would read as something else, so only what is left after that must be told apart.

use std::borrow::Cow;
use std::fmt::Write;

/// The JSON of a plain scalar; `None` if it is text.
pub fn plain(text: &str) -> Option<Cow<'_, str>> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some("null".into()),
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some("true".into()),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some("false".into()),
        _ => number(text),
    }
}

/// Writes text as a JSON string.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('\n') => out.push_str("\\n"),
            Some('\t') => out.push_str("\\t"),
            Some('\r') => out.push_str("\\r"),
            Some(special @ ('"' | '\\')) => out.extend(['\\', special]),
            Some(control) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// A number as JSON writes it. One that no float can hold is text: a hash may look like that.
fn number(text: &str) -> Option<Cow<'_, str>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let written = integer(text, unsigned).or_else(|| float(text, unsigned))?;
    written.parse::<f64>().is_ok_and(f64::is_finite).then_some(written)
}

/// Decimal, or `0x1f`, `0o17`, `017` and `0b1` as YAML 1.1 has them; `1_000` is a thousand there.
fn integer<'a>(text: &'a str, unsigned: &'a str) -> Option<Cow<'a, str>> {
    let sign = if text.starts_with('-') { "-" } else { "" };
    if !text.starts_with('+') && is_decimal(unsigned) {
        return Some(text.into());
    }
    let bare = unsigned.replace('_', "");
    if is_decimal(&bare) {
        return Some(format!("{sign}{bare}").into());
    }
    let (digits, radix) = match bare.as_bytes() {
        [b'0', b'x' | b'X', ..] => (bare.get(2..)?, 16),
        [b'0', b'o' | b'O', ..] => (bare.get(2..)?, 8),
        [b'0', b'b' | b'B', ..] => (bare.get(2..)?, 2),
        [b'0', _, ..] => (bare.get(1..)?, 8),
        _ => return None,
    };
    if digits.starts_with('+') {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().map(|value| format!("{sign}{value}").into())
}

fn is_decimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.is_empty() && !text.starts_with('0'))
}

/// `1.5`, `.5`, `1.`, `1e+06`. All printers write the exponent's sign; `12e34` is the beginning of a hash.
fn float<'a>(text: &'a str, unsigned: &'a str) -> Option<Cow<'a, str>> {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let signed = |part: &str| part.strip_prefix(['-', '+']).is_some_and(|part| !part.is_empty() && digits(part));
    let nothing = whole.is_empty() && fraction.is_empty();
    if nothing || !digits(whole) || !digits(fraction) || !exponent.is_none_or(signed) {
        return None;
    }
    // Digits alone are an integer, or no number at all.
    if exponent.is_none() && !mantissa.contains('.') {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = Some(whole.trim_start_matches('0')).filter(|whole| !whole.is_empty()).unwrap_or("0");
    let point = if fraction.is_empty() { "" } else { "." };
    let exponent = exponent.map(|exponent| format!("e{exponent}")).unwrap_or_default();
    Some(format!("{sign}{whole}{point}{fraction}{exponent}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_scalar_is_what_kubernetes_would_read() {
        let cases = [
            ("true", "true"),
            ("Off", "false"),
            ("", "null"),
            ("~", "null"),
            ("0", "0"),
            ("-12", "-12"),
            ("+12", "12"),
            ("1_000", "1000"),
            ("0644", "420"),
            ("0o644", "420"),
            ("0x1F", "31"),
            ("1.50", "1.50"),
            (".5", "0.5"),
            ("1.", "1"),
            ("1e+06", "1e+06"),
            ("-2.5E-3", "-2.5e-3"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ];
        for (text, json) in cases {
            assert_eq!(plain(text).as_deref(), Some(json), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(json).is_ok(), "{json}");
        }
    }

    #[test]
    fn text_that_only_looks_like_a_number_stays_text() {
        let texts = [
            "2026-11-16T01:27:03Z",
            "1:30",
            "12e34",
            "1e+999",
            "089",
            "0x",
            "0b12",
            "1.2.3",
            "-",
            ".",
            "+",
            "1-2",
            "y",
            "n",
            ".inf",
            "500m",
            "10Gi",
            "0x+1",
            "1e",
            "e+1",
        ];
        for text in texts {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn quoted_text_is_json() {
        let text = "a\"b\\c\n\t\r\u{1}é\u{7f}🎈";
        let mut out = String::new();
        quote(text, &mut out);
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
    }
}
