//! Bytes as people hand them over, made ready to be understood. Nothing here knows what evidence is.

mod compressed;
pub mod csv;
mod encoding;
pub mod json;
mod limits;
mod lines;
mod peeked;
mod tarball;
mod visit;
pub mod yaml;
mod zipped;

pub use lines::{Lines, PhysicalLine};
pub use visit::{Found, Inner, visit};
