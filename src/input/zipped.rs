//! ZIP archives. Their directory stands at the end, so they need to be read from a file or from memory.

use super::tarball::Member;
use std::io::{Read, Seek};
use zip::ZipArchive;

pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Hands out each member in turn.
pub fn each<E>(data: impl Read + Seek, mut each: impl FnMut(Member<'_>) -> Result<(), E>) -> Result<(), E> {
    let failed = |name: String, reason: String| Member::Passed { name, reason, failed: true };
    let mut archive = match ZipArchive::new(data) {
        Ok(archive) => archive,
        Err(error) => return each(failed(String::new(), format!("the ZIP archive cannot be read: {error}"))),
    };
    if is_bundle(&archive) {
        let reason = "a bundle of dacapo, not evidence to collect".to_owned();
        return each(Member::Passed { name: String::new(), reason, failed: false });
    }
    for index in 0..archive.len() {
        let listed = archive.name_for_index(index).and_then(Result::ok).map(|name| name.into_owned());
        let name = listed.unwrap_or_else(|| format!("member {index}"));
        match archive.by_index(index) {
            Ok(member) if member.is_dir() => {}
            Ok(member) if member.is_symlink() => {
                each(Member::Passed { name, reason: "a link inside an archive".into(), failed: false })?;
            }
            Ok(mut member) => each(Member::File { name, data: &mut member })?,
            Err(error) => each(failed(name, error.to_string()))?,
        }
    }
    Ok(())
}

fn is_bundle<R: Read + Seek>(archive: &ZipArchive<R>) -> bool {
    let names: Vec<_> = archive.file_names().take(32).filter_map(Result::ok).collect();
    names.iter().any(|name| name == "manifest.json") && names.iter().any(|name| name.starts_with("tables/"))
}
