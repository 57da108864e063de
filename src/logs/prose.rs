//! Sentences of builds before December 2025, told as the keyed lines of today: the same message and
//! the same keys, so that nobody after this has to know how an older build put it.

mod sentences;

use std::borrow::Cow;

use self::sentences::{RECORDED, SENTENCES};
use super::value::Value;
use super::{Record, attributes, fill};

type Pair<'a> = (&'a str, Value<'a>);

/// Fills the message and the keys of a record from its text, and from pairs that stand beside it.
pub(super) fn tell<'a>(record: &mut Record<'a>, text: Cow<'a, str>, beside: impl Iterator<Item = Pair<'a>>) {
    match text {
        Cow::Borrowed(text) => {
            let said = read(text);
            record.message = Some(said.message);
            fill::fill(record, beside.chain(said.pairs));
        }
        Cow::Owned(text) => {
            let mut inner = Record::unknown();
            let said = read(&text);
            inner.message = Some(said.message);
            fill::fill(&mut inner, beside.map(|(key, value)| -> Pair<'_> { (key, value) }).chain(said.pairs));
            let own = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
            (record.message, record.logger, record.keys) =
                (own(inner.message), own(inner.logger), inner.keys.into_owned());
        }
    }
}

/// Turns `"Unhandled Error" err="…"`, which says nothing itself, into what its error says.
pub(super) fn tell_unhandled(record: &mut Record<'_>) {
    let Some(error) = record.keys.error.take() else { return };
    if read(&error).pairs.is_empty() {
        record.keys.error = Some(error);
        return;
    }
    let (op_id, logger) = (record.keys.op_id.take(), record.logger.take());
    tell(record, Cow::Owned(error.into_owned()), std::iter::empty());
    fill::or(&mut record.keys.op_id, op_id);
    record.logger = logger;
}

/// A message as builds of today write it, and what they would write after it.
struct Said<'a> {
    message: Cow<'a, str>,
    pairs: Vec<Pair<'a>>,
}

fn read(text: &str) -> Said<'_> {
    let mut pairs = Vec::new();
    let mut text = tags(text, &mut pairs);
    if let Some((sentence, block)) = attributes::split(text) {
        let (block, error) = block.split_once("\n, ").map_or((block, None), |(block, error)| (block, Some(error)));
        pairs.push(("event", Value::Block(block)));
        pairs.extend(error.map(|error| ("err", Value::Bare(error))));
        text = sentence;
    }
    if let Some(event) = text.strip_prefix("Event(v1.ObjectReference{") {
        return recorded(event, pairs).unwrap_or(Said { message: Cow::Borrowed(text), pairs: Vec::new() });
    }
    if is_service_error(text) {
        pairs.push(("error", Value::Bare(text)));
        return Said { message: Cow::Borrowed("user request error"), pairs };
    }
    match find(SENTENCES, text, &mut pairs) {
        Some(message) => Said { message: Cow::Borrowed(message), pairs },
        None => Said { message: Cow::Borrowed(text), pairs },
    }
}

/// `[opid=…][tx_id=…] message`, as builds until 2025 begin what belongs to a request; without a
/// request the blank is left.
fn tags<'a>(text: &'a str, pairs: &mut Vec<Pair<'a>>) -> &'a str {
    let mut rest = text.trim_start_matches(' ');
    while let Some((tag, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        match tag.split_once('=') {
            Some(("opid", id)) => pairs.push(("op-id", Value::Bare(id))),
            Some(("tx_id" | "accountID", _)) => {}
            _ => break,
        }
        rest = after.trim_start_matches(' ');
    }
    rest
}

/// What the agent's event recorder writes: `…}): type: 'Normal' reason: 'ConfigMapCreated' Created
/// ConfigMap/cm1 -n default because it was missing`. The object that it names is the agent itself.
fn recorded<'a>(event: &'a str, mut pairs: Vec<Pair<'a>>) -> Option<Said<'a>> {
    let (_, told) = event.split_once("}): type: '")?;
    let (kind, told) = told.split_once("' reason: ")?;
    if let Some(message) = find(RECORDED, told, &mut pairs) {
        return Some(Said { message: Cow::Borrowed(message), pairs });
    }
    let (reason, text) = told.strip_prefix('\'')?.split_once("' ")?;
    pairs.push(("reason", Value::Bare(reason)));
    let level = if kind == "Warning" { "WARNING" } else { "INFO" };
    Some(Said { message: Cow::Owned(format!("{level}: {text}")), pairs })
}

/// `maestro-7: Resource with id='…' not found`, the answer that a caller gets.
fn is_service_error(text: &str) -> bool {
    let code = text.strip_prefix("maestro-").and_then(|rest| rest.split_once(": "));
    code.is_some_and(|(code, _)| !code.is_empty() && code.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The message of the first sentence that fits; its values become pairs.
fn find<'a>(
    sentences: &'static [(&'static str, &'static str)],
    text: &'a str,
    pairs: &mut Vec<Pair<'a>>,
) -> Option<&'static str> {
    let first = text.bytes().next();
    sentences.iter().filter(|(sentence, _)| sentence.bytes().next() == first).find_map(|(sentence, message)| {
        let values = values(sentence, text)?;
        let told = values.into_iter().filter(|(name, value)| !name.is_empty() && *value != "<nil>");
        pairs.extend(told.map(|(name, value)| (name, Value::Bare(value))));
        Some(*message)
    })
}

/// The values that stand where the sentence has names in braces; `None` if the text does not fit.
fn values<'a>(sentence: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let (literal, mut names) = sentence.split_once('{').unwrap_or((sentence, ""));
    let mut text = text.strip_prefix(literal)?;
    let mut values = Vec::new();
    while !names.is_empty() {
        let (name, after) = names.split_once('}')?;
        let next = after.split_once('{');
        let (literal, following) = next.unwrap_or((after, ""));
        let (value, rest) = match (name, next) {
            // The last literal ends the text, and a value may well hold it too.
            (_, None) => (text.strip_suffix(literal)?, ""),
            ("gvr", _) => end_of_gvr(text, literal)?,
            _ => text.split_once(literal)?,
        };
        values.push((name, value));
        (text, names) = (rest, following);
    }
    text.is_empty().then_some(values)
}

/// `apps/v1, Resource=deployments` holds a blank itself.
fn end_of_gvr<'a>(text: &'a str, literal: &str) -> Option<(&'a str, &'a str)> {
    let (_, after) = text.split_once(", Resource=")?;
    let (resource, rest) = after.split_once(literal)?;
    Some((text.get(..text.len() - after.len() + resource.len())?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (String, Vec<(&str, String)>) {
        let said = read(text);
        let pairs = said.pairs.into_iter().map(|(key, value)| (key, value.text().into_owned()));
        (said.message.into_owned(), pairs.collect())
    }

    #[test]
    fn every_sentence_is_well_formed_and_found_by_its_own_words() {
        for (sentence, _) in SENTENCES.iter().chain(RECORDED) {
            assert_eq!(sentence.matches('{').count(), sentence.matches('}').count(), "{sentence}");
            assert!(!sentence.contains("}{"), "two values need words between them: {sentence}");
            let text = sentence.replace("{gvr}", "apps/v1, Resource=deployments").replace(['{', '}'], "");
            assert!(values(sentence, &text).is_some(), "{sentence}");
        }
    }

    #[test]
    fn a_sentence_that_only_begins_alike_is_left_as_it_is() {
        for text in ["Publishing resource", "Event a is late", "maestro-x: no", "Event(v1.ObjectReference{cut", "", "["]
        {
            assert_eq!(told(text), (text.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn tags_are_taken_off_and_the_operation_is_kept() {
        let (message, pairs) = told(" [opid=o-1][accountID=a][tx_id=7] started");
        assert_eq!((message.as_str(), pairs), ("started", vec![("op-id", "o-1".to_owned())]));
        assert_eq!(told("  [other] started").0, "[other] started");
    }
}
