//! Bytes as people hand them over, made ready to be understood. Nothing here knows what evidence is.

mod lines;

pub use lines::{Lines, PhysicalLine};
