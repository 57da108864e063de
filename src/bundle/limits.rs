//! What a bundle may claim. A stranger's file says how large its parts are; no claim is believed beyond these limits.

use super::error::Damage;
use serde::{Deserialize, Serialize};

/// Far above what `collect` writes for any evidence, and low enough that a lie costs little. Each can be raised by whoever
/// knows where a bundle comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of the manifest.
    pub manifest: u64,
    /// Bytes of a table's footer, and of its page index.
    pub footer: u64,
    /// Bytes of a page when it is unpacked, so of any value; and of all pages that a batch of rows needs.
    pub page: u64,
    /// Rows of a table for each byte of it.
    pub density: u64,
    /// Columns of a table.
    pub columns: u64,
    /// How deep JSON may be nested.
    pub depth: u64,
}

impl Default for Limits {
    fn default() -> Self {
        // With every table at its largest a manifest has 6 MB. A footer has about 4 KB and a page index 25 KB for each
        // 100,000 lines. A page ends at 256 KB, or with the value that it holds, and a line that is collected may have
        // 128 MB. The fullest pages have 2,048 rows in 60 bytes.
        Self { manifest: 16 << 20, footer: 16 << 20, page: 144 << 20, density: 256, columns: 256, depth: 512 }
    }
}

/// Which limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Manifest,
    Footer,
    Page,
    Density,
    Columns,
    Depth,
}

impl Limits {
    pub fn of(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Manifest => self.manifest,
            Limit::Footer => self.footer,
            Limit::Page => self.page,
            Limit::Density => self.density,
            Limit::Columns => self.columns,
            Limit::Depth => self.depth,
        }
    }

    /// Refuses a part of the bundle that claims more than it may.
    pub fn check(&self, limit: Limit, part: &str, claimed: u64) -> Result<(), Damage> {
        let most = self.of(limit);
        if claimed <= most {
            return Ok(());
        }
        Err(Damage::Beyond { part: part.to_owned(), claimed, most, limit })
    }
}

impl Limit {
    /// What is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Manifest => "bytes",
            Self::Footer => "bytes of footer or page index",
            Self::Page => "bytes at once",
            Self::Density => "rows for each byte",
            Self::Columns => "columns",
            Self::Depth => "levels of JSON",
        }
    }
}

/// How deep JSON is nested, counted by its brackets outside of strings. Nothing is parsed, so nothing can go wrong.
pub fn depth(json: &str) -> u64 {
    let (mut depth, mut deepest) = (0_u64, 0);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    deepest
}

fn skip_string(bytes: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_that_of_brackets_outside_of_strings() {
        for (json, deep) in
            [("1", 0), ("[]", 1), (r#"{"a":[1,{"b":"]]"}]}"#, 3), (r#""[[[""#, 0), (r#"["\"[[",2]"#, 1), ("[[[", 3)]
        {
            assert_eq!(depth(json), deep, "{json}");
        }
    }
}
