//! The lies that a bundle can tell, one by one, each with the sentence that it is refused with.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use serde_json::json;

use crate::support::forge::{Entry, Parts, archive};
use crate::support::keys::signature;
use crate::support::tables::{
    BYTE_ARRAY, Column, DELTA_LENGTHS, DELTA_TEXTS, DICTIONARY, PLAIN, Page, Thrift, bomb, forged, packed, plain,
    table, varint,
};
use Thrift::{Bytes, Claim, I32, I64, Struct};

const CONSUMERS: &str = "tables/consumers.parquet";
const RESOURCES: &str = "tables/resources.parquet";

/// Every command opens a bundle in the same way; these go on differently.
const ANY: &[&str] = &["verify", "trace", "query"];
/// Commands that look at the footer of every table, and those that read the rows which the lies are in.
const FOOTERS: &[&str] = &["verify", "show", "query"];
const ROWS: &[&str] = &["show", "query"];

#[derive(Clone)]
pub struct Lie {
    pub name: &'static str,
    pub bundle: Vec<u8>,
    /// What it is refused with.
    pub says: &'static str,
    /// The commands that must refuse it.
    met_by: &'static [&'static str],
}

impl Lie {
    pub fn meets(&self, command: &str) -> bool {
        self.met_by.contains(&command)
    }
}

pub fn all() -> Vec<Lie> {
    [in_archives(), in_manifests(), in_seals(), in_tables()].concat()
}

/// What the ZIP file says.
fn in_archives() -> Vec<Lie> {
    let lie = |name, says, change: &dyn Fn(&mut Vec<Entry>)| {
        let parts = Parts::of_sample();
        let mut entries: Vec<Entry> = parts.members.iter().map(|(name, bytes)| Entry::new(name, bytes)).collect();
        entries.push(Entry::new("manifest.json", &serde_json::to_vec(&parts.manifest).unwrap()));
        change(&mut entries);
        Lie { name, bundle: archive(entries), says, met_by: ANY }
    };
    let called = |name, member: &'static [u8]| {
        lie(name, "no bundle has one of that name", &move |entries| entries[0].name = member.to_vec())
    };
    vec![
        called("path-up", b"../../etc/cron.d/evil"),
        called("path-from-the-root", b"/etc/passwd"),
        called("path-through-a-table", b"tables/../../evil.parquet"),
        called("path-of-windows", b"tables\\..\\evil.parquet"),
        called("path-with-a-drive", b"C:evil.parquet"),
        called("name-with-nul", b"tables/a\0.parquet"),
        called("name-with-escapes", b"tables/\x1b[2J\x1b]0;owned\x07.parquet"),
        called("name-with-lines", b"tables/a\nerror: all is well.parquet"),
        called("name-that-turns", "tables/\u{202e}teuqrap.exe".as_bytes()),
        called("name-too-long", &[b'a'; 200]),
        called("name-empty", b""),
        called("name-of-a-folder", b"tables/"),
        lie("name-not-text", "the name of a member is not text", &|entries| {
            entries[0].name = b"tables/\xff\xfe.parquet".to_vec();
        }),
        lie("symbolic-link", "is a link or no plain file", &|entries| {
            entries[0].mode = 0o120_777;
            entries[0].bytes = b"/etc/passwd".to_vec();
            entries[0].size = 11;
        }),
        lie("device", "is a link or no plain file", &|entries| entries[0].mode = 0o020_666),
        lie("deflated-bomb", "is packed; members of a bundle are not", &|entries| {
            let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
            std::io::copy(&mut std::io::Read::take(std::io::repeat(0), 1 << 30), &mut deflated).unwrap();
            entries[0].bytes = deflated.finish().unwrap();
            (entries[0].method, entries[0].size) = (8, 1 << 30);
        }),
        lie("member-twice", "is in it twice", &|entries| {
            let again = entries[0].clone();
            entries.insert(1, again);
        }),
        lie("member-over-another", "lies over the member before it", &|entries| entries[1].header = Some(0)),
        lie("manifest-over-all", "lies over the member before it", &|entries| {
            entries.last_mut().unwrap().header = Some(0);
        }),
        lie("gap", "there are bytes before", &|entries| {
            entries.insert(1, Entry { header: None, ..Entry::new("tables/gap.parquet", b"") })
        })
        .without_second_entry(),
        lie("member-too-large", "is longer than the file", &|entries| entries.last_mut().unwrap().size = 1 << 30),
        lie("member-too-small", "there are bytes before", &|entries| entries[0].size -= 7),
        lie("too-many-members", "members; no bundle has more than 256", &|entries| {
            entries.splice(0..0, (0..5000).map(|at| Entry::new(&format!("tables/t{at}.parquet"), b"")));
        }),
        lie("directory-too-large", "its directory is too large", &|entries| entries[0].name = vec![b'a'; 60_000]),
        lie("no-manifest", "it has no manifest", &|entries| drop(entries.pop())),
        lie("stray-member", "which the manifest does not name", &|entries| {
            entries.insert(0, Entry::new("tables/stray.parquet", b"PAR1"));
        }),
    ]
}

impl Lie {
    /// Takes the second member out of the directory, and leaves its bytes where they are.
    fn without_second_entry(mut self) -> Self {
        let central = 0x0201_4b50_u32.to_le_bytes();
        let starts: Vec<usize> =
            (0..self.bundle.len() - 4).filter(|at| self.bundle[*at..].starts_with(&central)).collect();
        let [.., _] = starts[..] else { panic!("no directory") };
        let entries = usize::from(self.bundle[self.bundle.len() - 12]);
        let directory = &starts[starts.len() - entries..];
        let gone = directory[1]..directory[2];
        let length = gone.len() as u32;
        self.bundle.drain(gone);
        let end = self.bundle.len() - 22;
        self.bundle[end + 8] -= 1;
        self.bundle[end + 10] -= 1;
        let size = u32::from_le_bytes(self.bundle[end + 12..end + 16].try_into().unwrap()) - length;
        self.bundle[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
        self
    }
}

/// What the signature says: of a bundle that was signed and then edited, or never signed as it is.
fn in_seals() -> Vec<Lie> {
    const EDITED: &str = "its signature is not one of its manifest";
    let lie = |name, says, change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::of_sample();
        parts.seal = Some(signature(1, "dacapo", &parts.manifest_text()));
        change(&mut parts);
        Lie { name, bundle: parts.bundle(), says, met_by: ANY }
    };
    let other = |seal: Vec<u8>| move |parts: &mut Parts| parts.seal = Some(seal.clone());
    let text = Parts::of_sample().manifest_text();
    let good = signature(1, "dacapo", &text);
    let longer = [&good[..], b"\n"].concat();
    let windows = String::from_utf8(good.clone()).unwrap().replace('\n', "\r\n").into_bytes();
    vec![
        lie("signed-then-table-edited", EDITED, &|parts| parts.replace(CONSUMERS, table(&names(), 1), 1)),
        lie("signed-then-manifest-edited", EDITED, &|parts| parts.manifest["notes"] = json!(["nothing happened"])),
        lie("signed-then-claimed-redacted", EDITED, &|parts| {
            let redacted = parts.manifest["redacted"].as_bool().unwrap();
            parts.manifest["redacted"] = json!(!redacted);
        }),
        lie("signature-of-another-bundle", EDITED, &other(signature(1, "dacapo", b"{\"format\":\"dacapo.bundle/1\"}"))),
        lie("signed-without-its-sums-then-edited", "was changed: block 0", &|parts| parts.member(CONSUMERS)[40] ^= 1),
        lie("signature-for-something-else", "it was made for \"git\"", &other(signature(1, "git", &text))),
        lie("signature-that-is-none", "it is no signature of OpenSSH", &other(b"signed, the admin".to_vec())),
        lie("signature-cut", "it is no signature of OpenSSH", &other(good[..good.len() / 2].to_vec())),
        lie("signature-empty", "it is no signature of OpenSSH", &other(Vec::new())),
        lie("signature-with-more", "it is no signature of OpenSSH", &other(longer)),
        lie("signature-with-other-lines", "it is not as dacapo writes it", &other(windows)),
        lie("signature-too-long", "bytes, and none has more than 4096", &other(vec![b'-'; 1 << 20])),
        Lie { bundle: seal_first(&good), ..lie("signature-before-all", "in another order", &|_| {}) },
    ]
}

fn seal_first(seal: &[u8]) -> Vec<u8> {
    let parts = Parts::of_sample();
    let members = parts.members.iter().map(|(name, bytes)| Entry::new(name, bytes));
    let manifest = Entry::new("manifest.json", &parts.manifest_text());
    archive([Entry::new("manifest.json.sig", seal)].into_iter().chain(members).chain([manifest]).collect())
}

/// What the manifest says.
fn in_manifests() -> Vec<Lie> {
    let parts = Parts::of_sample();
    let text = serde_json::to_string(&parts.manifest).unwrap();
    let bytes = |name, says, manifest: &[u8]| Lie { name, bundle: parts.bundle_with(manifest), says, met_by: ANY };
    let changed = |name, says, change: &dyn Fn(&mut Parts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        Lie { name, bundle: parts.bundle(), says, met_by: ANY }
    };
    let with_field = |value: &str| text.replacen('{', &format!("{{\"more\":{value},"), 1);
    vec![
        bytes("manifest-empty", "its manifest was changed", b""),
        bytes("manifest-not-json", "its manifest was changed", b"\x7fELF"),
        bytes("manifest-not-text", "its manifest was changed", &[b"{\"format\":\"\xff\xfe", text.as_bytes()].concat()),
        bytes("manifest-deep", "levels of JSON", with_field(&"[".repeat(100_000)).as_bytes()),
        bytes(
            "manifest-large",
            "manifest.json claims",
            with_field(&format!("\"{}\"", "a".repeat(20 << 20))).as_bytes(),
        ),
        bytes("manifest-cut", "its manifest was changed", &text.as_bytes()[..text.len() / 2]),
        bytes("manifest-of-another", "its format is", br#"{"format":"other.bundle/1"}"#),
        bytes("manifest-of-a-newer", "dacapo.bundle/7", br#"{"format":"dacapo.bundle/7"}"#),
        changed("format-with-escapes", "its format is", &|parts| {
            parts.manifest["format"] = json!("\u{1b}[31m\u{202e}x")
        }),
        changed("rows-negative", "its manifest was changed", &|parts| parts.about(CONSUMERS)["rows"] = json!(-1)),
        changed("member-named-twice", "names the members twice", &|parts| {
            let again = parts.about(CONSUMERS).clone();
            parts.manifest["members"].as_array_mut().unwrap().push(again);
        }),
        changed("members-in-another-order", "in another order", &|parts| {
            parts.manifest["members"].as_array_mut().unwrap().reverse();
        }),
        changed("member-missing", "which the archive does not hold", &|parts| {
            parts.about(CONSUMERS)["name"] = json!("tables/gone.parquet");
        }),
        changed("member-size-wrong", "which the archive does not hold in that size", &|parts| {
            parts.about(CONSUMERS)["bytes"] = json!(1_u64 << 40);
        }),
        changed("block-size-zero", "blocks of another size", &|parts| parts.about(CONSUMERS)["block_bytes"] = json!(0)),
        changed("block-size-huge", "blocks of another size", &|parts| {
            parts.about(CONSUMERS)["block_bytes"] = json!(u64::MAX);
        }),
        changed("block-sums-missing", "block sums for", &|parts| parts.about(CONSUMERS)["blocks"] = json!([])),
    ]
}

/// What a table says, with sums that are right.
pub fn in_tables() -> Vec<Lie> {
    [in_footers(), in_pages()].concat()
}

fn lie(name: &'static str, says: &'static str, met_by: &'static [&'static str], table: Vec<u8>, rows: u64) -> Lie {
    let mut parts = Parts::of_sample();
    parts.replace(CONSUMERS, table, rows);
    Lie { name, bundle: parts.bundle(), says, met_by }
}

fn names() -> Vec<Column> {
    vec![Column::plain("id", &[b"c1"]), Column::plain("name", &[b"cluster1"])]
}

fn in_footers() -> Vec<Lie> {
    let footer = |name, says, change: &dyn Fn(&mut Thrift)| {
        lie(name, says, FOOTERS, forged(&names(), 1, |footer| change(footer)), 1)
    };
    let schema = |name, says, column: Vec<(i16, Thrift)>| {
        let mut columns = names();
        columns[1].schema = column;
        lie(name, says, FOOTERS, table(&columns, 1), 1)
    };
    let named = |text: &str| Column::plain(text, &[b"x"]).schema;
    // One run of levels that says of all rows that there is nothing in them.
    let mut levels = Vec::new();
    varint(&mut levels, 2_000_000_000);
    levels.push(0);
    let billion = Page::nullable(&levels, &[], 0, 1_000_000_000, PLAIN);
    let long = |at: usize, length: u32| {
        let mut bytes = table(&names(), 1);
        let end = bytes.len() - at;
        bytes[end..end + 4].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    vec![
        lie("not-parquet", "it is not a table", FOOTERS, b"not a table at all".to_vec(), 1),
        lie("nothing", "it is not a table", FOOTERS, Vec::new(), 1),
        lie("another-format", "it is not a table", FOOTERS, [b"ARROW1", &[0; 400][..], b"ARROW1"].concat(), 1),
        lie("footer-longer-than-all", "its footer is longer than itself", FOOTERS, long(8, 1 << 20), 1),
        lie("footer-of-gigabytes", "bytes of footer or page index", FOOTERS, long(8, u32::MAX), 1),
        footer("footer-with-endless-list", "its footer claims more than it holds", &|footer| {
            *footer.field(4) = Claim(u64::from(u32::MAX));
        }),
        footer("footer-with-endless-schema", "its footer claims more than it holds", &|footer| {
            *footer.field(2) = Claim(2_000_000_000);
        }),
        footer("footer-deep", "its footer claims more than it holds", &|footer| {
            *footer = (0..1000).fold(Struct(Vec::new()), |inner, _| Struct(vec![(1, inner)]));
        }),
        footer("rows-of-the-footer", "it holds 1000000000 rows and the manifest says 1", &|footer| {
            *footer.field(3) = I64(1_000_000_000);
        }),
        footer("rows-of-a-group", "its row groups do not add up", &|footer| {
            *footer.field(4).item(0).field(3) = I64(1_000_000_000);
        }),
        footer("rows-below-zero", "its row groups do not add up", &|footer| {
            *footer.field(4).item(0).field(3) = I64(-1)
        }),
        footer("values-of-a-column", "its row groups do not add up", &|footer| {
            *column(footer, 0).field(3).field(5) = I64(1 << 40);
        }),
        footer("column-before-the-start", "a column lies outside of its pages", &|footer| {
            *column(footer, 0).field(3).field(9) = I64(-8);
        }),
        footer("column-behind-the-end", "a column lies outside of its pages", &|footer| {
            *column(footer, 0).field(3).field(7) = I64(i64::MAX);
        }),
        footer("column-over-another", "two of its columns lie over each other", &|footer| {
            let first = column(footer, 0).field(3).field(9).clone();
            *column(footer, 1).field(3).field(9) = first;
        }),
        footer("no-page-index", "it has no page index", &|footer| *column(footer, 1).field(4) = I64(-1)),
        footer("page-index-elsewhere", "it points behind its end", &|footer| {
            *column(footer, 1).field(4) = I64(1 << 50)
        }),
        footer("page-index-in-a-page", "page index", &|footer| *column(footer, 1).field(4) = I64(5)),
        lie(
            "unknown-packing",
            "which no version uses",
            FOOTERS,
            forged(&names(), 1, |footer| {
                *column(footer, 0).field(3).field(4) = I32(5);
            }),
            1,
        ),
        lie(
            "billion-rows",
            "rows for each byte",
            FOOTERS,
            table(&[Column::nullable("id", vec![billion])], 1_000_000_000),
            1_000_000_000,
        ),
        schema("column-with-escapes", "no table has one of that name", named("\u{1b}[31m\u{202e}name\r\n")),
        schema("column-with-quotes", "no table has one of that name", named("name\"); drop table consumers; --")),
        schema("column-too-long", "no table has one of that name", named(&"a".repeat(5000))),
        schema("column-without-a-name", "no table has one of that name", named("")),
        schema("column-of-our-own", "no table has one of that name", named("row_no")),
        schema("column-twice", "it has two columns id", named("id")),
        schema(
            "column-of-a-strange-type",
            "of a type that no table has",
            [&[(1, I32(7)), (2, I32(1 << 30))], &named("name")[1..3]].concat(),
        ),
        schema(
            "column-repeated",
            "columns within columns",
            [&[(1, I32(BYTE_ARRAY)), (3, I32(2))], &named("name")[2..]].concat(),
        ),
        lie("many-columns", "columns; more than 256 are not read", FOOTERS, table(&many_columns(), 1), 1),
        lie("pages-over-each-other", "its pages lie over each other", FOOTERS, overlapping_pages(), 2),
    ]
}

/// A column of the first row group.
fn column(footer: &mut Thrift, at: usize) -> &mut Thrift {
    footer.field(4).item(0).field(1).item(at)
}

fn many_columns() -> Vec<Column> {
    (0..300).map(|at| Column::plain(&format!("c{at}"), &[b"x"])).collect()
}

/// Two pages, of which the index says that the second begins within the first.
fn overlapping_pages() -> Vec<u8> {
    let text = plain(&[b"twice"]);
    let page = || Page::data(packed(&text), text.len() as i64, 1, PLAIN);
    let mut bytes = table(&[Column::texts("id", vec![page(), page()])], 2);
    let length = page().header.bytes().len() + page().body.len();
    let second = |at: usize| Struct(vec![(1, I64(at as i64)), (2, I32(length as i64)), (3, I64(1))]).bytes();
    let (truth, lie) = (second(4 + length), second(5));
    let at = bytes.windows(truth.len()).position(|window| window == truth).unwrap();
    assert_eq!(truth.len(), lie.len(), "one takes the place of the other");
    bytes[at..at + lie.len()].copy_from_slice(&lie);
    bytes
}

/// What the pages of a table say.
pub fn in_pages() -> Vec<Lie> {
    let pages = |name, says, pages: Vec<Page>, rows: i64| {
        let others = |column: &str| {
            let text = plain(&vec![&b"x"[..]; rows as usize]);
            Column::texts(column, vec![Page::data(packed(&text), text.len() as i64, rows, PLAIN)])
        };
        lie(name, says, ROWS, table(&[others("id"), Column::texts("name", pages)], rows), rows as u64)
    };
    let gigabyte = 1_u64 << 30;
    let long = |size: i64| Page::data(bomb(&(gigabyte as u32).to_le_bytes(), b'a', gigabyte), size, 1, PLAIN);
    let two_headers = {
        let mut page = Page::data(packed(b"\x01\0\0\0x"), 5, 1, PLAIN);
        let Struct(fields) = &mut page.header else { panic!("a header") };
        fields[0].1 = I32(0);
        fields.insert(
            3,
            (5, Struct(vec![(1, I32(i64::from(i32::MAX))), (2, I32(DELTA_TEXTS)), (3, I32(3)), (4, I32(3))])),
        );
        page
    };
    let not_text = plain(&[b"\xff\xfe\x80 not text"]);
    vec![
        pages("text-of-a-gigabyte", "bytes at once; more than", vec![long(gigabyte as i64 + 4)], 1),
        pages("page-larger-than-it-says", "another size than its header says", vec![long(100)], 1),
        pages(
            "page-smaller-than-it-says",
            "another size than its header says",
            vec![Page::data(packed(b"\x01\0\0\0x"), 60 << 20, 1, PLAIN)],
            1,
        ),
        pages("page-below-zero", "bytes at once; more than", vec![Page::data(packed(b"\x01\0\0\0x"), -1, 1, PLAIN)], 1),
        pages(
            "page-not-packed",
            "another size than its header says",
            vec![Page::data(b"\x01\0\0\0x".to_vec(), 5, 1, PLAIN)],
            1,
        ),
        pages(
            "page-without-header",
            "the header of a page is not one",
            vec![Page { header: Bytes(vec![0xff; 40]), body: Vec::new(), rows: 1 }],
            1,
        ),
        pages("page-with-two-headers", "the header of a page is not one", vec![two_headers], 1),
        pages(
            "lengths-without-end",
            "a page claims more values than it has",
            vec![deltas(DELTA_LENGTHS, 2_000_000_000)],
            1,
        ),
        pages(
            "prefixes-without-end",
            "a page claims more values than it has",
            vec![deltas(DELTA_TEXTS, 2_000_000_000)],
            1,
        ),
        pages("dictionary-without-end", "a page claims more values than it has", dictionary(2_000_000_000), 1),
        pages(
            "not-utf-8",
            "cannot be decoded",
            vec![Page::data(packed(&not_text), not_text.len() as i64, 1, PLAIN)],
            1,
        ),
        pages("length-behind-the-page", "cannot be decoded", vec![Page::data(packed(&[0xff; 12]), 12, 1, PLAIN)], 1),
        pages(
            "fewer-values-than-rows",
            "another number of rows than the page index says",
            vec![Page::data(packed(b"\x01\0\0\0x"), 5, 1, PLAIN)],
            5,
        ),
        deep("json-deep", "["),
        deep("json-deep-in-objects", "{\"a\":"),
    ]
}

/// A page that says it has so many lengths of texts, in blocks that are all alike.
fn deltas(encoding: i64, count: u64) -> Page {
    let mut page = Vec::new();
    for number in [1 << 31, 1, count, 0, 0] {
        varint(&mut page, number);
    }
    page.push(0);
    Page::data(packed(&page), page.len() as i64, 1, encoding)
}

fn dictionary(values: i64) -> Vec<Page> {
    let text = plain(&[b"once"]);
    let rows = Page::data(packed(&[1, 3, 0]), 3, 1, DICTIONARY);
    vec![Page::dictionary(packed(&text), text.len() as i64, values), rows]
}

/// A payload that is nested very deep.
fn deep(name: &'static str, level: &str) -> Lie {
    let payload = level.repeat(100_000);
    let columns = [
        Column::plain("id", &[b"496595f0-a531-5254-8ba1-38c71c30777e"]),
        Column::plain("payload", &[payload.as_bytes()]),
    ];
    let mut parts = Parts::of_sample();
    parts.replace(RESOURCES, table(&columns, 1), 1);
    Lie { name, bundle: parts.bundle(), says: "levels of JSON; more than 512 are not read", met_by: ROWS }
}

/// Otherwise every lie would be refused for another reason.
#[test]
fn an_honest_table_written_by_hand_is_read() {
    let mut parts = Parts::of_sample();
    parts.replace(CONSUMERS, table(&names(), 1), 1);
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("honest.dacapo");
    std::fs::write(&path, parts.bundle()).unwrap();
    let answer = crate::support::run(crate::support::dacapo().arg("show").arg(&path).arg("consumers:1"));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    assert!(answer.stdout.contains("cluster1"), "{}", answer.stdout);
}
