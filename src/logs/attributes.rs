//! CloudEvents as the SDK prints them for people, which builds before December 2025 put into
//! multi-line blocks or simply after a sentence:
//!
//! ```text
//! Context Attributes,
//!   id: …
//! Extensions,
//!   clustername: …
//! ```

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::cloudevent::{CloudEvent, MetadataFields, Tracing};
use super::lenient::{Lenient, Object};

const TITLE: &str = "Context Attributes,";

/// Does an event begin at the end of this line?
pub(super) fn opens(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(TITLE.as_bytes())
}

/// Is this a line of an event that has begun? Nothing but their shape is asked of the lines: an
/// export may have kept any of them. An error can follow the event, after a comma.
pub(super) fn continues(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.starts_with(b"  ")
        || line.starts_with(b", ")
        || matches!(line, b"Context Attributes," | b"Extensions," | b"Data," | b"Data (binary),")
}

/// The sentence before an event, and the event.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let may_hold = memchr(b'\n', text.as_bytes()).is_some() || opens(text.as_bytes());
    if !may_hold {
        return None;
    }
    // An export may have dropped the title, which stands on a line of its own here.
    let untitled = || if text.starts_with("Sending event: ") { text.find("\n  ") } else { None };
    let at = memmem::find(text.as_bytes(), TITLE.as_bytes()).or_else(untitled)?;
    let (sentence, event) = text.split_at_checked(at)?;
    let sentence = sentence.trim_end().trim_end_matches("evt=").trim_end_matches([',', ':', ' ', '\r', '\n']);
    Some((sentence, event))
}

impl<'a> CloudEvent<'a> {
    /// Reads the attributes and extensions; the data, if printed, come after both and are left
    /// alone.
    pub fn read_attributes(mut self, block: &'a str) -> Self {
        let mut metadata = "";
        let lines = block.lines().map(str::trim).take_while(|line| !matches!(*line, "Data," | "Data (binary),"));
        for (name, text) in lines.filter_map(|line| line.split_once(": ")) {
            let text = text.trim();
            let named = || Some(Cow::Borrowed(text)).filter(|text| !text.is_empty());
            match name {
                "id" => self.id = named(),
                "source" => self.source = named(),
                "type" => self.kind = named(),
                "clustername" => self.consumer = named(),
                "resourceid" => self.resource_id = named(),
                "resourceversion" => self.resource_version = text.parse().ok(),
                "sequenceid" => self.sequence_id = named(),
                "logtracing" if self.wants_op_id => self.op_id = Tracing::text(text).op_id.map(Cow::Owned),
                "metadata" => metadata = text,
                "deletiontimestamp" => self.deletion_timestamp = !text.is_empty(),
                _ => {}
            }
        }
        if !metadata.is_empty() {
            self.metadata = Lenient::text(metadata);
        }
        if self.resource_id.is_none() {
            // An export may have kept the metadata and not the extension.
            self.resource_id = MetadataFields::default().read(metadata).uid;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_extensions_are_read_and_data_is_not() {
        let block = "\tContext Attributes,\n\t  specversion: 1.0\n\t  type: a.manifestbundles.spec.delete_request\n\
            \t  source: orchestra\n\t  id: e-1\n\tExtensions,\n\t  clustername: stage\n\
            \t  deletiontimestamp: 2026-01-15T10:01:02Z\n\t  originalsource: \n\t  resourceid: r-1\n\t  resourceversion: 2\n\
            \t  logtracing: {\"logging.open-cluster-management.io/op-id\":\"o-1\"}\n\
            \t  metadata: {\"name\":\"overture\",\"uid\":\"r-1\",\"finalizers\":[\"f\"]}\n\tData,\n\t  id: e-2";
        let event = CloudEvent { wants_op_id: true, ..CloudEvent::default() }.read_attributes(block);
        assert_eq!((event.id.as_deref(), event.source.as_deref()), (Some("e-1"), Some("orchestra")));
        assert_eq!((event.resource_id.as_deref(), event.resource_version), (Some("r-1"), Some(2)));
        assert_eq!((event.consumer.as_deref(), event.op_id.as_deref()), (Some("stage"), Some("o-1")));
        assert!(event.deletion_timestamp);
        let metadata = event.metadata.unwrap();
        assert_eq!((metadata.name.as_deref(), metadata.deleting, metadata.finalizers), (Some("overture"), false, true));
    }
}
