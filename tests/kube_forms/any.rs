//! Any object, written as YAML the way sigs.k8s.io/yaml writes it, is the same object again.

use super::{collect_file, collected};
use dacapo::input::yaml::to_json;
use proptest::prelude::*;
use serde_json::{Map, Number, Value};
use std::fs;
use tempfile::TempDir;

/// Text as it stands in objects, and text that looks like something else.
fn text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "",
        "true",
        "no",
        "null",
        "~",
        "12",
        "0644",
        "1e3",
        "1e+06",
        ".5",
        "0x1f",
        "- a",
        "a: b",
        "a #b",
        "#",
        "|",
        ">",
        "&a",
        "*a",
        "!x",
        "%x",
        "@x",
        "`x",
        "'",
        "\"",
        "\\",
        "{",
        "[a]",
        "a\nb",
        "a\nb\n",
        "\n",
        "\n\n",
        " a",
        "a ",
        "a\n b",
        " a\nb",
        "a\n\n",
        "a\tb",
        "\ta",
        "é",
        "🎈",
        "\u{0}",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "a\r\nb",
        "---",
        "...",
        "? a",
        ":",
        "a:",
        "<<",
        "=",
        "2026-11-16T01:27:03Z",
        "k:{\"uid\":\"x\"}",
        "a\n---\nb",
        "a\nitems:\n- b\n",
        "-",
    ]);
    prop_oneof![3 => "[a-zA-Z0-9./: -]{0,12}", 2 => odd.prop_map(str::to_owned), 1 => any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        prop::num::f64::NORMAL.prop_filter_map("finite", Number::from_f64),
    ];
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => number.prop_map(Value::from),
        4 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..5).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    (value(), "[a-z][a-z0-9-]{0,9}").prop_map(|(data, name)| {
        let mut object = Map::new();
        object.insert("apiVersion".into(), "v1".into());
        object.insert("data".into(), data);
        object.insert("kind".into(), "ConfigMap".into());
        object.insert("metadata".into(), serde_json::json!({ "name": name }));
        Value::from(object)
    })
}

/// Writes a value in block style, as go-yaml does.
fn emit(value: &Value, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (number, (key, value)) in map.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { &margin });
                out.push_str(&scalar(key, indent));
                out.push(':');
                emit_after_key(value, indent, out);
            }
        }
        Value::Array(values) if !values.is_empty() => {
            for (number, value) in values.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { &margin });
                out.push_str("- ");
                emit(value, indent + 2, out);
            }
        }
        value => out.push_str(&format!("{}\n", inline(value, indent))),
    }
}

fn emit_after_key(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push_str(&format!("\n{}", " ".repeat(indent + 2)));
            emit(value, indent + 2, out);
        }
        Value::Array(values) if !values.is_empty() => {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            emit(value, indent, out);
        }
        Value::String(text) if is_block(text) => out.push_str(&block(text, indent + 2)),
        value => out.push_str(&format!(" {}\n", inline(value, indent))),
    }
}

fn inline(value: &Value, indent: usize) -> String {
    match value {
        Value::String(text) => scalar(text, indent),
        Value::Number(number) => number.to_string().replace("e1", "e+1").replace("e2", "e+2").replace("e3", "e+3"),
        value => value.to_string(),
    }
}

/// Text that a literal block holds without loss: go-yaml writes others in quotes.
fn is_block(text: &str) -> bool {
    let harmless = |letter: char| letter == '\n' || letter == '\t' || (' '..='~').contains(&letter);
    text.contains('\n') && text.chars().all(harmless) && !text.starts_with([' ', '\n', '\t'])
}

fn block(text: &str, indent: usize) -> String {
    let body = text.trim_end_matches('\n');
    let chomping = match text.len() - body.len() {
        0 => "-",
        1 => "",
        _ => "+",
    };
    let margin = " ".repeat(indent);
    let lines: Vec<String> = text
        .strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(|line| match line {
            "" => String::new(),
            line => format!("{margin}{line}"),
        })
        .collect();
    format!(" |{chomping}\n{}\n", lines.join("\n"))
}

/// Plain where nobody could read anything else into it; JSON's quotes are YAML's.
fn scalar(text: &str, _indent: usize) -> String {
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'-'))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if plain { text.to_owned() } else { serde_json::to_string(text).unwrap() }
}

fn yaml(value: &Value) -> String {
    let mut out = String::new();
    emit(value, 0, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_value_survives_yaml(value in value()) {
        let text = yaml(&value);
        let json = to_json(&text).map_err(|fault| TestCaseError::fail(format!("{fault:?} in\n{text}")))?;
        prop_assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value, "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        if let Ok(json) = to_json(&text) {
            prop_assert!(serde_json::from_str::<Value>(&json).is_ok(), "{} became {}", text, json);
        }
    }

    #[test]
    fn any_yaml_like_text_is_read_or_refused(pieces in prop::collection::vec(prop::sample::select(vec![
        "a", ":", " ", "\n", "- ", "  ", "? ", "|", ">", "\"", "'", "{", "}", "[", "]", ",", "#", "&x ", "*x", "!", "!!str ",
        "---\n", "...\n", "%", "\t", "1", "\r\n", "<<: ", "\u{85}", "é", "|2-\n", "@", "`", "\\", "~", "\u{feff}", "- - ",
    ]), 0..40)) {
        let text = pieces.concat();
        if let Ok(json) = to_json(&text) {
            prop_assert!(serde_json::from_str::<Value>(&json).is_ok(), "{} became {}", text, json);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_list_of_any_objects_is_the_same_in_yaml_and_json_and_any_cut_adds_up(
        objects in prop::collection::vec(object(), 1..5),
        cut in 0.0..1.0_f64,
    ) {
        let list = serde_json::json!({ "apiVersion": "v1", "items": objects, "kind": "List" });
        let (as_yaml, as_json) = (yaml(&list), serde_json::to_string_pretty(&list).unwrap());
        let (from_yaml, from_json) = (collect_file("kube/x/a.yaml", &as_yaml), collect_file("kube/x/a.json", &as_json));
        prop_assert_eq!(&from_yaml.tables["kube_objects"], &from_json.tables["kube_objects"], "{}", as_yaml);
        prop_assert!(from_yaml.steps.iter().all(|step| step.error.is_none() && step.whole), "{:?}", from_yaml.steps);
        // `collected` holds the account of a file against its rows.
        let dir = TempDir::new().unwrap();
        let folder = dir.path().join("kube");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("whole.json"), &as_json).unwrap();
        for (name, text) in [("cut.yaml", &as_yaml), ("cut.json", &as_json)] {
            let length = (text.len() as f64 * cut) as usize;
            fs::write(folder.join(name), &text.as_bytes()[..length]).unwrap();
        }
        collected(&folder);
    }
}
