//! Links the prebuilt DuckDB library and tells the binary where to find it when it runs.
//!
//! `.cargo/config.toml` sets `DUCKDB_LIB_DIR` to `.libduckdb/`, which `make setup` fills. With the
//! feature `bundled` DuckDB is compiled in, and there is nothing to do.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DUCKDB_LIB_DIR");
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return;
    }

    let os = variable("CARGO_CFG_TARGET_OS");
    let dir = library_dir();
    let library = dir.join(library_name(&os));
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.is_file() {
        return missing(&library);
    }

    println!("cargo::rustc-link-search=native={}", dir.display());
    for rpath in rpaths(&os, &dir) {
        // Not `-Wl,-rpath,DIR`: the compiler would split DIR at its commas.
        for argument in ["-Xlinker", "-rpath", "-Xlinker", &rpath] {
            println!("cargo::rustc-link-arg={argument}");
        }
    }
}

/// Where cargo's own configuration says, or where `make setup` would put it.
fn library_dir() -> PathBuf {
    match env::var_os("DUCKDB_LIB_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(&variable("CARGO_MANIFEST_DIR")).join(".libduckdb"),
    }
}

fn library_name(os: &str) -> &'static str {
    match os {
        "windows" => "duckdb.lib",
        "macos" => "libduckdb.dylib",
        _ => "libduckdb.so",
    }
}

/// First the place of an installed library (`PREFIX/lib/dacapo`, seen from `PREFIX/bin`), so that an
/// installed binary does not depend on the tree it was built in; then that tree. Windows has no such
/// thing and looks next to the binary.
fn rpaths(os: &str, dir: &Path) -> Vec<String> {
    let origin = match os {
        "windows" => return Vec::new(),
        "macos" => "@loader_path",
        _ => "$ORIGIN",
    };
    vec![format!("{origin}/../lib/dacapo"), dir.display().to_string()]
}

/// Our words instead of the linker's "cannot find -lduckdb". An error that cargo prints, not a failed
/// exit: cargo would wrap that into a command line, our whole output and a note about backtraces.
fn missing(library: &Path) {
    println!("cargo::error=cannot link DuckDB");
    println!("cargo::error=because {} is missing", library.display());
    println!("cargo::error=hint: run \"make setup\" once, or build with --features bundled");
}

/// A variable that cargo always sets for build scripts.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
