//! The bundle: one file that holds the evidence and proves that it is whole.
//!
//! `docs/bundle-format.md` is its contract. Arrow, Parquet and ZIP live here.

mod batch;
mod container;
mod decode;
mod encode;
mod error;
mod index;
mod manifest;
mod member;
mod reader;
mod sheet;
mod stream;
mod sums;
mod writer;

pub use batch::arrow_schema;
pub use error::{Damage, Error, Result, WriteError};
pub use manifest::{FORMAT_MAJOR, Manifest, Member, Source, Window};
pub use reader::{Columns, Hit, Reader, Rows, Whole};
pub use sheet::{SheetColumn, write_sheet};
pub use stream::Batches;
pub use writer::{About, Published, Writer, folder_of};
