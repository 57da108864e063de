//! What a manifest asks for and the object has otherwise.
//!
//! Only what is asked is compared: servers and controllers add fields, set defaults and write values in their own way,
//! and none of that is a difference. Where it is not sure that there is one, there is none.

mod list;
mod scalar;
#[cfg(test)]
mod tests;

use crate::schema::is_marker;
use list::{Pairing, pair};
use scalar::{is_empty, is_redacted, same, without_breaks};
use serde_json::{Map, Value};

/// A field that is otherwise. What is not there is null.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub path: String,
    pub asked: Value,
    pub found: Value,
}

/// More are not told apart by anyone.
const ENOUGH: usize = 200;

/// Values of which no object has so many; a stranger's may.
const BUDGET: usize = 1 << 17;

/// What stands in place of a secret.
pub const HIDDEN: &str = "(hidden)";

/// The order of these counts, and so does every item.
const COMMANDS: &[&str] = &["args", "command"];

/// Whoever applies writes this itself.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub fn differences(asked: &Value, found: &Value) -> Vec<Difference> {
    let mut walk = Walk { found: Vec::new(), budget: BUDGET };
    if let (Value::Object(asked), Value::Object(found)) = (asked, found) {
        walk.manifest("", asked, found);
    }
    walk.found
}

/// More is asked for than metadata, and only metadata is there to compare: that it is as asked cannot be told.
pub fn is_out_of_sight(asked: &Value, found: &Value) -> bool {
    let content = |object: &Value| object.as_object().is_some_and(has_content);
    content(asked) && !content(found)
}

fn has_content(object: &Map<String, Value>) -> bool {
    object.keys().any(|key| is_content(key))
}

fn is_content(key: &str) -> bool {
    !matches!(key, "apiVersion" | "kind" | "metadata" | "status")
}

/// How values are compared, and whether they may be shown.
#[derive(Clone, Copy, Default)]
struct Zone {
    /// To the letter: data and labels are what they are.
    exact: bool,
    secret: bool,
}

struct Walk {
    found: Vec<Difference>,
    /// Values that may still be looked at: long lists without names are compared each with each.
    budget: usize,
}

impl Walk {
    /// A whole object, also one that is embedded in another.
    fn manifest(&mut self, path: &str, asked: &Map<String, Value>, found: &Map<String, Value>) {
        let word = |object: &Map<String, Value>, key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let is_other = |key: &str| word(found, key).is_some_and(|held| word(asked, key) != Some(held));
        // Another version of the API may call the same things otherwise.
        if is_other("apiVersion") || is_other("kind") {
            return;
        }
        let kind = word(asked, "kind").unwrap_or_default();
        if let (Some(Value::Object(asked)), Some(Value::Object(found))) = (asked.get("metadata"), found.get("metadata"))
        {
            self.metadata(&format!("{path}.metadata"), asked, found, kind == "Secret");
        }
        if !has_content(found) {
            return;
        }
        for key in asked.keys().filter(|key| is_content(key)) {
            let (Some(wanted), held) = (asked.get(key), found.get(key)) else { continue };
            let path = below(path, key);
            match (kind.as_str(), key.as_str()) {
                ("Secret", "data" | "stringData") => self.secret(&path, key, asked, found),
                ("ConfigMap", "data" | "binaryData") => {
                    self.value(&path, key, wanted, held, Zone { exact: true, secret: false });
                }
                _ => self.value(&path, key, wanted, held, Zone { exact: false, secret: false }),
            }
        }
    }

    /// Of the metadata only labels and annotations are asked for; `name-` asks for the label to go.
    fn metadata(&mut self, path: &str, asked: &Map<String, Value>, found: &Map<String, Value>, secret: bool) {
        for part in ["labels", "annotations"] {
            let Some(Value::Object(wanted)) = asked.get(part) else { continue };
            let held = found.get(part);
            for (key, wanted) in wanted.iter().filter(|(key, _)| !key.ends_with('-') && *key != LAST_APPLIED) {
                let zone = Zone { exact: true, secret: secret && part == "annotations" };
                self.value(&below(&below(path, part), key), key, wanted, held.and_then(|held| held.get(key)), zone);
            }
        }
    }

    /// The server turns `stringData` into `data`, except in what is embedded. Evidence may come without either.
    fn secret(&mut self, path: &str, part: &str, asked: &Map<String, Value>, found: &Map<String, Value>) {
        let turned = part == "stringData" && !found.contains_key(part);
        let Some(Value::Object(wanted)) = asked.get(part) else { return };
        let Some(Value::Object(held)) = found.get(if turned { "data" } else { part }) else { return };
        let overridden = asked.get("stringData").filter(|_| part == "data" && !found.contains_key("stringData"));
        let replaced = |key: &str| overridden.is_some_and(|by| by.get(key).is_some());
        for (key, wanted) in wanted.iter().filter(|(key, _)| !replaced(key)) {
            let Value::String(text) = wanted else { continue };
            // A marker is the same for a value and for its base64.
            let encoded = if turned && !is_marker(text) { base64(text.as_bytes()) } else { without_breaks(text) };
            let held = held.get(key);
            let unknown = is_redacted(wanted) || held.is_some_and(is_redacted);
            let same = held.and_then(Value::as_str).is_some_and(|held| without_breaks(held) == encoded);
            if !same && !unknown {
                self.differ(&below(path, key), wanted, held, Zone { exact: true, secret: true });
            }
        }
    }

    fn value(&mut self, path: &str, key: &str, asked: &Value, found: Option<&Value>, zone: Zone) {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 {
            return;
        }
        let Some(found) = found else {
            let wanted = if zone.exact { !asked.is_null() } else { !is_empty(asked) };
            if wanted {
                self.differ(path, asked, None, zone);
            }
            return;
        };
        if is_redacted(asked) || is_redacted(found) {
            return;
        }
        match (asked, found) {
            (Value::Object(asked), Value::Object(found)) if is_manifest(asked) => self.manifest(path, asked, found),
            (Value::Object(asked), Value::Object(found)) => {
                for (key, asked) in asked {
                    self.value(&below(path, key), key, asked, found.get(key), zone);
                }
            }
            (Value::Array(asked), Value::Array(found)) => self.list(path, key, asked, found, zone),
            (Value::Object(fields), _) if fields.is_empty() => {}
            (Value::Array(items), _) if items.is_empty() => {}
            _ if zone.exact && (asked.is_null() || asked == found) => {}
            _ if !zone.exact && same(key, asked, found) => {}
            _ => self.differ(path, asked, Some(found), zone),
        }
    }

    fn list(&mut self, path: &str, key: &str, asked: &[Value], found: &[Value], zone: Zone) {
        let plain = |item: &Value| !item.is_object() && !item.is_array();
        let all_plain = asked.iter().all(plain) && found.iter().all(plain);
        if all_plain && COMMANDS.contains(&key) {
            if !asked.is_empty() && asked != found {
                self.differ(path, &Value::from(asked), Some(&Value::from(found)), zone);
            }
            return;
        }
        if all_plain {
            let there = |wanted: &Value| found.iter().any(|item| same(key, wanted, item) || is_redacted(item));
            for wanted in asked.iter().filter(|wanted| !there(wanted)) {
                self.differ(path, wanted, None, zone);
            }
            return;
        }
        match pair(asked, found) {
            Pairing::Named(items) => {
                for (name, asked, found) in items {
                    self.value(&format!("{path}[{name}]"), key, asked, found, zone);
                }
            }
            Pairing::Placed => {
                for (place, (asked, found)) in asked.iter().zip(found).enumerate() {
                    self.value(&format!("{path}[{place}]"), key, asked, Some(found), zone);
                }
            }
            Pairing::Unordered => {
                for (place, asked) in asked.iter().enumerate() {
                    let path = format!("{path}[{place}]");
                    if !found.iter().any(|found| self.fits(&path, key, asked, found, zone)) {
                        self.differ(&path, asked, None, zone);
                    }
                }
            }
        }
    }

    fn fits(&mut self, path: &str, key: &str, asked: &Value, found: &Value, zone: Zone) -> bool {
        let mut trial = Self { found: Vec::new(), budget: self.budget };
        trial.value(path, key, asked, Some(found), zone);
        self.budget = trial.budget;
        trial.found.is_empty()
    }

    fn differ(&mut self, path: &str, asked: &Value, found: Option<&Value>, zone: Zone) {
        let shown = |value: &Value| if zone.secret { Value::from(HIDDEN) } else { without_secrets(value) };
        if self.found.len() < ENOUGH {
            let found = found.map_or(Value::Null, shown);
            self.found.push(Difference { path: path.to_owned(), asked: shown(asked), found });
        }
    }
}

fn is_manifest(object: &Map<String, Value>) -> bool {
    ["apiVersion", "kind", "metadata"].iter().all(|key| object.contains_key(*key))
}

/// A value that is shown whole may have Secrets inside.
pub fn without_secrets(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let secret = fields.get("kind").and_then(Value::as_str) == Some("Secret");
            let hides = |key: &str| secret && matches!(key, "data" | "stringData" | "metadata");
            let shown = |(key, value): (&String, &Value)| {
                let value = if hides(key) { Value::from(HIDDEN) } else { without_secrets(value) };
                (key.clone(), value)
            };
            Value::Object(fields.iter().map(shown).collect())
        }
        Value::Array(items) => items.iter().map(without_secrets).collect(),
        plain => plain.clone(),
    }
}

/// `.spec.replicas`, `.data["tls.crt"]`.
fn below(path: &str, key: &str) -> String {
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if plain && !key.is_empty() { format!("{path}.{key}") } else { format!("{path}[{key:?}]") }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number =
            (0..3).fold(0_usize, |number, place| number << 8 | three.get(place).map_or(0, |b| usize::from(*b)));
        for place in 0..4 {
            let digit = DIGITS.get(number >> (18 - 6 * place) & 63).map_or('=', |digit| char::from(*digit));
            out.push(if place <= three.len() { digit } else { '=' });
        }
    }
    out
}
