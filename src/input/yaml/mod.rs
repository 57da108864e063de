//! YAML, a piece at a time: a file is split by its lines into documents and list elements, and each of those is
//! turned into the JSON text that says the same. A piece that cannot be read does not hide the ones after it.

mod convert;
mod pieces;
mod scalar;

pub use convert::{Fault, to_json};
pub use pieces::{Part, Piece, Pieces};
