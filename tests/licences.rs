//! Every dependency may be shipped: its licence is one we accept. `cargo deny` checks the same from
//! `deny.toml`; this needs nothing but cargo.

use std::fs;
use std::process::Command;

use serde_json::Value;

/// Licences that may be linked into an Apache-2.0 binary for no more than a notice. MPL-2.0 is among
/// them because it works per file: it binds those who change such a file; we use crates unchanged.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

#[test]
fn every_dependency_may_be_shipped() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("cargo metadata lists packages");
    let refused: Vec<String> = packages.iter().filter_map(refusal).collect();
    assert!(packages.len() > 1, "cargo metadata lists no dependencies");
    assert!(refused.is_empty(), "rule: a licence is satisfied by those in ALLOWED\n{}", refused.join("\n"));
}

#[test]
fn deny_toml_allows_the_same_licences() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).expect("deny.toml is there");
    assert_eq!(allow_list(&text), ALLOWED, "rule: deny.toml and tests/licences.rs have one list, in one order");
}

/// Without the network first, with it if that fails: the dependencies of other platforms are listed
/// too, and a build does not fetch those.
fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut error = String::new();
    for network in [&["--offline"][..], &[]] {
        let output = Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--locked"])
            .args(network)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        match output.map(|output| (output.status.success(), output)) {
            Ok((true, output)) => {
                return serde_json::from_slice(&output.stdout).unwrap_or_default();
            }
            Ok((false, output)) => error = String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(cause) => error = cause.to_string(),
        }
    }
    panic!("cargo metadata failed: {error}");
}

/// Why a package may not be shipped; `None` if it may.
fn refusal(package: &Value) -> Option<String> {
    let name = format!("  {} {}", package["name"].as_str()?, package["version"].as_str()?);
    let Some(licence) = package["license"].as_str() else {
        return Some(format!("{name}: says no licence"));
    };
    match satisfied(licence) {
        Some(true) => None,
        Some(false) => Some(format!("{name}: {licence}")),
        None => Some(format!("{name}: {licence:?} is not a licence expression")),
    }
}

/// Whether the licences in `ALLOWED` satisfy an SPDX expression; `None` if it is not one. The `/` of
/// old manifests means OR.
fn satisfied(expression: &str) -> Option<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let answer = any(&mut words)?;
    words.is_empty().then_some(answer)
}

/// `a OR b`, the loosest. Words are taken from the end of the vector, which holds them backwards.
fn any(words: &mut Vec<&str>) -> Option<bool> {
    let mut answer = all(words)?;
    while words.pop_if(|word| *word == "OR").is_some() {
        answer |= all(words)?;
    }
    Some(answer)
}

fn all(words: &mut Vec<&str>) -> Option<bool> {
    let mut answer = one(words)?;
    while words.pop_if(|word| *word == "AND").is_some() {
        answer &= one(words)?;
    }
    Some(answer)
}

fn one(words: &mut Vec<&str>) -> Option<bool> {
    match words.pop()? {
        "(" => {
            let answer = any(words)?;
            (words.pop()? == ")").then_some(answer)
        }
        ")" | "OR" | "AND" | "WITH" => None,
        licence => {
            let exception = if words.pop_if(|word| *word == "WITH").is_some() { Some(words.pop()?) } else { None };
            let name = exception.map_or(licence.to_owned(), |exception| format!("{licence} WITH {exception}"));
            Some(ALLOWED.contains(&name.as_str()))
        }
    }
}

/// The strings of the array `allow = [ … ]`, comments left out.
fn allow_list(toml: &str) -> Vec<&str> {
    let lines = toml.lines().skip_while(|line| !line.starts_with("allow = [")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with(']'));
    lines.filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect()
}

#[test]
fn expressions_are_weighed() {
    for fine in [
        "MIT",
        "MIT OR GPL-3.0-only",
        "GPL-2.0-only/MIT",
        "Apache-2.0 / MIT",
        "(GPL-3.0-only OR MIT) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
        "GPL-3.0-only AND ISC OR Zlib",
    ] {
        assert_eq!(satisfied(fine), Some(true), "{fine}");
    }
    for refused in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "MIT WITH some-exception", "ISC AND (LGPL-3.0 OR EUPL-1.2)"]
    {
        assert_eq!(satisfied(refused), Some(false), "{refused}");
    }
    for odd in ["", "MIT OR", "(MIT", "MIT)", "AND MIT", "MIT ISC", "MIT WITH"] {
        assert_eq!(satisfied(odd), None, "{odd}");
    }
}

#[test]
fn a_package_without_a_licence_is_refused() {
    let package = serde_json::json!({"name": "x", "version": "1.0.0", "license": null});
    assert!(refusal(&package).is_some());
}

#[test]
fn the_allow_list_is_read_as_it_is_written() {
    assert_eq!(
        allow_list("a = 1\nallow = [\n  \"MIT\", # why \"so\"\n  # \"GPL\"\n  \"ISC\",\n]\n\"x\""),
        ["MIT", "ISC"]
    );
}
