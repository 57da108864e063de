//! The bundle: one file that holds the evidence and proves that it is whole.
//!
//! `docs/bundle-format.md` is its contract. Arrow, Parquet and ZIP live here.

mod batch;
mod carry;
mod container;
mod decode;
mod encode;
mod envelope;
mod error;
mod footer;
mod index;
mod key;
mod limits;
mod manifest;
mod member;
mod pages;
mod piece;
mod quiet;
mod reader;
mod reading;
mod seal;
mod sheet;
mod source;
mod stream;
mod sums;
mod thrift;
mod writer;

pub use batch::arrow_schema;
pub use carry::CarriedRow;
pub use envelope::{Identities, Recipients};
pub use error::{Damage, Error, Result, WriteError};
pub use key::{KeyError, KeyTrouble};
pub use limits::{Limit, Limits};
pub use manifest::{FORMAT_MAJOR, Manifest, Member, Source, Window};
pub use piece::Piece;
pub use quiet::quietly;
pub use reader::{Columns, Hit, Reader, Rows, Whole};
pub use seal::{SignedBy, Signer, Signers};
pub use sheet::{SheetColumn, write_sheet};
pub use stream::Batches;
pub use writer::{About, Closing, Published, Writer, folder_of};
