//! JSON of other people's making: what has the expected shape is read, anything else is passed over without an error.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// An object, or its default.
#[derive(Debug, Default)]
pub struct Loose<T>(pub T);

/// The objects of an array; nothing if it is none.
#[derive(Debug)]
pub struct Items<T>(pub Vec<T>);

/// A string, if it is one.
#[derive(Debug, Default)]
pub struct Word(pub Option<String>);

/// The members of an object that are strings.
#[derive(Debug, Default)]
pub struct Pairs(pub Vec<(String, String)>);

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Word {
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

/// Passes over the shapes that a visitor does not name itself.
macro_rules! pass_over {
    ($value:ty: $($shape:ident)*) => {
        type Value = $value;
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("anything")
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
        $(pass_over!(@$shape $value);)*
    };
    (@string $value:ty) => {
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(<$value>::default())
        }
    };
    (@array $value:ty) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
            while array.next_element::<IgnoredAny>()?.is_some() {}
            Ok(<$value>::default())
        }
    };
    (@object $value:ty) => {
        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
            while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(<$value>::default())
        }
    };
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Objects<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Objects<T> {
            pass_over!(Loose<T>: string array);
            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(object)).map(Loose)
            }
        }
        deserializer.deserialize_any(Objects(PhantomData))
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Items<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Arrays<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Arrays<T> {
            pass_over!(Items<T>: string object);
            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(Loose(item)) = array.next_element()? {
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_any(Arrays(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Strings;
        impl<'de> Visitor<'de> for Strings {
            pass_over!(Word: array object);
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Word(Some(text.to_owned())))
            }
        }
        deserializer.deserialize_any(Strings)
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            pass_over!(Pairs: string array);
            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some((key, Word(value))) = object.next_entry()? {
                    pairs.extend(value.map(|value| (key, value)));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_any(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(default)]
    struct Thing {
        name: Word,
        parts: Items<Thing>,
        labels: Pairs,
    }

    #[test]
    fn what_has_another_shape_is_passed_over() {
        for odd in ["null", "1", "-1", "1.5", "true", "\"text\"", "[1, {\"a\": []}]", "{\"a\": [1]}"] {
            let text = format!(r#"{{"name": {odd}, "parts": {odd}, "labels": {odd}, "last": 1}}"#);
            let thing: Thing = serde_json::from_str(&text).unwrap();
            assert_eq!(thing.name.text().is_some(), odd.starts_with('"'), "{odd}");
            assert_eq!(thing.parts.0.len(), if odd.starts_with('[') { 2 } else { 0 }, "{odd}");
            assert!(thing.labels.0.is_empty(), "{odd}");
        }
        let text =
            r#"{"name": "a", "parts": [{"name": "b"}, 7, {"name": {}}], "labels": {"k": "v", "n": 1, "z": "y"}}"#;
        let thing: Thing = serde_json::from_str(text).unwrap();
        let names: Vec<_> = thing.parts.0.iter().map(|part| part.name.text()).collect();
        assert_eq!((thing.name.text(), names), (Some("a"), vec![Some("b"), None, None]));
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(thing.labels.0, [pair("k", "v"), pair("z", "y")]);
    }
}
