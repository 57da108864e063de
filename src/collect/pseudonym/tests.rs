//! What a text becomes.

use super::*;
use crate::schema::{Consumer, Record, marker};

fn learnt(kinds: &str, texts: &[&str]) -> Pseudonyms {
    let kinds = Kinds::parse(kinds).unwrap();
    let stays = HashSet::new();
    let mut learner = Learner::new(&kinds, &stays);
    texts.iter().for_each(|text| learner.text(text));
    let key = Key::kept(&tempfile::tempdir().unwrap().path().join("key")).unwrap();
    Pseudonyms::new(kinds.clone(), key, learner, None)
}

fn swapped(pseudonyms: &mut Pseudonyms, text: &str) -> String {
    pseudonyms.text(text, "notes").unwrap().unwrap_or_else(|| text.to_owned())
}

const ID: &str = "0b14ee1e-1543-5748-bba9-abb351ceff99";

#[test]
fn a_name_is_the_same_pseudonym_wherever_it_stands() {
    let mut pseudonyms = learnt("all", &[r#"consumer="prod-7" work="shop""#]);
    let (consumer, work) = (swapped(&mut pseudonyms, "prod-7"), swapped(&mut pseudonyms, "shop"));
    assert!(consumer.starts_with("consumer-") && work.starts_with("work-"), "{consumer} {work}");
    for (text, expected) in [
        ("prod-7/shop-1 SHOP".to_owned(), format!("{consumer}/{work}-1 {work}")),
        (
            r#"{\"name\":\"shop\",\n\"x\":\"prod-70\"}"#.to_owned(),
            format!(r#"{{\"name\":\"{work}\",\n\"x\":\"prod-70\"}}"#),
        ),
        (r"\nshop workshop".to_owned(), format!(r"\n{work} workshop")),
    ] {
        assert_eq!(swapped(&mut pseudonyms, &text), expected);
    }
}

#[test]
fn ids_and_addresses_need_not_be_learnt() {
    let mut pseudonyms = learnt("all", &[]);
    let text = format!("hash-{ID} at 10.1.2.3:80 and 127.0.0.1 and {}", ID.to_uppercase());
    let after = swapped(&mut pseudonyms, &text);
    let id = swapped(&mut pseudonyms, ID);
    let address = swapped(&mut pseudonyms, "10.1.2.3");
    assert_eq!(after, format!("hash-{id} at {address}:80 and 127.0.0.1 and {}", id.to_uppercase()));
    assert_ne!(id, ID);
}

#[test]
fn only_what_is_wanted_is_replaced() {
    let text = format!("work=shop {ID} 10.1.2.3 https://db.example/x");
    for (kinds, gone) in [
        ("ids", &[ID][..]),
        ("ips", &["10.1.2.3"]),
        ("names", &["shop", ID]),
        ("hosts", &["db.example", ID]),
        ("all", &["shop", ID, "10.1.2.3", "db.example"]),
    ] {
        let after = swapped(&mut learnt(kinds, &[&text]), &text);
        for word in ["shop", ID, "10.1.2.3", "db.example"] {
            assert_eq!(after.contains(word), !gone.contains(&word), "{kinds}: {word} in {after}");
        }
    }
}

#[test]
fn a_name_is_not_found_within_an_id_nor_a_marker() {
    let mut pseudonyms =
        learnt("all", &["work=bba9 name=password", r#"consumer="x-0b14ee1e-1543-5748-bba9-abb351ceff99""#]);
    let tag = marker("password", 7, 9);
    assert_eq!(swapped(&mut pseudonyms, &tag), tag);
    let id = swapped(&mut pseudonyms, ID);
    assert_eq!(id.len(), ID.len());
    assert!(swapped(&mut pseudonyms, &format!("x-{ID}")).starts_with("consumer-"));
}

#[test]
fn names_that_every_installation_has_stay() {
    let pseudonyms = learnt("all", &["namespace=kube-system name=deployment consumer=maestro work=shop"]);
    let common: Vec<&str> = pseudonyms.common().iter().map(String::as_str).collect();
    assert_eq!(common, ["deployment", "kube-system", "maestro"]);
}

#[test]
fn rows_keep_what_was_redacted_and_lose_their_names() {
    let mut pseudonyms = learnt("all", &["consumer=prod-7"]);
    let row = Consumer {
        id: ID.into(),
        created_at: None,
        updated_at: None,
        deleted_at: None,
        name: Some("prod-7".into()),
        labels: Some(crate::schema::Json(r#"{"a":"prod-7 swordfish"}"#.into())),
        file: None,
        line: None,
    };
    let labels = Consumer::TABLE.columns.iter().position(|column| column.name == "labels").unwrap();
    let mut changes = Changes::default();
    changes.set(labels, Some(r#"{"a":"prod-7 ‹password:0001:len16›"}"#.to_owned()));
    pseudonyms.row(&row, &mut changes).unwrap();
    let Cell::Text(after) = changes.cell(labels, Cell::Null) else { panic!("no labels") };
    assert!(after.starts_with(r#"{"a":"consumer-"#) && after.ends_with(r#" ‹password:0001:len16›"}"#), "{after}");
    assert_eq!(pseudonyms.counts().get(&("consumers", "labels", Kind::Names)), Some(&1));
}
