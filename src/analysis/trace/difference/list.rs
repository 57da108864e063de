//! Which item of one list belongs to which of another.

use serde_json::Value;
use std::collections::HashMap;

/// A part of an item's name: where it stands, and what it is where it is left out.
struct Part(&'static str, Option<&'static str>);

/// What names an item within its list, the most telling first.
const NAMES: &[&[Part]] = &[
    &[Part("/kind", None), Part("/metadata/namespace", Some("")), Part("/metadata/name", None)],
    &[Part("/metadata/name", None)],
    &[Part("/name", None)],
    &[Part("/key", None)],
    &[Part("/mountPath", None)],
    &[Part("/devicePath", None)],
    &[Part("/containerPort", None), Part("/protocol", Some("TCP"))],
    &[Part("/port", None), Part("/protocol", Some("TCP"))],
    &[Part("/ip", None)],
    &[Part("/uid", None)],
    &[Part("/topologyKey", None), Part("/whenUnsatisfiable", Some(""))],
    &[Part("/type", None)],
    &[Part("/id", None)],
];

/// How the items of two lists are told apart.
pub enum Pairing<'a> {
    /// Each item has a name of its own: the name, what is asked, what is there.
    Named(Vec<(String, &'a Value, Option<&'a Value>)>),
    /// The first is the first.
    Placed,
    /// Nothing tells which is which.
    Unordered,
}

pub fn pair<'a>(asked: &'a [Value], found: &'a [Value]) -> Pairing<'a> {
    for parts in NAMES {
        let (Some(asked_names), Some(found_names)) = (names(asked, parts), names(found, parts)) else { continue };
        let there: HashMap<Vec<String>, &Value> = found_names.into_iter().zip(found).collect();
        let pairs = asked_names.into_iter().zip(asked);
        return Pairing::Named(pairs.map(|(name, item)| (shown(&name), item, there.get(&name).copied())).collect());
    }
    if asked.len() == found.len() { Pairing::Placed } else { Pairing::Unordered }
}

/// The names of all items, if each has one and no two have the same.
fn names(items: &[Value], parts: &[Part]) -> Option<Vec<Vec<String>>> {
    let mut names: Vec<Vec<String>> = Vec::with_capacity(items.len());
    for item in items {
        let name: Vec<String> = parts.iter().map(|part| text_at(item, part)).collect::<Option<_>>()?;
        names.push(name);
    }
    let mut sorted: Vec<&Vec<String>> = names.iter().collect();
    sorted.sort_unstable();
    let unique = sorted.windows(2).all(|pair| pair.first() != pair.last());
    unique.then_some(names)
}

fn text_at(item: &Value, Part(pointer, default): &Part) -> Option<String> {
    match item.pointer(pointer) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(Value::Null) | None => item.is_object().then_some(*default)?.map(str::to_owned),
        Some(_) => None,
    }
}

fn shown(name: &[String]) -> String {
    let parts: Vec<&str> = name.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join("/")
}
