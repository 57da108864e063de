//! The `dacapo` program; everything is in the library.

fn main() -> std::process::ExitCode {
    dacapo::cli::run()
}
