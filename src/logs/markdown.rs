//! Rows of a Markdown table, as hcpctl writes the answers of its queries into a snapshot:
//! `| <time> | … | <resource id> | … | <message> |`. What the process wrote is not there any more, only its message.

use super::sentence::uuid;
use super::{LogFormat, Record, Stamp};
use crate::schema::Time;
use std::borrow::Cow;

pub(super) struct Markdown;

impl LogFormat for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn samples(&self) -> &'static [&'static str] {
        &["| 2026-01-15T09:45:12.345Z | v1 | ConfigMap | cm1 | aaaaaaaa-0000-5000-8000-000000000001 | score received |"]
    }

    fn starts(&self, line: &[u8]) -> bool {
        line.starts_with(b"| 2") && std::str::from_utf8(line).is_ok_and(|line| Row::read(line).is_some())
    }

    fn wants_more(&self, _entry: &[u8]) -> bool {
        false
    }

    fn read<'a>(&self, text: &'a str, record: &mut Record<'a>) -> Option<()> {
        let row = Row::read(text)?;
        record.stamp = Stamp::Full(row.at.micros());
        record.message = Some(Cow::Borrowed(row.message));
        record.keys.resource_id = Some(Cow::Borrowed(row.resource_id));
        Some(())
    }
}

struct Row<'a> {
    at: Time,
    resource_id: &'a str,
    message: &'a str,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let cells = line.trim_end().strip_prefix("| ")?.strip_suffix(" |")?;
        let (at, rest) = cells.split_once(" | ")?;
        let (before, message) = rest.rsplit_once(" | ")?;
        let mut ids = before.split(" | ").filter_map(uuid);
        let resource_id = ids.next()?;
        ids.next().is_none().then_some(Row { at: Time::parse(at)?, resource_id, message })
    }
}
