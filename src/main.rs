//! The `dacapo` program; everything is in the library.

fn main() {}
