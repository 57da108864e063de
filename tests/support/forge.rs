//! Bundles as no dacapo writes them, with sums that are right: whoever forges one can compute SHA-256 too.

use std::io::Read;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A bundle taken apart, to be put together differently.
#[derive(Clone)]
pub struct Parts {
    pub manifest: Value,
    pub members: Vec<(String, Vec<u8>)>,
    /// The signature, where there is one.
    pub seal: Option<Vec<u8>>,
}

impl Parts {
    pub fn of_sample() -> Self {
        Self::of(include_bytes!("../../snapshots/stuck-in-delivery.dacapo"))
    }

    pub fn of(bundle: &[u8]) -> Self {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bundle)).unwrap();
        let mut members = Vec::new();
        for index in 0..archive.len() {
            let mut member = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            member.read_to_end(&mut bytes).unwrap();
            members.push((member.name().unwrap().into_owned(), bytes));
        }
        let seal = members.pop_if(|(name, _)| name == "manifest.json.sig").map(|(_, bytes)| bytes);
        let manifest = members.pop().unwrap();
        assert_eq!(manifest.0, "manifest.json");
        Self { manifest: serde_json::from_slice(&manifest.1).unwrap(), members, seal }
    }

    pub fn member(&mut self, name: &str) -> &mut Vec<u8> {
        &mut self.members.iter_mut().find(|(member, _)| member == name).unwrap().1
    }

    /// What the manifest says about a member.
    pub fn about(&mut self, name: &str) -> &mut Value {
        let members = self.manifest["members"].as_array_mut().unwrap();
        members.iter_mut().find(|member| member["name"] == name).unwrap()
    }

    /// Puts other bytes in the place of a member, and makes the manifest true for them.
    pub fn replace(&mut self, name: &str, bytes: Vec<u8>, rows: u64) {
        *self.member(name) = bytes;
        self.about(name)["rows"] = json!(rows);
        self.sum(name);
    }

    /// Makes the manifest true again for a member that was changed.
    pub fn sum(&mut self, name: &str) {
        let bytes = self.member(name).clone();
        let blocks: Vec<String> = bytes.chunks(64 << 10).map(sha256).collect();
        let about = self.about(name);
        about["bytes"] = json!(bytes.len());
        about["sha256"] = json!(sha256(&bytes));
        about["blocks"] = json!(blocks);
    }

    /// The archive in its canonical form.
    pub fn bundle(&self) -> Vec<u8> {
        self.bundle_with(&self.manifest_text())
    }

    /// The manifest as it stands in the archive.
    pub fn manifest_text(&self) -> Vec<u8> {
        serde_json::to_vec(&self.manifest).unwrap()
    }

    /// The same, with these bytes for a manifest.
    pub fn bundle_with(&self, manifest: &[u8]) -> Vec<u8> {
        let members = self.members.iter().map(|(name, bytes)| Entry::new(name, bytes));
        let seal = self.seal.iter().map(|seal| Entry::new("manifest.json.sig", seal));
        archive(members.chain([Entry::new("manifest.json", manifest)]).chain(seal).collect())
    }
}

/// A member of an archive, of which everything can be a lie.
#[derive(Clone)]
pub struct Entry {
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
    pub method: u8,
    pub size: u32,
    pub mode: u32,
    /// Where the directory says it begins; where it does, if it does not say.
    pub header: Option<u32>,
}

impl Entry {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let (name, bytes) = (name.as_bytes().to_vec(), bytes.to_vec());
        let size = bytes.len() as u32;
        Self { name, bytes, method: 0, size, mode: 0o100_600, header: None }
    }

    /// Version, flags, method, time, date, CRC, sizes and lengths: what both headers of a member share.
    fn common(&self) -> Vec<u8> {
        let packed = (self.bytes.len() as u32).to_le_bytes();
        let packed = if self.method == 0 { self.size.to_le_bytes() } else { packed };
        let start = [20, 0, 0, 0, self.method, 0, 0, 0, 0x21, 0];
        let crc = crc32fast::hash(&self.bytes).to_le_bytes();
        let lengths = [(self.name.len() as u16).to_le_bytes(), [0, 0]].concat();
        start.into_iter().chain(crc).chain(packed).chain(self.size.to_le_bytes()).chain(lengths).collect()
    }
}

/// Writes an archive as dacapo does, as far as the entries let it.
pub fn archive(entries: Vec<Entry>) -> Vec<u8> {
    let (mut out, mut directory, count) = (Vec::new(), Vec::new(), entries.len() as u16);
    for entry in entries {
        let header = entry.header.unwrap_or(out.len() as u32);
        let common = entry.common();
        out.extend(0x0403_4b50_u32.to_le_bytes().iter().chain(&common).chain(&entry.name).chain(&entry.bytes));
        directory.extend(0x0201_4b50_u32.to_le_bytes().into_iter().chain([45, 3]).chain(common).chain([0; 6]));
        directory.extend((entry.mode << 16).to_le_bytes().into_iter().chain(header.to_le_bytes()).chain(entry.name));
    }
    let start = (out.len() as u32).to_le_bytes();
    let size = (directory.len() as u32).to_le_bytes();
    out.extend(directory);
    out.extend(0x0605_4b50_u32.to_le_bytes().into_iter().chain([0; 4]));
    out.extend(count.to_le_bytes().into_iter().chain(count.to_le_bytes()).chain(size).chain(start).chain([0; 2]));
    out
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A table with its columns changed.
pub fn rewritten(parquet: &[u8], change: impl FnOnce(&mut Vec<Field>, &mut Vec<ArrayRef>, usize)) -> Vec<u8> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::copy_from_slice(parquet)).unwrap();
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    let mut fields: Vec<Field> = batch.schema().fields().iter().map(|field| field.as_ref().clone()).collect();
    let mut columns = batch.columns().to_vec();
    change(&mut fields, &mut columns, batch.num_rows());
    let schema = Arc::new(Schema::new(fields));
    let mut out = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut out, schema.clone(), None).unwrap();
    writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
    writer.close().unwrap();
    out
}
