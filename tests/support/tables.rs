//! Parquet files written by hand, so that each of their numbers can be a lie.

/// A value of Thrift's compact protocol.
#[derive(Clone, Debug)]
pub enum Thrift {
    Bool(bool),
    I32(i64),
    I64(i64),
    Bytes(Vec<u8>),
    List(Vec<Thrift>),
    /// A list that says it has so many elements, and has none.
    Claim(u64),
    Struct(Vec<(i16, Thrift)>),
}

use Thrift::{Bool, Bytes, I32, I64, List, Struct};

impl Thrift {
    const fn kind(&self) -> u8 {
        match self {
            Bool(true) => 1,
            Bool(false) => 2,
            I32(_) => 5,
            I64(_) => 6,
            Bytes(_) => 8,
            List(_) | Self::Claim(_) => 9,
            Struct(_) => 12,
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Bool(_) => {}
            I32(number) | I64(number) => varint(out, ((number << 1) ^ (number >> 63)) as u64),
            Bytes(bytes) => {
                varint(out, bytes.len() as u64);
                out.extend(bytes);
            }
            List(items) => {
                out.push(0xf0 | items.first().map_or(12, Self::kind));
                varint(out, items.len() as u64);
                items.iter().for_each(|item| item.put(out));
            }
            Self::Claim(count) => {
                out.push(0xf0 | 12);
                varint(out, *count);
            }
            Struct(fields) => {
                for (id, value) in fields {
                    out.push(value.kind());
                    I32(i64::from(*id)).put(out);
                    value.put(out);
                }
                out.push(0);
            }
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// The field with that number.
    pub fn field(&mut self, id: i16) -> &mut Self {
        let Struct(fields) = self else { panic!("not a struct") };
        &mut fields.iter_mut().find(|(number, _)| *number == id).unwrap().1
    }

    pub fn item(&mut self, at: usize) -> &mut Self {
        let List(items) = self else { panic!("not a list") };
        &mut items[at]
    }
}

pub fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub const PLAIN: i64 = 0;
pub const DELTA_LENGTHS: i64 = 6;
pub const DELTA_TEXTS: i64 = 7;
pub const DICTIONARY: i64 = 8;

pub const ZSTD: i64 = 6;
pub const BYTE_ARRAY: i64 = 6;

/// A page: its header, what follows it, and how many rows it has.
#[derive(Clone)]
pub struct Page {
    pub header: Thrift,
    pub body: Vec<u8>,
    pub rows: i64,
}

impl Page {
    /// A page of texts, in the newer form, which says that it has `size` bytes when it is unpacked.
    pub fn data(packed: Vec<u8>, size: i64, rows: i64, encoding: i64) -> Self {
        let about = [(1, I32(rows)), (2, I32(0)), (3, I32(rows)), (4, I32(encoding)), (5, I32(0)), (6, I32(0))];
        Self { header: header(3, size, packed.len(), (8, Struct(about.to_vec()))), body: packed, rows }
    }

    /// A page in the newer form of a nullable column: these levels, and then values.
    pub fn nullable(levels: &[u8], packed: &[u8], size: i64, rows: i64, encoding: i64) -> Self {
        let lengths = [(5, I32(levels.len() as i64)), (6, I32(0))];
        let about = [(1, I32(rows)), (2, I32(0)), (3, I32(rows)), (4, I32(encoding))].into_iter().chain(lengths);
        let body = [levels, packed].concat();
        let header = header(3, size + levels.len() as i64, body.len(), (8, Struct(about.collect())));
        Self { header, body, rows }
    }

    pub fn dictionary(packed: Vec<u8>, size: i64, values: i64) -> Self {
        let about = Struct(vec![(1, I32(values)), (2, I32(PLAIN))]);
        Self { header: header(2, size, packed.len(), (7, about)), body: packed, rows: 0 }
    }
}

fn header(kind: i64, size: i64, packed: usize, about: (i16, Thrift)) -> Thrift {
    Struct(vec![(1, I32(kind)), (2, I32(size)), (3, I32(packed as i64)), about])
}

/// A column: what the schema says of it, and its pages.
#[derive(Clone)]
pub struct Column {
    pub schema: Vec<(i16, Thrift)>,
    pub pages: Vec<Page>,
    pub codec: i64,
}

impl Column {
    /// A text in every row.
    pub fn texts(name: &str, pages: Vec<Page>) -> Self {
        let schema = vec![(1, I32(BYTE_ARRAY)), (3, I32(0)), (4, Bytes(name.as_bytes().to_vec())), (6, I32(0))];
        Self { schema, pages, codec: ZSTD }
    }

    /// The same, where texts may be absent.
    pub fn nullable(name: &str, pages: Vec<Page>) -> Self {
        let mut column = Self::texts(name, pages);
        column.schema[1].1 = I32(1);
        column
    }

    /// A column of one page with these texts.
    pub fn plain(name: &str, texts: &[&[u8]]) -> Self {
        let page = plain(texts);
        let size = page.len() as i64;
        Self::texts(name, vec![Page::data(packed(&page), size, texts.len() as i64, PLAIN)])
    }
}

/// Texts, each with its length before it.
pub fn plain(texts: &[&[u8]]) -> Vec<u8> {
    texts.iter().flat_map(|text| [&(text.len() as u32).to_le_bytes(), *text].concat()).collect()
}

pub fn packed(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).unwrap()
}

/// So many times the same byte, packed without ever being there.
pub fn bomb(start: &[u8], byte: u8, count: u64) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.set_pledged_src_size(Some(start.len() as u64 + count)).unwrap();
    std::io::Write::write_all(&mut encoder, start).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(byte), count), &mut encoder).unwrap();
    encoder.finish().unwrap()
}

/// A table of one row group.
pub fn table(columns: &[Column], rows: i64) -> Vec<u8> {
    forged(columns, rows, |_| {})
}

/// The same, with a footer that says something else.
pub fn forged(columns: &[Column], rows: i64, lie: impl FnOnce(&mut Thrift)) -> Vec<u8> {
    let mut out = b"PAR1".to_vec();
    let mut chunks: Vec<Thrift> = Vec::new();
    for column in columns {
        chunks.push(put_column(&mut out, column, rows));
    }
    let root = Struct(vec![(4, Bytes(b"schema".to_vec())), (5, I32(columns.len() as i64))]);
    let schema = std::iter::once(root).chain(columns.iter().map(|column| Struct(column.schema.clone())));
    let group = Struct(vec![(1, List(chunks)), (2, I64(out.len() as i64)), (3, I64(rows))]);
    let mut footer = Struct(vec![(1, I32(2)), (2, List(schema.collect())), (3, I64(rows)), (4, List(vec![group]))]);
    lie(&mut footer);
    let footer = footer.bytes();
    out.extend(&footer);
    out.extend((footer.len() as u32).to_le_bytes());
    out.extend(b"PAR1");
    out
}

fn put_column(out: &mut Vec<u8>, column: &Column, rows: i64) -> Thrift {
    let start = out.len() as i64;
    let (mut locations, mut first_row, mut data) = (Vec::new(), 0, None);
    for page in &column.pages {
        let at = out.len() as i64;
        out.extend(page.header.bytes().iter().chain(&page.body));
        if page.rows > 0 {
            data.get_or_insert(at);
            locations.push(Struct(vec![(1, I64(at)), (2, I32(out.len() as i64 - at)), (3, I64(first_row))]));
            first_row += page.rows;
        }
    }
    let size = out.len() as i64 - start;
    let index = (out.len() as i64, Struct(vec![(1, List(locations))]).bytes());
    out.extend(&index.1);
    let data = data.unwrap_or(start);
    let name = column.schema.iter().find(|(id, _)| *id == 4).unwrap().1.clone();
    let kind = column.schema.iter().find(|(id, _)| *id == 1).unwrap().1.clone();
    let mut about = vec![(1, kind), (2, List(vec![I32(PLAIN)])), (3, List(vec![name])), (4, I32(column.codec))];
    about.extend([(5, I64(rows)), (6, I64(size)), (7, I64(size)), (9, I64(data))]);
    if data > start {
        about.push((11, I64(start)));
    }
    Struct(vec![(2, I64(start)), (3, Struct(about)), (4, I64(index.0)), (5, I32(index.1.len() as i64))])
}
