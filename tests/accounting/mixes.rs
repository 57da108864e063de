//! Files of every form, cut, damaged, packed and misnamed at random.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;
use tempfile::TempDir;

use super::counted::{files, units};
use super::{account, assert_adds_up};
use crate::support::{unpack, unpack_forms};

/// The contents of real files; of those that hold the same kind of thing, a few will do.
static POOL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let forms = ["agent-down", "healthy-create"].map(|name| (name, unpack_forms(name)));
    let plain = ["zap-agent-down", "db-only", "cluster-only"].map(|name| (name, unpack(name)));
    let mut pool = Vec::new();
    for (name, dir) in forms.into_iter().chain(plain) {
        for path in files(&dir.path().join(name)) {
            pool.push(fs::read(path).unwrap());
        }
    }
    pool
});

/// Names that may say nothing, or something wrong.
const NAMES: &[&str] = &[
    "a.log",
    "rows.json",
    "resources.csv",
    "events.jsonl",
    "dump.sql",
    "objects.yaml",
    "picture.png",
    "none",
    "x.txt",
];

#[derive(Debug, Clone)]
struct Piece {
    file: Index,
    cut: Option<Index>,
    insert: Option<(Index, Inserted)>,
    packed: u8,
    /// Where the packed file is cut.
    torn: Option<Index>,
    name: Index,
}

#[derive(Debug, Clone)]
enum Inserted {
    Bytes(Vec<u8>),
    Part(Index, Index),
}

fn piece() -> impl Strategy<Value = Piece> {
    let inserted = prop_oneof![
        vec(any::<u8>(), 1..200).prop_map(Inserted::Bytes),
        any::<(Index, Index)>().prop_map(|(file, at)| Inserted::Part(file, at)),
    ];
    let torn = prop_oneof![4 => Just(None), 1 => any::<Index>().prop_map(Some)];
    let insert = option::of((any::<Index>(), inserted));
    (any::<Index>(), option::of(any::<Index>()), insert, 0..8_u8, torn, any::<Index>())
        .prop_map(|(file, cut, insert, packed, torn, name)| Piece { file, cut, insert, packed, torn, name })
}

impl Piece {
    fn bytes(&self) -> Vec<u8> {
        let pool = &*POOL;
        let mut bytes = self.file.get(pool).clone();
        if let Some(cut) = &self.cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        if let Some((at, inserted)) = &self.insert {
            let at = at.index(bytes.len() + 1);
            let more = match inserted {
                Inserted::Bytes(more) => more.clone(),
                Inserted::Part(file, from) => {
                    let other = file.get(pool);
                    let from = from.index(other.len() + 1);
                    other[from..(from + 3000).min(other.len())].to_vec()
                }
            };
            bytes.splice(at..at, more);
        }
        bytes
    }

    fn packed(&self, bytes: &[u8]) -> Vec<u8> {
        let mut packed = match self.packed {
            0 => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            1 => zstd::encode_all(bytes, 1).unwrap(),
            2 => liblzma::encode_all(bytes, 0).unwrap(),
            3 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            _ => return bytes.to_vec(),
        };
        if let Some(torn) = &self.torn {
            packed.truncate(torn.index(packed.len() + 1));
        }
        packed
    }

    /// The file is there as a whole, whatever is around it.
    const fn is_whole(&self) -> bool {
        self.packed > 3 || self.torn.is_none()
    }
}

/// Puts files into a folder, or into one archive in it, and says how the bundle will call each.
fn lay_out(folder: &Path, how: u8, members: &[(String, Vec<u8>)]) -> Vec<String> {
    let within = match how {
        0 => {
            let mut archive = tar::Builder::new(Vec::new());
            for (name, bytes) in members {
                let mut header = tar::Header::new_gnu();
                header.set_size(bytes.len() as u64);
                header.set_mode(0o644);
                archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
            }
            fs::write(folder.join("all.tar"), archive.into_inner().unwrap()).unwrap();
            "in/all.tar/"
        }
        1 => {
            let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for (name, bytes) in members {
                archive.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
                archive.write_all(bytes).unwrap();
            }
            fs::write(folder.join("all.bin"), archive.finish().unwrap().into_inner()).unwrap();
            "in/all.bin/"
        }
        _ => {
            for (name, bytes) in members {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            "in/"
        }
    };
    members.iter().map(|(name, _)| format!("{within}{name}")).collect()
}

fn check(pieces: &[Piece], how: u8) {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("in");
    fs::create_dir(&folder).unwrap();
    let contents: Vec<Vec<u8>> = pieces.iter().map(Piece::bytes).collect();
    let names = pieces.iter().enumerate().map(|(at, piece)| format!("{at}/{}", piece.name.get(NAMES)));
    let members: Vec<(String, Vec<u8>)> =
        names.zip(pieces.iter().zip(&contents).map(|(piece, bytes)| piece.packed(bytes))).collect();
    let targets = lay_out(&folder, how, &members);
    let Some(accounts) = account(&folder) else { return };
    assert_adds_up(&accounts);
    let by_target: BTreeMap<&String, (&Piece, &Vec<u8>)> = targets.iter().zip(pieces.iter().zip(&contents)).collect();
    for (target, (piece, bytes)) in by_target {
        let account = accounts.get(target).unwrap_or_else(|| panic!("not a word of {target}: {piece:?}"));
        let units = account.taken_for.filter(|_| piece.is_whole()).and_then(|taken_for| units(taken_for, bytes));
        if let Some(units) = units {
            assert_eq!(account.seen, units as i64, "{target}: {account:#?}\n{piece:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn mixes_and_cuts_of_all_forms_add_up(pieces in vec(piece(), 1..24), how in 0..4_u8) {
        check(&pieces, how);
    }
}
