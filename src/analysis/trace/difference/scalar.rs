//! When two values that are written differently are the same to an API server.

use crate::schema::Time;
use serde_json::{Number, Value};

/// The server puts its own number where these are 0.
const DEFAULTED_ZEROS: &[&str] = &[
    "periodSeconds",
    "timeoutSeconds",
    "successThreshold",
    "failureThreshold",
    "nodePort",
    "healthCheckNodePort",
    "targetPort",
];

/// Bytes as base64: the server ignores line breaks in them.
const BASE64: &[&str] = &["caBundle"];

/// Numbers, quantities, durations and times count, not how they are written. What is asked to be empty is left to the
/// server.
pub fn same(key: &str, asked: &Value, found: &Value) -> bool {
    if asked == found {
        return true;
    }
    match (asked, found) {
        (Value::Null, _) => true,
        (Value::String(asked), _) if asked.is_empty() => true,
        (Value::Number(asked), _) if is_zero(asked) && DEFAULTED_ZEROS.contains(&key) => true,
        (Value::Number(asked), Value::Number(found)) => number(asked) == number(found),
        (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
            same_text(key, &number.to_string(), text)
        }
        (Value::String(asked), Value::String(found)) => same_text(key, asked, found),
        _ => false,
    }
}

/// Nothing is asked for: the server leaves such a value out.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => is_zero(number),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(true) => false,
    }
}

/// Somebody has taken the value out before the evidence was handed over.
pub fn is_redacted(value: &Value) -> bool {
    let Value::String(text) = value else { return false };
    let stars = text.len() >= 3 && text.bytes().all(|byte| byte == b'*');
    stars || text.to_ascii_lowercase().contains("redacted")
}

fn same_text(key: &str, asked: &str, found: &str) -> bool {
    let equal = |read: fn(&str) -> Option<i128>| read(asked).is_some_and(|value| read(found) == Some(value));
    equal(quantity)
        || equal(duration)
        || equal(time)
        || BASE64.contains(&key) && without_breaks(asked) == without_breaks(found)
}

pub fn without_breaks(text: &str) -> String {
    text.replace(['\n', '\r'], "")
}

fn is_zero(number: &Number) -> bool {
    number.as_f64() == Some(0.0)
}

/// Whole numbers are compared as such: a float has no room for the longest.
fn number(number: &Number) -> Option<(Option<i128>, Option<u64>)> {
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    let float = number.as_f64()?;
    let whole = whole.or_else(|| (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i128));
    Some((whole, whole.is_none().then_some(float.to_bits())))
}

fn time(text: &str) -> Option<i128> {
    text.contains('T').then(|| Time::parse(text))?.map(|at| i128::from(at.micros()))
}

/// A Kubernetes quantity, in billionths: `500m`, `0.5`, `1Gi`, `1e3`.
fn quantity(text: &str) -> Option<i128> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '+' | '-')).unwrap_or(text.len());
    let (number, suffix) = text.split_at_checked(end)?;
    let (digits, decimals) = decimal(number)?;
    let (times, shift) = match suffix {
        "n" => (1, -9),
        "u" => (1, -6),
        "m" => (1, -3),
        "" => (1, 0),
        "k" => (1, 3),
        "M" => (1, 6),
        "G" => (1, 9),
        "T" => (1, 12),
        "P" => (1, 15),
        "E" => (1, 18),
        "Ki" => (1 << 10, 0),
        "Mi" => (1 << 20, 0),
        "Gi" => (1 << 30, 0),
        "Ti" => (1 << 40, 0),
        "Pi" => (1 << 50, 0),
        "Ei" => (1 << 60, 0),
        _ => (1, suffix.strip_prefix(['e', 'E'])?.parse::<i32>().ok()?),
    };
    scaled(digits.checked_mul(times)?, shift.checked_add(9)?.checked_sub(decimals)?)
}

/// A Go duration, in nanoseconds: `90s`, `1m30s`, `1.5h`.
fn duration(text: &str) -> Option<i128> {
    const UNITS: &[(&str, i128)] = &[
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let (sign, mut rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut total: Option<i128> = None;
    while !rest.is_empty() {
        let (number, after) = rest.split_at_checked(rest.find(|c: char| !matches!(c, '0'..='9' | '.'))?)?;
        let (unit, nanos) = UNITS.iter().find(|(unit, _)| unit_of(after) == *unit)?;
        let (digits, decimals) = decimal(number)?;
        let part = scaled(digits.checked_mul(*nanos)?, -decimals)?;
        total = Some(total.unwrap_or_default().checked_add(part)?);
        rest = after.strip_prefix(unit)?;
    }
    total.map(|total| total * sign)
}

fn unit_of(text: &str) -> &str {
    let end = text.find(|c: char| matches!(c, '0'..='9' | '.')).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The digits of `-12.50` as a number, and how many of them are behind the point.
fn decimal(text: &str) -> Option<(i128, i32)> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let signed = whole.starts_with(['+', '-']);
    let bare = whole.trim_start_matches(['+', '-']);
    let odd = |text: &str| !text.bytes().all(|byte| byte.is_ascii_digit());
    if odd(bare) || odd(part) || bare.is_empty() && part.is_empty() || signed && whole.len() != bare.len() + 1 {
        return None;
    }
    let digits: i128 = format!("{bare}{part}").parse().ok()?;
    Some((if whole.starts_with('-') { -digits } else { digits }, i32::try_from(part.len()).ok()?))
}

/// `digits` times a power of ten; what does not come out even is rounded up, as Kubernetes does.
fn scaled(digits: i128, power: i32) -> Option<i128> {
    let factor = 10_i128.checked_pow(power.unsigned_abs())?;
    if power >= 0 {
        return digits.checked_mul(factor);
    }
    Some(digits.div_euclid(factor) + i128::from(digits.rem_euclid(factor) != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_quantity_is_its_amount() {
        let equal = [
            ("0.5", "500m"),
            ("1Gi", "1024Mi"),
            ("1.5Gi", "1536Mi"),
            ("1e3", "1k"),
            ("1E", "1000P"),
            ("0.1Gi", "107374182400m"),
            ("2000000", "2M"),
            ("+1", "1"),
            ("-0.25", "-250m"),
        ];
        for (one, other) in equal {
            assert!(same("cpu", &json!(one), &json!(other)), "{one} = {other}");
        }
        for (one, other) in [("1Gi", "1G"), ("1", "1m"), ("1.2.3", "1.2.3.0"), ("v1", "v2"), ("1e9999999", "1")] {
            assert!(!same("cpu", &json!(one), &json!(other)), "{one} is not {other}");
        }
    }

    #[test]
    fn numbers_are_compared_across_types() {
        assert!(same("cpu", &json!(2), &json!("2")));
        assert!(same("cpu", &json!(0.5), &json!("500m")));
        assert!(same("port", &json!("80"), &json!(80)));
        assert!(same("x", &json!(1), &json!(1.0)));
        assert!(!same("x", &json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(!same("x", &json!(1), &json!(2)));
        assert!(!same("x", &json!(true), &json!("true")));
    }

    #[test]
    fn durations_and_times_are_compared_by_what_they_mean() {
        for (one, other) in [("60s", "1m0s"), ("1.5h", "90m"), ("1500ms", "1.5s"), ("-1m", "-60s")] {
            assert!(same("interval", &json!(one), &json!(other)), "{one} = {other}");
        }
        assert!(!same("interval", &json!("1m"), &json!("1h")));
        assert!(!same("interval", &json!("1x"), &json!("1y")));
        assert!(same("at", &json!("2026-01-01T01:00:00+01:00"), &json!("2026-01-01T00:00:00Z")));
    }

    #[test]
    fn what_the_server_fills_in_is_not_asked_for() {
        assert!(same("clusterIP", &json!(""), &json!("10.0.0.1")));
        assert!(same("periodSeconds", &json!(0), &json!(10)));
        assert!(!same("replicas", &json!(0), &json!(3)));
        assert!(!same("hostNetwork", &json!(false), &json!(true)));
        assert!(is_empty(&json!({"a": {"b": [], "c": [{}, ""]}, "d": false})));
        assert!(!is_empty(&json!({"a": {"b": 1}})));
    }
}
