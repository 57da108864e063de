//! Takes secrets out of what goes into a bundle.
//!
//! Every text on its way to the writer comes by here. What is a secret by its place (`structure.rs`, `yaml.rs`), by its name
//! (`assignments.rs`) or by its looks (`shapes.rs`, `urls.rs`, `pem.rs`) is replaced by a marker (`schema/marker.rs`). What has no
//! hint of any is let through at once (`hints.rs`).

mod assignments;
mod base64;
mod extra;
mod hints;
mod keys;
mod leaks;
mod lines;
mod pem;
mod quote;
mod redactor;
mod shapes;
mod span;
mod structure;
mod tags;
#[cfg(test)]
mod tests;
mod urls;
mod yaml;

pub use extra::Extra;
pub use leaks::Leaks;
pub use redactor::{Note, Redactor};

use span::{Found, Span};

/// Things encoded in things encoded: nobody goes deeper.
const DEEPEST: usize = 3;

/// Where secrets stand in a text. `of_secret` says that its first object is a Secret, if it does not say itself what it is.
fn find(text: &str, of_secret: bool, extra: &Extra) -> Vec<Span> {
    found(text, of_secret, extra, 0).in_order()
}

fn found<'t>(text: &'t str, of_secret: bool, extra: &'t Extra, depth: usize) -> Found<'t> {
    let mut found = Found::new(text, extra);
    structure::find(&mut found, of_secret);
    yaml::find(&mut found);
    urls::find(&mut found);
    pem::find(&mut found);
    shapes::find(&mut found, |inside| depth < DEEPEST && !self::found(inside, false, extra, depth + 1).is_empty());
    assignments::find(&mut found);
    extra.find(&mut found);
    found
}
