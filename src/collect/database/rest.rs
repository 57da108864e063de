//! Answers of Maestro's REST interface: lists and single resource bundles and consumers, whole or as jq left them.

use super::intake::Intake;
use super::tables;
use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::collect::json::{Fields, Given, Glimpse};
use crate::input::json::{Error, Json};
use crate::schema::Text;
use std::collections::BTreeMap;
use std::io::BufRead;

pub struct RestAnswers;

/// Where the interface says an answer lives.
const PATH: &str = "/api/maestro/";

impl Form for RestAnswers {
    fn name(&self) -> &'static str {
        "Maestro REST answer"
    }

    fn claims(&self, file: &Candidate) -> bool {
        let glimpse = Glimpse::of(&file.head);
        let is = |members: &BTreeMap<String, String>| {
            let kind = members.get("kind").map_or("", String::as_str);
            let path = members.get("href").is_some_and(|href| href.contains(PATH));
            let reduced = members.contains_key("id") && members.contains_key("manifests");
            let bundle = reduced && (members.contains_key("consumer_name") || members.contains_key("metadata"));
            let kinds = ["ResourceBundleList", "ResourceBundle", "ConsumerList"];
            // A database row has a payload.
            !members.contains_key("apiVersion")
                && (kinds.contains(&kind) || path || bundle && !members.contains_key("payload"))
        };
        is(&glimpse.outer) || glimpse.inner.as_ref().is_some_and(is)
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut answers = Answers { intake: Intake::new(file, taking), lists: BTreeMap::new(), members: Vec::new() };
        let mut json = Json::new(input);
        loop {
            match answers.document(&mut json) {
                Ok(true) => {}
                Ok(false) => break,
                Err(Stop::Ours(error)) => return Err(error),
                Err(Stop::Theirs(error)) => {
                    answers.stopped(json.fragment(), json.line())?;
                    answers.intake.cut(error.to_string());
                    if error.is_final() {
                        break;
                    }
                }
            }
        }
        Ok(answers.end())
    }
}

/// Why reading stops: the evidence is broken, or we are.
enum Stop {
    Theirs(Error),
    Ours(crate::collect::error::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Theirs(error)
    }
}

impl From<crate::collect::error::Error> for Stop {
    fn from(error: crate::collect::error::Error) -> Self {
        Self::Ours(error)
    }
}

struct Answers<'a, 'w> {
    intake: Intake<'a, 'w>,
    /// By kind: items that lists hold, and how many there are according to them.
    lists: BTreeMap<String, (i64, i64)>,
    /// What was read of the answer we are in, outside of the items of a list.
    members: Vec<(String, String)>,
}

impl Answers<'_, '_> {
    /// Reads one document, or one element of an array at the top. False at the end.
    fn document<R: BufRead>(&mut self, json: &mut Json<R>) -> std::result::Result<bool, Stop> {
        if !json.more()? {
            return Ok(json.peek()?.is_some());
        }
        match json.peek()? {
            Some(b'[') if json.depth() == 0 => {
                json.enter()?;
            }
            Some(b'{') => self.object(json)?,
            _ => {
                let text = String::from_utf8_lossy(json.value()?).into_owned();
                self.intake.unknown(&text, json.line(), "not a JSON object")?;
            }
        }
        Ok(true)
    }

    /// A list is walked item by item; anything else is put together from its members.
    fn object<R: BufRead>(&mut self, json: &mut Json<R>) -> std::result::Result<(), Stop> {
        json.enter()?;
        let line = json.line();
        self.members.clear();
        let mut items = None;
        while let Some(key) = json.key()? {
            if key != "items" || json.peek()? != Some(b'[') {
                let value = String::from_utf8_lossy(json.value()?).into_owned();
                self.members.push((key, value));
                continue;
            }
            json.enter()?;
            let head = std::mem::take(&mut self.members);
            let mut count = 0;
            while json.more()? {
                let text = String::from_utf8_lossy(json.value()?).into_owned();
                self.item(&text, json.line())?;
                count += 1;
            }
            items = Some(count);
            self.members = head;
        }
        let members = std::mem::take(&mut self.members);
        match items {
            Some(count) => self.list(&members.into_iter().collect(), count),
            None => {
                let row =
                    members.iter().map(|(key, value)| (Text::from(key), Given::Json(Text::from(value)))).collect();
                self.fields(row, line, || text_of(&members) + "}")?;
            }
        }
        Ok(())
    }

    /// Keeps what was read of the answer, or of the item, in which the file ends.
    fn stopped(&mut self, fragment: &[u8], line: u64) -> Result<()> {
        let members = std::mem::take(&mut self.members);
        let text = text_of(&members) + &String::from_utf8_lossy(fragment);
        if members.is_empty() && fragment.is_empty() {
            return Ok(());
        }
        self.intake.kept(&text, line)
    }

    fn list(&mut self, members: &BTreeMap<String, String>, count: i64) {
        let plain = |name: &str| members.get(name).map(|value| value.trim_matches('"'));
        let kind = plain("kind").unwrap_or("ResourceBundleList").to_owned();
        self.intake.taken.has(if kind == "ConsumerList" { "consumers" } else { "resources" });
        let total = plain("total").and_then(|total| total.parse().ok()).unwrap_or(count);
        let list = self.lists.entry(kind).or_default();
        list.0 += count;
        list.1 = list.1.max(total);
    }

    fn item(&mut self, text: &str, line: u64) -> Result<()> {
        match Fields::parse(text) {
            Ok(row) => self.fields(row, line, || text.to_owned()),
            Err(error) => self.intake.unknown(text, line, &error.to_string()),
        }
    }

    fn fields(&mut self, mut row: Fields<'_>, line: u64, text: impl FnOnce() -> String) -> Result<()> {
        let kind = row.text("kind").unwrap_or_default();
        let path = row.text("href").unwrap_or_default();
        let called = match kind.as_ref() {
            "ResourceBundle" => Some("resources"),
            "Consumer" => Some("consumers"),
            "Error" => return self.error(&mut row),
            _ if path.contains("/consumers/") => Some("consumers"),
            _ if path.contains(PATH)
                || ["consumer_name", "manifests", "metadata"].iter().any(|name| row.has(&[name])) =>
            {
                Some("resources")
            }
            _ => None,
        };
        let Some(shape) = called.and_then(tables::called).filter(|_| row.has(&["id"])) else {
            return self.intake.unknown(&text(), line, "neither a resource bundle nor a consumer");
        };
        if shape.table.name == "resources" {
            rebuild_payload(&mut row);
            rebuild_status(&mut row);
        }
        self.intake.row(shape, row, line)
    }

    fn error(&mut self, row: &mut Fields<'_>) -> Result<()> {
        let (code, reason) = (row.text("code").unwrap_or_default(), row.text("reason").unwrap_or_default());
        self.intake.skip();
        self.intake.taken.whole = false;
        self.intake.taken.remarks.push(format!("an error that Maestro answered, not evidence: {code} {reason}"));
        Ok(())
    }

    fn end(mut self) -> Taken {
        let taken = &mut self.intake.taken;
        // Single answers say nothing about what else there is.
        taken.whole &= !self.lists.is_empty();
        for (kind, (count, total)) in &self.lists {
            if count < total {
                let what = if kind == "ConsumerList" { "consumers" } else { "resource bundles" };
                taken.remarks.push(format!("{count} of {total} {what}: the other pages are missing"));
                taken.whole = false;
            }
        }
        self.intake.taken
    }
}

/// The payload as the database has it, as far as the answer tells.
fn rebuild_payload(row: &mut Fields<'_>) {
    if row.has(&["payload"]) {
        return;
    }
    let mut data = Vec::new();
    let parts = [
        ("manifests", "manifests"),
        ("manifest_configs", "manifestConfigs"),
        ("manifestConfigs", "manifestConfigs"),
        ("delete_option", "deleteOption"),
        ("deleteOption", "deleteOption"),
        ("executor", "executer"),
    ];
    for (given, stored) in parts {
        let value = row.take(given).filter(|value| !is_empty(value));
        data.extend(value.map(|value| member(stored, value.text())));
    }
    let mut payload = Vec::new();
    if !data.is_empty() {
        payload.push(member("data", &object(&data)));
    }
    let metadata = row.take("metadata").filter(|value| !is_empty(value));
    payload.extend(metadata.map(|value| member("metadata", value.text())));
    if !payload.is_empty() {
        row.set("payload", Given::Json(object(&payload).into()));
    }
}

/// The status as the database has it: what the agent said is below `data`.
fn rebuild_status(row: &mut Fields<'_>) {
    let Some(status) = row.take("status").filter(|status| !is_empty(status)) else { return };
    let text = status.text().to_owned();
    let Some(mut parts) = Fields::parse(&text).ok().filter(|parts| !parts.has(&["data"])) else {
        row.set("status", Given::Json(text.into()));
        return;
    };
    let version = parts.take("ObservedVersion").map(|value| member("resourceversion", value.text()));
    let sequence = parts.take("SequenceID").map(|value| member("sequenceid", value.text()));
    let data: Vec<String> = parts.left().map(|(name, value)| member(&name, &value)).collect();
    let status: Vec<String> = std::iter::once(member("data", &object(&data))).chain(sequence).chain(version).collect();
    row.set("status", Given::Json(object(&status).into()));
}

/// An answer that is not closed yet.
fn text_of(members: &[(String, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| member(name, value)).collect();
    if members.is_empty() { String::new() } else { format!("{{{}", members.join(", ")) }
}

fn is_empty(value: &Given<'_>) -> bool {
    matches!(value.text(), "null" | "{}" | "[]" | "\"\"" | "")
}

fn member(name: &str, value: &str) -> String {
    format!("{}: {value}", serde_json::Value::from(name))
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> bool {
        let file = Candidate { head: text.as_bytes().to_vec(), whole: true, ..Candidate::default() };
        RestAnswers.claims(&file)
    }

    #[test]
    fn answers_are_known_whole_and_reduced() {
        assert!(claims(r#"{"items": [{"id": "a", "kind": "ResourceBundle", "mani"#));
        assert!(claims(r#"{"kind": "ConsumerList", "items": []}"#));
        assert!(claims(r#"[{"id": "a", "manifests": [], "consumer_name": "c"}]"#));
        assert!(claims(r#"{"kind": "Error", "href": "/api/maestro/v1/errors/7", "id": "7"}"#));
        assert!(!claims(r#"{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod"}]}"#));
        assert!(!claims(r#"{"id": "a", "consumer_name": "c", "version": 1, "payload": {}}"#));
        assert!(!claims("[]"));
    }

    #[test]
    fn payload_and_status_get_the_shape_that_the_database_has() {
        let text = r#"{"manifests": [{"kind": "Secret"}], "manifest_configs": [], "delete_option": {"a": 1},
            "metadata": {"name": "w"}, "status": {"ObservedVersion": 2, "SequenceID": "9", "conditions": [1]}}"#;
        let mut row = Fields::parse(text).unwrap();
        rebuild_payload(&mut row);
        rebuild_status(&mut row);
        let expected =
            r#"{"data": {"manifests": [{"kind": "Secret"}], "deleteOption": {"a": 1}}, "metadata": {"name": "w"}}"#;
        assert_eq!(row.json("payload").unwrap().0, expected);
        let expected = r#"{"data": {"conditions": [1]}, "sequenceid": "9", "resourceversion": 2}"#;
        assert_eq!(row.json("status").unwrap().0, expected);
        assert_eq!(row.left().count(), 0);
    }
}
